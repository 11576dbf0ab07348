//! State history of runs, and how long plans take.

use baton_model::run::RunStateChange;
use baton_model::{NodeId, PlanId, RunId};

use super::wire;

wire! {
    /// Asks for part of a run's state history.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunStateHistory {
        pub run: RunId,
        /// Only changes after this event; 0 for all.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub after: u64,
    }
    /// The sequence of states in a run.
    pub struct StateHistoryView {
        /// Number of the last event included.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// Executable nodes in plan order; `moments` refer to them by index.
        pub nodes: Vec<NodeId>,
        /// State changes in order.
        pub moments: Vec<RunStateChange>,
    }
    /// Asks for the timing of a plan or a run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanTiming {
        pub plan: PlanId,
        /// Use this run's own times and plan version; `None` for the current plan with the times of
        /// earlier runs.
        pub run: Option<RunId>,
    }
    /// Critical path and maximum parallelism of a plan.
    pub struct PlanTimingView {
        /// The chain of nodes that takes longest, in order.
        pub critical: Vec<NodeId>,
        /// Total duration of that chain, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub length_ms: u64,
        /// The times used for the computation. Nodes without a known time are missing and count as
        /// zero.
        pub times: Vec<NodeDuration>,
        /// Number of runs that the times come from.
        pub runs: u32,
        /// The largest set of nodes that can run in parallel.
        pub widest: Vec<NodeId>,
    }
    /// How long a node takes.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeDuration {
        pub node: NodeId,
        /// In milliseconds, from the first attempt's start to the last attempt's end.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub busy_ms: u64,
    }
}
