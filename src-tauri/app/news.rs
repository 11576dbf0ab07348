//! Passes on to the page what has changed.

use std::thread;

use tauri::{AppHandle, Emitter};

use crate::door::Door;

/// The name of the event, as the page listens to it.
const EVENT: &str = "baton-event";

/// Tells `window` of changes, from a thread of its own, as soon as Baton is open.
pub(crate) fn forward(door: Door, window: AppHandle) {
    thread::spawn(move || {
        let changes = door.wait().changes();
        while let Some(frame) = changes.frame() {
            for change in frame {
                if let Err(error) = window.emit(EVENT, &change) {
                    tracing::warn!(%error, "a change could not be told to the window");
                }
            }
        }
    });
}
