//! News for whoever looks on. A convenience: the store is the truth, and whoever missed news asks again.

use baton_model::{NodeId, PlanId, ProposalId, RunId, SessionId};

/// Something that looks different when it is asked for again.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "change",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    /// A plan, its review, or its last run.
    Plan {
        /// Which.
        plan: PlanId,
        /// The revision that it has from now on: whoever has that one, as after a save of theirs, knows the plan and its
        /// review already. None: something about it that no revision counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, type = "number"))]
        revision: Option<u64>,
    },
    /// A plan is gone.
    PlanDeleted {
        /// Which.
        plan: PlanId,
    },
    /// A run or nodes of it.
    Run {
        /// Which.
        run: RunId,
        /// Its plan.
        plan: PlanId,
        /// The nodes of which something else is told now.
        nodes: Vec<NodeId>,
        /// The run itself, too: how it goes, what is wanted of it, who works on it. Without it only nodes differ, and
        /// how many of them stand where.
        whole: bool,
    },
    /// A session has more to show. At most ten times a second for each session.
    Session {
        /// Which.
        session: SessionId,
        /// Its run.
        run: RunId,
    },
    /// A proposal, or how far its planner is.
    Proposal {
        /// Which.
        proposal: ProposalId,
    },
    /// Settings or agents.
    Settings,
    /// The calls that wait for a person.
    Requests,
    /// How a window looks: another window may have bound keys anew.
    AppState,
    /// The index of the agents' own histories. At most five times a second.
    Transcripts {
        /// Which transcripts are new, grew or are gone; empty: any.
        ids: Vec<String>,
    },
    /// News was lost: ask for everything again.
    All,
}
