//! The folder of Baton's data, shown by the desktop's own program for files.

use std::path::PathBuf;

use baton_api::{ApiError, Code, umask};

/// Shows the folder. The page names no path, so that this one is all that it can have opened.
#[tauri::command]
pub(crate) async fn open_data_folder() -> Result<(), ApiError> {
    let directory = baton_api::default_data_directory().map_err(|error| {
        ApiError::new(
            Code::Unavailable,
            format!("The data folder is not known: {error}."),
        )
    })?;
    // Which program it is, is looked for on the disk.
    let work = tauri::async_runtime::spawn_blocking(move || show(directory));
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

fn show(directory: PathBuf) -> Result<(), ApiError> {
    umask::with_original(|| open::that_detached(&directory)).map_err(|error| {
        tracing::warn!(%error, "the data folder could not be shown");
        let message = format!(
            "No program shows '{}': {error}. Copy its path instead.",
            directory.display()
        );
        ApiError::new(Code::Unavailable, message)
    })
}
