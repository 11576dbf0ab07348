//! Locking a mutex without failing after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ignores poisoning. A panic while the lock was held rolled its transaction back, so no partial
/// state is visible.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
