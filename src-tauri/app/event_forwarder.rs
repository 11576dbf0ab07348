//! Forwards change events to the page.

use std::thread;

use tauri::{AppHandle, Emitter};

use crate::backend_handle::BackendHandle;

/// The event that the page listens for.
const CHANGE_EVENT: &str = "baton-event";

/// Forwards changes to `window` from a background thread, once the backend is open.
pub(crate) fn forward_changes(backend: BackendHandle, window: AppHandle) {
    thread::spawn(move || {
        let changes = backend.wait().changes();
        while let Some(frame) = changes.frame() {
            for change in frame {
                if let Err(error) = window.emit(CHANGE_EVENT, &change) {
                    tracing::warn!(%error, "couldn't forward a change to the window");
                }
            }
        }
    });
}
