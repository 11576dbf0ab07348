//! Reads a shell line: its commands, and how each value in it is quoted.
//!
//! It follows the POSIX grammar and what `bash` adds to it, without judging whether a shell would take the line. Where it is misled
//! by a line that no shell would take, a value is still a reference to a variable, and never part of the line.

use std::collections::BTreeMap;

use super::place::ValuePlace;
use super::script::{Command, Part, Script, Word};

/// A sign of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Char(char),
    /// A value, by its number.
    Value(usize),
}

/// How a value stands in a shell line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quoting {
    /// Outside of quotes.
    Plain,
    /// In double quotes, or in a here-document: a reference is filled in, and not split.
    Double,
    /// In single quotes, where nothing is filled in.
    Single,
    /// Where no reference can stand.
    Refused(ValuePlace),
}

/// Words before which a command begins.
const OPENING: [&str; 11] = [
    "!", "{", "do", "then", "else", "elif", "if", "while", "until", "time", "coproc",
];

/// A here-document whose text has not come yet.
struct HereDocument {
    owner: usize,
    delimiter: String,
    is_quoted: bool,
    is_indented: bool,
}

pub(super) struct Reader<'s> {
    signs: &'s [Sign],
    at: usize,
    quotings: Vec<Quoting>,
    waiting: Vec<HereDocument>,
    documents: BTreeMap<usize, Vec<Word>>,
    commands: usize,
}

/// A list of commands that is being read.
#[derive(Default)]
struct Open {
    script: Script,
    pipeline: Vec<Command>,
    command: Command,
    /// How many `case`s are open: a `)` ends a pattern there.
    cases: usize,
    in_pattern: bool,
}

impl<'s> Reader<'s> {
    /// What `signs` with `values` values say.
    pub(super) fn read(signs: &'s [Sign], values: usize) -> (Script, Vec<Quoting>) {
        let mut reader = Self {
            signs,
            at: 0,
            quotings: vec![Quoting::Plain; values],
            waiting: Vec::new(),
            documents: BTreeMap::new(),
            commands: 0,
        };
        let mut script = reader.script(false);
        reader.read_documents();
        reader.hand_out(&mut script);
        (script, reader.quotings)
    }

    fn peek(&self) -> Option<Sign> {
        self.signs.get(self.at).copied()
    }

