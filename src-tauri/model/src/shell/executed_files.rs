//! Finds the files that a shell line runs: scripts it starts, and the files that interpreters, test
//! runners and build tools read as programs.
//!
//! Only the line itself is analyzed. Files that a script starts in turn are not followed, nor are
//! names with wildcards or variables. The result may contain names that don't exist; the caller
//! checks the file system.

use super::interpreters::{CodeInput, base_name, code_input, is_input, is_wrapper};
use super::reader::{Reader, Token};
use super::script::{Command, Part, Script, Word};

/// How deep nested code is followed.
const DEPTH: u32 = 4;
/// How many directory changes in a line are followed.
const DIRECTORIES: usize = 8;

/// A file that a line may run, relative to its working directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExecutedFile {
    /// The first existing file is run. The words before it belong to options.
    FirstOf(Vec<String>),
    /// This is run if it is a program. The line names it as the argument of an unknown command.
    IfProgram(String),
}

/// The files that the shell line `line` may run. Values of other nodes are ignored.
#[must_use]
pub fn executed_files(line: &str) -> Vec<ExecutedFile> {
    let tokens: Vec<Token> = line.chars().map(Token::Char).collect();
    let (script, _) = Reader::read(&tokens, 0);
    let mut finder = Finder {
        directories: vec![String::new()],
        found: Vec::new(),
        depth: DEPTH,
    };
    finder.script(&script);
    let mut found = finder.found;
    found.sort();
    found.dedup();
    found
}

struct Finder {
    /// Directories the line may be in. It starts in the first.
    directories: Vec<String>,
    found: Vec<ExecutedFile>,
    depth: u32,
}

impl Finder {
    fn script(&mut self, script: &Script) {
        for pipeline in &script.pipelines {
            for (at, command) in pipeline.iter().enumerate() {
                self.substitutions(command);
                self.command(command, &pipeline[..at]);
            }
        }
    }

    fn substitutions(&mut self, command: &Command) {
        for part in command.all_words().flat_map(|word| &word.parts) {
            if let Part::Substitution(script) = part {
                self.script(script);
            }
        }
    }

    fn command(&mut self, command: &Command, before: &[Command]) {
        let words = command
            .words
            .iter()
            .skip_while(|word| word.assigned().is_some() || word.literal().as_deref() == Some(")"));
        let words: Vec<String> = words
            .map(|word| word.literal().unwrap_or_default())
            .collect();
        self.named(&words);
        let fed = before
            .iter()
            .flat_map(|command| &command.words)
            .chain(&command.files);
        let fed: Vec<String> = fed.filter_map(Word::literal).collect();
        self.program(&words, &fed);
        // Code in a here-document is run by the interpreter that reads it.
        for document in command.input.iter().filter_map(Word::literal) {
            if matches!(
                words.first().and_then(|program| code_input(program)),
                Some(CodeInput::Shell)
            ) {
                self.code(&document);
            }
        }
    }

    /// Any word may name a program, including the value of an option.
    fn named(&mut self, words: &[String]) {
        for word in words {
            let value = word
                .split_once('=')
                .filter(|_| word.starts_with('-'))
                .map(|(_, value)| value);
            for name in [Some(word.as_str()), value]
                .into_iter()
                .flatten()
                .filter(|name| is_name(name))
            {
                self.each_directory(name, ExecutedFile::IfProgram);
            }
        }
    }

    fn program(&mut self, words: &[String], fed: &[String]) {
        let Some((program, rest)) = words.split_first() else {
            return;
        };
        if program.contains('/') {
            self.run([program.as_str()]);
        }
        let name = base_name(program);
        match name {
            "cd" | "pushd" => self.change_directory(rest),
            "source" | "." => self.run(names(rest).take(1)),
            _ => self.build_tool(name, rest),
        }
        if TEST_RUNNERS.contains(&without_version(name)) {
            names(rest).for_each(|name| self.run([name]));
        }
        if RUNNERS.contains(&name) {
            self.run(names(rest));
        }
        match code_input(program) {
            Some(CodeInput::Shell) => self.shell(rest, fed),
            Some(CodeInput::Option {
                letters,
                long,
                reads_input: true,
            }) => {
                self.interpreter(rest, fed, (letters, long));
            }
            Some(CodeInput::First { files, .. }) => {
                let follows = rest
                    .windows(2)
                    .filter(|pair| files.contains(&pair[0].as_str()));
                let named: Vec<&str> = follows.map(|pair| pair[1].as_str()).collect();
                named.into_iter().for_each(|name| self.run([name]));
            }
            Some(CodeInput::Words) => self.code(&rest.join(" ")),
            _ => {}
        }
        if is_wrapper(program) {
            self.started(rest, fed);
        }
    }

