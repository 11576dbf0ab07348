//! Parses a shell line with certainty, or not at all.
//!
//! [`simple_commands`] decides what runs without asking, so it only accepts what `sh`, `bash` and
//! `zsh` parse alike: plain and quoted words, the separators `;`, `&&`, `||`, `|` and line breaks,
//! and redirections that write no file. Anything else, such as a substitution, variable, group,
//! here-document, comment or `&`, makes the line unparsable.

/// The maximum length of a line that is parsed, in bytes.
const LENGTH_LIMIT: usize = 10_000;

/// Folders with shells that an agent may use in `bash -lc '…'`.
const SHELL_FOLDERS: [&str; 5] = [
    "",
    "/bin/",
    "/usr/bin/",
    "/usr/local/bin/",
    "/opt/homebrew/bin/",
];

/// The words of one command. `None` is a word that the shell would expand, such as a glob.
pub(crate) type CommandWords = Vec<Option<String>>;

/// The simple commands of `line` in order, at least one; `None` if it can't be parsed with
/// certainty.
///
/// Agents run lines as `bash -lc '…'`. In that case the inner line is parsed, at one level only.
#[must_use]
pub(crate) fn simple_commands(line: &str) -> Option<Vec<CommandWords>> {
    let commands = LineReader::read(line)?;
    match &commands[..] {
        [only] => match line_of_shell(only) {
            Some(inner) => LineReader::read(&inner),
            None => Some(commands),
        },
        _ => Some(commands),
    }
}

fn line_of_shell(words: &CommandWords) -> Option<String> {
    let [Some(shell), Some(option), Some(line)] = &words[..] else {
        return None;
    };
    let is_shell = ["sh", "bash", "zsh", "dash"].iter().any(|name| {
        SHELL_FOLDERS
            .iter()
            .any(|folder| shell.strip_prefix(folder) == Some(name))
    });
    (is_shell && (option == "-c" || option == "-lc")).then(|| line.clone())
}

/// A word being read.
#[derive(Default)]
struct OpenWord {
    text: String,
    /// The shell would expand it.
    is_pattern: bool,
    /// Part of it was quoted or escaped.
    is_quoted: bool,
}

struct LineReader {
    letters: Vec<char>,
    at: usize,
    commands: Vec<CommandWords>,
    command: CommandWords,
    word: Option<OpenWord>,
    /// A `&&`, `||` or `|` still needs its right side.
    is_continued: bool,
}

impl LineReader {
    fn read(line: &str) -> Option<Vec<CommandWords>> {
        if line.len() > LENGTH_LIMIT {
            return None;
        }
        let mut reader = Self {
            letters: line.chars().collect(),
            at: 0,
            commands: Vec::new(),
            command: Vec::new(),
            word: None,
            is_continued: false,
        };
        while let Some(letter) = reader.take() {
            reader.letter(letter)?;
        }
        reader.end_word();
        if !reader.command.is_empty() {
            reader.end_command()?;
        }
        (!reader.is_continued && !reader.commands.is_empty()).then_some(reader.commands)
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    fn takes(&mut self, letter: char) -> bool {
        let is_next = self.peek() == Some(letter);
        self.at += usize::from(is_next);
        is_next
    }

    fn open(&mut self) -> &mut OpenWord {
        self.word.get_or_insert_default()
    }

    fn letter(&mut self, letter: char) -> Option<()> {
        match letter {
            ' ' | '\t' => self.end_word(),
            '\n' => {
                self.end_word();
                if !self.command.is_empty() {
                    self.end_command()?;
                }
            }
            ';' => {
                self.end_command()?;
                if matches!(self.peek(), Some(';' | '&' | '|')) {
                    return None;
                }
            }
            '|' => {
                self.end_command()?;
                self.takes('|');
                self.is_continued = true;
            }
            '&' if self.takes('&') => {
                self.end_command()?;
                self.is_continued = true;
            }
            '&' if self.takes('>') => {
                self.end_word();
                self.takes('>');
                self.discard()?;
            }
            '>' | '<' => self.redirection(letter)?,
            '\'' => self.single()?,
            '"' => self.double()?,
            '\\' => {
                let letter = self
                    .take()
                    .filter(|letter| is_text(*letter) && *letter != '\n')?;
                let word = self.open();
                word.text.push(letter);
                word.is_quoted = true;
            }
            '$' | '`' | '(' | ')' | '{' | '}' | '!' | '&' => return None,
            '#' if self.word.is_none() => return None,
            // In zsh, `=name` expands to the path of a program.
            '=' if self.word.is_none() => self.open().is_pattern = true,
            '*' | '?' | '[' | ']' | '~' | '^' | '#' => self.open().is_pattern = true,
            letter if is_text(letter) && !letter.is_whitespace() => self.open().text.push(letter),
            _ => return None,
        }
        Some(())
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            self.command.push((!word.is_pattern).then_some(word.text));
        }
    }

