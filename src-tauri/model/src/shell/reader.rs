//! Parses a shell line: its commands, and how each value in it is quoted.
//!
//! Follows the POSIX grammar with the `bash` extensions, without checking whether a shell would
//! accept the line. If an invalid line misleads it, a value is still a reference to a variable and
//! never part of the line.

use std::collections::BTreeMap;

use super::script::{Command, Part, Script, Word};
use super::value_position::ValuePosition;

/// One token of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Char(char),
    /// A value, by its number.
    Value(usize),
}

/// How a value is quoted in a shell line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quoting {
    /// Outside of quotes, where a reference is expanded and split.
    Plain,
    /// In double quotes or a here-document: a reference is expanded but not split.
    Double,
    /// In single quotes, where nothing is expanded.
    Single,
    /// A position where a reference is not allowed.
    Refused(ValuePosition),
}

/// Words after which a command begins.
const OPENING: [&str; 11] = [
    "!", "{", "do", "then", "else", "elif", "if", "while", "until", "time", "coproc",
];

/// A here-document whose text has not been read yet.
struct HereDocument {
    owner: usize,
    delimiter: String,
    is_quoted: bool,
    is_indented: bool,
}

pub(super) struct Reader<'s> {
    tokens: &'s [Token],
    at: usize,
    quotings: Vec<Quoting>,
    waiting: Vec<HereDocument>,
    documents: BTreeMap<usize, Vec<Word>>,
    commands: usize,
}

/// A list of commands being read.
#[derive(Default)]
struct OpenList {
    script: Script,
    pipeline: Vec<Command>,
    command: Command,
    /// How many `case` statements are open. There, a `)` ends a pattern.
    cases: usize,
    in_pattern: bool,
}

impl<'s> Reader<'s> {
    /// Parses `tokens`, which contain `values` values.
    pub(super) fn read(tokens: &'s [Token], values: usize) -> (Script, Vec<Quoting>) {
        let mut reader = Self {
            tokens,
            at: 0,
            quotings: vec![Quoting::Plain; values],
            waiting: Vec::new(),
            documents: BTreeMap::new(),
            commands: 0,
        };
        let mut script = reader.script(false);
        reader.read_documents();
        reader.assign_here_documents(&mut script);
        (script, reader.quotings)
    }

    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn is_next(&self, letters: &str) -> bool {
        let next = self.tokens.get(self.at..).unwrap_or_default().iter();
        next.take(letters.chars().count())
            .copied()
            .eq(letters.chars().map(Token::Char))
    }

    fn take(&mut self, letters: &str) -> bool {
        let is_next = self.is_next(letters);
        self.at += if is_next { letters.chars().count() } else { 0 };
        is_next
    }

    fn mark(&mut self, value: usize, quoting: Quoting) {
        if let Some(place) = self.quotings.get_mut(value) {
            *place = quoting;
        }
    }

    fn refuse(&mut self, value: usize, place: ValuePosition) {
        self.mark(value, Quoting::Refused(place));
    }

    /// Reads commands up to the end, or up to and including the closing parenthesis.
    fn script(&mut self, in_parentheses: bool) -> Script {
        let mut open = OpenList {
            command: self.new_command(),
            ..OpenList::default()
        };
        while let Some(token) = self.peek() {
            match token {
                Token::Char(' ' | '\t' | '\r') => self.at += 1,
                Token::Char('\\') if self.is_next("\\\n") => self.at += 2,
                Token::Char('\n') => {
                    self.at += 1;
                    self.end_pipeline(&mut open);
                    self.read_documents();
                }
                Token::Char('#') => self.skip_comment(),
                Token::Char('&') if self.is_next("&>") => self.redirection(&mut open),
                Token::Char(';' | '&') => self.separator(&mut open),
                Token::Char('|') => self.pipe(&mut open),
                Token::Char('(') => self.parenthesis(&mut open),
                Token::Char(')') => {
                    self.at += 1;
                    self.end_pipeline(&mut open);
                    if open.in_pattern {
                        open.in_pattern = false;
                    } else if in_parentheses {
                        break;
                    }
                }
                Token::Char('<' | '>') if !(self.is_next("<(") || self.is_next(">(")) => {
                    self.redirection(&mut open)
                }
                _ => self.command_word(&mut open),
            }
        }
        self.end_pipeline(&mut open);
        open.script
    }

