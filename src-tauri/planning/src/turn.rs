//! One after the other: what has to look before it acts, across all processes on one data directory.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};
use std::{io, thread};

use crate::{Context, PlanningError, Reason};

/// How long somebody else may take between looking and acting.
const PATIENCE: Duration = Duration::from_secs(15);
/// Between two looks whether it is over: the system wakes nobody who does not want to wait for ever.
const PAUSE: Duration = Duration::from_millis(5);

/// The right to act on what one has seen; gone when it is dropped, or when its process dies.
///
/// A second one in the same process waits for the first like any other.
#[must_use = "the turn is over as soon as this is dropped"]
pub struct Turn {
    _lock: File,
}

impl Context {
    /// Waits until nobody else is between looking and acting; not for ever, as that one may have been stopped there.
    pub fn turn(&self) -> Result<Turn, PlanningError> {
        let path = self.store.data_dir().join("baton.turn");
        let failed = |error: io::Error| {
            let message = format!("{} can't be locked: {error}", path.display());
            PlanningError::new(Reason::Unavailable, message)
        };
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(failed)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Turn { _lock: file }),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                    let message = "another Baton process is beginning something and does not come to an end: \
                                   look at `baton executors`, end the one that is stopped, and try again";
                    return Err(PlanningError::new(Reason::Busy, message));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            }
        }
    }
}
