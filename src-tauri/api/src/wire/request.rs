//! Held calls: calls by agents that wait for a person.

use baton_model::{NodeId, PlanId, RunId, SessionId, Slug, Timestamp};
pub use baton_store::HeldCallOutcome;
use baton_store::{Actor, HeldCallId};
use serde_json::Value;

use super::wire;

wire! {
    /// References a held call.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RequestRef {
        pub request: HeldCallId,
    }
    /// A call that an agent may not make without approval.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RequestView {
        pub id: HeldCallId,
        pub actor: Actor,
        /// The node whose session made it; `None` for an agent outside of Baton.
        pub of: Option<RequestOrigin>,
        pub operation: String,
        /// What the operation does, in one line.
        pub summary: String,
        /// The complete input of the call.
        pub input: Value,
        /// The plan that the call is about, if any.
        pub plan: Option<PlanId>,
        /// `None` if the plan was deleted.
        pub plan_title: Option<String>,
        pub asked_at: Timestamp,
        /// `None` while the call is waiting.
        pub outcome: Option<HeldCallOutcome>,
        pub decided_by: Option<Actor>,
        pub decided_at: Option<Timestamp>,
    }
    /// The node whose session made a call.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RequestOrigin {
        pub session: SessionId,
        pub run: RunId,
        pub plan: PlanId,
        /// The title in the run's plan version.
        pub plan_title: String,
        pub node: NodeId,
        /// Its name within the plan file.
        pub slug: Slug,
        pub title: String,
    }
}
