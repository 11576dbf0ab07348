//! `baton call`: any operation of the API, with JSON input and output.

use std::io::Read;

use baton_api::OPERATIONS;
use baton_api::wire::{ProposalRef, ProposalView, RunSummary, RunView};
use baton_model::planning::ProposalState;
use baton_model::{ProposalId, RunId};
use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::verb_operations;

/// Call any operation with JSON input and output
///
/// If the operation makes this process the executor of a run, the command stays until that run
/// completes, fails or waits.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The operation's name, from --list
    #[arg(required_unless_present = "list")]
    operation: Option<String>,
    /// The input; `-` reads it from standard input [default: {}]
    #[arg(value_name = "JSON")]
    input: Option<String>,
    /// List all operations
    #[arg(long, conflicts_with_all = ["operation", "input"])]
    pub(crate) list: bool,
}

/// Executes `baton call`. If this process executes a run or planner that the operation started,
/// waits for it.
pub(crate) fn call(client: &Client<'_>, args: CallArgs) -> Result<Exit, Failure> {
    let name = args.operation.unwrap_or_default();
    if !OPERATIONS.iter().any(|operation| operation.name == name) {
        return Err(unknown_operation(&name));
    }
    let input = parse_input(args.input.as_deref())?;
    let answer: Value = client.ask(&format!("call {name}"), &name, &input)?;
    client.output.json(&answer)?;
    wait_for_started_work(client, &name, &answer)?;
    Ok(Exit::Done)
}

fn wait_for_started_work(client: &Client<'_>, name: &str, answer: &Value) -> Result<(), Failure> {
    if client.is_in_session() {
        // Another process executes the run. Wait only for a run that this call started.
        return match run_of(answer).filter(|_| name == "run_start") {
            Some(run) => wait_for_run(client, run),
            None => Ok(()),
        };
    }
    if let Some(run) = run_of(answer) {
        wait_for_run(client, run)?;
    }
    match proposal_of(answer) {
        Some(proposal) => wait_for_planner(client, proposal),
        None => Ok(()),
    }
}

fn wait_for_run(client: &Client<'_>, run: RunId) -> Result<(), Failure> {
    let failed = |error| Failure::Operation {
        doing: "finish the run".to_owned(),
        error,
    };
    client.wait_for_run(run).map_err(failed)
}

/// Waits for the planner, because the process that started it has to check its answer: other
/// processes may find other agents.
fn wait_for_planner(client: &Client<'_>, proposal: ProposalId) -> Result<(), Failure> {
    let mut waited_for = None;
    loop {
        let view: ProposalView = client.ask(
            "load the proposal",
            "proposal_get",
            &ProposalRef { proposal },
        )?;
        let working = view.summary.state == ProposalState::Working;
        let Some(run) = view.summary.run.filter(|_| working) else {
            return Ok(());
        };
        if waited_for == Some(run) {
            return Ok(());
        }
        let failed = |error| Failure::Operation {
            doing: "wait for the planner".to_owned(),
            error,
        };
        client.wait_for_run(run).map_err(failed)?;
        waited_for = Some(run);
    }
}

/// Minimum similarity, from 0 to 1, of an operation that is suggested for an unknown name.
const MIN_SIMILARITY: f64 = 0.7;

fn unknown_operation(name: &str) -> Failure {
    // Not Jaro-Winkler, which favors equal beginnings: many names begin with the same noun.
    let similarity = |other: &str| strsim::normalized_levenshtein(&name.to_lowercase(), other);
    let near = OPERATIONS
        .iter()
        .map(|operation| (similarity(operation.name), operation.name));
    let nearest = near
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    let hint = nearest.map_or_else(String::new, |(_, name)| format!(" Did you mean {name}?"));
    Failure::Usage(format!(
        "unknown operation '{name}'.{hint} `baton call --list` lists all operations"
    ))
}

fn parse_input(given: Option<&str>) -> Result<Value, Failure> {
    let mut text = given.unwrap_or("{}").to_owned();
    if text == "-" {
        text.clear();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        read.map_err(|source| Failure::System {
            doing: "read the input from standard input",
            source,
        })?;
    }
    serde_json::from_str(&text)
        .map_err(|error| Failure::Usage(format!("the input is not valid JSON: {error}")))
}

/// Returns the run that the call may have started: the run in the answer, or the run of a
/// proposal's planner.
fn run_of(answer: &Value) -> Option<RunId> {
    let summary = RunSummary::deserialize(answer).map(|summary| summary.id);
    let view = summary.or_else(|_| RunView::deserialize(answer).map(|view| view.summary.id));
    view.ok()
        .or_else(|| ProposalView::deserialize(answer).ok()?.summary.run)
}

fn proposal_of(answer: &Value) -> Option<ProposalId> {
    ProposalView::deserialize(answer)
        .ok()
        .map(|view| view.summary.id)
}

pub(crate) fn list(output: &Output) -> Result<Exit, Failure> {
    if output.json {
        let row = |operation: &baton_api::Operation| {
            json!({ "name": operation.name, "right": operation.right.as_str(), "summary": operation.summary,
                    "verb": verb_operations::verb_of(operation.name) })
        };
        output.json(&OPERATIONS.iter().map(row).collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let row = |operation: &baton_api::Operation| {
        [
            Cell::from(operation.name).tone(Tone::Strong),
            Cell::from(operation.right.as_str()),
            Cell::from(operation.summary),
            Cell::from(verb_operations::verb_of(operation.name)).tone(Tone::Faint),
        ]
    };
    let rows: Vec<_> = OPERATIONS.iter().map(row).collect();
    table::print(
        output,
        ["operation", "access", "description", "command"],
        &rows,
    )?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        for (name, expected) in [
            (
                "node_skp",
                "unknown operation 'node_skp'. Did you mean node_skip? `baton call --list` lists all operations",
            ),
            (
                "runs_lists",
                "unknown operation 'runs_lists'. Did you mean runs_list? `baton call --list` lists all operations",
            ),
            (
                "node_stop_it_now",
                "unknown operation 'node_stop_it_now'. `baton call --list` lists all operations",
            ),
            (
                "nonsense",
                "unknown operation 'nonsense'. `baton call --list` lists all operations",
            ),
        ] {
            let Failure::Usage(message) = unknown_operation(name) else {
                panic!("a usage error")
            };
            assert_eq!(message, expected);
        }
    }
}
