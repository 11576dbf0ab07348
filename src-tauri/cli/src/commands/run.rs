//! `baton run`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::PlanId;
use baton_model::duration::format_elapsed;
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::{approval, follow, id_lookup, plan_file};

use super::runs;

/// Run a plan to its end and tell what happens.
///
/// Ctrl+C cancels the run and ends its processes. A second Ctrl+C while they are still ending takes the cancellation
/// back and leaves: `baton resume` continues with what still lives. SIGTERM leaves everything running.
/// A file that was run before is the same plan; if it has changed, it becomes the plan's next version. So are
/// the plan files that it names and the plans that it brings along, each of which is approved by itself. What these ask is
/// told with the nodes that lead there, such as "Release › Deploy › Ask", and answered like the run's own questions. A run that did only the node that was asked for
/// is continued. After a failure of a plan that says `replan: propose`, it waits for the planner and says how to accept
/// its proposal.
///
/// Exit codes: 0 done; 1 failed, and also paused or stalled, with --strict also done but unverified; 2 the plan cannot
/// run as it is; 130 cancelled, or left by a second Ctrl+C; 143 ended by SIGTERM, the sessions live on.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A plan file (YAML or JSON), or a plan by id, beginning of the id, or title.
    #[arg(value_name = "FILE|PLAN")]
    plan: PathBuf,
    /// Approve the plan without being asked.
    #[arg(long, short)]
    yes: bool,
    /// Run so many nodes at once, whatever the plan says.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    jobs: Option<u32>,
    /// Run a plan file in this directory, whatever it says.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Exit with 1 when a node is done but not verified, whatever the plan says.
    #[arg(long)]
    strict: bool,
    /// Run only this node, and before it what it needs.
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
}

/// Runs a plan.
pub(crate) fn run(client: &Client<'_>, args: RunArgs) -> Result<Exit, Failure> {
    let (view, sub_plans) = find(client, &args)?;
    let goal = match &args.node {
        Some(node) => RunGoal::Node {
            node: id_lookup::find_node(&view.plan, node)?,
        },
        None => RunGoal::All,
    };
    for plan in sub_plans {
        let view = client.ask("show a plan that it runs", "plan_get", &PlanRef { plan })?;
        approval::ensure_approved_unseen(client, view, args.yes)?;
    }
    let found = approval::preflight(client, &view)?;
    let view = approval::ensure_approved(client, view, &found, args.yes)?;
    let before = completed_goal_run(client, &view)?;
    let start = RunStart {
        plan: view.plan.id,
        goal,
        limit: args.jobs,
    };
    let doing = format!("run '{}'", style::one_line(&view.plan.title));
    let run: RunView = client.ask(&doing, "run_start", &start)?;
    let known = match (
        &run.takeover,
        before.filter(|before| before.summary.id == run.summary.id),
    ) {
        (_, Some(before)) => {
            let (run, done) = (before.summary.id, runs::progress(&before.summary));
            client.output.note(&format!(
                "Continuing run {run}: {done} nodes are done and are not run again."
            ));
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

/// The plan's last run, if it did what was asked of it: the next start may continue it.
fn completed_goal_run(client: &Client<'_>, plan: &PlanView) -> Result<Option<RunView>, Failure> {
    let last = plan
        .last_run
        .as_ref()
        .filter(|run| run.state.stopped_at_goal());
    last.map(|run| client.ask("look at the last run", "run_get", &RunRef { run: run.id }))
        .transpose()
}

/// What is said when the start went on with a run that another process had left silent.
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
    format!(
        "the run{from}{silence}, was taken over: {done} of {nodes} nodes are done already and are not run again"
    )
}

/// The plan, and those that came with its file.
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
        let message = "--cwd is for plan files: a plan that Baton keeps has its own directory";
        return Err(Failure::Usage(message.to_owned()));
    }
    let given = args.plan.to_string_lossy();
    let plan = id_lookup::find_plan(client, &given)?;
    Ok((
        client.ask("show the plan", "plan_get", &PlanRef { plan })?,
        Vec::new(),
    ))
}

/// Whether the argument means a file: there is one, or it looks like nothing else.
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
