//! The node of a planner's session.

use serde::{Deserialize, Serialize};

/// A planner's session: an agent is told something and asked for an answer, which is kept as it is.
///
/// Only Baton makes such nodes, in plans that stand in no list; plan files and editors do not know the kind. Whether
/// the answer is any good is not judged by the node, see [`crate::planning`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanningTask {
    /// The agent.
    pub agent: String,
    /// The model to ask for; `None` leaves it to the agent.
    pub model: Option<String>,
    /// All that the agent is told before it thinks. Holds no templates: its braces are somebody else's.
    pub prompt: String,
    /// What it is asked when it has thought.
    pub question: String,
    /// The conversation that goes on instead, with agents that can.
    pub resumes: Option<Resumption>,
}

/// A conversation that goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resumption {
    /// The agent's own name of the session.
    pub native: String,
    /// What it is told, in place of the whole prompt.
    pub prompt: String,
}
