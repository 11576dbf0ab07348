//! Plans as Mermaid flowcharts, the drawing language of READMEs and issues.
//!
//! [`write()`] shows a plan: every node by its title and kind, every edge, branch and jump, the groups, and how far a run
//! came. [`read()`] makes a plan of a flowchart, by anybody: the shape of the work, and prompts from the labels. It
//! understands a subset, and says with the line what it does not; nothing of a flowchart is ever taken for a command.

mod fault;
mod join;
mod line;
mod read;
mod subgraph;
mod write;

pub use fault::{Fault, FaultKind, Mistakes, Notice};
pub use read::{Flowchart, is_mermaid, read};
pub use write::write;

/// What stands before the expression of a condition, in a comment: labels hold titles.
const CONDITION: &str = "condition";

/// The words on branches and jumps.
mod way {
    pub(super) const TRUE: &str = "true";
    pub(super) const FALSE: &str = "false";
    pub(super) const SUCCESS: &str = "on success";
    pub(super) const FAILURE: &str = "on failure";
}

#[cfg(test)]
mod tests;
