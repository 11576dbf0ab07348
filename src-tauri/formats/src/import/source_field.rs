//! The fields of a node that come from its source, and fingerprints of what the source said, so
//! that a second import can tell which side changed a field.

use std::fmt;

use baton_model::node::AgentTask;
use baton_model::{Node, NodeId, NodeKind, Plan, Slug};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The key of what an import remembers in the metadata of plans and nodes.
pub(super) const IMPORT: &str = "import";
/// The fingerprints of the fields at the last import, in the order of [`SourceField::ALL`].
const FIELDS: &str = "fields";
/// The fingerprint of everything else in a node, which never comes from a source.
const SETTINGS: &str = "settings";

/// A field of a node that comes from its source. Others, such as the agent, never do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SourceField {
    Title,
    Description,
    Task,
    Instructions,
    Criteria,
    TriggerRule,
    SuggestedAgent,
    Priority,
    Disabled,
}

impl SourceField {
    /// Fingerprints are stored in this order, so new fields belong at the end.
    pub(super) const ALL: [Self; 9] = [
        Self::Title,
        Self::Description,
        Self::Task,
        Self::Instructions,
        Self::Criteria,
        Self::TriggerRule,
        Self::SuggestedAgent,
        Self::Priority,
        Self::Disabled,
    ];

    /// The name in metadata.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::Task => "task",
            Self::Instructions => "instructions",
            Self::Criteria => "criteria",
            Self::TriggerRule => "triggerRule",
            Self::SuggestedAgent => "suggestedAgent",
            Self::Priority => "priority",
            Self::Disabled => "disabled",
        }
    }

    pub(super) fn value(self, node: &Node) -> Value {
        match self {
            Self::Title => json!(node.title),
            Self::Description => json!(node.description),
            Self::Task => match &node.kind {
                NodeKind::Agent(task) => json!(task.prompt),
                kind => json!(kind),
            },
            Self::Instructions => json!(node.instructions),
            Self::Criteria => json!(node.acceptance_criteria),
            Self::TriggerRule => json!(node.trigger_rule),
            Self::SuggestedAgent => json!(node.suggested_agent),
            Self::Priority => json!(node.priority),
            Self::Disabled => json!(node.disabled),
        }
    }

    pub(super) fn copy(self, from: &Node, to: &mut Node) {
        match self {
            Self::Title => to.title.clone_from(&from.title),
            Self::Description => to.description.clone_from(&from.description),
            Self::Task => match (&mut to.kind, &from.kind) {
                (NodeKind::Agent(task), NodeKind::Agent(from)) => {
                    task.prompt.clone_from(&from.prompt);
                }
                (kind, from) => *kind = from.clone(),
            },
            Self::Instructions => to.instructions.clone_from(&from.instructions),
            Self::Criteria => to.acceptance_criteria.clone_from(&from.acceptance_criteria),
            Self::TriggerRule => to.trigger_rule = from.trigger_rule,
            Self::SuggestedAgent => to.suggested_agent.clone_from(&from.suggested_agent),
            Self::Priority => to.priority = from.priority,
            Self::Disabled => to.disabled = from.disabled,
        }
    }
}

impl fmt::Display for SourceField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Criteria => "acceptance criteria",
            Self::TriggerRule => "start rule",
            Self::SuggestedAgent => "suggested agent",
            Self::Disabled => "disabled state",
            Self::Title | Self::Description | Self::Task | Self::Instructions | Self::Priority => {
                self.as_str()
            }
        })
    }
}

/// Adds the fingerprints of `node` to what its import remembers.
pub(super) fn remember_node(import: &mut Map<String, Value>, node: &Node) {
    let fields = SourceField::ALL.map(|field| digest(&field.value(node)));
    import.insert(FIELDS.to_owned(), json!(fields));
    import.insert(SETTINGS.to_owned(), settings(node).into());
}

/// Takes the fingerprints again, after the nodes to which `node` refers have other identifiers.
pub(super) fn refresh_node(node: &mut Node) {
    let import = node.metadata.remove(IMPORT);
    if let Some(Value::Object(mut import)) = import {
        remember_node(&mut import, node);
        node.metadata.insert(IMPORT.to_owned(), import.into());
    }
}

/// Adds the fingerprints of title and goal to what the import remembers.
pub(super) fn remember_plan(import: &mut Map<String, Value>, plan: &Plan) {
    let fields = [&plan.title, &plan.description].map(|text| digest(&json!(text)));
    import.insert(FIELDS.to_owned(), json!(fields));
}

/// The fingerprints of the fields at the last import; `None` if an older Baton imported it.
pub(super) fn remembered_fields(import: &Map<String, Value>) -> Option<Vec<&str>> {
    let fields = import.get(FIELDS)?.as_array()?;
    fields.iter().map(Value::as_str).collect()
}

/// Whether a person changed something in the node that never comes from a source.
pub(super) fn has_own_settings(import: &Map<String, Value>, node: &Node) -> bool {
    let known = import.get(SETTINGS).and_then(Value::as_str);
    known.is_some_and(|known| known != settings(node))
}

fn settings(node: &Node) -> String {
    let kind = match &node.kind {
        NodeKind::Agent(task) => NodeKind::Agent(AgentTask {
            prompt: String::new(),
            ..task.clone()
        }),
        kind => kind.clone(),
    };
    let bare = Node {
        position: None,
        keeps_place: false,
        metadata: Map::new(),
        ..node.clone()
    };
    let slug = Slug::from_title("node");
    let mut bare = Node {
        id: NodeId(Uuid::nil()),
        kind: kind.clone(),
        ..bare
    };
    let plain = Node::new(bare.id, slug.clone(), String::new(), kind);
    for field in SourceField::ALL {
        field.copy(&plain, &mut bare);
    }
    bare.slug = slug;
    digest(&json!(bare))
}

/// What the last import remembered about a plan or node.
pub(super) fn remembered(metadata: &Map<String, Value>) -> Option<&Map<String, Value>> {
    metadata.get(IMPORT)?.as_object()
}

/// FNV-1a in 64 bits. It only has to tell edits apart: whoever could forge it can edit the plan.
pub(super) fn digest(value: &Value) -> String {
    let hash = value
        .to_string()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("{hash:016x}")
}

/// The fingerprint of all fields together, as an older Baton remembered it.
pub(super) fn digest_of_node(node: &Node) -> String {
    let values = SourceField::ALL.map(|field| field.value(node));
    digest(&json!(values))
}

/// The fingerprint of title and goal together, as an older Baton remembered it.
pub(super) fn digest_of_plan(plan: &Plan) -> String {
    digest(&json!([plan.title, plan.description]))
}
