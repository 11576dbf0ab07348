//! Calls of agents that wait for a person.

use baton_model::{NodeId, PlanId, RunId, SessionId, Slug, Timestamp};
pub use baton_store::HeldCallOutcome;
use baton_store::{Actor, HeldCallId};
use serde_json::Value;

use super::wire;

wire! {
    /// Which call.
    pub struct RequestRef {
        /// The call.
        pub request: HeldCallId,
    }
    /// A call that an agent may not make by itself.
    pub struct RequestView {
        /// Its id.
        pub id: HeldCallId,
        /// Who made it.
        pub actor: Actor,
        /// The node whose session made it; none: an agent outside of Baton.
        pub of: Option<RequestOrigin>,
        /// The operation.
        pub operation: String,
        /// What the operation does, in a line.
        pub summary: String,
        /// Its input, whole.
        pub input: Value,
        /// The plan that it is about, if it is about one.
        pub plan: Option<PlanId>,
        /// That plan's title; none when it is gone.
        pub plan_title: Option<String>,
        /// When it was made.
        pub asked_at: Timestamp,
        /// What became of it; none while it waits.
        pub outcome: Option<HeldCallOutcome>,
        /// Who decided.
        pub decided_by: Option<Actor>,
        /// When.
        pub decided_at: Option<Timestamp>,
    }
    /// The node whose session made a call.
    pub struct RequestOrigin {
        /// The session.
        pub session: SessionId,
        /// The run.
        pub run: RunId,
        /// The run's plan.
        pub plan: PlanId,
        /// The plan's title, as the run knows it.
        pub plan_title: String,
        /// The node.
        pub node: NodeId,
        /// Its name in the plan file.
        pub slug: Slug,
        /// Its title.
        pub title: String,
    }
}
