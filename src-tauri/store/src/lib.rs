//! What Baton remembers: plans and their versions, runs and their histories, in one SQLite file.
//!
//! The only crate that knows SQL. It keeps facts and hands them out; it decides nothing about plans and runs
//! (that is `baton-model`), starts nothing, and keeps no output of sessions (those are files).
//!
//! [`Store`] opens the file and hands out one handle a table: [`Store::plans`], [`Store::runs`], … Every
//! write is one `BEGIN IMMEDIATE` transaction on the one writing connection of this process; reads use
//! connections of their own and wait for nobody. All calls block: an async caller wraps them.
//!
//! The truth about a run is its history, [`RunEvents`]. [`NodeStates`], [`Attempts`] and the state in
//! [`RunRow`] are kept beside it in the same transaction, and can be made anew from it.

mod actor;
mod approvals;
mod artifacts;
mod attempts;
mod change;
mod column;
mod damage;
mod database;
mod error;
mod evidence;
mod executors;
mod feed;
mod goals;
mod grants;
mod held_calls;
mod inbox;
mod migration;
mod node_states;
mod permits;
mod pins;
mod plan_graph;
mod plan_versions;
mod plans;
mod proposals;
mod requests;
mod run_events;
mod run_write;
mod runs;
mod sessions;
mod settings;
mod silences;
mod statistics;
mod store;
mod takeovers;
mod tokens;
mod triggers;

pub use actor::{Actor, Way};
pub use approvals::{Approval, ApprovalRow, Approvals};
pub use artifacts::{ArtifactRow, Artifacts, NewArtifact};
pub use attempts::{AttemptRow, Attempts};
pub use change::Change;
pub use damage::{DamagedRow, PlanOutline, RunOutline};
pub use error::{Listing, StoreError, Unreadable};
pub use evidence::{EvidenceRow, Evidences, NewEvidence};
pub use executors::{AttendedRun, ExecutorKind, ExecutorRow, Executors};
pub use grants::{GrantRow, Grants};
pub use held_calls::{
    HELD_CALLS_OF_ACTOR, Held, HeldCallId, HeldCallOutcome, HeldCallRow, HeldCalls, NewHeldCall,
};
pub use inbox::{AskingNode, EndedRun, Inbox, RunWait, WaitingRun};
pub use migration::NEWEST_FORMAT;
pub use node_states::{NodeStateRow, NodeStates, StateWord};
pub use permits::{Permit, PermitAnswer, PermitRequest, Permits, Rival};
pub use pins::{PinRow, Pins};
pub use plan_graph::{PlanGraph, PlanNodeRow};
pub use plan_versions::{PlanVersions, VersionRow};
pub use plans::{LastRun, PlanRecord, PlanRow, PlanWrite, Plans};
pub use proposals::{ProposalRow, Proposals, ProposalsFilter};
pub use requests::{RequestId, RequestOutcome, RequestRow, Requests};
pub use run_events::{Recorded, RunEvents, StoredEvent};
pub use run_write::{NewRun, RunWrite};
pub use runs::{ParentNode, RunRow, Runs, UnfinishedRun};
pub use sessions::{NamedSession, NewSession, SessionRow, Sessions};
pub use settings::Settings;
pub use silences::{SilenceRow, Silences};
pub use statistics::{
    AgentFigures, AttemptCounts, DayFigures, Durations, FailureCount, KindFigures, PlanFigures,
    PlansFigures, ReviewCounts, RunCounts, Statistics, StatisticsFilter, TakeoverFigures, Tokens,
    Used,
};
pub use store::{Options, Store};
pub use takeovers::{TakeoverCounts, TakeoverRow, Takeovers};
pub use tokens::{AccessTokens, TokenRow};
