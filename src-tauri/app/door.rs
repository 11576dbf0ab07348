//! The way to an application that may still be opening, or cannot be opened yet.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use baton_api::{ApiError, App, AppError};

/// Opens the application.
type Opening = Box<dyn Fn() -> Result<Arc<App>, AppError> + Send + Sync>;

/// The way to Baton. Clones share it.
#[derive(Clone)]
pub(crate) struct Door {
    shared: Arc<Shared>,
}

struct Shared {
    opening: Opening,
    opened: OnceLock<Arc<App>>,
    trying: Mutex<()>,
}

impl Door {
    /// A door that `opening` opens: who asks first does it, unless it has begun already.
    pub(crate) fn new(
        opening: impl Fn() -> Result<Arc<App>, AppError> + Send + Sync + 'static,
    ) -> Self {
        let shared = Shared {
            opening: Box::new(opening),
            opened: OnceLock::new(),
            trying: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Begins to open Baton; the window need not wait for the disk.
    pub(crate) fn begin(&self) {
        let first = self.clone();
        // Whoever asks next hears of a failure.
        thread::spawn(move || drop(first.app()));
    }

    /// Baton, as soon as it is open. What could not be opened is tried again: another program may have let go of it.
    pub(crate) fn app(&self) -> Result<&Arc<App>, ApiError> {
        let _one_at_a_time = self
            .shared
            .trying
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(app) = self.shared.opened.get() {
            return Ok(app);
        }
        let app = (self.shared.opening)().map_err(|error| closed(&error))?;
        Ok(self.shared.opened.get_or_init(|| app))
    }

    /// Baton, if it is open by now.
    pub(crate) fn opened(&self) -> Option<&Arc<App>> {
        self.shared.opened.get()
    }

    /// Waits for Baton, however long it takes until it can be opened.
    pub(crate) fn wait(&self) -> &Arc<App> {
        self.shared.opened.wait()
    }

    /// Lets go of everything; sessions live on.
    pub(crate) fn close(&self) {
        if let Some(app) = self.shared.opened.get() {
            app.shut_down();
        }
    }
}

fn closed(error: &AppError) -> ApiError {
    tracing::error!(%error, "Baton could not be opened");
    let cause = ApiError::from(error);
    ApiError {
        message: format!("Couldn't open Baton's data. {}", cause.message),
        ..cause
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use baton_api::{Code, Role};

    #[test]
    fn a_door_that_does_not_open_says_why() {
        let error = Door::new(|| Err(AppError::NoDataDirectory)).app().err();
        assert_eq!(
            error.as_ref().map(|error| error.code),
            Some(Code::Unavailable)
        );
        assert!(
            error.is_some_and(|error| error.in_full().contains("Set BATON_DATA_DIR")),
            "it says what to do"
        );
    }

    #[test]
    fn what_is_mended_opens_without_a_new_start() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let place = folder.path().to_owned();
        let mended = Arc::new(AtomicBool::new(false));
        let is_mended = Arc::clone(&mended);
        let door = Door::new(move || {
            if !is_mended.load(Ordering::SeqCst) {
                return Err(AppError::NoDataDirectory);
            }
            // The keeper is only asked for when something runs; nothing runs here.
            App::open_with_keeper(
                place.clone(),
                Role::Cli,
                std::env::current_exe().unwrap_or_default(),
            )
        });
        assert!(door.app().is_err());
        mended.store(true, Ordering::SeqCst);
        assert!(door.app().is_ok());
        door.wait().shut_down();
        Ok(())
    }
}
