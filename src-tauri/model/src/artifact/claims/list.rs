//! The list of changed files: where it is in a text, its items, and the headings that group them.

use super::FileClaim;
use super::item::{self, Line};
use super::mode::{ClaimMode, mode_of};

/// Headings above lists of files, in lower case.
const HEADINGS: [&str; 20] = [
    "files changed",
    "changed files",
    "files modified",
    "modified files",
    "files created",
    "created files",
    "files updated",
    "updated files",
    "files touched",
    "files edited",
    "files added",
    "new files",
    "changes",
    "changes made",
    "what changed",
    "what i changed",
    "files created or modified",
    "files changed or created",
    "files written",
    "files",
];

/// The text below the list's heading, up to the next heading that doesn't group files; `None` if
/// there is no list.
pub(super) fn section<'a>(text: &'a str, exact: &str) -> Option<&'a str> {
    if let Some(start) = text.find(exact) {
        let body = &text[start + exact.len()..];
        return Some(&body[..end_of(body)]);
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let (words, inline) = line.split_once(':').unwrap_or((line, ""));
        let is_list = HEADINGS.contains(&plain_heading(words).as_str());
        if is_list
            && (is_heading(line)
                || inline.trim().trim_matches('*').is_empty() && line.contains(':'))
        {
            return Some(&text[at..at + end_of(&text[at..])]);
        }
    }
    None
}

/// The offset of the next heading that doesn't group files.
fn end_of(body: &str) -> usize {
    let mut at = 0;
    for (index, line) in body.split_inclusive('\n').enumerate() {
        if index > 0 && is_heading(line) && !groups_files(line) {
            return at;
        }
        at += line.len();
    }
    at
}

fn is_heading(line: &str) -> bool {
    let line = line.trim_end();
    let is_bold = line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    line.starts_with('#') || is_bold || line.starts_with("**") && line.contains(":**")
}

/// Whether the line is a heading within the list, such as `**Created:**` or `### Unchanged`. Other
/// headings end the list.
fn groups_files(line: &str) -> bool {
    let words = plain_heading(line.split_once(":**").map_or(line, |(words, _)| words));
    let stems = [
        "creat", "modif", "chang", "updat", "delet", "remov", "renam", "moved", "add", "new",
        "edit", "test", "file", "read", "untouch", "source", "config", "doc",
    ];
    stems.iter().any(|stem| words.contains(stem)) && words.split_whitespace().count() <= 4
}

fn plain_heading(line: &str) -> String {
    line.trim_matches(['#', '*', '_', ':', ' ', '\n', '\r', '\t'])
        .to_lowercase()
}

/// A heading that applies to the items below it.
struct Group {
    mode: ClaimMode,
    /// The indentation, if the heading is itself an item. Items that are indented less don't belong
    /// to it.
    indent: Option<usize>,
}

pub(super) fn claims(section: &str) -> Vec<FileClaim> {
    let mut found = Vec::new();
    let mut group: Option<Group> = None;
    for line in section.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if line.is_empty() || line.starts_with("```") || line.starts_with("~~~") {
            continue;
        }
        let item = without_bullet(line);
        let text = item.unwrap_or(line);
        if group
            .as_ref()
            .is_some_and(|group| group.indent.is_some_and(|outer| indent <= outer))
        {
            group = None;
        }
        if let Some(mode) = heading(text) {
            group = Some(Group {
                mode,
                indent: item.map(|_| indent),
            });
            continue;
        }
        let mode = group
            .as_ref()
            .map_or(ClaimMode::Written, |group| group.mode);
        let kind = if item.is_some() {
            Line::Item
        } else {
            Line::Plain
        };
        found.extend(item::claims(text, kind, mode));
    }
    found
}

/// Returns what a heading within the list claims about the files below it; `None` if the line is
/// not a heading.
fn heading(text: &str) -> Option<ClaimMode> {
    let bare = text.trim_matches(['*', '_', '#', ' ']);
    let label = bare.strip_suffix(':').or_else(|| {
        (text.starts_with('#') || text.starts_with("**") && text.ends_with("**")).then_some(bare)
    })?;
    let label = label.trim_matches(['*', '_', ' ']);
    let is_words = label
        .chars()
        .all(|c| c.is_alphanumeric() || " &-'(),".contains(c))
        && label.split_whitespace().count() <= 6;
    (is_words && !label.is_empty()).then(|| mode_of(label))
}

/// The text of a list item (`- …`, `* …`, `+ …`, `3. …`, `3) …`) or table row.
pub(super) fn without_bullet(line: &str) -> Option<&str> {
    if line.starts_with("**") {
        return None;
    }
    if let Some(item) = line.strip_prefix(['-', '*', '+', '•', '|']) {
        return Some(item.trim());
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let rest = line[digits..]
        .strip_prefix(['.', ')'])
        .filter(|rest| digits > 0 && rest.starts_with(' '))?;
    Some(rest.trim())
}
