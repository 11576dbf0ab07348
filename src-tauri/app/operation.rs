//! The one command of the page.

use baton_api::{ApiError, Code};
use serde_json::Value;
use tauri::State;

use crate::door::Door;

/// Carries out the operation `name`.
///
/// Inputs are not logged: prompts and environments may hold secrets.
#[tauri::command]
pub(crate) async fn operation(
    door: State<'_, Door>,
    name: String,
    input: Value,
) -> Result<Value, ApiError> {
    let door = door.inner().clone();
    // An operation may wait for a disk or another process; the window must not.
    let work =
        tauri::async_runtime::spawn_blocking(move || baton_api::call(door.app()?, &name, input));
    work.await.unwrap_or_else(|error| {
        tracing::error!(%error, "an operation did not come to its end");
        Err(ApiError::new(
            Code::Internal,
            "Baton failed at this; its log tells more",
        ))
    })
}
