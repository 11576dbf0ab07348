//! The first words of commands that a person allows together: `git push` for every command that begins so.
//!
//! Options behind these words cannot be judged. That is why some programs are never allowed this way: those that run any program
//! or code that their arguments name, and those that write to wherever an argument says.

mod broad_programs;

use crate::grant::HIDDEN;
use crate::shell::{Words, simple_commands};

/// The most words that a person can choose.
pub const PREFIX_WORDS: usize = 3;
/// The most commands of one line for which prefixes are offered.
const OFFERED_COMMANDS: usize = 4;
/// The longest word, in bytes.
const WORD_LENGTH: usize = 100;

/// The first words of a command: one to three words without quotes, such as `npm run test`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPrefix {
    words: Vec<String>,
}

/// Why a prefix cannot be allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrefixFault {
    /// It is not made of plain words.
    #[error(
        "'{0}' cannot stand for a command's first words: give 1 to {PREFIX_WORDS} words without quotes or patterns"
    )]
    Shape(String),
    /// Commands that begin like this can run any program, or write any file.
    #[error(
        "commands that begin with '{0}' can run any program or write any file: allow this command only"
    )]
    TooBroad(String),
    /// The command that was asked about does not begin like this.
    #[error("the command does not begin with '{0}': choose one of its own beginnings")]
    OtherCommand(String),
}

impl CommandPrefix {
    /// Reads the words of `text`, and refuses those that would allow too much.
    pub fn parse(text: &str) -> Result<Self, PrefixFault> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let is_shaped = words.len() <= PREFIX_WORDS
            && words.iter().all(|word| is_plain(word))
            && is_program(&words[0]);
        if !is_shaped {
            return Err(PrefixFault::Shape(text.to_owned()));
        }
        let borrowed: Vec<&str> = words.iter().map(String::as_str).collect();
        if broad_programs::is_too_broad(&borrowed) {
            return Err(PrefixFault::TooBroad(text.to_owned()));
        }
        Ok(Self { words })
    }

    fn begins(&self, command: &Words) -> bool {
        command.len() >= self.words.len()
            && self
                .words
                .iter()
                .zip(command)
                .all(|(word, said)| said.as_ref() == Some(word))
    }

    /// Whether some command of `line` begins like this.
    #[must_use]
    pub fn occurs_in(&self, line: &str) -> bool {
        simple_commands(line)
            .is_some_and(|commands| commands.iter().any(|command| self.begins(command)))
    }
}

/// Whether each command of `line` begins with one of `prefixes`. A line that cannot be read for certain does not.
#[must_use]
pub fn all_begin_with(prefixes: &[CommandPrefix], line: &str) -> bool {
    let begins = |command: &Words| prefixes.iter().any(|prefix| prefix.begins(command));
    !prefixes.is_empty()
        && simple_commands(line).is_some_and(|commands| commands.iter().all(begins))
}

/// What a person can choose instead of `line` to the letter, the shortest first. Each choice is a list of prefixes that cover the line
/// together: one for a single command, in up to three lengths, or one for each command of several.
#[must_use]
pub fn choices_for(line: &str) -> Vec<Vec<String>> {
    let Some(commands) = simple_commands(line).filter(|_| !line.contains(HIDDEN)) else {
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
    if together.len() <= OFFERED_COMMANDS {
        vec![together]
    } else {
        Vec::new()
    }
}

fn prefixes_of(command: &Words) -> Vec<String> {
    let literal: Vec<&str> = command
        .iter()
        .map_while(|word| word.as_deref())
        .take(PREFIX_WORDS)
        .collect();
    let lengths = (1..=literal.len()).filter(|length| !literal[length - 1].starts_with('-'));
    lengths
        .map(|length| literal[..length].join(" "))
        .filter(|prefix| CommandPrefix::parse(prefix).is_ok())
        .collect()
}

/// No assignment, option or job.
fn is_program(word: &str) -> bool {
    !word.contains('=')
        && word.starts_with(|letter: char| letter.is_ascii_alphanumeric() || "_./".contains(letter))
}

fn is_plain(word: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_./:@%+,=-".contains(letter);
    !word.is_empty()
        && word.len() <= WORD_LENGTH
        && word.chars().all(is_letter)
        && !word.starts_with('=')
}

#[cfg(test)]
mod tests;
