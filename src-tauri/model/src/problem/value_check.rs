//! Checks that values of other nodes in commands and arguments remain data.

use std::collections::BTreeMap;

use serde_json::Value;

use super::node_fault::NodeField;
use crate::Node;
use crate::node::{CommandLine, CommandTask, Criterion, LoopBody, NodeKind, ToolCall};
use crate::shell::{self, UnsafeValue};
use crate::template_text::LoopScope;

/// The tool whose argument `command` is a shell command line.
const SHELL_TOOL: &str = "shell";

/// The values of other nodes that might be interpreted as code in what `node` runs, with their
/// fields.
///
/// Values of a loop are always checked, because it isn't known whether the plan is the body of a
/// loop.
pub fn unsafe_values(node: &Node) -> impl Iterator<Item = (NodeField, UnsafeValue)> {
    let lines = node
        .acceptance_criteria
        .iter()
        .filter_map(|criterion| match criterion {
            Criterion::Run { run, .. } => Some(run),
            Criterion::Sentence(_) | Criterion::Ask { .. } => None,
        });
    let criteria =
        lines.flat_map(|line| shell::unsafe_values(line, &BTreeMap::new(), LoopScope::Body));
    let criteria = criteria.map(|value| (NodeField::AcceptanceCriteria, value));
    values_in_kind(&node.kind).into_iter().chain(criteria)
}

fn values_in_kind(kind: &NodeKind) -> Vec<(NodeField, UnsafeValue)> {
    let calls = |field: NodeField, calls: &[ToolCall], scope| {
        calls
            .iter()
            .flat_map(|call| values_in_call(call, scope))
            .map(|value| (field, value))
            .collect()
    };
    match kind {
        NodeKind::Command(task) => values_in_command(task),
        NodeKind::ToolCall(call) => calls(
            NodeField::ToolArgs,
            std::slice::from_ref(call),
            LoopScope::Body,
        ),
        NodeKind::Parallel(task) => calls(NodeField::Steps, &task.steps, LoopScope::Body),
        NodeKind::Loop(task) => match &task.body {
            LoopBody::Tool(call) => calls(
                NodeField::ToolArgs,
                std::slice::from_ref(call),
                LoopScope::Step,
            ),
            LoopBody::Plan(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn values_in_command(task: &CommandTask) -> Vec<(NodeField, UnsafeValue)> {
    let found = match &task.command {
        CommandLine::Shell(line) => shell::unsafe_values(line, &task.env, LoopScope::Body),
        CommandLine::Argv(words) => shell::unsafe_arguments(words, &task.env, LoopScope::Body),
    };
    let in_env = |value: &UnsafeValue| {
        let is_split = value.place == shell::ValuePosition::Split;
        matches!(&value.place, shell::ValuePosition::Variable { name } if task.env.contains_key(name))
            || is_split
                && task
                    .env
                    .values()
                    .any(|text| text.contains(&value.expression))
    };
    let field = |value: &UnsafeValue| {
        if in_env(value) {
            NodeField::Env
        } else {
            NodeField::Command
        }
    };
    found
        .into_iter()
        .map(|value| (field(&value), value))
        .collect()
}

fn values_in_call(call: &ToolCall, scope: LoopScope) -> Vec<UnsafeValue> {
    let Some(Value::String(line)) = call
        .tool_args
        .get("command")
        .filter(|_| call.tool_name == SHELL_TOOL)
    else {
        return Vec::new();
    };
    let env = call.tool_args.get("env").and_then(Value::as_object);
    let text = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
    let env = env.into_iter().flatten().filter_map(text).collect();
    shell::unsafe_values(line, &env, scope)
}
