//! Prints the summary of a run: how it ended, what failed, and what to do next.

use std::collections::BTreeMap;

use baton_agents::timeline::TimelineKind;
use baton_agents::{Stream, TimelineEntry};
use baton_api::wire::{
    AttemptRef, EvidenceView, NodeRunView, RunExecutorView, RunSummary, RunView,
};
use baton_model::duration::format_elapsed;
use baton_model::run::{PauseReason, SkipReason};
use baton_model::{NodeState, ProposalId, RunState, WorkTime};
use serde_json::json;

use super::event_formatter::EventFormatter;
use super::{decisions, error_handler};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::table::Cell;
use crate::{git_changes, plan_output};

/// Maximum number of nodes listed with their reasons.
const MAX_LISTED_NODES: usize = 20;

/// Returns the exit code for a run. If `is_strict`, unverified work counts as a failure.
pub(super) fn exit_code(view: &RunView, is_strict: bool) -> Exit {
    match exit_of(&view.summary.state) {
        Exit::Done if is_strict && unverified(view).next().is_some() => Exit::Failed,
        exit => exit,
    }
}

fn exit_of(state: &RunState) -> Exit {
    match state {
        RunState::Completed
        | RunState::Paused {
            reason: PauseReason::GoalReached,
        } => Exit::Done,
        RunState::Cancelled => Exit::Cancelled,
        RunState::Paused {
            reason:
                PauseReason::Asked
                | PauseReason::NotBegun
                | PauseReason::RolledBack
                | PauseReason::TakenOver,
        }
        | RunState::Running { .. }
        | RunState::Replanning { .. }
        | RunState::Stalled { .. }
        | RunState::Failed { .. } => Exit::Failed,
    }
}

/// Prints the run's summary, after this process has nothing left to do for it.
pub(super) fn print(
    client: &Client<'_>,
    view: &RunView,
    events: &EventFormatter,
    is_strict: bool,
) -> Result<(), Failure> {
    if !client.output.json {
        return print_text(client, view, events);
    }
    let mut data = to_json(view, is_strict);
    data["summary"]["decisions"] = json!(decisions::pending(client, &view.summary)?);
    client.output.json(&data)
}

fn to_json(view: &RunView, is_strict: bool) -> serde_json::Value {
    let summary = &view.summary;
    let row = |(node, reason): (&NodeRunView, String)| {
        let definition = view.plan.node(node.node);
        json!({ "node": definition.map(|node| node.slug.as_str()), "title": definition.map(|node| &node.title),
                "state": node.state.as_str(), "reason": reason, "session": node.session,
                "workedMs": node.times.worked_ms, "waitedMs": node.times.waited_ms, "elapsedMs": node.times.elapsed_ms })
    };
    let (failures, skipped) = (
        failed_nodes(view).map(row),
        tolerated_failures(view).map(row),
    );
    json!({ "summary": {
        "run": summary.id, "plan": summary.plan, "title": summary.title, "state": summary.state.as_str(),
        "message": message(summary), "proposal": proposal(summary), "nodes": counts(view), "durationMs": duration_ms(view),
        "elapsedMs": duration_ms(view), "workedMs": worked_ms(view),
        "failures": failures.collect::<Vec<_>>(), "skippedFailures": skipped.collect::<Vec<_>>(), "exitCode": exit_code(view, is_strict).code(),
        "unverified": unverified(view).count(), "notChecked": not_checked(view),
    }})
}

