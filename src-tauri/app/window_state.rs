//! Where the window stands, how large it is, and whether it fills the screen: as the person left it.

use std::path::Path;

use tauri::Wry;
use tauri::plugin::TauriPlugin;
use tauri_plugin_window_state::{Builder, StateFlags};

/// Its file in the data directory.
const WINDOW_STATE_FILE: &str = "window.json";

/// Restores the window's place when it opens and keeps it when Baton ends. A place on a screen that is gone is left
/// to the desktop.
pub(crate) fn plugin(data_directory: Option<&Path>) -> TauriPlugin<Wry> {
    // Not whether it is visible: a window that was put away comes back when Baton starts.
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
