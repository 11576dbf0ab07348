//! A handle to the backend, which may still be opening or may have failed to open.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use baton_api::{ApiError, App, AppError};

type OpenBackend = Box<dyn Fn() -> Result<Arc<App>, AppError> + Send + Sync>;

/// A shared handle to the backend, which opens on first use.
#[derive(Clone)]
pub(crate) struct BackendHandle {
    shared: Arc<Shared>,
}

struct Shared {
    open_backend: OpenBackend,
    opened: OnceLock<Arc<App>>,
    open_lock: Mutex<()>,
}

impl BackendHandle {
    /// Creates a handle that calls `open_backend` on first use.
    pub(crate) fn new(
        open_backend: impl Fn() -> Result<Arc<App>, AppError> + Send + Sync + 'static,
    ) -> Self {
        let shared = Shared {
            open_backend: Box::new(open_backend),
            opened: OnceLock::new(),
            open_lock: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Starts opening the backend in a thread, so that the window doesn't wait for the disk.
    pub(crate) fn open_in_background(&self) {
        let first = self.clone();
        // The next caller of `get_or_open` gets the error.
        thread::spawn(move || drop(first.get_or_open()));
    }

    /// Returns the backend, opening it if necessary. After a failure each call tries again: the
    /// cause may be gone, such as another process holding a lock.
    pub(crate) fn get_or_open(&self) -> Result<&Arc<App>, ApiError> {
        let _one_at_a_time = self
            .shared
            .open_lock
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(app) = self.shared.opened.get() {
            return Ok(app);
        }
        let app = (self.shared.open_backend)().map_err(|error| open_error(&error))?;
        Ok(self.shared.opened.get_or_init(|| app))
    }

    /// Returns the backend if it is already open.
    pub(crate) fn get(&self) -> Option<&Arc<App>> {
        self.shared.opened.get()
    }

    /// Blocks until the backend is open, however long that takes.
    pub(crate) fn wait(&self) -> &Arc<App> {
        self.shared.opened.wait()
    }

    /// Closes the backend. Sessions keep running.
    pub(crate) fn close(&self) {
        if let Some(app) = self.shared.opened.get() {
            app.shut_down();
        }
    }
}

fn open_error(error: &AppError) -> ApiError {
    tracing::error!(%error, "couldn't open the data directory");
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
    fn open_error_explains_the_fix() {
        let error = BackendHandle::new(|| Err(AppError::NoDataDirectory))
            .get_or_open()
            .err();
        assert_eq!(
            error.as_ref().map(|error| error.code),
            Some(Code::Unavailable)
        );
        assert!(
            error.is_some_and(|error| error.full_message().contains("Set BATON_DATA_DIR")),
            "the message says what to do"
        );
    }

    #[test]
    fn opening_is_retried_after_a_failure() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let place = folder.path().to_owned();
        let fixed = Arc::new(AtomicBool::new(false));
        let is_fixed = Arc::clone(&fixed);
        let backend = BackendHandle::new(move || {
            if !is_fixed.load(Ordering::SeqCst) {
                return Err(AppError::NoDataDirectory);
            }
            // A keeper is only started when a session starts, which doesn't happen here.
            App::open_with_keeper(
                place.clone(),
                Role::Cli,
                std::env::current_exe().unwrap_or_default(),
            )
        });
        assert!(backend.get_or_open().is_err());
        fixed.store(true, Ordering::SeqCst);
        assert!(backend.get_or_open().is_ok());
        backend.wait().shut_down();
        Ok(())
    }
}
