//! `GET /api/events`: changes as server-sent events (WHATWG HTML §9.2).

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::watch;

use crate::change_feed::{ChangeFeed, NumberedChange};

/// Shorter than the idle timeouts of browsers and common proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The shared state of event streams.
#[derive(Clone)]
pub(crate) struct EventStreamState {
    pub(crate) feed: ChangeFeed,
    /// Becomes true when the server shuts down; a stream never ends by itself.
    pub(crate) ended: watch::Receiver<bool>,
}

/// Streams changes from now on, or those after `Last-Event-ID`.
pub(crate) async fn stream(
    State(EventStreamState { feed, mut ended }): State<EventStreamState>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let last_event_id = headers.get("last-event-id");
    // A malformed id isn't one of ours: treat it like one that is no longer kept.
    let after = last_event_id.map_or(feed.latest(), |id| {
        id.to_str().ok().and_then(|id| id.parse().ok()).unwrap_or(0)
    });
    // A new client first gets a message without data, so that it has an id to resume from.
    let first_event = last_event_id
        .is_none()
        .then(|| Event::default().id(after.to_string()));
    let events = stream::unfold((feed, after), |(mut feed, after)| async move {
        let item = feed.after(after).await?;
        let number = item.number;
        Some((to_sse_event(&item), (feed, number)))
    });
    let end = async move {
        // An error means that the server is already gone.
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
        tracing::error!(%error, "couldn't serialize a change");
        Event::default().data(r#"{"change":"all"}"#)
    })
}
