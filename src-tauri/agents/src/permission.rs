//! Permission requests of agents, and the decisions on them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool call that waits for permission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct PermissionRequest {
    /// The request's id in the agent's protocol.
    pub request: String,
    pub tool: String,
    /// What the call would do, on one line.
    pub summary: String,
    pub input: Value,
    /// The id of the tool call, if the agent reports it.
    pub tool_use: Option<String>,
}

/// The decision of a person or a policy on a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Decision {
    Allow,
    Deny {
        /// The reason given to the agent.
        reason: String,
    },
}
