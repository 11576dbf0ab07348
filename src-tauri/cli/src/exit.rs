//! What the exit code says.

use std::process::ExitCode;

/// The exit codes of `baton`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: what was asked is done.
    Done,
    /// 1: a run failed, stalled or was paused before it was done; or Baton itself could not work.
    Failed,
    /// 2: it could not be done as it was asked: arguments, a faulty file, a failed pre-flight, a refusal.
    Usage,
    /// 3: it waits for a person, who finds it in the inbox.
    Waits,
    /// 130: a person cancelled it, or left by a second Ctrl+C.
    Cancelled,
    /// 143: this process was ended by SIGTERM; sessions live on.
    Terminated,
}

impl Exit {
    /// The code that the operating system gets.
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
