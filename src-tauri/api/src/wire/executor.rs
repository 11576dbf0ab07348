//! The processes that execute runs, and how runs changed hands between them.

use baton_model::{ExecutorId, PlanId, RunId, Timestamp};
pub use baton_planning::{Attendance, ExecutorHealth};
pub use baton_store::ExecutorKind;

use super::wire;

wire! {
    /// The executors of this data directory, and how runs changed hands.
    pub struct ExecutorsView {
        /// Those that live, and those that left a running run behind.
        pub executors: Vec<ExecutorView>,
        /// All takeovers in numbers.
        pub numbers: TakeoverNumbers,
        /// The last takeovers, the newest first.
        pub takeovers: Vec<TakeoverView>,
        /// The last silences of executors, the newest first.
        #[serde(default)]
        pub silences: Vec<SilenceView>,
    }
    /// One executor.
    pub struct ExecutorView {
        /// Its id, new with each start.
        pub id: ExecutorId,
        /// What kind of process it is.
        pub kind: ExecutorKind,
        /// Its process id.
        pub pid: u32,
        /// The machine's name.
        pub host: String,
        /// It is the process that answers.
        pub here: bool,
        /// How it is.
        pub health: ExecutorHealth,
        /// For how long it has said nothing, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub silence_ms: u64,
        /// Since when it is silent for longer than it should be, as those who watch have stored it.
        #[serde(default)]
        pub silent_since: Option<Timestamp>,
        /// When it started.
        pub started_at: Timestamp,
        /// When it last said that it lives.
        pub last_beat: Timestamp,
        /// The running runs that it executes, or did last.
        pub runs: Vec<ExecutedRun>,
    }
    /// One silence of an executor.
    pub struct SilenceView {
        /// The executor.
        pub executor: ExecutorId,
        /// Its process id.
        pub pid: u32,
        /// What kind of process it is.
        pub kind: ExecutorKind,
        /// The machine's name.
        pub host: String,
        /// Its last word before.
        pub since: Timestamp,
        /// When it was heard again; none as long as it was not.
        pub back_at: Option<Timestamp>,
    }
    /// A running run of an executor.
    pub struct ExecutedRun {
        /// The run.
        pub run: RunId,
        /// Its plan.
        pub plan: PlanId,
        /// The plan's title at that time.
        pub title: String,
    }
    /// All takeovers in numbers.
    pub struct TakeoverNumbers {
        /// Takeovers of running runs.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub takeovers: u64,
        /// How many of them displaced an executor that lived to notice.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub displacements: u64,
        /// After how many of them no inherited session was lost.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub inherited_whole: u64,
        /// The mean time from the last beat to the takeover, in milliseconds; none while it is not known.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub mean_recovery_ms: Option<u64>,
    }
    /// One takeover of a running run.
    pub struct TakeoverView {
        /// The run.
        pub run: RunId,
        /// Its plan.
        pub plan: PlanId,
        /// The plan's title at that time.
        pub title: String,
        /// When.
        pub at: Timestamp,
        /// The process that had the run before, if it is known.
        pub from_pid: Option<u32>,
        /// What kind of process that was.
        pub from_kind: Option<ExecutorKind>,
        /// Milliseconds from its last beat to the takeover.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub recovery_ms: Option<u64>,
        /// The nodes that were done already and are not run again.
        pub done_nodes: u32,
        /// The sessions that were reserved or lived.
        pub live_sessions: u32,
        /// How many of those were lost in the end.
        pub lost_sessions: u32,
        /// When the one before found out; none when it was dead.
        pub displaced_at: Option<Timestamp>,
    }
}
