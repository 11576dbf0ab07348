//! Writes documents as YAML text that is readable for people and any YAML parser.
//!
//! Text that YAML 1.1 or 1.2 could read as another type is quoted. Text with several lines becomes
//! a literal block, unless an editor that trims lines or a parser that normalizes line breaks would
//! change it. Emoji and letters of all scripts are kept; invisible controls, including those that
//! reorder text, are escaped.

use super::core_schema;
use super::document::Document;
use super::tree::ScalarKind;

/// The maximum length of lists and mappings on one line, in characters.
const LINE_LENGTH: usize = 100;

/// YAML allows keys of up to 1,024 characters before a `:`; longer ones need a `?`.
const KEY_LENGTH: usize = 1000;

/// Writes `document` as a file.
pub(super) fn write(document: &Document) -> String {
    let mut out = String::new();
    match document {
        Document::Map(entries) if !entries.is_empty() => put_entries(entries, 0, &mut out),
        other => put_value(other, 0, 0, &mut out),
    }
    out
}

/// Writes entries at `indent`; the caller has written the indent of the first.
fn put_entries(entries: &[(String, Document)], indent: usize, out: &mut String) {
    for (position, (key, value)) in entries.iter().enumerate() {
        if position > 0 {
            put_indent(indent, out);
        }
        let key = scalar(key, Context::Flow);
        let width = key.chars().count();
        if width > KEY_LENGTH {
            out.push_str("? ");
            out.push_str(&key);
            out.push('\n');
            put_indent(indent, out);
        } else {
            out.push_str(&key);
        }
        out.push(':');
        put_value(value, indent, indent + width + 2, out);
    }
}

fn put_items(items: &[Document], are_blocks: bool, indent: usize, out: &mut String) {
    for item in items {
        put_indent(indent, out);
        out.push('-');
        match item {
            Document::Map(entries)
                if !entries.is_empty()
                    && (are_blocks || on_one_line(item, indent + 2).is_none()) =>
            {
                out.push(' ');
                put_entries(entries, indent + 2, out);
            }
            _ => put_value(item, indent, indent + 2, out),
        }
    }
}

/// Writes a value after a `:` or `-` that is at `indent`; `column` is where the value would begin.
fn put_value(value: &Document, indent: usize, column: usize, out: &mut String) {
    if let Document::Text(text) = value
        && is_literal(text)
    {
        return put_literal(text, indent + 2, out);
    }
    match value {
        Document::Map(entries) if on_one_line(value, column).is_none() => {
            out.push('\n');
            put_indent(indent + 2, out);
            put_entries(entries, indent + 2, out);
        }
        Document::List(items) if on_one_line(value, column).is_none() => {
            out.push('\n');
            put_items(items, false, indent + 2, out);
        }
        Document::Blocks(items) if !items.is_empty() => {
            out.push('\n');
            put_items(items, true, indent + 2, out);
        }
        other => {
            out.push(' ');
            out.push_str(&inline(other, Context::Block));
            out.push('\n');
        }
    }
}

fn put_literal(text: &str, indent: usize, out: &mut String) {
    out.push_str(match text.strip_suffix('\n') {
        None => " |-",
        Some(rest) if rest.ends_with('\n') => " |+",
        Some(_) => " |",
    });
    out.push('\n');
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        if !line.is_empty() {
            put_indent(indent, out);
            out.push_str(line);
        }
        out.push('\n');
    }
}

fn put_indent(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}

/// A list or mapping on one line, if it fits after `column` and holds nothing that needs several
/// lines.
fn on_one_line(value: &Document, column: usize) -> Option<String> {
    let room = LINE_LENGTH.saturating_sub(column);
    if is_empty(value) {
        return Some(inline(value, Context::Flow));
    }
    if length_at_least(value) > room || !is_flat(value) {
        return None;
    }
    Some(inline(value, Context::Flow)).filter(|line| line.chars().count() <= room)
}

fn is_empty(value: &Document) -> bool {
    match value {
        Document::List(items) | Document::Blocks(items) => items.is_empty(),
        Document::Map(entries) => entries.is_empty(),
        Document::Null | Document::Bool(_) | Document::Number(_) | Document::Text(_) => false,
    }
}

/// A cheap lower bound, so that a long text is not quoted only to find that it does not fit.
fn length_at_least(value: &Document) -> usize {
    match value {
        // A character has at most four bytes.
        Document::Text(text) => text.len() / 4,
        Document::List(items) | Document::Blocks(items) => {
            items.iter().map(|item| length_at_least(item) + 1).sum()
        }
        Document::Map(entries) => entries
            .iter()
            .map(|(key, value)| key.len() / 4 + length_at_least(value) + 1)
            .sum(),
        Document::Null | Document::Bool(_) | Document::Number(_) => 1,
    }
}

