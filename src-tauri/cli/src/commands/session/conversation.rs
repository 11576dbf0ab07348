//! `baton session continue` and `baton session fork`.

use baton_api::wire::*;
use clap::Args;

use super::transcripts;
use crate::client::Client;
use crate::commands::{node, plan};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::id_lookup;

#[derive(Debug, Args)]
pub(crate) struct MessageArgs {
    /// The session: its ID, the start of its ID, or its title; or a transcript as AGENT:ID
    session: String,
    /// The message to the agent; `-` reads it from standard input
    message: String,
}

/// Continues a node's session in its run, or a transcript in a new plan with one node.
pub(super) fn continue_session(client: &Client<'_>, args: MessageArgs) -> Result<Exit, Failure> {
    if transcripts::is_transcript_ref(&args.session) {
        return create_plan_with_session(client, args, false);
    }
    let session = id_lookup::find_session(client, &args.session)?;
    let view: SessionView =
        client.ask("load the session", "session_get", &SessionRef { session })?;
    let node = view.node;
    let before: RunView = client.ask("load the run", "run_get", &RunRef { run: view.run })?;
    let message = read_message(args.message)?;
    let input = NodeContinue {
        run: view.run,
        node,
        session: Some(session),
        message,
    };
    let summary = client.ask("continue the session", "node_continue", &input)?;
    node::follow_if_executed_here(client, &before, summary)
}

/// Creates a plan with one node that continues a copy of the session.
pub(super) fn fork(client: &Client<'_>, args: MessageArgs) -> Result<Exit, Failure> {
    create_plan_with_session(client, args, true)
}

fn create_plan_with_session(
    client: &Client<'_>,
    args: MessageArgs,
    fork: bool,
) -> Result<Exit, Failure> {
    let (session, transcript) = if transcripts::is_transcript_ref(&args.session) {
        (None, Some(args.session))
    } else {
        (Some(id_lookup::find_session(client, &args.session)?), None)
    };
    let input = SessionPlan {
        session,
        transcript,
        message: read_message(args.message)?,
        fork,
        cwd: None,
    };
    let view: PlanView = client.ask("create a plan from the session", "session_plan", &input)?;
    plan::print_created(client, &view)?;
    if !fork {
        client
            .output
            .note("When it runs, the session continues in its own file.");
    }
    client
        .output
        .note(&format!("Run it with: baton run {}", view.plan.id));
    Ok(Exit::Done)
}

fn read_message(message: String) -> Result<String, Failure> {
    if message == "-" {
        node::read_stdin()
    } else {
        Ok(message)
    }
}
