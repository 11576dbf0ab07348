//! The section `## Context`: tool outputs as a block of JSON, notes, and a list of files.

use super::super::fault::{FaultKind, Faults};
use super::super::json_tree;
use super::super::tree::{Entry, Located, SourceLocation, Value};
use super::body::{Line, LineRole, Section, joined, trimmed};
use super::{entry, text_scalar};

/// `None` if there is nothing in it.
pub(super) fn read(section: &Section<'_>, faults: &mut Faults) -> Option<Entry> {
    let parts = Parts::of(section);
    let mut entries = Vec::new();
    entries.extend(tool_outputs(&parts.outputs, faults));
    let notes = trimmed(parts.notes);
    if let Some(first) = notes.first() {
        entries.push(entry("notes", text_scalar(first.at(1), &joined(&notes))));
    }
    entries.extend(artifacts(&parts.artifacts, faults));
    let at = section.at;
    let value = Value::Map(entries);
    let is_empty = matches!(&value, Value::Map(entries) if entries.is_empty());
    (!is_empty).then(|| entry("context", Located { at, value }))
}

/// The lines of the section by their heading. Text below other headings belongs to the notes.
#[derive(Default)]
struct Parts<'t> {
    outputs: Vec<Line<'t>>,
    notes: Vec<Line<'t>>,
    artifacts: Vec<Line<'t>>,
}

#[derive(Clone, Copy)]
enum Part {
    Outputs,
    Notes,
    Artifacts,
}

impl<'t> Parts<'t> {
    fn of(section: &Section<'t>) -> Self {
        let mut parts = Self::default();
        let mut part = Part::Notes;
        for line in &section.lines {
            let known = line.heading("### ").and_then(known_part);
            if let Some(found) = known {
                part = found;
                continue;
            }
            if line.heading("### ").is_some() {
                part = Part::Notes;
            }
            match part {
                Part::Outputs => &mut parts.outputs,
                Part::Notes => &mut parts.notes,
                Part::Artifacts => &mut parts.artifacts,
            }
            .push(*line);
        }
        parts
    }
}

fn known_part(title: &str) -> Option<Part> {
    [
        ("tool outputs", Part::Outputs),
        ("notes", Part::Notes),
        ("artifacts", Part::Artifacts),
    ]
    .into_iter()
    .find(|(name, _)| title.eq_ignore_ascii_case(name))
    .map(|(_, part)| part)
}

fn tool_outputs(lines: &[Line<'_>], faults: &mut Faults) -> Option<Entry> {
    let stray = lines
        .iter()
        .find(|line| line.role == LineRole::Outside && !line.is_blank());
    let second = lines
        .iter()
        .filter(|line| line.role == LineRole::Opens)
        .nth(1);
    if let Some(line) = stray.or(second) {
        let section = "Tool Outputs";
        faults.add(line.at(1), FaultKind::StrayText { section });
        return None;
    }
    let code: Vec<&Line<'_>> = lines
        .iter()
        .filter(|line| line.role == LineRole::Inside)
        .collect();
    let first = code.first()?;
    let texts: Vec<&str> = code.iter().map(|line| line.text).collect();
    let text = texts.join("\n");
    if text.trim().is_empty() {
        return None;
    }
    let mut own = Faults::default();
    let value = json_tree::read(&text, &mut own);
    faults.append_from_line(own, first.number);
    Some(entry("toolOutputs", value?.shifted_to(first.number)))
}

fn artifacts(lines: &[Line<'_>], faults: &mut Faults) -> Option<Entry> {
    let mut items = Vec::new();
    for line in lines.iter().filter(|line| !line.is_blank()) {
        match ArtifactLine::read(line.text) {
            Some(found) => items.push(found.located(line.at(1))),
            None => {
                let section = "Artifacts";
                faults.add(line.at(1), FaultKind::StrayText { section });
            }
        }
    }
    let at = items.first()?.at;
    let value = Value::List(items);
    Some(entry("artifacts", Located { at, value }))
}

/// `- name → path`, or `- name`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArtifactLine<'t> {
    pub(super) name: &'t str,
    pub(super) path: Option<&'t str>,
}

impl<'t> ArtifactLine<'t> {
    pub(super) fn read(line: &'t str) -> Option<Self> {
        let text = line.trim();
        let text = text
            .strip_prefix("- ")
            .or_else(|| text.strip_prefix("* "))?
            .trim();
        let parts = [" → ", " -> "]
            .into_iter()
            .find_map(|arrow| text.split_once(arrow));
        Some(match parts {
            Some((name, path)) => Self {
                name: name.trim(),
                path: Some(path.trim()),
            },
            None => Self {
                name: text,
                path: None,
            },
        })
    }

    fn located(&self, at: SourceLocation) -> Located {
        let Some(path) = self.path else {
            return text_scalar(at, self.name);
        };
        let name = entry("name", text_scalar(at, self.name));
        let path = entry("path", text_scalar(at, path));
        let value = Value::Map(vec![name, path]);
        Located { at, value }
    }
}

/// Whether `text` is read as the notes when it stands below their heading.
pub(super) fn is_notes(text: &str) -> bool {
    let document = format!("## Context\n\n### Notes\n\n{text}\n");
    let lines: Vec<&str> = document.split('\n').collect();
    let mut faults = Faults::default();
    let sections = super::body::sections(&lines, 0, &mut faults);
    let [_, context] = sections.as_slice() else {
        return false;
    };
    let parts = Parts::of(context);
    faults.is_empty()
        && !text.contains('\r')
        && parts.outputs.is_empty()
        && parts.artifacts.is_empty()
        && joined(&parts.notes) == text
}
