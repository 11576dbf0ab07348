//! Values of other nodes in a line for the shell, without a way to become commands.
//!
//! What an agent or a program wrote is never part of the text that `sh` parses: each value travels in the
//! environment, and a reference to its variable stands in its place. A reference is filled in and never read
//! again for quotes, `$(…)` or `;`. Where no reference can stand, and where one would be code for another interpreter,
//! the line is refused before it comes here (`baton_model::shell`).

use std::collections::BTreeMap;

use baton_model::shell::{self, Quoting};

use crate::template::{self, Outputs, Piece, TemplateError};

/// The variables begin with this; a number follows.
pub(crate) const VARIABLE: &str = "BATON_VALUE_";

/// `line` with references in place of its expressions, and the variables that they mean.
pub(crate) fn fill(
    line: &str,
    outputs: &Outputs,
) -> Result<(String, BTreeMap<String, String>), TemplateError> {
    let (line, variables) = with_variable_references(template::pieces(line, outputs, false)?);
    let value = |(name, piece)| match piece {
        Piece::Text(value) | Piece::Value(value) => Some((name, value)),
        Piece::Round(_) | Piece::Words(_) => None,
    };
    Ok((line, variables.into_iter().filter_map(value).collect()))
}

/// The line that `pieces` make, with references in place of everything but the author's own words, and what each
/// variable means.
///
/// A value stays one word, also outside of quotes; where `| split` makes several of it, each has a variable of its own, so that no
/// pattern in it is looked up among the files.
pub(crate) fn with_variable_references(pieces: Vec<Piece>) -> (String, Vec<(String, Piece)>) {
    let mut quotings = shell::classify_quoting(&texts_between(&pieces)).into_iter();
    let (mut line, mut variables) = (String::new(), Vec::new());
    for piece in pieces {
        let values = match piece {
            Piece::Text(text) => {
                line.push_str(&text);
                continue;
            }
            Piece::Words(words) => words.into_iter().map(Piece::Value).collect(),
            value => vec![value],
        };
        let quoting = quotings.next().unwrap_or(Quoting::Plain);
        for (number, value) in values.into_iter().enumerate() {
            let name = format!("{VARIABLE}{}", variables.len() + 1);
            line.push_str(if number > 0 { " " } else { "" });
            line.push_str(&reference(&name, &quoting));
            variables.push((name, value));
        }
    }
    (line, variables)
}

/// A reference to the variable `name` that stays whole. Inside single quotes, where the shell fills in nothing, they are closed around it.
fn reference(name: &str, quoting: &Quoting) -> String {
    match quoting {
        Quoting::Plain => format!("\"${{{name}}}\""),
        Quoting::Single => format!("'\"${{{name}}}\"'"),
        Quoting::Double | Quoting::Refused(_) => format!("${{{name}}}"),
    }
}

/// The author's own words before, between and behind the values.
fn texts_between(pieces: &[Piece]) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut is_open = false;
    for piece in pieces {
        if let Piece::Text(text) = piece {
            texts.push(text.as_str());
            is_open = true;
            continue;
        }
        if !std::mem::take(&mut is_open) {
            texts.push("");
        }
    }
    if !is_open {
        texts.push("");
    }
    texts
}

#[cfg(test)]
mod tests;
