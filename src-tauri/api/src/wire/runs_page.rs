//! Pages of runs, and deleting runs.

use baton_model::{PlanId, RunId, RunState, Timestamp};

pub use baton_store::{ParentNode, RunNodeCounts, RunStateFilter, RunsSort, StartedByFilter};

use super::{HandledRun, wire};
use crate::ApiError;

wire! {
    /// Selects one page of runs.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunsPageQuery {
        /// Only runs of this plan.
        pub plan: Option<PlanId>,
        /// Only runs in one of these states; empty for all.
        pub states: Vec<RunStateFilter>,
        pub started_by: Option<StartedByFilter>,
        /// Each word must be in the plan's title, or be the number (`#41`) or the start of the id.
        pub search: String,
        /// Only runs created at this time or later.
        pub since: Option<Timestamp>,
        /// Only runs created before this time.
        pub until: Option<Timestamp>,
        pub sort: RunsSort,
        /// [`RunsPage::next`] of the page before; `None` for the first page.
        pub after: Option<String>,
        /// Maximum number of runs, from 1 to 200.
        pub limit: u32,
    }
    /// One page of runs.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunsPage {
        pub rows: Vec<RunsPageRow>,
        /// Continues after this page; `None` on the last one.
        pub next: Option<String>,
        /// Number of runs on all pages.
        pub total: u32,
    }
    /// A run on a page.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunsPageRow {
        pub id: RunId,
        pub number: u32,
        pub plan: PlanId,
        /// The plan's current title.
        pub title: String,
        pub version: u32,
        pub state: RunState,
        /// Who started it.
        pub actor: String,
        /// The node of another run that it executes.
        pub parent: Option<ParentNode>,
        /// The failed run for which it was started.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub handles: Option<HandledRun>,
        pub started_at: Timestamp,
        pub ended_at: Option<Timestamp>,
        /// Milliseconds from its start to its end, or to now.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub elapsed_ms: u64,
        pub nodes: RunNodeCounts,
        /// US dollars, as its sessions reported; `None` if unknown.
        pub cost_usd: Option<f64>,
        /// Tokens of all kinds, as its sessions reported; `None` if unknown.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub tokens: Option<u64>,
        /// An agent worked in it. Otherwise it has no cost and no tokens.
        pub agents_worked: bool,
        /// Nodes whose evidence contradicts their claims.
        pub unverified: u32,
        /// How many nodes used their pinned output instead of running; omitted if none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub pinned_nodes: Option<u32>,
        /// What can't be read of the run, as a sentence.
        pub damage: Option<String>,
        /// Why it can't be deleted now; only for ended runs.
        pub kept_because: Option<KeptBecause>,
    }
    /// Deletes ended runs.
    pub struct RunsDelete {
        /// At most 500.
        pub runs: Vec<RunId>,
    }
    /// What became of the runs to delete.
    pub struct RunsDeleted {
        /// Runs that are gone, with the runs below them.
        pub deleted: Vec<RunId>,
        /// Runs that stay, each with the reason.
        pub refused: Vec<RunDeleteRefusal>,
    }
    /// A run that wasn't deleted.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunDeleteRefusal {
        pub run: RunId,
        pub error: ApiError,
    }
}

/// Why an ended run is neither deleted by a person nor by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KeptBecause {
    /// A run below it hasn't ended.
    Running,
    /// A question, a proposal or a request about it waits for a person.
    WaitingQuestion,
    /// A worktree has work that isn't merged.
    UnmergedWorktree,
}
