//! `baton agents calls`: lists calls of guarded tools that agents made without a plan.

use baton_api::wire::*;
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;

/// List calls of guarded tools that agents made without a plan, latest first
///
/// They are recorded for agents that were connected with `--guard`.
#[derive(Debug, Args)]
pub(crate) struct CallsArgs {
    /// List at most this many calls
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
}

/// Lists the calls.
pub(crate) fn calls(client: &Client<'_>, args: &CallsArgs) -> Result<Exit, Failure> {
    let query = GuardedCallsQuery { limit: args.limit };
    let calls: Vec<GuardedCall> = client.ask("list the calls", "guarded_calls_list", &query)?;
    if client.output.json {
        client.output.json(&calls)?;
        return Ok(Exit::Done);
    }
    if calls.is_empty() {
        client
            .output
            .note("No agent called a guarded tool without a plan.");
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = calls.iter().map(row).collect();
    let head = ["time", "agent", "result", "call", "directory"];
    table::print(client.output, head, &rows)?;
    Ok(Exit::Done)
}

fn row(call: &GuardedCall) -> [Cell; 5] {
    let result = match call.refused {
        true => Cell::from("refused").tone(Tone::Attention),
        false => Cell::from("ran"),
    };
    [
        Cell::from(date(call.at)).tone(Tone::Faint),
        Cell::from(&call.agent).tone(Tone::Strong),
        result,
        Cell::from(&call.what),
        Cell::from(call.cwd.as_deref().unwrap_or("")),
    ]
}
