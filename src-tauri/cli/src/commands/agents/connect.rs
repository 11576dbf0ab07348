//! `baton agents connect`: adds Baton's tools and skill to coding agents, or removes them.

use std::path::PathBuf;

use baton_formats::agent_config::{AgentSetup, agent_setups};
use clap::Args;
use similar::TextDiff;

use crate::agent_connections::addition::Addition;
use crate::agent_connections::config_file;
use crate::agent_connections::connection_record::{ConnectionRecords, connection_record};
use crate::agent_connections::file_edits::FileChange;
use crate::agent_connections::guard_choice::GuardChoice;
use crate::agent_connections::removal::removal;
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
    /// What happens when the agent calls a guarded tool outside a plan: guarded are those of the
    /// settings and of a project's rules. claude, codex and gemini only
    #[arg(long, value_enum, value_name = "MODE", conflicts_with = "undo")]
    guard: Option<GuardChoice>,
}

/// Connects or disconnects agents.
pub(crate) fn connect(client: &Client<'_>, args: &ConnectArgs) -> Result<Exit, Failure> {
    if !args.print && !client.app()?.actor().is_person() {
        let message = "only a person changes the settings of agents. Ask one to run this command";
        return Err(Failure::Usage(message.to_owned()));
    }
    let setups = selected(&args.agents)?;
    if args.guard.and_then(GuardChoice::mode).is_some() && !args.agents.is_empty() {
        refuse_without_hooks(&setups)?;
    }
    let records = ConnectionRecords::new(client.data_dir());
    let addition = Addition::new(client.data_dir(), args.guard)?;
    let mut changes = Vec::new();
    for setup in &setups {
        // All files are read before the first is written.
        changes.push(match args.undo {
            true => removal(setup, &setups, &records)?,
            false => addition.changes(setup)?,
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
    note_guards(client, &setups, args.guard);
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

/// Baton sees the calls of an agent only by its hooks.
fn refuse_without_hooks(setups: &[AgentSetup]) -> Result<(), Failure> {
    match setups.iter().find(|setup| setup.hooks.is_none()) {
        Some(setup) => Err(Failure::Usage(format!(
            "{} has no hooks, so Baton can't guard its calls. Leave out --guard, or choose claude, codex, gemini",
            setup.id
        ))),
        None => Ok(()),
    }
}

/// What the person has to know about the guard.
fn note_guards(client: &Client<'_>, setups: &[AgentSetup], guard: Option<GuardChoice>) {
    if guard.and_then(GuardChoice::mode).is_none() {
        return;
    }
    for setup in setups {
        match &setup.hooks {
            None => client
                .output
                .note(&format!("{}: no guard, because it has no hooks.", setup.id)),
            Some(_) if setup.id == "codex" => client.output.note(
                "codex: runs a new hook only after you trusted it. Enter /hooks in codex to do so.",
            ),
            Some(_) => {}
        }
    }
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
