//! `/api/plans/events`: what happens to plans and in their runs, as it happens.

use baton_api::wire::{Nothing, PlanEvent};
use baton_model::PlanId;

use crate::answer::Reply;
use crate::event_stream::{EventFilter, EventStream};
use crate::request::Call;
use crate::schema::inputs;
use crate::{ErrorCode, Method, RestError, Route};

inputs! {
    /// Where a stream begins.
    pub(crate) struct EventsQuery {
        /// The `id` of the last event that was received; by default, the stream begins now. The
        /// header `Last-Event-ID` comes first.
        pub(crate) since: Option<u64>,
    }
}

pub(super) fn routes() -> Vec<Route> {
    let get = Method::Get;
    vec![
        Route::new(
            get,
            "/api/plans/events",
            "streamEvents",
            "streams the events of all plans",
            of_all,
        )
        .streams(),
        Route::new(
            get,
            "/api/plans/{plan}/events",
            "streamPlanEvents",
            "streams the events of a plan",
            of_one,
        )
        .errors(&[ErrorCode::NotFound])
        .streams(),
    ]
}

fn of_all(call: &Call<EventsQuery, Nothing>) -> Result<Reply<PlanEvent>, RestError> {
    stream(call, None)
}

fn of_one(call: &Call<EventsQuery, Nothing>) -> Result<Reply<PlanEvent>, RestError> {
    let plan = call.id("plan")?;
    stream(call, Some(plan))
}

fn stream(
    call: &Call<EventsQuery, Nothing>,
    plan: Option<PlanId>,
) -> Result<Reply<PlanEvent>, RestError> {
    // A malformed id isn't one of Baton's: such a client has to read everything again.
    let last = call.conditions.last_event_id.as_deref();
    let last = last.map(|id| id.trim().parse().unwrap_or(u64::MAX));
    let filter = EventFilter {
        plan,
        user: call.user.clone(),
    };
    let after = last.or(call.query.since);
    Ok(Reply::stream(EventStream::open(
        call.operations(),
        filter,
        after,
    )?))
}
