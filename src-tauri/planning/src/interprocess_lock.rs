//! A lock across all processes on one data directory, for decisions that must be checked and stored
//! without others in between.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};
use std::{io, thread};

use crate::{Context, PlanningError, RefusalReason};

/// How long to wait for another holder of the lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(15);
/// The polling interval: file locks have no wait with a timeout.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// The held lock. It is released on drop, or when the process dies.
///
/// It is not reentrant: a second lock in the same process waits like any other.
#[must_use = "the lock is released as soon as this is dropped"]
pub struct InterprocessLock {
    _lock: File,
}

impl Context {
    /// Waits for the lock, with a timeout because its holder may be a stopped process.
    pub fn interprocess_lock(&self) -> Result<InterprocessLock, PlanningError> {
        self.lock_file("baton.turn")
    }

    /// The same for comparing and writing the files of plans in projects.
    pub(crate) fn plan_files_lock(&self) -> Result<InterprocessLock, PlanningError> {
        self.lock_file("plan-files.lock")
    }

    fn lock_file(&self, name: &str) -> Result<InterprocessLock, PlanningError> {
        let path = self.store.data_dir().join(name);
        let failed = |error: io::Error| {
            let message = format!("{} can't be locked: {error}", path.display());
            PlanningError::new(RefusalReason::Unavailable, message)
        };
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(failed)?;
        let deadline = Instant::now() + LOCK_TIMEOUT;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(InterprocessLock { _lock: file }),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                    let message = "another Baton process holds the lock and isn't responding: \
                                   find it with `baton executors`, end it, and try again";
                    return Err(PlanningError::new(RefusalReason::Busy, message));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(RETRY_INTERVAL),
            }
        }
    }
}
