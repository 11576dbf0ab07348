//! The texts of a node in which `{{nodes.…}}` is expanded, and which nodes they refer to.

use serde_json::Value;

use super::{CommandLine, LoopBody, Node, NodeKind, ToolCall};

/// A text and its key in a plan file.
pub type KeyedText<'n> = (&'static str, &'n str);

impl Node {
    /// The texts in which `{{nodes.…}}` is expanded before the node starts.
    #[must_use]
    pub fn template_texts(&self) -> Vec<KeyedText<'_>> {
        let mut texts = Vec::new();
        // Only agents read these.
        if matches!(self.kind, NodeKind::Agent(_) | NodeKind::LlmDecision(_)) {
            texts.extend([
                ("description", self.description.as_str()),
                ("instructions", &self.instructions),
            ]);
        }
        texts.extend(
            self.acceptance_criteria
                .iter()
                .map(|criterion| ("acceptanceCriteria", criterion.text())),
        );
        texts.extend(texts_of_kind(&self.kind));
        texts
    }
}

fn texts_of_kind(kind: &NodeKind) -> Vec<KeyedText<'_>> {
    match kind {
        NodeKind::Agent(task) => vec![("prompt", &task.prompt)],
        NodeKind::LlmDecision(task) => vec![("prompt", &task.prompt)],
        NodeKind::UserInput(question) => vec![("question", &question.question)],
        NodeKind::Command(task) => {
            let words = match &task.command {
                CommandLine::Shell(line) => std::slice::from_ref(line),
                CommandLine::Argv(words) => words,
            };
            let words = words.iter().map(|word| ("command", word.as_str()));
            words
                .chain(task.env.values().map(|value| ("env", value.as_str())))
                .collect()
        }
        NodeKind::ToolCall(call) => texts_of_call("toolArgs", call),
        NodeKind::Parallel(task) => task
            .steps
            .iter()
            .flat_map(|call| texts_of_call("steps", call))
            .collect(),
        NodeKind::Loop(task) => match &task.body {
            LoopBody::Tool(call) => texts_of_call("toolArgs", call),
            LoopBody::Plan(task) => vec![("prompt", &task.prompt)],
        },
        NodeKind::SubPlan(task) => vec![("prompt", &task.prompt)],
        NodeKind::Condition(_) | NodeKind::Note(_) | NodeKind::Planning(_) => Vec::new(),
    }
}

fn texts_of_call<'n>(key: &'static str, call: &'n ToolCall) -> Vec<KeyedText<'n>> {
    let mut texts = Vec::new();
    for value in call.tool_args.values() {
        collect_strings(key, value, &mut texts);
    }
    texts
}

fn collect_strings<'n>(key: &'static str, value: &'n Value, texts: &mut Vec<KeyedText<'n>>) {
    match value {
        Value::String(text) => texts.push((key, text)),
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect_strings(key, item, texts)),
        Value::Object(fields) => fields
            .values()
            .for_each(|field| collect_strings(key, field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The slugs that `text` refers to, as in `{{nodes.build.outputs.file}}` or `{{
/// nodes['build'].error.output }}`. Other braces are left alone.
pub fn referenced_slugs(text: &str) -> impl Iterator<Item = &str> {
    let inner = text
        .split("{{")
        .skip(1)
        .filter_map(|rest| rest.split_once("}}"))
        .map(|(inner, _)| inner.trim_start());
    inner
        .filter(|inner| inner.starts_with("nodes.") || inner.starts_with("nodes["))
        .flat_map(slugs_in)
}

fn slugs_in(expression: &str) -> impl Iterator<Item = &str> {
    expression.match_indices("nodes").filter_map(|(at, word)| {
        let is_whole_word =
            !expression[..at].ends_with(|c: char| c.is_alphanumeric() || "_-.'\"".contains(c));
        slug_after(&expression[at + word.len()..]).filter(|_| is_whole_word)
    })
}

/// The slug at the start of `.build.outputs` or `['build'].outputs`.
fn slug_after(rest: &str) -> Option<&str> {
    let rest = rest
        .strip_prefix('.')
        .or_else(|| rest.strip_prefix('[')?.strip_prefix(['\'', '"']))?;
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))
        .unwrap_or(rest.len());
    Some(&rest[..end]).filter(|slug| !slug.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referenced_slugs_come_from_node_expressions() {
        for (text, slugs) in [
            (
                "{{nodes.build-it.outputs.file}} {{ nodes['b'].error.message }}",
                vec!["build-it", "b"],
            ),
            (
                "{{nodes.a.outputs.x ~ nodes[\"b\"].outputs.y}}",
                vec!["a", "b"],
            ),
            ("{{nodes.a.outputs['nodes.b']}}", vec!["a"]),
            (
                "docker inspect --format '{{.Id}}' nodes.a.outputs {{ x }} {{nodes}} {{",
                vec![],
            ),
            ("{{ subnodes.a.outputs.x }} {{nodes[0].outputs.x}}", vec![]),
        ] {
            assert_eq!(referenced_slugs(text).collect::<Vec<_>>(), slugs, "{text}");
        }
    }

    #[test]
    fn nested_tool_arguments_are_collected() {
        let args = serde_json::json!({"a": ["x", {"b": "y"}], "c": 1});
        let tool_args = args.as_object().expect("a mapping").clone();
        let call = ToolCall {
            tool_name: "http".to_owned(),
            tool_args,
        };
        assert_eq!(
            texts_of_call("toolArgs", &call),
            [("toolArgs", "x"), ("toolArgs", "y")]
        );
    }
}
