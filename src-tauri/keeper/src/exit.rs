//! How a session ended: the content of `exit.json`, and the room reserved for it.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::sandbox::Confinement;
use crate::{folder, session_file};

/// The exit record of a session. It is a fact about processes, not a verdict: exit code 0 is not success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exit {
    /// What became of the program itself.
    pub ending: Ending,
    /// Why the keeper ended the session; `None` when the program ended on its own.
    pub cause: Option<Cause>,
    /// The program's process; `None` when it was not started.
    pub pid: Option<i32>,
    /// Milliseconds since 1970 at which the keeper began.
    pub started_ms: u64,
    /// Milliseconds since 1970 at which the last process of the session was gone.
    pub ended_ms: u64,
    /// Length of `stdout`.
    pub stdout_bytes: u64,
    /// Length of `stderr`.
    pub stderr_bytes: u64,
    /// Descendants that had to be signaled after the program itself was over.
    pub left_behind: u32,
    /// Descendants that could not be ended, for example because they belong to another user.
    pub survivors: u32,
    /// Largest resident size of any one process of the session, in KiB, of those that were waited for.
    pub max_rss_kb: u64,
    /// Processor time of all processes of the session that were waited for, in milliseconds.
    pub cpu_ms: u64,
    /// Whether the program was in a sandbox.
    #[serde(default)]
    pub confinement: Confinement,
}

/// What became of the program itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Ending {
    /// It exited.
    Exited {
        /// The exit code, 0 to 255.
        code: i32,
    },
    /// A signal ended it.
    Signaled {
        /// The number of the signal on this platform.
        signal: i32,
    },
    /// It never ran.
    NotStarted {
        /// The kind of obstacle.
        reason: NotStarted,
        /// The obstacle in words, for a person.
        detail: String,
    },
    /// It was still there when the keeper gave up ending it.
    Survived,
}

/// Why a program never ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NotStarted {
    /// There is no such program.
    CommandNotFound,
    /// The program, or the folder it should start in, may not be used by this user.
    PermissionDenied,
    /// The folder it should start in is not there, or is no folder.
    CwdMissing,
    /// `launch.json` is missing or damaged.
    LaunchUnreadable,
    /// It could not be put into its sandbox, although the system has such.
    NotConfined,
    /// Anything else; see the detail.
    Other,
}

/// Why the keeper ended a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// Somebody asked for it.
    Cancelled,
    /// The launch's time was up.
    TimedOut,
    /// Output could not be stored for too long; its last bytes are lost.
    DiskFull,
}

/// Why the exit record could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ExitError {
    /// The file could not be read.
    #[error("read exit.json")]
    Io(#[from] io::Error),
    /// The file is not an exit record.
    #[error("understand exit.json")]
    Json(#[from] serde_json::Error),
}

impl Exit {
    /// Reads the exit record of a session folder; `None` while there is none.
    pub fn read(folder: &Path) -> Result<Option<Exit>, ExitError> {
        match session_file::read(&folder.join(folder::EXIT)) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Room on the disk that was taken while there was some, so that a full disk cannot swallow the exit record.
///
/// On a file system that never overwrites in place (btrfs, zfs) the promise is weaker. Nothing is synced: the record
/// is for an app that crashed, not for a power cut (after one, the session is `Lost`).
#[derive(Debug)]
pub(crate) struct ReservedExitRecord(File);

const RESERVED: usize = 4096;

impl ReservedExitRecord {
    /// Takes the room in the current folder.
    pub(crate) fn take() -> io::Result<ReservedExitRecord> {
        let mut file = folder::create_new(folder::EXIT_TEMP)?;
        file.write_all(&[b' '; RESERVED])?;
        Ok(ReservedExitRecord(file))
    }

    /// Turns the room into the record, atomically. The spaces that stay behind the JSON are white space to a parser.
    pub(crate) fn fill(self, exit: &Exit) -> io::Result<()> {
        let mut text = serde_json::to_vec(exit)?;
        text.push(b'\n');
        self.0.write_all_at(&text, 0)?;
        std::fs::rename(folder::EXIT_TEMP, folder::EXIT)
    }
}
