//! `baton agents connect`: adds Baton's tools and skill to coding agents, or removes them.

use std::path::{Path, PathBuf};

use baton_formats::agent_config::{AgentSetup, ServerCommand, agent_setups};
use clap::Args;
use serde::Serialize;
use similar::TextDiff;

use crate::agent_connections::config_file;
use crate::agent_connections::connection_record::{
    ChangedFile, ConnectionRecord, ConnectionRecords,
};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;

/// Add Baton's tools and skill to coding agents
///
/// Shows how the files of each agent change, then writes them. The agent can then propose plans and
/// follow runs; approving stays with you. `--undo` restores the files as they were. If a file has
/// changed since, only Baton's entry is removed.
#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    /// claude, codex, gemini, opencode, pi [default: those with a settings folder]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// Show the changes without writing them
    #[arg(long)]
    print: bool,
    /// Remove Baton from the agents
    #[arg(long)]
    undo: bool,
}

/// A file as it is and as it should be. `None` means that there is no file.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct FileChange {
    agent: &'static str,
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
}

/// Connects or disconnects agents.
pub(crate) fn connect(client: &Client<'_>, args: &ConnectArgs) -> Result<Exit, Failure> {
    if !args.print && !client.app()?.actor().is_person() {
        let message = "only a person changes the settings of agents. Ask one to run this command";
        return Err(Failure::Usage(message.to_owned()));
    }
    let setups = selected(&args.agents)?;
    let records = ConnectionRecords::new(client.data_dir());
    let command = server_command(client.data_dir())?;
    let mut changes = Vec::new();
    for setup in &setups {
        // All files are read before the first is written.
        changes.push(match args.undo {
            true => undo_changes(setup, &setups, &records)?,
            false => connect_changes(setup, &command)?,
        });
    }
    let mut changed: Vec<&FileChange> = Vec::new();
    for change in changes.iter().flatten() {
        // Several agents read the same skill.
        if !changed.iter().any(|known| known.path == change.path) {
            changed.push(change);
        }
    }
    show(client, &changed, args.print)?;
    if !args.print {
        for (setup, changes) in setups.iter().zip(&changes) {
            apply(setup, changes, &records, args.undo)?;
        }
    }
    Ok(Exit::Done)
}

fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}

fn selected(names: &[String]) -> Result<Vec<AgentSetup>, Failure> {
    let home = home().ok_or_else(|| Failure::Usage("HOME is not an absolute path".to_owned()))?;
    let all = agent_setups(&home, &variable);
    if names.is_empty() {
        let used: Vec<_> = all
            .into_iter()
            .filter(|setup| setup.folder.is_dir())
            .collect();
        return match used.is_empty() {
            true => Err(Failure::Usage(
                "no agent has a settings folder here. Name the agents to connect".to_owned(),
            )),
            false => Ok(used),
        };
    }
    let known: Vec<_> = all.iter().map(|setup| setup.id).collect();
    let find = |name: &String| {
        let found = all.iter().find(|setup| setup.id == name).cloned();
        found.ok_or_else(|| {
            Failure::Usage(format!(
                "unknown agent '{name}'. Choose {}",
                known.join(", ")
            ))
        })
    };
    names.iter().map(find).collect()
}

/// How agents start the tools: this program, by its whole path, because they have another `PATH`.
fn server_command(data: &Path) -> Result<ServerCommand, Failure> {
    let program = std::env::current_exe().map_err(|source| Failure::System {
        doing: "find this program",
        source,
    })?;
    let mut arguments = vec!["mcp".to_owned()];
    let default = baton_api::default_data_directory().ok();
    if default.as_deref() != Some(data) {
        arguments.extend(["--data-dir".to_owned(), data.display().to_string()]);
    }
    Ok(ServerCommand {
        program: program.display().to_string(),
        arguments,
    })
}

fn connect_changes(
    setup: &AgentSetup,
    command: &ServerCommand,
) -> Result<Vec<FileChange>, Failure> {
    let mut changes = Vec::new();
    if let Some(path) = &setup.config {
        let before = config_file::read(path)?;
        let text = before.as_deref().unwrap_or_default();
        let after = setup
            .with_baton(text, command)
            .map_err(|error| Failure::Read {
                path: path.clone(),
                reason: error.to_string(),
            })?;
        changes.push((path.clone(), before, Some(after)));
    }
    let before = config_file::read(&setup.skill)?;
    changes.push((setup.skill.clone(), before, Some(baton_mcp::skill())));
    Ok(file_changes(setup, changes))
}

