//! How an agent is asked for a plan, and which of its answers is one.
//!
//! An agent answers with words. What of them is a plan is judged here, without clock, files or processes; whoever
//! holds the answer stores it as a proposal. Nothing here changes a plan by itself: a person accepts or rejects.

mod answer;
mod extract;
mod fault;
mod prompt;
mod remarks;
mod splice;
#[cfg(test)]
mod tests;

pub use answer::{Bench, NODE_LIMIT, SPLIT_LIMIT, judge};
pub use fault::AnswerFault;
pub use prompt::{Briefing, question, repair};
