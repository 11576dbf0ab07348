//! Queues links and files from outside until the page takes them, and brings the window to the
//! front.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Emitter, Manager, State};

use crate::deep_link::{OpenRequest, Route, parse_arguments};

/// The event that the page listens for: an open request is waiting.
const OPEN_REQUESTED: &str = "baton-arrived";
/// More requests than this are likely a mistake. The rest is dropped.
const MAX_PENDING: usize = 20;

/// Requests that the page hasn't taken yet; it may still be loading.
#[derive(Default)]
pub(crate) struct PendingOpenRequests {
    waiting: Mutex<Vec<OpenRequest>>,
}

/// Returns and removes the pending requests.
#[tauri::command]
pub(crate) fn take_arrivals(pending: State<'_, PendingOpenRequests>) -> Vec<OpenRequest> {
    std::mem::take(
        &mut pending
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner),
    )
}

/// Queues what the command line asks to open. The first argument is the program's name.
pub(crate) fn queue_arguments(app: &AppHandle, arguments: &[String], folder: &Path) {
    let requests = parse_arguments(arguments.get(1..).unwrap_or_default(), folder);
    if !requests.is_empty() {
        enqueue(app, requests);
    }
}

/// Brings the window to the front and opens `place` in it.
pub(crate) fn navigate(app: &AppHandle, place: Route) {
    enqueue(app, vec![OpenRequest::Place { place }]);
    focus_window(app);
}

fn enqueue(app: &AppHandle, requests: Vec<OpenRequest>) {
    let pending = app.state::<PendingOpenRequests>();
    let mut waiting = pending
        .waiting
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    waiting.extend(requests);
    waiting.truncate(MAX_PENDING);
    drop(waiting);
    if let Err(error) = app.emit(OPEN_REQUESTED, ()) {
        tracing::warn!(%error, "couldn't notify the page of an open request");
    }
}

/// Shows the window if it is hidden or minimized, and focuses it.
pub(crate) fn focus_window(app: &AppHandle) {
    let Some(window) = app.get_webview_window(crate::MAIN) else {
        return;
    };
    let raised = window
        .show()
        .and_then(|()| window.unminimize())
        .and_then(|()| window.set_focus());
    if let Err(error) = raised {
        tracing::warn!(%error, "couldn't focus the window");
    }
}
