//! Starts a keeper, detached.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::umask;

/// Why no keeper was started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The connection to the keeper could not be made.
    #[error("connect to a new keeper")]
    Connection(#[source] io::Error),
    /// The keeper could not be run.
    #[error("run the keeper {}", keeper.display())]
    Keeper {
        /// The keeper's program.
        keeper: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
}

/// Starts the keeper of a folder in which [`crate::Launch::write`] has left its file.
///
/// The stream is a connection that follows already: it tells [`crate::Event`]s and takes [`crate::Request`]s.
/// Dropping it does not disturb the session. The caller should `wait` for the child at some time, to clear the process
/// table; the child's exit code says only whether a record was left.
///
/// Nothing here may need code between fork and exec (no `pre_exec`, no `current_dir`): it would cost the standard
/// library's `posix_spawn`, which does not copy the app's page tables. The keeper detaches itself.
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
