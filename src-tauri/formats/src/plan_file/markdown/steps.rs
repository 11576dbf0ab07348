//! The section `## Steps` as the nodes of a plan file.

use std::collections::HashSet;

use super::super::duplicate_keys::without_duplicates;
use super::super::fault::{FaultKind, Faults};
use super::super::own_pilot_order::unique_slug;
use super::super::tree::{Entry, Located, ScalarKind, SourceLocation, Value};
use super::body::{LineRole, Section};
use super::front_matter::yaml_map;
use super::step_line::{StepLine, ToolMention};
use super::step_text::StepText;
use super::{entry, text_scalar};

pub(super) fn read(section: &Section<'_>, faults: &mut Faults) -> Entry {
    let steps = step_texts(section, faults);
    let mut nodes: Vec<(SourceLocation, Vec<Entry>)> = steps
        .iter()
        .map(|step| (step.line.at(1), node(step, faults)))
        .collect();
    name_nodes(&mut nodes);
    order_nodes(&mut nodes);
    let located = |(at, entries)| Located {
        at,
        value: Value::Map(without_duplicates(entries, faults)),
    };
    let nodes: Vec<Located> = nodes.into_iter().map(located).collect();
    let at = section.at;
    let value = Value::List(nodes);
    entry("nodes", Located { at, value })
}

fn step_texts<'t>(section: &Section<'t>, faults: &mut Faults) -> Vec<StepText<'t>> {
    let begins = |line: &super::body::Line<'t>| {
        StepLine::read(line.text).filter(|_| line.role == LineRole::Outside)
    };
    let mut steps = Vec::new();
    let mut lines = section.lines.as_slice();
    while let Some((line, rest)) = lines.split_first() {
        let length = rest.iter().position(|line| begins(line).is_some());
        let length = length.unwrap_or(rest.len());
        match begins(line) {
            Some(first) => steps.push(StepText::read(*line, first, &rest[..length])),
            None => {
                let mut stray = std::iter::once(line).chain(&rest[..length]);
                if let Some(line) = stray.find(|line| !line.is_blank()) {
                    let section = "Steps";
                    faults.add(line.at(1), FaultKind::StrayText { section });
                }
            }
        }
        lines = &rest[length..];
    }
    steps
}

/// The entries of one node. Those of its block come before what its line says.
fn node(step: &StepText<'_>, faults: &mut Faults) -> Vec<Entry> {
    let mut entries = block(step, faults);
    let has = |entries: &[Entry], keys: &[&str]| {
        entries
            .iter()
            .any(|entry| keys.contains(&entry.key.as_str()) && !entry.value.is_null())
    };
    if let Some(line) = step.description_start() {
        let text = text_scalar(line.at(1), &step.description());
        entries.push(entry("description", text));
    }
    // A block with a title leaves the line to people.
    if has(&entries, &["title", "name"]) {
        return entries;
    }
    let at = step.line.at(step.first.width + 1);
    let text = step.first.text;
    let mention = ToolMention::read(text);
    let title = mention.map_or(text, |mention| mention.title);
    entries.push(entry("title", text_scalar(at, title)));
    let Some(mention) = mention.filter(|_| is_agent(&entries)) else {
        return entries;
    };
    if !has(&entries, &["prompt"]) {
        entries.push(entry("prompt", text_scalar(at, text)));
    }
    if !has(&entries, &["toolsRequired"]) {
        let value = Value::List(vec![text_scalar(at, mention.tool)]);
        entries.push(entry("toolsRequired", Located { at, value }));
    }
    entries
}

fn block(step: &StepText<'_>, faults: &mut Faults) -> Vec<Entry> {
    let lines = step.block.as_deref().unwrap_or_default();
    let first = lines.first().map_or(1, |line| line.number);
    let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
    yaml_map(&texts, first, "the block of a step", faults).unwrap_or_default()
}

fn kind(entries: &[Entry]) -> &str {
    let kind = entries
        .iter()
        .find(|entry| matches!(entry.key.as_str(), "kind" | "type"));
    match kind.map(|entry| &entry.value.value) {
        None | Some(Value::Scalar(_, ScalarKind::Null)) => "agent",
        Some(Value::Scalar(kind, _)) => kind,
        Some(Value::List(_) | Value::Map(_)) => "",
    }
}

fn is_agent(entries: &[Entry]) -> bool {
    kind(entries) == "agent"
}

fn text_of<'e>(entries: &'e [Entry], key: &str) -> Option<&'e str> {
    let found = entries.iter().find(|entry| entry.key == key)?;
    match &found.value.value {
        Value::Scalar(text, kind) if *kind != ScalarKind::Null => Some(text),
        _ => None,
    }
}

/// Gives nodes without an id one that is derived from their title.
fn name_nodes(nodes: &mut [(SourceLocation, Vec<Entry>)]) {
    let ids = nodes
        .iter()
        .filter_map(|(_, entries)| text_of(entries, "id"));
    let mut taken: HashSet<String> = ids.map(str::to_owned).collect();
    for (at, entries) in nodes {
        if entries
            .iter()
            .any(|entry| entry.key == "id" && !entry.value.is_null())
        {
            continue;
        }
        let slug = unique_slug(text_of(entries, "title").unwrap_or_default(), &taken);
        taken.insert(slug.to_string());
        entries.retain(|entry| entry.key != "id");
        entries.push(entry("id", text_scalar(*at, slug.as_str())));
    }
}

/// Makes nodes without dependencies depend on the one before. Notes never run.
fn order_nodes(nodes: &mut [(SourceLocation, Vec<Entry>)]) {
    let mut previous: Option<String> = None;
    for (at, entries) in nodes {
        if kind(entries) == "note" {
            continue;
        }
        let names_parents = entries.iter().any(|entry| {
            matches!(entry.key.as_str(), "dependsOn" | "dependencies") && !entry.value.is_null()
        });
        if let Some(previous) = previous.as_ref().filter(|_| !names_parents) {
            let at = *at;
            let value = Value::List(vec![text_scalar(at, previous)]);
            entries.retain(|entry| entry.key != "dependsOn");
            entries.push(entry("dependsOn", Located { at, value }));
        }
        previous = text_of(entries, "id").map(str::to_owned);
    }
}
