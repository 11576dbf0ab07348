//! The text of a command or prompt: filled in, rejected if no program could receive it, and
//! displayed.

use std::collections::BTreeMap;

use baton_model::node::Node;
use baton_model::outcome::Failure;
use baton_model::problem::unsafe_values;
use baton_model::shell::UnsafeValue;

use crate::template::{self, Outputs, TemplateError};

/// Runs a command that is written as one line.
pub(super) const SHELL: &str = "/bin/sh";

/// Rejects a node of a plan that was approved before such placements were detected.
pub(super) fn refuse_unsafe_values(node: &Node) -> Result<(), Failure> {
    unsafe_values(node)
        .next()
        .map_or(Ok(()), |(_, value)| Err(unsafe_value_failure(&value)))
}

pub(super) fn unsafe_value_failure(UnsafeValue { expression, place }: &UnsafeValue) -> Failure {
    Failure::BadInput {
        detail: format!("the node puts `{{{{{expression}}}}}` {place}"),
    }
}

/// Rejects a NUL byte, which no program can receive.
pub(super) fn reject_nul_bytes(text: String) -> Result<String, Failure> {
    if !text.contains('\0') {
        return Ok(text);
    }
    let detail = "a value in the command contains a NUL byte, which can't be passed to a program: remove it in the node that writes the value";
    Err(Failure::BadInput {
        detail: detail.to_owned(),
    })
}

pub(super) fn fill(text: &str, outputs: &Outputs) -> Result<String, Failure> {
    template::render(text, outputs).map_err(bad_input)
}

pub(super) fn bad_input(error: TemplateError) -> Failure {
    Failure::BadInput {
        detail: error.to_string(),
    }
}

/// A command for display: the line or the arguments, and below them the values of its variables.
pub(super) fn command_display(argv: &[String], values: &BTreeMap<String, String>) -> String {
    let mut text = match argv {
        [shell, option, line] if shell == SHELL && option == "-c" => line.clone(),
        argv => shell_words(argv),
    };
    for (name, value) in values {
        text.extend(["\n", name, "=", value]);
    }
    text
}

/// Arguments as a person would type them in a shell.
pub(super) fn shell_words(words: &[String]) -> String {
    let plain = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c))
    };
    let quoted = words.iter().map(|word| {
        if plain(word) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
