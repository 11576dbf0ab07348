//! Export of a plan as a Mermaid flowchart.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use super::link::{Link, links};
use super::theme::StateStyle;
use super::view::{View, node_title, visible_nodes};
use crate::mermaid::{CONDITION, branch_label};
use baton_model::Direction;
use baton_model::{Node, NodeId, NodeKind, Plan};

/// `plan` as a Mermaid flowchart without notes. States are classes with colors, and text in
/// parentheses.
pub(super) fn write(plan: &Plan, view: &View) -> String {
    let nodes: Vec<_> = visible_nodes(plan, view)
        .filter(|node| node.is_executable())
        .collect();
    let names = names(&nodes);
    let mut text = String::new();
    // Writing to a string never fails.
    // JSON strings are valid YAML strings.
    let _ = writeln!(
        text,
        "---\ntitle: {}\n---",
        serde_json::Value::from(plan.title.as_str())
    );
    let direction = match view.direction {
        Direction::LeftRight => "LR",
        Direction::TopDown => "TD",
    };
    let _ = writeln!(text, "flowchart {direction}");
    let groups = plan.groups_by_node();
    for node in nodes.iter().filter(|node| !groups.contains_key(&node.id)) {
        put_node(&mut text, node, &names, view);
    }
    for (number, group) in plan.groups.iter().enumerate() {
        let members: Vec<_> = nodes
            .iter()
            .filter(|node| groups.get(&node.id) == Some(&number))
            .collect();
        if members.is_empty() {
            continue;
        }
        let name = free_name(number, &names);
        let _ = writeln!(text, "    subgraph {name}[\"{}\"]", escaped(&group.title));
        members
            .into_iter()
            .for_each(|node| put_node(&mut text, node, &names, view));
        text.push_str("    end\n");
    }
    for link in links(plan, view) {
        put_link(&mut text, &link, &names);
    }
    put_states(&mut text, &nodes, &names, view);
    put_disabled(&mut text, &nodes, &names);
    text
}

type Names = HashMap<NodeId, String>;

/// Keywords that Mermaid also recognizes as the beginning of an id, in any case.
const RESERVED_IDS: [&str; 10] = [
    "end",
    "subgraph",
    "graph",
    "flowchart",
    "class",
    "click",
    "style",
    "linkstyle",
    "default",
    "direction",
];

/// An id for each node: its slug, unless Mermaid would not accept it.
fn names(nodes: &[&Node]) -> Names {
    let mut taken: HashSet<String> = nodes.iter().map(|node| node.slug.to_string()).collect();
    let name = |(at, node): (usize, &&Node)| {
        let slug = node.slug.as_str();
        let is_plain = !slug.contains("--") && !slug.ends_with('-');
        if is_plain
            && !RESERVED_IDS
                .iter()
                .any(|word| slug.to_ascii_lowercase().starts_with(word))
        {
            return (node.id, slug.to_owned());
        }
        let free = (at + 1..)
            .map(|number| format!("n{number}"))
            .find(|name| taken.insert(name.clone()));
        (node.id, free.unwrap_or_default())
    };
    nodes.iter().enumerate().map(name).collect()
}

/// The id of a group. It must differ from all node ids.
fn free_name(number: usize, names: &Names) -> String {
    let is_taken = |name: &String| names.values().any(|taken| taken == name);
    (0..)
        .map(|more| format!("group_{number}{}", "_".repeat(more)))
        .find(|name| !is_taken(name))
        .unwrap_or_default()
}

fn put_node(text: &mut String, node: &Node, names: &Names, view: &View) {
    let (open, close) = match node.kind {
        NodeKind::Condition(_) => ("{", "}"),
        NodeKind::LlmDecision(_) => ("{{", "}}"),
        NodeKind::UserInput(_) => ("[/", "/]"),
        NodeKind::SubPlan(_) => ("[[", "]]"),
        NodeKind::Command(_)
        | NodeKind::ToolCall(_)
        | NodeKind::Parallel(_)
        | NodeKind::Loop(_) => ("(", ")"),
        NodeKind::Agent(_) | NodeKind::Note(_) | NodeKind::Planning(_) => ("[", "]"),
    };
    let state = view
        .states
        .get(&node.id)
        .map(|state| format!(" ({state})"))
        .unwrap_or_default();
    let _ = writeln!(
        text,
        "    {}{open}\"{}{state}\"{close}",
        names[&node.id],
        escaped(&node_title(node))
    );
    if let NodeKind::Condition(task) = &node.kind {
        let expression = task
            .condition
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let _ = writeln!(text, "    %% {CONDITION} {}: {expression}", names[&node.id]);
    }
}

fn put_link(text: &mut String, link: &Link, names: &Names) {
    let dashed = link.soft || link.inferred;
    let arrow = if dashed { "-.->" } else { "-->" };
    let inferred = (link.inferred && !link.soft).then_some(branch_label::INFERRED);
    let label = link
        .branch_label
        .or(inferred)
        .map(|branch_label| format!("|{branch_label}|"))
        .unwrap_or_default();
    let _ = writeln!(
        text,
        "    {} {arrow}{label} {}",
        names[&link.parent], names[&link.child]
    );
}

fn put_states(text: &mut String, nodes: &[&Node], names: &Names, view: &View) {
    let mut by_state: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for node in nodes {
        if let Some(state) = view.states.get(&node.id) {
            by_state.entry(state).or_default().push(&names[&node.id]);
        }
    }
    for (state, names) in by_state {
        let Some(style) = StateStyle::for_state(state) else {
            continue;
        };
        let (fill, stroke) = (style.tint.hex(view.dark), style.hue.hex(view.dark));
        let _ = writeln!(
            text,
            "    classDef {state} fill:{fill},stroke:{stroke},color:{stroke}"
        );
        let _ = writeln!(text, "    class {} {state}", names.join(","));
    }
}

/// Marks disabled nodes by their border. Text in the label would become part of the title when read
/// back.
fn put_disabled(text: &mut String, nodes: &[&Node], names: &Names) {
    let disabled: Vec<_> = nodes
        .iter()
        .filter(|node| node.disabled)
        .map(|node| names[&node.id].as_str())
        .collect();
    if !disabled.is_empty() {
        text.push_str("    classDef disabled stroke-dasharray:4 3\n");
        let _ = writeln!(text, "    class {} disabled", disabled.join(","));
    }
}

/// Escapes a label for use in double quotes: characters with a meaning in Mermaid or HTML become
/// entities.
fn escaped(label: &str) -> String {
    let mut escaped = String::with_capacity(label.len());
    for char in label.chars() {
        match char {
            '"' => escaped.push_str("#quot;"),
            '<' => escaped.push_str("#lt;"),
            '>' => escaped.push_str("#gt;"),
            '&' => escaped.push_str("#amp;"),
            // Two percent signs begin a comment or a directive.
            '#' | ';' | '`' | '\\' | '%' => {
                let _ = write!(escaped, "#{};", u32::from(char));
            }
            char if char.is_whitespace() => escaped.push(' '),
            char if char.is_control() => {}
            char => escaped.push(char),
        }
    }
    escaped
}
