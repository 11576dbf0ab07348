//! Planning by an agent: what is asked, which answers count, and what becomes of them (product L2, L5, L6, L10, A2).
//!
//! An agent answers with words. What of them is a plan is judged here, without clock, files or processes; whoever
//! holds the answer stores it as a proposal. Nothing here changes a plan by itself: a person accepts or rejects.

mod answer;
mod change;
mod draft;
mod extract;
mod fault;
mod impact;
mod prompt;
mod proposal;
mod remarks;
mod request;
mod splice;
mod state;
#[cfg(test)]
mod tests;

pub use answer::{Bench, NODE_LIMIT, SPLIT_LIMIT, judge};
pub use change::{ProposedChange, changes};
pub use draft::{Draft, Remark};
pub use fault::AnswerFault;
pub use impact::Impact;
pub use prompt::{Briefing, question, repair};
pub use proposal::{ANSWER_LIMIT, Feedback, NATIVE_SESSION, Proposal, REJECTION_LIMIT, Round};
pub use request::{ProposalKind, Request, Subject};
pub use state::{IllegalProposal, ProposalEvent, ProposalState};
