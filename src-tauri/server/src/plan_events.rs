//! `GET /api/plans/events` and `GET /api/plans/{id}/events`: events by name as server-sent events.
//!
//! Each client continues after the last number that it received. What it missed comes from the
//! store, and new events from an [`EventTail`], which reads them once for all clients.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use baton_rest::{EventPage, EventStream, StreamedEvent, stale_data};
use futures_util::{StreamExt, stream};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::event_tail::{EventTail, Tail};

/// Shorter than the idle timeouts of browsers and common proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long clients wait before they reconnect.
const RETRY: Duration = Duration::from_secs(2);

/// A client of a stream.
struct Client {
    stream: Arc<EventStream>,
    tail: Tail,
    /// The number that the client continues after.
    cursor: u64,
    /// What is sent next.
    ready: VecDeque<Event>,
    /// When something has to be sent at the latest.
    heartbeat: Instant,
    /// Whether the store may have more. Also when a stream begins: what was stored between the first
    /// reading and the subscription is announced to nobody.
    is_behind: bool,
}

/// Streams events until the client leaves, may not read them any more, or the server shuts down.
pub(crate) fn respond(
    stream: EventStream,
    tail: &EventTail,
    mut ended: watch::Receiver<bool>,
) -> Response {
    let mut client = Client {
        tail: tail.subscribe(),
        cursor: stream.first.next,
        ready: VecDeque::new(),
        heartbeat: Instant::now() + HEARTBEAT,
        is_behind: true,
        stream: Arc::new(stream),
    };
    client.begin();
    let events = stream::unfold(client, |mut client| async move {
        let event = client.next().await?;
        Some((event, client))
    });
    let end = async move {
        // An error means that the server is already gone.
        ended.wait_for(|ended| *ended).await.map_or((), drop)
    };
    let events = events.take_until(Box::pin(end)).map(Ok::<_, Infallible>);
    Sse::new(events).into_response()
}

impl Client {
    /// What was already there, after a message that only says where the client is, so that it can
    /// resume even if nothing ever happens.
    fn begin(&mut self) {
        let stream = Arc::clone(&self.stream);
        let first = stream.first.events.first();
        let start = first.map_or(stream.first.next, |event| event.id.saturating_sub(1));
        if !stream.first.is_stale {
            let event = Event::default().id(start.to_string());
            self.ready.push_back(event.retry(RETRY));
        }
        self.take(&stream.first);
        self.is_behind = true;
    }

    /// The next event; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.heartbeat = Instant::now() + HEARTBEAT;
                return Some(event);
            }
            let recent = self.tail.after(self.cursor);
            match recent.filter(|_| !self.is_behind) {
                None => self.read_store().await?,
                Some((events, next)) if next > self.cursor => {
                    let stream = Arc::clone(&self.stream);
                    let own = events.iter().filter(|event| stream.includes(event));
                    self.ready.extend(own.map(|event| to_sse(event)));
                    self.cursor = next;
                }
                Some(_) => self.wait().await?,
            }
        }
    }

    /// Waits for new events, or sends a heartbeat.
    async fn wait(&mut self) -> Option<()> {
        tokio::select! {
            changed = self.tail.changed() => changed,
            () = tokio::time::sleep_until(self.heartbeat) => {
                // Reading also checks that the caller may still read.
                self.read_store().await?;
                let event = Event::default().comment("").id(self.cursor.to_string());
                // After the events, because its number covers them.
                self.ready.push_back(event);
                Some(())
            }
        }
    }

    async fn read_store(&mut self) -> Option<()> {
        let (stream, cursor) = (Arc::clone(&self.stream), self.cursor);
        let read = tokio::task::spawn_blocking(move || stream.read(cursor)).await;
        match read {
            Ok(Ok(page)) => self.take(&page),
            // The client reconnects, and gets an answer that says why.
            Ok(Err(error)) => {
                tracing::info!(code = ?error.body.code, "an event stream ended");
                return None;
            }
            Err(error) => {
                tracing::error!(%error, "reading events panicked");
                return None;
            }
        }
        Some(())
    }

    fn take(&mut self, page: &EventPage) {
        self.cursor = page.next;
        self.is_behind = page.has_more;
        if page.is_stale {
            let event = Event::default().event("stale").id(page.next.to_string());
            let event = event.data(stale_data(page.next));
            self.ready.push_back(event.retry(RETRY));
        }
        self.ready.extend(page.events.iter().map(to_sse));
    }
}

fn to_sse(event: &StreamedEvent) -> Event {
    let sse = Event::default().id(event.id.to_string());
    sse.event(event.name).data(&event.data)
}
