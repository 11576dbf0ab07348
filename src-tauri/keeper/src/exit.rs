//! How a session ended: the content of `exit.json`, and the disk space reserved for it.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::sandbox::Confinement;
use crate::{folder, session_file};

/// The exit record of a session. It states facts about processes: exit code 0 does not mean that
/// the work succeeded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exit {
    /// What happened to the program itself.
    pub ending: Ending,
    /// Why the keeper ended the session; `None` if the program ended by itself.
    pub cause: Option<Cause>,
    /// The program's process id; `None` if it was not started.
    pub pid: Option<i32>,
    /// When the keeper started, in milliseconds since 1970.
    pub started_ms: u64,
    /// When the last process of the session was gone, in milliseconds since 1970.
    pub ended_ms: u64,
    /// How long the program itself ran, from just before its spawn until its end was seen, in
    /// milliseconds. The clock is monotonic: setting the system's clock doesn't change it, and on
    /// Linux (`CLOCK_MONOTONIC`) the time that the machine was suspended doesn't count. `None` if
    /// the program was not started or never ended, and in records of earlier versions.
    #[serde(default)]
    pub worked_ms: Option<u64>,
    /// The final length of `stdout`.
    pub stdout_bytes: u64,
    /// The final length of `stderr`.
    pub stderr_bytes: u64,
    /// The number of descendants that had to be signaled after the program itself had ended.
    pub left_behind: u32,
    /// The number of descendants that could not be terminated, for example because they belong to
    /// another user.
    pub survivors: u32,
    /// The largest resident size of any one process of the session that was waited for, in KiB.
    pub max_rss_kb: u64,
    /// The processor time of all processes of the session that were waited for, in milliseconds.
    pub cpu_ms: u64,
    /// Whether the program ran in a sandbox.
    #[serde(default)]
    pub confinement: Confinement,
}

impl Exit {
    /// How long the program ran, in milliseconds; `None` if nobody saw its end. Records of earlier
    /// versions have only the keeper's own start and end.
    #[must_use]
    pub fn worked_ms(&self) -> Option<u64> {
        let span = match self.ending {
            Ending::Exited { .. } | Ending::Signaled { .. } => {
                Some(self.ended_ms.saturating_sub(self.started_ms))
            }
            Ending::NotStarted { .. } => Some(0),
            Ending::Survived => None,
        };
        self.worked_ms.or(span)
    }
}

/// What happened to the program itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Ending {
    /// It exited by itself.
    Exited {
        /// From 0 to 255.
        code: i32,
    },
    /// A signal ended it.
    Signaled {
        /// The number of the signal on this platform.
        signal: i32,
    },
    /// The keeper could not start it.
    NotStarted {
        /// The category of the error.
        reason: NotStarted,
        /// A description for people.
        detail: String,
    },
    /// It was still alive when the keeper gave up terminating it.
    Survived,
}

/// Why a program never ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NotStarted {
    /// The program does not exist.
    CommandNotFound,
    /// This user has no permission for the program, or for its working directory.
    PermissionDenied,
    /// The working directory does not exist, or is not a directory.
    CwdMissing,
    /// `launch.json` is missing or damaged.
    LaunchUnreadable,
    /// It could not be sandboxed, although the system supports it.
    NotConfined,
    /// Any other reason; see `detail`.
    Other,
}

/// Why the keeper ended a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// A client requested it.
    Cancelled,
    /// The time limit of the launch has passed.
    TimedOut,
    /// Output could not be stored for too long; its last bytes are lost.
    DiskFull,
}

/// Why the exit record could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ExitError {
    /// The file could not be read.
    #[error("exit.json can't be read")]
    Io(#[from] io::Error),
    /// The file is not an exit record.
    #[error("exit.json is damaged")]
    Json(#[from] serde_json::Error),
}

impl Exit {
    /// Reads the exit record of a session folder; `None` if there is none yet.
    pub fn read(folder: &Path) -> Result<Option<Exit>, ExitError> {
        match session_file::read(&folder.join(folder::EXIT)) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Disk space reserved in advance, so that the exit record can be written to a full disk.
///
/// The guarantee is weaker on copy-on-write file systems (btrfs, zfs). Nothing is synced: the
/// record has to survive a crash of the app, not a power cut (after one, the session is `Lost`).
#[derive(Debug)]
pub(crate) struct ReservedExitRecord(File);

const RESERVED: usize = 4096;

impl ReservedExitRecord {
    /// Reserves the space in the current folder.
    pub(crate) fn take() -> io::Result<ReservedExitRecord> {
        let mut file = folder::create_new(folder::EXIT_TEMP)?;
        file.write_all(&[b' '; RESERVED])?;
        Ok(ReservedExitRecord(file))
    }

    /// Turns the reserved file into the record, atomically. JSON parsers ignore the spaces left
    /// after the JSON.
    pub(crate) fn fill(self, exit: &Exit) -> io::Result<()> {
        let mut text = serde_json::to_vec(exit)?;
        text.push(b'\n');
        self.0.write_all_at(&text, 0)?;
        std::fs::rename(folder::EXIT_TEMP, folder::EXIT)
    }
}
