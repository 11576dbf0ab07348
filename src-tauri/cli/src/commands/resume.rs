//! `baton resume`: continues unfinished runs in this process.

use baton_api::wire::*;
use baton_model::duration::format_elapsed;
use baton_model::run::Ending;
use baton_model::{RunId, RunState};
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style;
use crate::{follow, id_lookup};

use super::{executors, runs};

/// Resume a paused or stalled run, or one whose executor died
///
/// Sessions that are still running are adopted; nothing starts twice. To continue a failed run, use
/// `baton node retry`. The exit codes are those of `baton run`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
    /// [default: the only unfinished run]
    #[arg(value_name = "RUN")]
    run: Option<String>,
    /// Resume all unfinished runs
    #[arg(long, conflicts_with = "run")]
    all: bool,
    /// Exit with code 1 if a node is done but unverified
    #[arg(long)]
    strict: bool,
}

pub(crate) fn resume(client: &Client<'_>, args: ResumeArgs) -> Result<Exit, Failure> {
    if let Some(given) = &args.run {
        let run = id_lookup::find_run(client, given)?;
        let view: RunView = client.ask("load the run", "run_get", &RunRef { run })?;
        // Resuming a stalled run makes sense, because the cause may be gone.
        if matches!(view.summary.state, RunState::Replanning { .. }) {
            return print_pending_decisions(client, &view.summary);
        }
        return resume_all(client, &[(view.summary, view.seq)], args.strict);
    }
    let runs = list(client)?;
    for run in &runs {
        if let Some(sentence) = not_resumed_reason(run) {
            client.output.note(&sentence);
        }
    }
    let (unfinished, all_readable) = unfinished(client, runs);
    let exit = match unfinished.as_slice() {
        [] => {
            client.output.note("No unfinished runs.");
            Exit::Done
        }
        several @ [_, _, ..] if !args.all => {
            runs::table(
                client,
                &several
                    .iter()
                    .map(|(summary, _)| summary)
                    .collect::<Vec<_>>(),
            )?;
            let message =
                "several runs are unfinished. Choose one with `baton resume RUN`, or use --all";
            return Err(Failure::Usage(message.to_owned()));
        }
        some => resume_all(client, some, args.strict)?,
    };
    Ok(match exit {
        Exit::Done if !all_readable => Exit::Failed,
        exit => exit,
    })
}

/// Prints what a person has to decide before the run can continue.
fn print_pending_decisions(client: &Client<'_>, run: &RunSummary) -> Result<Exit, Failure> {
    let decisions = follow::decisions::pending(client, run)?;
    if client.output.json {
        client
            .output
            .json(&serde_json::json!({ "run": run, "decisions": decisions }))?;
        return Ok(Exit::Failed);
    }
    runs::table(client, &[run])?;
    if decisions.is_empty() {
        client
            .output
            .note("A planner is working on a new version of the plan: baton proposal list");
    } else {
        follow::decisions::print(client, &decisions)?;
    }
    Ok(Exit::Failed)
}

fn list(client: &Client<'_>) -> Result<Vec<RunSummary>, Failure> {
    client.ask(
        "list the runs",
        "runs_list",
        &RunsFilter {
            plan: None,
            limit: 10_000,
        },
    )
}

/// Explains why a run that another executor has is not resumed. `None` if that is no obstacle.
fn not_resumed_reason(run: &RunSummary) -> Option<String> {
    let RunExecutorView::Elsewhere {
        pid,
        kind,
        health,
        silence_ms,
    } = run.attendance
    else {
        return None;
    };
    if run.state.has_ended() || run.state.stopped_at_goal() {
        return None;
    }
    let silence = format_elapsed(silence_ms);
    let how = match health {
        ExecutorHealth::Stale => return None,
        ExecutorHealth::Unhealthy => {
            format!(", silent for {silence}; it can be taken over if it stays silent")
        }
        ExecutorHealth::Healthy | ExecutorHealth::Gone => String::new(),
    };
    let (title, kind) = (style::one_line(&run.title), executors::kind_word(kind));
    Some(format!(
        "'{title}' (run {}) was not resumed: another executor has it ({kind}, process {pid}{how})",
        run.id
    ))
}

