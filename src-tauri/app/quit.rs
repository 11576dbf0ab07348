//! What happens when the window is closed or Baton is quit while runs go on.
//!
//! The page asks the person, because it knows what they have chosen before. It may be broken: whoever closes a second
//! time while the question is open wants out, and gets out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Emitter, Manager, State};

use crate::backend_handle::BackendHandle;
use crate::{open_requests, overview, tray};

/// The name of the event, as the page listens to it.
const QUIT_REQUESTED: &str = "baton-leaving";

/// Whether the page was asked and has not answered yet.
#[derive(Default)]
pub(crate) struct QuitPrompt {
    is_awaiting_answer: AtomicBool,
}

/// What the person wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QuitTrigger {
    /// Close the window.
    Close,
    /// Quit Baton, as they said in the tray.
    Quit,
}

/// What the page is asked.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct QuitQuestion {
    wish: QuitTrigger,
    /// The titles of the runs that this process executes.
    runs: Vec<String>,
    /// The person would see Baton's sign in the tray.
    tray: bool,
}

/// What the person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QuitDecision {
    /// The window stays.
    Stay,
    /// The window goes, Baton goes on.
    Background,
    /// Baton ends; sessions live on.
    Quit,
}

/// Leaves, or asks first when runs go on here. Returns at once.
pub(crate) fn request_quit(app: &AppHandle, wish: QuitTrigger) {
    let is_awaiting_answer = app
        .state::<QuitPrompt>()
        .is_awaiting_answer
        .swap(true, Ordering::SeqCst);
    if is_awaiting_answer {
        return app.exit(0);
    }
    let app = app.clone();
    // A disk or the desktop may be slow; the window must not be.
    thread::spawn(move || {
        let runs = running_titles(&app);
        if runs.is_empty() {
            return app.exit(0);
        }
        if wish == QuitTrigger::Quit {
            open_requests::focus_window(&app);
        }
        let question = QuitQuestion {
            wish,
            runs,
            tray: tray::is_tray_available(),
        };
        if let Err(error) = app.emit(QUIT_REQUESTED, question) {
            tracing::warn!(%error, "the page could not be asked, so Baton ends");
            app.exit(0);
        }
    });
}

/// Does what the person decided.
#[tauri::command]
pub(crate) async fn decide_leaving(
    app: AppHandle,
    prompt: State<'_, QuitPrompt>,
    decision: QuitDecision,
) -> Result<(), baton_api::ApiError> {
    prompt.is_awaiting_answer.store(false, Ordering::SeqCst);
    match decision {
        QuitDecision::Stay => {}
        // Looking for the tray may take a while.
        QuitDecision::Background => drop(thread::spawn(move || hide_window(&app))),
        QuitDecision::Quit => app.exit(0),
    }
    Ok(())
}

/// The titles of the runs that this process executes; none while Baton is not open.
fn running_titles(app: &AppHandle) -> Vec<String> {
    let backend = app.state::<BackendHandle>();
    let overview = backend.get().and_then(|baton| overview::read(baton));
    overview
        .iter()
        .flat_map(overview::runs_here)
        .map(|open| open.title.clone())
        .collect()
}

/// Where no tray shows the way back, the window is only made small.
fn hide_window(app: &AppHandle) {
    let Some(window) = app.get_webview_window(crate::MAIN) else {
        return;
    };
    let hidden = if tray::is_tray_available() {
        window.hide()
    } else {
        window.minimize()
    };
    if let Err(error) = hidden {
        tracing::warn!(%error, "the window could not be put away");
    }
}
