//! What stands between a plan and its run, found out before anything starts.

mod assignment;
mod guards;
mod overlap;
mod permissions;
mod repository;
mod restarts;
mod sandbox;
mod sub_plans;

pub use sandbox::forbidden as sandbox_forbidden;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;

use baton_model::node::{CommandLine, NodeKind, OnFailure, named_slugs};
use baton_model::{Node, Plan, PlanId, Problem, RunId};

use baton_engine::find_program as find;
use baton_model::approval::FileChange;
use serde::{Deserialize, Serialize};

use crate::approvals::Standing;
use crate::check::{Check, CheckVerdict};
use crate::{
    Context, PlanningError, Reason, approvals, duplicates, earlier_sessions, named_tools, programs,
};

/// What stands between a plan and its run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Preflight {
    /// Everything that was looked at, failures first.
    pub checks: Vec<Check>,
    /// Nothing that failed is essential.
    pub may_run: bool,
    /// A person has to approve the plan before it runs, for the first time or again.
    pub needs_approval: bool,
    /// The files that its criteria run and that are not as they were approved.
    pub changed_since_approval: Vec<FileChange>,
}

/// Tells what stands between a plan and its run.
pub fn plan(context: &Context, plan: PlanId) -> Result<Preflight, PlanningError> {
    let (record, plan) = context.store.plans().current(plan)?;
    let mut report = report(context, &plan)?;
    let standing = approvals::standing(context, &record, &plan)?;
    report.needs_approval = standing != Standing::Holds;
    if let Standing::Outdated(changes) = standing {
        let check = Check::new(
            CheckVerdict::Warning,
            approvals::outdated(&plan.title, &changes),
        );
        report
            .checks
            .push(check.mended_by("look at what changed, then approve the plan again"));
        report.checks.sort_by_key(|check| check.verdict);
        report.changed_since_approval = changes;
    }
    Ok(report)
}

/// What stands between a plan, approved or not, and its run.
pub fn report(context: &Context, plan: &Plan) -> Result<Preflight, PlanningError> {
    let mut checks = look(context, plan)?;
    guards::any_tool(context, plan, &mut checks)?;
    // Only told, and git takes its time over a large repository: who requires a pre-flight does not wait for it.
    repository::check(context, plan, &mut checks);
    permissions::check(context, plan, &mut checks)?;
    checks.sort_by_key(|check| check.verdict);
    Ok(Preflight {
        may_run: may_run(&checks),
        checks,
        needs_approval: true,
        changed_since_approval: Vec::new(),
    })
}

/// Refuses unless the plan may run. The run that a start takes over, where its executor is stale.
pub fn require(context: &Context, plan: &Plan) -> Result<Option<RunId>, PlanningError> {
    let active = duplicates::of(context, plan)?;
    let mut checks = of_itself(context, plan)?;
    checks.extend(active.iter().map(|active| active.check.clone()));
    refuse(plan, &checks)?;
    let stale = active.iter().find(|active| active.displaceable);
    Ok(stale.map(|stale| stale.run))
}

/// Refuses what cannot run as it is, whatever else runs at the moment.
pub fn require_of_itself(context: &Context, plan: &Plan) -> Result<(), PlanningError> {
    refuse(plan, &of_itself(context, plan)?)
}

fn refuse(plan: &Plan, checks: &[Check]) -> Result<(), PlanningError> {
    if may_run(checks) {
        return Ok(());
    }
    let failed = checks
        .iter()
        .filter(|check| check.verdict == CheckVerdict::Failed);
    let sentences: Vec<String> = failed.map(Check::in_full).collect();
    let lead = format!("'{}' can't run", plan.title);
    Err(PlanningError::of_faults(Reason::Refused, &lead, sentences))
}

fn may_run(checks: &[Check]) -> bool {
    checks
        .iter()
        .all(|check| check.verdict != CheckVerdict::Failed)
}

fn look(context: &Context, plan: &Plan) -> Result<Vec<Check>, PlanningError> {
    let mut checks = of_itself(context, plan)?;
    already_running(context, plan, &mut checks)?;
    checks.sort_by_key(|check| check.verdict);
    Ok(checks)
}

fn of_itself(context: &Context, plan: &Plan) -> Result<Vec<Check>, PlanningError> {
    let mut checks = Vec::new();
    content(plan, &mut checks);
    handlers(plan, &mut checks);
    names(plan, &mut checks);
    machine(context, plan, &mut checks);
    overlap::check(plan, &mut checks);
    sub_plans::check(context, plan, &mut checks)?;
    Ok(checks)
}

