//! Reads Mermaid flowcharts, the diagram language of READMEs and issues.
//!
//! [`read()`] makes a plan from any flowchart: the shape of the work, and prompts from the labels.
//! It understands a subset of the language and reports anything else with its line. Nothing in a
//! flowchart is ever read as a command. [`crate::export`] writes flowcharts.

mod diagram;
mod fault;
mod keyword;
mod parser;
mod plan_builder;
mod subgraph;
mod tokenizer;

pub use fault::{Fault, FaultKind, MermaidError, Notice};
pub(crate) use keyword::{CONDITION, branch_label};
pub use parser::{Flowchart, is_mermaid, read};

#[cfg(test)]
mod tests;
