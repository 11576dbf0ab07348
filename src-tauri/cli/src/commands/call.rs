//! `baton call`: every operation there is, as it is.

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

/// Carry out any operation with JSON in and out, as the window and the server do.
///
/// An operation that makes this process the executor of a run ends when the run has come to rest.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The operation's name, see --list.
    #[arg(required_unless_present = "list")]
    operation: Option<String>,
    /// Its input; `-` reads it from standard input; nothing for operations that need nothing.
    #[arg(value_name = "JSON")]
    input: Option<String>,
    /// List all operations.
    #[arg(long, conflicts_with_all = ["operation", "input"])]
    pub(crate) list: bool,
}

/// Carries out an operation.
///
/// When this process executes what has begun, it stays until that is at rest.
pub(crate) fn call(client: &Client<'_>, args: CallArgs) -> Result<Exit, Failure> {
    let name = args.operation.unwrap_or_default();
    if !OPERATIONS.iter().any(|operation| operation.name == name) {
        return Err(unknown_operation(&name));
    }
    let input = parse_input(args.input.as_deref())?;
    let answer: Value = client.ask(&format!("carry out {name}"), &name, &input)?;
    client.output.json(&answer)?;
    wait_for_started_work(client, &name, &answer)?;
    Ok(Exit::Done)
}

fn wait_for_started_work(client: &Client<'_>, name: &str, answer: &Value) -> Result<(), Failure> {
    if client.is_in_session() {
        // Another process executes it. Only the end of a run that began here is waited for.
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
        doing: "bring the run to rest".to_owned(),
        error,
    };
    client.wait_for_run(run).map_err(failed)
}

/// The process that began a planner judges its answer before it ends: another one may find other agents here.
fn wait_for_planner(client: &Client<'_>, proposal: ProposalId) -> Result<(), Failure> {
    let mut waited_for = None;
    loop {
        let view: ProposalView = client.ask(
            "look at the proposal",
            "proposal_get",
            &ProposalRef { proposal },
        )?;
        let run = view.summary.run;
        if view.summary.state != ProposalState::Working || waited_for == Some(run) {
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

/// How like an operation's name a word has to be to be taken for it, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.7;

fn unknown_operation(name: &str) -> Failure {
    // Names begin with what they are about, and many alike: each slip counts the same, wherever it is.
    let similarity = |other: &str| strsim::normalized_levenshtein(&name.to_lowercase(), other);
    let near = OPERATIONS
        .iter()
        .map(|operation| (similarity(operation.name), operation.name));
    let nearest = near
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    let hint = nearest.map_or_else(String::new, |(_, name)| format!("did you mean {name}? "));
    Failure::Usage(format!(
        "there is no operation '{name}'; {hint}`baton call --list` shows all"
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
        .map_err(|error| Failure::Usage(format!("the input is not JSON: {error}")))
}

/// The run that may have begun here: the one that is answered, or that of the planner of a proposal.
fn run_of(answer: &Value) -> Option<RunId> {
    let summary = RunSummary::deserialize(answer).map(|summary| summary.id);
    let view = summary.or_else(|_| RunView::deserialize(answer).map(|view| view.summary.id));
    view.or_else(|_| ProposalView::deserialize(answer).map(|view| view.summary.run))
        .ok()
}

fn proposal_of(answer: &Value) -> Option<ProposalId> {
    ProposalView::deserialize(answer)
        .ok()
        .map(|view| view.summary.id)
}

/// Lists all operations.
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
    table::print(output, ["operation", "right", "does", "verb"], &rows)?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        for (name, said) in [
            (
                "node_skp",
                "there is no operation 'node_skp'; did you mean node_skip? `baton call --list` shows all",
            ),
            (
                "runs_lists",
                "there is no operation 'runs_lists'; did you mean runs_list? `baton call --list` shows all",
            ),
            (
                "node_stop_it_now",
                "there is no operation 'node_stop_it_now'; `baton call --list` shows all",
            ),
            (
                "nonsense",
                "there is no operation 'nonsense'; `baton call --list` shows all",
            ),
        ] {
            let Failure::Usage(message) = unknown_operation(name) else {
                panic!("a usage error")
            };
            assert_eq!(message, said);
        }
    }
}
