//! `GET /api/events`: news as server-sent events (WHATWG HTML §9.2).

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::watch;

use crate::change_feed::{ChangeFeed, NumberedChange};

/// Below the idle limits of browsers and of proxies that a person may have put between.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// What an event stream needs.
#[derive(Clone)]
pub(crate) struct EventStreamState {
    /// The news itself.
    pub(crate) feed: ChangeFeed,
    /// Becomes true when the server ends: a stream has no end of its own.
    pub(crate) ended: watch::Receiver<bool>,
}

/// Tells what changes from now on, or from `Last-Event-ID` on.
pub(crate) async fn stream(
    State(EventStreamState { feed, mut ended }): State<EventStreamState>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let last_event_id = headers.get("last-event-id");
    // An id that is not a number is none of ours: as good as one that is too old.
    let after = last_event_id.map_or(feed.latest(), |id| {
        id.to_str().ok().and_then(|id| id.parse().ok()).unwrap_or(0)
    });
    // The first message has no data: it only gives a place to resume from to who has none yet.
    let first_event = last_event_id
        .is_none()
        .then(|| Event::default().id(after.to_string()));
    let events = stream::unfold((feed, after), |(mut feed, after)| async move {
        let item = feed.after(after).await?;
        let number = item.number;
        Some((to_sse_event(&item), (feed, number)))
    });
    let end = async move {
        // An error means that the server is gone already.
        ended.wait_for(|ended| *ended).await.map_or((), drop)
    };
    Sse::new(
        stream::iter(first_event)
            .chain(events)
            .take_until(Box::pin(end))
            .map(Ok),
    )
    .keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

fn to_sse_event(item: &NumberedChange) -> Event {
    let event = Event::default().id(item.number.to_string());
    event.json_data(&item.change).unwrap_or_else(|error| {
        tracing::error!(%error, "a piece of news could not be written");
        Event::default().data(r#"{"change":"all"}"#)
    })
}
