//! Why a terminal can't be used.

use std::io;
use std::path::PathBuf;

/// Why a terminal can't be opened or used. Messages are lowercase fragments.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// There is no such terminal, or not any more.
    #[error("the terminal doesn't exist any more")]
    NotFound,
    /// The limit is reached.
    #[error("{0} terminals are open, which is the limit")]
    TooMany(usize),
    /// The system has no pseudo terminal to give, or the shell can't be started.
    #[error("{} can't be started: {reason}", program.display())]
    NotStarted {
        /// The shell.
        program: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// The size can't be set.
    #[error("the terminal can't be resized: {0}")]
    NotResized(String),
    /// The shell has ended.
    #[error("the terminal's shell has ended")]
    Ended,
    /// The program doesn't read what is typed, and more doesn't fit.
    #[error("the program in the terminal doesn't read its input")]
    InputFull,
    /// One input is larger than a page sends.
    #[error("an input is at most {0} bytes long")]
    InputTooLong(usize),
    /// A thread can't be started.
    #[error("the terminal can't be watched: {0}")]
    Thread(#[from] io::Error),
}
