//! Change notifications for windows and event streams. They are a convenience: a client that missed
//! some reloads the data.

use baton_model::{NodeId, PlanId, ProposalId, RunId, SessionId, TerminalId};

/// Something that clients should read again.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "change",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    /// A plan, its review state, or its last run.
    Plan {
        plan: PlanId,
        /// The plan's new revision. A client that already has it, such as the one that saved,
        /// needn't reload the plan. `None` for changes that don't count as a revision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, type = "number"))]
        revision: Option<u64>,
    },
    /// A plan was deleted.
    PlanDeleted { plan: PlanId },
    /// Ended runs of a plan were deleted.
    RunDeleted { plan: PlanId, runs: Vec<RunId> },
    /// A run or some of its nodes.
    Run {
        run: RunId,
        plan: PlanId,
        nodes: Vec<NodeId>,
        /// The run itself changed too: its state, goal, or executor. If false, only nodes and their
        /// counts differ.
        whole: bool,
    },
    /// A session has new output. At most ten times a second per session.
    Session { session: SessionId, run: RunId },
    /// A proposal, or the progress of its planner.
    Proposal { proposal: ProposalId },
    /// Settings or agents were changed.
    Settings,
    /// The calls that wait for a person.
    Requests,
    /// A window's layout: another window may have changed shortcuts.
    AppState,
    /// The index of the agents' own histories. At most five times a second.
    Transcripts {
        /// Transcripts that are new, changed, or deleted; empty for any.
        ids: Vec<String>,
    },
    /// A terminal has output that its pages haven't read, or has ended.
    Terminal { terminal: TerminalId },
    /// A terminal was opened or closed, or its shell has ended.
    Terminals,
    /// Notifications were lost: reload everything.
    All,
}