    fn new_command(&mut self) -> Command {
        self.commands += 1;
        Command {
            number: self.commands,
            ..Command::default()
        }
    }

    fn end_command(&mut self, open: &mut OpenList) {
        let next = self.new_command();
        let command = std::mem::replace(&mut open.command, next);
        if !command.is_empty()
            || self
                .waiting
                .iter()
                .any(|document| document.owner == command.number)
        {
            open.pipeline.push(command);
        }
    }

    fn end_pipeline(&mut self, open: &mut OpenList) {
        self.end_command(open);
        if !open.pipeline.is_empty() {
            open.script
                .pipelines
                .push(std::mem::take(&mut open.pipeline));
        }
    }

    fn separator(&mut self, open: &mut OpenList) {
        open.in_pattern =
            open.in_pattern || open.cases > 0 && (self.is_next(";;") || self.is_next(";&"));
        while matches!(self.peek(), Some(Token::Char(';' | '&'))) && !self.is_next("&>") {
            self.at += 1;
        }
        self.end_pipeline(open);
    }

    fn pipe(&mut self, open: &mut OpenList) {
        self.at += 1;
        if self.take("|") {
            self.end_pipeline(open);
        } else if !open.in_pattern {
            self.take("&");
            self.end_command(open);
            // The other side may be on the next line.
            while matches!(self.peek(), Some(Token::Char(' ' | '\t' | '\n'))) {
                let is_line = self.is_next("\n");
                self.at += 1;
                if is_line {
                    self.read_documents();
                }
            }
        }
    }

    fn parenthesis(&mut self, open: &mut OpenList) {
        self.at += 1;
        if open.in_pattern {
            return;
        }
        let is_arithmetic = open.command.words.is_empty() || first_is(&open.command, "for");
        if is_arithmetic && self.take("(") {
            let names = self.arithmetic(2, '(', ')');
            let parts = vec![Part::Arithmetic(names)];
            return open.command.words.push(Word { parts });
        }
        let nested = self.script(true);
        let is_array = open
            .command
            .words
            .last()
            .is_some_and(|word| word.assigned().is_some());
        if is_array {
            let words = nested
                .pipelines
                .into_iter()
                .flatten()
                .flat_map(|command| command.words);
            let parts = words.flat_map(|word| word.parts).collect::<Vec<_>>();
            open.command
                .words
                .last_mut()
                .into_iter()
                .for_each(|word| word.parts.extend(parts.clone()));
            return;
        }
        open.script.has_groups = true;
        open.script.has_functions |= nested.pipelines.is_empty() && !open.command.words.is_empty();
        self.end_command(open);
        // A group's input reaches its first commands, and its output comes from all of them.
        open.script.pipelines.extend(nested.pipelines);
        let parts = vec![Part::Text(")".to_owned())];
        open.command.words.push(Word { parts });
    }

