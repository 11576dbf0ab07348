//! Timelines that are open in this process: indexes over the files of sessions and transcripts,
//! kept in memory for the next request. Nothing here knows [`Context`](crate::Context), which owns
//! these caches.

mod clock;
mod read_ahead;
mod session_timeline;
mod session_watcher;
mod timeline_reading;
mod transcript_timeline;

pub(crate) use read_ahead::{ReadTarget, read_until};
pub(crate) use session_timeline::{SessionLog, SessionTimeline, SessionTimelines};
pub(crate) use session_watcher::SessionWatcher;
pub use timeline_reading::TimelineReading;
pub(crate) use transcript_timeline::{TranscriptTimeline, TranscriptTimelines};
