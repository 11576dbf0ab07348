//! The nodes of a plan file, each by itself. Who depends on whom is settled in [`super::dependencies`].

use uuid::Uuid;

use super::fault::{FaultKind, Faults};
use super::fields::{Fields, text, wrong_type};
use super::keys::{self, COMMON_NODE_KEYS, KINDS, LATER_KINDS, nearest};
use super::tree::{Entry, Located, Place, Value, quoted};
use super::{Warning, WarningKind};
use crate::node::{AgentTask, CommandLine, CommandTask, Node, NodeKind, Note, Position};
use crate::plan::TITLE_LENGTH_LIMIT;
use crate::{NodeId, Slug};

/// A node as far as it could be read.
#[derive(Debug)]
pub(super) struct Draft {
    /// The node as sentences call it.
    pub(super) label: String,
    /// Where its id stands, or the node when it has none.
    pub(super) at: Place,
    /// Missing or invalid ids are faults already.
    pub(super) slug: Option<Slug>,
    /// `None` when a fault kept it from being one.
    pub(super) node: Option<Node>,
    pub(super) dependencies: Vec<Dependency>,
}

/// An item of `dependsOn`.
#[derive(Debug)]
pub(super) struct Dependency {
    pub(super) at: Place,
    pub(super) on: String,
    pub(super) soft: bool,
}

