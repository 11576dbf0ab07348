//! Tool calls: a single one, several in parallel, or a loop.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SubPlanTask;

/// A call of a built-in tool, or of a tool on an MCP server (`server/tool`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ToolCall {
    pub tool_name: String,
    /// The arguments. Texts in them may contain `{{nodes.<slug>.outputs.<key>}}`.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
    pub tool_args: Map<String, Value>,
}

impl ToolCall {
    /// The address of the call and the expressions in it that decide which server it reaches. A
    /// value in the path or query is only data for a server that the plan names.
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
        // Expressions may contain slashes. One that begins before the end of the server's name
        // affects it.
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

    /// Whether the call could change something outside the run, so that a person may want to be
    /// asked first.
    ///
    /// Anything not known to be harmless counts.
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

/// Several tool calls that run in parallel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ParallelTask {
    pub steps: Vec<ToolCall>,
    /// Whether all calls run to completion even after one has failed. Otherwise the first failure
    /// stops the others.
    #[serde(default = "yes")]
    pub wait_all: bool,
    /// How many calls run at once.
    #[serde(default = "ParallelTask::default_limit")]
    pub max_concurrent: u32,
}

impl ParallelTask {
    /// The default for `max_concurrent`.
    #[must_use]
    pub fn default_limit() -> u32 {
        5
    }
}

/// A tool call or a plan, repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct LoopTask {
    pub body: LoopBody,
    #[serde(default = "LoopTask::default_iterations")]
    pub max_iterations: u32,
    /// Evaluated after each iteration; while it is true, another one follows. `None` repeats until
    /// `max_iterations`.
    #[serde(default)]
    pub loop_condition: Option<String>,
}

impl LoopTask {
    /// The default for `max_iterations`.
    #[must_use]
    pub fn default_iterations() -> u32 {
        10
    }
}

/// What a loop repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LoopBody {
    /// A tool call. It receives the iteration's number as the argument `iteration`.
    Tool(ToolCall),
    /// A run of another plan, sequentially.
    Plan(SubPlanTask),
}

impl LoopBody {
    /// Whether each iteration is a separate run.
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
    fn http_method_decides_whether_a_request_is_guarded() {
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
    fn expressions_in_the_host_name_decide_the_server() {
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
