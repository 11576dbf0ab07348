//! One window per data directory: a second start passes its arguments to the first and exits.

use std::path::Path;

use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};
use uuid::Uuid;

use crate::open_requests;

/// The identifier by which instances find each other, as in `tauri.conf.json`.
const APP_ID: &str = "dev.baton.desktop";

/// Passes a second instance's arguments to the first. Without a session bus, each start opens its
/// own window.
pub(crate) fn plugin(data_directory: Option<&Path>) -> TauriPlugin<Wry> {
    tauri_plugin_single_instance::Builder::new()
        .dbus_id(dbus_id(data_directory))
        .callback(|app: &AppHandle, arguments, folder| {
            open_requests::queue_arguments(app, &arguments, Path::new(&folder));
            open_requests::focus_window(app);
        })
        .build()
}

/// Each data directory has its own id, so that windows on different ones can run side by side.
fn dbus_id(data_directory: Option<&Path>) -> String {
    let Some(directory) = data_directory else {
        return APP_ID.to_owned();
    };
    let address = directory
        .canonicalize()
        .unwrap_or_else(|_| directory.to_owned());
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, address.as_os_str().as_encoded_bytes());
    // An element of a bus name must not begin with a digit.
    format!("{APP_ID}.d{}", id.simple())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dbus_id_is_stable_for_a_data_directory() -> std::io::Result<()> {
        let (one, other) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let roundabout = one
            .path()
            .join("..")
            .join(one.path().file_name().unwrap_or_default());
        assert_eq!(dbus_id(Some(one.path())), dbus_id(Some(&roundabout)));
        assert_ne!(dbus_id(Some(one.path())), dbus_id(Some(other.path())));
        Ok(())
    }
}
