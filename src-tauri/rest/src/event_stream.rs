//! Live events as server-sent events (WHATWG HTML §9.2): what to send, and where to continue.
//!
//! The numbers of events are stored, so a client that reconnects misses none, however long it was
//! away and whatever was restarted in between.

use baton_api::wire::{PlanEvent, PlanEventsPage, PlanEventsQuery};
use baton_model::PlanId;
use baton_model::visible_text::escape_invisible_json;
use serde_json::json;

use crate::request::{DEFAULT_USER, Operations};
use crate::{Caller, ErrorCode, RestError, iso_json};

/// How many events are read at once.
const PAGE: u32 = 500;

/// Which events a client gets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EventFilter {
    /// Only those of this plan.
    pub(crate) plan: Option<PlanId>,
    /// Only those of plans of this user.
    pub(crate) user: Option<String>,
}

/// An open stream: reads events on behalf of its caller.
pub struct EventStream {
    operations: Operations,
    filter: EventFilter,
    /// The events that the client gets at once.
    pub first: EventPage,
}

/// Some events, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EventPage {
    /// The events.
    pub events: Vec<StreamedEvent>,
    /// The number to continue after.
    pub next: u64,
    /// Whether there may be more events already.
    pub has_more: bool,
    /// Whether events were deleted that the reader hasn't received.
    pub is_stale: bool,
}

/// An event as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamedEvent {
    /// Its number.
    pub id: u64,
    /// The name in `event:`.
    pub name: &'static str,
    /// JSON without line breaks, with invisible characters escaped.
    pub data: String,
    plan: Option<PlanId>,
    user: Option<String>,
}

impl EventStream {
    /// Opens a stream with the events after `after`; by default, with those from now on.
    pub(crate) fn open(
        operations: Operations,
        filter: EventFilter,
        after: Option<u64>,
    ) -> Result<Self, RestError> {
        let first = read(&operations, &filter, after)?;
        Ok(Self {
            operations,
            filter,
            first,
        })
    }

    /// The events after `after`. Fails if the caller may not read them any more.
    pub fn read(&self, after: u64) -> Result<EventPage, RestError> {
        read(&self.operations, &self.filter, Some(after))
    }

    /// Whether the client gets an event.
    #[must_use]
    pub fn includes(&self, event: &StreamedEvent) -> bool {
        self.filter.includes(event)
    }
}

/// The events of all plans after `after`, on behalf of `caller`.
pub fn read_events(
    caller: std::sync::Arc<dyn Caller>,
    after: Option<u64>,
) -> Result<EventPage, RestError> {
    read(&Operations(caller), &EventFilter::default(), after)
}

/// The data of the event `stale`: events were deleted, or the number is from other data.
#[must_use]
pub fn stale_data(next: u64) -> String {
    json!({ "sequence": next }).to_string()
}

impl EventFilter {
    fn includes(&self, event: &StreamedEvent) -> bool {
        let is_of = |user: &String| event.user.as_deref().unwrap_or(DEFAULT_USER) == user;
        self.plan.is_none_or(|plan| event.plan == Some(plan))
            && self.user.as_ref().is_none_or(is_of)
    }
}

fn read(
    operations: &Operations,
    filter: &EventFilter,
    after: Option<u64>,
) -> Result<EventPage, RestError> {
    let query = PlanEventsQuery {
        plan: filter.plan,
        after,
        limit: PAGE,
    };
    let page: PlanEventsPage = operations.call("plan_events", &query)?;
    let events = page.events.into_iter().map(streamed);
    let mut events: Vec<_> = events.collect::<Result<_, _>>()?;
    events.retain(|event| filter.includes(event));
    Ok(EventPage {
        events,
        next: page.next,
        has_more: page.has_more,
        is_stale: page.is_stale,
    })
}

fn streamed(event: PlanEvent) -> Result<StreamedEvent, RestError> {
    let data = iso_json::to_value(&event).map_err(|error| {
        RestError::new(
            ErrorCode::Internal,
            format!("an event can't be written: {error}"),
        )
    })?;
    Ok(StreamedEvent {
        id: event.id,
        name: event.event.as_str(),
        data: escape_invisible_json(&data.to_string()),
        plan: event.plan.as_ref().map(|plan| plan.id),
        user: event.plan.and_then(|plan| plan.user),
    })
}

impl StreamedEvent {
    /// An event with nothing but a number, for tests of what carries events.
    #[doc(hidden)]
    #[must_use]
    pub fn numbered(id: u64) -> Self {
        Self {
            id,
            name: "plan:started",
            data: String::new(),
            plan: None,
            user: None,
        }
    }
}
