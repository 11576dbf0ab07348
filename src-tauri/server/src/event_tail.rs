//! The latest events of all plans, read once for any number of clients.
//!
//! It is only a shortcut: a client whose number isn't in it any more reads the store.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use baton_api::wire::Change;
use baton_api::{Actor, ApiError, App};
use baton_rest::{EventPage, RestError, StreamedEvent, read_events};
use tokio::sync::watch;

use crate::change_feed::ChangeFeed;

/// How many events are kept.
const CAPACITY: usize = 2048;
/// The delay before the store is read again after it couldn't be.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The writing end, with the task that follows the changes.
pub(crate) struct EventTail {
    state: Arc<Mutex<Recent>>,
    latest: watch::Sender<u64>,
}

/// A client's end.
pub(crate) struct Tail {
    state: Arc<Mutex<Recent>>,
    latest: watch::Receiver<u64>,
}

/// All events after `start` up to `end`.
#[derive(Debug, Default)]
struct Recent {
    start: u64,
    end: u64,
    events: VecDeque<Arc<StreamedEvent>>,
}

impl Recent {
    /// The events after `after`, and the number to continue after; `None` if they aren't all here.
    fn after(&self, after: u64) -> Option<(Vec<Arc<StreamedEvent>>, u64)> {
        if after < self.start {
            return None;
        }
        let first = self.events.partition_point(|event| event.id <= after);
        let events = self.events.range(first..).cloned().collect();
        Some((events, self.end))
    }

    fn add(&mut self, page: EventPage) {
        if page.is_stale {
            self.begin_at(page.next);
            return;
        }
        self.events.extend(page.events.into_iter().map(Arc::new));
        self.end = page.next;
        while self.events.len() > CAPACITY {
            if let Some(oldest) = self.events.pop_front() {
                self.start = oldest.id;
            }
        }
    }

    fn begin_at(&mut self, number: u64) {
        self.events.clear();
        self.start = number;
        self.end = number;
    }
}

impl EventTail {
    /// Starts to follow the changes of `feed` until the server ends.
    pub(crate) fn follow(
        app: &App,
        feed: ChangeFeed,
        mut ended: watch::Receiver<bool>,
    ) -> Arc<Self> {
        let tail = Arc::new(Self {
            state: Arc::default(),
            latest: watch::Sender::new(0),
        });
        let reader = Arc::new(Reader(app.acting_as(Actor::Baton)));
        let follower = Arc::clone(&tail);
        tokio::spawn(async move {
            tokio::select! {
                () = follower.run(reader, feed) => {}
                _ = ended.wait_for(|ended| *ended) => {}
            }
        });
        tail
    }

    /// Subscribes to events from now on.
    pub(crate) fn subscribe(&self) -> Tail {
        Tail {
            state: Arc::clone(&self.state),
            latest: self.latest.subscribe(),
        }
    }

    async fn run(&self, reader: Arc<Reader>, mut feed: ChangeFeed) {
        let mut seen = feed.latest();
        // Whether the events since the last reading are still missing.
        let mut is_behind = true;
        while let Some(item) = feed.after(seen).await {
            seen = item.number;
            if !concerns_plans(&item.change) {
                continue;
            }
            if self.latest.receiver_count() == 0 {
                is_behind = true;
                continue;
            }
            // Reading covers all changes up to now.
            seen = seen.max(feed.latest());
            while let Err(error) = self.read(&reader, is_behind).await {
                tracing::warn!(message = %error.body.message, "couldn't read events");
                tokio::time::sleep(RETRY_DELAY).await;
            }
            is_behind = false;
        }
    }

    /// Reads what is new. After a time without clients, what they missed is left to them.
    async fn read(&self, reader: &Arc<Reader>, is_behind: bool) -> Result<(), RestError> {
        let mut after = (!is_behind).then(|| lock(&self.state).end);
        loop {
            let reader = Arc::clone(reader);
            let read = tokio::task::spawn_blocking(move || read_events(reader, after)).await;
            let page = read.map_err(|error| {
                RestError::new(baton_rest::ErrorCode::Internal, error.to_string())
            })??;
            let (next, has_more) = (page.next, page.has_more);
            match after {
                Some(_) => lock(&self.state).add(page),
                None => lock(&self.state).begin_at(next),
            }
            self.latest.send_replace(next);
            if !has_more {
                return Ok(());
            }
            after = Some(next);
        }
    }
}

impl Tail {
    /// The events after `after`, and the number to continue after; `None` if they aren't all here.
    pub(crate) fn after(&self, after: u64) -> Option<(Vec<Arc<StreamedEvent>>, u64)> {
        lock(&self.state).after(after)
    }

    /// Waits until there may be more. `None` when the server ends.
    pub(crate) async fn changed(&mut self) -> Option<()> {
        self.latest.changed().await.ok()
    }
}

fn lock(state: &Mutex<Recent>) -> MutexGuard<'_, Recent> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn concerns_plans(change: &Change) -> bool {
    matches!(
        change,
        Change::Plan { .. }
            | Change::PlanDeleted { .. }
            | Change::Run { .. }
            | Change::RunDeleted { .. }
            | Change::Proposal { .. }
            | Change::All
    )
}

/// Reads for all clients. Each of them was allowed to read when its stream began.
struct Reader(App);

impl baton_rest::Caller for Reader {
    fn app_for(&self, _operation: &str) -> Result<App, ApiError> {
        Ok(self.0.acting_as(Actor::Baton))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(ids: &[u64], next: u64) -> EventPage {
        EventPage {
            events: ids.iter().map(|id| StreamedEvent::numbered(*id)).collect(),
            next,
            ..EventPage::default()
        }
    }

    fn ids(recent: &Recent, after: u64) -> Option<(Vec<u64>, u64)> {
        let (events, next) = recent.after(after)?;
        Some((events.iter().map(|event| event.id).collect(), next))
    }

    #[test]
    fn client_that_is_too_far_behind_reads_the_store() {
        let mut recent = Recent::default();
        recent.begin_at(10);
        recent.add(page(&[12, 15], 20));
        assert_eq!(ids(&recent, 9), None);
        assert_eq!(ids(&recent, 10), Some((vec![12, 15], 20)));
        assert_eq!(ids(&recent, 12), Some((vec![15], 20)));
        assert_eq!(ids(&recent, 30), Some((vec![], 20)), "it is ahead");
        let many: Vec<u64> = (21..21 + CAPACITY as u64).collect();
        recent.add(page(&many, 5000));
        assert_eq!(ids(&recent, 14), None, "no longer kept");
        assert_eq!(ids(&recent, 15).map(|(ids, _)| ids.len()), Some(CAPACITY));
    }
}
