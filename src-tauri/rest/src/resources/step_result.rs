//! What a step came to, by what its type leaves: a value, a decision, an answer, a branch.

use std::collections::BTreeMap;

use baton_model::node::{LoopBody, NodeKind};
use baton_model::{Artifact, Node, NodeId};
use serde_json::Value;

use crate::schema::answers;

answers! {
    /// What a step came to. Fields that its type doesn't have are `null` or empty.
    pub(crate) struct StepResult {
        /// That of the step.
        #[serde(rename = "type")]
        pub(crate) kind: String,
        /// The handoff, in Markdown.
        pub(crate) text: String,
        /// Its named values.
        pub(crate) outputs: BTreeMap<String, String>,
        /// The tool of a `tool_call`, and of a `loop` of one.
        pub(crate) tool_name: Option<String>,
        /// What the tool returned; a list for `parallel` and `loop`.
        pub(crate) result: Option<Value>,
        /// The choice of an `llm_decision`.
        pub(crate) decision: Option<String>,
        /// The person's answer to a `user_input`.
        pub(crate) answer: Option<String>,
        /// The step where a `condition` continued.
        pub(crate) next_step: Option<NodeId>,
        /// The tools that its session called, in order: the first 1,000.
        pub(crate) tool_calls: Vec<StepToolCall>,
    }
    /// A call of a tool by a session.
    pub(crate) struct StepToolCall {
        pub(crate) tool_name: String,
        /// What it worked on, on one line.
        pub(crate) summary: String,
        /// Whether it returned without an error; `null` if it didn't end.
        pub(crate) ok: Option<bool>,
    }
}

/// The handoff of a node, with the calls of the session that wrote it.
#[derive(Debug, Clone)]
pub(crate) struct Handoff {
    pub(crate) content: Artifact,
    /// Empty unless they were read.
    pub(crate) tool_calls: Vec<StepToolCall>,
}

impl StepResult {
    pub(super) fn new(node: &Node, handoff: Handoff) -> Self {
        let Artifact { text, outputs, .. } = handoff.content;
        let output = |name: &str| outputs.get(name).cloned();
        let is_decision = matches!(node.kind, NodeKind::LlmDecision(_));
        let is_question = matches!(node.kind, NodeKind::UserInput(_));
        Self {
            kind: node.kind.as_str().to_owned(),
            tool_name: tool_name(&node.kind),
            result: output("result")
                .filter(|_| returns_value(&node.kind))
                .map(value),
            decision: output("decision").filter(|_| is_decision),
            answer: output("answer").filter(|_| is_question),
            next_step: next_step(&node.kind, &outputs),
            tool_calls: handoff.tool_calls,
            text,
            outputs,
        }
    }
}

fn returns_value(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::ToolCall(_) | NodeKind::Parallel(_) | NodeKind::Loop(_)
    )
}

fn tool_name(kind: &NodeKind) -> Option<String> {
    match kind {
        NodeKind::ToolCall(call) => Some(call.tool_name.clone()),
        NodeKind::Loop(task) => match &task.body {
            LoopBody::Tool(call) => Some(call.tool_name.clone()),
            LoopBody::Plan(_) => None,
        },
        _ => None,
    }
}

fn next_step(kind: &NodeKind, outputs: &BTreeMap<String, String>) -> Option<NodeId> {
    let NodeKind::Condition(task) = kind else {
        return None;
    };
    match outputs.get("taken")?.as_str() {
        "true" => task.true_step,
        _ => task.false_step,
    }
}

/// Outputs are text: one line as it is, everything else as JSON.
fn value(text: String) -> Value {
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

#[cfg(test)]
mod tests {
    use baton_model::Slug;
    use baton_model::node::{ConditionTask, Question, ToolCall};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn result(kind: NodeKind, outputs: &[(&str, &str)]) -> StepResult {
        let id = NodeId(Uuid::from_u128(1));
        let slug = Slug::new("step").expect("a name");
        let node = Node::new(id, slug, "Step", kind);
        let named = outputs.iter();
        let content = Artifact {
            text: "**What was done:** it".to_owned(),
            outputs: named
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect(),
            ..Artifact::default()
        };
        let handoff = Handoff {
            content,
            tool_calls: Vec::new(),
        };
        StepResult::new(&node, handoff)
    }

    #[test]
    fn value_of_a_tool_is_json_or_text() {
        for (text, expected) in [
            (r#"{"open": 2}"#, json!({"open": 2})),
            ("two words", json!("two words")),
        ] {
            let call = ToolCall {
                tool_name: "list_goals".to_owned(),
                ..ToolCall::default()
            };
            let result = result(NodeKind::ToolCall(call), &[("result", text)]);
            assert_eq!(result.result, Some(expected));
            assert_eq!(result.tool_name.as_deref(), Some("list_goals"));
            assert_eq!(result.kind, "tool_call");
        }
    }

    #[test]
    fn condition_says_where_it_continued() {
        let (yes, no) = (NodeId(Uuid::from_u128(2)), NodeId(Uuid::from_u128(3)));
        let task = ConditionTask {
            true_step: Some(yes),
            false_step: Some(no),
            ..ConditionTask::default()
        };
        for (taken, next) in [("true", yes), ("false", no)] {
            let result = result(NodeKind::Condition(task.clone()), &[("taken", taken)]);
            assert_eq!(result.next_step, Some(next));
        }
    }

    #[test]
    fn answer_of_a_person_is_no_value_of_a_tool() {
        let outputs = [("answer", "yes"), ("result", "yes")];
        let result = result(NodeKind::UserInput(Question::default()), &outputs);
        assert_eq!(result.answer.as_deref(), Some("yes"));
        assert_eq!((result.result, result.decision), (None, None));
        assert_eq!(result.outputs.len(), 2);
    }
}
