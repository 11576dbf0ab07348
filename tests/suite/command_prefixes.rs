//! Tests what shells really run for command lines that a prefix permission covers.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use baton_model::command_prefix::{CommandPrefix, all_match_prefixes};
use tempfile::TempDir;

/// The number of generated lines, and how many of the covered ones each shell runs.
const LINES: usize = 60_000;
const RUN: usize = 120;

const PIECES: [&str; 48] = [
    " ",
    " ",
    "git push",
    "git",
    "push",
    "x",
    "evil",
    "a",
    "'",
    "'",
    "\"",
    "\"",
    "\\",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "&",
    ">",
    ">>",
    "<",
    "2>&1",
    ">/dev/null",
    "$(evil)",
    "`evil`",
    "$x",
    "${x}",
    "$'",
    "$\"",
    "(",
    ")",
    "{",
    "}",
    "#",
    "!",
    "=",
    "*",
    "~",
    "[",
    "]",
    "\t",
    "<<E",
    "bash -c '",
    "sh -c \"",
    "-lc",
    "file",
    "\r",
];

/// A pseudorandom generator with a fixed sequence.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }
}

fn lines() -> BTreeSet<String> {
    let mut dice = Dice(9);
    let mut line = || {
        let count = 1 + dice.roll(9);
        let rest: String = (0..count)
            .map(|_| PIECES[dice.roll(PIECES.len())])
            .collect();
        if dice.roll(3) == 0 {
            rest
        } else {
            format!("git push {rest}")
        }
    };
    (0..LINES).map(|_| line()).collect()
}

/// Creates programs that only append their names to a file.
fn programs(folder: &Path) {
    for name in ["git", "push", "x", "evil", "a", "file", "E"] {
        let program = folder.join(name);
        let script = format!("#!/bin/sh\necho \"{name} $1\" >> \"$RAN\"\n");
        std::fs::write(&program, script).expect("enough disk space");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))
            .expect("the program is executable");
    }
}

#[test]
fn covered_lines_run_only_the_allowed_command() {
    let (stubs, place) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    programs(stubs.path());
    let ran = stubs.path().join("ran");
    let prefixes = [CommandPrefix::parse("git push").expect("plain words")];
    let covered: Vec<String> = lines()
        .into_iter()
        .filter(|line| all_match_prefixes(&prefixes, line))
        .collect();
    assert!(
        covered.len() > 2 * RUN,
        "only {} lines are covered",
        covered.len()
    );
    for shell in ["/bin/sh", "/bin/bash", "/bin/dash", "/bin/zsh"] {
        if !Path::new(shell).exists() {
            println!("skipped: no {shell}");
            continue;
        }
        for line in covered.iter().step_by(covered.len() / RUN) {
            std::fs::write(&ran, "").expect("enough disk space");
            let mut command = Command::new(shell);
            command
                .args(["-c", line])
                .current_dir(place.path())
                .env_clear()
                .stdin(Stdio::null());
            let path = format!("{}:/bin", stubs.path().display());
            command
                .env("PATH", path)
                .env("RAN", &ran)
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status().expect("the shell starts");
            let recorded = std::fs::read_to_string(&ran).expect("the file exists");
            assert!(
                recorded.lines().all(|line| line == "git push"),
                "{shell} {line:?} ran {recorded:?}"
            );
            let made = std::fs::read_dir(place.path())
                .expect("the folder exists")
                .count();
            assert_eq!(made, 0, "{shell} {line:?} wrote a file");
        }
    }
}
