//! The parts of a shell line that matter for its values.

/// Commands in the order of the text. The content of a compound command is between its keywords.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Script {
    pub(super) pipelines: Vec<Vec<Command>>,
    /// Whether commands are grouped, so that input of one may reach another.
    pub(super) has_groups: bool,
    /// Whether functions are defined, which can receive arguments.
    pub(super) has_functions: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// Here-documents and here-strings that it reads.
    pub(super) input: Vec<Word>,
    /// The files that it reads and writes.
    pub(super) files: Vec<Word>,
    /// Identifies the command, to find its here-documents.
    pub(super) number: usize,
}

/// A word without its quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) parts: Vec<Part>,
}

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

    /// Every word in the script.
    pub(super) fn all_words(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().chain(&self.input).chain(&self.files)
    }
}

impl Word {
    /// The text of the word, if it contains nothing else.
    pub(super) fn literal(&self) -> Option<String> {
        let mut whole = String::new();
        for part in &self.parts {
            let Part::Text(text) = part else { return None };
            whole.push_str(text);
        }
        Some(whole)
    }

    /// The literal text at the start of the word.
    pub(super) fn prefix(&self) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.parts.iter().map_while(text).collect()
    }

    /// The name of the variable, if this is an assignment.
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

/// Whether `text` is a valid variable name.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
