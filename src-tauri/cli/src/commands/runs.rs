//! `baton runs`: lists, shows, pauses, cancels and deletes runs.

mod delete;
mod export;
mod list;
mod pull_request;

mod summaries;

use baton_api::Actor;
use baton_api::wire::*;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use clap::Subcommand;

use self::delete::DeleteArgs;
use self::export::ExportRunArgs;
use self::list::ListArgs;
use self::pull_request::PullRequestArgs;
use super::{node, plan};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::{clock, date};
use crate::{follow, id_lookup, plan_output};

#[derive(Debug, Subcommand)]
pub(crate) enum RunsVerb {
    List(ListArgs),
    /// Show a run and its nodes
    Show {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
        /// Also show the run's history
        #[arg(long)]
        history: bool,
        /// Also show the summaries that nodes wrote
        #[arg(long)]
        summaries: bool,
    },
    Export(ExportRunArgs),
    /// Rerun the nodes that failed or were interrupted
    RerunFailed {
        /// The run: its ID, the start of its ID, or its plan's title
        run: String,
        /// List what would rerun, with the time and cost of the last attempts, and start nothing
        #[arg(long)]
        preview: bool,
    },
    /// Start the error handler of a failed run, after it was refused and you fixed the cause
    StartHandler {
        /// The failed run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
    },
    /// Cancel a run and end its processes
    Cancel {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
    },
    /// Pause a run; `baton resume` resumes it
    Pause {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
        /// Also stop running nodes; they start again on resume
        #[arg(long)]
        stop: bool,
    },
    Delete(DeleteArgs),
    /// Open a pull request from a run's work with `gh` or `glab`
    Pr(PullRequestArgs),
}

pub(crate) fn runs(client: &Client<'_>, verb: RunsVerb) -> Result<Exit, Failure> {
    match verb {
        RunsVerb::List(args) => list::list(client, &args),
        RunsVerb::Export(args) => export::export(client, &args),
        RunsVerb::Pr(args) => return pull_request::pull_request(client, &args),
        RunsVerb::Delete(args) => return delete::delete(client, &args),
        RunsVerb::Show {
            run,
            history,
            summaries,
        } => show(client, &run, history, summaries),
        RunsVerb::RerunFailed { run, preview } => return rerun_failed(client, &run, preview),
        RunsVerb::StartHandler { run } => {
            let run = id_lookup::find_run(client, &run)?;
            let doing = "start the error handler";
            let handler: RunSummary = client.ask(doing, "run_start_handler", &RunRef { run })?;
            print_settled(client, handler)
        }
        RunsVerb::Cancel { run } => {
            let run = id_lookup::find_run(client, &run)?;
            let summary: RunSummary =
                client.ask("cancel the run", "run_cancel", &RunRef { run })?;
            print_settled(client, summary)
        }
        RunsVerb::Pause { run, stop } => {
            let run = id_lookup::find_run(client, &run)?;
            let pause = RunPause {
                run,
                stop_running: stop,
            };
            let summary: RunSummary = client.ask("pause the run", "run_pause", &pause)?;
            print_settled(client, summary)
        }
    }
    .map(|()| Exit::Done)
}

fn rerun_failed(client: &Client<'_>, given: &str, preview: bool) -> Result<Exit, Failure> {
    let run = id_lookup::find_run(client, given)?;
    let view: RunView = client.ask("load the run", "run_get", &RunRef { run })?;
    if preview {
        return node::rerun::print_preview(client, &view, Vec::new(), RerunScope::Failed);
    }
    let summary = client.ask(
        "rerun the failed nodes",
        "run_rerun_failed",
        &RunRef { run },
    )?;
    node::follow_if_executed_here(client, &view, summary)
}

/// Prints one line per run.
pub(crate) fn table(client: &Client<'_>, runs: &[&RunSummary]) -> Result<(), Failure> {
    let ids = id_lookup::short_ids(runs.iter().map(|run| run.id.0));
    let row = |(run, id): (&&RunSummary, String)| {
        let elapsed = run
            .ended_at
            .map(|end| format_elapsed(end.ms_since(run.started_at)))
            .unwrap_or_default();
        [
            Cell::from(format!("#{}", run.number)),
            Cell::from(&run.title).tone(Tone::Strong),
            plan_output::run_status(run),
            progress(run).into(),
            date(run.started_at).into(),
            elapsed.into(),
            Cell::from(id).tone(Tone::Faint),
        ]
    };
    let rows: Vec<_> = runs.iter().zip(ids).map(row).collect();
    table::print(
        client.output,
        ["#", "plan", "state", "nodes", "started", "elapsed", "run"],
        &rows,
    )?;
    plan::note_damage(
        client,
        runs.iter()
            .filter_map(|run| Some((run.title.as_str(), run.damage.as_deref()?))),
    );
    Ok(())
}