    /// A wrapper such as `timeout 60 bash check.sh`. The program it starts is recognized by its
    /// name, or by a folder in it.
    fn started(&mut self, words: &[String], fed: &[String]) {
        let is_known = |word: &str| {
            let name = base_name(word);
            code_input(name).is_some()
                || is_wrapper(name)
                || RUNNERS.contains(&name)
                || TEST_RUNNERS.contains(&without_version(name))
                || project_files(name).is_some()
        };
        let at = words
            .iter()
            .position(|word| !word.starts_with('-') && (word.contains('/') || is_known(word)));
        if let Some(at) = at.filter(|_| self.depth > 0) {
            self.depth -= 1;
            self.program(&words[at..], fed);
            self.depth += 1;
        }
    }

    fn shell(&mut self, words: &[String], fed: &[String]) {
        let code_input =
            |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
        let options = words
            .iter()
            .take_while(|word| word.starts_with(['-', '+']))
            .count();
        match words
            .get(options)
            .filter(|_| words[..options].iter().any(code_input))
        {
            Some(code) => self.code(code),
            None => self.script_or_input(words, fed),
        }
    }

    fn interpreter(&mut self, words: &[String], fed: &[String], (letters, long): (&str, &[&str])) {
        if words.iter().any(|word| word == "--test")
            || words.first().is_some_and(|word| word == "test")
        {
            return names(words).for_each(|name| self.run([name]));
        }
        // `python -m pytest tests/a.py`
        if let Some(at) = words.iter().position(|word| word == "-m") {
            return self.program(words.get(at + 1..).unwrap_or_default(), fed);
        }
        let has_letter = |word: &str| {
            word.starts_with('-')
                && !word.starts_with("--")
                && word.ends_with(|letter| letters.contains(letter))
        };
        if !words
            .iter()
            .any(|word| has_letter(word) || long.contains(&word.as_str()))
        {
            self.script_or_input(words, fed);
        }
    }

    fn script_or_input(&mut self, words: &[String], fed: &[String]) {
        let mut own = names(words).filter(|word| !is_input(word)).peekable();
        match own.peek() {
            Some(_) => self.run(own),
            // Its input is its code.
            None => fed.iter().for_each(|name| self.run([name.as_str()])),
        }
    }

    fn code(&mut self, code: &str) {
        if self.depth == 0 {
            return;
        }
        self.depth -= 1;
        let tokens: Vec<Token> = code.chars().map(Token::Char).collect();
        let (script, _) = Reader::read(&tokens, 0);
        self.script(&script);
        self.depth += 1;
    }

    /// `npm test`, `make check`: the project file defines what runs.
    fn build_tool(&mut self, name: &str, words: &[String]) {
        let Some((files, directory_options, file_options)) = project_files(name) else {
            return;
        };
        let follows = |options: &[&str]| {
            let at = words
                .iter()
                .position(|word| options.contains(&word.as_str()));
            at.and_then(|at| words.get(at + 1)).map(String::as_str)
        };
        let directory = follows(directory_options).unwrap_or_default();
        let in_directory = |file: &str| joined(directory, file);
        let files: Vec<String> = match follows(file_options) {
            Some(file) => vec![in_directory(file)],
            None => files.iter().map(|file| in_directory(file)).collect(),
        };
        self.run(files.iter().map(String::as_str));
    }

    fn change_directory(&mut self, words: &[String]) {
        let Some(to) = names(words).next() else {
            return;
        };
        let reached: Vec<String> = self
            .directories
            .iter()
            .map(|from| joined(from, to))
            .collect();
        for directory in reached {
            if self.directories.len() < DIRECTORIES && !self.directories.contains(&directory) {
                self.directories.push(directory);
            }
        }
    }

