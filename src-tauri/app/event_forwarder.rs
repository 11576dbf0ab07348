//! Passes on to the page what has changed.

use std::thread;

use tauri::{AppHandle, Emitter};

use crate::backend_handle::BackendHandle;

/// The name of the event, as the page listens to it.
const CHANGE_EVENT: &str = "baton-event";

/// Tells `window` of changes, from a thread of its own, as soon as Baton is open.
pub(crate) fn forward_changes(backend: BackendHandle, window: AppHandle) {
    thread::spawn(move || {
        let changes = backend.wait().changes();
        while let Some(frame) = changes.frame() {
            for change in frame {
                if let Err(error) = window.emit(CHANGE_EVENT, &change) {
                    tracing::warn!(%error, "a change could not be told to the window");
                }
            }
        }
    });
}
