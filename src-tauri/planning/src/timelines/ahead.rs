//! Reads long timelines ahead of whoever looks at them.
//!
//! A timeline of gigabytes takes seconds to be read. Whoever asks gets what can be read at once; the rest is read on a
//! thread of its own, in pieces between which others get their turn, and those who look on are told how far it came.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::TimelineReading;

#[cfg(test)]
mod tests;

/// How long somebody waits for a part that is there already; a hundred megabytes are read within it.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long others may have to wait for the thread that reads ahead.
const PIECE: Duration = Duration::from_millis(30);
/// How long it leaves the timeline to them.
const PAUSE: Duration = Duration::from_millis(1);
/// The time from one piece of news to the next.
const NEWS: Duration = Duration::from_millis(250);

/// A timeline that is read piece by piece.
pub(crate) trait Ahead {
    /// What can go wrong.
    type Error;

    /// Reads on until its end, or until so many entries are `enough`.
    fn read_on(&mut self, enough: &dyn Fn(u64) -> bool) -> Result<(), Self::Error>;

    /// How far it was read, unless that was all.
    fn unread(&self) -> Option<TimelineReading>;

    /// Whether a thread reads it ahead just now.
    fn is_read_ahead(&mut self) -> &mut bool;
}

/// What of a timeline has to be there before somebody goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The entry of this number, if there is one.
    Entry(u64),
    /// All of it: where its end is, nobody knows before.
    All,
}

impl Wanted {
    /// What somebody wants who asks for entries from this number on; a negative one counts from the end.
    pub(crate) fn from(first: i64) -> Self {
        u64::try_from(first).map_or(Self::All, Self::Entry)
    }

    fn is_there(self, entries: u64) -> bool {
        match self {
            Self::Entry(number) => entries > number,
            Self::All => false,
        }
    }
}

/// Reads what is wanted, and as much more as can be read at once; what is left is read ahead, and `tell` is called now
/// and then meanwhile. Gives how far that came, unless it was all.
pub(crate) fn read<T: Ahead + Send + 'static>(
    shared: &Arc<Mutex<T>>,
    timeline: &mut MutexGuard<'_, T>,
    wanted: Wanted,
    tell: impl Fn() + Send + 'static,
) -> Result<Option<TimelineReading>, T::Error> {
    let patience = if *timeline.is_read_ahead() {
        Duration::ZERO
    } else {
        PATIENCE
    };
    let until = Instant::now() + patience;
    timeline.read_on(&|entries| wanted.is_there(entries) && Instant::now() >= until)?;
    let unread = timeline.unread();
    if unread.is_some() && !std::mem::replace(timeline.is_read_ahead(), true) {
        let weak = Arc::downgrade(shared);
        let thread = std::thread::Builder::new().name("baton-timeline".to_owned());
        if let Err(error) = thread.spawn(move || read_ahead(&weak, tell)) {
            tracing::warn!(%error, "a long timeline is read only as far as somebody looks");
            *timeline.is_read_ahead() = false;
        }
    }
    Ok(unread)
}

/// Reads until the end, or until nobody keeps the timeline any more.
fn read_ahead<T: Ahead>(weak: &Weak<Mutex<T>>, tell: impl Fn()) {
    let mut told = Instant::now();
    loop {
        std::thread::sleep(PAUSE);
        let Some(shared) = weak.upgrade() else { return };
        let mut timeline = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let until = Instant::now() + PIECE;
        let read = timeline.read_on(&|_| Instant::now() >= until);
        // Whoever asks next is told of an error.
        let over = read.is_err() || timeline.unread().is_none();
        *timeline.is_read_ahead() = !over;
        drop(timeline);
        if over || told.elapsed() >= NEWS {
            told = Instant::now();
            tell();
        }
        if over {
            return;
        }
    }
}
