//! How far a session got, according to its folder. Changes nothing.

use std::path::Path;

use crate::claim::{Claim, ClaimError, KeeperLife};
use crate::exit::{Exit, ExitError};

/// How far a session got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// No keeper has claimed the folder, so nothing has run. A keeper may still be starting.
    NotStarted,
    /// The keeper is running.
    Running(Claim),
    /// The keeper belongs to another container or machine, and whether it runs cannot be found out:
    /// see [`KeeperLife::Unknown`].
    OutOfSight(Claim),
    /// The session is over.
    Ended(Exit),
    /// The keeper is gone and has left no record. Processes may still run: see
    /// [`crate::terminate_marked_processes`].
    Lost,
}

impl Liveness {
    /// Whether a keeper runs, or may run where it cannot be seen.
    pub fn may_run(&self) -> bool {
        matches!(self, Liveness::Running(_) | Liveness::OutOfSight(_))
    }
}

/// Why the state of a session folder could not be determined.
#[derive(Debug, thiserror::Error)]
pub enum LivenessError {
    /// The claim could not be read.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The exit record could not be read.
    #[error(transparent)]
    Exit(#[from] ExitError),
}

/// Determines how far the session of a folder got.
pub fn liveness(folder: &Path) -> Result<Liveness, LivenessError> {
    if let Some(exit) = Exit::read(folder)? {
        return Ok(Liveness::Ended(exit));
    }
    let otherwise = match Claim::read(folder) {
        Ok(None) => return Ok(Liveness::NotStarted),
        Ok(Some(claim)) => match claim.life(folder) {
            KeeperLife::Lives => return Ok(Liveness::Running(claim)),
            KeeperLife::Unknown => Liveness::OutOfSight(claim),
            KeeperLife::Gone => Liveness::Lost,
        },
        Err(ClaimError::Torn(_)) => Liveness::Lost,
        Err(error) => return Err(error.into()),
    };
    // The keeper may have written its record and ended since the first read.
    Ok(Exit::read(folder)?.map_or(otherwise, Liveness::Ended))
}