    fn command_word(&mut self, open: &mut OpenList) {
        let word = self.word();
        let text = word.literal();
        let is_number = text
            .as_deref()
            .is_some_and(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
        if is_number && matches!(self.peek(), Some(Token::Char('<' | '>'))) {
            return;
        }
        if first_is(&open.command, ")")
            || first_is(&open.command, "function") && text.as_deref() == Some("{")
        {
            // The body of a function follows.
            open.script.has_functions |= text.as_deref() == Some("{");
            self.end_pipeline(open);
        }
        let is_first = open.command.words.is_empty();
        match text.as_deref() {
            Some("esac") if is_first || open.in_pattern => {
                (open.cases, open.in_pattern) = (open.cases.saturating_sub(1), false);
            }
            // A pattern is not a command.
            _ if open.in_pattern => return,
            Some("case") if is_first => open.cases += 1,
            Some("in") if first_is(&open.command, "case") => {
                self.end_pipeline(open);
                open.in_pattern = true;
                return;
            }
            Some(opening) if is_first && OPENING.contains(&opening) => {
                open.script.has_groups |= opening != "!" && opening != "time";
                return;
            }
            _ => {}
        }
        open.command.words.push(word);
    }

    fn redirection(&mut self, open: &mut OpenList) {
        let operators = [
            "<<<", "<<-", "<<", "<>", "<&", ">>", ">&", ">|", "&>>", "&>", "<", ">",
        ];
        let operator = operators
            .into_iter()
            .find(|operator| self.take(operator))
            .unwrap_or_default();
        while matches!(self.peek(), Some(Token::Char(' ' | '\t'))) {
            self.at += 1;
        }
        match operator {
            "<<" | "<<-" => self.delimiter(open.command.number, operator == "<<-"),
            "<<<" => {
                let word = self.word();
                open.command.input.push(word);
            }
            _ => {
                let word = self.word();
                open.command.files.push(word);
            }
        }
    }

    fn delimiter(&mut self, owner: usize, is_indented: bool) {
        let from = self.at;
        let word = self.word();
        let is_quote = |token: &Token| matches!(token, Token::Char('\'' | '"' | '\\'));
        let is_quoted = self.tokens[from..self.at].iter().any(is_quote);
        for part in &word.parts {
            if let Part::Value(value) = part {
                self.refuse(*value, ValuePosition::Delimiter);
            }
        }
        self.waiting.push(HereDocument {
            owner,
            delimiter: word.prefix(),
            is_quoted,
            is_indented,
        });
    }

    /// Reads the here-documents that were announced on the previous line.
    fn read_documents(&mut self) {
        for document in std::mem::take(&mut self.waiting) {
            let (end, next) = self.end_of(&document);
            let mut word = Word::default();
            let rest = std::mem::take(&mut self.tokens);
            // Anything still open at the end of the document ends there.
            self.tokens = &rest[..end];
            while let Some(token) = self.peek() {
                match token {
                    _ if document.is_quoted => {
                        match token {
                            Token::Value(value) => self.refuse(value, ValuePosition::HereDocument),
                            Token::Char(letter) => word.push(letter),
                        }
                        self.at += 1;
                    }
                    Token::Value(value) => {
                        self.mark(value, Quoting::Double);
                        word.parts.push(Part::Value(value));
                        self.at += 1;
                    }
                    token => self.quoted_token(token, &mut word),
                }
            }
            self.tokens = rest;
            self.at = next;
            self.documents.entry(document.owner).or_default().push(word);
        }
    }

    /// Returns where the document's text ends, and where the line continues.
    fn end_of(&self, document: &HereDocument) -> (usize, usize) {
        let mut line = self.at;
        while line < self.tokens.len() {
            let length = self.tokens[line..]
                .iter()
                .position(|token| *token == Token::Char('\n'));
            let end = length.map_or(self.tokens.len(), |length| line + length);
            let text = self.tokens[line..end]
                .iter()
                .skip_while(|token| document.is_indented && **token == Token::Char('\t'));
            if text
                .copied()
                .eq(document.delimiter.chars().map(Token::Char))
            {
                return (line, (end + 1).min(self.tokens.len()));
            }
            line = end + 1;
        }
        (self.tokens.len(), self.tokens.len())
    }

    fn assign_here_documents(&mut self, script: &mut Script) {
        for command in script.pipelines.iter_mut().flatten() {
            command
                .input
                .extend(self.documents.remove(&command.number).unwrap_or_default());
            let words = command
                .words
                .iter_mut()
                .chain(&mut command.files)
                .chain(&mut command.input);
            for part in words.flat_map(|word| &mut word.parts) {
                if let Part::Substitution(nested) = part {
                    self.assign_here_documents(nested);
                }
            }
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|token| token != Token::Char('\n')) {
            self.at += 1;
        }
    }

    /// Reads a word up to a token that ends it.
    fn word(&mut self) -> Word {
        let mut word = Word::default();
        while let Some(token) = self.peek() {
            match token {
                Token::Value(value) => {
                    word.parts.push(Part::Value(value));
                    self.at += 1;
                }
                Token::Char('\'') => self.single(&mut word),
                Token::Char('"') => self.double(&mut word),
                Token::Char('$') if self.is_next("$'") => self.ansi(&mut word),
                Token::Char('$') if self.is_next("$\"") => self.at += 1,
                Token::Char('<' | '>')
                    if self.tokens.get(self.at + 1) == Some(&Token::Char('(')) =>
                {
                    self.at += 2;
                    word.parts.push(Part::Substitution(self.script(true)));
                }
                Token::Char(' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') => {
                    break;
                }
                Token::Char('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(Token::Char('\n')) => {}
                        Some(Token::Char(letter)) => word.push(letter),
                        Some(Token::Value(value)) => {
                            self.refuse(value, ValuePosition::Escaped);
                            word.parts.push(Part::Value(value));
                        }
                        None => break,
                    }
                    self.at += 1;
                }
                token => self.quoted_token(token, &mut word),
            }
        }
        word
    }

