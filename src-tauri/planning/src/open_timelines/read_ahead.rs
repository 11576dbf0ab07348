//! Reads long timelines in the background.
//!
//! Reading a timeline of gigabytes takes seconds. A request returns what can be read at once. A
//! thread reads the rest in slices, between which requests can lock the timeline, and reports its
//! progress.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::timeline_reading::TimelineReading;

#[cfg(test)]
mod tests;

/// How long a request reads beyond what it needs. That is enough for a hundred megabytes.
const MAX_WAIT: Duration = Duration::from_millis(200);
/// How long the background thread holds the lock of the timeline.
const SLICE: Duration = Duration::from_millis(30);
/// How long the background thread leaves the timeline to requests.
const YIELD_TIME: Duration = Duration::from_millis(1);
/// The minimum time between progress notifications.
const UPDATE_INTERVAL: Duration = Duration::from_millis(250);

/// A timeline that can be read in parts.
pub(crate) trait ReadAhead {
    /// The error type of reading.
    type Error;

    /// Continues reading until the end, or until the number of entries is `enough`.
    fn read_on(&mut self, enough: &dyn Fn(u64) -> bool) -> Result<(), Self::Error>;

    /// How far it was read; `None` if completely.
    fn unread(&self) -> Option<TimelineReading>;

    /// Whether a background thread is reading it.
    fn is_reading_ahead(&mut self) -> &mut bool;
}

/// How much of a timeline must be read for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadTarget {
    /// Up to the entry with this number, if it exists.
    Entry(u64),
    /// Nothing: the request reads the end on its own.
    Nothing,
    /// Completely, because the position is relative to the end.
    All,
}

impl ReadTarget {
    /// The target for entries starting at `first`; negative numbers count from the end.
    pub(crate) fn from(first: i64) -> Self {
        u64::try_from(first).map_or(Self::All, Self::Entry)
    }

    fn is_reached(self, entries: u64) -> bool {
        match self {
            Self::Nothing => true,
            Self::Entry(number) => entries > number,
            Self::All => false,
        }
    }
}

/// Reads what is wanted and as much more as is possible at once. A background thread reads the rest
/// and calls `on_progress` from time to time. Returns how far the timeline was read; `None` if
/// completely.
pub(crate) fn read_until<T: ReadAhead + Send + 'static>(
    shared: &Arc<Mutex<T>>,
    timeline: &mut MutexGuard<'_, T>,
    wanted: ReadTarget,
    on_progress: impl Fn() + Send + 'static,
) -> Result<Option<TimelineReading>, T::Error> {
    let wait = if wanted == ReadTarget::Nothing || *timeline.is_reading_ahead() {
        Duration::ZERO
    } else {
        MAX_WAIT
    };
    let until = Instant::now() + wait;
    timeline.read_on(&|entries| wanted.is_reached(entries) && Instant::now() >= until)?;
    let unread = timeline.unread();
    if unread.is_some() && !std::mem::replace(timeline.is_reading_ahead(), true) {
        let weak = Arc::downgrade(shared);
        let thread = std::thread::Builder::new().name("baton-timeline".to_owned());
        if let Err(error) = thread.spawn(move || read_rest(&weak, on_progress)) {
            tracing::warn!(%error, "a long timeline is read only on demand");
            *timeline.is_reading_ahead() = false;
        }
    }
    Ok(unread)
}

/// Reads until the end, or until the timeline was dropped.
fn read_rest<T: ReadAhead>(weak: &Weak<Mutex<T>>, on_progress: impl Fn()) {
    let mut last_update = Instant::now();
    loop {
        std::thread::sleep(YIELD_TIME);
        let Some(shared) = weak.upgrade() else { return };
        let mut timeline = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let until = Instant::now() + SLICE;
        let read = timeline.read_on(&|_| Instant::now() >= until);
        // The next request reports the error.
        let over = read.is_err() || timeline.unread().is_none();
        *timeline.is_reading_ahead() = !over;
        drop(timeline);
        if over || last_update.elapsed() >= UPDATE_INTERVAL {
            last_update = Instant::now();
            on_progress();
        }
        if over {
            return;
        }
    }
}
