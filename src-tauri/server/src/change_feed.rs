//! A numbered buffer of the latest changes, for any number of readers.
//!
//! One thread pushes the application's changes; each reader remembers its position and fetches what
//! follows. A reader that falls behind the buffer gets `Change::All`, and must reload from the
//! store.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use baton_api::wire::Change;
use tokio::sync::watch;

/// How many changes are kept for readers that reconnect.
const CAPACITY: usize = 1024;

/// A change and its position in the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberedChange {
    /// Increasing within a server process, and from one start to the next.
    pub(crate) number: u64,
    pub(crate) change: Change,
}

/// The reading end of the feed. Clones share the buffer.
#[derive(Clone)]
pub(crate) struct ChangeFeed {
    buffer: Arc<Mutex<Buffer>>,
    latest: watch::Receiver<u64>,
}

/// The writing end. Dropping it ends the feed.
pub(crate) struct FeedWriter {
    buffer: Arc<Mutex<Buffer>>,
    latest: watch::Sender<u64>,
}

struct Buffer {
    first: u64,
    changes: VecDeque<Change>,
}

impl Buffer {
    fn next(&self) -> u64 {
        self.first + self.changes.len() as u64
    }
}

/// Creates an empty feed whose first change gets the number `start + 1`.
pub(crate) fn open(start: u64) -> (FeedWriter, ChangeFeed) {
    let buffer = Arc::new(Mutex::new(Buffer {
        first: start + 1,
        changes: VecDeque::new(),
    }));
    let (sender, receiver) = watch::channel(start);
    (
        FeedWriter {
            buffer: Arc::clone(&buffer),
            latest: sender,
        },
        ChangeFeed {
            buffer,
            latest: receiver,
        },
    )
}

/// Returns where the numbers of a server that starts now begin: the time in microseconds. That is
/// above every number of an earlier start, unless it averaged more than a million changes a second.
pub(crate) fn initial_number() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(0)
}

impl FeedWriter {
    /// Appends a change and wakes the readers.
    pub(crate) fn push(&self, change: Change) {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.changes.len() == CAPACITY {
            buffer.changes.pop_front();
            buffer.first += 1;
        }
        buffer.changes.push_back(change);
        self.latest.send_replace(buffer.next() - 1);
    }
}

impl ChangeFeed {
    /// Returns the number of the latest change.
    pub(crate) fn latest(&self) -> u64 {
        *self.latest.borrow()
    }

    /// Waits for the change after number `after`. Returns `None` when the feed has ended.
    pub(crate) async fn after(&mut self, after: u64) -> Option<NumberedChange> {
        loop {
            self.latest.borrow_and_update();
            if let Some(item) = self.get(after) {
                return Some(item);
            }
            self.latest.changed().await.ok()?;
        }
    }

    fn get(&self, after: u64) -> Option<NumberedChange> {
        let buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        if after < buffer.first - 1 || after >= buffer.next() {
            // Either no longer in the buffer, or never issued by this server.
            return Some(NumberedChange {
                number: buffer.next() - 1,
                change: Change::All,
            });
        }
        let at = usize::try_from(after + 1 - buffer.first).ok()?;
        buffer.changes.get(at).map(|change| NumberedChange {
            number: after + 1,
            change: change.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn numbers(feed: &mut ChangeFeed, mut after: u64, count: usize) -> Vec<(u64, bool)> {
        let mut found = Vec::new();
        for _ in 0..count {
            let Some(item) = feed.after(after).await else {
                break;
            };
            after = item.number;
            found.push((item.number, item.change == Change::All));
        }
        found
    }

    #[tokio::test]
    async fn reader_resumes_after_its_last_number() {
        let (writer, mut feed) = open(100);
        (0..3).for_each(|_| writer.push(Change::Settings));
        assert_eq!(feed.latest(), 103);
        assert_eq!(
            numbers(&mut feed, 100, 3).await,
            [(101, false), (102, false), (103, false)]
        );
        assert_eq!(numbers(&mut feed, 102, 1).await, [(103, false)]);
    }

    #[tokio::test]
    async fn waiting_reader_is_woken() {
        let (writer, mut feed) = open(0);
        let waiting = tokio::spawn(async move { numbers(&mut feed, 0, 2).await });
        tokio::task::yield_now().await;
        writer.push(Change::Settings);
        drop(writer);
        assert_eq!(
            waiting.await.ok(),
            Some(vec![(1, false)]),
            "the reader ends with the feed"
        );
    }

    #[tokio::test]
    async fn reader_that_fell_behind_gets_change_all() {
        let (writer, mut feed) = open(5000);
        (0..CAPACITY + 10).for_each(|_| writer.push(Change::Settings));
        let latest = 5000 + CAPACITY as u64 + 10;
        for (after, why) in [
            (5000, "no longer kept"),
            (17, "from an earlier start"),
            (u64::MAX, "never issued"),
        ] {
            assert_eq!(
                numbers(&mut feed, after, 1).await,
                [(latest, true)],
                "{why}"
            );
        }
        assert_eq!(
            numbers(&mut feed, 5010, 1).await,
            [(5011, false)],
            "the oldest in the buffer"
        );
    }
}
