//! Checks for git: which version is installed, and whether it supports what Baton needs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use baton_engine::find_program as find;

use crate::wire::*;

/// The first version with `git merge-tree --write-tree`, which merges the work of several parents.
const MIN_VERSION_FOR_MERGES: (u32, u32) = (2, 38);

/// The checks for git on the `PATH` of `environment`.
pub(super) fn checks(environment: &BTreeMap<String, String>) -> Vec<Check> {
    let Some(path) = find("git", environment) else {
        let sentence = "git was not found, so changed files can't be tracked or restored";
        return vec![Check::new(CheckVerdict::Warning, sentence).with_fix("install git")];
    };
    vec![check_version(
        &path,
        read_version_output(&path, environment).as_deref(),
    )]
}

fn read_version_output(git: &Path, environment: &BTreeMap<String, String>) -> Option<String> {
    let output = Command::new(git)
        .arg("--version")
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn check_version(path: &Path, output: Option<&str>) -> Check {
    let path = path.display();
    let Some((words, version)) =
        output.and_then(|output| Some((output.trim(), parse_version(output)?)))
    else {
        let check = Check::new(
            CheckVerdict::Warning,
            format!("{path} doesn't report its version"),
        );
        return check.with_fix("run `git --version` in a terminal to see its output");
    };
    if version >= MIN_VERSION_FOR_MERGES {
        return Check::new(CheckVerdict::Passed, format!("{words} at {path}"));
    }
    let (major, minor) = MIN_VERSION_FOR_MERGES;
    let sentence = format!("{words} at {path} is too old to merge worktrees");
    Check::new(CheckVerdict::Warning, sentence)
        .with_fix(format!("install git {major}.{minor} or later"))
}

/// `git version 2.47.3` → (2, 47).
fn parse_version(output: &str) -> Option<(u32, u32)> {
    let mut numbers = output.split_whitespace().nth(2)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_unknown_versions_are_warnings() {
        for (output, expected) in [
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
                check_version(Path::new("/usr/bin/git"), output).verdict,
                expected,
                "{output:?}"
            );
        }
    }

    #[test]
    fn missing_git_is_a_warning_with_a_fix() {
        let checks = checks(&BTreeMap::from([(
            "PATH".to_owned(),
            "/nowhere".to_owned(),
        )]));
        assert_eq!(checks.len(), 1);
        assert_eq!(checks[0].mend.as_deref(), Some("install git"));
    }
}