    fn is_next(&self, letters: &str) -> bool {
        let next = self.signs.get(self.at..).unwrap_or_default().iter();
        next.take(letters.chars().count())
            .copied()
            .eq(letters.chars().map(Sign::Char))
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

    fn refuse(&mut self, value: usize, place: ValuePlace) {
        self.mark(value, Quoting::Refused(place));
    }

    /// Commands up to the end, or behind the parenthesis that closes them.
    fn script(&mut self, in_parentheses: bool) -> Script {
        let mut open = Open {
            command: self.new_command(),
            ..Open::default()
        };
        while let Some(sign) = self.peek() {
            match sign {
                Sign::Char(' ' | '\t' | '\r') => self.at += 1,
                Sign::Char('\\') if self.is_next("\\\n") => self.at += 2,
                Sign::Char('\n') => {
                    self.at += 1;
                    self.end_pipeline(&mut open);
                    self.read_documents();
                }
                Sign::Char('#') => self.pass_comment(),
                Sign::Char('&') if self.is_next("&>") => self.redirection(&mut open),
                Sign::Char(';' | '&') => self.separator(&mut open),
                Sign::Char('|') => self.pipe(&mut open),
                Sign::Char('(') => self.parenthesis(&mut open),
                Sign::Char(')') => {
                    self.at += 1;
                    self.end_pipeline(&mut open);
                    if open.in_pattern {
                        open.in_pattern = false;
                    } else if in_parentheses {
                        break;
                    }
                }
                Sign::Char('<' | '>') if !(self.is_next("<(") || self.is_next(">(")) => {
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

    fn end_command(&mut self, open: &mut Open) {
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

    fn end_pipeline(&mut self, open: &mut Open) {
        self.end_command(open);
        if !open.pipeline.is_empty() {
            open.script
                .pipelines
                .push(std::mem::take(&mut open.pipeline));
        }
    }

    fn separator(&mut self, open: &mut Open) {
        open.in_pattern =
            open.in_pattern || open.cases > 0 && (self.is_next(";;") || self.is_next(";&"));
        while matches!(self.peek(), Some(Sign::Char(';' | '&'))) && !self.is_next("&>") {
            self.at += 1;
        }
        self.end_pipeline(open);
    }

    fn pipe(&mut self, open: &mut Open) {
        self.at += 1;
        if self.take("|") {
            self.end_pipeline(open);
        } else if !open.in_pattern {
            self.take("&");
            self.end_command(open);
            // The other side may stand on the next line.
            while matches!(self.peek(), Some(Sign::Char(' ' | '\t' | '\n'))) {
                let is_line = self.is_next("\n");
                self.at += 1;
                if is_line {
                    self.read_documents();
                }
            }
        }
    }

    fn parenthesis(&mut self, open: &mut Open) {
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
        // What the group is fed reaches its first commands, and what it prints comes from all of them.
        open.script.pipelines.extend(nested.pipelines);
        let parts = vec![Part::Text(")".to_owned())];
        open.command.words.push(Word { parts });
    }

    fn command_word(&mut self, open: &mut Open) {
        let word = self.word();
        let text = word.literal();
        let is_number = text
            .as_deref()
            .is_some_and(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
        if is_number && matches!(self.peek(), Some(Sign::Char('<' | '>'))) {
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
            // A pattern is no command.
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

    fn redirection(&mut self, open: &mut Open) {
        let operators = [
            "<<<", "<<-", "<<", "<>", "<&", ">>", ">&", ">|", "&>>", "&>", "<", ">",
        ];
        let operator = operators
            .into_iter()
            .find(|operator| self.take(operator))
            .unwrap_or_default();
        while matches!(self.peek(), Some(Sign::Char(' ' | '\t'))) {
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
        let is_quote = |sign: &Sign| matches!(sign, Sign::Char('\'' | '"' | '\\'));
        let is_quoted = self.signs[from..self.at].iter().any(is_quote);
        for part in &word.parts {
            if let Part::Value(value) = part {
                self.refuse(*value, ValuePlace::Delimiter);
            }
        }
        self.waiting.push(HereDocument {
            owner,
            delimiter: word.prefix(),
            is_quoted,
            is_indented,
        });
    }

    /// The texts of the here-documents that were announced on the line that has ended.
    fn read_documents(&mut self) {
        for document in std::mem::take(&mut self.waiting) {
            let (end, next) = self.end_of(&document);
            let mut word = Word::default();
            let rest = std::mem::take(&mut self.signs);
            // What stands in the document ends with it, also where something is open.
            self.signs = &rest[..end];
            while let Some(sign) = self.peek() {
                match sign {
                    _ if document.is_quoted => {
                        match sign {
                            Sign::Value(value) => self.refuse(value, ValuePlace::HereDocument),
                            Sign::Char(letter) => word.push(letter),
                        }
                        self.at += 1;
                    }
                    Sign::Value(value) => {
                        self.mark(value, Quoting::Double);
                        word.parts.push(Part::Value(value));
                        self.at += 1;
                    }
                    sign => self.quoted_sign(sign, &mut word),
                }
            }
            self.signs = rest;
            self.at = next;
            self.documents.entry(document.owner).or_default().push(word);
        }
    }

    /// Where the text of the document ends, and where the line goes on.
    fn end_of(&self, document: &HereDocument) -> (usize, usize) {
        let mut line = self.at;
        while line < self.signs.len() {
            let length = self.signs[line..]
                .iter()
                .position(|sign| *sign == Sign::Char('\n'));
            let end = length.map_or(self.signs.len(), |length| line + length);
            let text = self.signs[line..end]
                .iter()
                .skip_while(|sign| document.is_indented && **sign == Sign::Char('\t'));
            if text.copied().eq(document.delimiter.chars().map(Sign::Char)) {
                return (line, (end + 1).min(self.signs.len()));
            }
            line = end + 1;
        }
        (self.signs.len(), self.signs.len())
    }

    fn hand_out(&mut self, script: &mut Script) {
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
                    self.hand_out(nested);
                }
            }
        }
    }

    fn pass_comment(&mut self) {
        while self.peek().is_some_and(|sign| sign != Sign::Char('\n')) {
            self.at += 1;
        }
    }

    /// A word, up to a sign that ends one.
    fn word(&mut self) -> Word {
        let mut word = Word::default();
        while let Some(sign) = self.peek() {
            match sign {
                Sign::Value(value) => {
                    word.parts.push(Part::Value(value));
                    self.at += 1;
                }
                Sign::Char('\'') => self.single(&mut word),
                Sign::Char('"') => self.double(&mut word),
                Sign::Char('$') if self.is_next("$'") => self.ansi(&mut word),
                Sign::Char('$') if self.is_next("$\"") => self.at += 1,
                Sign::Char('<' | '>') if self.signs.get(self.at + 1) == Some(&Sign::Char('(')) => {
                    self.at += 2;
                    word.parts.push(Part::Substitution(self.script(true)));
                }
                Sign::Char(' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') => {
                    break;
                }
                Sign::Char('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(Sign::Char('\n')) => {}
                        Some(Sign::Char(letter)) => word.push(letter),
                        Some(Sign::Value(value)) => {
                            self.refuse(value, ValuePlace::Escaped);
                            word.parts.push(Part::Value(value));
                        }
                        None => break,
                    }
                    self.at += 1;
                }
                sign => self.quoted_sign(sign, &mut word),
            }
        }
        word
    }

    /// A sign that means the same with and without double quotes.
    fn quoted_sign(&mut self, sign: Sign, word: &mut Word) {
        match sign {
            Sign::Char('\\') => {
                self.at += 1;
                match self.peek() {
                    Some(Sign::Value(value)) => {
                        self.refuse(value, ValuePlace::Escaped);
                        word.parts.push(Part::Value(value));
                    }
                    Some(Sign::Char(letter @ ('$' | '`' | '"' | '\\'))) => word.push(letter),
                    Some(Sign::Char('\n')) | None => {}
                    Some(Sign::Char(letter)) => {
                        word.push('\\');
                        word.push(letter);
                    }
                }
                self.at += 1;
            }
            Sign::Char('$') => self.dollar(word),
            Sign::Char('`') => self.backquotes(word),
            Sign::Char(letter) => {
                word.push(letter);
                self.at += 1;
            }
            Sign::Value(_) => self.at += 1,
        }
    }

    fn single(&mut self, word: &mut Word) {
        self.at += 1;
        // An empty word is one, too.
        word.parts.push(Part::Text(String::new()));
        while let Some(sign) = self.peek() {
            self.at += 1;
            match sign {
                Sign::Char('\'') => break,
                Sign::Char(letter) => word.push(letter),
                Sign::Value(value) => {
                    self.mark(value, Quoting::Single);
                    word.parts.push(Part::Value(value));
                }
            }
        }
    }

    fn double(&mut self, word: &mut Word) {
        self.at += 1;
        word.parts.push(Part::Text(String::new()));
        while let Some(sign) = self.peek() {
            match sign {
                Sign::Char('"') => {
                    self.at += 1;
                    break;
                }
                Sign::Value(value) => {
                    self.mark(value, Quoting::Double);
                    word.parts.push(Part::Value(value));
                    self.at += 1;
                }
                sign => self.quoted_sign(sign, word),
            }
        }
    }

    fn ansi(&mut self, word: &mut Word) {
        self.at += 2;
        while let Some(sign) = self.peek() {
            self.at += 1;
            match sign {
                Sign::Char('\'') => break,
                Sign::Char('\\') => {
                    self.at += usize::from(matches!(self.peek(), Some(Sign::Char(_))))
                }
                Sign::Char(letter) => word.push(letter),
                Sign::Value(value) => {
                    self.refuse(value, ValuePlace::AnsiQuotes);
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
        } else if let Some(Sign::Value(value)) = self.peek() {
            self.refuse(value, ValuePlace::Escaped);
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

    /// The name of a variable, or a sign that stands for one.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(Sign::Char(letter)) = self.peek() {
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
        while matches!(self.peek(), Some(Sign::Char('#' | '!'))) {
            self.at += 1;
        }
        word.parts.push(Part::Parameter(self.name()));
        let mut inner = Word::default();
        while let Some(sign) = self.peek() {
            match sign {
                Sign::Char('}') => {
                    self.at += 1;
                    break;
                }
                Sign::Char('\'') => self.single(&mut inner),
                Sign::Char('"') => self.double(&mut inner),
                Sign::Value(value) => {
                    inner.parts.push(Part::Value(value));
                    self.at += 1;
                }
                sign => self.quoted_sign(sign, &mut inner),
            }
        }
        for part in &inner.parts {
            if let Part::Value(value) = part {
                self.refuse(*value, ValuePlace::Expansion);
            }
        }
        word.parts.extend(
            inner
                .parts
                .into_iter()
                .filter(|part| !matches!(part, Part::Text(_))),
        );
    }

    /// Passes arithmetic with `depth` open brackets, and tells the names in it.
    fn arithmetic(&mut self, mut depth: usize, opening: char, closing: char) -> Vec<String> {
        let (mut names, mut is_parameter) = (Vec::new(), false);
        while let Some(sign) = self.peek() {
            match sign {
                Sign::Value(value) => self.refuse(value, ValuePlace::Arithmetic),
                Sign::Char(letter) if letter == opening => depth += 1,
                Sign::Char(letter) if letter == closing => depth -= 1,
                Sign::Char(_) => {
                    let name = self.name();
                    if !name.is_empty() {
                        // `1` is a number, and `$1` an argument.
                        let is_number = name.starts_with(|letter: char| letter.is_ascii_digit())
                            && !is_parameter;
                        is_parameter = false;
                        names.extend((!is_number).then_some(name));
                        continue;
                    }
                }
            }
            is_parameter = sign == Sign::Char('$') || is_parameter && sign == Sign::Char('{');
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        names
    }

    fn backquotes(&mut self, word: &mut Word) {
        self.at += 1;
        while let Some(sign) = self.peek() {
            self.at += 1;
            match sign {
                Sign::Char('`') => break,
                Sign::Char('\\') => {
                    self.at += usize::from(matches!(self.peek(), Some(Sign::Char(_))))
                }
                Sign::Char(_) => {}
                Sign::Value(value) => {
                    self.refuse(value, ValuePlace::Backquotes);
                    word.parts.push(Part::Value(value));
                }
            }
        }
    }
}

fn first_is(command: &Command, text: &str) -> bool {
    command.words.first().and_then(Word::literal).as_deref() == Some(text)
}