/// What stands between a plan that is not stored yet and its run on this machine, what passed left out.
pub fn machine_checks(context: &Context, plan: &Plan) -> Vec<Check> {
    let mut checks = Vec::new();
    machine(context, plan, &mut checks);
    checks.retain(|check| check.verdict != CheckVerdict::Passed);
    checks.sort_by_key(|check| check.verdict);
    checks
}

/// What depends on the machine: the directory, and what the nodes start and call.
fn machine(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    directory(plan, checks);
    programs(context, plan, checks);
    tools(context, plan, checks);
    sessions(context, plan, checks);
    sandbox::check(context, plan, checks);
    guards::check(context, plan, checks);
    restarts::check(plan, checks);
}

/// The nodes of which a run does anything: what is disabled needs nothing of the machine.
fn at_work(plan: &Plan) -> impl Iterator<Item = &Node> {
    plan.nodes
        .iter()
        .filter(|node| node.is_executable() && !node.disabled)
}

fn content(plan: &Plan, checks: &mut Vec<Check>) {
    let executable = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable())
        .count();
    let disabled = executable - at_work(plan).count();
    if executable == 0 {
        let check = Check::new(CheckVerdict::Failed, "the plan has nothing to run");
        checks.push(check.mended_by("add a node first"));
    }
    let problems = plan.problems();
    checks.extend(
        problems
            .iter()
            .map(|problem: &Problem| Check::new(CheckVerdict::Failed, problem.to_string())),
    );
    if executable > 0 && disabled == executable {
        let check = Check::new(
            CheckVerdict::Warning,
            "every node is disabled, so a run does nothing",
        );
        checks.push(check.mended_by("enable one"));
    }
    if executable > 0 && problems.is_empty() {
        let nodes = if executable == 1 {
            "1 node".to_owned()
        } else {
            format!("{executable} nodes")
        };
        let but = match disabled {
            0 => String::new(),
            _ if disabled == executable => ", disabled".to_owned(),
            _ => format!(", {disabled} of them disabled"),
        };
        checks.push(Check::new(
            CheckVerdict::Passed,
            format!("{nodes}{but}, no cycle"),
        ));
    }
    for node in at_work(plan) {
        let empty = match &node.kind {
            NodeKind::Command(task) => match &task.command {
                CommandLine::Shell(line) => line.trim().is_empty(),
                CommandLine::Argv(words) => words.first().is_none_or(|word| word.trim().is_empty()),
            },
            _ => false,
        };
        if empty {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("'{}' has no command", node.title),
            );
            checks.push(check.mended_by("write one").at(node.id));
        }
    }
}

/// Whether texts name only nodes of the plan.
fn names(plan: &Plan, checks: &mut Vec<Check>) {
    let slugs: BTreeSet<&str> = plan.nodes.iter().map(|node| node.slug.as_str()).collect();
    for node in at_work(plan) {
        let named: BTreeSet<&str> = node
            .texts()
            .into_iter()
            .flat_map(|(_, text)| named_slugs(text))
            .collect();
        for slug in named.difference(&slugs) {
            let sentence = format!(
                "'{}' names the node '{slug}', and there is no such node",
                node.title
            );
            let check = Check::new(CheckVerdict::Failed, sentence);
            checks.push(
                check
                    .mended_by("change the text in the node, or give a node that id")
                    .at(node.id),
            );
        }
    }
}

/// Whether failures lead to nodes that can start.
fn handlers(plan: &Plan, checks: &mut Vec<Check>) {
    for node in at_work(plan) {
        let OnFailure::Node(target) = node.on_failure else {
            continue;
        };
        let Some(target) = plan.node(target).filter(|target| target.disabled) else {
            continue;
        };
        let sentence = format!(
            "a failure of '{}' leads to '{}', which is disabled",
            node.title, target.title
        );
        let check = Check::new(CheckVerdict::Warning, sentence);
        checks.push(
            check
                .mended_by("enable that node; otherwise the failure fails the run")
                .at(node.id),
        );
    }
}

fn directory(plan: &Plan, checks: &mut Vec<Check>) {
    let Some(directory) = &plan.cwd else {
        let check = Check::new(CheckVerdict::Failed, "the plan has no working directory");
        return checks.push(check.mended_by("choose one in the plan's settings"));
    };
    let path = Path::new(directory);
    if !path.is_dir() {
        let check = Check::new(
            CheckVerdict::Failed,
            format!("the directory {directory} is not there"),
        );
        return checks.push(check.mended_by("make it, or choose another in the plan's settings"));
    }
    let git = baton_engine::work_tree_above(path).is_some();
    let kind = if git {
        "a git work tree"
    } else {
        "not under git, so changed files cannot be told"
    };
    checks.push(Check::new(
        CheckVerdict::Passed,
        format!("{directory} is there, {kind}"),
    ));
}

