//! `baton run`: runs a plan file or a stored plan.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::PlanId;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::{approval, follow, id_lookup, plan_file, since_approval};

use super::{pin, runs};

/// Run a plan and print its progress
///
/// Ctrl+C cancels the run and ends its processes. A second Ctrl+C while they are ending withdraws
/// the cancellation and detaches; `baton resume` then continues with the sessions that are still
/// running. SIGTERM leaves everything running.
///
/// A file that you have run before updates the same plan: if it changed, it becomes the plan's next
/// version. The same applies to plan files it refers to and to sub-plans it contains, each of which
/// needs its own approval. Questions from sub-plans appear with the path of their nodes, such as
/// "Release › Deploy › Ask"; answer them like the run's own. If the plan's last run stopped after
/// --node, the new one continues it. If a plan with `replan: propose` fails, the command waits for
/// the planner and prints how to accept its proposal.
///
/// Exit codes: 0 done; 1 failed, paused or stalled, or unverified with --strict; 2 the plan can't
/// run as it is; 130 canceled, or detached by a second Ctrl+C; 143 ended by SIGTERM while sessions
/// keep running.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A plan file (YAML or JSON), or a stored plan: its ID, the start of its ID, or its title
    #[arg(value_name = "FILE|PLAN")]
    plan: PathBuf,
    /// Approve the plan without asking
    #[arg(long, short)]
    yes: bool,
    /// Maximum number of nodes to run in parallel; overrides the plan
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    jobs: Option<u32>,
    /// Run the plan file in this directory; overrides the file
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Exit with code 1 if a node is done but unverified; overrides the plan
    #[arg(long)]
    strict: bool,
    /// Run only this node and the nodes it depends on
    #[arg(long, value_name = "NODE", conflicts_with = "pinned")]
    node: Option<String>,
    /// Use the outputs pinned with `baton pin` instead of running those nodes; always a new run
    #[arg(long)]
    pinned: bool,
}

pub(crate) fn run(client: &Client<'_>, args: RunArgs) -> Result<Exit, Failure> {
    let (view, sub_plans) = find(client, &args)?;
    let goal = match &args.node {
        Some(node) => RunGoal::Node {
            node: id_lookup::find_node(&view.plan, node)?,
        },
        None => RunGoal::All,
    };
    for plan in sub_plans {
        let view = client.ask("load a sub-plan", "plan_get", &PlanRef { plan })?;
        approval::ensure_approved_unseen(client, view, args.yes)?;
    }
    let found = approval::preflight(client, &view)?;
    since_approval::note_before_run(client, &view);
    let view = approval::ensure_approved(client, view, &found, args.yes)?;
    if args.pinned {
        return run_pinned(client, &view, &args);
    }
    let before = completed_goal_run(client, &view)?;
    let start = RunStart {
        plan: view.plan.id,
        goal,
        limit: args.jobs,
        base_revision: None,
        finished: Vec::new(),
    };
    let doing = format!("run '{}'", style::one_line(&view.plan.title));
    let run: RunView = client.ask(&doing, "run_start", &start)?;
    let known = match (
        &run.takeover,
        before.filter(|before| before.summary.id == run.summary.id),
    ) {
        (_, Some(before)) => {
            let (run, done) = (
                before.summary.id,
                runs::settled_nodes(&before.summary.progress),
            );
            client
                .output
                .note(&format!("Continuing run {run}: {done} already done."));
            before.seq
        }
        (Some(takeover), None) => {
            client
                .output
                .note(&takeover_notice(takeover, run.nodes.len()));
            run.seq
        }
        (None, None) => 0,
    };
    follow::follow_with_strictness(client, run.summary.id, known, args.strict)
}

/// Says which nodes use their pinned output, and starts the run.
fn run_pinned(client: &Client<'_>, view: &PlanView, args: &RunArgs) -> Result<Exit, Failure> {
    for line in pin::describe_run(&view.plan, &pin::load(client, &view.plan)?) {
        client.output.note(&line);
    }
    let start = RunStartPinned {
        plan: view.plan.id,
        limit: args.jobs,
    };
    let doing = format!("run '{}'", style::one_line(&view.plan.title));
    let run: RunView = client.ask(&doing, "run_start_pinned", &start)?;
    follow::follow_with_strictness(client, run.summary.id, 0, args.strict)
}

/// Returns the plan's last run if it stopped at its goal. The next start may continue it.
fn completed_goal_run(client: &Client<'_>, plan: &PlanView) -> Result<Option<RunView>, Failure> {
    let last = plan
        .last_run
        .as_ref()
        .filter(|run| run.state.stopped_at_goal());
    last.map(|run| client.ask("load the last run", "run_get", &RunRef { run: run.id }))
        .transpose()
}

/// Formats the note for a start that took over a run from a silent process.
fn takeover_notice(takeover: &TakeoverView, nodes: usize) -> String {
    let from = takeover
        .from_pid
        .map(|pid| format!(" of process {pid}"))
        .unwrap_or_default();
    let silence = takeover
        .recovery_ms
        .map(|ms| format!(", silent for {}", format_elapsed(ms)))
        .unwrap_or_default();
    let done = takeover.done_nodes;
    let nodes = format_quantity(nodes, "node", "nodes");
    format!("Took over the run{from}{silence}: {done} of {nodes} already done")
}

/// Returns the plan, and the sub-plans that its file contains or refers to.
fn find(client: &Client<'_>, args: &RunArgs) -> Result<(PlanView, Vec<PlanId>), Failure> {
    if is_file(&args.plan) {
        let imported = plan_file::import_or_find(client, &args.plan, args.cwd.as_deref())?;
        for warning in &imported.warnings {
            let mark = client.output.paint_note("!", Tone::Attention);
            client.output.note(&format!(
                "{mark} {}: {}",
                args.plan.display(),
                style::one_line(warning)
            ));
        }
        return Ok((imported.plan, imported.sub_plans));
    }
    if args.cwd.is_some() {
        let message = "--cwd works only with plan files. A stored plan has its own directory";
        return Err(Failure::Usage(message.to_owned()));
    }
    let given = args.plan.to_string_lossy();
    let plan = id_lookup::find_plan(client, &given)?;
    Ok((
        client.ask("load the plan", "plan_get", &PlanRef { plan })?,
        Vec::new(),
    ))
}

/// Whether the argument is a path: it exists, has several components, or has a plan file's
/// extension.
fn is_file(given: &Path) -> bool {
    let extension = given
        .extension()
        .and_then(OsStr::to_str)
        .unwrap_or_default()
        .to_ascii_lowercase();
    given.exists()
        || given.components().count() > 1
        || ["yaml", "yml", "json"].contains(&extension.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_like_argument_is_a_file() {
        for (given, file) in [
            ("nowhere.yaml", true),
            ("a/b", true),
            ("Release notes", false),
            ("019a2b3c", false),
        ] {
            assert_eq!(is_file(Path::new(given)), file, "{given}");
        }
    }
}
