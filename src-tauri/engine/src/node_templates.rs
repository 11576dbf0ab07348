//! The texts of a node that may hold templates.

use baton_model::node::{CommandLine, Criterion, Node, NodeKind};
use serde_json::Value;

pub(crate) fn templates_of(node: &Node) -> Vec<&str> {
    match &node.kind {
        NodeKind::Agent(task) => [&task.prompt, &node.description, &node.instructions]
            .into_iter()
            .map(String::as_str)
            .chain(node.acceptance_criteria.iter().map(Criterion::text))
            .collect(),
        NodeKind::Command(task) => {
            let lines = match &task.command {
                CommandLine::Shell(line) => std::slice::from_ref(line),
                CommandLine::Argv(lines) => lines.as_slice(),
            };
            lines
                .iter()
                .chain(task.env.values())
                .map(String::as_str)
                .collect()
        }
        NodeKind::LlmDecision(task) => vec![&task.prompt, &node.description, &node.instructions],
        kind => texts_of_calls(kind),
    }
}

fn texts_of_calls(kind: &NodeKind) -> Vec<&str> {
    let mut texts = Vec::new();
    for call in kind.tool_calls() {
        call.tool_args
            .values()
            .for_each(|value| gather(value, &mut texts));
    }
    texts.extend(kind.sub_plan().map(|plan| plan.prompt.as_str()));
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
