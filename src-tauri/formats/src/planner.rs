//! How an agent is asked for a plan, and which of its answers is one.
//!
//! An agent answers with words. What of them is a plan is judged here, without clock, files or processes; whoever
//! holds the answer stores it as a proposal. Nothing here changes a plan by itself: a person accepts or rejects.

mod answer;
mod extract;
mod fault;
mod lint;
mod prompt;
mod splice;
#[cfg(test)]
mod tests;

pub use answer::{AnswerContext, NODE_LIMIT, SPLIT_LIMIT, parse_answer};
pub use fault::AnswerFault;
pub use prompt::{Briefing, answer_instructions, fault_messages};
