//! One item of a list, or one line: what was done, to which paths, and what is said of them.

use super::path::{self, PathWord};
use super::remark;
use super::{FileAct, FileClaim};

/// What a verb, heading or remark says became of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    /// They were made or changed.
    Written,
    /// They are not there any more.
    Gone,
    /// They were not changed, or it is not about files.
    Ignored,
}

/// Verbs of changing, and what may stand between them and a path.
const WRITTEN: &str = " new file files folder directory dir created create creates creating added add adds adding modified modify \
    modifies updated update updates updating changed change changes edited edit edits wrote writes write written rewrote rewritten \
    fixed fixes refactored extended replaced touched generated renamed renames rename moved moves move copied the a an and then also saved \
    existing both i i've we we've have has been test tests script in into to under named called documentation docs config ";
const GONE: &str = " deleted delete deletes removed remove removes dropped cleaned temporary temp ";
const IGNORED: &str = " read reads reading reviewed inspected viewed examined analyzed analysed checked verified reverted restored \
    unchanged untouched ran run running tested no not skipped ignored considered searched opened looked kept left referenced \
    consulted used using see could would will should todo planned proposed attempted tried did didn't couldn't unable only ";
/// Labels that say that no changed file follows.
const IGNORED_LABELS: [&str; 43] = [
    "unchanged",
    "untouched",
    "unmodified",
    "not changed",
    "not modified",
    "not touched",
    "no change",
    "read",
    "reviewed",
    "inspected",
    "viewed",
    "examined",
    "analyzed",
    "analysed",
    "referenced",
    "consulted",
    "reference",
    "context",
    "reverted",
    "restored",
    "skipped",
    "ignored",
    "planned",
    "proposed",
    "suggested",
    "todo",
    "next",
    "command",
    "branch",
    "commit",
    "function",
    "class",
    "symbol",
    "method",
    "dependenc",
    "endpoint",
    "route",
    "variable",
    "output",
    "see",
    "note",
    "tool",
    "not ",
];
/// Files that have no ending and are no categories.
const NAMES: [&str; 21] = [
    "Makefile",
    "Dockerfile",
    "Containerfile",
    "Justfile",
    "Rakefile",
    "Gemfile",
    "Procfile",
    "Jenkinsfile",
    "Vagrantfile",
    "Pipfile",
    "Brewfile",
    "LICENSE",
    "README",
    "CHANGELOG",
    "AUTHORS",
    "NOTICE",
    "CODEOWNERS",
    "BUILD",
    "WORKSPACE",
    "configure",
    "makefile",
];
/// What stands between two paths of one item.
const BETWEEN: [&str; 7] = [",", ";", "and ", "&", "+", "/", "plus "];
const ARROWS: [&str; 4] = ["→", "->", "=>", "➜"];

/// What a label or heading says of the files below it.
pub(super) fn mode_of(label: &str) -> Mode {
    let label = label.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| label.contains(word));
    match () {
        () if says(&IGNORED_LABELS) => Mode::Ignored,
        () if says(&["deleted", "removed", "temporary", "cleaned"]) => Mode::Gone,
        () => Mode::Written,
    }
}

/// What comes before the paths of an item.
struct Lead<'a> {
    mode: Mode,
    has_verb: bool,
    rest: &'a str,
}

/// How much is expected of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// It is an item of a list of files.
    Item,
    /// It stands in the list's section without a bullet.
    Plain,
    /// It is a sentence: only what a verb of changing is followed by is a claim.
    Sentence,
}

