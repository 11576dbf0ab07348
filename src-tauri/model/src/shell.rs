//! Checks commands with values of other nodes: whether each value remains data.
//!
//! A value is passed to a shell line in a variable and is never parsed as part of it. That is not
//! enough if the line passes code to another interpreter: in `sh -c "… {{nodes.a.outputs.x}}"` the
//! value would be code for the inner shell. [`unsafe_values`] finds such places before the plan is
//! approved, and [`classify_quoting`] says how a reference must be written in all other places.
//!
//! The reader follows quotes, substitutions, here-documents, pipelines and variable assignments as
//! far as possible without running the line. Anything unknown is treated as data: an unknown
//! program receives arguments.

mod executed_files;
mod interpreters;
mod reader;
mod script;
mod simple_commands;
mod value_position;
mod value_tracker;

pub use executed_files::{ExecutedFile, executed_files};
pub(crate) use interpreters::{CodeInput, base_name, code_input, is_wrapper};
pub use reader::Quoting;
pub(crate) use simple_commands::{CommandWords, simple_commands};
pub use value_position::ValuePosition;

use std::collections::BTreeMap;

use crate::template_text::{LoopScope, TemplateExpression, TextPart, template_parts};
use reader::{Reader, Token};
use script::{Command, Part, Word};
use value_tracker::ValueTracker;

/// A value that might be interpreted as code.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct UnsafeValue {
    /// The expression without its braces.
    pub expression: String,
    pub place: ValuePosition,
}

/// A tokenized text with values: its tokens, and the expressions in order.
struct TokenizedText<'t> {
    tokens: Vec<Token>,
    expressions: Vec<TemplateExpression<'t>>,
}

impl<'t> TokenizedText<'t> {
    fn of(text: &'t str, scope: LoopScope) -> Self {
        let (mut tokens, mut expressions) = (Vec::new(), Vec::new());
        for part in template_parts(text, scope) {
            match part {
                TextPart::Text(text) => tokens.extend(text.chars().map(Token::Char)),
                TextPart::Expression(expression) => {
                    tokens.push(Token::Value(expressions.len()));
                    expressions.push(expression);
                }
            }
        }
        Self {
            tokens,
            expressions,
        }
    }
}

/// Returns how each value in a shell line is quoted, in order. `line` is the author's text; there
/// is a value between any two of its pieces.
#[must_use]
pub fn classify_quoting(line: &[&str]) -> Vec<Quoting> {
    let mut tokens = Vec::new();
    for (number, text) in line.iter().enumerate() {
        if number > 0 {
            tokens.push(Token::Value(number - 1));
        }
        tokens.extend(text.chars().map(Token::Char));
    }
    Reader::read(&tokens, line.len().saturating_sub(1)).1
}

/// The values in a shell line that might be interpreted as code. `env` contains the templates of
/// variables that the line can read.
#[must_use]
pub fn unsafe_values(
    line: &str,
    env: &BTreeMap<String, String>,
    scope: LoopScope,
) -> Vec<UnsafeValue> {
    let TokenizedText {
        tokens,
        mut expressions,
    } = TokenizedText::of(line, scope);
    let (script, quotings) = Reader::read(&tokens, expressions.len());
    let in_line = expressions.len();
    let (tainted, faults) = environment(env, scope, &mut expressions);
    let mut judge = ValueTracker::new(&expressions, tainted);
    judge.script(&script);
    let places = quotings
        .into_iter()
        .enumerate()
        .filter_map(|(number, quoting)| match quoting {
            Quoting::Refused(place)
                if place.rejects_numbers() || !expressions[number].is_number() =>
            {
                Some((number, place))
            }
            // A loop value is not yet known when the line is written.
            Quoting::Plain if !scope.names_loop(expressions[number].text) => None,
            _ if expressions[number].is_split => Some((number, ValuePosition::Split)),
            _ => None,
        });
    let places: Vec<_> = places
        .filter(|(number, _)| *number < in_line)
        .chain(judge.faults)
        .collect();
    to_unsafe_values(places, &expressions)
        .into_iter()
        .chain(faults)
        .collect()
}

/// The values in an argument list that might be interpreted as code.
#[must_use]
pub fn unsafe_arguments(
    words: &[String],
    env: &BTreeMap<String, String>,
    scope: LoopScope,
) -> Vec<UnsafeValue> {
    let mut expressions = Vec::new();
    let mut command = Command::default();
    for word in words {
        let parts = template_parts(word, scope).map(|part| match part {
            TextPart::Text(text) => Part::Text(text.to_owned()),
            TextPart::Expression(expression) => {
                expressions.push(expression);
                Part::Value(expressions.len() - 1)
            }
        });
        command.words.push(Word {
            parts: parts.collect(),
        });
    }
    let split: Vec<_> = split_values(&expressions).collect();
    let (tainted, faults) = environment(env, scope, &mut expressions);
    let mut judge = ValueTracker::new(&expressions, tainted);
    judge.arguments(&command);
    let places = split.into_iter().chain(judge.faults).collect();
    to_unsafe_values(places, &expressions)
        .into_iter()
        .chain(faults)
        .collect()
}

/// The variables that contain values, and the values that are unsafe there.
fn environment<'t>(
    env: &'t BTreeMap<String, String>,
    scope: LoopScope,
    expressions: &mut Vec<TemplateExpression<'t>>,
) -> (BTreeMap<String, usize>, Vec<UnsafeValue>) {
    let (mut tainted, mut faults) = (BTreeMap::new(), Vec::new());
    for (name, text) in env {
        for part in template_parts(text, scope) {
            let TextPart::Expression(expression) = part else {
                continue;
            };
            tainted.insert(name.clone(), expressions.len());
            expressions.push(expression);
            let place = if expression.is_split {
                ValuePosition::Split
            } else if interpreters::is_code_variable(name) {
                ValuePosition::Variable { name: name.clone() }
            } else {
                continue;
            };
            faults.push(UnsafeValue {
                expression: expression.text.to_owned(),
                place,
            });
        }
    }
    (tainted, faults)
}

fn split_values<'e>(
    expressions: &'e [TemplateExpression<'_>],
) -> impl Iterator<Item = (usize, ValuePosition)> + 'e {
    let split = expressions
        .iter()
        .enumerate()
        .filter(|(_, expression)| expression.is_split);
    split.map(|(number, _)| (number, ValuePosition::Split))
}

fn to_unsafe_values(
    mut places: Vec<(usize, ValuePosition)>,
    expressions: &[TemplateExpression<'_>],
) -> Vec<UnsafeValue> {
    places.sort_by_key(|(number, _)| *number);
    places.dedup();
    let unsafe_value = |(number, place): (usize, ValuePosition)| {
        let expression = expressions.get(number)?.text.to_owned();
        Some(UnsafeValue { expression, place })
    };
    places.into_iter().filter_map(unsafe_value).collect()
}

#[cfg(test)]
mod tests;
