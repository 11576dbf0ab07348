//! Exit codes.

use std::process::ExitCode;

/// The exit codes of `baton`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: the command did what was requested.
    Done,
    /// 1: a run failed, stalled or paused, or Baton itself failed.
    Failed,
    /// 2: the request couldn't be completed: invalid arguments, an invalid file, a failed
    /// pre-flight, or a refusal.
    Usage,
    /// 3: the request waits for a person in the inbox.
    Waits,
    /// 130: canceled, or detached by a second Ctrl+C.
    Cancelled,
    /// 143: ended by SIGTERM. Sessions keep running.
    Terminated,
}

impl Exit {
    /// Returns the process exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Waits => 3,
            Self::Cancelled => 130,
            Self::Terminated => 143,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
