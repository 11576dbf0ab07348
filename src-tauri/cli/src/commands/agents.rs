//! `baton agents`: lists agents and teams, and connects agents to Baton.

pub(crate) mod calls;
pub(crate) mod connect;
mod guard_argument;
pub(crate) mod guard_call;

use baton_api::wire::*;
use baton_model::arbiter::{Team, TeamRule};
use clap::{Args, Subcommand};

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::Tone;
use crate::table::{self, Cell};

/// List agents and teams, and connect agents to Baton
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    verb: Option<AgentsVerb>,
}

#[derive(Debug, Subcommand)]
enum AgentsVerb {
    Connect(connect::ConnectArgs),
    Calls(calls::CallsArgs),
    #[command(hide = true)]
    GuardCall(guard_call::GuardCallArgs),
}

/// Executes `baton agents`. The guard answers the agent even if the data can't be opened.
pub(crate) fn agents<'a>(
    output: &'a Output,
    args: &AgentsArgs,
    open: impl FnOnce() -> Result<Client<'a>, Failure>,
) -> Result<Exit, Failure> {
    match &args.verb {
        Some(AgentsVerb::Connect(args)) => connect::connect(&open()?, args),
        Some(AgentsVerb::Calls(args)) => calls::calls(&open()?, args),
        Some(AgentsVerb::GuardCall(args)) => guard_call::guard_call(output, args, open),
        None => list(&open()?),
    }
}

/// Lists the agents on this machine and the configured teams. With `--json`, only the agents.
fn list(client: &Client<'_>) -> Result<Exit, Failure> {
    let agents: Vec<AgentView> = client.ask("list the agents", "agents_list", &Nothing {})?;
    if client.output.json {
        client.output.json(&agents)?;
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = agents.iter().map(row).collect();
    table::print(
        client.output,
        ["agent", "title", "version", "status", "program"],
        &rows,
    )?;
    let teams: Vec<Team> = client.ask("list the teams", "teams_list", &Nothing {})?;
    if !teams.is_empty() {
        let rows: Vec<_> = teams.iter().map(team_row).collect();
        client.output.line("")?;
        table::print(client.output, ["team", "rule", "members", "chooser"], &rows)?;
    }
    for agent in &agents {
        if let Some(fix) = &agent.mend {
            client.output.note(&format!("{}: {fix}", agent.id));
        }
    }
    Ok(Exit::Done)
}

fn team_row(team: &Team) -> [Cell; 4] {
    let rule = match team.rule {
        TeamRule::First => "first available",
        TeamRule::Rotate => "round robin",
        TeamRule::LeastBusy => "least busy",
        TeamRule::Ask => "agent chooses",
    };
    let asked = match (team.rule, &team.asks) {
        (TeamRule::Ask, asks) => asks.as_deref().unwrap_or("default agent"),
        _ => "",
    };
    [
        Cell::from(team.name.as_str()).tone(Tone::Strong),
        Cell::from(rule),
        Cell::from(team.members.join(", ")),
        Cell::from(asked),
    ]
}

fn row(agent: &AgentView) -> [Cell; 5] {
    let state = match (&agent.path, agent.logged_in) {
        (None, _) => Cell::from("not installed").tone(Tone::Attention),
        (Some(_), Some(false)) => Cell::from("not logged in").tone(Tone::Attention),
        (Some(_), Some(true)) => Cell::from("ready").tone(Tone::Good),
        (Some(_), None) => Cell::from("installed"),
    };
    let id = if agent.default {
        format!("{} (default)", agent.id)
    } else {
        agent.id.clone()
    };
    [
        Cell::from(id).tone(Tone::Strong),
        Cell::from(&agent.title),
        Cell::from(agent.version.as_deref().unwrap_or("")),
        state,
        Cell::from(agent.path.as_deref().unwrap_or("")),
    ]
}
