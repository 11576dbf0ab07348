//! The names of the files in a session folder.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::SystemTime;

/// Written by the app before the keeper starts: a [`crate::Launch`].
pub const LAUNCH: &str = "launch.json";
/// Created by the one keeper that owns the folder: a [`crate::Claim`].
pub const CLAIM: &str = "claim";
/// The program's stdout with secrets masked. Absent while it is empty.
pub const STDOUT: &str = "stdout";
/// The program's stderr with secrets masked. Absent while it is empty.
pub const STDERR: &str = "stderr";
/// When stdout and stderr grew; read it with [`crate::ClockReader`]. Absent until something is
/// printed.
pub const CLOCK: &str = "clock";
/// Every accepted [`crate::Input`], one JSON object a line. Absent while there was none.
pub const INPUT: &str = "stdin.jsonl";
/// The socket of a running keeper, created after the session's first milliseconds; connect with
/// [`crate::connect`].
pub const SOCKET: &str = "control.sock";
/// The [`crate::Exit`] of a finished session.
pub const EXIT: &str = "exit.json";
/// The space reserved for the exit record while the session runs.
pub(crate) const EXIT_TEMP: &str = "exit.tmp";
/// The redacted `launch.json`, before it replaces the original.
pub(crate) const LAUNCH_TEMP: &str = "launch.tmp";

/// Creates a new file that only this user can read; fails if it exists.
pub(crate) fn create_new(path: impl AsRef<Path>) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// The latest modification time of the files that a keeper writes during its session.
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
