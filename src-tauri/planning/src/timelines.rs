//! Queries for timelines of sessions and transcripts, whose files can have any size.

mod page;
mod session_timelines;
mod transcript_timelines;

pub use session_timelines::{entry, page, question, search};
pub use transcript_timelines::{
    entry as transcript_entry, page as transcript_page, search as transcript_search,
};

pub use crate::open_timelines::TimelineReading;
pub use page::{EntryRange, TimelineHits, TimelinePage};
