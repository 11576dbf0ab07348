//! Determines who is behind a process: a person, a session of this Baton, or an agent outside of
//! Baton.

use std::path::Path;
use std::sync::LazyLock;

use baton_keeper::{Ancestor, Lineage, ancestors, lineage, processes_within};
use baton_model::SessionId;
use baton_store::{Actor, ActorChannel, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::{Role, first_start};

/// Name of the folder with session folders in a data directory.
const SESSIONS: &str = "sessions";
/// Settings key for the agents that were running when the data directory was created.
const CREATED_UNDER_AGENTS: &str = "madeBelow";
/// Package names of built-in agents where they differ from the program, and programs of agents that
/// have no adapter.
const OTHER_AGENTS: [&str; 9] = [
    "claude-code",
    "gemini-cli",
    "cursor-agent",
    "copilot",
    "aider",
    "goose",
    "amp",
    "qwen",
    "crush",
];
/// Program and package names of agents. A command started by one of these is attributed to the
/// agent, not to a person.
static AGENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let builtin = baton_agents::builtin();
    let programs = builtin.iter().map(|agent| agent.probe().program);
    programs.chain(OTHER_AGENTS.map(str::to_owned)).collect()
});
/// Programs that run the script given as their first file argument.
const INTERPRETERS: [&str; 7] = ["node", "bun", "deno", "python", "python3", "sh", "bash"];

/// An agent process outside of Baton, identified for as long as it lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OutsideAgent {
    name: String,
    pid: i32,
    start_ticks: u64,
    boot: String,
}

/// The relation of this process to the sessions of a data directory.
pub(crate) fn own_lineage(data_directory: &Path) -> Lineage {
    baton_keeper::own_lineage(&data_directory.join(SESSIONS))
}

/// The relation of process `pid` to the sessions of a data directory.
pub(crate) fn lineage_of(pid: i32, data_directory: &Path) -> Lineage {
    lineage(pid, &data_directory.join(SESSIONS))
}

/// The actor of this process, unless set otherwise.
pub(crate) fn actor_of_this_process(store: &Store, role: Role) -> Result<Actor, StoreError> {
    let me = i32::try_from(std::process::id()).unwrap_or_default();
    if first_start::is_first_start(store)? {
        store
            .settings()
            .set(CREATED_UNDER_AGENTS, &ancestor_agents(me))?;
    }
    let channel = if role == Role::Window {
        ActorChannel::Window
    } else {
        ActorChannel::Shell
    };
    // Clicks in a window come from a person, regardless of which process started it.
    let agent = if role == Role::Window {
        None
    } else {
        outside_agent(store, me)?
    };
    Ok(agent.unwrap_or(Actor::Person(channel)))
}

/// The session or agent whose process holds a socket; `None` if neither does.
///
/// A process can hide its open files. A session's process that does so is assumed to be the holder,
/// unless another process is known to be.
pub(crate) fn agent_of_socket(store: &Store, socket: u64) -> Result<Option<Actor>, StoreError> {
    let link = format!("socket:[{socket}]");
    let within = processes_within(&store.data_dir().join(SESSIONS));
    let mut hidden = None;
    for (pid, folder) in &within {
        match has_open_file(*pid, &link) {
            Some(true) => return Ok(Some(session_actor(folder))),
            Some(false) => {}
            None => hidden = Some(session_actor(folder)),
        }
    }
    let holders = process_ids().filter(|pid| has_open_file(*pid, &link) == Some(true));
    let mut is_seen = false;
    for pid in holders {
        is_seen = true;
        if let Some(agent) = outside_agent(store, pid)? {
            return Ok(Some(agent));
        }
    }
    Ok(hidden.filter(|_| !is_seen))
}

fn process_ids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Returns whether a process holds the file that `link` names; `None` if the process is alive but
/// can't be inspected.
fn has_open_file(pid: i32, link: &str) -> Option<bool> {
    match std::fs::read_dir(format!("/proc/{pid}/fd")) {
        Ok(entries) => {
            let files = entries.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
            Some(files.into_iter().any(|file| file.as_os_str() == link))
        }
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => None,
        Err(_) => Some(false),
    }
}

/// The actor for processes of a session.
pub(crate) fn session_actor(folder: &Path) -> Actor {
    let name = folder
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    name.parse::<SessionId>()
        .map_or_else(|_| Actor::Agent(name.to_owned()), Actor::Session)
}

/// The agent among a process's ancestors, unless the data directory was created below that agent
/// and thus belongs to it.
fn outside_agent(store: &Store, pid: i32) -> Result<Option<Actor>, StoreError> {
    let above = ancestor_agents(pid);
    if above.is_empty() {
        return Ok(None);
    }
    let created_under: Vec<OutsideAgent> = store
        .settings()
        .get(CREATED_UNDER_AGENTS)?
        .unwrap_or_default();
    let foreign = above
        .into_iter()
        .find(|agent| !created_under.contains(agent));
    Ok(foreign.map(|agent| Actor::Agent(agent.name)))
}

fn ancestor_agents(pid: i32) -> Vec<OutsideAgent> {
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

/// The agent whose program was started with these arguments.
fn agent_name(arguments: &[std::path::PathBuf]) -> Option<&'static str> {
    let program = file_stem(arguments.first()?)?;
    if let Some(agent) = known_agent(program) {
        return Some(agent);
    }
    let is_interpreter = INTERPRETERS.contains(&program);
    let file = arguments[1..]
        .iter()
        .find(|argument| !argument.as_os_str().as_encoded_bytes().starts_with(b"-"))?;
    is_interpreter.then(|| agent_of_package(file)).flatten()
}

/// The agent that a script belongs to, by its file name or its package name.
fn agent_of_package(file: &Path) -> Option<&'static str> {
    let packages = file
        .iter()
        .skip_while(|part| *part != "node_modules")
        .filter_map(|part| known_agent(part.to_str()?));
    file_stem(file).and_then(known_agent).or(packages.last())
}

fn known_agent(word: &str) -> Option<&'static str> {
    AGENTS
        .iter()
        .map(String::as_str)
        .find(|agent| *agent == word)
}

fn file_stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    // Login shells have a leading dash, and scripts may have an extension.
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
    fn agents_are_recognized_by_program_or_script() {
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
