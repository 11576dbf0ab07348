//! Agents' proposals: what was requested, what a usable answer contains, and how a proposal
//! progresses.
//!
//! `baton_formats::planner` decides whether an answer is usable. Nothing here changes a plan: a
//! person accepts or rejects.

mod change;
mod comment;
mod draft;
mod freshness;
mod impact;
mod proposal;
mod request;
mod required_changes;
mod state;

pub use change::{ProposedChange, list_changes};
pub use comment::{Comment, CommentAnswer, CommentPlace};
pub use draft::{Draft, Remark};
pub use freshness::{BaseFreshness, ComparedProject, Freshness, ProjectFreshness, ProposalBasis};
pub use impact::Impact;
pub use proposal::{
    ANSWER_LIMIT, Feedback, NATIVE_SESSION, Proposal, REJECTION_LIMIT, Round, Submission,
};
pub use request::{ProposalKind, Request, Subject};
pub use state::{IllegalProposal, ProposalEvent, ProposalState};
