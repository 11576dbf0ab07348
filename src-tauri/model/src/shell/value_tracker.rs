//! Tracks which values of a line become code.

use std::collections::{BTreeMap, BTreeSet};

use super::interpreters::{
    CodeInput, SSH_OPTIONS, announces_code, base_name, code_input, is_code_variable, is_input,
    is_wrapper, names_program_first, options_with_word,
};
use super::reader::{Reader, Token};
use super::script::{Command, Part, Script, Word, is_name};
use super::value_position::ValuePosition;
use crate::template_text::TemplateExpression;

/// How deep nested code is followed.
const DEPTH: u32 = 4;

/// Words that end a group; a pipe or document after them belongs to the commands of the group.
const CLOSING: [&str; 5] = [")", "}", "done", "fi", "esac"];

/// Comparisons in `[[` that evaluate their operands.
const EVALUATING: [&str; 7] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v"];

/// Commands with variable names as arguments, which some shells evaluate.
const NAMING: [&str; 11] = [
    "unset",
    "read",
    "declare",
    "typeset",
    "local",
    "readonly",
    "export",
    "getopts",
    "mapfile",
    "readarray",
    "nameref",
];

pub(super) struct ValueTracker<'e> {
    pub(super) faults: Vec<(usize, ValuePosition)>,
    expressions: &'e [TemplateExpression<'e>],
    /// Variables that contain a value, with its number.
    tainted: BTreeMap<String, usize>,
    /// Variables with a program's output for a value, such as the size of a file. They rarely
    /// contain the value itself.
    derived: BTreeSet<String>,
    depth: u32,
}

