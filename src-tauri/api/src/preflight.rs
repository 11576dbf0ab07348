//! What stands between a plan and its run, found out before anything starts.

mod assignment;
mod guards;
mod overlap;
mod permissions;
mod repository;
mod restarts;
mod sandbox;
mod sub_plans;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;

use baton_model::node::{CommandLine, NodeKind, OnFailure, named_slugs};
use baton_model::{Node, NodeId, Plan, Problem};

use crate::agents::{self, find};
use crate::approvals::Standing;
use crate::wire::*;
use crate::{ApiError, App, Code, approvals, conversations, duplicates, named_tools};

/// Tells what stands between a plan and its run.
pub(crate) fn plan(app: &App, input: PlanRef) -> Result<Preflight, ApiError> {
    let (record, plan) = app.store.plans().current(input.plan)?;
    let mut report = report(app, &plan)?;
    let standing = approvals::standing(app, &record, &plan)?;
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

fn report(app: &App, plan: &Plan) -> Result<Preflight, ApiError> {
    let mut checks = look(app, plan)?;
    guards::any_tool(app, plan, &mut checks)?;
    // Only told, and git takes its time over a large repository: who requires a pre-flight does not wait for it.
    repository::check(app, plan, &mut checks);
    permissions::check(app, plan, &mut checks)?;
    checks.sort_by_key(|check| check.verdict);
    Ok(Preflight {
        may_run: may_run(&checks),
        checks,
        needs_approval: true,
        changed_since_approval: Vec::new(),
    })
}

/// Refuses unless the plan may run.
pub(crate) fn require(app: &App, plan: &Plan) -> Result<(), ApiError> {
    refuse(plan, &look(app, plan)?)
}

/// Refuses what cannot run as it is, whatever else runs at the moment.
pub(crate) fn require_of_itself(app: &App, plan: &Plan) -> Result<(), ApiError> {
    refuse(plan, &of_itself(app, plan)?)
}

fn refuse(plan: &Plan, checks: &[Check]) -> Result<(), ApiError> {
    if may_run(checks) {
        return Ok(());
    }
    let failed = checks
        .iter()
        .filter(|check| check.verdict == CheckVerdict::Failed);
    let sentences: Vec<String> = failed.map(Check::in_full).collect();
    let lead = format!("'{}' can't run", plan.title);
    Err(ApiError::of_faults(Code::Refused, &lead, sentences))
}

fn may_run(checks: &[Check]) -> bool {
    checks
        .iter()
        .all(|check| check.verdict != CheckVerdict::Failed)
}

fn look(app: &App, plan: &Plan) -> Result<Vec<Check>, ApiError> {
    let mut checks = of_itself(app, plan)?;
    already_running(app, plan, &mut checks)?;
    checks.sort_by_key(|check| check.verdict);
    Ok(checks)
}

fn of_itself(app: &App, plan: &Plan) -> Result<Vec<Check>, ApiError> {
    let mut checks = Vec::new();
    content(plan, &mut checks);
    handlers(plan, &mut checks);
    names(plan, &mut checks);
    machine(app, plan, &mut checks);
    overlap::check(plan, &mut checks);
    sub_plans::check(app, plan, &mut checks)?;
    Ok(checks)
}

/// What stands between a plan that is not stored yet and its run on this machine, what passed left out.
pub(crate) fn machine_checks(app: &App, plan: &Plan) -> Vec<Check> {
    let mut checks = Vec::new();
    machine(app, plan, &mut checks);
    checks.retain(|check| check.verdict != CheckVerdict::Passed);
    checks.sort_by_key(|check| check.verdict);
    checks
}

/// What depends on the machine: the directory, and what the nodes start and call.
fn machine(app: &App, plan: &Plan, checks: &mut Vec<Check>) {
    directory(plan, checks);
    programs(app, plan, checks);
    tools(app, plan, checks);
    sessions(app, plan, checks);
    sandbox::check(app, plan, checks);
    guards::check(app, plan, checks);
    restarts::check(plan, checks);
}

impl Check {
    pub(crate) fn new(verdict: CheckVerdict, sentence: impl Into<String>) -> Self {
        Self {
            verdict,
            sentence: sentence.into(),
            mend: None,
            node: None,
        }
    }

    pub(crate) fn mended_by(mut self, mend: impl Into<String>) -> Self {
        self.mend = Some(mend.into());
        self
    }

    fn at(mut self, node: NodeId) -> Self {
        self.node = Some(node);
        self
    }

    fn in_full(&self) -> String {
        self.mend.as_ref().map_or_else(
            || self.sentence.clone(),
            |mend| format!("{}: {mend}", self.sentence),
        )
    }
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

fn programs(app: &App, plan: &Plan, checks: &mut Vec<Check>) {
    // A plan of commands is not kept waiting for a login shell.
    let of_agents = OnceCell::new();
    let of_commands = app.engine.environment_of_commands();
    let mut seen = BTreeSet::new();
    for node in at_work(plan) {
        if let Some(named) = node.kind.agent() {
            let mut look = |name: &str| -> Option<Check> {
                let environment = of_agents.get_or_init(|| app.engine.environment());
                seen.insert(name.to_owned())
                    .then(|| self::agent(app, node, name, environment))
            };
            checks.extend(assignment::checks(app, plan, node, named, &mut look));
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

fn tools(app: &App, plan: &Plan, checks: &mut Vec<Check>) {
    let servers = app.engine.tools().servers();
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
        let unknown = named_tools::faults(app, plan.settings.agent.as_deref(), node);
        checks.extend(unknown.into_iter().map(|fault| {
            let check = Check::new(CheckVerdict::Failed, format!("'{}' {fault}", node.title));
            check.mended_by("change the list in the node").at(node.id)
        }));
    }
}

/// Whether the sessions that nodes begin with can go on.
fn sessions(app: &App, plan: &Plan, checks: &mut Vec<Check>) {
    for node in at_work(plan) {
        let NodeKind::Agent(task) = &node.kind else {
            continue;
        };
        let (Some(session), Some(name)) = (&task.session, &task.agent) else {
            continue;
        };
        // An agent that is not known is told elsewhere.
        let Some(agent) = app.engine.agents().find(Some(name)) else {
            continue;
        };
        let why = conversations::inability(&agent, session.fork);
        let why = why.or_else(|| conversations::gone(app, name, &session.id));
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

fn agent(
    app: &App,
    node: &Node,
    name: &str,
    environment: &std::collections::BTreeMap<String, String>,
) -> Check {
    let Some(agent) = app.engine.agents().find(Some(name)) else {
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
        Some(_) if agents::logged_in(&probe, environment) == Some(false) => {
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

fn already_running(app: &App, plan: &Plan, checks: &mut Vec<Check>) -> Result<(), ApiError> {
    checks.extend(
        duplicates::of(app, plan)?
            .into_iter()
            .map(|active| active.check),
    );
    for run in app.store.runs().list(Some(plan.id), 20)?.rows {
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

#[cfg(test)]
mod tests;
