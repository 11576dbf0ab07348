//! Faults of a planner's answer, in sentences that the planner can act on.

use crate::plan_file::FaultKind;

/// A fault of an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AnswerFault {
    #[error("the answer has no JSON object with a list of \"nodes\"{}", parse_error_suffix(.reason.as_deref()))]
    NoPlan {
        /// The parser's message for the first text that looks like a plan.
        reason: Option<String>,
    },
    /// More nodes than a person can review.
    #[error("the plan has {found} nodes, but the limit is {limit}; use fewer, larger nodes")]
    TooManyNodes { found: usize, limit: usize },
    #[error("the plan has no nodes to run; add at least one")]
    NoNodes,
    /// A split into fewer than two nodes, or into too many.
    #[error("the node should be split into several, but the answer has {found}; give 2 to {limit}")]
    NotSplit { found: usize, limit: usize },
    /// A fault that the reader of plan files finds.
    #[error(transparent)]
    File(#[from] FaultKind),
    /// A problem of the whole plan with the answer applied.
    #[error(transparent)]
    Plan(#[from] baton_model::Problem),
    /// `"keep": true` for an unknown node.
    #[error(
        "node \"{node}\" has \"keep\": true, but the plan has no such node; write the node out"
    )]
    NothingToKeep { node: String },
    #[error("'{title}' has no \"prompt\"; say what its agent should do")]
    NoPrompt { title: String },
    #[error("'{title}' has no \"command\"; write the command line")]
    NoCommand { title: String },
    #[error("'{title}' uses the agent '{agent}', which is not installed; installed: {}", .installed.join(", "))]
    AgentNotInstalled {
        title: String,
        agent: String,
        installed: Vec<String>,
    },
    /// A node without an agent while the default agent is not installed.
    #[error("'{title}' has no \"agent\", and no default agent is installed; installed: {}", .installed.join(", "))]
    NoAgent {
        title: String,
        installed: Vec<String>,
    },
    /// A reference to an unknown tool or plan.
    #[error("'{title}' {sentence}")]
    MissingReference {
        title: String,
        /// What is missing and what exists instead, without the subject.
        sentence: String,
    },
    #[error("'{title}' has an invalid tool call: {reason}")]
    BadCall { title: String, reason: String },
}

fn parse_error_suffix(reason: Option<&str>) -> String {
    reason
        .map(|reason| format!("; the first candidate is not valid JSON: {reason}"))
        .unwrap_or_default()
}
