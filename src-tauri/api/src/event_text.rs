//! Events and outcomes as text, shared by the window, the shell, and exports.

use baton_model::duration::{format_duration, format_elapsed};
use baton_model::outcome::Failure;
use baton_model::plan::EffectiveSettings;
use baton_model::run::{
    AfterStop, Answer, AnsweredBy, BudgetUsage, Conflict, Event, Goal, ReplanEnd, Resolution,
    SkipReason, UnlistedToolCall,
};
use baton_model::{Grant, NodeId, Outcome, Plan};

use crate::node_names::Nodes;
use crate::takeover_text;

/// The limits of a run, from the plan and the settings at its start.
fn describe_limits(limit: u32, settings: &EffectiveSettings) -> String {
    let nodes = if limit == 1 { "node" } else { "nodes" };
    let time = settings
        .timeout_ms
        .map(|limit| format!(", at most {}", format_duration(limit)))
        .unwrap_or_default();
    format!(
        ": autonomy {}, up to {limit} {nodes} at once{time}",
        u8::from(settings.autonomy)
    )
}

/// Describes an event as a sentence.
pub(crate) fn describe_event(nodes: &Nodes<'_>, event: &Event) -> String {
    let title = |node: &NodeId| nodes.title(*node);
    let holder = |of: &Option<NodeId>| {
        of.as_ref()
            .map_or("every node".to_owned(), |node| format!("'{}'", title(node)))
    };
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
        Event::TakenOver { record: None, .. } => "another executor took over the run".to_owned(),
        Event::InheritedChecked { node, checks, .. } => {
            takeover_text::describe_inherited_checks(title(node), checks)
        }
        Event::ExecutorReturned { silence_ms, .. } => {
            format!(
                "the run's executor is back after {} of silence",
                format_elapsed(*silence_ms)
            )
        }
        Event::GoalSet { goal: Goal::All } => "goal changed to all nodes".to_owned(),
        Event::GoalSet {
            goal: Goal::Only { nodes },
        } => format!("goal changed to {} nodes", nodes.len()),
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
        Event::Failed { message } => format!("failed: {message}"),
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
            node,
            attempt,
            choice: Some(choice),
            ..
        } => {
            format!(
                "'{}' is next, attempt {attempt}, with {}: {choice}",
                title(node),
                choice.agent
            )
        }
        Event::NodeReserved {
            node,
            attempt,
            asks: Some(asking),
            ..
        } => {
            format!(
                "'{}' is next, attempt {attempt}; {} chooses the agent",
                title(node),
                asking.by
            )
        }
        Event::NodeReserved { node, attempt, .. } => {
            format!("'{}' is next, attempt {attempt}", title(node))
        }
        Event::NodeAssigned { node, choice, .. } => {
            format!(
                "'{}' was assigned to {}: {choice}",
                title(node),
                choice.agent
            )
        }
        Event::NodeHeldBack { node, by } => format!("'{}' {by}", title(node)),
        Event::NodeParked { node, .. } => {
            format!(
                "'{}' is waiting: all agents that may run it have reached their usage limit",
                title(node)
            )
        }
        Event::NodePassedOn { node } => format!(
            "'{}' no longer waits: another agent may run it",
            title(node)
        ),
        Event::NodeWithdrawn { node, .. } => format!("'{}' was postponed", title(node)),
        Event::NodeStarted { node, attempt, .. } => {
            format!("'{}' started, attempt {attempt}", title(node))
        }
        Event::NodeAsked { node, question, .. } => format!("'{}' asks: {question}", title(node)),
        Event::NodeAnswered {
            node,
            by: AnsweredBy::Grant,
            ..
        } => {
            format!("'{}' continued with an earlier permission", title(node))
        }
        Event::NodeAnswered { node, answer, .. } => describe_answer(title(node), answer),
        Event::NodeUnasked { node, .. } => format!("'{}' withdrew its question", title(node)),
        Event::Granted { grant, of, .. } => {
            format!(
                "{} may use {} without asking",
                holder(of),
                describe_grant(grant)
            )
        }
        Event::GrantRevoked { grant, of } => {
            format!(
                "{} has to ask for {} again",
                holder(of),
                describe_grant(grant)
            )
        }
        Event::ToolOutside {
            node,
            call:
                UnlistedToolCall {
                    what,
                    note,
                    refused: true,
                    ..
                },
        } => {
            format!("'{}' was denied {what}: {note}", title(node))
        }
        Event::ToolOutside {
            node,
            call: UnlistedToolCall { what, note, .. },
        } => {
            format!("'{}' ran {what}: {note}", title(node))
        }
        Event::NodeEnded {
            node,
            outcome:
                Outcome::Failed {
                    failure: Failure::UsageLimit { detail, .. },
                },
            retry_at: Some(_),
            ..
        } => {
            format!(
                "'{}' is waiting for its agent's usage limit to reset: {detail}",
                title(node)
            )
        }
        Event::NodeEnded {
            node,
            outcome,
            retry_at,
            ..
        } => {
            let again = if retry_at.is_some() {
                ", will be retried"
            } else {
                ""
            };
            format!("'{}' {}{again}", title(node), describe_outcome(outcome))
        }
        Event::NodeHeld { node, .. } => {
            format!("'{}' is waiting for approval to start", title(node))
        }
        Event::NodeReleased { node, allow: true } => {
            format!("'{}' was approved to start", title(node))
        }
        Event::NodeReleased { node, allow: false } => {
            format!("'{}' was not approved and is skipped", title(node))
        }
        Event::InputAsked { node, question, .. } => {
            format!("'{}' asks a person: {question}", title(node))
        }
        Event::InputGiven { node, value, .. } => format!("'{}' was answered: {value}", title(node)),
        Event::NodeConflicted { node, conflict } => {
            let files = conflict.files.len();
            let files = if files == 1 {
                "1 file".to_owned()
            } else {
                format!("{files} files")
            };
            let Conflict { ours, theirs, .. } = conflict;
            format!(
                "'{}' is waiting for a person: '{ours}' and '{theirs}' conflict in {files}",
                title(node)
            )
        }
        Event::MergeDecided { node, resolution } => {
            format!("'{}' {}", title(node), describe_resolution(*resolution))
        }
        Event::MergeTried {
            node,
            outcome: Outcome::Succeeded,
            ..
        } => {
            format!("an agent resolved the conflict before '{}'", title(node))
        }
        Event::MergeTried { node, outcome, .. } => {
            format!(
                "the conflict before '{}' was not resolved: the agent {}",
                title(node),
                describe_outcome(outcome)
            )
        }
        Event::NodeSilent { node, .. } => {
            format!("'{}' has had no output for a while", title(node))
        }
        Event::NodeHeard { node, .. } => format!("'{}' has output again", title(node)),
        Event::NodeUsed { node, spent, .. } => {
            format!("'{}' has used {}", title(node), format_spent(*spent))
        }
        Event::BudgetSpent { detail } => {
            format!("the budget is used up and everything was stopped: {detail}")
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
        Event::NodeUnverified { node, doubt, .. } => {
            format!("'{}' is unverified: {doubt}", title(node))
        }
        Event::NodeAccepted { node } => {
            format!("'{}' was accepted although it is unverified", title(node))
        }
        Event::GitRestored { node, .. } => {
            format!(
                "what git runs was restored as it was before '{}' ran",
                title(node)
            )
        }
        Event::HandoffPinned { parent, child, .. } => {
            format!(
                "the input of '{}' from '{}' was pinned",
                title(child),
                title(parent)
            )
        }
        Event::HandoffUnpinned { parent, child } => {
            format!(
                "'{}' receives the handoff of '{}' again",
                title(child),
                title(parent)
            )
        }
        Event::ArtifactEdited { node, .. } => {
            format!("the handoff of '{}' was edited", title(node))
        }
        Event::NodeMarkedFailed { node } => {
            format!("'{}' was marked as failed by hand", title(node))
        }
        Event::NodeStopRequested { node, then, .. } => match then {
            AfterStop::Interrupt => format!("a person stopped '{}'", title(node)),
            AfterStop::Skip => format!("a person stopped '{}' to skip it", title(node)),
            AfterStop::MarkDone { .. } => {
                format!("a person stopped '{}' to mark it as done", title(node))
            }
        },
        Event::NodeRetryDue { node } => format!("'{}' is being retried", title(node)),
        Event::PlanRetried {
            retry,
            failed,
            again,
            ..
        } => {
            let names: Vec<_> = failed
                .iter()
                .map(|node| format!("'{}'", title(node)))
                .collect();
            let also = match again.len() {
                0 => String::new(),
                1 => ", and 1 node after it".to_owned(),
                several => format!(", and {several} nodes after it"),
            };
            format!(
                "the run failed and restarts from {}{also}: retry {retry}",
                names.join(", ")
            )
        }
        Event::NodesReset {
            nodes,
            resume: true,
        } => {
            let names: Vec<_> = nodes
                .iter()
                .map(|node| format!("'{}'", title(node)))
                .collect();
            format!("{} resumes its session", names.join(", "))
        }
        Event::NodesReset { nodes, .. } => match nodes.as_slice() {
            [node] => format!("'{}' was reset", title(node)),
            nodes => format!("{} nodes were reset", nodes.len()),
        },
        Event::NodeContinued { node, message } => {
            format!(
                "'{}' continues its session with the message: {}",
                title(node),
                truncate_message(message)
            )
        }
        Event::NodeSkipped { node } if nodes.is_disabled(*node) => {
            format!("'{}' was skipped: it is disabled in the plan", title(node))
        }
        Event::NodeSkipped { node } => format!("'{}' was skipped by hand", title(node)),
        Event::NodeInherited { node, .. } => {
            format!("'{}' was completed in an earlier run", title(node))
        }
        Event::NodeMarkedDone { node, .. } => {
            format!("'{}' was marked as done by hand", title(node))
        }
    }
}