fn print_text(client: &Client<'_>, view: &RunView, events: &EventFormatter) -> Result<(), Failure> {
    let output = client.output;
    let summary = RunSummary {
        attendance: RunExecutorView::Here,
        ..view.summary.clone()
    };
    let Cell(status, tone) = plan_output::run_status(&summary);
    let counts: Vec<_> = counts(view)
        .iter()
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    let title = style::one_line(&view.summary.title);
    output.line(&format!(
        "{title}: {} in {}, {}{}",
        output.paint(&status, tone),
        format_elapsed(duration_ms(view)),
        counts.join(", "),
        describe_unverified(view),
    ))?;
    if let Some(message) = message(&view.summary).filter(|_| !summary.state.stopped_at_goal()) {
        output.line(&style::one_line(&message))?;
    }
    for line in error_handler::lines(view) {
        output.line(&line)?;
    }
    for (node, reason) in failed_nodes(view).take(MAX_LISTED_NODES) {
        let name = view.plan.node(node.node).map_or("", |node| &node.title);
        let hint = node
            .session
            .map(|session| format!(" (output: baton session show {session})"))
            .unwrap_or_default();
        let mark = output.paint("✗", Tone::Bad);
        output.line(&format!(
            "  {mark} {}: {}{hint}",
            style::one_line(name),
            style::one_line(&reason)
        ))?;
        for line in describe_evidence(client, view, node, events) {
            output.line(&format!("    {}", style::one_line(&line)))?;
        }
    }
    for (node, reason) in tolerated_failures(view).take(MAX_LISTED_NODES) {
        let name = view.plan.node(node.node).map_or("", |node| &node.title);
        let mark = output.paint("–", Tone::Attention);
        let reason = style::one_line(&reason);
        output.line(&format!(
            "  {mark} {}: {reason}; the run continued without it",
            style::one_line(name)
        ))?;
    }
    for node in unverified(view).take(MAX_LISTED_NODES) {
        let (name, slug) = view
            .plan
            .node(node.node)
            .map_or(("", ""), |node| (node.title.as_str(), node.slug.as_str()));
        let mark = output.paint("!", Tone::Attention);
        let hint = format!("(evidence: baton artifact show {} {slug})", events.id());
        output.line(&format!(
            "  {mark} {}: unverified {hint}",
            style::one_line(name)
        ))?;
        for line in describe_evidence(client, view, node, events) {
            output.line(&format!("    {}", style::one_line(&line)))?;
        }
    }
    let decisions = decisions::pending(client, &view.summary)?;
    if !decisions.is_empty() {
        return decisions::print(client, &decisions);
    }
    let hint = |action: &str| output.line(&format!("{action} with: baton resume {}", events.id()));
    match &view.summary.state {
        RunState::Running { .. } if is_elsewhere(&view.summary) => Ok(()),
        state if state.stopped_at_goal() => hint("Run the remaining nodes"),
        RunState::Paused { .. } | RunState::Running { .. } | RunState::Stalled { .. } => {
            hint("Resume")
        }
        RunState::Failed { .. } => {
            match failed_nodes(view).find_map(|(node, _)| view.plan.node(node.node)) {
                Some(node) => output.line(&format!(
                    "Retry with: baton node retry {} {}",
                    events.id(),
                    node.slug
                )),
                None => Ok(()),
            }
        }
        RunState::Replanning { proposal, .. } => {
            output.line(&format!(
                "A new version of the plan is waiting for you: baton proposal show {proposal}"
            ))?;
            output.line(&format!(
                "Accept it and resume with: baton proposal accept {proposal} --resume"
            ))
        }
        RunState::Completed | RunState::Cancelled => Ok(()),
    }
}

/// Describes what concurrent nodes have to do with a node's failure, and whether it changed git
/// settings or hooks. Empty if the evidence can't be loaded.
fn describe_evidence(
    client: &Client<'_>,
    view: &RunView,
    node: &NodeRunView,
    events: &EventFormatter,
) -> Vec<String> {
    let attempt = AttemptRef {
        run: view.summary.id,
        node: node.node,
        attempt: Some(node.attempt),
    };
    let Ok(known) = client.try_ask::<_, EvidenceView>("evidence_get", &attempt) else {
        return Vec::new();
    };
    let slug = view
        .plan
        .node(node.node)
        .map_or("", |node| node.slug.as_str());
    let git = git_changes::changes_hint(&known, &events.id().to_string(), slug);
    let collision = known
        .evidence
        .and_then(|evidence| evidence.ending?.collision)
        .map(|collision| collision.to_string());
    collision.into_iter().chain(git).collect()
}

/// Returns the nodes that are done but unverified.
fn unverified(view: &RunView) -> impl Iterator<Item = &NodeRunView> {
    view.nodes
        .iter()
        .filter(|node| node.unverified && matches!(node.state, NodeState::Done { .. }))
}

fn not_checked(view: &RunView) -> usize {
    view.nodes
        .iter()
        .filter(|node| node.not_checked && !node.unverified)
        .count()
}

/// Counts the done nodes without full verification: `, 2 unverified, 1 not checked`.
fn describe_unverified(view: &RunView) -> String {
    let counted = [
        (unverified(view).count(), "unverified"),
        (not_checked(view), "not checked"),
    ];
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    counted
        .map(|(count, label)| format!(", {count} {label}"))
        .collect()
}

fn message(run: &RunSummary) -> Option<String> {
    match (&run.state, run.attendance) {
        (RunState::Stalled { message } | RunState::Failed { message, .. }, _) => {
            Some(message.clone())
        }
        (RunState::Replanning { before, .. }, _) => Some(before.message().to_owned()),
        (state, _) if state.stopped_at_goal() => Some(plan_output::run_status(run).0),
        (RunState::Running { .. }, RunExecutorView::Elsewhere { pid, .. }) => {
            Some(format!("process {pid} has taken over the run"))
        }
        (RunState::Running { .. }, _) => {
            Some("execution stopped because of an internal error; see the log".to_owned())
        }
        _ => None,
    }
}

