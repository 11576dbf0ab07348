//! The built-in tools and their arguments.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::ToolCall;

/// A built-in tool, as editors show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolInfo {
    /// The name in calls.
    pub name: String,
    /// What the tool does, in one sentence.
    pub description: String,
    /// Whether calls may change something outside of the run. For `http`, this depends on the
    /// method.
    pub guarded: bool,
    /// The JSON schema of the arguments.
    #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
    pub arguments: Value,
}

/// A built-in tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BuiltInTool {
    /// Runs a command line in a shell.
    Shell,
    Read,
    Write,
    Glob,
    Http,
    ListPlans,
    CreatePlan,
    /// Adds a node to a plan.
    AddPlanStep,
    GetPlanDetails,
    ExecutePlan,
    /// Pauses the latest run of a plan.
    PausePlan,
    DeletePlan,
}

impl BuiltInTool {
    /// All tools, in the order of the catalog.
    pub const ALL: [Self; 12] = [
        Self::Shell,
        Self::Read,
        Self::Write,
        Self::Glob,
        Self::Http,
        Self::ListPlans,
        Self::CreatePlan,
        Self::AddPlanStep,
        Self::GetPlanDetails,
        Self::ExecutePlan,
        Self::PausePlan,
        Self::DeletePlan,
    ];

    /// Returns whether the tool acts on Baton's plans. These tools only run Baton's own code.
    #[must_use]
    pub fn acts_on_plans(self) -> bool {
        !matches!(
            self,
            Self::Shell | Self::Read | Self::Write | Self::Glob | Self::Http
        )
    }

    /// Finds a tool by name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The name in calls. The plan tools use the names that planning agents commonly use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Read => "read",
            Self::Write => "write",
            Self::Glob => "glob",
            Self::Http => "http",
            Self::ListPlans => "list_plans",
            Self::CreatePlan => "create_plan",
            Self::AddPlanStep => "add_plan_step",
            Self::GetPlanDetails => "get_plan_details",
            Self::ExecutePlan => "execute_plan",
            Self::PausePlan => "pause_plan",
            Self::DeletePlan => "delete_plan",
        }
    }

    /// What the tool does, in one sentence.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Shell => {
                "Runs a command line in a shell and returns its exit code and output. Fails if the exit code isn't 0."
            }
            Self::Read => "Reads a text file or some of its lines.",
            Self::Write => "Writes a text file and creates missing folders.",
            Self::Glob => "Lists the files that match a pattern, such as `src/**/*.rs`.",
            Self::Http => "Sends an HTTP request. Fails if the status is 400 or above.",
            Self::ListPlans => "Lists plans with their status and progress.",
            Self::CreatePlan => {
                "Creates a plan with a goal. A person must approve it before it can run."
            }
            Self::AddPlanStep => "Adds a node to a plan.",
            Self::GetPlanDetails => "Returns a plan with its nodes and its latest run.",
            Self::ExecutePlan => {
                "Runs an approved plan and waits until it ends. Fails if the run fails."
            }
            Self::PausePlan => "Pauses the running plan: no more nodes start.",
            Self::DeletePlan => "Permanently deletes a plan and its runs.",
        }
    }

    /// The JSON schema of the arguments.
    #[must_use]
    pub fn schema(self) -> Value {
        let (properties, required): (Value, &[&str]) = match self {
            Self::Shell => (
                json!({
                    "command": text("The command line, run with `sh -c`. In a loop, $BATON_ITERATION is the iteration's number."),
                    "cwd": text("The directory, relative to the node's directory."),
                    "env": string_map("Additional environment variables."),
                }),
                &["command"],
            ),
            Self::Read => (
                json!({
                    "path": text("The file, relative to the node's directory."),
                    "offset": positive_integer("The first line to read, starting at 1."),
                    "limit": positive_integer("How many lines to read."),
                }),
                &["path"],
            ),
            Self::Write => (
                json!({
                    "path": text("The file, relative to the node's directory."),
                    "content": text("The content."),
                    "append": { "type": "boolean", "description": "Append to an existing file." },
                }),
                &["path", "content"],
            ),
            Self::Glob => (
                json!({
                    "pattern": text("`*`, `**`, `?`, `[a-z]` and `{a,b}` as in a shell."),
                    "cwd": text("The folder to search, relative to the node's directory."),
                }),
                &["pattern"],
            ),
            Self::Http => (
                json!({
                    "url": text("The URL, starting with http:// or https://."),
                    "method": { "type": "string", "description": "GET by default.",
                                "enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] },
                    "headers": string_map("Request headers."),
                    "body": text("The body as text."),
                    "json": { "description": "The body, as JSON." },
                    "timeoutMs": positive_integer("The timeout in milliseconds, 30,000 by default."),
                }),
                &["url"],
            ),
            Self::ListPlans => (
                json!({
                    "status": text("Only plans with this review state, or whose latest run is in this state."),
                    "limit": positive_integer("The maximum number of plans, newest first."),
                }),
                &[],
            ),
            Self::CreatePlan => (
                json!({
                    "name": text("The title."),
                    "goal": text("What the plan should achieve."),
                    "description": text("Further details."),
                }),
                &["name", "goal"],
            ),
            Self::AddPlanStep => (step_properties(), &["plan_id", "order", "type", "name"]),
            Self::GetPlanDetails | Self::ExecutePlan | Self::PausePlan | Self::DeletePlan => {
                (json!({ "plan_id": text(PLAN_ID) }), &["plan_id"])
            }
        };
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }
}

