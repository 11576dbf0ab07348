//! Events and outcomes as text, shared by the window, the shell, and exports.

use baton_model::count::format_quantity;
use baton_model::duration::{format_duration, format_elapsed};
use baton_model::outcome::Failure;
use baton_model::plan::EffectiveSettings;
use baton_model::run::{
    AfterStop, Answer, AnsweredBy, BudgetUsage, Conflict, Event, Goal, ReplanEnd, Resolution,
    SkipReason, UnlistedToolCall,
};
use baton_model::{Grant, NodeId, Outcome, Plan};

use crate::node_names::Nodes;
use crate::{error_handlers, takeover_text};

/// The limits of a run, from the plan and the settings at its start.
fn describe_limits(limit: u32, settings: &EffectiveSettings) -> String {
    let nodes = format_quantity(limit, "node", "nodes");
    let time = settings
        .timeout_ms
        .map(|limit| format!(", time limit {}", format_duration(limit)))
        .unwrap_or_default();
    format!(
        ": autonomy {}, up to {nodes} at once{time}",
        u8::from(settings.autonomy)
    )
}

/// Describes `event` as a sentence for the history.
pub(crate) fn describe_event(nodes: &Nodes<'_>, event: &Event) -> String {
    let predicate = event_predicate(nodes, event);
    match event.node() {
        Some(node) => format!("'{}' {predicate}", nodes.title(node)),
        None => predicate,
    }
}

/// Describes `event` for a line that already names the event's node, if it has one.
#[must_use]
pub fn describe_event_of_node(plan: &Plan, event: &Event) -> String {
    event_predicate(&Nodes::new(plan), event)
}

