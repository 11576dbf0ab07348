//! Sessions and their timelines.

use baton_agents::Usage;
use baton_model::{Attempt, NodeId, PlanId, RunId, SessionId, Timestamp};

pub use baton_planning::{TimelineHits, TimelinePage, TimelineReading};

use super::wire;

wire! {
    /// Names a session.
    pub struct SessionRef {
        /// The session.
        pub session: SessionId,
    }
    /// Which sessions.
    pub struct SessionsFilter {
        /// Of this run only.
        pub run: Option<RunId>,
        /// At most so many, the latest first.
        pub limit: u32,
    }
    /// A session in one line.
    pub struct SessionView {
        /// The session.
        pub id: SessionId,
        /// The plan it belongs to.
        pub plan: PlanId,
        /// The plan's title.
        pub plan_title: String,
        /// The run it belongs to.
        pub run: RunId,
        /// The node it belongs to.
        pub node: NodeId,
        /// The node's title.
        pub title: String,
        /// The attempt it belongs to.
        pub attempt: Attempt,
        /// Which agent; none for commands.
        pub agent: Option<String>,
        /// Why it is this agent, in words; none for commands, and in runs of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub reason: Option<String>,
        /// The agent's own name for it.
        pub native_id: Option<String>,
        /// Its transcript in the agent's own history, as far as the index knows it.
        pub transcript: Option<String>,
        /// The command line that was started.
        pub argv: Vec<String>,
        /// Where.
        pub cwd: String,
        /// The folder that holds its files.
        pub folder: String,
        /// When it started.
        pub started_at: Option<Timestamp>,
        /// When it ended.
        pub ended_at: Option<Timestamp>,
        /// Its process lives.
        pub live: bool,
        /// What it used; unknown is not 0.
        pub usage: Usage,
        /// Bytes on standard output so far.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub stdout_bytes: u64,
        /// Bytes on standard error so far.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub stderr_bytes: u64,
    }
    /// A part of a timeline.
    pub struct TimelineRange {
        /// The session.
        pub session: SessionId,
        /// The first entry wanted, from 0; a negative one counts from the end.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub from: i64,
        /// At most so many.
        pub limit: u32,
        /// Only entries that changed after this revision; none: all of the range.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub since: Option<u64>,
    }
    /// Names an entry of a timeline.
    pub struct TimelineEntryRef {
        /// The session.
        pub session: SessionId,
        /// The entry's number.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
    }
    /// A search in a timeline.
    pub struct TimelineSearch {
        /// The session.
        pub session: SessionId,
        /// What to look for, in any case.
        pub text: String,
        /// At most so many.
        pub limit: u32,
    }
}
