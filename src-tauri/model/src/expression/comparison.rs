//! The meaning of `==`, `<`, `in` and the other comparisons in a condition.
//!
//! The template language orders values of different kinds by their kind, so `"abc" > 3` is true,
//! and treats `true` as 1. A condition that decides about a person's files must not do that. Here a
//! number is compared with a number and text with text; text that reads as a number counts as that
//! number; anything else has no order.

use std::cmp::Ordering;
use std::fmt;

use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, Value};

use super::values::number;

/// How much of a text appears in an error, in characters.
const SHOWN: usize = 60;
/// The function that replaces an operator in the expression. User-defined names can't begin with
/// `_`.
pub(super) const FUNCTION: &str = "_compare";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}

/// Each operator as written, with the names of the equivalent tests in the template language.
const SIGNS: [(Operator, &str, &[&str]); 8] = [
    (Operator::Equal, "==", &["eq", "equalto", "=="]),
    (Operator::NotEqual, "!=", &["ne", "!="]),
    (Operator::LessOrEqual, "<=", &["le", "<="]),
    (Operator::GreaterOrEqual, ">=", &["ge", ">="]),
    (Operator::Less, "<", &["lt", "lessthan", "<"]),
    (Operator::Greater, ">", &["gt", "greaterthan", ">"]),
    (Operator::In, "in", &["in"]),
    (Operator::NotIn, "not in", &[]),
];

impl Operator {
    /// The symbolic operator (not `in`) that `text` begins with.
    pub(super) fn at_start(text: &str) -> Option<Self> {
        let found = SIGNS
            .iter()
            .take(6)
            .find(|(_, sign, _)| text.starts_with(sign));
        found.map(|(operator, ..)| *operator)
    }

    pub(super) fn sign(self) -> &'static str {
        SIGNS
            .iter()
            .find(|(operator, ..)| *operator == self)
            .map_or("", |(_, sign, _)| sign)
    }

    fn from_sign(sign: &str) -> Option<Self> {
        SIGNS
            .iter()
            .find(|(_, known, _)| *known == sign)
            .map(|(operator, ..)| *operator)
    }

    fn decide(self, left: &Value, right: &Value) -> Option<bool> {
        Some(match self {
            Self::Equal => equals(left, right),
            Self::NotEqual => !equals(left, right),
            Self::Less => order(left, right)?.is_lt(),
            Self::LessOrEqual => order(left, right)?.is_le(),
            Self::Greater => order(left, right)?.is_gt(),
            Self::GreaterOrEqual => order(left, right)?.is_ge(),
            Self::In => contains(right, left)?,
            Self::NotIn => !contains(right, left)?,
        })
    }
}

/// Two values that can't be compared.
#[derive(Debug, Clone)]
pub(super) struct Incomparable {
    /// The number of the comparison in the condition; `None` if a test or filter makes it.
    pub(super) number: Option<usize>,
    pub(super) operator: Operator,
    pub(super) left: Value,
    pub(super) right: Value,
}

impl fmt::Display for Incomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} and {} can't be compared by `{}`",
            show(&self.left),
            show(&self.right),
            self.operator.sign()
        )
    }
}

impl std::error::Error for Incomparable {}

/// Registers these comparisons with the template engine.
pub(super) fn define(environment: &mut Environment<'_>) {
    let compare = |sign: String, left: Value, right: Value, number: usize| {
        let operator =
            Operator::from_sign(&sign).ok_or_else(|| Error::from(ErrorKind::UnknownFunction))?;
        decide(Incomparable {
            number: Some(number),
            operator,
            left,
            right,
        })
    };
    environment.add_function(FUNCTION, compare);
    for (operator, _, names) in SIGNS {
        for name in names {
            environment.add_test(*name, move |left: Value, right: Value| {
                decide(Incomparable {
                    number: None,
                    operator,
                    left,
                    right,
                })
            });
        }
    }
}

fn decide(asked: Incomparable) -> Result<bool, Error> {
    let undefined = asked.left.is_undefined() || asked.right.is_undefined();
    let answer = (!undefined)
        .then(|| asked.operator.decide(&asked.left, &asked.right))
        .flatten();
    answer.ok_or_else(|| {
        let kind = if undefined {
            ErrorKind::UndefinedError
        } else {
            ErrorKind::InvalidOperation
        };
        Error::new(kind, asked.to_string()).with_source(asked)
    })
}

/// The number that a value is or reads as.
fn as_number(value: &Value) -> Option<Value> {
    match value.kind() {
        ValueKind::Number => Some(value.clone()),
        ValueKind::String => number(value.as_str()?.trim_end_matches(['\n', '\r'])),
        _ => None,
    }
}

fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (as_number(left), as_number(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        (None, None) => Some(left.as_str()?.cmp(right.as_str()?)),
        _ => None,
    }
}

fn equals(left: &Value, right: &Value) -> bool {
    match (left.kind(), right.kind()) {
        (ValueKind::Number, ValueKind::Number) => left == right,
        (ValueKind::Number, ValueKind::String) | (ValueKind::String, ValueKind::Number) => {
            as_number(left)
                .zip(as_number(right))
                .is_some_and(|(left, right)| left == right)
        }
        (ValueKind::Number, _) | (_, ValueKind::Number) => false,
        _ => left == right,
    }
}

/// Whether `container` contains `value`; `None` if it is not a container.
fn contains(container: &Value, value: &Value) -> Option<bool> {
    match container.kind() {
        ValueKind::String => {
            let text = container.as_str()?;
            Some(value.as_str().map_or_else(
                || text.contains(&value.to_string()),
                |part| text.contains(part),
            ))
        }
        ValueKind::Map => Some(
            container
                .get_item(value)
                .is_ok_and(|found| !found.is_undefined()),
        ),
        ValueKind::Seq | ValueKind::Iterable => {
            Some(container.try_iter().ok()?.any(|item| equals(&item, value)))
        }
        _ => None,
    }
}

/// A value with its kind: "the text 'abc'".
pub(super) fn show(value: &Value) -> String {
    match value.kind() {
        ValueKind::String => format!("the text '{}'", shorten(value.as_str().unwrap_or_default())),
        ValueKind::Number => format!("the number {value}"),
        ValueKind::Bool => format!("the boolean {}", value.is_true()),
        ValueKind::None => "null".to_owned(),
        ValueKind::Undefined => "nothing".to_owned(),
        ValueKind::Map => "an object".to_owned(),
        _ => "a list".to_owned(),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
