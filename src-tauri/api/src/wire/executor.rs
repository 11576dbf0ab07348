//! Executors: the processes that execute runs, and takeovers between them.

use baton_model::{ExecutorId, PlanId, RunId, Timestamp};
pub use baton_planning::{ExecutorHealth, RunExecutorView};
pub use baton_store::ExecutorKind;

use super::wire;

wire! {
    /// The executors of this data directory, with takeovers and silences.
    pub struct ExecutorsView {
        /// Live executors, and those that left a running run behind.
        pub executors: Vec<ExecutorView>,
        /// Totals over all takeovers.
        pub numbers: TakeoverNumbers,
        /// Recent takeovers, newest first.
        pub takeovers: Vec<TakeoverView>,
        /// Recent silences of executors, newest first.
        #[serde(default)]
        pub silences: Vec<SilenceView>,
    }
    /// An executor and its health.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ExecutorView {
        /// New for each process start.
        pub id: ExecutorId,
        pub kind: ExecutorKind,
        pub pid: u32,
        /// Hostname of the machine.
        pub host: String,
        /// It is the process that answers this call.
        pub here: bool,
        pub health: ExecutorHealth,
        /// Time since its last heartbeat, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub silence_ms: u64,
        /// Start of its current silence, if the monitors recorded one.
        #[serde(default)]
        pub silent_since: Option<Timestamp>,
        pub started_at: Timestamp,
        /// Time of its last heartbeat.
        pub last_beat: Timestamp,
        /// Running runs that it executes, or executed last.
        pub runs: Vec<ExecutedRun>,
    }
    /// A period in which an executor sent no heartbeat.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct SilenceView {
        pub executor: ExecutorId,
        pub pid: u32,
        pub kind: ExecutorKind,
        /// Hostname of the machine.
        pub host: String,
        /// The last heartbeat before the silence.
        pub since: Timestamp,
        /// When its heartbeat returned; `None` if it hasn't.
        pub back_at: Option<Timestamp>,
    }
    /// A running run of an executor.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ExecutedRun {
        pub run: RunId,
        pub plan: PlanId,
        /// The plan's title at that time.
        pub title: String,
    }
    /// Totals over all takeovers.
    pub struct TakeoverNumbers {
        /// Takeovers of running runs.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub takeovers: u64,
        /// Takeovers that displaced a live executor, which noticed it later.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub displacements: u64,
        /// Takeovers after which no inherited session was lost.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub inherited_whole: u64,
        /// Mean time from the last heartbeat to the takeover, in milliseconds; `None` if unknown.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub mean_recovery_ms: Option<u64>,
    }
    /// One takeover of a running run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TakeoverView {
        pub run: RunId,
        pub plan: PlanId,
        /// The plan's title at that time.
        pub title: String,
        pub at: Timestamp,
        /// Pid of the previous executor, if known.
        pub from_pid: Option<u32>,
        /// Kind of the previous executor, if known.
        pub from_kind: Option<ExecutorKind>,
        /// Milliseconds from the previous executor's last heartbeat to the takeover.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub recovery_ms: Option<u64>,
        /// Nodes that were already done and aren't run again.
        pub done_nodes: u32,
        /// Sessions that were reserved or running.
        pub live_sessions: u32,
        /// How many of those were lost in the end.
        pub lost_sessions: u32,
        /// When the previous executor noticed; `None` if it was dead.
        pub displaced_at: Option<Timestamp>,
    }
}
