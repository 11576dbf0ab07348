//! The names of the files in a session folder; nothing about their content.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::SystemTime;

/// Written by the app before the keeper starts: a [`crate::Launch`].
pub const LAUNCH: &str = "launch.json";
/// Made by the one keeper that owns the folder: a [`crate::Claim`].
pub const CLAIM: &str = "claim";
/// Every byte the program printed to its stdout, but for secrets. Absent while there was none.
pub const STDOUT: &str = "stdout";
/// Every byte the program printed to its stderr, but for secrets. Absent while there was none.
pub const STDERR: &str = "stderr";
/// When the two grew; read it with [`crate::ClockReader`]. Absent while nothing was printed.
pub const CLOCK: &str = "clock";
/// Every accepted [`crate::Input`], one JSON object a line. Absent while there was none.
pub const INPUT: &str = "stdin.jsonl";
/// The socket of a running keeper, made when the session is some milliseconds old; open it with [`crate::connect`].
pub const SOCKET: &str = "control.sock";
/// The [`crate::Exit`] of a session that is over.
pub const EXIT: &str = "exit.json";
/// The room that is reserved for the exit record while the session runs.
pub(crate) const EXIT_TEMP: &str = "exit.tmp";
/// `launch.json` without secrets, before it takes its place.
pub(crate) const LAUNCH_TEMP: &str = "launch.tmp";

/// Creates a file that must not exist yet, readable by nobody but the user.
pub(crate) fn create_new(path: impl AsRef<Path>) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// When the files that a keeper writes while its session runs were last written.
pub(crate) fn last_written(folder: &Path) -> Option<SystemTime> {
    let written = |name: &str| {
        folder
            .join(name)
            .symlink_metadata()
            .and_then(|meta| meta.modified())
            .ok()
    };
    [CLAIM, STDOUT, STDERR, CLOCK, INPUT, EXIT_TEMP]
        .into_iter()
        .filter_map(written)
        .max()
}