/// Describes what happened. If the event has a node, that node is the subject, which the caller
/// adds.
fn event_predicate(nodes: &Nodes<'_>, event: &Event) -> String {
    let all_nodes = |of: Option<NodeId>| if of.is_none() { "all nodes " } else { "" };
    match event {
        Event::Started {
            version,
            goal,
            limit,
            settings,
            ..
        } => {
            let goal = match goal {
                Goal::All => String::new(),
                Goal::Only { nodes } => format!(" for {} of its nodes", nodes.len()),
            };
            let terms = settings
                .as_ref()
                .map(|settings| describe_limits(*limit, settings))
                .unwrap_or_default();
            format!("run of version {version} started{goal}{terms}")
        }
        Event::TakenOver {
            record: Some(record),
            ..
        } => takeover_text::describe_takeover(record),
        // The run was at rest, so nobody lost it. In histories of earlier versions it may have been
        // running, which can't be told any more.
        Event::TakenOver { record: None, .. } => "picked up by an executor".to_owned(),
        Event::InheritedChecked { checks, .. } => takeover_text::describe_inherited_checks(checks),
        Event::ExecutorReturned { silence_ms, .. } => {
            format!(
                "the run's executor is back after {} of silence",
                format_elapsed(*silence_ms)
            )
        }
        Event::GoalSet { goal: Goal::All } => "goal changed to all nodes".to_owned(),
        Event::GoalSet {
            goal: Goal::Only { nodes },
        } => match nodes.len() {
            1 => "goal changed to 1 node".to_owned(),
            several => format!("goal changed to {several} nodes"),
        },
        Event::PauseRequested { stop_running: true } => {
            "pause requested, running nodes are stopped".to_owned()
        }
        Event::PauseRequested {
            stop_running: false,
        } => "pause requested, running nodes finish first".to_owned(),
        Event::Paused { goal_reached: true } => "paused: goal reached".to_owned(),
        Event::Paused {
            goal_reached: false,
        } => "paused".to_owned(),
        Event::Resumed => "resumed".to_owned(),
        Event::CancelRequested => "cancellation requested".to_owned(),
        Event::TimeUp { limit_ms } => {
            format!(
                "time limit of {} reached; everything except clean-up was stopped",
                format_duration(*limit_ms)
            )
        }
        Event::Cancelled => "canceled; all processes have ended".to_owned(),
        Event::Completed => "completed".to_owned(),
        Event::Failed { message, .. } => format!("failed: {message}"),
        Event::HandlerDecided { outcome } => error_handlers::describe_outcome(outcome),
        Event::Stalled { message } => format!("stalled: {message}"),
        Event::ReplanBegun { .. } => "replanning started".to_owned(),
        Event::ReplanEnded {
            end: ReplanEnd::Accepted { run: Some(run) },
            ..
        } => {
            format!("the new version was accepted; run {run} continues with it")
        }
        Event::ReplanEnded {
            end: ReplanEnd::Accepted { run: None },
            ..
        } => "the new version was accepted".to_owned(),
        Event::ReplanEnded {
            end: ReplanEnd::Rejected,
            ..
        } => "the new version was rejected".to_owned(),
        Event::ReplanEnded {
            end: ReplanEnd::GivenUp,
            ..
        } => "replanning ended without a new version".to_owned(),
        Event::NodeReserved {
            attempt,
            choice: Some(choice),
            ..
        } => {
            format!(
                "is next, attempt {attempt}, with {}: {choice}",
                choice.agent
            )
        }
        Event::NodeReserved {
            attempt,
            asks: Some(asking),
            ..
        } => {
            format!(
                "is next, attempt {attempt}; {} chooses the agent",
                asking.by
            )
        }
        Event::NodeReserved { attempt, .. } => {
            format!("is next, attempt {attempt}")
        }
        Event::NodeAssigned { choice, .. } => {
            format!("was assigned to {}: {choice}", choice.agent)
        }
        Event::NodeHeldBack { by, .. } => format!("{by}"),
        Event::NodeParked { .. } => {
            "is waiting: all agents that can run it have reached their usage limits".to_owned()
        }
        Event::NodePassedOn { .. } => "is no longer waiting: another agent can run it".to_owned(),
        Event::NodeWithdrawn { .. } => "was postponed".to_owned(),
        Event::NodeStarted { attempt, .. } if attempt.0 == 1 => "started".to_owned(),
        Event::NodeStarted { attempt, .. } => format!("started, attempt {attempt}"),
        Event::NodeAsked { question, .. } => format!("asks: {question}"),
        Event::NodeAnswered {
            by: AnsweredBy::Grant,
            ..
        } => "was allowed by an earlier permission".to_owned(),
        Event::NodeAnswered { answer, .. } => describe_answer(answer),
        Event::NodeUnasked { .. } => "withdrew its question".to_owned(),
        Event::Granted { grant, of, .. } => {
            format!(
                "{}may use {} without asking",
                all_nodes(*of),
                describe_grant(grant)
            )
        }
        Event::GrantRevoked { grant, of } => {
            format!(
                "{}must ask again before using {}",
                all_nodes(*of),
                describe_grant(grant)
            )
        }
        Event::ToolOutside {
            call:
                UnlistedToolCall {
                    what,
                    note,
                    refused: true,
                    ..
                },
            ..
        } => {
            format!("was denied {what}: {note}")
        }
        Event::ToolOutside {
            call: UnlistedToolCall { what, note, .. },
            ..
        } => {
            format!("ran {what}: {note}")
        }
        Event::NodeEnded {
            outcome:
                Outcome::Failed {
                    failure: Failure::UsageLimit { detail, .. },
                },
            retry_at: Some(_),
            ..
        } => {
            format!("is waiting for its agent's usage limit to reset: {detail}")
        }
        Event::NodeEnded {
            outcome, retry_at, ..
        } => {
            let again = if retry_at.is_some() {
                ", will be retried"
            } else {
                ""
            };
            format!("{}{again}", describe_outcome(outcome))
        }
        Event::NodeHeld { .. } => "is waiting for approval to start".to_owned(),
        Event::NodeReleased { allow: true, .. } => "was approved to start".to_owned(),
        Event::NodeReleased { allow: false, .. } => "was rejected and will be skipped".to_owned(),
        Event::InputAsked { question, .. } => {
            format!("asks a person: {question}")
        }
        Event::InputGiven { value, .. } => format!("was answered: {value}"),
        Event::NodeConflicted { conflict, .. } => {
            let files = format_quantity(conflict.files.len(), "file", "files");
            let Conflict { ours, theirs, .. } = conflict;
            format!("is waiting for a person: '{ours}' and '{theirs}' conflict in {files}")
        }
        Event::MergeDecided { resolution, .. } => describe_resolution(*resolution).to_owned(),
        Event::MergeTried {
            outcome: Outcome::Succeeded,
            ..
        } => "had its merge conflict resolved by an agent".to_owned(),
        Event::MergeTried { outcome, .. } => {
            format!(
                "still has its merge conflict: the agent {}",
                describe_outcome(outcome)
            )
        }
        Event::NodeSilent { .. } => "has had no output for a while".to_owned(),
        Event::NodeHeard { .. } => "has output again".to_owned(),
        Event::NodeUsed { spent, .. } => {
            format!("has used {}", format_spent(*spent))
        }
        Event::BudgetSpent { detail } => {
            format!("the budget is used up, so everything was stopped: {detail}")
        }
        Event::CheckpointMade { name, .. } => format!("checkpoint '{name}' was created"),
        Event::RolledBack {
            checkpoint,
            files: true,
        } => {
            format!(
                "rolled back to checkpoint {}, including files",
                checkpoint + 1
            )
        }
        Event::RolledBack {
            checkpoint,
            files: false,
        } => format!("rolled back to checkpoint {}", checkpoint + 1),
        Event::NodeUnverified { doubt, .. } => {
            format!("is unverified: {doubt}")
        }
        Event::NodeAccepted { .. } => "was accepted unverified".to_owned(),
        Event::GitRestored { .. } => "had its changes to git settings or hooks undone".to_owned(),
        Event::HandoffPinned { parent, .. } => {
            format!("has its input from '{}' pinned", nodes.title(*parent))
        }
        Event::HandoffUnpinned { parent, .. } => {
            format!("receives the handoff of '{}' again", nodes.title(*parent))
        }
        Event::ArtifactEdited { .. } => "had its handoff edited".to_owned(),
        Event::NodeMarkedFailed { .. } => "was manually marked as failed".to_owned(),
        Event::NodeStopRequested { then, .. } => match then {
            AfterStop::Interrupt => "is being stopped".to_owned(),
            AfterStop::Skip => "is being stopped and will be skipped".to_owned(),
            AfterStop::MarkDone { .. } => "is being stopped and will be marked as done".to_owned(),
        },
        Event::NodeRetryDue { .. } => "is being retried".to_owned(),
        Event::PlanRetried {
            retry,
            failed,
            again,
            ..
        } => {
            let also = match again.len() {
                0 => String::new(),
                1 => ", and 1 node after it".to_owned(),
                several => format!(", and {several} nodes after it"),
            };
            format!(
                "the run failed and restarts from {}{also}: retry {retry}",
                nodes.list(failed)
            )
        }
        Event::NodesReset {
            nodes: reset,
            resume: true,
        } => match reset.as_slice() {
            [_] => "resumes its session".to_owned(),
            several => format!("{} resume their sessions", nodes.list(several)),
        },
        Event::NodesReset { nodes, .. } => match nodes.as_slice() {
            [_] => "was reset".to_owned(),
            several => format!("{} nodes were reset", several.len()),
        },
        Event::NodeContinued { message, .. } => {
            format!(
                "continues its session with the message: {}",
                truncate_message(message)
            )
        }
        Event::NodeSkipped { node } if nodes.is_disabled(*node) => {
            "was skipped: it is disabled".to_owned()
        }
        Event::NodeSkipped { .. } => "was manually skipped".to_owned(),
        Event::NodeInherited { .. } => "was completed in an earlier run".to_owned(),
        Event::NodePinned { origin, .. } => format!("uses the output that {} pinned", origin.by),
        Event::NodeLeftOut { .. } => "was left out: only pinned nodes need it".to_owned(),
        Event::NodeMarkedDone { .. } => "was manually marked as done".to_owned(),
    }
}

