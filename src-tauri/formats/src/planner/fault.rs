//! What keeps an answer from being a plan, in sentences that its planner can act on.

use crate::plan_file::FaultKind;

/// One fault of an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerFault {
    /// There is no plan in it.
    #[error("there is no JSON object with a list \"nodes\" in the answer{}", broken(.reason.as_deref()))]
    NoPlan {
        /// What the parser says of the first thing that might be one.
        reason: Option<String>,
    },
    /// More nodes than a person could look through.
    #[error("the plan has {found} nodes, and may have at most {limit}; make the nodes larger")]
    TooManyNodes {
        /// How many.
        found: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Nothing would run.
    #[error("the plan has no node that runs; give it at least one")]
    NoNodes,
    /// One node does not become several by becoming one.
    #[error(
        "the node is to become several, and the answer has {found}; give at least 2, or at most {limit}"
    )]
    NotSplit {
        /// How many there are.
        found: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// What the reader of plan files finds.
    #[error(transparent)]
    File(#[from] FaultKind),
    /// What keeps the whole plan from being saved, once the answer is part of it.
    #[error(transparent)]
    Plan(#[from] baton_model::Problem),
    /// A node keeps what is not there.
    #[error(
        "node \"{node}\" has \"keep\": true, and the plan has no such node; write the node out"
    )]
    NothingToKeep {
        /// What it is called.
        node: String,
    },
    /// An agent is told nothing.
    #[error("'{title}' has no \"prompt\"; say what its agent shall do")]
    NoPrompt {
        /// The node's title.
        title: String,
    },
    /// A command that is empty.
    #[error("'{title}' has no \"command\"; write the command line")]
    NoCommand {
        /// The node's title.
        title: String,
    },
    /// An agent that is not on this machine.
    #[error("'{title}' wants the agent '{agent}', which is not installed; installed: {}", .installed.join(", "))]
    AgentMissing {
        /// The node's title.
        title: String,
        /// The agent.
        agent: String,
        /// Which are installed.
        installed: Vec<String>,
    },
    /// A node leaves its agent open, and the default one is not on this machine.
    #[error("'{title}' names no \"agent\", and there is no default one; installed: {}", .installed.join(", "))]
    NoAgent {
        /// The node's title.
        title: String,
        /// Which are installed.
        installed: Vec<String>,
    },
    /// A tool or a plan that nobody has.
    #[error("'{title}' {sentence}")]
    NotThere {
        /// The node's title.
        title: String,
        /// What it names, and what there is instead.
        sentence: String,
    },
    /// A call of a tool that cannot be made.
    #[error("'{title}' cannot make its call: {mistake}")]
    BadCall {
        /// The node's title.
        title: String,
        /// What is wrong.
        mistake: String,
    },
}

fn broken(reason: Option<&str>) -> String {
    reason
        .map(|reason| format!("; what might be one breaks off: {reason}"))
        .unwrap_or_default()
}