/// Scalars only; in a list also mappings of scalars, such as soft dependencies.
fn is_flat(value: &Document) -> bool {
    let is_line = |value: &Document| match value {
        Document::Text(text) => !text.contains('\n'),
        Document::Null | Document::Bool(_) | Document::Number(_) => true,
        Document::List(_) | Document::Blocks(_) | Document::Map(_) => is_empty(value),
    };
    match value {
        Document::List(items) => items.iter().all(|item| match item {
            Document::Map(entries) => entries.iter().all(|(_, value)| is_line(value)),
            other => is_line(other),
        }),
        Document::Map(entries) => entries.iter().all(|(_, value)| is_line(value)),
        Document::Blocks(_) => false,
        scalar => is_line(scalar),
    }
}

/// The context of a scalar: commas and brackets are special only in `[]` and `{}`, and in keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Block,
    Flow,
}

fn inline(value: &Document, context: Context) -> String {
    match value {
        Document::Null => "null".to_owned(),
        Document::Bool(flag) => flag.to_string(),
        Document::Number(number) => number.to_string(),
        Document::Text(text) => scalar(text, context),
        Document::List(items) | Document::Blocks(items) => {
            let items: Vec<_> = items
                .iter()
                .map(|item| inline(item, Context::Flow))
                .collect();
            format!("[{}]", items.join(", "))
        }
        Document::Map(entries) if entries.is_empty() => "{}".to_owned(),
        Document::Map(entries) => {
            let entry = |(key, value): &(String, Document)| {
                format!(
                    "{}: {}",
                    scalar(key, Context::Flow),
                    inline(value, Context::Flow)
                )
            };
            format!(
                "{{ {} }}",
                entries.iter().map(entry).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

fn scalar(text: &str, context: Context) -> String {
    if is_plain(text, context) {
        return text.to_owned();
    }
    if text.contains(['"', '\\']) && text.chars().all(is_visible) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    double_quoted(text)
}

fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_visible(c) => out.push(c),
            c => put_escape(c, &mut out),
        }
    }
    out.push('"');
    out
}

fn put_escape(c: char, out: &mut String) {
    let code = u32::from(c);
    let (letter, digits) = match code {
        ..=0xFF => ('x', 2),
        0x100..=0xFFFF => ('u', 4),
        _ => ('U', 8),
    };
    out.extend(['\\', letter]);
    out.extend(
        (0..digits)
            .rev()
            .filter_map(|digit| char::from_digit(code >> (4 * digit) & 0xF, 16)),
    );
}

/// Returns whether `text` needs no quotes. Errs on the side of quoting.
fn is_plain(text: &str, context: Context) -> bool {
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else {
        return false;
    };
    let begins_well = match first {
        '-' => second.is_some_and(|c| c.is_ascii_alphabetic()) || is_long_option(text),
        '_' | '/' | '.' | '$' | '(' | '+' => true,
        c => c.is_alphanumeric() || !c.is_ascii() && !c.is_whitespace(),
    };
    begins_well
        && core_schema::resolve(text) == ScalarKind::Text
        && !is_typed_in_yaml_1_1(text)
        && text.chars().all(is_visible)
        && !text.ends_with(char::is_whitespace)
        && !text.ends_with(':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !(context == Context::Flow && text.contains([',', '[', ']', '{', '}', ':', '#', '?']))
        // A comma or bracket follows, and parsers take a dash before it for the beginning of
        // another scalar.
        && !(context == Context::Flow && text.ends_with(" -"))
}

fn is_long_option(text: &str) -> bool {
    text.strip_prefix("--")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Many parsers still read YAML 1.1, where these are booleans, octal or sexagesimal numbers and
/// dates.
fn is_typed_in_yaml_1_1(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_number_like = text
        .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
        && lower
            .bytes()
            .all(|b| b.is_ascii_hexdigit() || b"xo_+-.:tz ".contains(&b));
    is_number_like && lower.contains(|c: char| c.is_ascii_digit())
        || matches!(lower.as_str(), "yes" | "no" | "on" | "off")
}

/// Returns whether `text` can be written as a literal block without changing.
fn is_literal(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with(char::is_whitespace)
        && text
            .chars()
            .all(|c| c == '\n' || c == '\t' || is_visible(c))
        && text
            .split('\n')
            .all(|line| !line.ends_with([' ', '\t']) && !line.starts_with('\t'))
}

/// Returns whether `c` is visible. Excludes controls, line breaks (NEL, LS, PS), byte order marks,
/// and characters that change the direction of text, which could make a command look like another
/// one (CVE-2021-42574).
fn is_visible(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            | '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
