//! The way to an application that may still be opening.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::thread;

use baton_api::{ApiError, App, AppError, Code, Role};

/// Baton, or why it cannot be opened. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Door {
    opened: Arc<OnceLock<Result<Arc<App>, ApiError>>>,
}

impl Door {
    /// Begins to open the data; the window need not wait for the disk.
    pub(crate) fn open(directory: Result<PathBuf, AppError>) -> Self {
        let door = Self::default();
        let opened = Arc::clone(&door.opened);
        thread::spawn(move || {
            let app = directory.and_then(|directory| App::open(directory, Role::Window));
            opened.get_or_init(|| app.map_err(|error| closed(&error)));
        });
        door
    }

    /// Baton, as soon as it is open. Blocks until then.
    pub(crate) fn app(&self) -> Result<&Arc<App>, ApiError> {
        self.opened.wait().as_ref().map_err(ApiError::clone)
    }

    /// Lets go of everything; sessions live on.
    pub(crate) fn close(&self) {
        if let Some(Ok(app)) = self.opened.get() {
            app.shut_down();
        }
    }
}

fn closed(error: &AppError) -> ApiError {
    tracing::error!(%error, "Baton could not be opened");
    let message =
        format!("Baton's data could not be opened: {error}. Close this window and start Baton again after that.");
    ApiError::new(Code::Unavailable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_door_that_does_not_open_says_why() {
        let door = Door::open(Err(AppError::NoDataDirectory));
        let error = door.app().err();
        assert_eq!(error.as_ref().map(|error| error.code), Some(Code::Unavailable));
        assert!(error.is_some_and(|error| error.message.contains("BATON_DATA_DIR")), "the mend is in the sentence");
    }
}
