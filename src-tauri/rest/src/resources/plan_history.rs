//! What happened to a plan, as programs read it.

use baton_api::wire::PlanHistoryRow;
use baton_model::{HistoryType, NodeId, PlanId, ProposalId, RunId, Timestamp};

use crate::schema::answers;

answers! {
    /// Something that happened to a plan or in one of its runs.
    pub(crate) struct HistoryItem {
        /// `<run>:<number of the event>`, or `plan:<number>` for an act on the plan itself.
        pub(crate) id: String,
        pub(crate) plan_id: PlanId,
        /// The step that it is about.
        pub(crate) step_id: Option<NodeId>,
        pub(crate) event_type: HistoryType,
        pub(crate) details: HistoryDetails,
        pub(crate) created_at: Timestamp,
    }
    /// More about an entry of the history.
    pub(crate) struct HistoryDetails {
        /// What happened, as a sentence.
        pub(crate) message: String,
        /// Who did it: a person, a program, a session or Baton.
        pub(crate) actor: String,
        pub(crate) run: Option<RunId>,
        /// The name of the step.
        pub(crate) step_name: Option<String>,
        /// The proposal that it is about.
        pub(crate) proposal: Option<ProposalId>,
        /// The plan's version, for an act on the plan itself.
        pub(crate) version: Option<u32>,
    }
}

impl From<PlanHistoryRow> for HistoryItem {
    fn from(row: PlanHistoryRow) -> Self {
        Self {
            id: row.id,
            plan_id: row.plan,
            step_id: row.node,
            event_type: row.history_type,
            details: HistoryDetails {
                message: row.sentence,
                actor: row.actor,
                run: row.run,
                step_name: row.node_title,
                proposal: row.proposal,
                version: row.version,
            },
            created_at: row.at,
        }
    }
}
