//! Proposals of agents: what is asked for, what a usable answer holds, and what becomes of it.
//!
//! Which answer is usable is judged by `baton_formats::planner`. Nothing here changes a plan by itself: a person
//! accepts or rejects.

mod change;
mod draft;
mod impact;
mod proposal;
mod request;
mod state;

pub use change::{ProposedChange, changes};
pub use draft::{Draft, Remark};
pub use impact::Impact;
pub use proposal::{ANSWER_LIMIT, Feedback, NATIVE_SESSION, Proposal, REJECTION_LIMIT, Round};
pub use request::{ProposalKind, Request, Subject};
pub use state::{IllegalProposal, ProposalEvent, ProposalState};
