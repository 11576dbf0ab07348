//! `baton-keeper FOLDER`: keeps the one session of that folder; see the library for the contract.
//!
//! Exit codes: 0 the exit record was written, 2 wrong usage, 3 another keeper has claimed the
//! folder, 4 nothing was started or claimed, 5 the session ran but its exit record could not be
//! written. Prints nothing: the app redirects its stdout and stderr to /dev/null.

use std::path::PathBuf;
use std::process::ExitCode;

use baton_keeper::{KeeperError, run_keeper};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        return ExitCode::from(2);
    };
    match run_keeper(&PathBuf::from(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(KeeperError::Claimed) => ExitCode::from(3),
        Err(KeeperError::NotBegun { .. }) => ExitCode::from(4),
        Err(KeeperError::Unrecorded { .. }) => ExitCode::from(5),
    }
}
