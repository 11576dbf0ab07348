//! `context_get`: what the attempt received, and the plan that it is a part of.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use baton_api::wire::{ContextView, NodeRef, NodeRunView, RunRef, RunView};
use baton_api::{ApiError, Code};
use baton_model::{Node, PlanId, RunId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempt;
use crate::answer::Answer;
use crate::clip;
use crate::operations::ask;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};
use crate::tool_schema::{any_list, any_object};

/// The largest part of the input in one answer, in bytes.
const TEXT_BYTES: usize = 3_500;
/// The longest line of the outline, in bytes, and the most lines.
const LINE_BYTES: usize = 110;
const MAX_LINES: usize = 15;
/// The longest value of a named output, in bytes, and the most outputs in all.
const OUTPUT_BYTES: usize = 100;
const MAX_OUTPUTS: usize = 10;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContextGetArguments {
    /// nextOffset of the last answer.
    offset: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AttemptContext {
    #[schemars(with = "String")]
    plan: PlanId,
    version: u32,
    #[schemars(with = "String")]
    run: RunId,
    node: String,
    title: String,
    attempt: u32,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    #[schemars(schema_with = "any_object")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outputs: BTreeMap<String, BTreeMap<String, String>>,
    #[schemars(schema_with = "any_list")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outline: Vec<String>,
    total: usize,
}

impl Answer for AttemptContext {
    fn text(&self) -> String {
        let mut text = format!(
            "{} ({}), attempt {}, version {} of the plan\n\n{}\n",
            self.title, self.node, self.attempt, self.version, self.text
        );
        if let Some(offset) = self.next_offset {
            let _ = writeln!(text, "more with offset {offset}");
        }
        for line in &self.outline {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

pub(super) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "context_get",
        title: "Read the input of this node",
        description: "Shows what this node received: the handoffs and outputs of the nodes before it, \
            and an outline of the plan with the version that replan_propose needs.",
    };
    ToolDefinition::new(text, Effect::Read, context_get)
}

fn context_get(
    context: &ToolContext,
    input: ContextGetArguments,
) -> Result<AttemptContext, ApiError> {
    let own = attempt(context)?;
    let operations = &*context.operations;
    let view: RunView = ask(operations, "run_get", RunRef { run: own.run })?;
    let reference = NodeRef {
        run: own.run,
        node: own.node,
    };
    let received: ContextView = ask(operations, "node_context", reference)?;
    let node = view
        .plan
        .node(own.node)
        .ok_or_else(|| ApiError::new(Code::NotFound, "the run has no such node"))?;
    let offset = input.offset.unwrap_or_default();
    let part = clip::part(&received.text, offset, TEXT_BYTES);
    let is_first = offset == 0;
    let attempt = view.nodes.iter().find(|row| row.node == own.node);
    Ok(AttemptContext {
        plan: view.summary.plan,
        version: view.summary.version,
        run: own.run,
        node: node.slug.to_string(),
        title: clip::line(&node.title, LINE_BYTES),
        attempt: attempt.map_or(0, |row| row.attempt.0),
        text: part.text.to_owned(),
        next_offset: part.next,
        outputs: match is_first {
            true => outputs(&received),
            false => BTreeMap::new(),
        },
        outline: match is_first {
            true => outline(&view),
            false => Vec::new(),
        },
        total: view.plan.nodes.len(),
    })
}

/// The beginning of the parents' named outputs, by the title of the parent.
fn outputs(received: &ContextView) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut shown = BTreeMap::<_, BTreeMap<_, _>>::new();
    let parents = received.parents.iter();
    let values = parents.flat_map(|parent| parent.outputs.iter().map(move |pair| (parent, pair)));
    for (parent, (name, value)) in values.take(MAX_OUTPUTS) {
        let of_parent = shown
            .entry(clip::line(&parent.title, LINE_BYTES))
            .or_default();
        of_parent.insert(name.clone(), clip::line(value, OUTPUT_BYTES));
    }
    shown
}

/// A line per node: its ID, kind, title and state.
fn outline(view: &RunView) -> Vec<String> {
    let line = |node: &Node| {
        let row: Option<&NodeRunView> = view.nodes.iter().find(|row| row.node == node.id);
        let state = row.map_or("", |row| row.state.as_str());
        let text = format!(
            "{} [{}] {}: {state}",
            node.slug,
            node.kind.as_str(),
            node.title
        );
        clip::line(&text, LINE_BYTES)
    };
    view.plan.nodes.iter().take(MAX_LINES).map(line).collect()
}