    /// A token with the same meaning inside and outside of double quotes.
    fn quoted_token(&mut self, token: Token, word: &mut Word) {
        match token {
            Token::Char('\\') => {
                self.at += 1;
                match self.peek() {
                    Some(Token::Value(value)) => {
                        self.refuse(value, ValuePosition::Escaped);
                        word.parts.push(Part::Value(value));
                    }
                    Some(Token::Char(letter @ ('$' | '`' | '"' | '\\'))) => word.push(letter),
                    Some(Token::Char('\n')) | None => {}
                    Some(Token::Char(letter)) => {
                        word.push('\\');
                        word.push(letter);
                    }
                }
                self.at += 1;
            }
            Token::Char('$') => self.dollar(word),
            Token::Char('`') => self.backquotes(word),
            Token::Char(letter) => {
                word.push(letter);
                self.at += 1;
            }
            Token::Value(_) => self.at += 1,
        }
    }

    fn single(&mut self, word: &mut Word) {
        self.at += 1;
        // An empty word is still a word.
        word.parts.push(Part::Text(String::new()));
        while let Some(token) = self.peek() {
            self.at += 1;
            match token {
                Token::Char('\'') => break,
                Token::Char(letter) => word.push(letter),
                Token::Value(value) => {
                    self.mark(value, Quoting::Single);
                    word.parts.push(Part::Value(value));
                }
            }
        }
    }

    fn double(&mut self, word: &mut Word) {
        self.at += 1;
        word.parts.push(Part::Text(String::new()));
        while let Some(token) = self.peek() {
            match token {
                Token::Char('"') => {
                    self.at += 1;
                    break;
                }
                Token::Value(value) => {
                    self.mark(value, Quoting::Double);
                    word.parts.push(Part::Value(value));
                    self.at += 1;
                }
                token => self.quoted_token(token, word),
            }
        }
    }

    fn ansi(&mut self, word: &mut Word) {
        self.at += 2;
        while let Some(token) = self.peek() {
            self.at += 1;
            match token {
                Token::Char('\'') => break,
                Token::Char('\\') => {
                    self.at += usize::from(matches!(self.peek(), Some(Token::Char(_))))
                }
                Token::Char(letter) => word.push(letter),
                Token::Value(value) => {
                    self.refuse(value, ValuePosition::AnsiQuotes);
                    word.parts.push(Part::Value(value));
                }
            }
        }
    }

