//! What an error handler receives about the failure: the same for agents and commands, in the form
//! of a handoff.

use baton_engine::{RunSnapshot, failure_of};
use baton_model::run::Section;
use baton_model::{Node, NodeId, NodeState, Plan, RunState};
use baton_store::{NodeStateRow, RunRow};

use crate::plan_versions::plan_version;
use crate::{Context, PlanningError, RefusalReason};

use baton_model::artifact::truncate;
use std::collections::HashMap;

/// The most nodes with a section of their own.
const MAX_REPORTED_NODES: usize = 20;
/// The most nodes that a list names.
const MAX_LISTED_NODES: usize = 50;
/// The most bytes of one node's report.
const REPORT_LIMIT: usize = 8 * 1024;

/// The sections about the failed run.
pub(super) fn of(context: &Context, row: &RunRow) -> Result<Vec<Section>, PlanningError> {
    let plan = plan_version(context, row.plan, row.version)?;
    let states: HashMap<NodeId, NodeStateRow> = context
        .store
        .node_states()
        .list(row.id)?
        .into_iter()
        .map(|row| (row.node, row))
        .collect();
    let graph = plan
        .graph()
        .map_err(|cycle| PlanningError::new(RefusalReason::Internal, cycle.to_string()))?;
    let state = |node: NodeId| states.get(&node).map(|row| &row.state);
    let snapshot = RunSnapshot {
        store: &context.store,
        run: row.id,
        plan: &plan,
        graph: &graph,
        state: &state,
    };
    let failed: Vec<&Node> = nodes_in(&plan, &state, has_failed);
    let mut sections = vec![overview(context, row, &plan, &failed, &state)];
    for node in failed.iter().take(MAX_REPORTED_NODES) {
        if let Some(report) = failure_of(&snapshot, node.id)? {
            sections.push(Section {
                heading: format!("What failed: {}", one_line(&node.title)),
                text: truncate(&report.body(), REPORT_LIMIT).into_owned(),
            });
        }
    }
    Ok(sections)
}

fn overview<'a>(
    context: &Context,
    row: &RunRow,
    plan: &Plan,
    failed: &[&Node],
    state: &dyn Fn(NodeId) -> Option<&'a NodeState>,
) -> Section {
    let message = match &row.state {
        RunState::Failed { message, .. } => message.as_str(),
        _ => "",
    };
    let not_started = nodes_in(plan, state, is_not_started);
    let mut lines = vec![
        format!("- Plan: {}", one_line(&plan.title)),
        format!("- Run: #{} (version {})", row.number, row.version),
        format!("- Run ID: {}", row.id),
        format!("- Address: baton://blueprints/{}/runs/{}", row.plan, row.id),
        format!("- Directory: {}", plan.cwd.as_deref().unwrap_or("none")),
    ];
    let worktrees = baton_engine::run_worktrees(context.data_directory(), row.id);
    if worktrees.is_dir() {
        lines.push(format!("- Worktrees: {}", worktrees.display()));
    }
    lines.push(format!("- Failure: {}", one_line(message)));
    lines.push(format!("- Failed nodes: {}", listed(failed)));
    lines.push(format!("- Not started: {}", listed(&not_started)));
    let left_out = failed.len().saturating_sub(MAX_REPORTED_NODES);
    if left_out > 0 {
        lines.push(format!(
            "- {left_out} more failed nodes are left out below. See them with: baton runs show {}",
            row.id
        ));
    }
    Section {
        heading: format!("Run #{} of {} failed", row.number, one_line(&plan.title)),
        text: lines.join("\n"),
    }
}

fn nodes_in<'p, 'a>(
    plan: &'p Plan,
    state: &dyn Fn(NodeId) -> Option<&'a NodeState>,
    which: fn(&NodeState) -> bool,
) -> Vec<&'p Node> {
    let nodes = plan.nodes.iter();
    nodes
        .filter(|node| state(node.id).is_some_and(which))
        .collect()
}

fn has_failed(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Failed {
            went_on_at: None,
            ..
        } | NodeState::Interrupted { .. }
    )
}

fn is_not_started(state: &NodeState) -> bool {
    matches!(state, NodeState::Blocked { .. } | NodeState::Pending)
}

fn listed(nodes: &[&Node]) -> String {
    let shown = nodes.iter().take(MAX_LISTED_NODES);
    let mut names: Vec<String> = shown.map(|node| node.slug.to_string()).collect();
    let left_out = nodes.len().saturating_sub(MAX_LISTED_NODES);
    if left_out > 0 {
        names.push(format!("and {left_out} more"));
    }
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// A title or message can't begin another line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
