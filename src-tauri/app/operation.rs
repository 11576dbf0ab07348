//! The command through which the page calls the backend's operations.

use baton_api::{ApiError, Code};
use serde_json::Value;
use tauri::State;

use crate::backend_handle::BackendHandle;

/// Calls the operation `name`.
///
/// Inputs are not logged: prompts and environments may hold secrets.
#[tauri::command]
pub(crate) async fn operation(
    backend: State<'_, BackendHandle>,
    name: String,
    input: Value,
) -> Result<Value, ApiError> {
    let backend = backend.inner().clone();
    // An operation may wait for a disk or another process, and must not block the window.
    let work = tauri::async_runtime::spawn_blocking(move || {
        baton_api::call(backend.get_or_open()?, &name, input)
    });
    work.await.unwrap_or_else(|error| {
        tracing::error!(%error, "an operation panicked");
        Err(ApiError::new(
            Code::Internal,
            "Internal error. See Baton's log for details.",
        ))
    })
}
