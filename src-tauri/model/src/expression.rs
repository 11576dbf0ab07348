//! Conditions over what the nodes of a run have left (product K6, K8).
//!
//! A condition is `true`, `false`, `result:<slug>`, or an expression in the language of templates over
//! `nodes.<slug>.outputs.<key>`, `nodes.<slug>.state` and `nodes.<slug>.result`; that of a loop also over `iteration`,
//! `result` and `results`. These words may be mixed: `result:build and nodes.count-all.outputs.n > 3`.
//!
//! Outputs are text, and a condition compares them as what they look like: `outputs.n > 3` compares numbers, and a text
//! that is compared with a quoted one, as in `outputs.n == "3"`, stays the text that it is. Nothing here looks into a
//! plan: [`Expression::slugs`] says which nodes an expression names, and the caller knows whether they exist.

mod reference;
mod values;

use std::collections::BTreeSet;

use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};

use reference::Place;
use values::NoValue;
pub use values::{NodeValues, Round, Values};

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
        let expression = Self { source, prepared, places };
        let environment = environment();
        let compiled = environment.compile_expression(&expression.prepared);
        let names = compiled.map_err(|error| expression.fault(&error))?.undeclared_variables(false);
        let known = |name: &String| NAMES.contains(&name.as_str()) || expression.place_of(name).is_some();
        let unknown = names.into_iter().filter(|name| !known(name)).min();
        match unknown {
            Some(name) => Err(ExpressionError::UnknownName { source_text: expression.source, name }),
            None => Ok(expression),
        }
    }

    /// Whether the condition holds.
    pub fn evaluate(&self, values: &Values) -> Result<bool, ExpressionError> {
        let found: Vec<Result<Value, NoValue>> = self.places.iter().map(|place| values.look_up(place)).collect();
        let variables = found
            .iter()
            .enumerate()
            .map(|(number, value)| (reference::variable(number), value.clone().unwrap_or(Value::UNDEFINED)));
        let context = Value::from_pairs(variables.chain(values.round_variables(&self.prepared)));
        let environment = environment();
        let compiled = environment.compile_expression(&self.prepared).map_err(|error| self.fault(&error))?;
        match compiled.eval(context) {
            Ok(value) if value.is_undefined() => Err(self.missing(&found).unwrap_or_else(|| self.nothing())),
            Ok(value) => Ok(values::holds(&value)),
            Err(error) if error.kind() == ErrorKind::UndefinedError => {
                Err(self.missing(&found).unwrap_or_else(|| self.fault(&error)))
            }
            Err(error) => Err(self.fault(&error)),
        }
    }

    /// The nodes that the condition names.
    #[must_use]
    pub fn slugs(&self) -> BTreeSet<&str> {
        self.places.iter().filter_map(|place| place.reference.slug()).collect()
    }

    /// The condition as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    fn place_of(&self, name: &str) -> Option<&Place> {
        (0..).zip(&self.places).find(|(number, _)| reference::variable(*number) == name).map(|(_, place)| place)
    }

    /// The first reference without a value, as the error that it is.
    fn missing(&self, found: &[Result<Value, NoValue>]) -> Option<ExpressionError> {
        let (place, reason) =
            self.places.iter().zip(found).find_map(|(place, value)| Some((place, value.as_ref().err()?)))?;
        let reference = self.source[place.at.clone()].to_owned();
        Some(ExpressionError::NoValue { reference, reason: reason.to_string() })
    }

    fn nothing(&self) -> ExpressionError {
        ExpressionError::NoValue { reference: self.source.clone(), reason: "it is not defined".to_owned() }
    }

    fn fault(&self, error: &minijinja::Error) -> ExpressionError {
        let reason = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        let reason = self.in_own_words(reason);
        let offset = error.range().map_or(0, |range| range.start);
        if error.kind() == ErrorKind::SyntaxError {
            return syntax(&self.source, offset, reason);
        }
        ExpressionError::NoAnswer { source_text: self.source.clone(), at: character(&self.source, offset), reason }
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
    environment
}

fn syntax(source: &str, offset: usize, reason: String) -> ExpressionError {
    ExpressionError::Syntax { source_text: source.to_owned(), at: character(source, offset), reason }
}

/// The number, from 1, of the character at a byte.
fn character(source: &str, offset: usize) -> usize {
    source.char_indices().take_while(|(place, _)| *place < offset).count() + 1
}

#[cfg(test)]
mod tests;
