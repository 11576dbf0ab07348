//! Commands with values of other nodes in them, and whether each value stays data.
//!
//! A value travels beside a shell line, in a variable, and is never read as part of it. That is not enough where the line hands code
//! to another interpreter: in `sh -c "… {{nodes.a.outputs.x}}"` the value would be code of the inner shell. [`unsafe_values`] finds
//! such places before anybody approves the plan, and [`quotings`] says how a reference must be written in each other place.
//!
//! The reader follows quotes, substitutions, here-documents, pipelines and the variables that a line sets, as far as that is possible
//! without running it. What it does not know it takes for data: a program that nobody has heard of gets its arguments.

mod interpreters;
mod judge;
mod place;
mod reader;
mod run_files;
mod script;
mod simple_commands;

pub(crate) use interpreters::{TakesCode, base_name, starts_others, takes_code};
pub use place::ValuePlace;
pub use reader::Quoting;
pub use run_files::{RunFile, run_files};
pub(crate) use simple_commands::{Words, simple_commands};

use std::collections::BTreeMap;

use crate::template_text::{LoopScope, TemplateExpression, TextPart, parts};
use judge::Judge;
use reader::{Reader, Sign};
use script::{Command, Part, Word};

/// A value that would not stay data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsafeValue {
    /// The expression, without its braces.
    pub expression: String,
    /// Where it stands.
    pub place: ValuePlace,
}

/// What is known of a text with values: its signs, and the expressions in order.
struct Signs<'t> {
    signs: Vec<Sign>,
    expressions: Vec<TemplateExpression<'t>>,
}

impl<'t> Signs<'t> {
    fn of(text: &'t str, scope: LoopScope) -> Self {
        let (mut signs, mut expressions) = (Vec::new(), Vec::new());
        for part in parts(text, scope) {
            match part {
                TextPart::Text(text) => signs.extend(text.chars().map(Sign::Char)),
                TextPart::Expression(expression) => {
                    signs.push(Sign::Value(expressions.len()));
                    expressions.push(expression);
                }
            }
        }
        Self { signs, expressions }
    }
}

/// How each value of a shell line stands, in order. `line` is the author's text, and a value stands between any two pieces of it.
#[must_use]
pub fn quotings(line: &[&str]) -> Vec<Quoting> {
    let mut signs = Vec::new();
    for (number, text) in line.iter().enumerate() {
        if number > 0 {
            signs.push(Sign::Value(number - 1));
        }
        signs.extend(text.chars().map(Sign::Char));
    }
    Reader::read(&signs, line.len().saturating_sub(1)).1
}

/// The values of a shell line that would not stay data. `env` holds the templates of the variables that the line sees beside.
#[must_use]
pub fn unsafe_values(
    line: &str,
    env: &BTreeMap<String, String>,
    scope: LoopScope,
) -> Vec<UnsafeValue> {
    let Signs {
        signs,
        mut expressions,
    } = Signs::of(line, scope);
    let (script, quotings) = Reader::read(&signs, expressions.len());
    let in_line = expressions.len();
    let (tainted, faults) = environment(env, scope, &mut expressions);
    let mut judge = Judge::new(&expressions, tainted);
    judge.script(&script);
    let places = quotings
        .into_iter()
        .enumerate()
        .filter_map(|(number, quoting)| match quoting {
            Quoting::Refused(place)
                if place.harms_numbers() || !expressions[number].is_number() =>
            {
                Some((number, place))
            }
            // A value of a loop is not known yet when the line is written.
            Quoting::Plain if !scope.names_loop(expressions[number].text) => None,
            _ if expressions[number].is_split => Some((number, ValuePlace::Split)),
            _ => None,
        });
    let places: Vec<_> = places
        .filter(|(number, _)| *number < in_line)
        .chain(judge.faults)
        .collect();
    named(places, &expressions)
        .into_iter()
        .chain(faults)
        .collect()
}

/// The values of a list of arguments that would not stay data.
#[must_use]
pub fn unsafe_arguments(
    words: &[String],
    env: &BTreeMap<String, String>,
    scope: LoopScope,
) -> Vec<UnsafeValue> {
    let mut expressions = Vec::new();
    let mut command = Command::default();
    for word in words {
        let parts = parts(word, scope).map(|part| match part {
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
    let mut judge = Judge::new(&expressions, tainted);
    judge.arguments(&command);
    let places = split.into_iter().chain(judge.faults).collect();
    named(places, &expressions)
        .into_iter()
        .chain(faults)
        .collect()
}

/// The variables that hold values, and what is wrong with them.
fn environment<'t>(
    env: &'t BTreeMap<String, String>,
    scope: LoopScope,
    expressions: &mut Vec<TemplateExpression<'t>>,
) -> (BTreeMap<String, usize>, Vec<UnsafeValue>) {
    let (mut tainted, mut faults) = (BTreeMap::new(), Vec::new());
    for (name, text) in env {
        for part in parts(text, scope) {
            let TextPart::Expression(expression) = part else {
                continue;
            };
            tainted.insert(name.clone(), expressions.len());
            expressions.push(expression);
            let place = if expression.is_split {
                ValuePlace::Split
            } else if interpreters::is_code_variable(name) {
                ValuePlace::Variable { name: name.clone() }
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
) -> impl Iterator<Item = (usize, ValuePlace)> + 'e {
    let split = expressions
        .iter()
        .enumerate()
        .filter(|(_, expression)| expression.is_split);
    split.map(|(number, _)| (number, ValuePlace::Split))
}

fn named(
    mut places: Vec<(usize, ValuePlace)>,
    expressions: &[TemplateExpression<'_>],
) -> Vec<UnsafeValue> {
    places.sort_by_key(|(number, _)| *number);
    places.dedup();
    let unsafe_value = |(number, place): (usize, ValuePlace)| {
        let expression = expressions.get(number)?.text.to_owned();
        Some(UnsafeValue { expression, place })
    };
    places.into_iter().filter_map(unsafe_value).collect()
}

#[cfg(test)]
mod tests;