    fn end_command(&mut self) -> Option<()> {
        self.end_word();
        let command = std::mem::take(&mut self.command);
        self.is_continued = false;
        (!command.is_empty()).then(|| self.commands.push(command))
    }

    /// Accepts `2>&1`, and redirections from or to `/dev/null`.
    fn redirection(&mut self, letter: char) -> Option<()> {
        let is_number = |word: &OpenWord| {
            !word.is_quoted
                && !word.is_pattern
                && !word.text.is_empty()
                && word.text.bytes().all(|b| b.is_ascii_digit())
        };
        if self.word.as_ref().is_some_and(is_number) {
            self.word.take().filter(|word| word.text.len() == 1)?;
        }
        self.end_word();
        if letter == '>' && self.takes('&') {
            self.take().filter(|letter| ('0'..='2').contains(letter))?;
            return self.is_boundary().then_some(());
        }
        if letter == '>' {
            self.takes('>');
        }
        self.discard()
    }

    /// The file of a redirection, which must be `/dev/null`.
    fn discard(&mut self) -> Option<()> {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        for letter in "/dev/null".chars() {
            self.takes(letter).then_some(())?;
        }
        self.is_boundary().then_some(())
    }

    fn is_boundary(&self) -> bool {
        matches!(
            self.peek(),
            None | Some(' ' | '\t' | '\n' | ';' | '|' | '&')
        )
    }

    fn single(&mut self) -> Option<()> {
        self.open().is_quoted = true;
        loop {
            match self.take()? {
                '\'' => return Some(()),
                // fish ends the quotes elsewhere.
                '\\' if matches!(self.peek(), Some('\'' | '\\')) => return None,
                letter if is_text(letter) => self.open().text.push(letter),
                _ => return None,
            }
        }
    }

    fn double(&mut self) -> Option<()> {
        self.open().is_quoted = true;
        loop {
            match self.take()? {
                '"' => return Some(()),
                '$' | '`' => return None,
                '\\' => match self.take()? {
                    letter @ ('$' | '`' | '"' | '\\') => self.open().text.push(letter),
                    letter if is_text(letter) && letter != '\n' => {
                        self.open().text.push('\\');
                        self.open().text.push(letter);
                    }
                    _ => return None,
                },
                letter if is_text(letter) => self.open().text.push(letter),
                _ => return None,
            }
        }
    }
}

fn is_text(letter: char) -> bool {
    !letter.is_control() || letter == '\n' || letter == '\t'
}

#[cfg(test)]
mod tests {
    use super::super::reader::{Reader, Token};
    use super::*;

    fn read(line: &str) -> Option<Vec<String>> {
        let words = |words: CommandWords| {
            words
                .into_iter()
                .map(|word| word.unwrap_or_else(|| "*".to_owned()))
                .collect::<Vec<_>>()
                .join("_")
        };
        simple_commands(line).map(|commands| commands.into_iter().map(words).collect())
    }