    fn dollar(&mut self, word: &mut Word) {
        self.at += 1;
        if self.take("((") {
            word.parts
                .push(Part::Arithmetic(self.arithmetic(2, '(', ')')));
        } else if self.take("[") {
            word.parts
                .push(Part::Arithmetic(self.arithmetic(1, '[', ']')));
        } else if self.take("(") {
            word.parts.push(Part::Substitution(self.script(true)));
        } else if self.take("{") {
            self.expansion(word);
        } else if let Some(Token::Value(value)) = self.peek() {
            self.refuse(value, ValuePosition::Escaped);
            word.parts.push(Part::Value(value));
            self.at += 1;
        } else {
            let name = self.name();
            if name.is_empty() {
                word.push('$')
            } else {
                word.parts.push(Part::Parameter(name))
            }
        }
    }

    /// Reads the name of a variable, or a special parameter.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(Token::Char(letter)) = self.peek() {
            let is_special = name.is_empty() && (letter.is_ascii_digit() || "@*".contains(letter));
            let is_part = letter.is_ascii_alphabetic()
                || letter == '_'
                || !name.is_empty() && letter.is_ascii_digit();
            if !(is_special || is_part) {
                break;
            }
            name.push(letter);
            self.at += 1;
            if is_special {
                break;
            }
        }
        name
    }

    fn expansion(&mut self, word: &mut Word) {
        while matches!(self.peek(), Some(Token::Char('#' | '!'))) {
            self.at += 1;
        }
        word.parts.push(Part::Parameter(self.name()));
        let mut inner = Word::default();
        while let Some(token) = self.peek() {
            match token {
                Token::Char('}') => {
                    self.at += 1;
                    break;
                }
                Token::Char('\'') => self.single(&mut inner),
                Token::Char('"') => self.double(&mut inner),
                Token::Value(value) => {
                    inner.parts.push(Part::Value(value));
                    self.at += 1;
                }
                token => self.quoted_token(token, &mut inner),
            }
        }
        for part in &inner.parts {
            if let Part::Value(value) = part {
                self.refuse(*value, ValuePosition::Expansion);
            }
        }
        word.parts.extend(
            inner
                .parts
                .into_iter()
                .filter(|part| !matches!(part, Part::Text(_))),
        );
    }

    /// Skips arithmetic with `depth` open brackets and returns the names in it.
    fn arithmetic(&mut self, mut depth: usize, opening: char, closing: char) -> Vec<String> {
        let (mut names, mut is_parameter) = (Vec::new(), false);
        while let Some(token) = self.peek() {
            match token {
                Token::Value(value) => self.refuse(value, ValuePosition::Arithmetic),
                Token::Char(letter) if letter == opening => depth += 1,
                Token::Char(letter) if letter == closing => depth -= 1,
                Token::Char(_) => {
                    let name = self.name();
                    if !name.is_empty() {
                        // `1` is a number, and `$1` is an argument.
                        let is_number = name.starts_with(|letter: char| letter.is_ascii_digit())
                            && !is_parameter;
                        is_parameter = false;
                        names.extend((!is_number).then_some(name));
                        continue;
                    }
                }
            }
            is_parameter = token == Token::Char('$') || is_parameter && token == Token::Char('{');
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        names
    }

    fn backquotes(&mut self, word: &mut Word) {
        self.at += 1;
        while let Some(token) = self.peek() {
            self.at += 1;
            match token {
                Token::Char('`') => break,
                Token::Char('\\') => {
                    self.at += usize::from(matches!(self.peek(), Some(Token::Char(_))))
                }
                Token::Char(_) => {}
                Token::Value(value) => {
                    self.refuse(value, ValuePosition::Backquotes);
                    word.parts.push(Part::Value(value));
                }
            }
        }
    }
}

fn first_is(command: &Command, text: &str) -> bool {
    command.words.first().and_then(Word::literal).as_deref() == Some(text)
}
