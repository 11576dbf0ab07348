//! Nodes that call tools or ask a condition: the work file of their session, with every template filled in.

use baton_model::expression::Values;
use baton_model::node::{LoopBody, NodeKind, ToolCall};
use baton_model::outcome::Failure;
use baton_tools::{McpServer, Task, ToolName, Work};
use serde_json::{Map, Value};

use super::{bad_input, fill};
use crate::shell_line;
use crate::template::Outputs;

/// The tool whose argument `command` is a line for the shell.
const SHELL_TOOL: &str = "shell";

/// What the node's own session has to do; `None` for kinds that are not done by `baton-tool`.
pub(super) fn task_of(kind: &NodeKind, outputs: &Outputs, values: Values) -> Result<Option<Task>, Failure> {
    Ok(Some(match kind {
        NodeKind::ToolCall(call) => Task::Call { call: filled(call, outputs)? },
        NodeKind::Parallel(task) => Task::Parallel {
            calls: task.steps.iter().map(|call| filled(call, outputs)).collect::<Result<_, _>>()?,
            wait_all: task.wait_all,
            limit: task.max_concurrent,
        },
        NodeKind::Loop(task) => match &task.body {
            LoopBody::Tool(call) => Task::Loop {
                call: filled(call, outputs)?,
                max_iterations: task.max_iterations,
                loop_condition: task.loop_condition.clone(),
                values,
            },
            LoopBody::Plan(_) => return Ok(None),
        },
        NodeKind::Condition(task) => Task::Condition { condition: task.condition.clone(), values },
        _ => return Ok(None),
    }))
}

/// Those of `servers` whose tools the node calls. The others are not its business.
pub(super) fn servers_for(kind: &NodeKind, servers: Vec<McpServer>) -> Vec<McpServer> {
    let is_named = |server: &McpServer| {
        let alone = std::slice::from_ref(server);
        let meant = |call: &ToolCall| matches!(ToolName::parse(&call.tool_name, alone), ToolName::Mcp { .. });
        kind.tool_calls().iter().any(meant)
    };
    servers.into_iter().filter(is_named).collect()
}

/// What a person reads of the work before it is done.
pub(super) fn told(work: &Work) -> String {
    let line = |call: &ToolCall| format!("{} {}", call.tool_name, Value::Object(call.tool_args.clone()));
    match &work.task {
        Task::Call { call } => line(call),
        Task::Parallel { calls, .. } => calls.iter().map(line).collect::<Vec<_>>().join("\n"),
        Task::Loop { call, max_iterations, loop_condition, .. } => {
            let until = loop_condition.as_ref().map(|condition| format!(", while {condition}")).unwrap_or_default();
            format!("up to {max_iterations} times{until}:\n{}", line(call))
        }
        Task::Condition { condition, .. } => condition.clone(),
    }
}

/// What a person reads of a node that has not been prepared: its own words, templates and all.
pub(super) fn outline(kind: &NodeKind) -> String {
    let line = |call: &ToolCall| format!("{} {}", call.tool_name, Value::Object(call.tool_args.clone()));
    let calls: Vec<String> = kind.tool_calls().iter().map(line).collect();
    match kind {
        NodeKind::Condition(task) => task.condition.clone(),
        kind => kind.sub_plan().map_or_else(|| calls.join("\n"), |plan| format!("the plan '{}'", plan.sub_plan_id)),
    }
}

/// The texts of the node that may hold templates.
pub(super) fn texts(kind: &NodeKind) -> Vec<&str> {
    let mut texts = Vec::new();
    for call in kind.tool_calls() {
        call.tool_args.values().for_each(|value| gather(value, &mut texts));
    }
    texts
}

fn gather<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| gather(field, texts)),
        _ => {}
    }
}

/// The call with its templates filled in. In a line for the shell a value travels as a variable and never as text.
fn filled(call: &ToolCall, outputs: &Outputs) -> Result<ToolCall, Failure> {
    let mut arguments = Map::new();
    let mut variables = Map::new();
    for (name, value) in &call.tool_args {
        let value = match value {
            Value::String(line) if name == "command" && call.tool_name == SHELL_TOOL => {
                let (line, values) = shell_line::fill(line, outputs).map_err(bad_input)?;
                variables.extend(values.into_iter().map(|(name, value)| (name, Value::String(value))));
                Value::String(line)
            }
            value => filled_value(value, outputs)?,
        };
        arguments.insert(name.clone(), value);
    }
    if !variables.is_empty() {
        let env = arguments.entry("env").or_insert_with(|| Value::Object(Map::new()));
        match env {
            Value::Object(env) => env.extend(variables),
            _ => return Err(Failure::BadInput { detail: "the argument env of shell must be an object".to_owned() }),
        }
    }
    Ok(ToolCall { tool_name: call.tool_name.clone(), tool_args: arguments })
}

fn filled_value(value: &Value, outputs: &Outputs) -> Result<Value, Failure> {
    Ok(match value {
        Value::String(text) => Value::String(fill(text, outputs)?),
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| filled_value(item, outputs)).collect::<Result<_, _>>()?)
        }
        Value::Object(fields) => {
            let filled = fields.iter().map(|(name, field)| Ok((name.clone(), filled_value(field, outputs)?)));
            Value::Object(filled.collect::<Result<_, Failure>>()?)
        }
        value => value.clone(),
    })
}
