//! Conditions over the results of a run's nodes.
//!
//! A condition is `true`, `false`, `result:<slug>`, or an expression in the template language over
//! `nodes.<slug>.outputs.<key>`, `nodes.<slug>.state` and `nodes.<slug>.result`. In a loop,
//! `iteration`, `result` and `results` are also available. These can be mixed: `result:build and
//! nodes.count-all.outputs.n > 3`.
//!
//! Outputs are text, and a condition compares them as what they look like: `outputs.n > 3` compares
//! numbers. Text that is compared with a quoted literal, as in `outputs.n == "3"`, stays text. Text
//! that is not a number equals no number, and ordering the two with `<` or `>` is an error. Nothing
//! here reads a plan: [`Expression::slugs`] returns the nodes that an expression refers to, and the
//! caller checks that they exist.

mod comparison;
mod reference;
mod rewrite;
mod values;

use std::collections::BTreeSet;
use std::ops::Range;

use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};

use comparison::Incomparable;
use reference::{Reference, ReferenceSpan};
use rewrite::Rewritten;
use values::MissingValue;
pub use values::{NodeValues, Round, Values, missing_output};

/// Names that are defined without a node.
const NAMES: [&str; 5] = ["nodes", "result", "results", "iteration", "range"];

/// A condition that was parsed without errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    source: String,
    /// The source with each reference replaced by a variable and padded with blanks, so that
    /// offsets stay the same.
    prepared: String,
    places: Vec<ReferenceSpan>,
}

/// Why a condition can't be parsed or evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ExpressionError {
    #[error("the condition is empty")]
    Empty,
    /// It is not an expression.
    #[error("`{source_text}` is not a condition: {reason} (at character {at})")]
    Syntax {
        source_text: String,
        /// The character, from 1.
        at: usize,
        reason: String,
    },
    /// It uses an undefined name.
    #[error(
        "`{source_text}` uses `{name}`, which is not defined: use nodes.<id>.outputs.<key>, nodes.<id>.state, nodes.<id>.result or result:<id>"
    )]
    UnknownName { source_text: String, name: String },
    /// A value that it needs is missing.
    #[error("`{reference}` has no value: {reason}")]
    MissingValue {
        /// As written in the condition.
        reference: String,
        reason: String,
    },
    /// The values don't fit the operation.
    #[error("`{source_text}` can't be evaluated: {reason} (at character {at})")]
    NoAnswer {
        source_text: String,
        /// The character, from 1.
        at: usize,
        reason: String,
    },
    /// It orders values of different kinds.
    #[error(
        "`{source_text}` can't be evaluated: {left}, which `{operator}` can't compare with {right}"
    )]
    Incomparable {
        source_text: String,
        /// The side that doesn't fit, with its value.
        left: String,
        /// The value of the other side.
        right: String,
        /// As written in the condition.
        operator: &'static str,
    },
}

