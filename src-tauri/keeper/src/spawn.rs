//! Starts a detached keeper.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::umask;

/// Why a keeper could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The socket pair for the keeper could not be created.
    #[error("the connection to a new keeper couldn't be created")]
    Connection(#[source] io::Error),
    /// The keeper program could not be run.
    #[error("the keeper {} couldn't be run", keeper.display())]
    Keeper {
        /// The path of the keeper program.
        keeper: PathBuf,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
}

/// Starts the keeper of a folder in which [`crate::Launch::write`] has written its file.
///
/// The returned stream is a connection that follows already: it sends [`crate::Event`]s and
/// receives [`crate::Request`]s. Dropping it does not affect the session. The caller should `wait`
/// for the child at some time, to remove it from the process table; the child's exit code only says
/// whether a record was written.
///
/// Nothing here may need code between fork and exec (no `pre_exec`, no `current_dir`): the standard
/// library could not use `posix_spawn` then, which does not copy the app's page tables. The keeper
/// detaches itself.
pub fn spawn(keeper: &Path, folder: &Path) -> Result<(Child, UnixStream), SpawnError> {
    let (ours, theirs) = UnixStream::pair().map_err(SpawnError::Connection)?;
    let child = Command::new(keeper)
        .arg(folder)
        .envs(umask::original_in_octal().map(|mask| (umask::VARIABLE, mask)))
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|source| SpawnError::Keeper {
            keeper: keeper.to_owned(),
            source,
        })?;
    Ok((child, ours))
}