/// Returns the unfinished runs with their last event's number, and whether all of them are
/// readable. Runs of sub-plans are left out: they resume with their parent.
fn unfinished(client: &Client<'_>, runs: Vec<RunSummary>) -> (Vec<(RunSummary, u64)>, bool) {
    let mut all_readable = true;
    let mut views: Vec<RunView> = Vec::new();
    for run in runs.into_iter().filter(is_unfinished) {
        match client.ask("load the run", "run_get", &RunRef { run: run.id }) {
            Ok(view) => views.push(view),
            // A damaged run must not keep the others from being resumed.
            Err(failure) => {
                print_not_resumed(client, &run, &failure);
                all_readable = false;
            }
        }
    }
    let listed: Vec<RunId> = views.iter().map(|view| view.summary.id).collect();
    views.retain(|view| {
        view.parent
            .is_none_or(|parent| !listed.contains(&parent.run))
    });
    let views = views
        .into_iter()
        .map(|view| (view.summary, view.seq))
        .collect();
    (views, all_readable)
}

/// Whether a run waits to be resumed. False while a live executor has it, after it reached its
/// goal, and while it waits for a new version of its plan.
fn is_unfinished(run: &RunSummary) -> bool {
    let left = match run.attendance {
        RunExecutorView::None => true,
        RunExecutorView::Here => false,
        RunExecutorView::Elsewhere { health, .. } => health == ExecutorHealth::Stale,
    };
    left && !run.state.has_ended()
        && !run.state.stopped_at_goal()
        && !matches!(run.state, RunState::Replanning { .. })
}

/// Resumes all of `runs`, then follows one after the other. If there are several, a failure to
/// resume one does not affect the others.
fn resume_all(
    client: &Client<'_>,
    runs: &[(RunSummary, u64)],
    is_strict: bool,
) -> Result<Exit, Failure> {
    let mut worst = Exit::Done;
    let mut resumed = Vec::new();
    for (run, known) in runs {
        match adopt_or_resume(client, run) {
            Ok(()) => resumed.push((run, known)),
            Err(failure) if runs.len() == 1 => return Err(failure),
            Err(failure) => {
                print_not_resumed(client, run, &failure);
                worst = Exit::Failed;
            }
        }
    }
    for (run, known) in resumed {
        match follow::follow_with_strictness(client, run.id, *known, is_strict)? {
            exit @ (Exit::Cancelled | Exit::Terminated) => return Ok(exit),
            Exit::Done => {}
            exit => worst = exit,
        }
    }
    Ok(worst)
}

fn print_not_resumed(client: &Client<'_>, run: &RunSummary, failure: &Failure) {
    let title = style::one_line(&run.title);
    client.output.warn(&format!(
        "'{title}' (run {}) was not resumed: {failure}",
        run.id
    ));
}

fn adopt_or_resume(client: &Client<'_>, run: &RunSummary) -> Result<(), Failure> {
    let doing = "resume the run";
    if matches!(run.state, RunState::Running { .. }) {
        let failed = |error| Failure::Operation {
            doing: doing.to_owned(),
            error,
        };
        client.app()?.adopt(run.id).map_err(failed)?;
        // The run was being paused when its executor left, so it needs an explicit resume.
        return match run.state {
            RunState::Running {
                ending: Some(Ending::Pausing { .. } | Ending::Reviewing),
            } => resume_run(client, run.id, doing),
            _ => Ok(()),
        };
    }
    resume_run(client, run.id, doing)
}

fn resume_run(client: &Client<'_>, run: RunId, doing: &str) -> Result<(), Failure> {
    let _: RunSummary = client.ask(doing, "run_resume", &RunRef { run })?;
    Ok(())
}
