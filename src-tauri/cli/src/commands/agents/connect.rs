//! `baton agents connect`: adds Baton's tools and skill to coding agents, or removes them.

use baton_api::wire::*;
use clap::Args;

use super::guard_argument::GuardArgument;
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
    guard: Option<GuardArgument>,
}

/// Connects or disconnects agents.
pub(crate) fn connect(client: &Client<'_>, args: &ConnectArgs) -> Result<Exit, Failure> {
    let agents = args.agents.clone();
    let change = match args.undo {
        true => ConnectionChange::Disconnected,
        false => ConnectionChange::Connected {
            guard: args.guard.map(GuardChoice::from),
        },
    };
    let query = AgentConnectionPreviewQuery {
        agents: agents.clone(),
        change,
    };
    let doing = "change the settings of agents";
    let preview: AgentConnectionPreview = client.ask(doing, "agent_connections_preview", &query)?;
    show(client, &preview, args.print)?;
    if !args.print {
        let save = AgentConnectionSave {
            agents,
            change,
            fingerprint: Some(preview.fingerprint),
        };
        let _: AgentConnectionPreview = client.ask(doing, "agent_connections_save", &save)?;
    }
    Ok(Exit::Done)
}

fn show(
    client: &Client<'_>,
    preview: &AgentConnectionPreview,
    is_print: bool,
) -> Result<(), Failure> {
    let output = client.output;
    if output.json {
        return output.json(preview);
    }
    for file in &preview.files {
        let title = format!("{}: {}", file.agent, file.path.display());
        output.line(&output.paint(&title, Tone::Strong))?;
        for line in file.diff.lines() {
            output.line(&crate::style::lines(line))?;
        }
    }
    output.note(match (preview.files.is_empty(), is_print) {
        (true, _) => "Nothing to change.",
        (false, true) => "Nothing was written.",
        (false, false) => "Restart the agents to use the changes.",
    });
    for note in &preview.notes {
        output.note(&note_text(note));
    }
    Ok(())
}

/// What the person has to know about a guard.
fn note_text(note: &ConnectionNote) -> String {
    match note {
        ConnectionNote::NoGuard { agent } => {
            format!("{agent}: no guard, because it has no hooks.")
        }
        ConnectionNote::HookNeedsTrust { agent } => format!(
            "{agent}: runs a new hook only after you trusted it. Enter /hooks in {agent} to do so."
        ),
    }
}
