//! Calls of tools: one, several at once, or one again and again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SubPlanTask;

/// A call of a built-in tool, or of a tool of an MCP server (`server/tool`).
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
    /// The address of the call and the expressions in it that decide which server it reaches. A value in the path or
    /// the query of an address is data for a server that the plan names.
    pub(crate) fn address_expressions(&self) -> Option<(&str, Vec<&str>)> {
        let url = self
            .tool_args
            .get("url")
            .filter(|_| self.tool_name == "http")?
            .as_str()?;
        let after_scheme = url
            .split_once("://")
            .map_or(0, |(scheme, _)| scheme.len() + 3);
        let end = url[after_scheme..]
            .find(['/', '?', '#'])
            .map_or(url.len(), |end| after_scheme + end);
        // An expression may hold slashes itself, and one that begins before the server's name ends decides about it.
        let begins = url
            .match_indices("{{")
            .map(|(at, _)| at)
            .filter(|at| *at < end);
        let whole = |at: usize| {
            url[at..]
                .find("}}")
                .map_or(&url[at..], |length| &url[at..at + length + 2])
        };
        Some((url, begins.map(whole).collect()))
    }

    /// Whether the call could change something outside the run, so that a person may want to be asked first.
    ///
    /// What is not known to be harmless is not.
    #[must_use]
    pub fn is_guarded(&self) -> bool {
        let method = || {
            self.tool_args
                .get("method")
                .and_then(Value::as_str)
                .unwrap_or("GET")
                .to_ascii_uppercase()
        };
        match self.tool_name.as_str() {
            "read" | "glob" | "list_plans" | "get_plan_details" => false,
            "http" => !matches!(method().as_str(), "GET" | "HEAD"),
            _ => true,
        }
    }
}

/// Several tool calls at once.
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

/// A tool call, or a plan, again and again.
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
    fn a_request_is_guarded_by_its_method() {
        let call = |tool: &str, tool_args| ToolCall {
            tool_name: tool.to_owned(),
            tool_args,
        };
        for (method, is_guarded) in [
            ("get", false),
            ("HEAD", false),
            ("post", true),
            ("DELETE", true),
        ] {
            let method_only = [("method".to_owned(), json!(method))].into_iter().collect();
            assert_eq!(
                call("http", method_only).is_guarded(),
                is_guarded,
                "{method}"
            );
        }
        for (tool, is_guarded) in [
            ("http", false),
            ("read", false),
            ("shell", true),
            ("notes/search", true),
        ] {
            assert_eq!(
                call(tool, Default::default()).is_guarded(),
                is_guarded,
                "{tool}"
            );
        }
    }

    #[test]
    fn expressions_decide_which_server_is_reached_until_its_name_ends() {
        let value = "{{nodes.a.outputs.x}}";
        for (tool, url, found) in [
            ("http", "https://example.org/a".to_owned(), Some(0)),
            ("http", format!("https://example.org/{value}"), Some(0)),
            ("http", format!("https://example.org?q={value}"), Some(0)),
            ("http", "http://127.0.0.1:8080/".to_owned(), Some(0)),
            ("http", value.to_owned(), Some(1)),
            ("http", format!("{value}://{value}/{value}"), Some(2)),
            ("http", format!("https://{value}/a"), Some(1)),
            ("http", format!("https://example.org{value}"), Some(1)),
            ("http", format!("https://example.org:{value}/a"), Some(1)),
            ("http", format!("https://{value}@example.org/"), Some(1)),
            (
                "http",
                "https://{{nodes['a/b'].outputs.x}}/".to_owned(),
                Some(1),
            ),
            ("shell", value.to_owned(), None),
        ] {
            let tool_args = [("url".to_owned(), json!(url))].into_iter().collect();
            let call = ToolCall {
                tool_name: tool.to_owned(),
                tool_args,
            };
            let expressions = call
                .address_expressions()
                .map(|(_, expressions)| expressions);
            assert_eq!(expressions.as_ref().map(Vec::len), found, "{tool} {url}");
            assert!(
                expressions
                    .iter()
                    .flatten()
                    .all(|text| text.ends_with("}}")),
                "{expressions:?}"
            );
        }
    }
}
