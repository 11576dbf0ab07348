//! The files with the raw output of sessions. They can have any size, so no operation returns them.

use baton_agents::Stream;
use baton_model::SessionId;
use baton_planning::files::{self, RawOutput};
use serde_json::json;

use crate::{ApiError, App, admission, operations};

/// Opens the raw output of a session, for an actor who may read the session.
pub fn open_raw_output(
    app: &App,
    session: SessionId,
    stream: Stream,
) -> Result<RawOutput, ApiError> {
    let operation = operations::find("session_get")?;
    admission::require(app, operation, &json!({ "session": session }))?;
    Ok(files::open_raw_output(app.context(), session, stream)?)
}
