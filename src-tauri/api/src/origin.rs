//! Who stands behind a process: a person, a session of this Baton, or an agent that somebody runs outside of Baton.

use std::path::Path;

use baton_keeper::{Ancestor, Lineage, ancestors, lineage, processes_within};
use baton_model::SessionId;
use baton_store::{Actor, Store, StoreError, Way};
use serde::{Deserialize, Serialize};

use crate::{Role, templates};

/// The folder of session folders, in a data directory.
const SESSIONS: &str = "sessions";
/// Under which setting it stands below which agents the data directory was made.
const MADE_BELOW: &str = "madeBelow";
/// The programs of agents. Below one of these, a command is taken for the agent's and not for a person's.
const AGENTS: [&str; 14] = [
    "claude",
    "claude-code",
    "codex",
    "gemini",
    "gemini-cli",
    "opencode",
    "pi",
    "cursor-agent",
    "copilot",
    "aider",
    "goose",
    "amp",
    "qwen",
    "crush",
];
/// Programs that run the file which is named first behind them.
const INTERPRETERS: [&str; 7] = ["node", "bun", "deno", "python", "python3", "sh", "bash"];

/// An agent that runs outside of Baton, as long as it lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OutsideAgent {
    name: String,
    pid: i32,
    start_ticks: u64,
    boot: String,
}

/// Where this process stands to the sessions of a data directory.
pub(crate) fn own_lineage(data_directory: &Path) -> Lineage {
    baton_keeper::own_lineage(&data_directory.join(SESSIONS))
}

/// Where process `pid` stands to the sessions of a data directory.
pub(crate) fn lineage_of(pid: i32, data_directory: &Path) -> Lineage {
    lineage(pid, &data_directory.join(SESSIONS))
}

/// Who acts in this process when nobody says otherwise.
pub(crate) fn actor_of_this_process(store: &Store, role: Role) -> Result<Actor, StoreError> {
    let me = i32::try_from(std::process::id()).unwrap_or_default();
    if templates::is_first_start(store)? {
        store.settings().set(MADE_BELOW, &agents_above(me))?;
    }
    let way = if role == Role::Window {
        Way::Window
    } else {
        Way::Shell
    };
    // Who clicks in a window is a person, whoever has started it.
    let agent = if role == Role::Window {
        None
    } else {
        outside_agent(store, me)?
    };
    Ok(agent.unwrap_or(Actor::Person(way)))
}

/// The session or the agent whose process holds a socket; `None` when neither does.
///
/// A process can keep others from seeing what it holds. One of a session that does so is taken for the holder, unless
/// another process is seen to be it.
pub(crate) fn agent_of_socket(store: &Store, socket: u64) -> Result<Option<Actor>, StoreError> {
    let link = format!("socket:[{socket}]");
    let within = processes_within(&store.data_dir().join(SESSIONS));
    let mut hidden = None;
    for (pid, folder) in &within {
        match holds(*pid, &link) {
            Some(true) => return Ok(Some(session_actor(folder))),
            Some(false) => {}
            None => hidden = Some(session_actor(folder)),
        }
    }
    let holders = numbers_of_processes().filter(|pid| holds(*pid, &link) == Some(true));
    let mut is_seen = false;
    for pid in holders {
        is_seen = true;
        if let Some(agent) = outside_agent(store, pid)? {
            return Ok(Some(agent));
        }
    }
    Ok(hidden.filter(|_| !is_seen))
}

fn numbers_of_processes() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Whether a process holds the file that `link` names; `None` when that cannot be seen although the process lives.
fn holds(pid: i32, link: &str) -> Option<bool> {
    match std::fs::read_dir(format!("/proc/{pid}/fd")) {
        Ok(entries) => {
            let files = entries.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
            Some(files.into_iter().any(|file| file.as_os_str() == link))
        }
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => None,
        Err(_) => Some(false),
    }
}

/// The actor of a session's processes.
pub(crate) fn session_actor(folder: &Path) -> Actor {
    let name = folder
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    name.parse::<SessionId>()
        .map_or_else(|_| Actor::Agent(name.to_owned()), Actor::Session)
}

/// The agent above a process, unless the data directory was itself made below it: then it is the agent's own.
fn outside_agent(store: &Store, pid: i32) -> Result<Option<Actor>, StoreError> {
    let above = agents_above(pid);
    if above.is_empty() {
        return Ok(None);
    }
    let made_below: Vec<OutsideAgent> = store.settings().get(MADE_BELOW)?.unwrap_or_default();
    let foreign = above.into_iter().find(|agent| !made_below.contains(agent));
    Ok(foreign.map(|agent| Actor::Agent(agent.name)))
}

fn agents_above(pid: i32) -> Vec<OutsideAgent> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let agent = |ancestor: Ancestor| {
        let name = agent_name(&ancestor.arguments)?;
        let boot = boot.trim().to_owned();
        Some(OutsideAgent {
            name: name.to_owned(),
            pid: ancestor.pid,
            start_ticks: ancestor.start_ticks,
            boot,
        })
    };
    ancestors(pid).into_iter().filter_map(agent).collect()
}

/// The agent whose program has been started with these arguments.
fn agent_name(arguments: &[std::path::PathBuf]) -> Option<&'static str> {
    let program = stem(arguments.first()?)?;
    if let Some(agent) = named(program) {
        return Some(agent);
    }
    let is_interpreter = INTERPRETERS.contains(&program);
    let file = arguments[1..]
        .iter()
        .find(|argument| !argument.as_os_str().as_encoded_bytes().starts_with(b"-"))?;
    is_interpreter.then(|| package(file)).flatten()
}

/// The agent that a script is of: by its own name, or by that of its package.
fn package(file: &Path) -> Option<&'static str> {
    let packages = file
        .iter()
        .skip_while(|part| *part != "node_modules")
        .filter_map(|part| named(part.to_str()?));
    stem(file).and_then(named).or(packages.last())
}

fn named(word: &str) -> Option<&'static str> {
    AGENTS.into_iter().find(|agent| *agent == word)
}

fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    // A login shell begins with a dash, and a script may have an ending.
    let name = name.strip_prefix('-').unwrap_or(name);
    Some(
        [".js", ".mjs", ".cjs", ".py"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .unwrap_or(name),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_known_by_their_program_or_their_script() {
        for (arguments, expected) in [
            (&["claude"][..], Some("claude")),
            (&["/home/a/.local/bin/claude", "--resume"], Some("claude")),
            (
                &[
                    "node",
                    "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
                ],
                Some("claude-code"),
            ),
            (
                &["node", "--no-warnings", "/usr/bin/gemini"],
                Some("gemini"),
            ),
            (&["/usr/bin/codex", "exec"], Some("codex")),
            (&["python3", "/opt/aider.py"], Some("aider")),
            (&["bash", "-c", "claude"], Some("claude")),
            (&["-bash"], None),
            (&["vim", "claude"], None),
            (&["node", "server.js"], None),
            (&["bash", "/home/pi/run.sh"], None),
            (&[], None),
        ] {
            let arguments: Vec<_> = arguments.iter().map(std::path::PathBuf::from).collect();
            assert_eq!(agent_name(&arguments), expected, "{arguments:?}");
        }
    }
}
