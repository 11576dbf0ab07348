//! Events and outcomes in words, the same in the window, on the shell and in exports.

use std::collections::HashMap;

use baton_model::duration::{format_duration, format_elapsed};
use baton_model::outcome::Failure;
use baton_model::plan::EffectiveSettings;
use baton_model::run::{
    AfterStop, Answer, AnsweredBy, Conflict, Event, Goal, OutsideCall, ReplanEnd, Resolution,
    SkipReason, Spent,
};
use baton_model::{Grant, Node, NodeId, Outcome, Plan};

use crate::takeover_words;

/// The nodes of a plan by id: a history names each of them several times.
pub(crate) struct Nodes<'plan>(HashMap<NodeId, &'plan Node>);

impl<'plan> Nodes<'plan> {
    /// The nodes of `plan`.
    pub(crate) fn of(plan: &'plan Plan) -> Self {
        Self(plan.nodes.iter().map(|node| (node.id, node)).collect())
    }

    /// The title of a node.
    pub(crate) fn title(&self, node: NodeId) -> &str {
        self.0
            .get(&node)
            .map_or("a node that is gone", |node| node.title.as_str())
    }
}

/// What a run keeps to, by the plan and the settings at its start.
fn of_terms(limit: u32, settings: &EffectiveSettings) -> String {
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

/// What an event says to a person.
pub(crate) fn of_event(nodes: &Nodes<'_>, event: &Event) -> String {
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
                .map(|settings| of_terms(*limit, settings))
                .unwrap_or_default();
            format!("run of version {version} started{goal}{terms}")
        }
        Event::TakenOver {
            record: Some(record),
            ..
        } => takeover_words::of_takeover(record),
        Event::TakenOver { record: None, .. } => {
            "another Baton process went on with the run".to_owned()
        }
        Event::InheritedChecked { node, checks, .. } => {
            takeover_words::of_checked(title(node), checks)
        }
        Event::ExecutorReturned { silence_ms, .. } => {
            format!(
                "the executor of the run is back after {} of silence",
                format_elapsed(*silence_ms)
            )
        }
        Event::GoalSet { goal: Goal::All } => "all nodes are wanted".to_owned(),
        Event::GoalSet {
            goal: Goal::Only { nodes },
        } => format!("{} nodes are wanted", nodes.len()),
        Event::PauseRequested { stop_running: true } => {
            "pause asked for, running nodes are stopped".to_owned()
        }
        Event::PauseRequested {
            stop_running: false,
        } => "pause asked for, running nodes finish".to_owned(),
        Event::Paused { goal_reached: true } => "paused: what was asked for is done".to_owned(),
        Event::Paused {
            goal_reached: false,
        } => "paused".to_owned(),
        Event::Resumed => "resumed".to_owned(),
        Event::CancelRequested => "cancel asked for".to_owned(),
        Event::TimeUp { limit_ms } => {
            format!(
                "the run's limit of {} is over, everything but clean-up is stopped",
                format_duration(*limit_ms)
            )
        }
        Event::Cancelled => "cancelled, every process is gone".to_owned(),
        Event::Completed => "completed".to_owned(),
        Event::Failed { message } => format!("failed: {message}"),
        Event::Stalled { message } => format!("stalled: {message}"),
        Event::ReplanBegun { .. } => "a new version of the plan is being made".to_owned(),
        Event::ReplanEnded {
            end: ReplanEnd::Accepted { run: Some(run) },
            ..
        } => {
            format!("the new version was accepted, and run {run} goes on with it")
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
        } => "no new version came of it".to_owned(),
        Event::NodeReserved {
            node,
            attempt,
            choice: Some(choice),
            ..
        } => {
            format!(
                "'{}' is next, attempt {attempt}, by {}: {choice}",
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
                "'{}' is next, attempt {attempt}; {} is asked which agent does it",
                title(node),
                asking.by
            )
        }
        Event::NodeReserved { node, attempt, .. } => {
            format!("'{}' is next, attempt {attempt}", title(node))
        }
        Event::NodeAssigned { node, choice, .. } => {
            format!("'{}' goes to {}: {choice}", title(node), choice.agent)
        }
        Event::NodeHeldBack { node, by } => format!("'{}' {by}", title(node)),
        Event::NodeParked { node, .. } => {
            format!(
                "'{}' waits: every agent that may do it is at its usage limit",
                title(node)
            )
        }
        Event::NodePassedOn { node } => format!(
            "'{}' is not kept waiting: another agent may take it",
            title(node)
        ),
        Event::NodeWithdrawn { node, .. } => format!("'{}' was held back", title(node)),
        Event::NodeStarted { node, attempt, .. } => {
            format!("'{}' started, attempt {attempt}", title(node))
        }
        Event::NodeAsked { node, question, .. } => format!("'{}' asks: {question}", title(node)),
        Event::NodeAnswered {
            node,
            by: AnsweredBy::Grant,
            ..
        } => {
            format!("'{}' went on with leave that was given before", title(node))
        }
        Event::NodeAnswered { node, answer, .. } => said_to(title(node), answer),
        Event::NodeUnasked { node, .. } => format!("'{}' took its question back", title(node)),
        Event::Granted { grant, of, .. } => {
            format!("{} may use {} without asking", holder(of), leave(grant))
        }
        Event::GrantRevoked { grant, of } => {
            format!("{} has to ask again for {}", holder(of), leave(grant))
        }
        Event::ToolOutside {
            node,
            call:
                OutsideCall {
                    what,
                    note,
                    refused: true,
                    ..
                },
        } => {
            format!("'{}' was refused {what}: {note}", title(node))
        }
        Event::ToolOutside {
            node,
            call: OutsideCall { what, note, .. },
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
                "'{}' waits until its agent's usage limit is lifted: {detail}",
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
                ", to be tried again"
            } else {
                ""
            };
            format!("'{}' {}{again}", title(node), of_outcome(outcome))
        }
        Event::NodeHeld { node, .. } => format!("'{}' waits for leave to start", title(node)),
        Event::NodeReleased { node, allow: true } => format!("'{}' may start", title(node)),
        Event::NodeReleased { node, allow: false } => {
            format!("'{}' may not start and is skipped", title(node))
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
                "'{}' waits for a person: {files} of '{ours}' and '{theirs}' do not fit together",
                title(node)
            )
        }
        Event::MergeDecided { node, resolution } => {
            format!("'{}' {}", title(node), of_resolution(*resolution))
        }
        Event::MergeTried {
            node,
            outcome: Outcome::Succeeded,
            ..
        } => {
            format!("an agent solved the conflict before '{}'", title(node))
        }
        Event::MergeTried { node, outcome, .. } => {
            format!(
                "the conflict before '{}' is not solved: the agent {}",
                title(node),
                of_outcome(outcome)
            )
        }
        Event::NodeSilent { node, .. } => format!("'{}' has said nothing for a while", title(node)),
        Event::NodeHeard { node, .. } => format!("'{}' speaks again", title(node)),
        Event::NodeUsed { node, spent, .. } => {
            format!("'{}' has used {}", title(node), of_spent(*spent))
        }
        Event::BudgetSpent { detail } => {
            format!("everything is stopped, the budget is spent: {detail}")
        }
        Event::CheckpointMade { name, .. } => format!("checkpoint '{name}'"),
        Event::RolledBack {
            checkpoint,
            files: true,
        } => {
            format!(
                "taken back to checkpoint {}, with its files",
                checkpoint + 1
            )
        }
        Event::RolledBack {
            checkpoint,
            files: false,
        } => format!("taken back to checkpoint {}", checkpoint + 1),
        Event::NodeUnverified { node, doubt, .. } => {
            format!("'{}' is not verified: {doubt}", title(node))
        }
        Event::NodeAccepted { node } => {
            format!("'{}' was accepted although it is not verified", title(node))
        }
        Event::GitRestored { node, .. } => {
            format!(
                "what git runs was restored as it was before '{}' ran",
                title(node)
            )
        }
        Event::HandoffPinned { parent, child, .. } => {
            format!(
                "what '{}' receives from '{}' was pinned",
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
        Event::NodeRetryDue { node } => format!("'{}' is tried again", title(node)),
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
                "the run failed and starts again from {}{also}: retry {retry}",
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
            format!("{} goes on with its session", names.join(", "))
        }
        Event::NodesReset { nodes, .. } => match nodes.as_slice() {
            [node] => format!("'{}' was taken back to the beginning", title(node)),
            nodes => format!("{} nodes were taken back to the beginning", nodes.len()),
        },
        Event::NodeContinued { node, message } => {
            format!(
                "'{}' goes on with its session, told: {}",
                title(node),
                beginning(message)
            )
        }
        Event::NodeSkipped { node } if nodes.0.get(node).is_some_and(|node| node.disabled) => {
            format!("'{}' was skipped: it is disabled in the plan", title(node))
        }
        Event::NodeSkipped { node } => format!("'{}' was skipped by hand", title(node)),
        Event::NodeInherited { node, .. } => format!(
            "'{}' was done in the run before, and stays done",
            title(node)
        ),
        Event::NodeMarkedDone { node, .. } => {
            format!("'{}' was marked as done by hand", title(node))
        }
    }
}