    #[test]
    fn unambiguous_lines_are_parsed() {
        for (line, expected) in [
            ("git push", &["git_push"][..]),
            ("  git\tpush  ", &["git_push"]),
            ("git push;", &["git_push"]),
            ("git push\n", &["git_push"]),
            (
                "git add a && git commit -m 'a; b' || true",
                &["git_add_a", "git_commit_-m_a; b", "true"],
            ),
            ("a | b\nc; d", &["a", "b", "c", "d"]),
            ("a &&\n b", &["a", "b"]),
            ("cargo test 2>&1 | tail -5", &["cargo_test", "tail_-5"]),
            ("a >/dev/null 2>&1", &["a"]),
            ("a > /dev/null 2>>/dev/null </dev/null", &["a"]),
            ("a &>/dev/null; b >&2", &["a", "b"]),
            ("a2>&1", &["a2"]),
            ("a '2'>&1", &["a_2"]),
            ("g\\it 'pu'\"sh\"", &["git_push"]),
            (
                "git commit -m \"a\nb \\\"c\\\" \\$d\"",
                &["git_commit_-m_a\nb \"c\" $d"],
            ),
            ("git commit -m ''", &["git_commit_-m_"]),
            ("git add *.rs src/? ~/x HEAD^", &["git_add_*_*_*_*"]),
            ("bash -lc 'git push && ls'", &["git_push", "ls"]),
            ("/bin/bash -lc 'git push'", &["git_push"]),
            ("sh -c \"git 'a b'\"", &["git_a b"]),
            ("bash -lc 'bash -lc ls'", &["bash_-lc_ls"]),
            ("bash -lc ls x", &["bash_-lc_ls_x"]),
            ("./bash -lc ls", &["./bash_-lc_ls"]),
            ("bash -ic ls", &["bash_-ic_ls"]),
        ] {
            assert_eq!(
                read(line).as_deref(),
                Some(
                    &expected
                        .iter()
                        .map(|&text| text.to_owned())
                        .collect::<Vec<_>>()[..]
                ),
                "{line}"
            );
        }
    }

    #[test]
    fn ambiguous_lines_are_rejected() {
        for line in [
            "",
            " ",
            "\n",
            ";",
            "&&",
            "a &&",
            "a |",
            "; a",
            "a ;; b",
            "a;|b",
            "a & b",
            "a &",
            "a |& b",
            "a ||| b",
            "a &&& b",
            "a $(b)",
            "a `b`",
            "a \"$(b)\"",
            "a \"`b`\"",
            "a $b",
            "a ${b}",
            "a $'b'",
            "a $\"b\"",
            "$a",
            "a <(b)",
            "a >(b)",
            "a =(b)",
            "(a)",
            "{ a; }",
            "a {b,c}",
            "a > b",
            "a >> b",
            "a >| b",
            "a >/dev/nullx",
            "a >/dev/null/../x",
            "a >\"/dev/null\"",
            "a >& b",
            "a >&b",
            "a >&3",
            "a 12>&1",
            "a >&1x",
            "a < b",
            "a <<b\nc\nb",
            "a <<< b",
            "a <> b",
            "a <& 3",
            "a &> b",
            "a # b",
            "# a",
            "a \\\nb",
            "a\\",
            "a 'b",
            "a \"b",
            "a 'b\\' ; c",
            "a \"b\\\nc\"",
            "! a",
            "a !b",
            "a\r\nb",
            "a \u{0}b",
            "a\u{b}b",
            "a\u{a0}b",
            "a \u{7}",
            "f() { a; }",
            "a '\u{1b}[2J'",
            "bash -lc 'a $(b)'",
            "bash -lc ''",
            "bash -lc 'a > b'",
            ">/dev/null",
        ] {
            assert_eq!(read(line), None, "{line:?}");
        }
        assert_eq!(read(&format!("a {}", "b".repeat(LENGTH_LIMIT))), None);
    }

    /// An independent parser has to find the same commands.
    #[test]
    fn both_parsers_agree_on_commands() {
        for line in [
            "git push && ls -l | wc",
            "a 'b c'\\;\"d\"; e 2>&1\nf >/dev/null",
            "x -m \"a\nb\" || y",
            "a\\ b c",
        ] {
            let tokens: Vec<Token> = line.chars().map(Token::Char).collect();
            let (script, _) = Reader::read(&tokens, 0);
            let other: Vec<CommandWords> = script
                .pipelines
                .iter()
                .flatten()
                .map(|command| {
                    command
                        .words
                        .iter()
                        .map(super::super::script::Word::literal)
                        .collect()
                })
                .collect();
            assert_eq!(simple_commands(line), Some(other), "{line:?}");
        }
    }
}
