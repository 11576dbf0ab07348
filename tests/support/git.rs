//! Runs git in a test's repository.

use std::path::Path;
use std::process::Command;

/// Runs git as an author of its own, and returns what it printed without the last line break.
///
/// # Panics
///
/// When git fails.
pub fn git(place: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=A", "-c", "user.email=a@b"])
        .args(arguments)
        .current_dir(place);
    let output = command.output().expect("git is installed");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_owned()
}
