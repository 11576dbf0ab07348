//! A plan as a flowchart.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use super::CONDITION;
use crate::export::{Link, Look, View, links, shown, title};
use baton_model::Direction;
use baton_model::{Node, NodeId, NodeKind, Plan};

/// `plan` as a Mermaid flowchart; notes are left out. States are classes with colors, and words in brackets.
#[must_use]
pub fn write(plan: &Plan, view: &View) -> String {
    let nodes: Vec<_> = shown(plan, view)
        .filter(|node| node.is_executable())
        .collect();
    let names = names(&nodes);
    let mut text = String::new();
    // Writing into a String never fails.
    // JSON's quoted texts are YAML's as well.
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

/// What Mermaid takes for something else where an id begins with it, in any case.
const TAKEN: [&str; 10] = [
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

/// An id for each node: its slug, wherever Mermaid takes that for an id.
fn names(nodes: &[&Node]) -> Names {
    let mut taken: HashSet<String> = nodes.iter().map(|node| node.slug.to_string()).collect();
    let name = |(at, node): (usize, &&Node)| {
        let slug = node.slug.as_str();
        let is_plain = !slug.contains("--") && !slug.ends_with('-');
        if is_plain
            && !TAKEN
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

/// What the subgraph of a group is called: nodes have the first choice.
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
        escaped(&title(node))
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
    let arrow = if link.soft { "-.->" } else { "-->" };
    let label = link.way.map(|way| format!("|{way}|")).unwrap_or_default();
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
        let Some(look) = Look::of(state) else {
            continue;
        };
        let (fill, stroke) = (look.tint.hex(view.dark), look.hue.hex(view.dark));
        let _ = writeln!(
            text,
            "    classDef {state} fill:{fill},stroke:{stroke},color:{stroke}"
        );
        let _ = writeln!(text, "    class {} {state}", names.join(","));
    }
}

/// Disabled nodes by their border alone: a word in the label would be part of the title when the flowchart is read again.
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

/// A label for between quotation marks: whatever Mermaid or HTML would take for more than a sign is written by number.
fn escaped(label: &str) -> String {
    let mut escaped = String::with_capacity(label.len());
    for char in label.chars() {
        match char {
            '"' => escaped.push_str("#quot;"),
            '<' => escaped.push_str("#lt;"),
            '>' => escaped.push_str("#gt;"),
            '&' => escaped.push_str("#amp;"),
            // Two percent signs begin a comment, also a directive.
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
