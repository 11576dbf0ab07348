//! The node of a planner's session.

use serde::{Deserialize, Serialize};

/// A planner's session: an agent gets a prompt and then a question, and its answer is stored as is.
///
/// Only Baton creates such nodes, in internal plans that are not listed. Plan files and editors
/// don't know this kind. The node does not evaluate the answer, see [`crate::planning`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct PlanningTask {
    pub agent: String,
    /// The model to request; `None` uses the agent's default.
    pub model: Option<String>,
    /// The complete prompt. Templates are not expanded in it, because its braces may belong to
    /// quoted text.
    pub prompt: String,
    /// Asked after the agent has finished thinking.
    pub question: String,
    /// The conversation to continue instead, for agents that can.
    pub resumes: Option<Resumption>,
}

/// A conversation that is continued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resumption {
    /// The agent's own ID of the session.
    pub native: String,
    /// Sent in place of the whole prompt.
    pub prompt: String,
}
