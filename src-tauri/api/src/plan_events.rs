//! Live events of plans, for programs that follow them.

use baton_model::run::Event;
use baton_model::{EventName, NodeId, Plan, PlanId};
use baton_store::{Listing, PlanLogEntry, PlanLogFilter, StoreError};

use crate::event_text::describe_outcome;
use crate::run_plans::RunPlans;
use crate::wire::*;
use crate::{ApiError, App, Code, logged_event};

/// Maximum number of events on a page.
const MAX_LIMIT: u32 = 1000;

/// Returns the events after a number. Their numbers are stored, so a program that continues after
/// the last one it received misses none, and hears of it if some were deleted.
pub(crate) fn page(app: &App, input: PlanEventsQuery) -> Result<PlanEventsPage, ApiError> {
    if !(1..=MAX_LIMIT).contains(&input.limit) {
        let message = format!("a page has from 1 to {MAX_LIMIT} events");
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a limit in that range"));
    }
    require_plan(app, input.plan)?;
    let log = app.store.plan_log();
    // Read before the events, so that each event up to it is among those that are read.
    let last = log.last()?;
    let Some(after) = input.after else {
        return Ok(without_events(last, false));
    };
    let filter = PlanLogFilter {
        plan: input.plan,
        run: None,
    };
    let found = log.named_after(filter, after, input.limit)?;
    // Looked up after the events, so that none is deleted in between unnoticed.
    if after > last || log.has_gap(filter, after)? {
        return Ok(without_events(last, true));
    }
    let seen = last_number(&found).unwrap_or(after);
    let has_more = found.rows.len() + found.unreadable.len() >= input.limit as usize;
    let mut plans = RunPlans::new(app);
    let events = found.rows.into_iter().filter_map(|entry| {
        let name = entry.name?;
        Some(event(&mut plans, app, name, entry))
    });
    Ok(PlanEventsPage {
        events: events.collect::<Result<_, _>>()?,
        next: if has_more { seen } else { last.max(seen) },
        has_more,
        is_stale: false,
    })
}

fn without_events(next: u64, is_stale: bool) -> PlanEventsPage {
    PlanEventsPage {
        events: Vec::new(),
        next,
        has_more: false,
        is_stale,
    }
}

/// Fails if the plan doesn't exist or is deleted. A damaged one still has events.
fn require_plan(app: &App, plan: Option<PlanId>) -> Result<(), ApiError> {
    let Some(plan) = plan else { return Ok(()) };
    match app.store.plans().record(plan) {
        Ok(_) | Err(StoreError::Unreadable(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The number of the last entry that was read, damaged or not.
fn last_number(found: &Listing<PlanLogEntry>) -> Option<u64> {
    let damaged = found
        .unreadable
        .iter()
        .filter_map(|row| row.id.parse().ok());
    found.rows.iter().map(|entry| entry.id).chain(damaged).max()
}

fn event(
    plans: &mut RunPlans<'_>,
    app: &App,
    name: EventName,
    entry: PlanLogEntry,
) -> Result<PlanEvent, ApiError> {
    let executed = match &entry.event {
        Some(event) => plans.of(event.run)?,
        None => None,
    };
    let plan = executed.as_deref();
    let content = entry.event.as_ref();
    let content = content.and_then(|event| event.content.as_ref().ok());
    // Of what follows from an event, the event itself says nothing.
    let own = content.filter(|_| entry.history_type.is_some());
    let message = logged_event::describe(plan, &entry);
    Ok(PlanEvent {
        id: entry.id,
        event: name,
        at: entry.at,
        plan: match (entry.plan, plan) {
            (Some(id), Some(executed)) => Some(plan_of_event(id, Some(executed))),
            (Some(id), None) => Some(current_plan(app, id)?),
            (None, _) => None,
        },
        step: entry.node.map(|node| step(plan, node)),
        proposal: entry.proposal,
        run: entry.event.as_ref().map(|event| event.run),
        seq: entry.event.as_ref().map(|event| event.seq),
        version: entry.version,
        actor: entry.actor.as_ref().map(ToString::to_string),
        result: own.and_then(result),
        error: own.and_then(error),
        reason: match (own, name) {
            (Some(event), _) => reason(event, &message),
            (None, EventName::PlanPaused) => Some(message.clone()),
            _ => None,
        },
        message,
    })
}

fn plan_of_event(id: PlanId, plan: Option<&Plan>) -> PlanOfEvent {
    PlanOfEvent {
        id,
        title: plan.map(|plan| plan.title.clone()),
        user: plan.and_then(|plan| plan.origin.user.clone()),
    }
}

fn current_plan(app: &App, id: PlanId) -> Result<PlanOfEvent, ApiError> {
    match app.store.plans().current(id) {
        Ok((_, plan)) => Ok(plan_of_event(id, Some(&plan))),
        Err(
            StoreError::Unreadable(_)
            | StoreError::NotFound { .. }
            | StoreError::PlanDeleted { .. },
        ) => Ok(plan_of_event(id, None)),
        Err(error) => Err(error.into()),
    }
}

fn step(plan: Option<&Plan>, id: NodeId) -> StepOfEvent {
    let node = plan.and_then(|plan| plan.node(id));
    StepOfEvent {
        id,
        slug: node.map(|node| node.slug.to_string()),
        title: node.map(|node| node.title.clone()),
    }
}

/// What a completed step left.
fn result(event: &Event) -> Option<StepResult> {
    let (artifact_id, taken, value) = match event {
        Event::NodeEnded {
            outcome: baton_model::Outcome::Succeeded,
            artifact,
            taken,
            ..
        }
        | Event::NodeInherited {
            artifact, taken, ..
        } => (*artifact, *taken, None),
        Event::InputGiven {
            value, artifact, ..
        } => (*artifact, None, Some(value.clone())),
        Event::NodeMarkedDone { artifact, .. } => (*artifact, None, None),
        Event::NodePinned { artifact, .. } => (Some(*artifact), None, None),
        _ => return None,
    };
    Some(StepResult {
        artifact_id,
        taken,
        value,
    })
}

fn error(event: &Event) -> Option<String> {
    match event {
        Event::NodeEnded { outcome, .. } => {
            (*outcome != baton_model::Outcome::Succeeded).then(|| describe_outcome(outcome))
        }
        Event::NodeMarkedFailed { .. } => Some("marked as failed by a person".to_owned()),
        Event::Failed { message, .. } => Some(message.clone()),
        _ => None,
    }
}

/// Why something was skipped or paused, or what a person is asked.
fn reason(event: &Event, message: &str) -> Option<String> {
    match event {
        Event::NodeHeld { question, .. }
        | Event::NodeAsked { question, .. }
        | Event::InputAsked { question, .. } => Some(question.clone()),
        Event::Stalled { message } => Some(message.clone()),
        Event::NodeConflicted { .. }
        | Event::NodeSkipped { .. }
        | Event::NodeLeftOut { .. }
        | Event::Paused { .. } => Some(message.to_owned()),
        _ => None,
    }
}
