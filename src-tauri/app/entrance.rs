//! Where links and files from outside wait until the page takes them, and how the window comes to the front.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Emitter, Manager, State};

use crate::arrival::{Arrival, Place, arrivals};

/// The name of the event, as the page listens to it: something waits to be taken.
const ARRIVED: &str = "baton-arrived";
/// More than so many at once is a mistake, and nobody wants to see them one by one.
const MOST: usize = 20;

/// What has come and was not taken yet: the page may still be loading.
#[derive(Default)]
pub(crate) struct Entrance {
    waiting: Mutex<Vec<Arrival>>,
}

/// Hands over what has come since the page asked last.
#[tauri::command]
pub(crate) fn take_arrivals(entrance: State<'_, Entrance>) -> Vec<Arrival> {
    std::mem::take(
        &mut entrance
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner),
    )
}

/// Lets in what the words of a start ask for; the program's name is the first of them.
pub(crate) fn let_in(app: &AppHandle, words: &[String], folder: &Path) {
    let came = arrivals(words.get(1..).unwrap_or_default(), folder);
    if !came.is_empty() {
        add(app, came);
    }
}

/// Shows a place in the window, and the window.
pub(crate) fn go(app: &AppHandle, place: Place) {
    add(app, vec![Arrival::Place { place }]);
    come_forward(app);
}

fn add(app: &AppHandle, came: Vec<Arrival>) {
    let entrance = app.state::<Entrance>();
    let mut waiting = entrance
        .waiting
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    waiting.extend(came);
    waiting.truncate(MOST);
    drop(waiting);
    if let Err(error) = app.emit(ARRIVED, ()) {
        tracing::warn!(%error, "the page was not told that something came");
    }
}

/// Brings the window to the front, also from the tray.
pub(crate) fn come_forward(app: &AppHandle) {
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
