//! Conditions over what the nodes of a run have left.
//!
//! A condition is `true`, `false`, `result:<slug>`, or an expression in the language of templates over
//! `nodes.<slug>.outputs.<key>`, `nodes.<slug>.state` and `nodes.<slug>.result`; that of a loop also over `iteration`,
//! `result` and `results`. These words may be mixed: `result:build and nodes.count-all.outputs.n > 3`.
//!
//! Outputs are text, and a condition compares them as what they look like: `outputs.n > 3` compares numbers, and a text
//! that is compared with a quoted one, as in `outputs.n == "3"`, stays the text that it is. Text that reads as no number
//! is equal to none, and to order the two by `<` or `>` is an error. Nothing here looks into a plan:
//! [`Expression::slugs`] says which nodes an expression names, and the caller knows whether they exist.

mod comparison;
mod reference;
mod rewrite;
mod values;

use std::collections::BTreeSet;
use std::ops::Range;

use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};

use comparison::Incomparable;
use reference::{Place, Reference};
use rewrite::Rewritten;
use values::NoValue;
pub use values::{NodeValues, Round, Values, missing_output};

/// The words that mean something by themselves.
const NAMES: [&str; 5] = ["nodes", "result", "results", "iteration", "range"];

/// A condition that is well formed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    source: String,
    /// The source, each reference replaced by the name of a variable and blanks, so that every place stays where it is.
    prepared: String,
    places: Vec<Place>,
}

/// Why a condition cannot be understood, or has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// There is nothing.
    #[error("the condition is empty")]
    Empty,
    /// It is not an expression.
    #[error("`{source_text}` is not a condition: {reason} (at character {at})")]
    Syntax {
        /// The condition.
        source_text: String,
        /// The character, from 1.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// It uses a name that means nothing.
    #[error(
        "`{source_text}` uses `{name}`, which means nothing here: use nodes.<id>.outputs.<key>, nodes.<id>.state, nodes.<id>.result or result:<id>"
    )]
    UnknownName {
        /// The condition.
        source_text: String,
        /// The name.
        name: String,
    },
    /// Something that it needs is not there.
    #[error("`{reference}` has no value: {reason}")]
    NoValue {
        /// As it is written.
        reference: String,
        /// Why.
        reason: String,
    },
    /// The values do not fit what is done with them.
    #[error("`{source_text}` has no answer: {reason} (at character {at})")]
    NoAnswer {
        /// The condition.
        source_text: String,
        /// The character, from 1.
        at: usize,
        /// What does not fit.
        reason: String,
    },
    /// It orders what has no order.
    #[error(
        "`{source_text}` has no answer: {left}, which can't be compared with {right} by `{operator}`"
    )]
    Incomparable {
        /// The condition.
        source_text: String,
        /// The side that does not fit, and its value.
        left: String,
        /// The value of the other side.
        right: String,
        /// As it is written.
        operator: &'static str,
    },
}

impl Expression {
    /// Reads a condition. Braces around all of it or around a part, as in a template, count as parentheses.
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

    /// Whether the condition holds.
    pub fn evaluate(&self, values: &Values) -> Result<bool, ExpressionError> {
        let found: Vec<Result<Value, NoValue>> = self
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
            Ok(value) => Ok(values::holds(&value)),
            Err(error) if error.kind() == ErrorKind::UndefinedError => {
                Err(self.missing(&found).unwrap_or_else(|| fault(error)))
            }
            Err(error) => Err(fault(error)),
        }
    }

    /// The nodes that the condition names.
    #[must_use]
    pub fn slugs(&self) -> BTreeSet<&str> {
        self.places
            .iter()
            .filter_map(|place| place.reference.slug())
            .collect()
    }

    /// The condition as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    fn place_of(&self, name: &str) -> Option<&Place> {
        (0..)
            .zip(&self.places)
            .find(|(number, _)| reference::variable(*number) == name)
            .map(|(_, place)| place)
    }

    /// The first reference without a value, as the error that it is.
    fn missing(&self, found: &[Result<Value, NoValue>]) -> Option<ExpressionError> {
        let (place, reason) = self
            .places
            .iter()
            .zip(found)
            .find_map(|(place, value)| Some((place, value.as_ref().err()?)))?;
        let reference = self.source[place.at.clone()].to_owned();
        Some(ExpressionError::NoValue {
            reference,
            reason: reason.to_string(),
        })
    }

    fn nothing(&self) -> ExpressionError {
        ExpressionError::NoValue {
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
        let reason = self.in_own_words(reason);
        if error.kind() == ErrorKind::SyntaxError {
            return syntax(&self.source, offset, reason);
        }
        ExpressionError::NoAnswer {
            source_text: self.source.clone(),
            at: character(&self.source, offset),
            reason,
        }
    }

    /// The error of an expression whose comparisons are calls.
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

    /// What stands at `side` of a comparison, for people.
    fn describe(&self, side: &Range<usize>) -> String {
        // Of the variable of a reference, the blanks behind it are not part of the side.
        let cut = self
            .places
            .iter()
            .find(|place| place.at.start < side.end && side.end < place.at.end);
        let side = side.start..cut.map_or(side.end, |place| place.at.end);
        let text = self.source[side.clone()].trim_matches(['{', '}', '(', ')', ' ']);
        let is_whole = |place: &&Place| side.start <= place.at.start && place.at.end <= side.end;
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

    /// `reason` with the references that the person wrote in place of the variables.
    fn in_own_words(&self, mut reason: String) -> String {
        // From the last on, as the name of the tenth begins like that of the first.
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

/// The number, from 1, of the character at a byte.
fn character(source: &str, offset: usize) -> usize {
    source
        .char_indices()
        .take_while(|(place, _)| *place < offset)
        .count()
        + 1
}

#[cfg(test)]
mod tests;
