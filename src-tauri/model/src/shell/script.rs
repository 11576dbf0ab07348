//! What a shell line says, as far as it matters for its values.

/// Commands in the order of the text. What a compound command holds stands between its keywords.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Script {
    pub(super) pipelines: Vec<Vec<Command>>,
    /// Whether commands are grouped, so that what one is fed may reach another.
    pub(super) has_groups: bool,
    /// Whether functions are defined, to which arguments may be passed.
    pub(super) has_functions: bool,
}

/// A simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// Here-documents and here-strings that it reads.
    pub(super) input: Vec<Word>,
    /// The files that it reads and writes.
    pub(super) files: Vec<Word>,
    /// By what its here-documents are found.
    pub(super) number: usize,
}

/// A word, with its quotes removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) parts: Vec<Part>,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// A value, by its number.
    Value(usize),
    /// `$name` or `${name…}`.
    Parameter(String),
    /// `$(…)` or `<(…)`.
    Substitution(Script),
    /// `$((…))`, with the names in it.
    Arithmetic(Vec<String>),
}

impl Command {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.input.is_empty() && self.files.is_empty()
    }

    /// Every word of it.
    pub(super) fn all_words(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().chain(&self.input).chain(&self.files)
    }
}

impl Word {
    /// The word when it holds nothing but the author's text.
    pub(super) fn literal(&self) -> Option<String> {
        let mut whole = String::new();
        for part in &self.parts {
            let Part::Text(text) = part else { return None };
            whole.push_str(text);
        }
        Some(whole)
    }

    /// The author's text at the start.
    pub(super) fn prefix(&self) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.parts.iter().map_while(text).collect()
    }

    /// The name of the variable when this sets one.
    pub(super) fn assigned(&self) -> Option<String> {
        let prefix = self.prefix();
        let (name, _) = prefix.split_once('=')?;
        let name = name.strip_suffix('+').unwrap_or(name);
        is_name(name).then(|| name.to_owned())
    }

    pub(super) fn push(&mut self, letter: char) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push(letter),
            _ => self.parts.push(Part::Text(letter.to_string())),
        }
    }
}

/// Whether a variable may be called so.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
