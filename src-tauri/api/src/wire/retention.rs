//! Rules for keeping runs and archiving plans.

use baton_model::PlanId;

pub use baton_model::Retention;

use super::wire;

wire! {
    /// Sets which runs of a plan are kept, and when it is archived.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanRetentionSave {
        pub plan: PlanId,
        /// `None` for the rule of the settings.
        pub retention: Option<Retention>,
    }
}