/// Reads the `number`th node, counted from 1.
pub(super) fn read(
    located: &Located,
    number: usize,
    id: Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> Option<Draft> {
    let Value::Map(entries) = &located.value else {
        wrong_type(located, &format!("node {number}"), "a mapping", faults);
        return None;
    };
    let label = label(entries, number);
    let fields = Fields { of: &label, entries };
    let (slug, at) = slug(&fields, located.at, faults);
    let dependencies = dependencies(&fields, faults);
    let kind = kind(&fields, faults);
    // Read even without an id or a kind, so that all faults are found at once.
    let placeholder = || Slug::from_title("");
    let spare_kind = || NodeKind::Note(Note::default());
    let is_whole = slug.is_some() && kind.is_some();
    let node = Node::new(NodeId(id), slug.clone().unwrap_or_else(placeholder), "", kind.unwrap_or_else(spare_kind));
    let node = with_common_fields(node, &fields, faults);
    if is_whole && lacks_task(&node) {
        warnings.push(Warning { at, kind: WarningKind::NoTask { of: label.clone() } });
    }
    Some(Draft { at, slug, node: is_whole.then_some(node), dependencies, label })
}

fn label(entries: &[Entry], number: usize) -> String {
    match entries.iter().find(|entry| entry.key == "id").map(|entry| &entry.value.value) {
        Some(Value::Scalar(id, _)) if !id.is_empty() => format!("node {}", quoted(id)),
        _ => format!("node {number}"),
    }
}

fn slug(fields: &Fields<'_>, node_at: Place, faults: &mut Faults) -> (Option<Slug>, Place) {
    let Some(located) = fields.get("id") else {
        let mend = "give it one that no other node has, of letters, digits, '-' and '_'";
        faults.add(node_at, FaultKind::MissingKey { key: "id", of: fields.of.to_owned(), mend });
        return (None, node_at);
    };
    let slug = text(located, &fields.name("id"), faults).and_then(|text| match Slug::new(&text) {
        Ok(slug) => Some(slug),
        Err(invalid) => {
            faults.add(located.at, FaultKind::InvalidSlug(invalid));
            None
        }
    });
    (slug, located.at)
}

fn dependencies(fields: &Fields<'_>, faults: &mut Faults) -> Vec<Dependency> {
    let items = fields.list("dependsOn", faults);
    items.iter().filter_map(|item| dependency(item, fields, faults)).collect()
}

fn dependency(item: &Located, owner: &Fields<'_>, faults: &mut Faults) -> Option<Dependency> {
    let name = owner.name("dependsOn");
    let Value::Map(entries) = &item.value else {
        let on = text(item, &format!("an item of {name}"), faults)?;
        return Some(Dependency { at: item.at, on, soft: false });
    };
    let fields = Fields { of: &name, entries };
    fields.refuse_unknown(&["node", "soft"], faults);
    let soft = fields.flag("soft", faults).unwrap_or(false);
    if fields.get("node").is_none() {
        let mend = "write {node: ID, soft: true} or only the ID";
        faults.add(item.at, FaultKind::MissingKey { key: "node", of: name.clone(), mend });
    }
    let at = fields.get("node").map_or(item.at, |node| node.at);
    Some(Dependency { at, on: fields.text("node", faults)?, soft })
}

/// What the node does, and whether its keys fit that.
fn kind(fields: &Fields<'_>, faults: &mut Faults) -> Option<NodeKind> {
    let written = fields.get("kind");
    let word = match written {
        Some(located) => text(located, &fields.name("kind"), faults)?,
        None => keys::AGENT.to_owned(),
    };
    let Some(&(kind, own_keys)) = KINDS.iter().find(|(kind, _)| *kind == word) else {
        let at = written.map_or(Place::START, |located| located.at);
        faults.add(at, unknown_kind(fields, word));
        return None;
    };
    refuse_keys(fields, kind, own_keys, faults);
    match kind {
        keys::COMMAND => command_task(fields, faults).map(NodeKind::Command),
        keys::NOTE => Some(NodeKind::Note(Note { text: fields.text("text", faults).unwrap_or_default() })),
        _ => Some(NodeKind::Agent(AgentTask {
            agent: fields.text("agent", faults),
            model: fields.text("model", faults),
            prompt: fields.text("prompt", faults).unwrap_or_default(),
        })),
    }
}

fn unknown_kind(fields: &Fields<'_>, found: String) -> FaultKind {
    let of = fields.of.to_owned();
    if LATER_KINDS.contains(&found.as_str()) {
        return FaultKind::KindNotYet { of, kind: found };
    }
    let known: Vec<_> = KINDS.iter().map(|(kind, _)| *kind).collect();
    let nearest = nearest(&found, known.iter().copied());
    FaultKind::UnknownWord { key: "kind", of, found, nearest, known }
}

/// Keys of other kinds are told apart from keys that nothing knows: the mend is another.
fn refuse_keys(fields: &Fields<'_>, kind: &'static str, own_keys: &[&str], faults: &mut Faults) {
    let (mut known, mut is_first) = ([COMMON_NODE_KEYS, own_keys].concat(), true);
    let kind_is_written = fields.get("kind").is_some();
    for entry in fields.entries.iter().filter(|entry| !own_keys.contains(&entry.key.as_str())) {
        let key = entry.key.as_str();
        let Some((belongs_to, other_keys)) = KINDS.iter().find(|(_, others)| others.contains(&key)) else { continue };
        known.extend(other_keys.iter().copied());
        // One wrong kind makes all keys of the right one wrong: said once.
        if std::mem::take(&mut is_first) {
            let (key, of) = (key.to_owned(), fields.of.to_owned());
            faults.add(entry.at, FaultKind::MisplacedKey { key, of, kind, belongs_to, kind_is_written });
        }
    }
    fields.refuse_unknown(&known, faults);
}

fn command_task(fields: &Fields<'_>, faults: &mut Faults) -> Option<CommandTask> {
    let env = fields.map("env", faults).unwrap_or_default();
    let name = format!("a variable in {}", fields.name("env"));
    let env = env.iter().filter_map(|entry| Some((entry.key.clone(), text(&entry.value, &name, faults)?))).collect();
    let cwd = fields.text("cwd", faults);
    Some(CommandTask { command: command_line(fields, faults)?, env, cwd })
}

fn command_line(fields: &Fields<'_>, faults: &mut Faults) -> Option<CommandLine> {
    let Some(located) = fields.get("command") else {
        let at = fields.entries.first().map_or(Place::START, |entry| entry.at);
        let mend = "write what to run: text for the shell, or a list of program and arguments";
        faults.add(at, FaultKind::MissingKey { key: "command", of: fields.of.to_owned(), mend });
        return None;
    };
    let (command, is_empty) = match &located.value {
        Value::List(_) => {
            let argv = fields.texts("command", faults);
            let is_empty = argv.first().is_none_or(String::is_empty);
            (CommandLine::Argv(argv), is_empty)
        }
        Value::Map(_) => {
            wrong_type(located, &fields.name("command"), "text or a list", faults);
            return None;
        }
        Value::Scalar(..) => {
            let line = fields.text("command", faults)?;
            let is_empty = line.trim().is_empty();
            (CommandLine::Shell(line), is_empty)
        }
    };
    if is_empty {
        faults.add(located.at, FaultKind::EmptyCommand { of: fields.of.to_owned() });
    }
    Some(command)
}

fn with_common_fields(node: Node, fields: &Fields<'_>, faults: &mut Faults) -> Node {
    Node {
        title: title(fields, faults).unwrap_or_else(|| node.slug.to_string()),
        description: fields.text("description", faults).unwrap_or_default(),
        instructions: fields.text("instructions", faults).unwrap_or_default(),
        acceptance_criteria: fields.texts("acceptanceCriteria", faults),
        tools_required: fields.texts("toolsRequired", faults),
        suggested_agent: fields.text("suggestedAgent", faults),
        trigger_rule: fields.word("triggerRule", keys::TRIGGER_RULES, faults),
        max_retries: fields.whole_number("maxRetries", 0..=100, faults).unwrap_or(0),
        timeout_ms: fields.whole_number("timeoutMs", 0..=u64::MAX, faults),
        on_failure: fields.word("onFailure", keys::ON_FAILURES, faults).unwrap_or_default(),
        priority: fields.whole_number("priority", 1..=10, faults).unwrap_or(node.priority),
        position: position(fields, faults),
        metadata: fields.json("metadata", faults),
        ..node
    }
}

/// The title of a plan or a node, if it has one.
pub(super) fn title(fields: &Fields<'_>, faults: &mut Faults) -> Option<String> {
    let title = fields.text("title", faults)?;
    let length = if title.trim().is_empty() { 0 } else { title.chars().count() };
    if !(1..=TITLE_LENGTH_LIMIT).contains(&length) {
        let at = fields.get("title").map_or(Place::START, |located| located.at);
        faults.add(at, FaultKind::TitleLength { of: fields.of.to_owned(), length });
    }
    Some(title)
}

fn position(fields: &Fields<'_>, faults: &mut Faults) -> Option<Position> {
    let entries = fields.map("position", faults)?;
    let name = fields.name("position");
    let inner = Fields { of: &name, entries };
    inner.refuse_unknown(&["x", "y"], faults);
    for key in ["x", "y"] {
        if inner.get(key).is_none() {
            let at = fields.get("position").map_or(Place::START, |located| located.at);
            let mend = "write {x: 0, y: 0}, or leave the position out";
            faults.add(at, FaultKind::MissingKey { key, of: name.clone(), mend });
        }
    }
    Some(Position { x: inner.number("x", faults)?, y: inner.number("y", faults)? })
}

fn lacks_task(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Agent(task) => task.prompt.is_empty() && node.description.is_empty() && node.instructions.is_empty(),
        _ => false,
    }
}