impl Expression {
    /// Parses a condition. Template braces around all or part of it count as parentheses.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let source = text.trim().to_owned();
        if source.trim_matches(['{', '}', ' ']).is_empty() {
            return Err(ExpressionError::Empty);
        }
        let (prepared, places) =
            reference::prepare(&source).map_err(|fault| syntax(&source, fault.at, fault.reason))?;
        let expression = Self {
            source,
            prepared,
            places,
        };
        let environment = environment();
        let compiled = environment.compile_expression(&expression.prepared);
        let names = compiled
            .map_err(|error| expression.fault(&error))?
            .undeclared_variables(false);
        let known =
            |name: &String| NAMES.contains(&name.as_str()) || expression.place_of(name).is_some();
        let unknown = names.into_iter().filter(|name| !known(name)).min();
        match unknown {
            Some(name) => Err(ExpressionError::UnknownName {
                source_text: expression.source,
                name,
            }),
            None => Ok(expression),
        }
    }

    /// Whether the condition is true for these values.
    pub fn evaluate(&self, values: &Values) -> Result<bool, ExpressionError> {
        let found: Vec<Result<Value, MissingValue>> = self
            .places
            .iter()
            .map(|place| values.look_up(place))
            .collect();
        let variables = found.iter().enumerate().map(|(number, value)| {
            (
                reference::variable(number),
                value.clone().unwrap_or(Value::UNDEFINED),
            )
        });
        let context = Value::from_pairs(variables.chain(values.round_variables(&self.prepared)));
        let environment = environment();
        let rewritten = rewrite::rewrite(&self.prepared);
        let fault = |error| self.evaluation_fault(&error, &rewritten);
        let compiled = environment
            .compile_expression(&rewritten.text)
            .map_err(fault)?;
        match compiled.eval(context) {
            Ok(value) if value.is_undefined() => {
                Err(self.missing(&found).unwrap_or_else(|| self.nothing()))
            }
            Ok(value) => Ok(values::is_truthy(&value)),
            Err(error) if error.kind() == ErrorKind::UndefinedError => {
                Err(self.missing(&found).unwrap_or_else(|| fault(error)))
            }
            Err(error) => Err(fault(error)),
        }
    }

    /// The nodes that the condition refers to.
    #[must_use]
    pub fn slugs(&self) -> BTreeSet<&str> {
        self.places
            .iter()
            .filter_map(|place| place.reference.slug())
            .collect()
    }

    /// The slugs and names of the outputs that the condition refers to. Names with dots may be read
    /// from within another output.
    #[must_use]
    pub fn outputs(&self) -> Vec<(String, String)> {
        self.places
            .iter()
            .filter_map(|place| place.reference.output())
            .collect()
    }

    /// The condition as written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    fn place_of(&self, name: &str) -> Option<&ReferenceSpan> {
        (0..)
            .zip(&self.places)
            .find(|(number, _)| reference::variable(*number) == name)
            .map(|(_, place)| place)
    }

    /// The error for the first reference without a value.
    fn missing(&self, found: &[Result<Value, MissingValue>]) -> Option<ExpressionError> {
        let (place, reason) = self
            .places
            .iter()
            .zip(found)
            .find_map(|(place, value)| Some((place, value.as_ref().err()?)))?;
        let reference = self.source[place.at.clone()].to_owned();
        Some(ExpressionError::MissingValue {
            reference,
            reason: reason.to_string(),
        })
    }

    fn nothing(&self) -> ExpressionError {
        ExpressionError::MissingValue {
            reference: self.source.clone(),
            reason: "it is not defined".to_owned(),
        }
    }

    fn fault(&self, error: &minijinja::Error) -> ExpressionError {
        let offset = error.range().map_or(0, |range| range.start);
        self.fault_at(error, offset)
    }

    fn fault_at(&self, error: &minijinja::Error, offset: usize) -> ExpressionError {
        let reason = error
            .detail()
            .map_or_else(|| error.kind().to_string(), str::to_owned);
        let reason = self.strip_internal_names(reason);
        if error.kind() == ErrorKind::SyntaxError {
            return syntax(&self.source, offset, reason);
        }
        ExpressionError::NoAnswer {
            source_text: self.source.clone(),
            at: character(&self.source, offset),
            reason,
        }
    }

    /// Converts an evaluation error back to terms of the original condition.
    fn evaluation_fault(&self, error: &minijinja::Error, rewritten: &Rewritten) -> ExpressionError {
        let offset = rewritten.origin(error.range().map_or(0, |range| range.start));
        let asked = std::error::Error::source(error)
            .and_then(|source| source.downcast_ref::<Incomparable>());
        let Some(asked) = asked else {
            return self.fault_at(error, offset);
        };
        let sides = asked
            .number
            .and_then(|number| rewritten.comparisons.get(number));
        let describe = |side: Option<&Range<usize>>| {
            side.map_or("one side".to_owned(), |side| self.describe(side))
        };
        let (left_side, right_side) = (
            sides.map(|sides| &sides.left),
            sides.map(|sides| &sides.right),
        );
        let (left, right) = (describe(left_side), describe(right_side));
        for (words, side, value) in [
            (&left, left_side, &asked.left),
            (&right, right_side, &asked.right),
        ] {
            if value.is_undefined() {
                let at = character(&self.source, side.map_or(offset, |side| side.start));
                let reason = format!("{words} is undefined");
                return ExpressionError::NoAnswer {
                    source_text: self.source.clone(),
                    at,
                    reason,
                };
            }
        }
        // The side that is a number is the one that fits.
        let (side, value, other) = match asked.left.is_number() {
            true => (right, &asked.right, &asked.left),
            false => (left, &asked.left, &asked.right),
        };
        ExpressionError::Incomparable {
            source_text: self.source.clone(),
            left: format!("{side} is {}", comparison::show(value)),
            right: comparison::show(other),
            operator: asked.operator.sign(),
        }
    }

    /// Describes one side of a comparison for people.
    fn describe(&self, side: &Range<usize>) -> String {
        // The blanks that pad a reference's variable are not part of the side.
        let cut = self
            .places
            .iter()
            .find(|place| place.at.start < side.end && side.end < place.at.end);
        let side = side.start..cut.map_or(side.end, |place| place.at.end);
        let text = self.source[side.clone()].trim_matches(['{', '}', '(', ')', ' ']);
        let is_whole =
            |place: &&ReferenceSpan| side.start <= place.at.start && place.at.end <= side.end;
        let place = self
            .places
            .iter()
            .find(|place| is_whole(place) && &self.source[place.at.clone()] == text);
        match place.map(|place| &place.reference) {
            Some(Reference::Output { slug, path }) if !path.is_empty() => {
                format!("output '{}' of node '{slug}'", reference::path_text(path))
            }
            Some(Reference::Result { slug, path }) if path.is_empty() => {
                format!("the result of node '{slug}'")
            }
            Some(Reference::Result { slug, path }) => {
                format!(
                    "'{}' in the result of node '{slug}'",
                    reference::path_text(path)
                )
            }
            Some(Reference::State { slug }) => format!("the state of node '{slug}'"),
            _ => format!("`{text}`"),
        }
    }

    /// Replaces variables in `reason` with the references that the person wrote.
    fn strip_internal_names(&self, mut reason: String) -> String {
        // In reverse order, because the first variable is a prefix of the tenth.
        for (number, place) in self.places.iter().enumerate().rev() {
            reason = reason.replace(&reference::variable(number), &self.source[place.at.clone()]);
        }
        reason
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    comparison::define(&mut environment);
    environment
}

fn syntax(source: &str, offset: usize, reason: String) -> ExpressionError {
    ExpressionError::Syntax {
        source_text: source.to_owned(),
        at: character(source, offset),
        reason,
    }
}

/// Converts a byte offset to a character position from 1.
fn character(source: &str, offset: usize) -> usize {
    source
        .char_indices()
        .take_while(|(place, _)| *place < offset)
        .count()
        + 1
}

#[cfg(test)]
mod tests;