/// Returns the proposal that the run waits for.
fn proposal(run: &RunSummary) -> Option<ProposalId> {
    match &run.state {
        RunState::Replanning { proposal, .. } => Some(*proposal),
        _ => None,
    }
}

fn is_elsewhere(run: &RunSummary) -> bool {
    matches!(run.attendance, RunExecutorView::Elsewhere { .. })
}

fn duration_ms(view: &RunView) -> u64 {
    let rest = view.nodes.iter().filter_map(|node| node.ended_at).max();
    let end = view
        .summary
        .ended_at
        .or(rest)
        .unwrap_or(view.summary.started_at);
    end.ms_since(view.summary.started_at)
}

/// How long all nodes worked together; `None` if unknown.
fn worked_ms(view: &RunView) -> Option<u64> {
    WorkTime::total_worked_ms(view.nodes.iter().map(|node| node.times))
}

fn counts(view: &RunView) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for node in &view.nodes {
        *counts.entry(node.state.as_str()).or_insert(0) += 1;
    }
    counts
}

fn failed_nodes(view: &RunView) -> impl Iterator<Item = (&NodeRunView, String)> {
    view.nodes.iter().filter_map(|node| match &node.state {
        NodeState::Failed { failure, .. } => Some((node, failure.to_string())),
        NodeState::Interrupted { detail } => Some((node, format!("was interrupted: {detail}"))),
        _ => None,
    })
}

/// Returns the failed nodes that the run continued without, with the failures.
fn tolerated_failures(view: &RunView) -> impl Iterator<Item = (&NodeRunView, String)> {
    view.nodes.iter().filter_map(|node| match &node.state {
        NodeState::Skipped {
            reason: SkipReason::AfterFailure { failure },
        } => Some((node, failure.to_string())),
        _ => None,
    })
}

/// Returns the last line of standard error, or of any output or error if standard error is empty.
pub(super) fn last_line(entries: &[TimelineEntry]) -> Option<String> {
    let last = |of: fn(&TimelineKind) -> Option<&str>| {
        let text = entries
            .iter()
            .rev()
            .find_map(|entry| of(&entry.kind).filter(|text| !text.trim().is_empty()));
        text.and_then(|text| text.trim_end().lines().next_back())
            .map(str::to_owned)
    };
    last(|kind| match kind {
        TimelineKind::Output {
            stream: Stream::Stderr,
            text,
            ..
        } => Some(text),
        _ => None,
    })
    .or_else(|| {
        last(|kind| match kind {
            TimelineKind::Output { text, .. } | TimelineKind::Error { text } => Some(text),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use baton_agents::timeline::Position;

    fn output(stream: Stream, text: &str) -> TimelineEntry {
        let at = Position {
            stream,
            offset: 0,
            at_ms: None,
        };
        let kind = TimelineKind::Output {
            stream,
            text: text.to_owned(),
            styles: Vec::new(),
        };
        TimelineEntry {
            seq: 0,
            at,
            parent: None,
            left_out_bytes: 0,
            kind,
        }
    }

    #[test]
    fn stderr_is_preferred_over_stdout() {
        let entries = [
            output(Stream::Stderr, "first\nno such file\n\n"),
            output(Stream::Stdout, "more output\n"),
        ];
        assert_eq!(last_line(&entries).as_deref(), Some("no such file"));
        assert_eq!(last_line(&entries[1..]).as_deref(), Some("more output"));
        assert_eq!(last_line(&[]), None);
    }

    #[test]
    fn every_final_state_has_its_exit_code() {
        let message = String::new;
        let table = [
            (RunState::Completed, 0),
            (
                RunState::Paused {
                    reason: PauseReason::GoalReached,
                },
                0,
            ),
            (
                RunState::Paused {
                    reason: PauseReason::Asked,
                },
                1,
            ),
            (
                RunState::Paused {
                    reason: PauseReason::TakenOver,
                },
                1,
            ),
            (
                RunState::Failed {
                    message: message(),
                    handler: None,
                },
                1,
            ),
            (RunState::Stalled { message: message() }, 1),
            (RunState::Running { ending: None }, 1),
            (RunState::Cancelled, 130),
        ];
        for (state, code) in table {
            assert_eq!(exit_of(&state).code(), code, "{state:?}");
        }
    }
}
