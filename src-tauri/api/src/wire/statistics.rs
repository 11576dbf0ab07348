//! Statistics over all runs. The result types are those of the store.

use baton_model::{PlanId, Timestamp};

pub use baton_store::{
    AgentStatistics, AttemptCounts, DailyStatistics, Durations, FailedNode, FailureCount,
    NodeKindStatistics, PlanStatistics, PlanTotals, PlanningStatistics, RejectionCount,
    ReviewCounts, RunCounts, Statistics, TakeoverStatistics, Tokens, ToolGap, UsageTotals,
};

use super::wire;

wire! {
    /// Selects the runs to count.
    pub struct StatisticsGet {
        /// Only runs created at this time or later.
        #[serde(default)]
        pub since: Option<Timestamp>,
        /// Only this plan and its runs.
        #[serde(default)]
        pub plan: Option<PlanId>,
    }
}
