//! How many plans there are.

use super::wire;

wire! {
    /// Selects the plans to count.
    pub struct PlansStatsQuery {
        /// Only plans of this person; `default` also selects plans without one.
        #[serde(default)]
        pub user: Option<String>,
    }
    /// How many plans there are, and what they came to.
    pub struct PlansStats {
        /// Number of plans.
        pub total: u32,
        /// Number of plans in each status.
        pub by_status: PlansByStatus,
        /// Share of completed plans among all of them, from 0 to 100; 0 without plans.
        pub completed_percent: f64,
        /// Mean number of executable nodes; 0 without plans.
        pub mean_nodes: f64,
        /// Mean time that the latest runs of completed plans took, from start to end, in
        /// milliseconds; `None` if no plan is completed.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub mean_duration_ms: Option<u64>,
    }
    /// Number of plans in each status.
    #[derive(Default)]
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlansByStatus {
        pub pending: u32,
        pub running: u32,
        pub paused: u32,
        pub completed: u32,
        pub failed: u32,
        pub cancelled: u32,
    }
}
