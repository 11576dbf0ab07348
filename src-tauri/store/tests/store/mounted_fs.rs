//! File systems for single tests, mounted in a mount namespace of a second process.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const PLACE: &str = "BATON_STORE_TEST_PLACE";

/// Runs `work` with a folder on its own file system, in a second process that runs only `test`.
///
/// The second argument of `work` runs a shell script in that folder. Requires `unshare` from
/// util-linux. Users other than root become root in a user namespace.
pub fn run_inside(kind: &str, options: &str, test: &str, work: impl FnOnce(&Path, &dyn Fn(&str))) {
    if let Some(folder) = std::env::var_os(PLACE) {
        let folder = PathBuf::from(folder);
        return work(&folder, &|script| {
            let done = Command::new("sh")
                .args(["-c", script])
                .current_dir(&folder)
                .status();
            assert!(
                done.unwrap().success(),
                "{script}: allowed in a mount namespace of our own"
            );
        });
    }
    let folder = tempfile::tempdir().unwrap();
    let script =
        r#"mount -t "$1" -o "$2" none "$3" && exec "$4" --exact "$5" --nocapture --test-threads 1"#;
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let output = Command::new("unshare")
        .args(if is_root {
            &["--mount"][..]
        } else {
            &["--map-root-user", "--mount"]
        })
        .args(["sh", "-c", script, "sh", kind, options])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .arg(test)
        .env(PLACE, folder.path())
        .output()
        .expect("unshare is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "the test has this name: {text}");
}