fn undo_changes(
    setup: &AgentSetup,
    leaving: &[AgentSetup],
    records: &ConnectionRecords,
) -> Result<Vec<FileChange>, Failure> {
    let record = records.load(setup.id)?.unwrap_or_default();
    let known = |path: &Path| record.files.iter().find(|file| file.path == path);
    let mut changes = Vec::new();
    if let Some(path) = &setup.config
        && let Some(text) = config_file::read(path)?
    {
        let after = match known(path) {
            Some(file) if file.after == text => file.before.clone(),
            _ => Some(setup.without_baton(&text).map_err(|error| Failure::Read {
                path: path.clone(),
                reason: error.to_string(),
            })?),
        };
        changes.push((path.clone(), Some(text), after));
    }
    if let Some(text) = config_file::read(&setup.skill)?
        && !is_skill_used_by_others(setup, leaving, records)?
    {
        // A skill that somebody changed stays.
        let after = match known(&setup.skill) {
            Some(file) if file.after == text => file.before.clone(),
            _ if text == baton_mcp::skill() => None,
            _ => Some(text.clone()),
        };
        changes.push((setup.skill.clone(), Some(text), after));
    }
    Ok(file_changes(setup, changes))
}

/// Whether an agent that stays connected reads the same skill.
fn is_skill_used_by_others(
    setup: &AgentSetup,
    leaving: &[AgentSetup],
    records: &ConnectionRecords,
) -> Result<bool, Failure> {
    for other in agent_setups(Path::new("/"), &|_| None) {
        let leaves = leaving.iter().any(|leaving| leaving.id == other.id);
        let record = records.load(other.id)?;
        if !leaves && record.is_some_and(|record| record.skill == setup.skill) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Those files that change.
fn file_changes(
    setup: &AgentSetup,
    files: Vec<(PathBuf, Option<String>, Option<String>)>,
) -> Vec<FileChange> {
    let changed = files
        .into_iter()
        .filter(|(_, before, after)| before != after);
    let change = changed.map(|(path, before, after)| FileChange {
        agent: setup.id,
        path,
        before,
        after,
    });
    change.collect()
}

fn show(client: &Client<'_>, changes: &[&FileChange], is_print: bool) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(&changes);
    }
    for change in changes {
        let (before, after) = (
            change.before.as_deref().unwrap_or_default(),
            change.after.as_deref().unwrap_or_default(),
        );
        let title = format!("{}: {}", change.agent, change.path.display());
        client
            .output
            .line(&client.output.paint(&title, Tone::Strong))?;
        let diff = TextDiff::from_lines(before, after);
        let hunks = diff.unified_diff().context_radius(2).to_string();
        for line in hunks.lines() {
            client.output.line(&crate::style::lines(line))?;
        }
    }
    client.output.note(match (changes.is_empty(), is_print) {
        (true, _) => "Nothing to change.",
        (false, true) => "Nothing was written.",
        (false, false) => "Restart the agents to use the changes.",
    });
    Ok(())
}

/// What is needed to undo the changes and those that were made before.
fn connection_record(
    setup: &AgentSetup,
    changes: &[FileChange],
    known: ConnectionRecord,
) -> ConnectionRecord {
    let mut files = known.files;
    for change in changes {
        let Some(after) = change.after.clone() else {
            continue;
        };
        let same = files.iter_mut().find(|file| file.path == change.path);
        match same {
            // Baton wrote the file, and nobody has changed it since: the oldest text counts.
            Some(file) if change.before.as_ref() == Some(&file.after) => file.after = after,
            Some(file) => {
                file.before.clone_from(&change.before);
                file.after = after;
            }
            None => files.push(ChangedFile {
                path: change.path.clone(),
                before: change.before.clone(),
                after,
            }),
        }
    }
    ConnectionRecord {
        files,
        skill: setup.skill.clone(),
    }
}

/// Stores what is needed to undo the changes, then makes them.
fn apply(
    setup: &AgentSetup,
    changes: &[FileChange],
    records: &ConnectionRecords,
    is_undo: bool,
) -> Result<(), Failure> {
    if !is_undo {
        let known = records.load(setup.id)?.unwrap_or_default();
        records.store(setup.id, &connection_record(setup, changes, known))?;
    }
    for change in changes {
        let current = config_file::read(&change.path)?;
        if current == change.after {
            // Another agent reads the same skill.
            continue;
        }
        if current != change.before {
            return Err(Failure::Usage(format!(
                "{} was changed meanwhile. Try again",
                change.path.display()
            )));
        }
        match &change.after {
            Some(text) => config_file::write(&change.path, text)?,
            None => config_file::remove(&change.path)?,
        }
    }
    match is_undo {
        true => records.remove(setup.id),
        false => Ok(()),
    }
}
