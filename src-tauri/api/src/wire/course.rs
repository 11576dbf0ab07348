//! How runs went over time, and how long plans take.

use baton_model::run::Moment;
use baton_model::{NodeId, PlanId, RunId};

use super::wire;

wire! {
    /// A part of a run's course.
    pub struct RunCourse {
        /// The run.
        pub run: RunId,
        /// Only what came after this event; 0 for all.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub after: u64,
    }
    /// How the states of a run followed each other.
    pub struct CourseView {
        /// The last event that this view has seen.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// The executable nodes in the order of the plan: moments name them by their places here.
        pub nodes: Vec<NodeId>,
        /// What changed, in order.
        pub moments: Vec<Moment>,
    }
    /// Whose times.
    pub struct PlanPace {
        /// The plan.
        pub plan: PlanId,
        /// By this run's own times and its version of the plan; none: the plan as it is now, by its earlier runs.
        pub run: Option<RunId>,
    }
    /// How long the nodes of a plan take together, and how many of them there can be at once.
    pub struct PaceView {
        /// The chain of nodes that takes longest, the first one first.
        pub critical: Vec<NodeId>,
        /// How long they take one after the other, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub length_ms: u64,
        /// The times that this is reckoned with; nodes without a known time are left out and count as no time.
        pub times: Vec<NodeTime>,
        /// How many runs the times come from.
        pub runs: u32,
        /// The most nodes of which none waits for another.
        pub widest: Vec<NodeId>,
    }
    /// How long a node takes.
    pub struct NodeTime {
        /// The node.
        pub node: NodeId,
        /// In milliseconds: all attempts, and what lay between them.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub busy_ms: u64,
    }
}
