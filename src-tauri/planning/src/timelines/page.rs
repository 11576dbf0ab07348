//! Parameters and results of timeline queries.

use baton_agents::TimelineEntry;
use serde::{Deserialize, Serialize};

use crate::open_timelines::TimelineReading;

/// A range of entries in a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryRange {
    /// The number of the first entry; negative numbers count from the end.
    pub from: i64,
    /// The maximum number of entries.
    pub limit: u32,
    /// If set, only entries that changed after this revision.
    pub since: Option<u64>,
    /// Counts in the end of the timeline, which is read without the rest.
    pub of_end: bool,
}

/// A part of a timeline, as one request returns it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimelinePage {
    /// The entries of the requested range.
    pub entries: Vec<TimelineEntry>,
    /// The number of entries in the whole timeline so far, or in its end if that was asked for.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub total: u64,
    /// Increases with every change in the timeline.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub revision: u64,
    /// Whether the session has ended, so that no entries will follow.
    pub ended: bool,
    /// How far the files have been read; `None` once they are read completely. Until then `total`
    /// grows.
    pub reading: Option<TimelineReading>,
}

/// The entries that contain a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimelineHits {
    /// The numbers of the entries, in order.
    #[cfg_attr(feature = "bindings", ts(type = "number[]"))]
    pub entries: Vec<u64>,
    /// Whether there are more matches than the limit.
    pub more: bool,
    /// How far the files have been read and searched; `None` once they are read completely.
    pub reading: Option<TimelineReading>,
}