/// Formats how many of a run's nodes are done or skipped, for a table: `3/5`.
pub(crate) fn progress(run: &RunSummary) -> String {
    format!("{}/{}", settled(&run.progress), run.progress.len())
}

/// Formats how many of a run's nodes are done or skipped: `3 of 5 nodes`.
pub(crate) fn settled_nodes(progress: &[NodeStatus]) -> String {
    let nodes = format_quantity(progress.len(), "node", "nodes");
    format!("{} of {nodes}", settled(progress))
}

fn settled(progress: &[NodeStatus]) -> usize {
    progress.iter().filter(|status| status.is_settled()).count()
}

fn show(client: &Client<'_>, given: &str, history: bool, summaries: bool) -> Result<(), Failure> {
    let run = id_lookup::find_run(client, given)?;
    let view: RunView = client.ask("load the run", "run_get", &RunRef { run })?;
    let output = client.output;
    if output.json && !history && !summaries {
        return output.json(&view);
    }
    if !output.json {
        table(client, &[&view.summary])?;
        output.line(&format!(
            "run {run}, plan {}, version {}",
            view.summary.plan, view.summary.version
        ))?;
        for line in follow::error_handler::lines(&view) {
            output.line(&line)?;
        }
        if let Some(count) = view.summary.pinned_nodes {
            let nodes = format_quantity(count, "node", "nodes");
            output.line(&format!("Pinned outputs: {nodes} did not run"))?;
        }
        output.line("")?;
        plan_output::print(output, &view.plan, Some(&view))?;
    }
    if summaries {
        summaries::print(client, &view)?;
    }
    if history {
        print_history(client, &view)
    } else {
        Ok(())
    }
}

fn print_history(client: &Client<'_>, view: &RunView) -> Result<(), Failure> {
    let output = client.output;
    let mut after = 0;
    loop {
        let wanted = RunHistory {
            run: view.summary.id,
            after,
            limit: 1000,
        };
        let rows: Vec<HistoryRow> = client.ask("load the run's history", "run_history", &wanted)?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.seq;
        for row in &rows {
            if output.json {
                output.json(row)?;
            } else {
                let at = output.paint(&clock(row.at), Tone::Faint);
                output.line(&format!(
                    "{at}  {}{}",
                    style::one_line(&row.sentence),
                    actor_label(output, row)
                ))?;
                for detail in &row.details {
                    let margin = " ".repeat(clock(row.at).len());
                    output.line(&format!("{margin}    {}", style::one_line(detail)))?;
                }
            }
        }
    }
}

/// Names who caused the event, unless it was Baton itself.
fn actor_label(output: &Output, row: &HistoryRow) -> String {
    if row.actor == Actor::Baton.to_string() {
        return String::new();
    }
    output.paint(
        &format!("  by {}", style::one_line(&row.actor)),
        Tone::Faint,
    )
}

/// Prints a run's state after a command. If this process took over the run for it, waits first
/// until the run has nothing left to do, and for its error handler if it failed.
pub(crate) fn print_settled(client: &Client<'_>, summary: RunSummary) -> Result<(), Failure> {
    let run = summary.id;
    let failed = |error| Failure::Operation {
        doing: "finish the run".to_owned(),
        error,
    };
    client.wait_for_run(run).map_err(failed)?;
    if let Some(handler) = follow::error_handler::start(client, run) {
        client.wait_for_run(handler).map_err(failed)?;
    }
    let view: RunView = client.ask("load the run", "run_get", &RunRef { run })?;
    if client.output.json {
        return client.output.json(&view.summary);
    }
    let Cell(status, tone) = plan_output::run_status(&view.summary);
    let status = client.output.paint(&status, tone);
    client.output.line(&format!(
        "{}: {status} ({})",
        style::one_line(&view.summary.title),
        settled_nodes(&view.summary.progress)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_nodes_agree_with_their_number() {
        use NodeStatus::{Done, FailedSkipped, Running, Skipped};
        assert_eq!(settled_nodes(&[]), "0 of 0 nodes");
        assert_eq!(settled_nodes(&[Running]), "0 of 1 node");
        assert_eq!(settled_nodes(&[Done]), "1 of 1 node");
        let progress = [Done, Skipped, FailedSkipped, Running];
        assert_eq!(settled_nodes(&progress), "3 of 4 nodes");
    }
}