/// The claims with which an item begins. A line that is no item has to consist of them, or to begin with a verb.
pub(super) fn claims(item: &str, line: Line, inherited: Mode) -> Vec<FileClaim> {
    let lead = lead(item);
    let mode = inherited.max(lead.mode);
    if mode == Mode::Ignored || (line == Line::Sentence && !lead.has_verb) {
        return Vec::new();
    }
    let mut found: Vec<Found> = Vec::new();
    let mut rest = lead.rest;
    let mut remark = rest;
    let mut expected = line;
    let lower = item.to_lowercase();
    let is_renamed = lower.contains("move") || lower.contains("rename");
    while let Some((paths, after)) = paths_at(rest, expected) {
        let (own, after) = parenthesis(after);
        let own_remark = own.and_then(remark::effect);
        found.extend(
            paths
                .into_iter()
                .map(|(word, moved)| Found { word, mode: if moved { Some(Mode::Gone) } else { own_remark } }),
        );
        remark = after;
        let (next, is_arrow) = after_separator(after);
        // Without a word between them, only what is a path for certain goes on with the list.
        expected = if next.len() == after.trim_start().len() { Line::Sentence } else { line };
        let moves = is_arrow || (is_renamed && next.starts_with("to "));
        if moves && let Some(last) = found.last_mut() {
            last.mode = Some(Mode::Gone);
        }
        rest = if moves { next.strip_prefix("to ").unwrap_or(next) } else { next };
    }
    let is_sentence = line == Line::Plain && !lead.has_verb && remark.trim_start().starts_with(char::is_alphanumeric);
    if is_sentence {
        return Vec::new();
    }
    let of_all = remark::effect(remark);
    found.into_iter().filter_map(|found| found.claim(mode, of_all)).collect()
}

/// A path with what is said of it alone.
struct Found {
    word: PathWord,
    mode: Option<Mode>,
}

impl Found {
    fn claim(self, mode: Mode, of_all: Option<Mode>) -> Option<FileClaim> {
        let act = match mode.max(self.mode.or(of_all).unwrap_or(Mode::Written)) {
            Mode::Written => FileAct::Written,
            Mode::Gone => FileAct::Gone,
            Mode::Ignored => return None,
        };
        Some(FileClaim { path: self.word.path, act, is_certain: self.word.is_certain })
    }
}

fn lead(item: &str) -> Lead<'_> {
    let mut lead = Lead { mode: Mode::Written, has_verb: false, rest: undecorated(item) };
    loop {
        if let Some((label, rest)) = label(lead.rest) {
            lead.mode = lead.mode.max(mode_of(label));
            lead.rest = undecorated(rest);
            continue;
        }
        let word = lead.rest.split([' ', '\t']).next().unwrap_or_default();
        let rest = lead.rest[word.len()..].trim_start();
        let plain = word.trim_matches(['*', '_', '[', ']', '(', ')', ':', ',']).to_lowercase().replace('’', "'");
        let is_in = |words: &str| !plain.is_empty() && words.contains(&format!(" {plain} "));
        let status = git_status(word).filter(|_| paths_at(rest, Line::Sentence).is_some());
        match () {
            () if rest.is_empty() => return lead,
            () if let Some(mode) = status => lead.mode = lead.mode.max(mode),
            () if is_in(IGNORED) => lead.mode = Mode::Ignored,
            () if is_in(GONE) => lead.mode = lead.mode.max(Mode::Gone),
            () if is_in(WRITTEN) => {}
            () => return lead,
        }
        lead.has_verb = true;
        let Some(rest) = next_cell(rest) else { return Lead { rest: "", ..lead } };
        lead.rest = undecorated(rest);
    }
}

/// What follows a verb, which may stand in a table's cell of its own; `None` when no path is in the next one.
fn next_cell(rest: &str) -> Option<&str> {
    match rest.strip_prefix('|') {
        Some(cell) => Some(cell.trim_start()).filter(|cell| paths_at(cell, Line::Sentence).is_some()),
        None => Some(rest),
    }
}

/// `M src/a.rs`, as git prints it.
fn git_status(word: &str) -> Option<Mode> {
    let is_status = (1..=2).contains(&word.len()) && word.chars().all(|c| "MADRCU?".contains(c));
    is_status.then_some(if word.contains('D') { Mode::Gone } else { Mode::Written })
}

/// Without check boxes and signs before the first word.
fn undecorated(item: &str) -> &str {
    let item = item.trim_start();
    let boxes = ["[x] ", "[X] ", "[ ] "];
    let item = boxes.iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item);
    item.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() && !"“‘…".contains(c) || c == ' ')
}

/// `Tests:` before something: a few plain words and a colon.
fn label(item: &str) -> Option<(&str, &str)> {
    let bare = item.trim_start_matches(['*', '_']);
    let (label, rest) = bare.split_once(':')?;
    let is_plain = label.chars().all(|c| c.is_alphanumeric() || " &-'()*_".contains(c)) && !label.contains("()");
    let is_short = !label.trim().is_empty() && label.len() <= 48 && label.split_whitespace().count() <= 5;
    let ends = rest.is_empty() || rest.starts_with([' ', '*', '_', '`', '\t']);
    let rest = rest.trim_start_matches(['*', '_', ' ', '\t']);
    let is_label = is_plain && is_short && ends && !rest.is_empty() && !NAMES.contains(&label.trim());
    is_label.then_some((label, rest))
}

