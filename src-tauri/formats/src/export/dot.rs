//! Export of a plan as a graph for Graphviz.

use std::collections::HashMap;
use std::fmt::Write;

use super::link::links;
use super::theme::{CANVAS, FAINT, LINE_STRONG, SURFACE, TEXT};
use super::view::{View, node_title, visible_nodes};
use crate::mermaid::branch_label;
use baton_model::Direction;
use baton_model::{Node, NodeId, NodeKind, Plan};

/// `plan` in the DOT language, with the states of a run as colors and text. Notes have no edges.
pub(super) fn write(plan: &Plan, view: &View) -> String {
    let direction = match view.direction {
        Direction::LeftRight => "LR",
        Direction::TopDown => "TB",
    };
    let (ground, text_color) = (CANVAS.hex(view.dark), TEXT.hex(view.dark));
    let (surface, line, faint) = (
        SURFACE.hex(view.dark),
        LINE_STRONG.hex(view.dark),
        FAINT.hex(view.dark),
    );
    // Writing to a string never fails.
    let mut text = format!("digraph {} {{\n", quoted(&plan.title));
    let _ = writeln!(
        text,
        "    graph [rankdir={direction}, bgcolor=\"{ground}\", fontname=\"Inter\"];"
    );
    let _ = writeln!(
        text,
        "    node [shape=box, style=\"rounded,filled\", fontname=\"Inter\", fillcolor=\"{surface}\", color=\"{line}\", fontcolor=\"{text_color}\"];"
    );
    let _ = writeln!(
        text,
        "    edge [color=\"{faint}\", fontcolor=\"{faint}\", fontname=\"Inter\", fontsize=11];"
    );
    let names: HashMap<NodeId, String> = visible_nodes(plan, view)
        .map(|node| (node.id, quoted(node.slug.as_str())))
        .collect();
    for node in visible_nodes(plan, view) {
        let _ = writeln!(
            text,
            "    {} [{}];",
            names[&node.id],
            attributes(node, view)
        );
    }
    for link in links(plan, view) {
        let dashed = (link.soft || link.inferred).then(|| "style=dashed".to_owned());
        let label = link
            .branch_label
            .or(link.inferred.then_some(branch_label::INFERRED))
            .map(|branch_label| format!("label={}", quoted(branch_label)));
        let attributes: Vec<_> = dashed.into_iter().chain(label).collect();
        let attributes = if attributes.is_empty() {
            String::new()
        } else {
            format!(" [{}]", attributes.join(", "))
        };
        let _ = writeln!(
            text,
            "    {} -> {}{attributes};",
            names[&link.parent], names[&link.child]
        );
    }
    text.push_str("}\n");
    text
}

fn attributes(node: &Node, view: &View) -> String {
    let state = view.states.get(&node.id);
    let words = match &node.kind {
        NodeKind::Note(note) => super::node_summary::one_line(&note.text),
        _ => node_title(node),
    };
    let label = state.map_or(words.clone(), |state| format!("{words}\n{state}"));
    let mut attributes = vec![format!("label={}", quoted(&label))];
    let shape = match node.kind {
        NodeKind::Condition(_) => Some("diamond"),
        NodeKind::Note(_) => Some("note"),
        NodeKind::UserInput(_) => Some("parallelogram"),
        NodeKind::SubPlan(_) => Some("box3d"),
        _ => None,
    };
    attributes.extend(shape.map(|shape| format!("shape={shape}")));
    attributes.extend(
        node.disabled
            .then(|| "style=\"rounded,filled,dashed\"".to_owned()),
    );
    if let Some(style) = view.state_style(node.id) {
        let (fill, hue) = (style.tint.hex(view.dark), style.hue.hex(view.dark));
        attributes.push(format!(
            "fillcolor=\"{fill}\", color=\"{hue}\", fontcolor=\"{hue}\""
        ));
    }
    attributes.join(", ")
}

/// A quoted string. DOT strings know `\"`, and labels know `\n`, `\l`, `\N` and others, so every
/// other backslash is doubled.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            char if char.is_whitespace() => quoted.push(' '),
            char if char.is_control() => {}
            // Graphviz resolves HTML entities in labels.
            '&' => quoted.push_str("&amp;"),
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
