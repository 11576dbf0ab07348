//! Where links and files from outside wait until the page takes them, and how the window comes to the front.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Emitter, Manager, State};

use crate::deep_link::{OpenRequest, Route, parse_arguments};

/// The name of the event, as the page listens to it: something waits to be taken.
const OPEN_REQUESTED: &str = "baton-arrived";
/// More than so many at once is a mistake, and nobody wants to see them one by one.
const MAX_PENDING: usize = 20;

/// What has come and was not taken yet: the page may still be loading.
#[derive(Default)]
pub(crate) struct PendingOpenRequests {
    waiting: Mutex<Vec<OpenRequest>>,
}

/// Hands over what has come since the page asked last.
#[tauri::command]
pub(crate) fn take_arrivals(pending: State<'_, PendingOpenRequests>) -> Vec<OpenRequest> {
    std::mem::take(
        &mut pending
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner),
    )
}

/// Lets in what the words of a start ask for; the program's name is the first of them.
pub(crate) fn queue_arguments(app: &AppHandle, arguments: &[String], folder: &Path) {
    let requests = parse_arguments(arguments.get(1..).unwrap_or_default(), folder);
    if !requests.is_empty() {
        enqueue(app, requests);
    }
}

/// Shows a place in the window, and the window.
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
        tracing::warn!(%error, "the page was not told that something came");
    }
}

/// Brings the window to the front, also from the tray.
pub(crate) fn focus_window(app: &AppHandle) {
    let Some(window) = app.get_webview_window(crate::MAIN) else {
        return;
    };
    let raised = window
        .show()
        .and_then(|()| window.unminimize())
        .and_then(|()| window.set_focus());
    if let Err(error) = raised {
        tracing::warn!(%error, "the window could not be brought to the front");
    }
}
