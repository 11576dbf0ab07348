//! What is known about a run, for the description of its pull request.

use std::collections::HashMap;
use std::path::Path;

use baton_engine::{read_summary, session_folder};
use baton_formats::pull_request::{NodeEnd, NodeFacts, RunFacts};
use baton_model::evidence::Evidence;
use baton_model::run::NodeRun;
use baton_model::visible_text::visible_line;
use baton_model::{Isolation, Node, NodeId, NodeKind, NodeState, Run};

use crate::{ApiError, App, Code};

/// The facts of `run`: its nodes that did something, with their summaries and checks.
pub(super) fn of_run(app: &App, run: &Run) -> Result<RunFacts, ApiError> {
    let row = app.store.runs().get(run.id())?;
    let mut evidence = latest_evidence(app, run)?;
    let mut nodes = Vec::new();
    for (node, state) in run.nodes() {
        let Some(end) = end_of(state) else {
            continue;
        };
        let summary = match state.session {
            Some(session) => {
                let folder = session_folder(app.store.data_dir(), session);
                read_summary(&folder).map_err(|error| {
                    let message =
                        format!("the summary in {} can't be read: {error}", folder.display());
                    ApiError::new(Code::Unavailable, message)
                })?
            }
            None => None,
        };
        let known = evidence.remove(&node.id).unwrap_or_default();
        nodes.push(NodeFacts {
            title: node.title.clone(),
            end,
            summary: summary.map(|summary| summary.markdown),
            doubt: known.unverified_reason().map(|doubt| doubt.reason),
            checks: known.checks,
        });
    }
    Ok(RunFacts {
        title: run.plan().title.clone(),
        goal: Some(run.plan().description.clone()),
        number: row.number,
        nodes,
    })
}

/// The files that nodes without a worktree changed, relative to the plan's directory.
pub(super) fn shared_files(app: &App, run: &Run) -> Result<Vec<(NodeId, String)>, ApiError> {
    let mut files = Vec::new();
    for (id, row) in app.store.evidence().of_run(run.id())? {
        let Some(node) = run.plan().node(id) else {
            continue;
        };
        if node.isolation_in(&run.plan().settings) == Isolation::Worktree {
            continue;
        }
        if row.content.files.left_out > 0 {
            return Err(too_many_files(node));
        }
        let own = Path::new(directory_of(node));
        files.extend(
            row.content
                .files
                .paths_with_shared()
                .map(|file| (node.id, own.join(file).display().to_string())),
        );
    }
    Ok(files)
}

/// Evidence lists a limited number of files, and a pull request must not lack the others.
fn too_many_files(node: &Node) -> ApiError {
    let message = format!(
        "'{}' changed more files in the plan's directory than Baton lists",
        visible_line(&node.title)
    );
    ApiError::new(Code::Refused, message).with_fix("commit its changes yourself")
}

fn directory_of(node: &Node) -> &str {
    match &node.kind {
        NodeKind::Command(task) => task.cwd.as_deref().unwrap_or_default(),
        _ => "",
    }
}

fn latest_evidence(app: &App, run: &Run) -> Result<HashMap<NodeId, Evidence>, ApiError> {
    // The first attempt comes first, so the last one stays.
    let rows = app.store.evidence().of_run(run.id())?.into_iter();
    Ok(rows.map(|(node, row)| (node, row.content)).collect())
}

/// How a node ended; `None` if nothing happened to it.
fn end_of(run: &NodeRun) -> Option<NodeEnd> {
    Some(match &run.state {
        NodeState::Done { .. } if run.pinned.is_some() => NodeEnd::UsedPinnedOutput,
        NodeState::Done { by_hand: false } => NodeEnd::Done,
        NodeState::Done { by_hand: true } => NodeEnd::MarkedDone,
        NodeState::Failed { .. } | NodeState::Interrupted { .. } => NodeEnd::Failed,
        NodeState::Skipped { .. } => NodeEnd::Skipped,
        NodeState::Running | NodeState::Waiting { .. } => NodeEnd::Unfinished,
        NodeState::Pending | NodeState::Blocked { .. } => return None,
    })
}
