//! One after the other: what has to look before it acts, across all processes on one data directory.

use std::fs::File;

use crate::{ApiError, App, Code};

/// The right to act on what one has seen; gone when it is dropped, or when its process dies.
///
/// A second one in the same process waits for the first like any other.
#[must_use = "the turn is over as soon as this is dropped"]
pub struct Turn {
    _lock: File,
}

impl App {
    /// Waits until nobody else is between looking and acting.
    pub fn turn(&self) -> Result<Turn, ApiError> {
        let path = self.store.data_dir().join("baton.turn");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let locked = file.and_then(|file| file.lock().map(|()| file));
        locked.map(|_lock| Turn { _lock }).map_err(|error| {
            let message = format!("this could not begin: {} cannot be locked: {error}", path.display());
            ApiError::new(Code::Unavailable, message)
        })
    }
}
