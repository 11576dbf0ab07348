//! `baton request`: calls of agents that only a person may carry out.

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

/// What to do with requests.
#[derive(Debug, Subcommand)]
pub(crate) enum RequestVerb {
    /// List the calls of agents that wait for you.
    List,
    /// Show a request whole, or what became of it.
    Show(RequestArgs),
    /// Carry out what was asked, in your name.
    Allow(RequestArgs),
    /// Say no to a request.
    Refuse(RequestArgs),
}

/// Which request.
#[derive(Debug, Args)]
pub(crate) struct RequestArgs {
    /// The request's id.
    request: uuid::Uuid,
}

impl RequestArgs {
    fn request(&self) -> RequestRef {
        RequestRef {
            request: HeldCallId(self.request),
        }
    }
}

/// Carries out a verb.
pub(crate) fn request(client: &Client<'_>, verb: RequestVerb) -> Result<Exit, Failure> {
    match verb {
        RequestVerb::List => list(client)?,
        RequestVerb::Show(args) => show(client, &args)?,
        RequestVerb::Allow(args) => allow(client, &args)?,
        RequestVerb::Refuse(args) => {
            let view: RequestView =
                client.ask("refuse the request", "request_refuse", &args.request())?;
            print_details(client, &view)?;
        }
    }
    Ok(Exit::Done)
}

/// The calls that wait.
pub(crate) fn waiting(client: &Client<'_>) -> Result<Vec<RequestView>, Failure> {
    client.ask("list the requests of agents", "requests_list", &Nothing {})
}

fn list(client: &Client<'_>) -> Result<(), Failure> {
    let requests = waiting(client)?;
    if client.output.json {
        return client.output.json(&requests);
    }
    if requests.is_empty() {
        client
            .output
            .note("No agent waits for you to do something in its stead.");
        return Ok(());
    }
    print(client, &requests)
}

/// Prints what waits, and below it the commands that answer.
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
    table::print(client.output, ["since", "who asks", "for", "about"], &rows)?;
    client.output.line("Look, then answer with:")?;
    requests.iter().try_for_each(|request| {
        client
            .output
            .line(&format!("  baton request show {}", request.id))
    })
}

/// Who asks: the node, or the agent outside of Baton.
fn requester(request: &RequestView) -> String {
    match (&request.of, &request.actor) {
        (Some(of), _) => format!("{} › {}", of.plan_title, of.slug),
        (None, Actor::Agent(name)) => format!("{name}, outside of Baton"),
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
    let view: RequestView = client.ask("show the request", "request_get", &args.request())?;
    print_details(client, &view)
}

fn print_details(client: &Client<'_>, view: &RequestView) -> Result<(), Failure> {
    let output = client.output;
    if output.json {
        return output.json(view);
    }
    let words = format!(
        "{} asks for {}: it {}",
        requester(view),
        view.operation,
        view.summary
    );
    output.line(&style::one_line(&words))?;
    // Text of an agent: shown as it is, but for what a terminal would obey.
    let input =
        serde_json::to_string_pretty(&view.input).map_err(|error| Failure::Output(error.into()))?;
    output.line(style::lines(&input).trim_end())?;
    output.line(&style::one_line(&state_label(view)))?;
    if view.outcome.is_none() {
        output.line(&format!(
            "  baton request allow {0}\n  baton request refuse {0}",
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
        None => "It waits for you. To do it, or to say no:".to_owned(),
        Some(HeldCallOutcome::Allowed) => format!("It was allowed by {by}, and done."),
        Some(HeldCallOutcome::Failed { message }) => {
            format!("It was allowed by {by}, and failed: {message}")
        }
        Some(HeldCallOutcome::Refused) => format!("It was refused by {by}."),
        Some(HeldCallOutcome::Outdated) => "The plan has changed since, so it is void.".to_owned(),
        Some(HeldCallOutcome::RunEnded) => {
            "The run that asked has ended, so it is void.".to_owned()
        }
    }
}

fn allow(client: &Client<'_>, args: &RequestArgs) -> Result<(), Failure> {
    let view: RequestView = client.ask("allow the request", "request_allow", &args.request())?;
    print_details(client, &view)?;
    // What began here is executed by this process, and would end with it.
    let run = |pointer: &str| {
        view.input
            .pointer(pointer)
            .and_then(|run: &Value| RunId::deserialize(run).ok())
    };
    let begun = client.app()?.executing_runs();
    for run in begun.into_iter().chain(run("/run")) {
        let failed = |error| Failure::Operation {
            doing: "bring the run to rest".to_owned(),
            error,
        };
        client.wait_for_run(run).map_err(failed)?;
    }
    Ok(())
}
