//! Events and outcomes in words, the same in the window, on the shell and in exports.

use baton_model::run::{Event, Goal, SkipReason};
use baton_model::{NodeId, Outcome, Plan};

/// What an event says to a person.
pub(crate) fn of_event(plan: &Plan, event: &Event) -> String {
    let title = |node: &NodeId| plan.node(*node).map_or("a node that is gone", |node| node.title.as_str());
    match event {
        Event::Started { version, goal: Goal::All, .. } => format!("run of version {version} started"),
        Event::Started { version, goal: Goal::Only { nodes }, .. } => {
            format!("run of version {version} started for {} of its nodes", nodes.len())
        }
        Event::TakenOver { .. } => "another Baton process went on with the run".to_owned(),
        Event::GoalSet { goal: Goal::All } => "all nodes are wanted".to_owned(),
        Event::GoalSet { goal: Goal::Only { nodes } } => format!("{} nodes are wanted", nodes.len()),
        Event::PauseRequested { stop_running: true } => "pause asked for, running nodes are stopped".to_owned(),
        Event::PauseRequested { stop_running: false } => "pause asked for, running nodes finish".to_owned(),
        Event::Paused { goal_reached: true } => "paused: what was asked for is done".to_owned(),
        Event::Paused { goal_reached: false } => "paused".to_owned(),
        Event::Resumed => "resumed".to_owned(),
        Event::CancelRequested => "cancel asked for".to_owned(),
        Event::TimeUp { limit_ms } => {
            format!("the run's limit of {} s is over, everything is stopped", limit_ms.div_ceil(1000))
        }
        Event::Cancelled => "cancelled, every process is gone".to_owned(),
        Event::Completed => "completed".to_owned(),
        Event::Failed { message } => format!("failed: {message}"),
        Event::Stalled { message } => format!("stalled: {message}"),
        Event::NodeReserved { node, attempt, .. } => format!("'{}' is next, attempt {attempt}", title(node)),
        Event::NodeWithdrawn { node, .. } => format!("'{}' was held back", title(node)),
        Event::NodeStarted { node, attempt } => format!("'{}' started, attempt {attempt}", title(node)),
        Event::NodeAsked { node, question, .. } => format!("'{}' asks: {question}", title(node)),
        Event::NodeAnswered { node, allow: true, .. } => format!("'{}' was allowed to go on", title(node)),
        Event::NodeAnswered { node, allow: false, .. } => format!("'{}' was told no", title(node)),
        Event::NodeEnded { node, outcome, retry_at, .. } => {
            let again = if retry_at.is_some() { ", to be tried again" } else { "" };
            format!("'{}' {}{again}", title(node), of_outcome(outcome))
        }
        Event::NodeRetryDue { node } => format!("'{}' is tried again", title(node)),
        Event::NodesReset { nodes } => match nodes.as_slice() {
            [node] => format!("'{}' was taken back to the beginning", title(node)),
            nodes => format!("{} nodes were taken back to the beginning", nodes.len()),
        },
        Event::NodeSkipped { node } => format!("'{}' was skipped by hand", title(node)),
        Event::NodeMarkedDone { node, .. } => format!("'{}' was marked as done by hand", title(node)),
    }
}

/// What an outcome says to a person, after the node's name.
pub(crate) fn of_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Succeeded => "is done".to_owned(),
        Outcome::Failed { failure } => failure.to_string(),
        Outcome::Cancelled => "was stopped".to_owned(),
        Outcome::Lost { detail } => format!("was lost: {detail}"),
    }
}

/// What a skip says to a person.
pub(crate) fn of_skip(plan: &Plan, reason: &SkipReason) -> String {
    match reason {
        SkipReason::ByHand => "skipped by hand".to_owned(),
        SkipReason::AfterFailure { failure } => format!("skipped: it {failure}, and the plan goes on without it"),
        SkipReason::ParentSkipped { parent } => {
            let title = plan.node(*parent).map_or("a parent", |node| node.title.as_str());
            format!("skipped because '{title}' was")
        }
        SkipReason::RuleNotMet => "skipped: its trigger rule cannot be met".to_owned(),
    }
}
