//! The Markdown form of a plan: `PLAN-<id>.md` with front matter, `## Steps`, `## Context` and
//! `## Risks`.
//!
//! A document becomes the same tree as a YAML file, so that one reader serves all forms and every
//! fault has its line and column in the document. What a person would not write in a line of text
//! stands in a block of YAML: in the front matter for the plan, below its line for a step.
//!
//! A step without `dependsOn` follows the step before it, as the list is numbered;
//! `dependsOn: []` starts at once. A step without `id` gets one from its title. Sections with other
//! headings belong to the goal, so that nothing that a person wrote is lost.

mod body;
mod context_section;
mod document_header;
mod front_matter;
mod risk_line;
mod step_line;
mod step_text;
mod steps;
#[cfg(test)]
mod tests;
mod writer;

use super::duplicate_keys::without_duplicates;
use super::fault::Faults;
use super::tree::{Entry, Located, ScalarKind, SourceLocation, Value};
use body::{Heading, Section};
pub use document_header::{DocumentHeader, DocumentStatus};
pub(super) use writer::write;

/// The values in `text`, and what its front matter says about the document.
pub(super) fn read(text: &str, faults: &mut Faults) -> Option<(Located, DocumentHeader)> {
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    let (front, header, body_start) = front_matter::read(&lines, faults)?;
    let sections = body::sections(&lines, body_start, faults);
    let mut entries = front;
    if !entries.iter().any(|entry| entry.key == "baton") {
        let format = scalar(SourceLocation::START, "1", ScalarKind::Integer);
        entries.insert(0, entry("baton", format));
    }
    entries.extend(goal(&sections, &entries));
    for section in &sections {
        entries.extend(match section.heading {
            Heading::Steps => Some(steps::read(section, faults)),
            Heading::Context => context_section::read(section, faults),
            Heading::Risks => risk_line::read(section, faults),
            Heading::Preamble | Heading::Other => None,
        });
    }
    let value = Value::Map(without_duplicates(entries, faults));
    let at = SourceLocation::START;
    Some((Located { at, value }, header))
}

/// The title and the goal in the text, as far as there are any.
fn goal(sections: &[Section<'_>], front: &[Entry]) -> Vec<Entry> {
    let mut lines = body::goal_lines(sections);
    let mut found = Vec::new();
    let titled = front.iter().any(|entry| entry.key == "title");
    if let Some(first) = lines.first().filter(|_| !titled)
        && let Some(title) = first.text.strip_prefix("# ")
    {
        found.push(entry("title", text_scalar(first.at(3), title.trim())));
        lines.remove(0);
    }
    let text = body::joined(&lines);
    if let Some(first) = lines.iter().find(|line| !line.is_blank()) {
        found.push(entry("description", text_scalar(first.at(1), &text)));
    }
    found
}

fn entry(key: &str, value: Located) -> Entry {
    Entry {
        key: key.to_owned(),
        at: value.at,
        value,
    }
}

fn scalar(at: SourceLocation, text: &str, kind: ScalarKind) -> Located {
    let value = Value::Scalar(text.to_owned(), kind);
    Located { at, value }
}

fn text_scalar(at: SourceLocation, text: &str) -> Located {
    scalar(at, text, ScalarKind::Text)
}
