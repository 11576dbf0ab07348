//! The state of a run and its nodes, and its events.

use baton_api::ApiError;
use baton_api::wire::{HistoryRow, NodeRunView, NodeStatus, RunHistory};
use baton_model::run::WaitingFor;
use baton_model::{NodeState, RunState};

use crate::clip;
use crate::operations::ask;
use crate::page::Page;
use crate::tool::ToolContext;

use super::{LoadedRun, RunAnswer, RunGetArguments, run_url};

/// The longest row, in bytes.
const ROW_BYTES: usize = 160;
/// The longest text about the run, in bytes.
const MESSAGE_BYTES: usize = 600;
/// The most things that are listed as waiting for a person.
const MAX_WAITING: usize = 10;

/// What every answer says about the run.
pub(super) fn describe(run: &LoadedRun) -> RunAnswer {
    let summary = &run.all.summary;
    let mut answer = RunAnswer {
        run: run.id.to_string(),
        plan: summary.plan.to_string(),
        title: clip::line(&summary.title, ROW_BYTES),
        version: summary.version,
        state: summary.state.as_str().to_owned(),
        message: message(&summary.state).map(|text| clip::line(text, MESSAGE_BYTES)),
        seq: run.all.seq,
        url: run_url(summary.plan, run.id),
        ..RunAnswer::default()
    };
    for status in &summary.progress {
        let count = answer.counts.entry(status_name(*status).to_owned());
        *count.or_default() += 1;
    }
    let waiting = run.all.nodes.iter().filter_map(|node| waits_for(run, node));
    answer.waits_for = waiting.take(MAX_WAITING).collect();
    answer
}

fn message(state: &RunState) -> Option<&str> {
    match state {
        RunState::Stalled { message } | RunState::Failed { message, .. } => Some(message),
        _ => None,
    }
}

fn status_name(status: NodeStatus) -> &'static str {
    match status {
        NodeStatus::Pending => "pending",
        NodeStatus::Blocked => "blocked",
        NodeStatus::Waiting => "waiting",
        NodeStatus::Running => "running",
        NodeStatus::Done => "done",
        NodeStatus::Failed | NodeStatus::FailedSkipped => "failed",
        NodeStatus::Interrupted => "interrupted",
        NodeStatus::Skipped => "skipped",
    }
}

/// What a person has to answer for this node, if anything.
fn waits_for(run: &LoadedRun, view: &NodeRunView) -> Option<String> {
    let (kind, question) = match &view.state {
        NodeState::Waiting { what } => match what {
            WaitingFor::Approval { question } => ("approval", question.as_str()),
            WaitingFor::Input { question, .. } => ("answer", question.as_str()),
            WaitingFor::Person { question, .. } => ("permission", question.as_str()),
            WaitingFor::Merge { .. } => ("merge", "a conflict between its parents"),
            WaitingFor::Slot | WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. } => {
                return None;
            }
        },
        NodeState::Interrupted { detail } => ("decision", detail.as_str()),
        _ => return None,
    };
    let name = slug(run, view);
    Some(clip::line(
        &format!("{name}: {kind}: {question}"),
        ROW_BYTES,
    ))
}

fn slug<'a>(run: &'a LoadedRun, view: &NodeRunView) -> &'a str {
    run.plan
        .node(view.node)
        .map_or("?", |node| node.slug.as_str())
}

/// Adds the nodes, or those that changed since the caller's last answer.
pub(super) fn add_nodes(
    context: &ToolContext,
    run: &LoadedRun,
    input: &RunGetArguments,
    page: Page,
    answer: &mut RunAnswer,
) -> Result<(), ApiError> {
    let after = input.since.unwrap_or_default();
    let changed = match after {
        0 => None,
        after => Some(super::progress(context, run.id, after)?.nodes),
    };
    let nodes = changed.as_ref().unwrap_or(&run.all.nodes).iter();
    let named = nodes.filter(|view| {
        let name = input.node.as_deref();
        name.is_none_or(|name| slug(run, view) == name || view.node.to_string() == name)
    });
    let rows: Vec<_> = named.map(|view| node_row(run, view)).collect();
    answer.total = Some(rows.len());
    (answer.rows, answer.next_cursor) = page.cut(rows);
    Ok(())
}

fn node_row(run: &LoadedRun, view: &NodeRunView) -> String {
    let state = view.state.as_str();
    let attempt = Some(view.attempt.0).filter(|attempt| *attempt > 1);
    let attempt = attempt.map(|attempt| format!(", attempt {attempt}"));
    let attempt = attempt.unwrap_or_default();
    let mut text = format!("{} {state}{attempt}", slug(run, view));
    if view.unverified {
        text.push_str(", unverified");
    }
    if view.artifact.is_some() {
        text.push_str(", handoff");
    }
    let detail = match &view.state {
        NodeState::Failed { failure, .. } => Some(failure.to_string()),
        NodeState::Interrupted { detail } => Some(detail.clone()),
        _ => view.activity.clone(),
    };
    text.extend(detail.map(|detail| format!(": {detail}")));
    clip::line(&text, ROW_BYTES)
}

/// Adds events after the caller's last one, oldest first.
pub(super) fn add_events(
    context: &ToolContext,
    run: &LoadedRun,
    input: &RunGetArguments,
    page: Page,
    answer: &mut RunAnswer,
) -> Result<(), ApiError> {
    let after = input.since.unwrap_or_default();
    let skipped = after.saturating_add(page.start() as u64);
    let history = RunHistory {
        run: run.id,
        after: skipped,
        limit: u32::try_from(page.limit()).unwrap_or(u32::MAX),
    };
    let rows: Vec<HistoryRow> = ask(&*context.operations, "run_history", history)?;
    let total = usize::try_from(run.all.seq.saturating_sub(after)).unwrap_or(usize::MAX);
    let line = |row: HistoryRow| clip::line(&format!("{} {}", row.seq, row.sentence), ROW_BYTES);
    answer.rows = rows.into_iter().map(line).collect();
    answer.total = Some(total);
    answer.next_cursor = page.next(total);
    Ok(())
}
