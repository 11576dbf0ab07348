//! The error handler of a failed run: starting it before this process ends, and describing it.

use baton_api::wire::*;
use baton_model::RunId;

use crate::client::Client;
use crate::failure::Failure;
use crate::style;

/// Starts the error handler of `run` if it has failed. Returns the handler's run if this process
/// executes it.
pub(crate) fn start(client: &Client<'_>, run: RunId) -> Option<RunId> {
    let app = client.app().ok()?;
    match app.start_error_handler(run) {
        Ok(handler) => handler.filter(|handler| app.executes(*handler)),
        Err(error) => {
            // Only warn: the run's own result is printed next.
            let message = format!("baton: couldn't start the error handler: {error}");
            client.output.warn(&message);
            None
        }
    }
}

/// Follows the handler's run to its end. The exit code is still that of the failed run.
pub(super) fn wait(client: &Client<'_>, handler: RunId) -> Result<(), Failure> {
    if client.output.json {
        // The output is one document, about the run that was asked for.
        client
            .wait_for_run(handler)
            .map_err(|error| Failure::Operation {
                doing: "finish the error handler".to_owned(),
                error,
            })
    } else {
        super::follow(client, handler, 0).map(|_| ())
    }
}

/// The lines about error handlers in the summary of a run.
pub(crate) fn lines(view: &RunView) -> Vec<String> {
    let handled = view.handles.as_ref().map(|failed| {
        format!(
            "Started after the failure of #{} of {}: {}",
            failed.number,
            style::one_line(&failed.title),
            failed.run
        )
    });
    handled
        .into_iter()
        .chain(view.handler.as_ref().map(describe))
        .collect()
}

fn describe(handler: &HandlerView) -> String {
    match handler {
        HandlerView::Due { name } => {
            format!("Error handler: {}, not started yet", style::one_line(name))
        }
        HandlerView::Started { handler: None } => "Error handler: its run was deleted".to_owned(),
        HandlerView::Started { handler: Some(run) } => format!(
            "Error handler: #{} of {}, {} (show it with: baton runs show {})",
            run.number,
            style::one_line(&run.title),
            run.state.label(),
            run.run
        ),
        HandlerView::NotStarted { message, fix, .. } => {
            format!("{}: {}", style::one_line(message), style::one_line(fix))
        }
    }
}
