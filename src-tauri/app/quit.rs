//! Handles closing the window and quitting Baton while runs are in progress, or programs run in
//! terminals.
//!
//! The page asks the person, because it knows the remembered choice. In case the page is broken, a
//! second attempt to close while the question is open quits without asking.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Emitter, Manager, State};

use crate::backend_handle::BackendHandle;
use crate::{open_requests, overview, tray};

/// The event that the page listens for.
const QUIT_REQUESTED: &str = "baton-leaving";

/// Set while the page is showing the question.
#[derive(Default)]
pub(crate) struct QuitPrompt {
    is_awaiting_answer: AtomicBool,
}

/// What the person asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QuitTrigger {
    Close,
    /// Quit Baton from the tray.
    Quit,
}

/// The payload of [`QUIT_REQUESTED`].
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct QuitQuestion {
    wish: QuitTrigger,
    /// The titles of the runs that this process executes.
    runs: Vec<String>,
    /// The programs that run in terminals, which end with this process.
    programs: Vec<String>,
    /// True if the desktop shows the tray icon.
    tray: bool,
}

/// The person's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QuitDecision {
    Stay,
    /// Close the window and keep Baton running.
    Background,
    /// Quit Baton. Sessions keep running.
    Quit,
}

/// Quits immediately when no run is executed here and no program runs in a terminal; otherwise asks
/// first. Never blocks.
pub(crate) fn request_quit(app: &AppHandle, wish: QuitTrigger) {
    let is_awaiting_answer = app
        .state::<QuitPrompt>()
        .is_awaiting_answer
        .swap(true, Ordering::SeqCst);
    if is_awaiting_answer {
        return app.exit(0);
    }
    let app = app.clone();
    // The disk or the desktop may be slow, and must not block the window.
    thread::spawn(move || {
        let (runs, programs) = (running_titles(&app), programs_in_terminals(&app));
        if runs.is_empty() && programs.is_empty() {
            return app.exit(0);
        }
        if wish == QuitTrigger::Quit {
            open_requests::focus_window(&app);
        }
        let question = QuitQuestion {
            wish,
            runs,
            programs,
            tray: tray::is_tray_available(),
        };
        if let Err(error) = app.emit(QUIT_REQUESTED, question) {
            tracing::warn!(%error, "couldn't ask the page, quitting");
            app.exit(0);
        }
    });
}

/// Applies the person's answer.
#[tauri::command]
pub(crate) async fn decide_leaving(
    app: AppHandle,
    prompt: State<'_, QuitPrompt>,
    decision: QuitDecision,
) -> Result<(), baton_api::ApiError> {
    prompt.is_awaiting_answer.store(false, Ordering::SeqCst);
    match decision {
        QuitDecision::Stay => {}
        // Checking for the tray may take a while.
        QuitDecision::Background => drop(thread::spawn(move || hide_window(&app))),
        QuitDecision::Quit => app.exit(0),
    }
    Ok(())
}

/// Returns the titles of the runs that this process executes; empty until the backend is open.
fn running_titles(app: &AppHandle) -> Vec<String> {
    let backend = app.state::<BackendHandle>();
    let overview = backend.get().and_then(|baton| overview::read(baton));
    overview
        .iter()
        .flat_map(overview::runs_here)
        .map(|open| open.title.clone())
        .collect()
}

fn programs_in_terminals(app: &AppHandle) -> Vec<String> {
    let backend = app.state::<BackendHandle>();
    let opened = backend.get();
    opened.map_or_else(Vec::new, |baton| baton.programs_in_terminals())
}

/// Hides the window, or minimizes it if no tray icon can bring it back.
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
        tracing::warn!(%error, "couldn't hide the window");
    }
}
