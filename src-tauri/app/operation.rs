//! The one command of the page.

use baton_api::{ApiError, Code};
use serde_json::Value;
use tauri::State;

use crate::backend_handle::BackendHandle;

/// Carries out the operation `name`.
///
/// Inputs are not logged: prompts and environments may hold secrets.
#[tauri::command]
pub(crate) async fn operation(
    backend: State<'_, BackendHandle>,
    name: String,
    input: Value,
) -> Result<Value, ApiError> {
    let backend = backend.inner().clone();
    // An operation may wait for a disk or another process; the window must not.
    let work = tauri::async_runtime::spawn_blocking(move || {
        baton_api::call(backend.get_or_open()?, &name, input)
    });
    work.await.unwrap_or_else(|error| {
        tracing::error!(%error, "an operation did not come to its end");
        Err(ApiError::new(
            Code::Internal,
            "Baton failed at this; its log tells more",
        ))
    })
}
