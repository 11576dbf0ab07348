//! A plan as the values that a file of it holds, in the order of the keys and without defaults.

use std::collections::HashMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;

use super::keys::{self, word_for};
use super::{group_writer, node_writer};
use baton_model::Direction;
use baton_model::node::{Budget, OnFailedCriterion, OnUnverified};
use baton_model::plan::{OnTakeover, Origin, PlanSettings};
use baton_model::{Edge, Node, NodeId, Plan, Slug};

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
pub(super) struct Entries(pub(super) Vec<(String, Document)>);

impl Entries {
    pub(super) fn put(&mut self, key: &str, value: impl Into<Document>) {
        self.0.push((key.to_owned(), value.into()));
    }

    pub(super) fn put_unless<T: PartialEq + Into<Document>>(
        &mut self,
        key: &str,
        value: T,
        default: T,
    ) {
        if value != default {
            self.put(key, value);
        }
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.put_unless(key, text, "");
    }

    pub(super) fn some(&mut self, key: &str, value: Option<impl Into<Document>>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    pub(super) fn texts(&mut self, key: &str, texts: &[String]) {
        if !texts.is_empty() {
            self.put(key, texts);
        }
    }

    pub(super) fn json(&mut self, key: &str, map: &serde_json::Map<String, serde_json::Value>) {
        if !map.is_empty() {
            self.put(key, map);
        }
    }
}

/// The whole file, with the plans that it brings along.
pub(super) fn of(plan: &Plan, plans: &[(String, Plan)]) -> Document {
    let mut entries = Entries::default();
    entries.put("baton", 1_u64);
    put_plan(plan, &mut entries);
    if !plans.is_empty() {
        let embedded = plans.iter().map(|(name, plan)| {
            let mut entries = Entries::default();
            put_plan(plan, &mut entries);
            (name.clone(), Document::Map(entries.0))
        });
        entries.put("plans", Document::Map(embedded.collect()));
    }
    Document::Map(entries.0)
}

fn put_plan(plan: &Plan, entries: &mut Entries) {
    entries.put("title", plan.title.as_str());
    entries.text("description", &plan.description);
    entries.some("cwd", plan.cwd.as_deref());
    put_settings(&plan.settings, entries);
    entries.json("metadata", &plan.metadata);
    put_origin(&plan.origin, entries);
    let word = |direction| word_for(keys::DIRECTIONS, &direction);
    entries.put_unless(
        "direction",
        word(plan.direction),
        word(Direction::default()),
    );
    let slugs: HashMap<NodeId, &Slug> = plan
        .nodes
        .iter()
        .map(|node| (node.id, &node.slug))
        .collect();
    let mut edges: HashMap<NodeId, Vec<&Edge>> = HashMap::new();
    for edge in &plan.edges {
        edges.entry(edge.child).or_default().push(edge);
    }
    let node_of = |node: &Node| {
        let edges = edges.get(&node.id).map(Vec::as_slice).unwrap_or_default();
        node_writer::write(node, edges, &slugs)
    };
    entries.put(
        "nodes",
        Document::Blocks(plan.nodes.iter().map(node_of).collect()),
    );
    if !plan.groups.is_empty() {
        let groups = plan
            .groups
            .iter()
            .map(|group| group_writer::write(group, &slugs));
        entries.put("groups", Document::Blocks(groups.collect()));
    }
}

fn put_settings(settings: &PlanSettings, entries: &mut Entries) {
    let default = PlanSettings::default();
    entries.some("project", settings.project.as_deref());
    entries.some("autonomy", settings.autonomy.map(u8::from));
    let scope = |mode| word_for(keys::TOOL_SCOPES, mode);
    entries.put_unless(
        "toolScope",
        scope(&settings.tool_scope),
        scope(&default.tool_scope),
    );
    entries.texts("guardedTools", &settings.guarded_tools);
    entries.some("concurrency", settings.concurrency);
    entries.put_unless("priority", settings.priority, default.priority);
    entries.some("timeoutMs", settings.timeout_ms);
    entries.some("agentTimeoutMs", settings.agent_timeout_ms);
    entries.some("commandTimeoutMs", settings.command_timeout_ms);
    entries.put_unless("planRetries", settings.plan_retries, default.plan_retries);
    entries.put_unless("maxRetries", settings.max_retries, default.max_retries);
    let replan = |mode| word_for(keys::REPLANS, mode);
    entries.put_unless("replan", replan(&settings.replan), replan(&default.replan));
    put_budget(settings.budget, entries);
    entries.some("agent", settings.agent.as_deref());
    if !settings.agent_concurrency.is_empty() {
        let limits = settings
            .agent_concurrency
            .iter()
            .map(|(agent, limit)| (agent.clone(), (*limit).into()));
        entries.put("agentConcurrency", Document::Map(limits.collect()));
    }
    if let Some(review) = &settings.review {
        let mut reviewer = Entries::default();
        reviewer.some("agent", review.agent.as_deref());
        reviewer.some("model", review.model.as_deref());
        entries.put("review", Document::Map(reviewer.0));
    }
    let word = |on: &OnFailedCriterion| word_for(keys::ON_FAILED_CRITERION, on);
    entries.put_unless(
        "onFailedCriterion",
        word(&settings.on_failed_criterion),
        word(&default.on_failed_criterion),
    );
    let word = |on: &OnUnverified| word_for(keys::ON_UNVERIFIED, on);
    entries.put_unless(
        "onUnverified",
        word(&settings.on_unverified),
        word(&default.on_unverified),
    );
    entries.put_unless(
        "takeoverAllowed",
        settings.takeover_allowed,
        default.takeover_allowed,
    );
    let word = |on: &OnTakeover| word_for(keys::ON_TAKEOVER, on);
    entries.put_unless(
        "onTakeover",
        word(&settings.on_takeover),
        word(&default.on_takeover),
    );
    let word = |isolation| word_for(keys::ISOLATIONS, &isolation);
    entries.put_unless(
        "isolation",
        word(settings.isolation),
        word(default.isolation),
    );
    let word = |mode| word_for(keys::SANDBOX_MODES, &mode);
    entries.put_unless("sandbox", word(settings.sandbox), word(default.sandbox));
    entries.some("worktreeSetup", settings.worktree_setup.as_deref());
    entries.texts("tags", &settings.tags);
    entries.some("complexity", settings.complexity);
    entries.texts("constraints", &settings.constraints);
}

/// Limits that are no numbers are left out.
pub(super) fn put_budget(budget: Budget, entries: &mut Entries) {
    let mut limits = Entries::default();
    limits.some("tokens", budget.tokens);
    limits.some("costUsd", budget.cost_usd.and_then(Document::number));
    if !limits.0.is_empty() {
        entries.put("budget", Document::Map(limits.0));
    }
}

fn put_origin(origin: &Origin, entries: &mut Entries) {
    entries.put_unless(
        "source",
        word_for(keys::SOURCES, &origin.source),
        word_for(keys::SOURCES, &Default::default()),
    );
    entries.some("sourceId", origin.source_id.as_deref());
    entries.some("user", origin.user.as_deref());
    entries.some("createdBy", origin.created_by.as_deref());
    entries.some("plannerModel", origin.planner_model.as_deref());
    entries.some("executorModel", origin.executor_model.as_deref());
    entries.texts("informedBy", &origin.informed_by);
    entries.some("goalId", origin.goal.as_deref());
    entries.some("trigger", origin.trigger.as_deref());
}

impl Document {
    /// Whole numbers, which is nearly all of them, without a fraction; `None` when `value` is none at all.
    pub(super) fn number(value: f64) -> Option<Self> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let is_whole = value.fract() == 0.0
            && value.abs() < EXACT
            && !(value == 0.0 && value.is_sign_negative());
        let number = if is_whole {
            Some(Number::from(value as i64))
        } else {
            Number::from_f64(value)
        };
        number.map(Self::Number)
    }
}

impl From<bool> for Document {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
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
        let mut entries: Vec<_> = map
            .iter()
            .map(|(key, value)| (key.clone(), value.into()))
            .collect();
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
