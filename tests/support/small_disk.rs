//! A small disk for a test: a file system of a given size, mounted in a mount namespace of a second
//! process.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER_VARIABLE: &str = "BATON_TEST_DISK";

/// Runs `work` with a folder on a disk of `size` (in the syntax of `mount`), in a second process
/// that runs only `test`.
///
/// Requires `unshare` from util-linux. Without root, a user namespace is used.
pub fn run_on_small_disk(size: &str, test: &str, work: impl FnOnce(&Path)) {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        return work(&PathBuf::from(folder));
    }
    let folder = tempfile::tempdir().expect("enough disk space");
    let script = r#"mount -t tmpfs -o "size=$1" none "$2" && exec "$3" --exact "$4" --nocapture --test-threads 1"#;
    let is_root = std::fs::metadata("/proc/self").expect("Linux has it").uid() == 0;
    let output = Command::new("unshare")
        .args(if is_root {
            &["--mount"][..]
        } else {
            &["--map-root-user", "--mount"]
        })
        .args(["sh", "-c", script, "sh", size])
        .arg(folder.path())
        .arg(std::env::current_exe().expect("tests know where they are"))
        .arg(test)
        .env(FOLDER_VARIABLE, folder.path())
        // A keeper then gives up on a full disk after half a second instead of half a minute.
        .env(baton_keeper::DISK_WAIT_VARIABLE, "500")
        .output()
        .expect("unshare is installed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "the test has this name: {text}");
}
