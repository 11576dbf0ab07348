//! Requests that wait for a run. They hold no thread: each is woken by the changes of its run, and
//! then reads for a moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use baton_api::wire::Change;
use baton_api::{Actor, ApiError, Code, RunId};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

use crate::change_feed::ChangeFeed;

/// How many waiting requests read at once, so that others find threads.
const READS: usize = 8;

/// The waiting requests of all callers. Clones share the places.
#[derive(Clone)]
pub(crate) struct WaitingRequests {
    feed: ChangeFeed,
    /// Becomes true when the server shuts down.
    ended: watch::Receiver<bool>,
    places: Arc<Places>,
    reads: Arc<Semaphore>,
}

/// How many requests of each caller wait.
struct Places {
    limit: usize,
    taken: Mutex<HashMap<String, usize>>,
}

/// A request that may wait. Dropping it frees its place.
pub(crate) struct Place {
    places: Arc<Places>,
    bearer: String,
}

impl WaitingRequests {
    /// At most `limit` requests of each caller wait.
    pub(crate) fn new(feed: ChangeFeed, ended: watch::Receiver<bool>, limit: usize) -> Self {
        Self {
            feed,
            ended,
            places: Arc::new(Places {
                limit,
                taken: Mutex::default(),
            }),
            reads: Arc::new(Semaphore::new(READS)),
        }
    }

    /// Takes a place, before anything is done that the request would wait for.
    pub(crate) fn enter(&self, bearer: &Actor) -> Result<Place, ApiError> {
        let bearer = bearer.to_string();
        let limit = self.places.limit;
        let mut taken = self
            .places
            .taken
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(bearer.clone()).or_default();
        if *count >= limit {
            let message = format!("{limit} requests with this token are waiting already");
            return Err(ApiError::new(Code::Busy, message)
                .with_fix("wait until one of them has its answer, or don't wait"));
        }
        *count += 1;
        Ok(Place {
            places: Arc::clone(&self.places),
            bearer,
        })
    }

    /// Calls `look` until it returns something: now, and after each change of `run`. The last call,
    /// whose argument is true, is after `limit` or when the server shuts down. `None` if `look`
    /// panicked, or had nothing to return in the end.
    pub(crate) async fn wait<T, L>(&self, run: RunId, limit: Option<Duration>, look: L) -> Option<T>
    where
        T: Send + 'static,
        L: FnMut(bool) -> Option<T> + Send + 'static,
    {
        let deadline = limit.map(|limit| Instant::now() + limit);
        let (mut requests, mut look, mut is_last) = (
            self.clone(),
            look,
            limit.is_some_and(|limit| limit.is_zero()),
        );
        loop {
            // From before the look, so that no change is missed in between.
            let seen = requests.feed.latest();
            let place = Arc::clone(&requests.reads).acquire_owned().await.ok()?;
            let looked = tokio::task::spawn_blocking(move || {
                let found = look(is_last);
                drop(place);
                (found, look)
            });
            let (found, same) = looked
                .await
                .inspect_err(|error| tracing::error!(%error, "a waiting request panicked"))
                .ok()?;
            if found.is_some() || is_last {
                return found;
            }
            look = same;
            is_last = !requests.changed(run, seen, deadline).await;
        }
    }

    /// Waits for a change of `run` after `seen`. False at the deadline and when the server ends.
    async fn changed(&mut self, run: RunId, seen: u64, deadline: Option<Instant>) -> bool {
        let over = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        let Self { feed, ended, .. } = self;
        tokio::select! {
            changed = change_of(feed, run, seen) => changed,
            () = over => false,
            _ = ended.wait_for(|ended| *ended) => false,
        }
    }
}

/// Waits for a change after `seen` that can matter to those who wait for `run`. False when there
/// are no more changes.
async fn change_of(feed: &mut ChangeFeed, run: RunId, mut seen: u64) -> bool {
    while let Some(item) = feed.after(seen).await {
        seen = item.number;
        let concerns = match &item.change {
            Change::Run { run: changed, .. } => *changed == run,
            Change::RunDeleted { runs, .. } => runs.contains(&run),
            // A run that replans waits for its proposal.
            Change::Proposal { .. } | Change::PlanDeleted { .. } | Change::All => true,
            _ => false,
        };
        if concerns {
            return true;
        }
    }
    false
}

impl Drop for Place {
    fn drop(&mut self) {
        let taken = self.places.taken.lock();
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.bearer) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.bearer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;
    use crate::change_feed;

    fn requests(
        limit: usize,
    ) -> (
        change_feed::FeedWriter,
        watch::Sender<bool>,
        WaitingRequests,
    ) {
        let (writer, feed) = change_feed::open(0);
        let (ending, ended) = watch::channel(false);
        (writer, ending, WaitingRequests::new(feed, ended, limit))
    }

    const PLAN: &str = "00000000-0000-0000-0000-000000000009";

    fn run(number: u8) -> RunId {
        from_value(json!(format!(
            "00000000-0000-0000-0000-00000000000{number}"
        )))
        .expect("an id")
    }

    fn changed(run: RunId) -> Change {
        let change =
            json!({ "change": "run", "run": run, "plan": PLAN, "nodes": [], "whole": true });
        from_value(change).expect("a change")
    }

    #[test]
    fn place_is_free_again_after_the_request() {
        let (_writer, _ending, requests) = requests(1);
        let (one, other) = (
            Actor::Program("a".to_owned()),
            Actor::Program("b".to_owned()),
        );
        let place = requests.enter(&one).expect("a free place");
        let error = requests.enter(&one).err().expect("no free place");
        assert!(error.code == Code::Busy && error.retryable);
        assert!(requests.enter(&other).is_ok(), "each caller has its own");
        drop(place);
        assert!(requests.enter(&one).is_ok());
    }

    #[tokio::test]
    async fn only_changes_of_the_run_wake_its_request() {
        let (writer, _ending, requests) = requests(1);
        let (run, other) = (run(1), run(2));
        let (looked, mut looks) = tokio::sync::mpsc::unbounded_channel();
        let mut left = 2;
        let waiting = tokio::spawn(async move {
            let look = move |_| {
                looked.send(()).expect("a listener");
                left -= 1;
                (left == 0).then_some("at rest")
            };
            requests.wait(run, None, look).await
        });
        looks.recv().await.expect("the first look");
        writer.push(changed(other));
        writer.push(Change::Settings);
        writer.push(changed(run));
        assert_eq!(waiting.await.expect("no panic"), Some("at rest"));
        assert!(
            looks.recv().await.is_some() && looks.recv().await.is_none(),
            "two looks"
        );
    }

    #[tokio::test]
    async fn last_look_is_at_the_limit_or_at_the_end_of_the_server() {
        let (_writer, ending, requests) = requests(1);
        let run = run(1);
        let look = |is_last: bool| is_last.then_some(());
        let limit = Some(Duration::from_millis(1));
        assert_eq!(requests.wait(run, limit, look).await, Some(()));
        ending.send_replace(true);
        assert_eq!(requests.wait(run, None, look).await, Some(()));
    }
}
