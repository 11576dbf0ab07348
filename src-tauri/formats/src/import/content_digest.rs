//! Fingerprints of what a source says, to tell what has changed at a second import.

use baton_model::{Node, NodeKind, Plan};
use serde_json::{Map, Value, json};

/// The key of what an import remembers in the metadata of plans and nodes.
pub(super) const IMPORT: &str = "import";

/// A fingerprint of the fields of a node that come from its source. Other fields, such as the
/// position or the agent, don't count.
pub(super) fn of_node(node: &Node) -> String {
    let task = match &node.kind {
        NodeKind::Agent(task) => json!(task.prompt),
        kind => json!(kind),
    };
    digest(&json!([
        node.title,
        node.description,
        task,
        node.instructions,
        node.acceptance_criteria,
        node.trigger_rule,
        node.suggested_agent,
        node.priority,
        node.disabled,
    ]))
}

pub(super) fn of_plan(plan: &Plan) -> String {
    digest(&json!([plan.title, plan.description]))
}

/// What the last import remembered about a plan or node.
pub(super) fn remembered(metadata: &Map<String, Value>) -> Option<&Map<String, Value>> {
    metadata.get(IMPORT)?.as_object()
}

/// FNV-1a in 64 bits. It only has to tell edits apart: whoever could forge it can edit the plan.
fn digest(value: &Value) -> String {
    let hash = value
        .to_string()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("{hash:016x}")
}
