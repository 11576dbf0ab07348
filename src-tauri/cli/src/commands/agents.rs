//! `baton agents`.

use baton_api::wire::*;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};

/// Lists the agents on this machine.
pub(crate) fn agents(client: &Client<'_>) -> Result<Exit, Failure> {
    let agents: Vec<AgentView> = client.ask("list the agents", "agents_list", &Nothing {})?;
    if client.output.json {
        client.output.json(&agents)?;
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = agents.iter().map(row).collect();
    table::print(client.output, ["agent", "title", "version", "state", "program"], &rows)?;
    for agent in &agents {
        if let Some(mend) = &agent.mend {
            client.output.note(&format!("{}: {mend}", agent.id));
        }
    }
    Ok(Exit::Done)
}

fn row(agent: &AgentView) -> [Cell; 5] {
    let state = match (&agent.path, agent.logged_in) {
        (None, _) => Cell::from("not installed").tone(Tone::Attention),
        (Some(_), Some(false)) => Cell::from("not logged in").tone(Tone::Attention),
        (Some(_), Some(true)) => Cell::from("ready").tone(Tone::Good),
        (Some(_), None) => Cell::from("installed"),
    };
    let id = if agent.default { format!("{} (default)", agent.id) } else { agent.id.clone() };
    [
        Cell::from(id).tone(Tone::Strong),
        Cell::from(&agent.title),
        Cell::from(agent.version.as_deref().unwrap_or("")),
        state,
        Cell::from(agent.path.as_deref().unwrap_or("")),
    ]
}
