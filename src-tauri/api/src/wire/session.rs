//! Sessions and their timelines.

use baton_agents::Usage;
use baton_model::{Attempt, NodeId, PlanId, RunId, SessionId, Timestamp, WorkTime};

pub use baton_planning::{TimelineHits, TimelinePage, TimelineReading};

use super::wire;

wire! {
    #[expect(missing_docs, reason = "the names say it")]
    pub struct SessionRef {
        pub session: SessionId,
    }
    /// Selects the sessions to list.
    pub struct SessionsFilter {
        /// Only sessions of this run.
        pub run: Option<RunId>,
        /// Maximum number of sessions, latest first.
        pub limit: u32,
    }
    /// A session as shown in lists.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct SessionView {
        pub id: SessionId,
        pub plan: PlanId,
        pub plan_title: String,
        pub run: RunId,
        pub node: NodeId,
        pub title: String,
        pub attempt: Attempt,
        /// The agent that ran it; `None` for commands.
        pub agent: Option<String>,
        /// Why this agent was chosen, as text; `None` for commands, and in runs of earlier
        /// versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub reason: Option<String>,
        /// The agent's own id for the session.
        pub native_id: Option<String>,
        /// Id of its transcript in the agent's own history, if indexed.
        pub transcript: Option<String>,
        /// The command line that was started.
        pub argv: Vec<String>,
        pub cwd: String,
        /// The folder that contains its files.
        pub folder: String,
        pub started_at: Option<Timestamp>,
        pub ended_at: Option<Timestamp>,
        /// How long it waited and worked.
        #[serde(default)]
        pub times: WorkTime,
        /// Its process is running.
        pub live: bool,
        /// Unknown usage is null, not 0.
        pub usage: Usage,
        /// Bytes on standard output so far.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub stdout_bytes: u64,
        /// Bytes on standard error so far.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub stderr_bytes: u64,
    }
    /// Asks for part of a timeline.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TimelineRange {
        pub session: SessionId,
        /// Index of the first entry, from 0; a negative one counts from the end.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub from: i64,
        /// Maximum number of entries.
        pub limit: u32,
        /// Only entries that changed after this revision; `None` for the whole range.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub since: Option<u64>,
        /// Counts in the end of the timeline, which is there at once even if the rest isn't read
        /// yet: its first entry is 0. If all is read, a negative `from` gets the usual numbers.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub of_end: bool,
    }
    /// References an entry of a timeline.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TimelineEntryRef {
        pub session: SessionId,
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// `seq` counts in the end of the timeline, as in [`TimelineRange`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub of_end: bool,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TimelineSearch {
        pub session: SessionId,
        /// The text to find, ignoring case.
        pub text: String,
        /// Maximum number of matches.
        pub limit: u32,
    }
}
