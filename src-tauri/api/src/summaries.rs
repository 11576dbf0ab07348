//! Operations on the summaries that nodes write for people.

use baton_engine::{NodeSummary, read_summary, session_folder};
use baton_model::{Attempt, NodeId, Plan};

use crate::wire::*;
use crate::{ApiError, App, Code, run_lookup};

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

/// The most summaries of a run that are returned, and the most bytes of each.
const MAX_SUMMARIES: usize = 100;
const MAX_BYTES: usize = 16 * 1024;

/// Returns the summaries of the latest attempts of a run's nodes. A summary that can't be read is
/// left out here: its node says why.
pub(crate) fn of_run(app: &App, input: RunRef) -> Result<RunSummariesView, ApiError> {
    let plan = run_lookup::plan_of_run(app, input.run)?;
    let states = run_lookup::node_states(app, input.run)?;
    let mut written = reading_order(&plan).into_iter().filter_map(|node| {
        let state = states.get(&node)?;
        let folder = session_folder(app.store.data_dir(), state.session?);
        let summary = read_summary(&folder).ok()??;
        let is_empty = summary.markdown.trim().is_empty();
        (!is_empty).then(|| beginning(node, state.attempt, summary))
    });
    let summaries = written.by_ref().take(MAX_SUMMARIES).collect();
    Ok(RunSummariesView {
        summaries,
        left_out: u32::try_from(written.count()).unwrap_or(u32::MAX),
    })
}

fn reading_order(plan: &Plan) -> Vec<NodeId> {
    match plan.graph() {
        Ok(graph) => graph
            .reading_order()
            .into_iter()
            .map(|number| graph.id(number))
            .collect(),
        // A run of such a plan can't start.
        Err(_) => Vec::new(),
    }
}

fn beginning(node: NodeId, attempt: Attempt, summary: NodeSummary) -> NodeSummaryView {
    let mut markdown = summary.markdown;
    let cut = summary.cut || markdown.len() > MAX_BYTES;
    markdown.truncate(markdown.floor_char_boundary(MAX_BYTES));
    NodeSummaryView {
        node,
        attempt,
        markdown,
        cut,
    }
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
