//! What all runs come to in numbers: the figures travel as the store has them.

use baton_model::{PlanId, Timestamp};

pub use baton_store::{
    AgentFigures, AttemptCounts, DayFigures, Durations, FailureCount, KindFigures, PlanFigures,
    PlansFigures, ReviewCounts, RunCounts, Statistics, TakeoverFigures, Tokens, Used,
};

use super::wire;

wire! {
    /// Which runs are counted.
    pub struct StatisticsGet {
        /// Only runs that were begun at this time or later.
        #[serde(default)]
        pub since: Option<Timestamp>,
        /// Only this plan and its runs.
        #[serde(default)]
        pub plan: Option<PlanId>,
    }
}
