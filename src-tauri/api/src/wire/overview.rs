//! What goes on at the moment, in a few words.

use baton_model::{PlanId, RunId};

pub use baton_model::RunState;
pub use baton_model::run::Ending;

use super::wire;

wire! {
    /// What goes on at the moment: enough for a picture in a corner of the screen.
    pub struct Overview {
        /// The runs that have not come to their end, the oldest first. Not those that stand for a node of another run.
        pub runs: Vec<OpenRun>,
        /// How many things wait for the person.
        pub waiting: u32,
    }
    /// A run that has not come to its end.
    pub struct OpenRun {
        /// The run.
        pub run: RunId,
        /// Its plan.
        pub plan: PlanId,
        /// The plan's title, as that run knows it.
        pub title: String,
        /// How it goes.
        pub state: RunState,
        /// The process that answers executes it, so that no further node starts when that process ends.
        pub here: bool,
    }
}