    fn run<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let names: Vec<&str> = names.into_iter().filter(|name| is_name(name)).collect();
        if !names.is_empty() {
            for directory in self.directories.clone() {
                self.found.push(ExecutedFile::FirstOf(
                    names.iter().map(|name| joined(&directory, name)).collect(),
                ));
            }
        }
    }

    fn each_directory(&mut self, name: &str, kind: impl Fn(String) -> ExecutedFile) {
        let all = self
            .directories
            .iter()
            .map(|directory| kind(joined(directory, name)));
        self.found.extend(all);
    }
}

/// Programs that run every file they are given.
const TEST_RUNNERS: [&str; 13] = [
    "pytest",
    "py.test",
    "bats",
    "jest",
    "vitest",
    "mocha",
    "rspec",
    "phpunit",
    "ava",
    "tap",
    "prove",
    "busted",
    "playwright",
];

/// Programs other than interpreters that run the first file they are given.
const RUNNERS: [&str; 9] = [
    "tsx",
    "ts-node",
    "uv",
    "npx",
    "bunx",
    "pnpx",
    "go",
    "swift",
    "run-parts",
];

/// The project files of the tool `name`, of which the first existing one is used, and its options
/// for another directory and another file.
fn project_files(
    name: &str,
) -> Option<(
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
)> {
    Some(match name {
        "npm" => (&["package.json"], &["--prefix", "-C"], &[]),
        "pnpm" => (&["package.json"], &["--dir", "-C"], &[]),
        "yarn" | "bun" => (&["package.json"], &["--cwd"], &[]),
        "make" | "gmake" => (
            &["GNUmakefile", "makefile", "Makefile"],
            &["-C", "--directory"],
            &["-f", "--file"],
        ),
        "just" => (
            &["justfile", "Justfile", ".justfile"],
            &["-d", "--working-directory"],
            &["-f", "--justfile"],
        ),
        "task" => (
            &["Taskfile.yml", "Taskfile.yaml"],
            &["-d", "--dir"],
            &["-t", "--taskfile"],
        ),
        "rake" => (
            &["Rakefile", "rakefile", "Rakefile.rb"],
            &["-C", "--directory"],
            &["-f", "--rakefile"],
        ),
        "tox" => (&["tox.ini"], &[], &["-c"]),
        _ => return None,
    })
}

/// The words that are not options.
fn names(words: &[String]) -> impl Iterator<Item = &str> {
    words
        .iter()
        .map(String::as_str)
        .filter(|word| is_name(word))
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-') && word.len() < 4096 && !word.contains('\0')
}

/// Removes the version from names such as `pytest3` and `python3.12`.
fn without_version(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '-')
}

