//! Opens the data folder in the desktop's file manager.

use std::path::PathBuf;

use baton_api::{ApiError, Code, umask};

/// Opens the data folder. It takes no path, so that the page can't open any other folder.
#[tauri::command]
pub(crate) async fn open_data_folder() -> Result<(), ApiError> {
    let directory = baton_api::default_data_directory().map_err(|error| {
        ApiError::new(
            Code::Unavailable,
            format!("Couldn't find the data directory: {error}."),
        )
    })?;
    // Finding the file manager reads the disk.
    let work = tauri::async_runtime::spawn_blocking(move || show(directory));
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

fn show(directory: PathBuf) -> Result<(), ApiError> {
    umask::with_original(|| open::that_detached(&directory)).map_err(|error| {
        tracing::warn!(%error, "couldn't open the data folder");
        let message = format!(
            "Couldn't open '{}': {error}. Copy its path instead.",
            directory.display()
        );
        ApiError::new(Code::Unavailable, message)
    })
}
