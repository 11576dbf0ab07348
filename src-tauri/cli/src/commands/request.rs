//! `baton request`: operations called by agents that wait for a person's permission.

use baton_api::wire::*;
use baton_api::{Actor, HeldCallId};
use baton_model::RunId;
use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::Value;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;

#[derive(Debug, Subcommand)]
pub(crate) enum RequestVerb {
    /// List requests waiting for you
    List,
    /// Show a request and its outcome
    Show(RequestArgs),
    /// Allow a request and execute it on your behalf
    Allow(RequestArgs),
    /// Answer a question of a node's session
    Answer(AnswerArgs),
    /// Deny a request
    #[command(alias = "refuse")]
    Deny(RequestArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RequestArgs {
    /// The request's ID
    request: uuid::Uuid,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    request: RequestArgs,
    /// The answer, in words
    text: String,
}

impl RequestArgs {
    fn request(&self) -> RequestRef {
        RequestRef {
            request: HeldCallId(self.request),
        }
    }
}

pub(crate) fn request(client: &Client<'_>, verb: RequestVerb) -> Result<Exit, Failure> {
    match verb {
        RequestVerb::List => list(client)?,
        RequestVerb::Show(args) => show(client, &args)?,
        RequestVerb::Allow(args) => allow(client, &args)?,
        RequestVerb::Answer(args) => {
            let answer = QuestionAnswer {
                request: args.request.request().request,
                answer: args.text,
            };
            let view: RequestView =
                client.ask("answer the question", "question_answer", &answer)?;
            print_details(client, &view)?;
        }
        RequestVerb::Deny(args) => {
            let view: RequestView =
                client.ask("deny the request", "request_refuse", &args.request())?;
            print_details(client, &view)?;
        }
    }
    Ok(Exit::Done)
}

/// Returns the requests that wait for a person.
pub(crate) fn waiting(client: &Client<'_>) -> Result<Vec<RequestView>, Failure> {
    client.ask("load the requests", "requests_list", &Nothing {})
}

fn list(client: &Client<'_>) -> Result<(), Failure> {
    let requests = waiting(client)?;
    if client.output.json {
        return client.output.json(&requests);
    }
    if requests.is_empty() {
        client.output.note("No requests.");
        return Ok(());
    }
    print(client, &requests)
}

/// Prints a table of requests, then the commands that show each.
pub(crate) fn print(client: &Client<'_>, requests: &[RequestView]) -> Result<(), Failure> {
    let row = |request: &RequestView| {
        [
            Cell::from(date(request.asked_at)).tone(Tone::Faint),
            Cell::from(requester(request)),
            Cell::from(request.operation.as_str()).tone(Tone::Strong),
            Cell::from(subject(request)),
        ]
    };
    let rows: Vec<_> = requests.iter().map(row).collect();
    table::print(
        client.output,
        ["since", "from", "operation", "about"],
        &rows,
    )?;
    client.output.line("Review and answer with:")?;
    requests.iter().try_for_each(|request| {
        client
            .output
            .line(&format!("  baton request show {}", request.id))
    })
}

/// Names the node, or the agent that runs outside Baton.
fn requester(request: &RequestView) -> String {
    match (&request.of, &request.actor) {
        (Some(of), _) => format!("{} › {}", of.plan_title, of.slug),
        (None, Actor::Agent(name)) => format!("{name}, outside Baton"),
        (None, actor) => actor.to_string(),
    }
}

fn subject(request: &RequestView) -> String {
    request
        .plan_title
        .clone()
        .unwrap_or_else(|| request.summary.clone())
}

fn show(client: &Client<'_>, args: &RequestArgs) -> Result<(), Failure> {
    let view: RequestView = client.ask("load the request", "request_get", &args.request())?;
    print_details(client, &view)
}

fn print_details(client: &Client<'_>, view: &RequestView) -> Result<(), Failure> {
    let output = client.output;
    if output.json {
        return output.json(view);
    }
    let sentence = format!(
        "{} asks for {}, which {}",
        requester(view),
        view.operation,
        view.summary
    );
    output.line(&style::one_line(&sentence))?;
    // Written by an agent, so control characters are removed.
    let input =
        serde_json::to_string_pretty(&view.input).map_err(|error| Failure::Output(error.into()))?;
    output.line(style::lines(&input).trim_end())?;
    output.line(&style::one_line(&state_label(view)))?;
    if view.outcome.is_none() {
        let yes = match view.operation.as_str() {
            "question_ask" => format!("answer {} TEXT", view.id),
            _ => format!("allow {}", view.id),
        };
        output.line(&format!(
            "  baton request {yes}\n  baton request deny {}",
            view.id
        ))?;
    }
    Ok(())
}

fn state_label(view: &RequestView) -> String {
    let by = view
        .decided_by
        .as_ref()
        .map(Actor::to_string)
        .unwrap_or_default();
    match &view.outcome {
        None => "Waiting for you. Decide with:".to_owned(),
        Some(HeldCallOutcome::Allowed) => format!("Allowed by {by} and executed."),
        Some(HeldCallOutcome::Failed { message }) => {
            format!("Allowed by {by}, but failed: {message}")
        }
        Some(HeldCallOutcome::Answered { text }) => format!("Answered by {by}: {text}"),
        Some(HeldCallOutcome::Refused) => format!("Denied by {by}."),
        Some(HeldCallOutcome::Outdated) => "Expired because the plan changed.".to_owned(),
        Some(HeldCallOutcome::RunEnded) => "Expired because the run ended.".to_owned(),
    }
}

fn allow(client: &Client<'_>, args: &RequestArgs) -> Result<(), Failure> {
    let view: RequestView = client.ask("allow the request", "request_allow", &args.request())?;
    print_details(client, &view)?;
    // This process executes the run that the call started, so it has to stay until the run ends.
    let run = |pointer: &str| {
        view.input
            .pointer(pointer)
            .and_then(|run: &Value| RunId::deserialize(run).ok())
    };
    let started = client.app()?.executing_runs();
    for run in started.into_iter().chain(run("/run")) {
        let failed = |error| Failure::Operation {
            doing: "finish the run".to_owned(),
            error,
        };
        client.wait_for_run(run).map_err(failed)?;
    }
    Ok(())
}
