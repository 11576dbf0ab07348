//! The words of a command or prompt: filled in, refused where no program could be given them, and shown to a person.

use std::collections::BTreeMap;

use baton_model::node::Node;
use baton_model::outcome::Failure;
use baton_model::problem::unsafe_values;
use baton_model::shell::UnsafeValue;

use crate::template::{self, Outputs, TemplateError};

/// What runs a command that is written as one line.
pub(super) const SHELL: &str = "/bin/sh";

/// Refuses a node of a plan that was approved before such places were known.
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

/// A text without a zero byte, which no program can be given.
pub(super) fn reject_nul_bytes(text: String) -> Result<String, Failure> {
    if !text.contains('\0') {
        return Ok(text);
    }
    let detail = "a value in the command holds a zero byte, which no program can be given: let the node that writes it leave that out";
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

/// A command as it is sent, for people: the line or the words, and below them the values that the line refers to.
pub(super) fn command_display(argv: &[String], values: &BTreeMap<String, String>) -> String {
    let mut told = match argv {
        [shell, option, line] if shell == SHELL && option == "-c" => line.clone(),
        argv => shell_words(argv),
    };
    for (name, value) in values {
        told.extend(["\n", name, "=", value]);
    }
    told
}

/// Words as a person would type them to a shell.
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
