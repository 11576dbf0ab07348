//! How far a session got, judged from its folder alone. Changes nothing.

use std::path::Path;

use crate::claim::{Claim, ClaimError};
use crate::exit::{Exit, ExitError};

/// How far a session got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// No keeper has claimed the folder, so nothing has run. A keeper may still be on its way.
    NotStarted,
    /// The keeper runs.
    Running(Claim),
    /// The session is over.
    Ended(Exit),
    /// The keeper is gone and has left no record. Processes may still run: see [`crate::end_marked`].
    Lost,
}

/// Why the folder of a session could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum LivenessError {
    /// See [`ClaimError`].
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// See [`ExitError`].
    #[error(transparent)]
    Exit(#[from] ExitError),
}

/// Judges a session folder.
pub fn liveness(folder: &Path) -> Result<Liveness, LivenessError> {
    if let Some(exit) = Exit::read(folder)? {
        return Ok(Liveness::Ended(exit));
    }
    match Claim::read(folder) {
        Ok(Some(claim)) if claim.is_alive() => return Ok(Liveness::Running(claim)),
        Ok(Some(_)) | Err(ClaimError::Torn(_)) => {}
        Ok(None) => return Ok(Liveness::NotStarted),
        Err(error) => return Err(error.into()),
    }
    // The keeper may have left its record and ended between the first look and this one.
    Ok(Exit::read(folder)?.map_or(Liveness::Lost, Liveness::Ended))
}
