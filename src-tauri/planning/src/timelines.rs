//! Timelines of sessions and of transcripts, read from files of any size.

mod ahead;
mod clock;
mod of_session;
mod of_transcript;
mod watches;

use baton_agents::TimelineEntry;
use serde::{Deserialize, Serialize};

pub use of_session::{entry, page, question, search};
pub use of_transcript::{
    entry as transcript_entry, page as transcript_page, search as transcript_search,
};

pub(crate) use of_session::Timelines;
pub(crate) use of_transcript::TranscriptTimelines;
pub(crate) use watches::Watches;

/// Which entries of a timeline somebody asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first entry; a negative number counts from the end.
    pub from: i64,
    /// The most entries.
    pub limit: u32,
    /// Only entries that changed after this revision.
    pub since: Option<u64>,
}

/// A part of a timeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimelinePage {
    /// The entries of the range.
    pub entries: Vec<TimelineEntry>,
    /// How many entries there are.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub total: u64,
    /// Grows when anything in the timeline changes.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub revision: u64,
    /// No entry will follow.
    pub ended: bool,
    /// How far the files were read, while that is not all: more entries follow by themselves, and `total` grows.
    pub reading: Option<TimelineReading>,
}

/// How far a long timeline was read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimelineReading {
    /// Bytes read.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub read: u64,
    /// Bytes there are.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub size: u64,
}

/// The entries that hold a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimelineHits {
    /// Their numbers, in order.
    #[cfg_attr(feature = "bindings", ts(type = "number[]"))]
    pub entries: Vec<u64>,
    /// There are more.
    pub more: bool,
    /// How far the files were read, while that is not all: only so far was searched.
    pub reading: Option<TimelineReading>,
}
