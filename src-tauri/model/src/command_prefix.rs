//! Command prefixes that a person allows together, such as `git push` for every command that begins
//! with it.
//!
//! Options after the prefix can't be judged. Some programs are therefore never allowed by prefix:
//! those that run arbitrary programs or code from their arguments, and those that write wherever an
//! argument points.

mod broad_programs;

use crate::shell::{CommandWords, simple_commands};

/// Replaces a secret in a recorded command. Any text may have been there, so a command that
/// contains it is never allowed by a grant.
pub const HIDDEN_SECRET: &str = "[secret]";
/// The most words that a person can choose.
pub const MAX_PREFIX_WORDS: usize = 3;
/// The maximum number of commands in one line for which prefixes are offered.
const MAX_OFFERED_COMMANDS: usize = 4;
/// The maximum length of a word in a prefix, in bytes.
const MAX_WORD_LENGTH: usize = 100;

/// The first words of a command: one to three unquoted words, such as `npm run test`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPrefix {
    words: Vec<String>,
}

/// Why a prefix can't be allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// It does not consist of plain words.
    #[error(
        "'{0}' is not a command prefix: use 1 to {MAX_PREFIX_WORDS} words without quotes or patterns"
    )]
    Shape(String),
    /// Commands with this prefix can run any program, or write any file.
    #[error(
        "commands that begin with '{0}' can run any program or write any file: allow only this command"
    )]
    TooBroad(String),
    /// The requested command does not begin with it.
    #[error("the command does not begin with '{0}': choose one of its prefixes")]
    OtherCommand(String),
}

impl CommandPrefix {
    /// Parses `text`. Fails if the prefix would allow too much.
    pub fn parse(text: &str) -> Result<Self, PrefixError> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let is_shaped = words.len() <= MAX_PREFIX_WORDS
            && words.iter().all(|word| is_plain(word))
            && is_program(&words[0]);
        if !is_shaped {
            return Err(PrefixError::Shape(text.to_owned()));
        }
        let borrowed: Vec<&str> = words.iter().map(String::as_str).collect();
        if broad_programs::is_too_broad(&borrowed) {
            return Err(PrefixError::TooBroad(text.to_owned()));
        }
        Ok(Self { words })
    }

    fn begins(&self, command: &CommandWords) -> bool {
        command.len() >= self.words.len()
            && self
                .words
                .iter()
                .zip(command)
                .all(|(word, said)| said.as_ref() == Some(word))
    }

    /// Whether any command in `line` has this prefix.
    #[must_use]
    pub fn matches_any_in(&self, line: &str) -> bool {
        simple_commands(line)
            .is_some_and(|commands| commands.iter().any(|command| self.begins(command)))
    }
}

/// Whether each command in `line` has one of `prefixes`. False for a line that can't be parsed with
/// certainty.
#[must_use]
pub fn all_match_prefixes(prefixes: &[CommandPrefix], line: &str) -> bool {
    let begins = |command: &CommandWords| prefixes.iter().any(|prefix| prefix.begins(command));
    !prefixes.is_empty()
        && simple_commands(line).is_some_and(|commands| commands.iter().all(begins))
}

/// Returns what a person can allow instead of exactly `line`, shortest first. Each choice is a list
/// of prefixes that together cover the line: one for a single command, in up to three lengths, or
/// one per command.
#[must_use]
pub fn prefix_choices(line: &str) -> Vec<Vec<String>> {
    let Some(commands) = simple_commands(line).filter(|_| !line.contains(HIDDEN_SECRET)) else {
        return Vec::new();
    };
    if let [command] = &commands[..] {
        return prefixes_of(command)
            .into_iter()
            .map(|prefix| vec![prefix])
            .collect();
    }
    let mut together: Vec<String> = Vec::new();
    for command in &commands {
        let Some(shortest) = prefixes_of(command).into_iter().next() else {
            return Vec::new();
        };
        if !together.contains(&shortest) {
            together.push(shortest);
        }
    }
    if together.len() <= MAX_OFFERED_COMMANDS {
        vec![together]
    } else {
        Vec::new()
    }
}

fn prefixes_of(command: &CommandWords) -> Vec<String> {
    let literal: Vec<&str> = command
        .iter()
        .map_while(|word| word.as_deref())
        .take(MAX_PREFIX_WORDS)
        .collect();
    let lengths = (1..=literal.len()).filter(|length| !literal[length - 1].starts_with('-'));
    lengths
        .map(|length| literal[..length].join(" "))
        .filter(|prefix| CommandPrefix::parse(prefix).is_ok())
        .collect()
}

/// Excludes assignments, options and job references.
fn is_program(word: &str) -> bool {
    !word.contains('=')
        && word.starts_with(|letter: char| letter.is_ascii_alphanumeric() || "_./".contains(letter))
}

fn is_plain(word: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_./:@%+,=-".contains(letter);
    !word.is_empty()
        && word.len() <= MAX_WORD_LENGTH
        && word.chars().all(is_letter)
        && !word.starts_with('=')
}

#[cfg(test)]
mod tests;