/// The paths of the word at the beginning of `text`, each with whether it was moved away, and what follows.
fn paths_at(text: &str, line: Line) -> Option<(Vec<(PathWord, bool)>, &str)> {
    let bare = text.trim_start();
    let bare = bare.trim_start_matches('*').trim_start_matches('[');
    let quote = [("``", "``"), ("`", "`"), ("\"", "\""), ("'", "'"), ("“", "”"), ("‘", "’")]
        .into_iter()
        .find(|(open, _)| bare.starts_with(open));
    let Some((open, close)) = quote else { return bare_path(bare, line) };
    let (content, after) = bare[open.len()..].split_once(close)?;
    let after = after.trim_start_matches(['*', '_', ']']);
    let after = after.strip_prefix("()").map_or(after, |_| "");
    let paths = in_quotes(content);
    (!paths.is_empty()).then(|| (paths, without_target(after)))
}

/// `a.rs`, `a.rs → b.rs` and `a.rs, b.rs` within one pair of quotes.
fn in_quotes(content: &str) -> Vec<(PathWord, bool)> {
    let steps = ARROWS.iter().fold(content.to_owned(), |text, arrow| text.replace(arrow, "→"));
    let steps: Vec<&str> = steps.split('→').map(str::trim).collect();
    let last = steps.len() - 1;
    let mut found = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let parts: Vec<&str> = if step.contains('{') { vec![*step] } else { step.split(", ").collect() };
        for part in parts {
            let words = path::read(part, true);
            if words.is_empty() {
                return Vec::new();
            }
            found.extend(words.into_iter().map(|word| (word, index < last)));
        }
    }
    found
}

fn bare_path(bare: &str, line: Line) -> Option<(Vec<(PathWord, bool)>, &str)> {
    let end = end_of_word(bare);
    // "src/a.rs: fixed" keeps its colon, so that what follows is a remark.
    let (word, after) = bare.split_at(bare[..end].trim_end_matches(':').len());
    let word = word.trim_end_matches("**");
    let found = path::read(word, false);
    let follows = after.trim_start();
    let is_alone = follows.is_empty() || follows.starts_with(['(', '-', '–', '—', ',', ';', ':', ']', '*', '|', '→']);
    let is_alone = is_alone && !after.starts_with('(');
    let counts = |word: &PathWord| {
        word.is_certain || (line == Line::Item && is_alone && word.path.starts_with(char::is_alphabetic))
    };
    let all = !found.is_empty() && found.iter().all(counts);
    let after = after.trim_start_matches([']', '*']);
    all.then(|| (found.into_iter().map(|word| (word, false)).collect(), without_target(after)))
}

/// Where a word ends: at white space and separators that are not within braces.
fn end_of_word(text: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ' ' | '\t' | ',' | ';' | '|' | ']' | '`' | '→' | '➜' | '(' => return at,
            '-' | '=' if text[at + 1..].starts_with('>') => return at,
            _ => {}
        }
    }
    text.len()
}

/// A remark in parentheses, and what follows it.
fn parenthesis(after: &str) -> (Option<&str>, &str) {
    let found = after.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    // One at the end of the item is about all of its paths.
    match found {
        Some((remark, rest)) if !rest.trim().is_empty() => (Some(remark), rest),
        _ => (None, after),
    }
}

/// What follows the words that separate paths, and whether an arrow is among them. A path may follow without any.
fn after_separator(after: &str) -> (&str, bool) {
    let mut rest = after.trim_start();
    let mut is_arrow = false;
    loop {
        let arrow = ARROWS.iter().find_map(|arrow| rest.strip_prefix(arrow));
        is_arrow |= arrow.is_some();
        match arrow.or_else(|| BETWEEN.iter().find_map(|word| rest.strip_prefix(word))) {
            Some(next) => rest = next.trim_start(),
            None => return (rest, is_arrow),
        }
    }
}

/// What follows the target of a Markdown link.
fn without_target(after: &str) -> &str {
    let target = after.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    // "(new)" is a remark, "(src/a.rs)" is where a link leads.
    target.filter(|(target, _)| target.contains(['/', '.']) && !target.contains(' ')).map_or(after, |(_, after)| after)
}