fn of_spent(spent: Spent) -> String {
    let cost = spent.cost_micros as f64 / 1e6;
    if spent.cost_micros == 0 {
        format!("{} tokens", spent.tokens)
    } else {
        format!("{} tokens, ${cost:.2}", spent.tokens)
    }
}

/// What an outcome says to a person, after the node's name.
pub(crate) fn of_outcome(outcome: &Outcome) -> String {
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

/// What a skip says to a person.
pub(crate) fn of_skip(plan: &Plan, reason: &SkipReason) -> String {
    match reason {
        SkipReason::ByHand => "skipped by hand".to_owned(),
        SkipReason::Disabled => "skipped: it is disabled in the plan".to_owned(),
        SkipReason::AfterFailure { failure } => {
            format!("skipped: it {failure}, and the plan goes on without it")
        }
        SkipReason::ParentSkipped { parent } => {
            let title = plan
                .node(*parent)
                .map_or("a parent", |node| node.title.as_str());
            format!("skipped because '{title}' was")
        }
        SkipReason::Refused => "skipped: a person refused to let it start".to_owned(),
        SkipReason::NotTaken { by } => {
            let title = plan.node(*by).map_or("a node", |node| node.title.as_str());
            format!("skipped: '{title}' went another way")
        }
        SkipReason::JumpedOver { by } => {
            let title = plan.node(*by).map_or("a node", |node| node.title.as_str());
            format!("skipped: the run went on further down after '{title}'")
        }
        SkipReason::RuleNotMet { because: None } => {
            "skipped: its trigger rule cannot be met".to_owned()
        }
        SkipReason::RuleNotMet {
            because: Some(parent),
        } => {
            let title = plan
                .node(*parent)
                .map_or("a parent", |node| node.title.as_str());
            format!("skipped: its trigger rule cannot be met because '{title}' failed")
        }
    }
}
/// What was decided on a conflict.
fn of_resolution(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::ByHand => "goes on with the files as a person left them",
        Resolution::Agent => "has its conflict solved by an agent first",
        Resolution::Ours => "goes on with the first side of each file in conflict",
        Resolution::Theirs => "goes on with the second side of each file in conflict",
    }
}

/// The beginning of a message, on one line.
fn beginning(message: &str) -> String {
    const LENGTH: usize = 100;
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = line.chars().take(LENGTH).collect();
    if words.len() < line.len() {
        format!("{words}…")
    } else {
        words
    }
}

fn said_to(title: &str, answer: &Answer) -> String {
    match answer {
        Answer::AllowOnce => format!("'{title}' was allowed to go on"),
        Answer::AllowNode { .. } => {
            format!("'{title}' was allowed to go on, and need not ask for the like again")
        }
        Answer::AllowPlan { .. } => {
            format!("'{title}' was allowed to go on, and no node need ask for the like again")
        }
        Answer::Deny { reason } if reason.is_empty() => format!("'{title}' was told no"),
        Answer::Deny { reason } => format!("'{title}' was told no: {reason}"),
    }
}

/// What leave is for, as a person reads it.
fn leave(grant: &Grant) -> String {
    match &grant.command {
        Some(words) if grant.begins => {
            format!("{} for commands that begin with `{words}`", grant.tool)
        }
        Some(command) => format!("{} for `{command}`", grant.tool),
        None => grant.tool.clone(),
    }
}
