//! Operations on the summaries that nodes write for people.

use baton_engine::{NodeSummary, read_summary, session_folder};
use baton_model::Attempt;

use crate::wire::*;
use crate::{ApiError, App, Code};

/// Returns the summary of an attempt, which is empty if it wrote none.
pub(crate) fn get(app: &App, input: AttemptRef) -> Result<SummaryView, ApiError> {
    let attempts = app.store.attempts().list(input.run, input.node)?;
    let row = attempts
        .iter()
        .rfind(|row| input.attempt.is_none_or(|wanted| row.attempt == wanted))
        .ok_or_else(|| ApiError::new(Code::NotFound, "the node has no such attempt"))?;
    let folder = session_folder(app.store.data_dir(), row.session);
    let summary = read_summary(&folder).map_err(|error| {
        let message = format!("the summary in {} can't be read: {error}", folder.display());
        ApiError::new(Code::Unavailable, message)
    })?;
    Ok(view(row.attempt, summary))
}

fn view(attempt: Attempt, summary: Option<NodeSummary>) -> SummaryView {
    let summary = summary.unwrap_or_default();
    SummaryView {
        attempt,
        markdown: summary.markdown,
        bytes: summary.bytes,
        cut: summary.cut,
    }
}
