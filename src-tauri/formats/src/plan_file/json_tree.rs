//! Parses JSON text to located values.
//!
//! serde_json validates the syntax, because it is strict (RFC 8259: no comments, no trailing
//! commas, no lone surrogates). jsonc-parser, which is lenient, then only provides locations.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::Format;
use super::duplicate_keys::without_duplicates;
use super::fault::{FaultKind, Faults};
use super::tree::{Entry, Located, ScalarKind, SourceLocation, Value};

/// The value in `text`, or `None` and at least one fault.
pub(crate) fn read(text: &str, faults: &mut Faults) -> Option<Located> {
    if text.trim().is_empty() {
        faults.add(SourceLocation::START, FaultKind::Empty);
        return None;
    }
    if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
        faults.add(error_location(&error, text), fault_kind(&error));
        return None;
    }
    match parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()) {
        Ok(parsed) => {
            let mut places = LocationIndex {
                text,
                offset: 0,
                place: SourceLocation::START,
            };
            parsed
                .value
                .map(|value| located(value, &mut places, faults))
        }
        Err(error) => {
            let at = SourceLocation {
                line: error.line_display(),
                column: error.column_display(),
            };
            faults.add(
                at,
                FaultKind::Syntax {
                    format: Format::Json,
                    reason: error.kind().to_string(),
                },
            );
            None
        }
    }
}

/// serde_json counts bytes within the line, but locations count characters.
fn error_location(error: &serde_json::Error, text: &str) -> SourceLocation {
    let line = text
        .split('\n')
        .nth(error.line().saturating_sub(1))
        .unwrap_or_default();
    let before = error.column().saturating_sub(1);
    let column = line
        .char_indices()
        .take_while(|&(offset, _)| offset < before)
        .count()
        + 1;
    SourceLocation {
        line: error.line().max(1),
        column,
    }
}

fn fault_kind(error: &serde_json::Error) -> FaultKind {
    let reason = reason(error);
    if reason.starts_with("recursion limit") {
        FaultKind::TooDeep
    } else {
        FaultKind::Syntax {
            format: Format::Json,
            reason,
        }
    }
}

/// The parser's message without the location.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let sentence = error.to_string();
    sentence
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Converts offsets to locations. Offsets must increase, so that a file with one long line is
/// scanned only once.
struct LocationIndex<'t> {
    text: &'t str,
    offset: usize,
    place: SourceLocation,
}

impl LocationIndex<'_> {
    fn at(&mut self, offset: usize) -> SourceLocation {
        for c in self
            .text
            .get(self.offset..offset)
            .unwrap_or_default()
            .chars()
        {
            if c == '\n' {
                self.place = SourceLocation {
                    line: self.place.line + 1,
                    column: 1,
                };
            } else {
                self.place.column += 1;
            }
        }
        self.offset = self.offset.max(offset);
        self.place
    }
}

fn located(value: ast::Value<'_>, places: &mut LocationIndex<'_>, faults: &mut Faults) -> Located {
    let at = places.at(value.range().start);
    let value = match value {
        ast::Value::StringLit(text) => Value::Scalar(text.value.into_owned(), ScalarKind::Text),
        ast::Value::NumberLit(number) => {
            let is_integer = !number.value.contains(['.', 'e', 'E']);
            let kind = if is_integer {
                ScalarKind::Integer
            } else {
                ScalarKind::Float
            };
            Value::Scalar(number.value.to_owned(), kind)
        }
        ast::Value::BooleanLit(flag) => {
            Value::Scalar(flag.value.to_string(), ScalarKind::Bool(flag.value))
        }
        ast::Value::NullKeyword(_) => Value::Scalar("null".to_owned(), ScalarKind::Null),
        ast::Value::Array(array) => Value::List(
            array
                .elements
                .into_iter()
                .map(|element| located(element, places, faults))
                .collect(),
        ),
        ast::Value::Object(object) => {
            let entries = object
                .properties
                .into_iter()
                .map(|property| entry(property, places, faults))
                .collect();
            Value::Map(without_duplicates(entries, faults))
        }
    };
    Located { at, value }
}

fn entry(
    property: ast::ObjectProp<'_>,
    places: &mut LocationIndex<'_>,
    faults: &mut Faults,
) -> Entry {
    let at = places.at(property.range.start);
    let value = located(property.value, places, faults);
    Entry {
        key: property.name.into_string(),
        at,
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(json: &str) -> Option<String> {
        match read(json, &mut Faults::default())?.value {
            Value::Scalar(text, _) => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    #[test]
    fn escapes_and_surrogate_pairs_are_decoded() {
        assert_eq!(
            text_of(r#""\ud83d\ude00 \u00e9 \n\t\/\"\\ \u0000""#).as_deref(),
            Some("😀 é \n\t/\"\\ \0")
        );
    }

    #[test]
    fn only_strict_json_is_accepted() {
        for bad in [
            r#""\ud83d""#,
            r#""\ude00""#,
            "\"a\tb\"",
            "[1,]",
            "{a: 1}",
            "[1] // no",
            "'a'",
            "01",
            "+1",
            ".5",
            "NaN",
            "[1 2]",
            "[1][2]",
            "\"a",
            r#""\x41""#,
            &"[".repeat(200_000),
        ] {
            assert!(text_of(bad).is_none(), "{bad:.20}");
        }
    }

    #[test]
    fn columns_count_characters() {
        let json = "{\n  \"é\": [1, \"ü\", 2]\n}";
        let Some(Located {
            value: Value::Map(entries),
            ..
        }) = read(json, &mut Faults::default())
        else {
            panic!("a mapping")
        };
        assert_eq!(entries[0].at, SourceLocation { line: 2, column: 3 });
        let Value::List(items) = &entries[0].value.value else {
            panic!("a list")
        };
        assert_eq!(
            items[2].at,
            SourceLocation {
                line: 2,
                column: 17
            }
        );
    }
}
