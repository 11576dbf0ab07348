//! Baton's persistent state in one SQLite file: plans and their versions, runs and their histories.
//!
//! This is the only crate that knows SQL. It stores and returns facts. Decisions about plans and
//! runs are in `baton-model`; session output is kept in files, not here.
//!
//! [`Store`] opens the file and has one accessor per table: [`Store::plans`], [`Store::runs`], …
//! Every write is one `BEGIN IMMEDIATE` transaction on this process's writer connection. Reads use
//! their own connections and never wait for a writer. All calls block; async callers must use a
//! blocking thread.
//!
//! A run's history, [`RunEvents`], is its source of truth. [`NodeStates`], [`Attempts`], and the
//! state in [`RunRow`] are updated in the same transaction and can be rebuilt from it.
//!
//! [`Options`] and `Store::open` are in the module `opening`, which imports everything else; the
//! table modules only need the handle in `store`.

mod actor;
mod approvals;
mod artifacts;
mod attempt_measurements;
mod attempts;
mod bundle;
mod change;
mod change_feed;
mod column;
mod connection;
mod damage;
mod deleted_plans;
mod error;
mod evidence;
mod executors;
mod grants;
mod held_calls;
mod idempotency;
mod idempotency_claim;
mod ids;
mod inbox;
mod migration;
mod mutex;
mod node_states;
mod opening;
mod permits;
mod pinned_outputs;
mod pins;
mod plan_counts;
mod plan_deletion;
mod plan_graph;
mod plan_log;
mod plan_log_entry;
mod plan_versions;
mod plans;
mod plans_page;
mod proposals;
mod rejections;
mod requests;
mod retention;
mod run_deletion;
mod run_events;
mod run_usage;
mod run_write;
mod runs;
mod runs_page;
mod sessions;
mod settings;
mod silences;
mod statistics;
mod store;
mod takeovers;
mod tokens;

pub use actor::{Actor, ActorChannel};
pub use approvals::{Approval, ApprovalRow, Approvals};
pub use artifacts::{ArtifactRow, Artifacts, NewArtifact};
pub use attempt_measurements::AttemptMeasurement;
pub use attempts::{AttemptRow, Attempts};
pub use bundle::CopiedRun;
pub use change::Change;
pub use damage::{DamagedRow, PlanOutline, RunOutline};
pub use error::{Listing, StoreError, Unreadable};
pub use evidence::{EvidenceRow, Evidences, NewEvidence};
pub use executors::{ActiveRun, ExecutorKind, ExecutorRow, Executors};
pub use grants::{GrantRow, Grants};
pub use held_calls::{
    HeldCallOutcome, HeldCallRow, HeldCalls, HoldOutcome, MAX_HELD_CALLS_PER_ACTOR, NewHeldCall,
};
pub use idempotency::{IdempotencyKeys, IdempotencyState};
pub use idempotency_claim::IdempotencyKey;
pub use ids::{HeldCallId, RequestId};
pub use inbox::{EndedRun, Inbox, NodeAwaitingPerson, PlanInReview, RunWait, WaitingRun};
pub use migration::NEWEST_FORMAT;
pub use node_states::{NodeStateRow, NodeStates, NodeStatus};
pub use opening::Options;
pub use permits::{Permit, PermitAnswer, PermitClaim, PermitContender, Permits};
pub use pinned_outputs::{PinnedOutputRow, PinnedOutputs};
pub use pins::{PinRow, Pins};
pub use plan_counts::PlanCount;
pub use plan_deletion::{DeletedPlan, deleted_until};
pub use plan_graph::{PlanGraph, PlanNodeRow};
pub use plan_log::{PlanLog, PlanLogFilter};
pub use plan_log_entry::{LoggedEvent, PlanLogEntry};
pub use plan_versions::{PlanVersions, VersionRow, VersionRun};
pub use plans::{LastRun, PlanRecord, PlanRow, PlanWrite, Plans};
pub use plans_page::{PlansPageFilter, PlansPageListing, PlansSort};
pub use proposals::{ProposalRow, ProposalUpdate, Proposals, ProposalsFilter};
pub use rejections::{Rejection, Rejections};
pub use requests::{RequestOutcome, RequestRow, Requests};
pub use retention::{HousekeepingTask, RetainedPlan};
pub use run_deletion::{DeletableRun, RunKeepReason};
pub use run_events::{RecordedEvent, RunEvents, StoredEvent};
pub use run_write::{NewRun, RunWrite};
pub use runs::{ParentNode, RunRow, Runs, UnfinishedRun};
pub use runs_page::{
    RunNodeCounts, RunStateFilter, RunsPageCursor, RunsPageEntry, RunsPageFilter, RunsPageListing,
    RunsSort, StartedByFilter,
};
pub use sessions::{NativeSession, NewSession, SessionRow, Sessions};
pub use settings::Settings;
pub use silences::{SilenceRow, Silences};
pub use statistics::{
    AgentStatistics, AttemptCounts, DailyStatistics, Durations, FailedNode, FailureCount,
    NodeKindStatistics, PlanStatistics, PlanTotals, PlanningStatistics, RejectionCount,
    ReviewCounts, RunCounts, Statistics, StatisticsFilter, TakeoverStatistics, Tokens, ToolGap,
    UsageTotals,
};
pub use store::Store;
pub use takeovers::{TakeoverCounts, TakeoverRow, Takeovers};
pub use tokens::{AccessTokens, TokenRow};
