//! A short overview of current activity.

use baton_model::{PlanId, RunId};

pub use baton_model::RunState;
pub use baton_model::run::Ending;

use super::wire;

wire! {
    /// Current activity, enough for a tray icon.
    pub struct Overview {
        /// Unfinished runs, oldest first, without child runs.
        pub runs: Vec<OpenRun>,
        /// Number of items in the inbox.
        pub waiting: u32,
    }
    /// A run that hasn't ended.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct OpenRun {
        pub run: RunId,
        pub plan: PlanId,
        /// The title in that run's plan version.
        pub title: String,
        pub state: RunState,
        /// Executed by the process that answers this call. No further node starts if that process
        /// exits.
        pub here: bool,
    }
}
