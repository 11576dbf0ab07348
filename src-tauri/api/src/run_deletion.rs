//! Deletes ended runs.

use baton_planning::run_deletion;

use crate::wire::*;
use crate::{ApiError, App, Code};

/// Maximum number of runs in one call.
const MAX_RUNS: usize = 500;

/// Deletes the runs that nothing needs any more, and reports why others stay.
pub(crate) fn delete(app: &App, input: RunsDelete) -> Result<RunsDeleted, ApiError> {
    if input.runs.len() > MAX_RUNS {
        let message = format!("at most {MAX_RUNS} runs can be deleted at once");
        return Err(ApiError::new(Code::BadInput, message).with_fix("select fewer runs"));
    }
    let done = run_deletion::delete(app.context(), &input.runs)?;
    let refused = done
        .refused
        .into_iter()
        .map(|(run, error)| RunDeleteRefusal {
            run,
            error: error.into(),
        });
    Ok(RunsDeleted {
        deleted: done.deleted,
        refused: refused.collect(),
    })
}
