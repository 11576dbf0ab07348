//! The figures themselves. What is not known is `None`; what was not told is counted apart.

use baton_model::PlanId;
use serde::{Deserialize, Serialize};

/// Gives the figures the derives that they all have.
macro_rules! figures {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }
    )+};
}

figures! {
    /// What runs come to in numbers.
    pub struct Statistics {
        /// The runs by how they go.
        pub runs: RunCounts,
        /// The share of completed runs among those that came to their end, from 0 to 1; `None` when none did.
        pub completion_rate: Option<f64>,
        /// From begin to end, of the runs that came to their end. Pauses count.
        pub run_durations: Option<Durations>,
        /// The plans, whenever they were made.
        pub plans: PlansFigures,
        /// The attempts by the kind of their node, the most attempts first.
        pub kinds: Vec<KindFigures>,
        /// The attempts of agents by agent, the most attempts first.
        pub agents: Vec<AgentFigures>,
        /// The plans that have runs here, the most expensive first, then the most tokens, then the most runs; at most 50.
        /// Those in which planners work are none of them.
        pub by_plan: Vec<PlanFigures>,
        /// How many more plans have runs here.
        pub more_plans: u32,
        /// The days on which something was begun, by the clock of the machine that keeps the data, the first one first.
        pub days: Vec<DayFigures>,
        /// What all agents used.
        pub used: Used,
        /// Runs that another process took over.
        pub takeovers: TakeoverFigures,
        /// Rows that could not be read and are counted nowhere.
        pub unreadable: u32,
    }
    /// Runs by how they go.
    #[derive(Default)]
    pub struct RunCounts {
        /// Nodes run, or could.
        pub running: u32,
        /// Nothing runs until a person resumes.
        pub paused: u32,
        /// A planner works on a new version.
        pub replanning: u32,
        /// No node can go on without a person.
        pub stalled: u32,
        /// Every wanted node is done or skipped.
        pub completed: u32,
        /// A node failed and ended the run, or nothing more was possible.
        pub failed: u32,
        /// A person ended it.
        pub cancelled: u32,
        /// Those of the completed ones in which a node failed and was skipped over.
        #[serde(default)]
        pub skipped_failures: u32,
    }
    /// Spans of time, in milliseconds.
    pub struct Durations {
        /// How many were measured.
        pub count: u32,
        /// Their mean.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub mean_ms: u64,
        /// Half of them were no longer than this.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub median_ms: u64,
    }
    /// The plans by their review, and their size.
    pub struct PlansFigures {
        /// By review.
        pub reviews: ReviewCounts,
        /// Executable nodes of a plan, in the mean; `None` without plans.
        pub mean_nodes: Option<f64>,
        /// Half of the plans have no more than this.
        pub median_nodes: Option<u32>,
        /// The most that a plan has.
        pub most_nodes: Option<u32>,
    }
    /// Plans by their review.
    #[derive(Default)]
    pub struct ReviewCounts {
        /// Being written.
        pub draft: u32,
        /// Waiting for a person's word.
        pub proposed: u32,
        /// May run.
        pub approved: u32,
        /// A person said no.
        pub rejected: u32,
        /// Rejected three times.
        pub needs_review: u32,
        /// Withdrawn.
        pub cancelled: u32,
    }
    /// The attempts of one kind of node.
    pub struct KindFigures {
        /// The word for the kind, as plan files have it; `None` for nodes that are no longer in their plan.
        pub kind: Option<String>,
        /// How they ended.
        pub attempts: AttemptCounts,
        /// From start to end, of those that came to their end.
        pub durations: Option<Durations>,
        /// Why they failed, the commonest first; at most 5.
        pub failures: Vec<FailureCount>,
    }
    /// The attempts of one agent.
    pub struct AgentFigures {
        /// Its name.
        pub agent: String,
        /// How they ended.
        pub attempts: AttemptCounts,
        /// From start to end, of those that came to their end.
        pub durations: Option<Durations>,
        /// Why they failed, the commonest first; at most 5.
        pub failures: Vec<FailureCount>,
        /// What they used.
        pub used: Used,
    }
    /// Attempts by how they ended.
    #[derive(Default)]
    pub struct AttemptCounts {
        /// Reserved or under way.
        pub live: u32,
        /// The work was done.
        pub succeeded: u32,
        /// It was not.
        pub failed: u32,
        /// Somebody asked for the end.
        pub cancelled: u32,
        /// Lost to a crash; how far they came is not known.
        pub lost: u32,
    }
    /// A reason for which attempts failed.
    #[derive(Default)]
    pub struct FailureCount {
        /// The reason in words, without what differs from case to case.
        pub reason: String,
        /// How many attempts.
        pub count: u32,
        /// The whole words of the latest one.
        pub latest: String,
    }
    /// The runs of one plan.
    pub struct PlanFigures {
        /// The plan.
        pub plan: PlanId,
        /// Its title.
        pub title: String,
        /// Its runs.
        pub runs: RunCounts,
        /// From begin to end, of the runs that came to their end.
        pub durations: Option<Durations>,
        /// What its agents used.
        pub used: Used,
    }
    /// What was begun on one day.
    #[derive(Default)]
    pub struct DayFigures {
        /// The day: `2026-11-21`.
        pub day: String,
        /// The runs that were begun, by how they go now.
        pub runs: RunCounts,
        /// What the sessions used that were begun.
        pub used: Used,
    }
    /// What sessions of agents used, as far as they told. Sessions of commands use nothing and are not among them.
    #[derive(Default)]
    pub struct Used {
        /// How many sessions.
        pub sessions: u32,
        /// The sum over those that told it; `None` when none did.
        pub tokens: Option<Tokens>,
        /// Sessions that did not tell their tokens.
        pub without_tokens: u32,
        /// The agents' own estimate of the price in US dollars, over those that told it; `None` when none did.
        pub usd: Option<f64>,
        /// Sessions that did not tell their price.
        pub without_usd: u32,
    }
    /// Tokens by where they went.
    #[derive(Default)]
    pub struct Tokens {
        /// Read by the model, those from the cache not counted.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub input: u64,
        /// Written by the model.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub output: u64,
        /// From the cache.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub cache_read: u64,
        /// Into the cache.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub cache_write: u64,
    }
    /// Takeovers of running runs.
    #[derive(Default)]
    pub struct TakeoverFigures {
        /// How many.
        pub count: u32,
        /// How many runs were taken over, those of planners left out.
        #[serde(default)]
        pub runs: u32,
        /// How many of them displaced a process that lived to notice.
        pub displaced: u32,
        /// After how many of them no inherited session was lost.
        #[serde(default)]
        pub inherited_whole: u32,
        /// The share of all runs that were taken over, from 0 to 1; `None` without runs.
        #[serde(default)]
        pub takeover_rate: Option<f64>,
        /// The share of takeovers that displaced a process that lived to notice; `None` without takeovers.
        #[serde(default)]
        pub displacement_rate: Option<f64>,
        /// The share of takeovers after which no inherited session was lost; `None` without takeovers.
        #[serde(default)]
        pub inherited_whole_rate: Option<f64>,
        /// The mean time without anybody, in milliseconds, of those of which it is known.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub mean_recovery_ms: Option<u64>,
    }
}

impl RunCounts {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.running + self.paused + self.replanning + self.stalled + self.ended()
    }

    /// Those that came to their end.
    #[must_use]
    pub fn ended(&self) -> u32 {
        self.completed + self.failed + self.cancelled
    }
}

impl AttemptCounts {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.live + self.succeeded + self.failed + self.cancelled + self.lost
    }
}

impl Tokens {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_read + self.cache_write
    }
}
