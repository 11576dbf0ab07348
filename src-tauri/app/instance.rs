//! One window for each data directory: a second start hands its words to the first one and ends.

use std::path::Path;

use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};
use uuid::Uuid;

use crate::entrance;

/// The name by which instances find each other, as in `tauri.conf.json`.
const NAME: &str = "dev.baton.desktop";

/// Lets the second instance speak to the first. Without a session bus each start is a window of its own.
pub(crate) fn only(data_directory: Option<&Path>) -> TauriPlugin<Wry> {
    tauri_plugin_single_instance::Builder::new()
        .dbus_id(name(data_directory))
        .callback(|app: &AppHandle, words, folder| {
            entrance::let_in(app, &words, Path::new(&folder));
            entrance::come_forward(app);
        })
        .build()
}

/// Two data directories are two Batons, which may be open side by side.
fn name(data_directory: Option<&Path>) -> String {
    let Some(directory) = data_directory else {
        return NAME.to_owned();
    };
    let address = directory
        .canonicalize()
        .unwrap_or_else(|_| directory.to_owned());
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, address.as_os_str().as_encoded_bytes());
    // A part of a bus name begins with a letter.
    format!("{NAME}.d{}", id.simple())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_directory_has_one_name_however_it_is_written() -> std::io::Result<()> {
        let (one, other) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let roundabout = one
            .path()
            .join("..")
            .join(one.path().file_name().unwrap_or_default());
        assert_eq!(name(Some(one.path())), name(Some(&roundabout)));
        assert_ne!(name(Some(one.path())), name(Some(other.path())));
        Ok(())
    }
}
