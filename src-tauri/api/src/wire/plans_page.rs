//! Pages of plans, and the history of a plan over all of its runs.

use baton_model::{HistoryType, NodeId, PlanId, PlanStatus, ProposalId, RunId, Timestamp};

pub use baton_store::PlansSort;

use super::{PlanSummary, RunSummary, wire};

wire! {
    /// Selects one page of plans.
    pub struct PlansPageQuery {
        /// Only plans with one of these statuses; empty for all.
        #[serde(default)]
        pub statuses: Vec<PlanStatus>,
        /// Only plans of this person; `default` also selects plans without one.
        #[serde(default)]
        pub user: Option<String>,
        /// Only plans that serve this goal.
        #[serde(default)]
        pub goal: Option<String>,
        /// Only plans that this trigger created.
        #[serde(default)]
        pub trigger: Option<String>,
        /// Only plans that run in this absolute directory.
        #[serde(default)]
        pub cwd: Option<String>,
        /// Each word must be in the title, the beginning of the description or a tag.
        #[serde(default)]
        pub search: String,
        /// The order of the plans.
        #[serde(default)]
        pub sort: PlansSort,
        /// Maximum number of plans, from 1 to 1,000.
        pub limit: u32,
        /// How many plans to leave out at the beginning.
        #[serde(default)]
        pub offset: u32,
        /// [`PlansPage::next`] of the page before; replaces `offset`.
        #[serde(default)]
        pub cursor: Option<String>,
    }
    /// One page of plans.
    pub struct PlansPage {
        /// The plans, in order.
        pub plans: Vec<PlanSummary>,
        /// Number of plans on all pages.
        pub total: u32,
        /// The position of the first plan, counted from 0.
        pub offset: u32,
        /// Continues after this page; `None` on the last one.
        pub next: Option<String>,
    }
    /// Selects a part of a plan's history.
    pub struct PlanHistoryQuery {
        /// The plan.
        pub plan: PlanId,
        /// [`PlanHistoryPage::next`] of the page before; `None` for the latest entries.
        #[serde(default)]
        pub before: Option<String>,
        /// Maximum number of entries, from 1 to 1,000.
        pub limit: u32,
    }
    /// A part of a plan's history, latest entry first.
    pub struct PlanHistoryPage {
        /// The entries.
        pub rows: Vec<PlanHistoryRow>,
        /// Continues before this page; `None` at the beginning of the history.
        pub next: Option<String>,
        /// Entries of this page that are damaged: which, and how. Their content is missing.
        pub damaged: Vec<String>,
    }
    /// What happened to a plan or in one of its runs.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanHistoryRow {
        /// `<run>:<number of the event>` for an event of a run, `plan:<number>` for an act on the
        /// plan itself.
        pub id: String,
        pub plan: PlanId,
        /// The proposal that this is about.
        pub proposal: Option<ProposalId>,
        /// The run, and the event's position in its history.
        pub run: Option<RunId>,
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub seq: Option<u64>,
        pub node: Option<NodeId>,
        pub node_title: Option<String>,
        #[serde(rename = "type")]
        pub history_type: HistoryType,
        /// The plan's version, for an act on the plan itself.
        pub version: Option<u32>,
        pub at: Timestamp,
        /// A person, a program, a session or Baton.
        pub actor: String,
        /// What happened, as a sentence.
        pub sentence: String,
    }
    /// Waits for a run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunWait {
        pub run: RunId,
        /// Also return as soon as the run has an event after this one.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub after: Option<u64>,
        /// How long to wait in milliseconds, at most 60,000; 0 to look only.
        #[serde(rename = "timeoutMs")]
        pub timeout_ms: u32,
    }
    /// How a run is after waiting for it.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunWaited {
        pub run: RunSummary,
        /// Number of its last event.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// Whether it has ended.
        pub ended: bool,
        /// Whether it continues only after a person did something.
        pub waits_for_person: bool,
    }
}
