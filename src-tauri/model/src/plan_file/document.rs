//! A plan as the values that a file of it holds, in the order of the keys and without defaults.

use std::collections::HashMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;

use super::keys::{self, word_for};
use crate::node::{AgentTask, CommandLine, CommandTask, NodeKind, Position};
use crate::plan::{Origin, PlanSettings};
use crate::{Edge, Node, NodeId, Plan, Slug};

/// A value to be written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Document {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Document>),
    /// A list whose mappings always take a line for each key, however short they are.
    Blocks(Vec<Document>),
    Map(Vec<(String, Document)>),
}

/// `document` as JSON.
pub(super) fn json(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => flag.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::List(items) | Self::Blocks(items) => items.serialize(serializer),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// The entries of a mapping so far. Each method leaves out what equals the default.
#[derive(Default)]
struct Entries(Vec<(String, Document)>);

impl Entries {
    fn put(&mut self, key: &str, value: impl Into<Document>) {
        self.0.push((key.to_owned(), value.into()));
    }

    fn put_unless<T: PartialEq + Into<Document>>(&mut self, key: &str, value: T, default: T) {
        if value != default {
            self.put(key, value);
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        self.put_unless(key, text, "");
    }

    fn some(&mut self, key: &str, value: Option<impl Into<Document>>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    fn texts(&mut self, key: &str, texts: &[String]) {
        if !texts.is_empty() {
            self.put(key, texts);
        }
    }

    fn json(&mut self, key: &str, map: &serde_json::Map<String, serde_json::Value>) {
        if !map.is_empty() {
            self.put(key, map);
        }
    }
}

/// The whole file.
pub(super) fn of(plan: &Plan) -> Document {
    let mut entries = Entries::default();
    entries.put("baton", 1_u64);
    entries.put("title", plan.title.as_str());
    entries.text("description", &plan.description);
    entries.some("cwd", plan.cwd.as_deref());
    put_settings(&plan.settings, &mut entries);
    entries.json("metadata", &plan.metadata);
    put_origin(&plan.origin, &mut entries);
    let slugs: HashMap<NodeId, &Slug> = plan.nodes.iter().map(|node| (node.id, &node.slug)).collect();
    let mut edges: HashMap<NodeId, Vec<&Edge>> = HashMap::new();
    for edge in &plan.edges {
        edges.entry(edge.child).or_default().push(edge);
    }
    let node_of = |node: &Node| {
        let edges = edges.get(&node.id).map(Vec::as_slice).unwrap_or_default();
        of_node(node, edges.iter().filter_map(|edge| dependency(edge, &slugs)).collect())
    };
    entries.put("nodes", Document::Blocks(plan.nodes.iter().map(node_of).collect()));
    Document::Map(entries.0)
}

fn put_settings(settings: &PlanSettings, entries: &mut Entries) {
    let default = PlanSettings::default();
    entries.some("project", settings.project.as_deref());
    entries.put_unless("autonomy", u8::from(settings.autonomy), u8::from(default.autonomy));
    entries.put_unless("concurrency", settings.concurrency, default.concurrency);
    entries.put_unless("priority", settings.priority, default.priority);
    entries.some("timeoutMs", settings.timeout_ms);
    entries.put_unless("maxRetries", settings.max_retries, default.max_retries);
    entries.texts("tags", &settings.tags);
    entries.some("complexity", settings.complexity);
    entries.texts("constraints", &settings.constraints);
}

fn put_origin(origin: &Origin, entries: &mut Entries) {
    entries.put_unless("source", word_for(keys::SOURCES, &origin.source), word_for(keys::SOURCES, &Default::default()));
    entries.some("sourceId", origin.source_id.as_deref());
    entries.some("user", origin.user.as_deref());
    entries.some("createdBy", origin.created_by.as_deref());
    entries.some("plannerModel", origin.planner_model.as_deref());
    entries.some("executorModel", origin.executor_model.as_deref());
    entries.texts("informedBy", &origin.informed_by);
    entries.some("goal", origin.goal.as_deref());
    entries.some("trigger", origin.trigger.as_deref());
}

/// `None` when the edge leads nowhere.
fn dependency(edge: &Edge, slugs: &HashMap<NodeId, &Slug>) -> Option<Document> {
    let parent = slugs.get(&edge.parent)?.as_str();
    if !edge.soft {
        return Some(parent.into());
    }
    let mut entries = Entries::default();
    entries.put("node", parent);
    entries.put("soft", Document::Bool(true));
    Some(Document::Map(entries.0))
}

fn of_node(node: &Node, dependencies: Vec<Document>) -> Document {
    let mut entries = Entries::default();
    entries.put("id", node.slug.as_str());
    entries.put_unless("title", node.title.as_str(), node.slug.as_str());
    entries.text("description", &node.description);
    put_kind(&node.kind, &mut entries);
    if !dependencies.is_empty() {
        entries.put("dependsOn", Document::List(dependencies));
    }
    let rule = |rule| word_for(keys::TRIGGER_RULES, &rule);
    entries.some("triggerRule", node.trigger_rule.map(rule));
    entries.text("instructions", &node.instructions);
    entries.texts("acceptanceCriteria", &node.acceptance_criteria);
    entries.texts("toolsRequired", &node.tools_required);
    entries.some("suggestedAgent", node.suggested_agent.as_deref());
    entries.put_unless("maxRetries", node.max_retries, 0);
    entries.some("timeoutMs", node.timeout_ms);
    let on_failure = |on_failure| word_for(keys::ON_FAILURES, &on_failure);
    entries.put_unless("onFailure", on_failure(node.on_failure), on_failure(Default::default()));
    entries.put_unless("priority", node.priority, Node::default_priority());
    entries.some("position", node.position.and_then(of_position));
    entries.json("metadata", &node.metadata);
    Document::Map(entries.0)
}

fn put_kind(kind: &NodeKind, entries: &mut Entries) {
    match kind {
        NodeKind::Agent(AgentTask { agent, model, prompt }) => {
            entries.some("agent", agent.as_deref());
            entries.some("model", model.as_deref());
            entries.text("prompt", prompt);
        }
        NodeKind::Command(CommandTask { command, env, cwd }) => {
            entries.put("kind", keys::COMMAND);
            match command {
                CommandLine::Shell(line) => entries.put("command", line.as_str()),
                CommandLine::Argv(argv) => entries.put("command", argv.as_slice()),
            }
            if !env.is_empty() {
                let variables = env.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
                entries.put("env", Document::Map(variables.collect()));
            }
            entries.some("cwd", cwd.as_deref());
        }
        NodeKind::Note(note) => {
            entries.put("kind", keys::NOTE);
            entries.text("text", &note.text);
        }
        kind => entries.put("kind", kind.word()),
    }
}

fn of_position(position: Position) -> Option<Document> {
    let mut entries = Entries::default();
    entries.put("x", coordinate(position.x)?);
    entries.put("y", coordinate(position.y)?);
    Some(Document::Map(entries.0))
}

/// Whole coordinates, which is nearly all of them, without a fraction.
fn coordinate(value: f64) -> Option<Document> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole = value.fract() == 0.0 && value.abs() < EXACT && !(value == 0.0 && value.is_sign_negative());
    let number = if is_whole { Some(Number::from(value as i64)) } else { Number::from_f64(value) };
    number.map(Document::Number)
}

impl From<&str> for Document {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u8> for Document {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Document {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Document {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

impl From<&[String]> for Document {
    fn from(texts: &[String]) -> Self {
        Self::List(texts.iter().map(|text| text.as_str().into()).collect())
    }
}

impl From<&serde_json::Map<String, serde_json::Value>> for Document {
    /// Sorted by key: a map's own order depends on how serde_json was built.
    fn from(map: &serde_json::Map<String, serde_json::Value>) -> Self {
        let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.clone(), value.into())).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self::Map(entries)
    }
}

impl From<&serde_json::Value> for Document {
    fn from(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(flag) => Self::Bool(*flag),
            serde_json::Value::Number(number) => Self::Number(number.clone()),
            serde_json::Value::String(text) => text.as_str().into(),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            serde_json::Value::Object(map) => map.into(),
        }
    }
}