impl<'e> ValueTracker<'e> {
    pub(super) fn new(
        expressions: &'e [TemplateExpression<'e>],
        tainted: BTreeMap<String, usize>,
    ) -> Self {
        let is_data = |number: usize| {
            !expressions
                .get(number)
                .is_some_and(TemplateExpression::is_number)
        };
        let tainted = tainted
            .into_iter()
            .filter(|(_, number)| is_data(*number))
            .collect();
        Self {
            faults: Vec::new(),
            expressions,
            tainted,
            derived: BTreeSet::new(),
            depth: DEPTH,
        }
    }

    pub(super) fn script(&mut self, script: &Script) {
        if script.has_functions {
            // The arguments of functions are not tracked: they may be any value of the line.
            let words = script
                .pipelines
                .iter()
                .flatten()
                .flat_map(Command::all_words);
            let value = self.values_of(words).first().copied();
            self.pass(value);
        }
        for pipeline in &script.pipelines {
            for (at, command) in pipeline.iter().enumerate() {
                self.inner_scripts(command);
                let fed = self.fed(script, &pipeline[..at], command);
                self.command(&command.words, &fed);
            }
        }
    }

    /// Records that the arguments of the following code may contain the value.
    fn pass(&mut self, value: Option<usize>) {
        let numbers = (1..10).map(|number: u8| number.to_string());
        let names = numbers.chain(["@".to_owned(), "*".to_owned()]);
        self.tainted.extend(
            names
                .zip(std::iter::repeat(value))
                .filter_map(|(name, value)| Some((name, value?))),
        );
    }

    /// A command that no shell parses.
    pub(super) fn arguments(&mut self, command: &Command) {
        self.program(&command.words, &[]);
    }

    fn inner_scripts(&mut self, command: &Command) {
        for part in command.all_words().flat_map(|word| &word.parts) {
            match part {
                Part::Substitution(script) => self.script(script),
                Part::Arithmetic(names) => {
                    let tainted: Vec<usize> = names
                        .iter()
                        .filter(|name| !self.derived.contains(*name))
                        .filter_map(|name| self.tainted.get(name).copied())
                        .collect();
                    self.faults.extend(
                        tainted
                            .into_iter()
                            .map(|value| (value, ValuePosition::Arithmetic)),
                    );
                }
                _ => {}
            }
        }
    }

    /// The values that may reach the input of `command`.
    fn fed(&self, script: &Script, before: &[Command], command: &Command) -> Vec<usize> {
        let is_closing = |command: &Command| {
            command
                .words
                .first()
                .and_then(Word::literal)
                .is_some_and(|word| CLOSING.contains(&word.as_str()))
        };
        let exchanges_input = |command: &Command| {
            let is_exec = command.words.first().and_then(Word::literal).as_deref() == Some("exec");
            is_exec && !(command.input.is_empty() && command.files.is_empty())
        };
        let is_shared = script.has_groups || script.pipelines.iter().flatten().any(exchanges_input);
        if before.iter().any(is_closing)
            || before.is_empty() && command.input.is_empty() && is_shared
        {
            return script
                .pipelines
                .iter()
                .flatten()
                .flat_map(|command| self.values_of(command.all_words()))
                .collect();
        }
        let input = self.values_of(command.input.iter().chain(&command.files));
        input
            .into_iter()
            .chain(
                before
                    .iter()
                    .flat_map(|command| self.values_of(command.all_words())),
            )
            .collect()
    }

    fn values_of<'w>(&self, words: impl Iterator<Item = &'w Word>) -> Vec<usize> {
        words.filter_map(|word| self.value_in(word)).collect()
    }

    /// The first value that may be part of the word. Numbers generated by Baton are safe.
    fn value_in(&self, word: &Word) -> Option<usize> {
        word.parts.iter().find_map(|part| self.value_of(part))
    }

    fn value_of(&self, part: &Part) -> Option<usize> {
        match part {
            Part::Text(_) | Part::Arithmetic(_) => None,
            Part::Value(number) => {
                let is_number = self
                    .expressions
                    .get(*number)
                    .is_some_and(TemplateExpression::is_number);
                (!is_number).then_some(*number)
            }
            Part::Parameter(name) => self.tainted.get(name).copied(),
            Part::Substitution(script) => script
                .pipelines
                .iter()
                .flatten()
                .find_map(|command| self.values_of(command.all_words()).first().copied()),
        }
    }

    /// Whether the word contains values only in the output of programs. `echo` and similar commands
    /// pass values through.
    fn is_derived(&self, word: &Word) -> bool {
        word.parts.iter().all(|part| match part {
            Part::Substitution(script) => script.pipelines.iter().flatten().all(|command| {
                let name = command
                    .words
                    .first()
                    .and_then(Word::literal)
                    .unwrap_or_default();
                let repeats =
                    ["echo", "printf"].contains(&name.as_str()) || !command.input.is_empty();
                !repeats
                    || self
                        .values_of(command.words.iter().chain(&command.input))
                        .is_empty()
            }),
            Part::Parameter(name) => {
                self.derived.contains(name) || !self.tainted.contains_key(name)
            }
            part => self.value_of(part).is_none(),
        })
    }

    /// The value at the start of the word.
    fn value_leading(&self, word: &Word) -> Option<usize> {
        let is_empty = |part: &&Part| matches!(part, Part::Text(text) if text.is_empty());
        word.parts
            .iter()
            .find(|part| !is_empty(part))
            .and_then(|part| self.value_of(part))
    }

    fn fault(&mut self, value: Option<usize>, place: impl FnOnce() -> ValuePosition) {
        self.faults.extend(value.map(|value| (value, place())));
    }

    fn command(&mut self, words: &[Word], fed: &[usize]) {
        let assignments = words
            .iter()
            .take_while(|word| word.assigned().is_some() || is_element(word))
            .count();
        for word in &words[..assignments] {
            self.assignment(word);
        }
        let words = &words[assignments..];
        let first = words.first().and_then(Word::literal).unwrap_or_default();
        if first == "for" || first == "select" {
            let value = words
                .get(3..)
                .and_then(|words| self.values_of(words.iter()).first().copied());
            let name = words.get(1).and_then(Word::literal);
            self.tainted.extend(name.zip(value));
        } else if first != "case" {
            self.program(words, fed);
        }
    }

    fn assignment(&mut self, word: &Word) {
        let value = self.value_in(word);
        match word.assigned() {
            Some(name) if is_code_variable(&name) => {
                self.fault(value, || ValuePosition::Variable { name })
            }
            Some(name) => {
                if self.is_derived(word) {
                    self.derived.insert(name.clone());
                } else {
                    self.derived.remove(&name);
                }
                self.tainted.extend(value.map(|value| (name, value)));
            }
            None => self.fault(value, || ValuePosition::Arithmetic),
        }
    }

    /// A program with its arguments.
    fn program(&mut self, words: &[Word], fed: &[usize]) {
        let Some(program) = words.first() else { return };
        let Some(name) = program.literal() else {
            let is_in_folder = program.prefix().contains('/');
            let value = self.value_in(program).filter(|_| !is_in_folder);
            self.fault(value, || ValuePosition::Program);
            return self.unnamed(words);
        };
        self.builtin(base_name(&name), &words[1..], fed);
        if !is_wrapper(&name) {
            return self.interpreter(&name, &words[1..], fed);
        }
        self.started_first(&name, &words[1..]);
        self.unnamed(&words[1..]);
        for (at, word) in words.iter().enumerate() {
            if let Some(name) = word.literal() {
                self.interpreter(&name, &words[at + 1..], fed);
                if at > 0 {
                    self.builtin(base_name(&name), &words[at + 1..], fed);
                }
            }
        }
        if words
            .iter()
            .any(|word| word.literal().as_deref() == Some("xargs"))
        {
            self.appended(words, fed);
        }
    }

    /// Code for an unknown program, such as `$SHELL -c`, or in an unusual position, as in `docker
    /// run --entrypoint`.
    fn unnamed(&mut self, words: &[Word]) {
        let has_entry = words
            .iter()
            .any(|word| word.prefix().starts_with("--entrypoint"));
        for (at, pair) in words.windows(2).enumerate() {
            let before = at.checked_sub(1).map(|before| &words[before]);
            let is_variable = before
                .is_some_and(|word| word.literal().is_none() && self.value_in(word).is_none());
            let is_unnamed = is_variable || has_entry;
            if is_unnamed
                && pair[0]
                    .literal()
                    .is_some_and(|option| announces_code(&option))
            {
                let program = before
                    .and_then(Word::literal)
                    .unwrap_or_else(|| "another program".to_owned());
                self.code(&program, &pair[1]);
            }
        }
    }

    /// Handles `xargs`, which inserts its input into code: in place of a marker, or after an option
    /// that expects code.
    fn appended(&mut self, words: &[Word], fed: &[usize]) {
        let texts: Vec<String> = words.iter().filter_map(Word::literal).collect();
        let replaces = texts
            .iter()
            .any(|text| text.starts_with("-I") || text == "-i" || text.starts_with("--replace"));
        let Some(program) = texts.iter().find(|text| code_input(text).is_some()) else {
            return;
        };
        let waits = texts
            .last()
            .is_some_and(|text| text.starts_with('-') || text == program);
        if replaces || waits {
            self.faults.extend(fed.iter().map(|value| {
                (
                    *value,
                    ValuePosition::Input {
                        program: program.clone(),
                    },
                )
            }));
        }
    }

    /// A value in place of the program that a wrapper starts, or in the wrapper's own options.
    fn started_first(&mut self, wrapper: &str, words: &[Word]) {
        let is_find = base_name(wrapper) == "find";
        let mut before = String::new();
        for word in words {
            let text = word.literal();
            if is_find {
                let starts = ["-exec", "-execdir", "-ok", "-okdir"].contains(&before.as_str());
                self.fault(self.value_leading(word).filter(|_| starts), || {
                    ValuePosition::Program
                });
            } else if !names_program_first(wrapper) {
                return;
            } else if base_name(wrapper) == "env"
                && (["-S", "--split-string"].contains(&before.as_str())
                    || is_split_string(&word.prefix()))
            {
                let program = wrapper.to_owned();
                self.fault(self.value_in(word), || ValuePosition::Code { program });
            } else if let Some(name) = word.assigned() {
                let value = self.value_in(word);
                let place = || ValuePosition::Variable { name: name.clone() };
                self.fault(value.filter(|_| is_code_variable(&name)), place);
                self.tainted
                    .extend(value.map(|value| (name.clone(), value)));
            } else if is_option_with_word(&before, options_with_word(wrapper)) {
                // It is the option's argument.
            } else if !word.prefix().starts_with('-') {
                let is_in_folder = word.prefix().contains('/');
                return self.fault(self.value_in(word).filter(|_| !is_in_folder), || {
                    ValuePosition::Program
                });
            }
            before = text.unwrap_or_default();
        }
    }

    /// Shell builtins that evaluate their arguments.
    fn builtin(&mut self, name: &str, words: &[Word], fed: &[usize]) {
        let texts: Vec<Option<String>> = words.iter().map(Word::literal).collect();
        let follows = |at: usize, text: &str| at > 0 && texts[at - 1].as_deref() == Some(text);
        let has = |text: &str| texts.iter().flatten().any(|word| word == text);
        let evaluates = name == "[[" && EVALUATING.iter().any(|comparison| has(comparison));
        let declares_number = ["declare", "typeset", "local"].contains(&name)
            && texts
                .iter()
                .flatten()
                .any(|text| text.starts_with('-') && text.contains('i'));
        for (at, word) in words.iter().enumerate() {
            let (value, leading) = (self.value_in(word), self.value_leading(word));
            let is_evaluated = match name {
                "let" => value,
                "[[" => value.filter(|_| evaluates),
                "test" | "[" => value.filter(|_| follows(at, "-v")),
                "printf" if at == 0 => {
                    let program = name.to_owned();
                    self.fault(leading, || ValuePosition::Option { program });
                    None
                }
                "printf" => value.filter(|_| at == 1 && follows(at, "-v")),
                "set" => {
                    self.pass(value);
                    None
                }
                "." | "source" if at == 0 => {
                    self.fault(leading, || ValuePosition::Program);
                    None
                }
                _ if declares_number => value,
                _ if NAMING.contains(&name) => leading.or(value.filter(|_| is_element(word))),
                _ => None,
            };
            self.fault(is_evaluated, || ValuePosition::Arithmetic);
            let sets = NAMING.contains(&name).then(|| word.assigned()).flatten();
            if let Some(name) = sets.clone().filter(|name| is_code_variable(name)) {
                self.fault(value, || ValuePosition::Variable { name });
            }
            self.tainted.extend(sets.zip(value));
            if ["read", "mapfile", "readarray"].contains(&name)
                && texts[at].as_deref().is_some_and(is_name)
            {
                self.tainted
                    .extend(texts[at].clone().zip(fed.first().copied()));
            }
            if name == "printf" && texts[0].as_deref() == Some("-v") && at > 1 {
                self.tainted.extend(texts[1].clone().zip(value));
            }
        }
        if [".", "source"].contains(&name)
            && texts
                .first()
                .and_then(Option::as_deref)
                .is_some_and(is_input)
        {
            self.feeds(name, fed);
        }
    }

    fn feeds(&mut self, program: &str, fed: &[usize]) {
        let place = || ValuePosition::Input {
            program: program.to_owned(),
        };
        self.faults
            .extend(fed.iter().map(|value| (*value, place())));
    }

    fn code(&mut self, program: &str, word: &Word) {
        self.fault(self.value_in(word), || ValuePosition::Code {
            program: base_name(program).to_owned(),
        });
    }

    fn interpreter(&mut self, program: &str, words: &[Word], fed: &[usize]) {
        match code_input(program) {
            None => {}
            Some(CodeInput::Shell) => self.shell(program, words, fed),
            Some(CodeInput::Option {
                letters,
                long,
                reads_input,
            }) => {
                let has_code = self.option(program, words, (letters, long), reads_input);
                if reads_input && !has_code {
                    self.feeds(program, fed);
                }
            }
            Some(CodeInput::First { harmless, .. })
                if words
                    .iter()
                    .any(|word| word.literal().as_deref() == Some(harmless)) => {}
            Some(CodeInput::First {
                code, files, data, ..
            }) => self.first(program, words, [code, files, data], fed),
            Some(CodeInput::Words) => {
                words.iter().for_each(|word| self.code(program, word));
                self.inner_code(
                    &words
                        .iter()
                        .filter_map(Word::literal)
                        .collect::<Vec<_>>()
                        .join(" "),
                    &[],
                );
            }
            Some(CodeInput::Remote) => self.remote(program, words, fed),
        }
    }

    /// Checks code in options, and values where options are expected. Returns whether any code or
    /// file was given.
    fn option(
        &mut self,
        program: &str,
        words: &[Word],
        (letters, long): (&str, &[&str]),
        reads_input: bool,
    ) -> bool {
        let (mut is_code, mut has_code, mut before) = (false, false, String::new());
        for word in words {
            let prefix = word.prefix();
            if std::mem::take(&mut is_code) {
                self.code(program, word);
            } else if before == "--" {
                return true;
            } else if long.contains(&prefix.as_str()) && word.literal().is_some() {
                (is_code, has_code) = (true, true);
            } else if long
                .iter()
                .any(|option| prefix.starts_with(&format!("{option}=")))
            {
                has_code = true;
                self.code(program, word);
            } else if prefix.starts_with('-') && prefix.len() > 1 && !prefix.starts_with("--") {
                let at = prefix.find(|letter| letters.contains(letter));
                has_code |= at.is_some();
                is_code = at.is_some_and(|at| at + 1 == prefix.len()) && word.literal().is_some();
                self.code(program, word);
            } else if prefix.starts_with('-') {
                self.fault(self.value_in(word), || ValuePosition::Option {
                    program: program.to_owned(),
                });
            } else if word.literal().is_some()
                && before.starts_with('-')
                && before.len() > 1
                && !has_code
            {
                // It may be the option's argument, with code to follow.
            } else {
                if !reads_input {
                    // Options may follow.
                    before = word.literal().unwrap_or_default();
                    continue;
                }
                // A file, or the first argument of the code. Python parses no options after its
                // code.
                let is_data = has_code && letters == "c" && reads_input;
                let value = self.value_leading(word).filter(|_| !is_data);
                self.fault(value, || ValuePosition::Option {
                    program: program.to_owned(),
                });
                return has_code || !word.literal().is_some_and(|file| is_input(&file));
            }
            before = word.literal().unwrap_or_default();
        }
        has_code
    }

    fn first(
        &mut self,
        program: &str,
        words: &[Word],
        [code, files, data]: [&[&str]; 3],
        fed: &[usize],
    ) {
        let (mut has_code, mut before, mut is_behind) = (false, String::new(), false);
        for word in words {
            let prefix = word.prefix();
            let takes = |options: &[&str]| options.contains(&before.as_str()) && !is_behind;
            let holds = |options: &[&str]| {
                options
                    .iter()
                    .any(|option| prefix.len() > option.len() && prefix.starts_with(option))
                    && !is_behind
            };
            if takes(code) || holds(code) {
                has_code = true;
                self.code(program, word);
            } else if takes(files) || holds(files) {
                has_code = true;
                self.fault(self.value_leading(word), || ValuePosition::Program);
                if word.literal().is_some_and(|file| {
                    is_input(file.trim_start_matches("-f").trim_start_matches("--file="))
                }) {
                    self.feeds(program, fed);
                }
            } else if takes(data) || holds(data) {
            } else if prefix == "--" && word.literal().is_some() {
                is_behind = true;
            } else if word.literal().is_some_and(|text| text.is_empty()) {
                // `sed -i ''`: an empty backup suffix.
            } else if !prefix.starts_with('-') && !has_code {
                has_code = true;
                self.code(program, word);
            } else if prefix.starts_with('-') && !is_behind {
                self.fault(self.value_in(word), || ValuePosition::Option {
                    program: program.to_owned(),
                });
            }
            before = word.literal().unwrap_or_default();
        }
    }

    fn shell(&mut self, program: &str, words: &[Word], fed: &[usize]) {
        let (mut code_input, mut reads_input, mut at, mut is_behind) = (false, false, 0, false);
        while let Some(word) = words.get(at) {
            let prefix = word.prefix();
            if prefix.starts_with("--") && word.literal().is_some_and(|text| text == "--") {
                is_behind = true;
                at += 1;
                break;
            }
            if !(prefix.starts_with('-') && prefix.len() > 1 || prefix.starts_with('+')) {
                break;
            }
            self.fault(self.value_in(word), || ValuePosition::Option {
                program: program.to_owned(),
            });
            let is_short = !prefix.starts_with("--");
            code_input |= is_short && prefix.contains('c') || prefix == "--command";
            reads_input |= is_short && prefix.contains('s');
            let takes_word = is_short && prefix.ends_with(['o', 'O'])
                || prefix == "--rcfile"
                || prefix == "--init-file";
            if let Some(word) = words.get(at + 1).filter(|_| takes_word) {
                self.fault(self.value_in(word), || ValuePosition::Option {
                    program: program.to_owned(),
                });
            }
            at += if takes_word { 2 } else { 1 };
        }
        let Some(word) = words.get(at) else {
            return self.feeds(program, fed);
        };
        if code_input {
            self.code(program, word);
            if let Some(code) = word.literal() {
                self.inner_code(&code, &words[at + 1..]);
            }
            return;
        }
        if reads_input || word.literal().is_some_and(|file| is_input(&file)) {
            return self.feeds(program, fed);
        }
        let is_script =
            |part: &Part| matches!(part, Part::Substitution(_)) && self.value_of(part).is_some();
        let value = if word.parts.iter().any(is_script) {
            self.value_in(word)
        } else {
            self.value_leading(word)
        };
        self.fault(value.filter(|_| !is_behind), || ValuePosition::Option {
            program: program.to_owned(),
        });
    }

    fn remote(&mut self, program: &str, words: &[Word], fed: &[usize]) {
        let (mut at, mut is_behind) = (0, false);
        while let Some(word) = words.get(at) {
            let prefix = word.prefix();
            is_behind |= word.literal().as_deref() == Some("--");
            if !prefix.starts_with('-') {
                break;
            }
            let is_setting = prefix.starts_with("-o");
            self.fault(self.value_in(word).filter(|_| is_setting), || {
                ValuePosition::Code {
                    program: program.to_owned(),
                }
            });
            let takes_word =
                prefix.len() == 2 && SSH_OPTIONS.contains(&prefix[1..]) && word.literal().is_some();
            if let Some(word) = words.get(at + 1).filter(|_| takes_word && is_setting) {
                self.code(program, word);
            }
            at += if takes_word { 2 } else { 1 };
        }
        let leading = words.get(at).and_then(|word| self.value_leading(word));
        self.fault(leading.filter(|_| !is_behind), || ValuePosition::Option {
            program: program.to_owned(),
        });
        let command = words.get(at + 1..).unwrap_or_default();
        command.iter().for_each(|word| self.code(program, word));
        match command
            .iter()
            .map(Word::literal)
            .collect::<Option<Vec<_>>>()
        {
            Some(texts) if texts.is_empty() => self.feeds(program, fed),
            Some(texts) => self.inner_script(&texts.join(" "), &[], fed),
            None => {}
        }
    }

    /// Code for a nested shell that receives `arguments`.
    fn inner_code(&mut self, code: &str, arguments: &[Word]) {
        self.inner_script(code, arguments, &[]);
    }

    fn inner_script(&mut self, code: &str, arguments: &[Word], fed: &[usize]) {
        if self.depth == 0 {
            return;
        }
        let tokens: Vec<Token> = code.chars().map(Token::Char).collect();
        let (mut script, _) = Reader::read(&tokens, 0);
        let mut tainted = self.tainted.clone();
        for (number, word) in arguments.iter().enumerate() {
            let value = self.value_in(word);
            let names = [number.to_string(), "@".to_owned(), "*".to_owned()];
            tainted.extend(
                value
                    .into_iter()
                    .flat_map(|value| names.clone().map(|name| (name, value))),
            );
        }
        if let Some(first) = script
            .pipelines
            .first_mut()
            .and_then(|pipeline| pipeline.first_mut())
        {
            // The shell's input may be read by its first command.
            let parts = fed
                .iter()
                .map(|value| Part::Value(*value))
                .collect::<Vec<_>>();
            first
                .input
                .extend((!parts.is_empty()).then_some(Word { parts }));
        }
        let mut inner = ValueTracker {
            faults: Vec::new(),
            expressions: self.expressions,
            tainted,
            derived: self.derived.clone(),
            depth: self.depth - 1,
        };
        inner.script(&script);
        let known: BTreeSet<_> = self.faults.iter().cloned().collect();
        self.faults.extend(
            inner
                .faults
                .into_iter()
                .filter(|fault| !known.contains(fault)),
        );
    }
}

/// Whether this assigns an array element, whose index is evaluated.
fn is_element(word: &Word) -> bool {
    let prefix = word.prefix();
    prefix
        .split_once('[')
        .is_some_and(|(name, rest)| is_name(name) && !rest.contains(']'))
        && word.literal().is_none()
}

fn is_split_string(option: &str) -> bool {
    option.starts_with("-S") || option.starts_with("--split-string")
}

fn is_short_option(text: &str) -> bool {
    text.len() == 2 && text.starts_with('-')
}

fn is_option_with_word(text: &str, letters: &str) -> bool {
    is_short_option(text) && letters.contains(&text[1..])
}
