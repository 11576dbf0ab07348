//! The front matter of a document: YAML between two lines of three dashes.

use super::super::fault::{FaultKind, Faults};
use super::super::fields::{Fields, wrong_type};
use super::super::tree::{Entry, SourceLocation, Value};
use super::super::yaml_tree;
use super::document_header::{self, DocumentHeader};

const MARK: &str = "---";

/// Keys with another spelling in documents, and their spelling in plan files.
pub(super) const ALIASES: [(&str, &str); 4] = [
    ("planner_model", "plannerModel"),
    ("tools_required", "toolsRequired"),
    ("executor_model", "executorModel"),
    ("created_by", "createdBy"),
];

/// The entries about the plan, those about the document, and the index of the line after it.
pub(super) fn read(
    lines: &[&str],
    faults: &mut Faults,
) -> Option<(Vec<Entry>, DocumentHeader, usize)> {
    let is_mark = |line: &str| line.trim_end() == MARK;
    let Some((_, rest)) = lines.split_first().filter(|(first, _)| is_mark(first)) else {
        faults.add(SourceLocation::START, FaultKind::NoFrontMatter);
        return None;
    };
    let Some(length) = rest.iter().position(|line| is_mark(line)) else {
        faults.add(SourceLocation::START, FaultKind::OpenFrontMatter);
        return None;
    };
    let (about_document, mut about_plan): (Vec<Entry>, Vec<Entry>) =
        entries(&rest[..length], faults)?
            .into_iter()
            .partition(|entry| document_header::KEYS.contains(&entry.key.as_str()));
    let fields = Fields {
        owner: "the front matter",
        entries: &about_document,
    };
    let header = DocumentHeader::read(&fields, faults);
    for entry in &mut about_plan {
        if let Some((_, key)) = ALIASES.iter().find(|(alias, _)| *alias == entry.key) {
            entry.key = (*key).to_owned();
        }
    }
    Some((about_plan, header, length + 2))
}

fn entries(lines: &[&str], faults: &mut Faults) -> Option<Vec<Entry>> {
    yaml_map(lines, 2, "the front matter", faults)
}

/// The entries of the mapping in `lines`, the first of which is line `first` of the document.
/// Without anything in it, it is empty.
pub(super) fn yaml_map(
    lines: &[&str],
    first: usize,
    owner: &str,
    faults: &mut Faults,
) -> Option<Vec<Entry>> {
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim().starts_with('#');
    if lines.iter().all(is_comment) {
        return Some(Vec::new());
    }
    let mut own = Faults::default();
    let root = yaml_tree::read(&(lines.join("\n") + "\n"), &mut own);
    faults.append_from_line(own, first);
    let root = root?.shifted_to(first);
    match root.value {
        Value::Map(entries) => Some(entries),
        _ => {
            wrong_type(&root, owner, "a mapping", faults);
            None
        }
    }
}