fn joined(directory: &str, name: &str) -> String {
    // pytest and rspec accept a test name within a file.
    let name = name.split_once("::").map_or(name, |(file, _)| file);
    if directory.is_empty() || name.starts_with('/') {
        name.to_owned()
    } else {
        format!("{directory}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what the line runs if every name without a space is a file: the first of each
    /// choice.
    fn runs(line: &str) -> Vec<Vec<String>> {
        let of = |file| match file {
            ExecutedFile::FirstOf(names) => Some(names),
            ExecutedFile::IfProgram(_) => None,
        };
        executed_files(line).into_iter().filter_map(of).collect()
    }

    #[test]
    fn executed_files_are_found() {
        let table: &[(&str, &[&[&str]])] = &[
            ("./check.sh", &[&["./check.sh"]]),
            ("tests/check.sh --all out.txt", &[&["tests/check.sh"]]),
            ("/abs/check.sh", &[&["/abs/check.sh"]]),
            ("bash tests/verify.sh", &[&["tests/verify.sh"]]),
            (
                "bash -eu tests/verify.sh data.txt",
                &[&["tests/verify.sh", "data.txt"]],
            ),
            (
                "python3 -W ignore scripts/check.py",
                &[&["ignore", "scripts/check.py"]],
            ),
            ("python3.12 check.py", &[&["check.py"]]),
            (
                "python -m pytest tests/a.py::one tests/b.py",
                &[&["tests/a.py"], &["tests/b.py"]],
            ),
            ("node check.mjs", &[&["check.mjs"]]),
            ("node --test a.mjs b.mjs", &[&["a.mjs"], &["b.mjs"]]),
            ("bash -o pipefail check.sh", &[&["pipefail", "check.sh"]]),
            ("deno run --allow-read check.ts", &[&["run", "check.ts"]]),
            ("source ./env.sh && true", &[&["./env.sh"]]),
            (". ./env.sh", &[&["./env.sh"]]),
            ("FOO=1 ./check.sh", &[&["./check.sh"]]),
            ("! ./check.sh", &[&["./check.sh"]]),
            ("if ./a.sh; then ./b.sh; fi", &[&["./a.sh"], &["./b.sh"]]),
            ("(./a.sh) && { ./b.sh; }", &[&["./a.sh"], &["./b.sh"]]),
            ("test \"$(./count.sh)\" = 3", &[&["./count.sh"]]),
            (
                "bash -c './check.sh && sh other.sh'",
                &[&["./check.sh"], &["other.sh"]],
            ),
            ("bash -lc ./check.sh", &[&["./check.sh"]]),
            ("eval ./check.sh", &[&["./check.sh"]]),
            ("timeout 60 bash check.sh", &[&["check.sh"]]),
            ("timeout 60 ./check.sh", &[&["./check.sh"]]),
            ("env -i FOO=1 nice -n 5 python3 check.py", &[&["check.py"]]),
            ("bash < check.sh", &[&["check.sh"]]),
            ("cat check.sh | bash -s", &[&["cat"], &["check.sh"]]),
            ("bash <<'END'\n./check.sh\nEND\n", &[&["./check.sh"]]),
            (
                "cd ui && ./check.sh",
                &[&["./check.sh"], &["ui/./check.sh"]],
            ),
            ("npm test", &[&["package.json"]]),
            ("npm --prefix ui run check", &[&["ui/package.json"]]),
            (
                "cd ui && npm test",
                &[&["package.json"], &["ui/package.json"]],
            ),
            ("make check", &[&["GNUmakefile", "makefile", "Makefile"]]),
            ("make -C ui -f Checks.mk check", &[&["ui/Checks.mk"]]),
            ("just check", &[&["justfile", "Justfile", ".justfile"]]),
            ("awk -f check.awk data.txt", &[&["check.awk"]]),
            (
                "bats tests/a.bats tests/b.bats",
                &[&["tests/a.bats"], &["tests/b.bats"]],
            ),
            ("uv run check.py", &[&["run", "check.py"]]),
            ("xargs -a list.txt ./check.sh", &[&["./check.sh"]]),
        ];
        for (line, expected) in table {
            assert_eq!(runs(line), *expected, "{line}");
        }
    }

    #[test]
    fn data_files_are_not_executed() {
        for line in [
            "test -s out.txt",
            "grep -q done report.md",
            "diff expected.txt out.txt",
            "cargo test",
            "test \"$(cat result.txt)\" = 5",
            "jq -e .ok result.json > /dev/null",
            "python3 -c 'print(1)' data.txt",
            "perl -ne 'print' data.txt",
            "true",
            "",
            "[ -f a ] && [ -f b ]",
            "$SCRIPT --all",
        ] {
            assert_eq!(runs(line), Vec::<Vec<String>>::new(), "{line}");
        }
        assert!(
            executed_files("grep -q done tools/report.md")
                .contains(&ExecutedFile::IfProgram("tools/report.md".to_owned()))
        );
        let named = executed_files("lint --with=tools/rules.lua");
        assert!(
            named.contains(&ExecutedFile::IfProgram("tools/rules.lua".to_owned())),
            "{named:?}"
        );
    }

    #[test]
    fn malformed_lines_terminate() {
        let deep = "bash -c ".repeat(50) + "./check.sh";
        for line in [
            deep.as_str(),
            "$((",
            "cat <<",
            "bash -c",
            "npm --prefix",
            "cd",
            "cd a; cd b; cd c; cd d; cd e; ./x",
        ] {
            assert!(executed_files(line).len() < 200, "{line}");
        }
    }
}
