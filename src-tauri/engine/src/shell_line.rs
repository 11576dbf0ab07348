//! Inserts values of other nodes into shell lines without letting them become commands.
//!
//! What an agent or a program wrote is never part of the text that `sh` parses: each value is
//! passed in an environment variable, and a reference to it is inserted. The shell expands the
//! reference once and never parses the result for quotes, `$(…)` or `;`. Where a reference cannot
//! be used, and where it would be code for another interpreter, the line was rejected before
//! (`baton_model::shell`).

use std::collections::BTreeMap;

use baton_model::shell::{self, Quoting};

use crate::template::{self, Outputs, Piece, TemplateError};

/// The prefix of the variables; a number follows.
pub(crate) const VARIABLE: &str = "BATON_VALUE_";

/// `line` with references in place of its expressions, and the values of the variables.
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

/// The line made of `pieces`, with references in place of everything but the author's text, and the
/// value of each variable.
///
/// A value stays one argument, even unquoted; where `| split` makes several of it, each has its own
/// variable, so that no pattern in it is expanded to file names.
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

/// A reference to the variable `name` that the shell does not split. Single quotes, in which the
/// shell expands nothing, are closed around it.
fn reference(name: &str, quoting: &Quoting) -> String {
    match quoting {
        Quoting::Plain => format!("\"${{{name}}}\""),
        Quoting::Single => format!("'\"${{{name}}}\"'"),
        Quoting::Double | Quoting::Refused(_) => format!("${{{name}}}"),
    }
}

/// The author's text before, between and after the values.
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
