//! The bodies that make and change nodes, and the keys of a plan file that they mean.

use baton_model::{NodeId, Plan};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::route::RequestBody;
use crate::schema::words;

/// A new node: the keys of a node in a plan file.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct NodeCreate {
    /// The number of a step in a flat list, from 1. Without `dependencies`, it waits for the steps
    /// with the next lower number.
    #[serde(default)]
    pub(crate) order_num: Option<u64>,
    /// The position in the list, from 1.
    #[serde(default)]
    pub(crate) seq: Option<u32>,
    /// The node itself.
    #[serde(flatten)]
    #[cfg_attr(feature = "bindings", schemars(with = "NodeKeys"))]
    pub(crate) keys: Map<String, Value>,
}

/// Changes to a node, or to its state in the plan's latest run.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct NodeChanges {
    /// Skips, retries, or marks the node. It must be the only change.
    #[serde(default)]
    pub(crate) status: Option<WantedNodeStatus>,
    /// The handoff of a node that is marked as completed.
    #[serde(default)]
    pub(crate) result: Option<String>,
    /// Keys to change; `null` stands for the default.
    #[serde(flatten)]
    #[cfg_attr(feature = "bindings", schemars(with = "NodeKeys"))]
    pub(crate) keys: Map<String, Value>,
}

words! {
    /// A state that a node can be put into.
    pub(crate) enum WantedNodeStatus {
        Pending,
        Completed,
        Done,
        Failed,
        Skipped,
    }
}

impl RequestBody for NodeCreate {}
impl RequestBody for NodeChanges {}

/// Describes the keys of a node. Unknown ones are refused by name when the node is read.
#[cfg(feature = "bindings")]
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct NodeKeys {
    /// What it does: `agent`, `command`, `tool_call` …
    r#type: Option<String>,
    /// The same by another name.
    kind: Option<String>,
    /// The title.
    name: Option<String>,
    /// The same by another name.
    title: Option<String>,
    description: Option<String>,
    /// What an agent is asked to do.
    prompt: Option<String>,
    /// What only its kind has, such as `toolName` and `toolArgs`.
    config: Option<Map<String, Value>>,
    /// The nodes that it waits for, by id or name.
    dependencies: Option<Vec<String>>,
    /// The same by another name.
    depends_on: Option<Vec<String>>,
    max_retries: Option<u32>,
    timeout_ms: Option<u64>,
    /// Where the run continues after a success.
    on_success: Option<String>,
    /// `abort`, `skip`, or the node where the run continues.
    on_failure: Option<String>,
    /// Any data of other programs.
    metadata: Option<Map<String, Value>>,
}

/// Keys that name other nodes.
const REFERENCES: [&str; 6] = [
    "dependencies",
    "dependsOn",
    "onSuccess",
    "onFailure",
    "trueStep",
    "falseStep",
];

/// Replaces the identifiers of nodes by their names, which are what a plan file has.
pub(crate) fn references_by_name(plan: &Plan, keys: &mut Map<String, Value>) {
    let names = |text: &str| {
        let id: NodeId = text.parse().ok()?;
        Some(plan.node(id)?.slug.to_string())
    };
    for (key, value) in keys {
        match value {
            Value::Object(config) if key == "config" => references_by_name(plan, config),
            value if REFERENCES.contains(&key.as_str()) => rename(value, &names),
            _ => {}
        }
    }
}

fn rename(value: &mut Value, names: &dyn Fn(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = names(text) {
                *text = name;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        _ => {}
    }
}
