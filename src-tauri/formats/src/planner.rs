//! Prompts for planners, and the evaluation of their answers.
//!
//! An agent answers with text. This module decides what of it is a plan, without clock, files or
//! processes. The caller stores the result as a proposal, which a person accepts or rejects.

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
pub use lint::remarks;
pub use prompt::{Briefing, answer_instructions, fault_messages, open_comments};
