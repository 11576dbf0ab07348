//! Which agents a person means.

use std::path::PathBuf;

use baton_formats::agent_config::{AgentSetup, agent_setups};

use crate::{ApiError, Code};

/// All agents that Baton can be added to; none if this process has no home directory.
pub(crate) fn all() -> Option<Vec<AgentSetup>> {
    let home = std::env::home_dir().filter(|home| home.is_absolute())?;
    Some(agent_setups(&home, &variable))
}

/// An absolute path in the environment.
fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}

/// The agents with these names; all with settings here if there are no names.
pub(super) fn setups(names: &[String]) -> Result<Vec<AgentSetup>, ApiError> {
    let all = all().ok_or_else(|| {
        ApiError::new(Code::Refused, "HOME is not an absolute path").with_fix("set HOME")
    })?;
    if !names.is_empty() {
        return names.iter().map(|name| find(&all, name)).collect();
    }
    let used: Vec<_> = all
        .into_iter()
        .filter(|setup| setup.folder.is_dir())
        .collect();
    if used.is_empty() {
        let message = "no agent has a settings folder here";
        return Err(ApiError::new(Code::Refused, message).with_fix("name the agents to connect"));
    }
    Ok(used)
}

fn find(all: &[AgentSetup], name: &str) -> Result<AgentSetup, ApiError> {
    let found = all.iter().find(|setup| setup.id == name).cloned();
    found.ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|setup| setup.id).collect();
        ApiError::new(Code::NotFound, format!("unknown agent '{name}'"))
            .with_fix(format!("choose {}", known.join(", ")))
    })
}

/// Baton sees the calls of an agent only by its hooks.
pub(super) fn refuse_without_hooks(setups: &[AgentSetup]) -> Result<(), ApiError> {
    let Some(setup) = setups.iter().find(|setup| setup.hooks.is_none()) else {
        return Ok(());
    };
    let message = format!(
        "Baton can't guard the calls of {}, which has no hooks",
        setup.id
    );
    Err(ApiError::new(Code::Refused, message)
        .with_fix("connect it without a guard, or choose claude, codex or gemini"))
}
