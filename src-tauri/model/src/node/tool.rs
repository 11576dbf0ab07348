//! Calls of tools: one, several at once, or one again and again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SubPlanTask;

/// A call of a built-in tool, or of a tool of an MCP server (`server/tool`) (product K3).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// Which.
    pub tool_name: String,
    /// Its arguments. Texts in it may hold `{{nodes.<slug>.outputs.<key>}}`.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
    pub tool_args: Map<String, Value>,
}

impl ToolCall {
    /// The address of the call, where a value of the run decides whom it reaches: the approval of the plan does not
    /// name that. A value in the path or the query of an address is data for a server that the plan names.
    #[must_use]
    pub fn open_address(&self) -> Option<&str> {
        let url = self.tool_args.get("url").filter(|_| self.tool_name == "http")?.as_str()?;
        let after_scheme = url.split_once("://").map_or(0, |(scheme, _)| scheme.len() + 3);
        let authority = url[after_scheme..].find(['/', '?', '#']).map_or(url, |end| &url[..after_scheme + end]);
        // A template may hold slashes itself, and one that begins before the authority ends decides about it.
        authority.contains("{{").then_some(url)
    }

    /// Whether the call could change something outside the run, so that a person may want to be asked first.
    ///
    /// What is not known to be harmless is not.
    #[must_use]
    pub fn is_guarded(&self) -> bool {
        let method = || self.tool_args.get("method").and_then(Value::as_str).unwrap_or("GET").to_ascii_uppercase();
        match self.tool_name.as_str() {
            "read" | "glob" | "list_plans" | "get_plan_details" => false,
            "http" => !matches!(method().as_str(), "GET" | "HEAD"),
            _ => true,
        }
    }
}

/// Several tool calls at once (product K7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ParallelTask {
    /// The calls.
    pub steps: Vec<ToolCall>,
    /// Every call comes to its end, also after one has failed. Otherwise the first failure stops the others.
    #[serde(default = "yes")]
    pub wait_all: bool,
    /// How many run at once.
    #[serde(default = "ParallelTask::default_limit")]
    pub max_concurrent: u32,
}

impl ParallelTask {
    /// How many calls run at once where nothing is said.
    #[must_use]
    pub fn default_limit() -> u32 {
        5
    }
}

/// A tool call, or a plan, again and again (product K8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoopTask {
    /// What is repeated.
    pub body: LoopBody,
    /// The most iterations.
    #[serde(default = "LoopTask::default_iterations")]
    pub max_iterations: u32,
    /// Looked at after each iteration: while it holds, there is another. `None`: until the most is reached.
    #[serde(default)]
    pub loop_condition: Option<String>,
}

impl LoopTask {
    /// The most iterations where nothing is said.
    #[must_use]
    pub fn default_iterations() -> u32 {
        10
    }
}

/// What a loop repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LoopBody {
    /// A tool call, which gets the number of the iteration as the argument `iteration`.
    Tool(ToolCall),
    /// A run of another plan, one after the other.
    Plan(SubPlanTask),
}

impl LoopBody {
    /// Whether each iteration is a run of its own.
    #[must_use]
    pub fn is_plan(&self) -> bool {
        matches!(self, Self::Plan(_))
    }
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_is_open_where_a_value_decides_whom_the_call_reaches() {
        for (tool, url, is_open) in [
            ("http", json!("https://example.org/a"), false),
            ("http", json!("https://example.org/{{nodes.a.outputs.path}}"), false),
            ("http", json!("https://example.org?q={{nodes.a.outputs.q}}"), false),
            ("http", json!("http://127.0.0.1:8080/"), false),
            ("http", json!("{{nodes.a.outputs.url}}"), true),
            ("http", json!("{{nodes.a.outputs.scheme}}://example.org/"), true),
            ("http", json!("https://{{nodes.a.outputs.host}}/a"), true),
            ("http", json!("https://example.org{{nodes.a.outputs.rest}}"), true),
            ("http", json!("https://example.org:{{nodes.a.outputs.port}}/a"), true),
            ("http", json!("https://{{inputs.user}}@example.org/"), true),
            ("http", json!(7), false),
            ("shell", json!("{{nodes.a.outputs.url}}"), false),
        ] {
            let call = ToolCall {
                tool_name: tool.to_owned(),
                tool_args: [("url".to_owned(), url.clone())].into_iter().collect(),
            };
            assert_eq!(call.open_address().is_some(), is_open, "{tool} {url}");
        }
    }
}