fn format_spent(spent: BudgetUsage) -> String {
    let cost = spent.cost_micros as f64 / 1e6;
    if spent.cost_micros == 0 {
        format!("{} tokens", spent.tokens)
    } else {
        format!("{} tokens, ${cost:.2}", spent.tokens)
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
        SkipReason::ByHand => "skipped by hand".to_owned(),
        SkipReason::Disabled => "skipped: it is disabled in the plan".to_owned(),
        SkipReason::AfterFailure { failure } => {
            format!("skipped: it {failure}, and the plan continues without it")
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
        SkipReason::JumpedOver { by } => {
            let title = plan.node(*by).map_or("a node", |node| node.title.as_str());
            format!("skipped: the run jumped over it after '{title}'")
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
        Resolution::ByHand => "continues with the files as a person left them",
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

fn describe_answer(title: &str, answer: &Answer) -> String {
    match answer {
        Answer::AllowOnce => format!("'{title}' was allowed once"),
        Answer::AllowNode { .. } => {
            format!("'{title}' was allowed, and similar calls are allowed for this node")
        }
        Answer::AllowPlan { .. } => {
            format!("'{title}' was allowed, and similar calls are allowed for this blueprint")
        }
        Answer::Deny { reason } if reason.is_empty() => format!("'{title}' was denied"),
        Answer::Deny { reason } => format!("'{title}' was denied: {reason}"),
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