fn format_spent(spent: BudgetUsage) -> String {
    let tokens = format_quantity(spent.tokens, "token", "tokens");
    let cost = spent.cost_micros as f64 / 1e6;
    if spent.cost_micros == 0 {
        tokens
    } else {
        format!("{tokens}, ${cost:.2}")
    }
}

/// Describes an outcome, to follow the node's name.
pub(crate) fn describe_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Succeeded => "is done".to_owned(),
        Outcome::Failed { failure } => failure.to_string(),
        Outcome::Cancelled => "was stopped".to_owned(),
        Outcome::Lost { detail } => format!("was lost: {detail}"),
        Outcome::Tampered { .. } => format!(
            "was interrupted: {}",
            outcome.interruption().unwrap_or_default()
        ),
    }
}

/// Describes why a node was skipped.
pub(crate) fn describe_skip(plan: &Plan, reason: &SkipReason) -> String {
    match reason {
        SkipReason::ByHand => "manually skipped".to_owned(),
        SkipReason::Disabled => "skipped: it is disabled".to_owned(),
        SkipReason::AfterFailure { failure } => {
            format!("skipped after a failure: {failure}")
        }
        SkipReason::ParentSkipped { parent } => {
            let title = plan
                .node(*parent)
                .map_or("a parent", |node| node.title.as_str());
            format!("skipped because '{title}' was skipped")
        }
        SkipReason::Refused => "skipped: a person rejected it".to_owned(),
        SkipReason::NotTaken { by } => {
            let title = plan.node(*by).map_or("a node", |node| node.title.as_str());
            format!("skipped: '{title}' took another branch")
        }
        SkipReason::OnlyPinnedNeed => "skipped: only pinned nodes need it".to_owned(),
        SkipReason::JumpedOver { by } => {
            let title = plan.node(*by).map_or("a node", |node| node.title.as_str());
            format!("skipped: bypassed after '{title}'")
        }
        SkipReason::RuleNotMet { because: None } => {
            "skipped: its trigger rule can't be met".to_owned()
        }
        SkipReason::RuleNotMet {
            because: Some(parent),
        } => {
            let title = plan
                .node(*parent)
                .map_or("a parent", |node| node.title.as_str());
            format!("skipped: its trigger rule can't be met because '{title}' failed")
        }
    }
}
/// Describes how a conflict was resolved.
fn describe_resolution(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::ByHand => "continues with the files that a person resolved",
        Resolution::Agent => "has an agent resolve its conflict first",
        Resolution::Ours => "continues with the first side of each conflicting file",
        Resolution::Theirs => "continues with the second side of each conflicting file",
    }
}

/// Truncates a message to one line of limited length.
fn truncate_message(message: &str) -> String {
    const LENGTH: usize = 100;
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = line.chars().take(LENGTH).collect();
    if words.len() < line.len() {
        format!("{words}…")
    } else {
        words
    }
}

fn describe_answer(answer: &Answer) -> String {
    match answer {
        Answer::AllowOnce => "was allowed once".to_owned(),
        Answer::AllowNode { .. } => {
            "was allowed, and so are similar calls from this node".to_owned()
        }
        Answer::AllowPlan { .. } => {
            "was allowed, and so are similar calls from all nodes".to_owned()
        }
        Answer::Deny { reason } if reason.is_empty() => "was denied".to_owned(),
        Answer::Deny { reason } => format!("was denied: {reason}"),
    }
}

/// Describes what a permission covers.
fn describe_grant(grant: &Grant) -> String {
    match &grant.command {
        Some(words) if grant.begins => {
            format!("{} for commands that begin with `{words}`", grant.tool)
        }
        Some(command) => format!("{} for `{command}`", grant.tool),
        None => grant.tool.clone(),
    }
}
