//! Remembers the window's position, size and whether it is maximized or fullscreen.

use std::path::Path;

use tauri::Wry;
use tauri::plugin::TauriPlugin;
use tauri_plugin_window_state::{Builder, StateFlags};

/// Relative to the data directory.
const WINDOW_STATE_FILE: &str = "window.json";

/// Restores the window's state when it opens and saves it when Baton quits. The desktop places the
/// window if its saved position is on a screen that no longer exists.
pub(crate) fn plugin(data_directory: Option<&Path>) -> TauriPlugin<Wry> {
    // Visibility isn't saved: a hidden window is shown again on the next start.
    let kept =
        StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN;
    let builder = Builder::default().with_state_flags(kept);
    match data_directory {
        Some(directory) => builder
            .with_filename(directory.join(WINDOW_STATE_FILE).to_string_lossy())
            .build(),
        None => builder.build(),
    }
}
