//! Baton's entry in a JSON configuration, which may have comments. Only its own bytes change.

use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use serde_json::Value;

use super::{EntryError, SERVER};

/// The indentation of one level where the text shows none.
const INDENTATION: &str = "  ";

/// `text` with the entry `value` in the object `outer`.
pub(super) fn with_entry(text: &str, outer: &str, value: &Value) -> Result<String, EntryError> {
    if text.trim().is_empty() {
        let whole = serde_json::json!({ outer: { SERVER: value } });
        return Ok(format!("{whole:#}\n"));
    }
    let root = parse(text)?;
    let Some(servers) = property(&root, outer) else {
        let value = serde_json::json!({ SERVER: value });
        return Ok(insert(text, &root, outer, &value));
    };
    let servers = object(text, servers)?;
    match property(servers, SERVER) {
        Some(entry) if is_equal(text, entry, value) => Ok(text.to_owned()),
        Some(entry) => {
            let indentation = indentation_of(text, entry.range.start);
            let range = entry.value.start()..entry.value.end();
            Ok(replace(text, range, &indented(value, &indentation)))
        }
        None => Ok(insert(text, servers, SERVER, value)),
    }
}

/// `text` without the entry.
pub(super) fn without_entry(text: &str, outer: &str) -> Result<String, EntryError> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(text)?;
    let Some(servers) = property(&root, outer) else {
        return Ok(text.to_owned());
    };
    match property(object(text, servers)?, SERVER) {
        Some(entry) => Ok(replace(text, removed_range(text, entry), "")),
        None => Ok(text.to_owned()),
    }
}

/// JSON with comments and trailing commas, as agents read their settings.
pub(super) fn parse_options() -> ParseOptions {
    ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        ..ParseOptions::default()
    }
}

fn parse(text: &str) -> Result<Object<'_>, EntryError> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &parse_options())
        .map_err(|error| EntryError::at(text, error.range().start, error.kind().to_string()))?;
    match parsed.value {
        Some(ast::Value::Object(root)) => Ok(root),
        _ => Err(EntryError::at(text, 0, "it is not a JSON object")),
    }
}

fn property<'a, 'b>(object: &'b Object<'a>, name: &str) -> Option<&'b ObjectProp<'a>> {
    object
        .properties
        .iter()
        .find(|one| one.name.as_str() == name)
}

fn object<'a, 'b>(text: &str, property: &'b ObjectProp<'a>) -> Result<&'b Object<'a>, EntryError> {
    let name = property.name.as_str();
    let wrong = || {
        EntryError::at(
            text,
            property.range.start,
            format!("\"{name}\" is not an object"),
        )
    };
    property.value.as_object().ok_or_else(wrong)
}

fn is_equal(text: &str, entry: &ObjectProp<'_>, value: &Value) -> bool {
    let written = &text[entry.value.start()..entry.value.end()];
    serde_json::from_str::<Value>(written).is_ok_and(|written| written == *value)
}

/// Inserts a property as the first of `object`, so that a comma or a comment at its end stays.
fn insert(text: &str, object: &Object<'_>, name: &str, value: &Value) -> String {
    let outer = indentation_of(text, object.range.start);
    let first = object.properties.first();
    let inner = first.map(|first| indentation_of(text, first.range.start));
    let inner = inner.filter(|inner| inner.len() > outer.len());
    let inner = inner.unwrap_or_else(|| format!("{outer}{INDENTATION}"));
    let property = format!(
        "\n{inner}{}: {}",
        Value::from(name),
        indented(value, &inner)
    );
    let start = object.range.start + 1;
    let rest = match first {
        Some(_) => ",".to_owned(),
        None => format!("\n{outer}"),
    };
    let end = match first {
        // Only blanks: a comment in an empty object stays.
        None if text[start..object.range.end - 1].trim().is_empty() => object.range.end - 1,
        _ => start,
    };
    replace(text, start..end, &format!("{property}{rest}"))
}

/// The property with its comma and the blanks before it.
fn removed_range(text: &str, entry: &ObjectProp<'_>) -> Range<usize> {
    let before = text[..entry.range.start].trim_end();
    let after = &text[entry.range.end..];
    let blanks = after.len() - after.trim_start().len();
    if after.trim_start().starts_with(',') {
        return before.len()..entry.range.end + blanks + 1;
    }
    let without_comma = before.strip_suffix(',');
    without_comma.unwrap_or(before).len()..entry.range.end
}

/// The blanks at the beginning of the line with byte `at`.
fn indentation_of(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let blanks = text[line..].chars();
    blanks.take_while(|one| matches!(one, ' ' | '\t')).collect()
}

fn indented(value: &Value, indentation: &str) -> String {
    format!("{value:#}").replace('\n', &format!("\n{indentation}"))
}

fn replace(text: &str, range: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}
