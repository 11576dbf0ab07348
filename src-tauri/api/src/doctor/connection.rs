//! Checks which coding agents on this machine have Baton's tools.

use std::path::{Path, PathBuf};
use std::{fs, io};

use baton_formats::agent_config::{AgentSetup, GuardMode, agent_setups};

use crate::wire::*;

/// The largest file of settings that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// One check for each agent that was used before, for the person whom this process belongs to.
pub(super) fn checks() -> Vec<Check> {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let setups = home.map(|home| agent_setups(&home, &variable));
    let setups = setups.into_iter().flatten();
    setups.filter_map(|setup| check(&setup)).collect()
}

/// An absolute path in the environment.
fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}

/// `None` for an agent without settings here, or without a place for tools in them.
fn check(setup: &AgentSetup) -> Option<Check> {
    let config = setup.config.as_deref()?;
    if !setup.folder.is_dir() {
        return None;
    }
    let id = setup.id;
    Some(match read(config) {
        Ok(text) if setup.has_baton(&text) => {
            let guard = guard(setup);
            Check::new(CheckVerdict::Passed, format!("{id}: connected{guard}"))
        }
        Ok(_) => Check::new(CheckVerdict::Passed, format!("{id}: not connected"))
            .with_fix(format!("run `baton agents connect {id}`")),
        Err(error) => {
            let sentence = format!("{id}: {} can't be read: {error}", config.display());
            Check::new(CheckVerdict::Warning, sentence)
        }
    })
}

/// What the guard of a connected agent does. Hooks that can't be read run nothing.
fn guard(setup: &AgentSetup) -> &'static str {
    let Some(hooks) = &setup.hooks else {
        return "";
    };
    let text = read(&hooks.path).unwrap_or_default();
    match hooks.guard_mode(&text) {
        Some(GuardMode::Log) => "; calls of guarded tools outside plans are recorded",
        Some(GuardMode::Block) => "; calls of guarded tools outside plans are refused",
        None => "",
    }
}

fn read(path: &Path) -> io::Result<String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
        Ok(found) if found.is_file() && found.len() <= MAX_BYTES => fs::read_to_string(path),
        Ok(_) => Err(io::ErrorKind::InvalidData.into()),
    }
}
