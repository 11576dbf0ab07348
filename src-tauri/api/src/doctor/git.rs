//! Which git is here, and whether it can do what Baton asks of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use baton_engine::find_program as find;

use crate::wire::*;

/// `git merge-tree --write-tree`, with which the work of several parents is merged, came with this version.
const MERGES_SINCE: (u32, u32) = (2, 38);

/// What was found of git on the `PATH` of `environment`.
pub(super) fn checks(environment: &BTreeMap<String, String>) -> Vec<Check> {
    let Some(path) = find("git", environment) else {
        let sentence =
            "git was not found: changed files cannot be told, and nothing can be taken back";
        return vec![Check::new(CheckVerdict::Warning, sentence).mended_by("install git")];
    };
    vec![judge(&path, says(&path, environment).as_deref())]
}

fn says(git: &Path, environment: &BTreeMap<String, String>) -> Option<String> {
    let output = Command::new(git)
        .arg("--version")
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn judge(path: &Path, said: Option<&str>) -> Check {
    let path = path.display();
    let Some((words, version)) = said.and_then(|said| Some((said.trim(), version(said)?))) else {
        let check = Check::new(
            CheckVerdict::Warning,
            format!("{path} does not tell its version"),
        );
        return check.mended_by("run `git --version` in a terminal to see what it says");
    };
    if version >= MERGES_SINCE {
        return Check::new(CheckVerdict::Passed, format!("{words} at {path}"));
    }
    let (major, minor) = MERGES_SINCE;
    let sentence = format!("{words} at {path} is too old for worktrees that are merged");
    Check::new(CheckVerdict::Warning, sentence)
        .mended_by(format!("install git {major}.{minor} or later"))
}

/// `git version 2.47.3` → (2, 47).
fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.split_whitespace().nth(2)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_strange_versions_are_warnings() {
        for (said, expected) in [
            (Some("git version 2.47.3\n"), CheckVerdict::Passed),
            (
                Some("git version 2.39.5 (Apple Git-154)\n"),
                CheckVerdict::Passed,
            ),
            (Some("git version 3.0.windows.1"), CheckVerdict::Passed),
            (Some("git version 2.30.2"), CheckVerdict::Warning),
            (Some("a banner"), CheckVerdict::Warning),
            (None, CheckVerdict::Warning),
        ] {
            assert_eq!(
                judge(Path::new("/usr/bin/git"), said).verdict,
                expected,
                "{said:?}"
            );
        }
    }

    #[test]
    fn a_machine_without_git_is_told_what_it_misses() {
        let checks = checks(&BTreeMap::from([(
            "PATH".to_owned(),
            "/nowhere".to_owned(),
        )]));
        assert_eq!(checks.len(), 1);
        assert_eq!(checks[0].mend.as_deref(), Some("install git"));
    }
}