fn programs(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    // A plan of commands is not kept waiting for a login shell.
    let of_agents = OnceCell::new();
    let of_commands = context.engine.environment_of_commands();
    let mut seen = BTreeSet::new();
    for node in at_work(plan) {
        if let Some(named) = node.kind.agent() {
            let mut look = |name: &str| -> Option<Check> {
                let environment = of_agents.get_or_init(|| context.engine.environment());
                seen.insert(name.to_owned())
                    .then(|| self::agent(context, node, name, environment))
            };
            checks.extend(assignment::checks(context, plan, node, named, &mut look));
        }
        if let NodeKind::Command(task) = &node.kind {
            let CommandLine::Argv(words) = &task.command else {
                continue;
            };
            let Some(program) = words.first().filter(|program| !program.contains("{{")) else {
                continue;
            };
            let relative = program.contains('/') && !program.starts_with('/');
            if !relative && !program.trim().is_empty() && find(program, &of_commands).is_none() {
                let sentence = format!(
                    "'{}' runs {program}, which is not on this machine's PATH",
                    node.title
                );
                // An earlier node may well put it there.
                let check = Check::new(CheckVerdict::Warning, sentence);
                checks.push(
                    check
                        .mended_by("install it, or give its full path")
                        .at(node.id),
                );
            }
        }
    }
}

fn tools(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    let servers = context.engine.tools().servers();
    for node in at_work(plan) {
        let mistakes = node
            .kind
            .tool_calls()
            .iter()
            .flat_map(|call| baton_tools::check(call, &servers));
        checks.extend(mistakes.map(|mistake| {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("'{}' cannot make its call: {mistake}", node.title),
            );
            check.mended_by("change the call in the node").at(node.id)
        }));
        let unknown = named_tools::faults(context, plan.settings.agent.as_deref(), node);
        checks.extend(unknown.into_iter().map(|fault| {
            let check = Check::new(CheckVerdict::Failed, format!("'{}' {fault}", node.title));
            check.mended_by("change the list in the node").at(node.id)
        }));
    }
}

/// Whether the sessions that nodes begin with can go on.
fn sessions(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    for node in at_work(plan) {
        let NodeKind::Agent(task) = &node.kind else {
            continue;
        };
        let (Some(session), Some(name)) = (&task.session, &task.agent) else {
            continue;
        };
        // An agent that is not known is told elsewhere.
        let Some(agent) = context.engine.agents().find(Some(name)) else {
            continue;
        };
        let why = earlier_sessions::inability(&agent, session.fork);
        let why = why.or_else(|| earlier_sessions::gone(context, name, &session.id));
        checks.extend(why.map(|why| {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("'{}' begins with an earlier session: {why}", node.title),
            );
            check
                .mended_by("let the node begin a new session")
                .at(node.id)
        }));
    }
}

/// Whether the agent of a node is there and logged in.
pub fn agent(
    context: &Context,
    node: &Node,
    name: &str,
    environment: &std::collections::BTreeMap<String, String>,
) -> Check {
    let Some(agent) = context.engine.agents().find(Some(name)) else {
        let check = Check::new(
            CheckVerdict::Failed,
            format!(
                "'{}' wants the agent '{name}', which Baton does not know",
                node.title
            ),
        );
        return check
            .mended_by("choose another agent in the node, or define it in the settings")
            .at(node.id);
    };
    let probe = agent.probe();
    match find(&probe.program, environment) {
        None => {
            let sentence = format!("the agent {} is not installed", agent.title());
            Check::new(CheckVerdict::Failed, sentence)
                .mended_by(probe.missing)
                .at(node.id)
        }
        Some(_) if programs::logged_in(&probe, environment) == Some(false) => {
            let sentence = format!(
                "no sign of a login was found for the agent {}",
                agent.title()
            );
            Check::new(CheckVerdict::Warning, sentence)
                .mended_by(probe.not_logged_in)
                .at(node.id)
        }
        Some(path) => Check::new(
            CheckVerdict::Passed,
            format!("the agent {} is at {}", agent.title(), path.display()),
        ),
    }
}

fn already_running(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    checks.extend(
        duplicates::of(context, plan)?
            .into_iter()
            .map(|active| active.check),
    );
    for run in context.store.runs().list(Some(plan.id), 20)?.rows {
        if !run.state.is_running() && !run.state.has_ended() && !run.state.rests_at_goal() {
            let check = Check::new(
                CheckVerdict::Warning,
                "an earlier run of the plan is not finished",
            );
            checks.push(check.mended_by("resume it, or cancel it"));
        }
    }
    Ok(())
}
