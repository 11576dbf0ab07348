//! An entry of the log of plans, as a sentence.

use baton_model::{EventName, HistoryType, Plan};
use baton_store::{LoggedEvent, PlanLogEntry};

use crate::event_text::describe_event;
use crate::node_names::Nodes;

/// Describes an entry. `plan` is what its run executes; `None` if that can't be read.
pub(crate) fn describe(plan: Option<&Plan>, entry: &PlanLogEntry) -> String {
    match (&entry.event, entry.history_type) {
        (Some(event), Some(_)) => describe_run_event(plan, event),
        // It isn't the event itself, but what follows from it.
        (Some(_), None) => describe_wait(entry.name).to_owned(),
        (None, Some(history_type)) if entry.proposal.is_some() => {
            describe_proposal_act(history_type).to_owned()
        }
        (None, Some(history_type)) => describe_plan_act(history_type, entry.version),
        (None, None) => "A proposal expired.".to_owned(),
    }
}

fn describe_run_event(plan: Option<&Plan>, event: &LoggedEvent) -> String {
    match (plan, &event.content) {
        (Some(plan), Ok(event)) => describe_event(&Nodes::new(plan), event),
        (None, Ok(_)) => "The plan version of this run is damaged or was deleted.".to_owned(),
        (_, Err(damage)) => format!("This event is damaged: {damage}."),
    }
}

fn describe_wait(name: Option<EventName>) -> &'static str {
    match name {
        Some(EventName::PlanPaused) => "Everything that could run is waiting for a person.",
        _ => "The run continues.",
    }
}

/// An act on a plan, as a sentence.
fn describe_plan_act(history_type: HistoryType, version: Option<u32>) -> String {
    let version = version.map_or_else(
        || "content".to_owned(),
        |number| format!("version {number}"),
    );
    match history_type {
        HistoryType::Created => "The plan was created.".to_owned(),
        HistoryType::Edited => format!("The plan was changed: {version}."),
        HistoryType::Proposed => format!("The plan's {version} waits for a person's review."),
        HistoryType::Withdrawn => format!("The plan's {version} was withdrawn from review."),
        HistoryType::Approved => format!("A person approved {version}."),
        HistoryType::Rejected => format!("A person rejected {version}."),
        // The other types are events of runs, which have sentences of their own.
        _ => String::new(),
    }
}

/// An act on a proposal to change the plan, as a sentence.
fn describe_proposal_act(history_type: HistoryType) -> &'static str {
    match history_type {
        HistoryType::Rejected => "A person rejected a proposal.",
        HistoryType::Withdrawn => "A proposal was withdrawn.",
        _ => "A proposal waits for a decision.",
    }
}
