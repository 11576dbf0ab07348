//! Result types of the statistics. Unknown values are `None`; missing reports are counted
//! separately.

use baton_model::review::RejectionReason;
use baton_model::{NodeId, PlanId, RunId};
use serde::{Deserialize, Serialize};

/// Adds the derives that all statistics types share.
macro_rules! figures {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }
    )+};
}

figures! {
    /// Statistics over runs, plans, attempts, and usage.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct Statistics {
        pub runs: RunCounts,
        /// Share of completed runs among ended runs, from 0 to 1; `None` if none ended.
        pub completion_rate: Option<f64>,
        /// Elapsed time of ended runs: from start to end, including pauses.
        pub run_durations: Option<Durations>,
        /// All plans, whenever they were created.
        pub plans: PlanTotals,
        /// Attempts by node kind, most attempts first.
        pub kinds: Vec<NodeKindStatistics>,
        /// Attempts by agents, most attempts first.
        pub agents: Vec<AgentStatistics>,
        /// Plans with counted runs, by cost, then tokens, then number of runs; at most 50.
        /// Planners' plans are left out.
        pub by_plan: Vec<PlanStatistics>,
        /// Number of plans with counted runs beyond those in `by_plan`.
        pub more_plans: u32,
        /// Days with activity, in the local time of the machine that stores the data, earliest
        /// first.
        pub days: Vec<DailyStatistics>,
        /// Total usage of all agents.
        pub used: UsageTotals,
        /// Runs that another process took over.
        pub takeovers: TakeoverStatistics,
        /// Rejections, replans, and tools that nodes lacked.
        #[serde(default)]
        pub planning: PlanningStatistics,
        /// Rows that couldn't be read and are counted nowhere else.
        pub unreadable: u32,
    }
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Default)]
    pub struct RunCounts {
        pub running: u32,
        pub paused: u32,
        /// A planner is working on a new version.
        pub replanning: u32,
        /// No node can run without a person.
        pub stalled: u32,
        /// Every node in the goal is done or skipped.
        pub completed: u32,
        /// A node failed and ended the run, or no other node could run.
        pub failed: u32,
        pub cancelled: u32,
        /// Completed runs in which a node failed and was skipped.
        #[serde(default)]
        pub skipped_failures: u32,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct Durations {
        /// Number of durations measured.
        pub count: u32,
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub mean_ms: u64,
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub median_ms: u64,
    }
    /// Plans by review state, and their size.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanTotals {
        pub reviews: ReviewCounts,
        /// Mean number of executable nodes; `None` without plans.
        pub mean_nodes: Option<f64>,
        /// Median number of executable nodes; `None` without plans.
        pub median_nodes: Option<u32>,
        /// Largest number of executable nodes; `None` without plans.
        pub most_nodes: Option<u32>,
    }
    /// Plans by review state.
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Default)]
    pub struct ReviewCounts {
        pub draft: u32,
        /// Waiting for a person's decision.
        pub proposed: u32,
        pub approved: u32,
        pub rejected: u32,
        /// Rejected three times, so a person must review them.
        pub needs_review: u32,
        pub cancelled: u32,
    }
    /// Attempts of one kind of node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeKindStatistics {
        /// The kind as written in plan files; `None` for nodes that are no longer in their plan.
        pub kind: Option<String>,
        pub attempts: AttemptCounts,
        /// Worked time of ended attempts, from spawn to exit.
        pub durations: Option<Durations>,
        /// Most frequent reasons first; at most 5.
        pub failures: Vec<FailureCount>,
    }
    /// Attempts by one agent.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct AgentStatistics {
        pub agent: String,
        pub attempts: AttemptCounts,
        /// Worked time of ended attempts, from spawn to exit.
        pub durations: Option<Durations>,
        /// Most frequent reasons first; at most 5.
        pub failures: Vec<FailureCount>,
        pub used: UsageTotals,
    }
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Default)]
    pub struct AttemptCounts {
        /// Attempts whose session is reserved or running.
        pub live: u32,
        pub succeeded: u32,
        pub failed: u32,
        pub cancelled: u32,
        /// Lost in a crash, with unknown progress.
        pub lost: u32,
    }
    /// A reason why attempts failed.
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Default)]
    pub struct FailureCount {
        /// The part of the message that is the same for all of these attempts.
        pub reason: String,
        pub count: u32,
        /// The full message of the latest one.
        pub latest: String,
        /// Where the latest one happened; `None` for planners, whose runs can't be opened.
        #[serde(default)]
        pub latest_node: Option<FailedNode>,
    }
    /// A node of a run that had a failed attempt.
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Copy, Eq)]
    pub struct FailedNode {
        pub run: RunId,
        pub node: NodeId,
    }
    /// Runs of one plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanStatistics {
        pub plan: PlanId,
        pub title: String,
        pub runs: RunCounts,
        /// Elapsed time of ended runs, from start to end.
        pub durations: Option<Durations>,
        pub used: UsageTotals,
    }
    /// Activity on one day.
    #[derive(Default)]
    pub struct DailyStatistics {
        /// A date such as `2026-11-21`.
        pub day: String,
        /// Runs created on that day, by their current state.
        pub runs: RunCounts,
        /// Usage of the sessions created on that day.
        pub used: UsageTotals,
    }
    /// Usage as reported by agent sessions. Command sessions have no usage and aren't counted.
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Default)]
    pub struct UsageTotals {
        pub sessions: u32,
        /// Total of the sessions that reported tokens; `None` if none did.
        pub tokens: Option<Tokens>,
        /// Sessions that reported no tokens.
        pub without_tokens: u32,
        /// Cost in US dollars as estimated by the agents; `None` if none reported any.
        pub usd: Option<f64>,
        /// Sessions that reported no cost.
        pub without_usd: u32,
    }
    /// Token counts by type.
    #[derive(Default)]
    pub struct Tokens {
        /// Input tokens, without those read from the cache.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub input: u64,
        /// Output tokens written by the model.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub output: u64,
        /// Input tokens read from the cache.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub cache_read: u64,
        /// Input tokens written to the cache.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub cache_write: u64,
    }
    /// What people said about plans, and what plans lacked.
    #[derive(Default)]
    pub struct PlanningStatistics {
        /// Rejections of plans and proposals by reason, most frequent first.
        pub rejections: Vec<RejectionCount>,
        /// How often a planner was asked for a new version after a run.
        pub replans: u32,
        /// How many of those a person accepted.
        pub accepted_replans: u32,
        /// Tools that agents asked a person for, most frequent first; at most 20.
        pub tool_gaps: Vec<ToolGap>,
    }
    /// Rejections with the same reason.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RejectionCount {
        /// `None` if the person chose none.
        pub reason: Option<RejectionReason>,
        pub count: u32,
    }
    /// A tool that nodes didn't list and that their agents asked for.
    pub struct ToolGap {
        /// As the agent names it.
        pub tool: String,
        /// How often a person was asked.
        pub asked: u32,
    }
    /// Takeovers of running runs.
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Default)]
    pub struct TakeoverStatistics {
        pub count: u32,
        /// Number of runs that were taken over, without planner runs.
        #[serde(default)]
        pub runs: u32,
        /// Takeovers that displaced a live process, which noticed it later.
        pub displaced: u32,
        /// Takeovers after which no inherited session was lost.
        #[serde(default)]
        pub inherited_whole: u32,
        /// Share of all runs that were taken over, from 0 to 1; `None` without runs.
        #[serde(default)]
        pub takeover_rate: Option<f64>,
        /// Share of takeovers that displaced a live process; `None` without takeovers.
        #[serde(default)]
        pub displacement_rate: Option<f64>,
        /// Share of takeovers after which no inherited session was lost; `None` without takeovers.
        #[serde(default)]
        pub inherited_whole_rate: Option<f64>,
        /// Mean time without an executor, in milliseconds, where it is known.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub mean_recovery_ms: Option<u64>,
    }
}

impl RunCounts {
    /// Number of runs in any state.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.running + self.paused + self.replanning + self.stalled + self.ended()
    }

    /// Runs that have ended, with any outcome.
    #[must_use]
    pub fn ended(&self) -> u32 {
        self.completed + self.failed + self.cancelled
    }
}

impl AttemptCounts {
    /// Number of attempts with any outcome.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.live + self.succeeded + self.failed + self.cancelled + self.lost
    }
}

impl Tokens {
    /// Number of tokens of all types.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_read + self.cache_write
    }
}
