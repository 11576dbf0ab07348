//! The tools that need no server, with the arguments that each takes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::ToolCall;

/// A built-in tool, as an editor shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolInfo {
    /// What calls name it.
    pub name: String,
    /// What it does, in a sentence.
    pub description: String,
    /// A call of it could change something outside the run. Of `http` that depends on the method.
    pub guarded: bool,
    /// The JSON schema of its arguments.
    #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
    pub arguments: Value,
}

/// One of Baton's own tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BuiltInTool {
    /// A line for the shell.
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
    /// Pauses the run of a plan.
    PausePlan,
    DeletePlan,
}

impl BuiltInTool {
    /// All of them, in the order of the catalog.
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

    /// Whether it acts on plans of Baton, and runs no code but Baton's own.
    #[must_use]
    pub fn acts_on_plans(self) -> bool {
        !matches!(
            self,
            Self::Shell | Self::Read | Self::Write | Self::Glob | Self::Http
        )
    }

    /// The tool of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// What calls name it. The names of the plan tools are those of the planning agents that Baton's plans come from.
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

    /// What it does, in a sentence.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Shell => {
                "Runs a line in the shell; gives its exit code and what it printed, and fails when the code is not 0."
            }
            Self::Read => "Reads a text file, or some of its lines.",
            Self::Write => "Writes a text file, with the folders that it needs.",
            Self::Glob => "Lists the files that match a pattern, such as `src/**/*.rs`.",
            Self::Http => "Sends an HTTP request; fails when the status is 400 or above.",
            Self::ListPlans => "Lists the plans with their status and progress.",
            Self::CreatePlan => {
                "Makes a new plan with a goal. A person approves it before it can run."
            }
            Self::AddPlanStep => "Adds a node to a plan.",
            Self::GetPlanDetails => "Shows a plan with its nodes, and the latest run.",
            Self::ExecutePlan => {
                "Runs an approved plan and waits for the end; fails when the run does."
            }
            Self::PausePlan => "Lets the running plan start no more nodes.",
            Self::DeletePlan => "Deletes a plan with its runs, for good.",
        }
    }

    /// The JSON schema of its arguments.
    #[must_use]
    pub fn schema(self) -> Value {
        let (properties, required): (Value, &[&str]) = match self {
            Self::Shell => (
                json!({
                    "command": text("The line, run by `sh -c`. In a loop it finds the number in $BATON_ITERATION."),
                    "cwd": text("The directory, relative to the node's."),
                    "env": string_map("Variables on top of the environment."),
                }),
                &["command"],
            ),
            Self::Read => (
                json!({
                    "path": text("The file, relative to the node's directory."),
                    "offset": positive_integer("The first line to read, from 1."),
                    "limit": positive_integer("How many lines to read."),
                }),
                &["path"],
            ),
            Self::Write => (
                json!({
                    "path": text("The file, relative to the node's directory."),
                    "content": text("What it shall hold."),
                    "append": { "type": "boolean", "description": "Add to what is there." },
                }),
                &["path", "content"],
            ),
            Self::Glob => (
                json!({
                    "pattern": text("`*`, `**`, `?`, `[a-z]` and `{a,b}` as in a shell."),
                    "cwd": text("Where to look, relative to the node's directory."),
                }),
                &["pattern"],
            ),
            Self::Http => (
                json!({
                    "url": text("The address, beginning with http:// or https://."),
                    "method": { "type": "string", "description": "GET unless said otherwise.",
                                "enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] },
                    "headers": string_map("Headers of the request."),
                    "body": text("The body, as it is."),
                    "json": { "description": "The body, as JSON." },
                    "timeoutMs": positive_integer("Milliseconds until it is given up; 30,000 unless said otherwise."),
                }),
                &["url"],
            ),
            Self::ListPlans => (
                json!({
                    "status": text("Only plans whose latest run is in this state, or plans of this review state."),
                    "limit": positive_integer("At most so many, the latest first."),
                }),
                &[],
            ),
            Self::CreatePlan => (
                json!({
                    "name": text("The title."),
                    "goal": text("What shall be reached."),
                    "description": text("More about it."),
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

const PLAN_ID: &str = "The plan's id, or its title when only one plan has it.";

fn step_properties() -> Value {
    json!({
        "plan_id": text(PLAN_ID),
        "order": positive_integer("Its place, from 1. Without `dependencies` it waits for the nodes of the place before."),
        "type": { "type": "string", "description": "The kind of the node.",
                  "enum": ["agent", "command", "tool_call", "llm_decision", "user_input", "condition", "parallel", "loop",
                           "sub_plan"] },
        "name": text("Its title."),
        "description": text("What it is for."),
        "tool_name": text("Of a tool call or a loop: the tool."),
        "tool_args": { "type": "object", "description": "Of a tool call or a loop: its arguments." },
        "prompt": text("Of an agent or a decision: the task."),
        "choices": { "type": "array", "description": "Of a decision: the answers that count." },
        "question": text("Of a question to a person."),
        "command": text("Of a command."),
        "config": { "type": "object", "description": "Any other keys of the node, as in a plan file." },
        "dependencies": { "type": "array", "description": "The ids of the nodes that it waits for." },
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

/// The built-in tools, in an order for people.
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
