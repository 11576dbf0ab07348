//! Values of other nodes in a line for the shell, without a way to become commands.
//!
//! What an agent or a program wrote is never part of the text that `sh` parses: each value travels in the
//! environment, and a reference to its variable stands in its place. A reference is expanded, perhaps split
//! into words, and never read again for quotes, `$(…)` or `;`.

use std::collections::BTreeMap;

use crate::template::{self, Outputs, Piece, TemplateError};

/// The variables begin with this; a number follows.
pub(crate) const VARIABLE: &str = "BATON_VALUE_";

/// `line` with references in place of its expressions, and the variables that they mean.
///
/// Inside single quotes, where the shell expands nothing, the quotes are closed around the reference. The
/// quotes are followed as far as a scan without a parser can: where an apostrophe in a comment or a here
/// document misleads it, the line holds the reference as plain text, and still no value.
pub(crate) fn fill(line: &str, outputs: &Outputs) -> Result<(String, BTreeMap<String, String>), TemplateError> {
    let (line, variables) = refer(template::pieces(line, outputs, false)?);
    let value = |(name, piece)| match piece {
        Piece::Text(value) | Piece::Value(value) => Some((name, value)),
        Piece::Round(_) => None,
    };
    Ok((line, variables.into_iter().filter_map(value).collect()))
}

/// The line that `pieces` make, with references in place of everything but the author's own words, and what each
/// variable means.
pub(crate) fn refer(pieces: Vec<Piece>) -> (String, Vec<(String, Piece)>) {
    let (mut line, mut variables) = (String::new(), Vec::new());
    let mut quotes = Quotes::default();
    for piece in pieces {
        if let Piece::Text(text) = &piece {
            quotes.pass(text);
            line.push_str(text);
            continue;
        }
        let name = format!("{VARIABLE}{}", variables.len() + 1);
        let reference = if quotes.in_single() { format!("'\"${{{name}}}\"'") } else { format!("${{{name}}}") };
        line.push_str(&reference);
        variables.push((name, piece));
    }
    (line, variables)
}

/// Where a scan stands in the shell's quoting: what is open, the innermost last.
#[derive(Default)]
struct Quotes {
    open: Vec<Quote>,
    escaped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    Single,
    Double,
    /// `(…)` or `$(…)`: begins plain again, also inside double quotes.
    Parenthesis,
}

impl Quotes {
    fn in_single(&self) -> bool {
        self.open.last() == Some(&Quote::Single)
    }

    fn pass(&mut self, text: &str) {
        let mut previous = ' ';
        for c in text.chars() {
            let top = self.open.last().copied();
            match (c, top) {
                _ if self.escaped => self.escaped = false,
                ('\\', top) if top != Some(Quote::Single) => self.escaped = true,
                ('\'', Some(Quote::Single)) | ('"', Some(Quote::Double)) | (')', Some(Quote::Parenthesis)) => {
                    self.open.pop();
                }
                (_, Some(Quote::Single)) => {}
                ('(', Some(Quote::Double)) if previous != '$' => {}
                ('(', _) => self.open.push(Quote::Parenthesis),
                ('\'', Some(Quote::Double)) => {}
                ('\'', _) => self.open.push(Quote::Single),
                ('"', _) => self.open.push(Quote::Double),
                _ => {}
            }
            previous = c;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::template::{ErrorTexts, NodeTexts};

    fn run(line: &str, value: &str) -> String {
        let error = ErrorTexts { output: value.to_owned(), ..ErrorTexts::default() };
        let texts = NodeTexts { outputs: [("x".to_owned(), value.to_owned())].into(), is_cut: false, error };
        let outputs = Outputs { nodes: [("a".to_owned(), texts)].into(), round: None };
        let (line, variables) = fill(line, &outputs).expect("the value is there");
        let output = Command::new("sh").args(["-c", &line]).envs(variables).output().expect("a shell");
        String::from_utf8(output.stdout).expect("text")
    }

    #[test]
    fn a_value_stands_in_every_kind_of_quotes() {
        for line in [
            "printf %s {{nodes.a.outputs.x}}",
            "printf %s \"{{nodes.a.outputs.x}}\"",
            "printf %s '{{nodes.a.outputs.x}}'",
            "printf %s \"it's $(printf %s '{{nodes.a.outputs.x}}')\" | sed \"s/it's //\"",
            "printf %s \\'{{nodes.a.outputs.x}} | tr -d \\'",
        ] {
            assert_eq!(run(line, "plain-value"), "plain-value", "{line}");
        }
        assert_eq!(run("for word in {{nodes.a.outputs.x}}; do echo $word; done", "one two"), "one\ntwo\n");
    }

    #[test]
    fn no_value_becomes_a_command() {
        for value in
            ["$(echo pwned)", "`echo pwned`", "; echo pwned", "' ; echo pwned '", "\"; echo pwned; \"", "${HOME}"]
        {
            for line in [
                "printf %s \"{{nodes.a.outputs.x}}\"",
                "printf %s '{{nodes.a.outputs.x}}'",
                "printf %s \"{{nodes.a.error.output}}\"",
            ] {
                assert_eq!(run(line, value), value, "{line}");
            }
            let unquoted = run("printf '%s ' {{nodes.a.outputs.x}} # don't", value);
            assert_eq!(unquoted.trim_end(), value, "split into words, and nothing else");
        }
    }
}