const PLAN_ID: &str = "The plan's id, or its title if that is unique.";

fn step_properties() -> Value {
    json!({
        "plan_id": text(PLAN_ID),
        "order": positive_integer("The position, starting at 1. Without `dependencies`, the node waits for the nodes at the previous position."),
        "type": { "type": "string", "description": "The kind of the node.",
                  "enum": ["agent", "command", "tool_call", "llm_decision", "user_input", "condition", "parallel", "loop",
                           "sub_plan"] },
        "name": text("The title."),
        "description": text("The purpose of the node."),
        "tool_name": text("For a tool call or a loop: the tool."),
        "tool_args": { "type": "object", "description": "For a tool call or a loop: the arguments." },
        "prompt": text("For an agent or a decision: the prompt."),
        "choices": { "type": "array", "description": "For a decision: the valid answers." },
        "question": text("For user input: the question."),
        "command": text("For a command: the command line."),
        "config": { "type": "object", "description": "Any other keys of the node, as in a plan file." },
        "dependencies": { "type": "array", "description": "The ids of the nodes to wait for." },
    })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn positive_integer(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 1, "description": description })
}

fn string_map(description: &str) -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" }, "description": description })
}

/// Returns all built-in tools, in display order.
#[must_use]
pub fn catalog() -> Vec<ToolInfo> {
    let info = |tool: BuiltInTool| ToolInfo {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        guarded: tool == BuiltInTool::Http
            || ToolCall {
                tool_name: tool.name().to_owned(),
                tool_args: Map::new(),
            }
            .is_guarded(),
        arguments: tool.schema(),
    };
    BuiltInTool::ALL.into_iter().map(info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_arguments_are_in_schema() {
        for info in catalog() {
            let arguments = &info.arguments;
            for name in arguments["required"].as_array().expect("a list") {
                let name = name.as_str().expect("a name");
                assert!(
                    arguments["properties"].get(name).is_some(),
                    "{}: {name}",
                    info.name
                );
            }
            assert!(info.description.ends_with('.'), "{}", info.name);
            assert_eq!(
                BuiltInTool::from_name(&info.name).map(BuiltInTool::name),
                Some(&*info.name)
            );
        }
    }

    #[test]
    fn guarded_tools() {
        let guarded: Vec<String> = catalog()
            .into_iter()
            .filter(|info| info.guarded)
            .map(|info| info.name)
            .collect();
        let expected = [
            "shell",
            "write",
            "http",
            "create_plan",
            "add_plan_step",
            "execute_plan",
            "pause_plan",
            "delete_plan",
        ];
        assert_eq!(guarded, expected);
    }
}
