//! Checks of what a plan needs from this machine: its directory, agents, programs, tools and
//! sessions.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use baton_engine::find_program as find;
use baton_model::node::{CommandLine, NodeKind};
use baton_model::{Node, Plan};

use super::enabled_nodes::enabled_nodes;
use super::{assignment, autonomy, project_rules, restarts, sandbox};
use crate::check::{Check, CheckVerdict};
use crate::{Context, agent_programs, earlier_sessions, named_tools};

/// The failed checks and warnings about this machine, for a plan that is not stored yet.
pub fn machine_checks(context: &Context, plan: &Plan) -> Vec<Check> {
    let mut checks = Vec::new();
    check_machine(context, plan, &mut checks);
    checks.retain(|check| check.verdict != CheckVerdict::Passed);
    checks.sort_by_key(|check| check.verdict);
    checks
}

/// Checks what depends on the machine: the directory, and the programs and tools of nodes.
pub(super) fn check_machine(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    check_directory(plan, checks);
    check_programs(context, plan, checks);
    check_tools(context, plan, checks);
    check_sessions(context, plan, checks);
    sandbox::check(context, plan, checks);
    let rules = project_rules::check(context, plan, checks);
    let effective = rules.tighten(context.engine.run_defaults().apply_to(plan));
    autonomy::check(context, &effective, checks);
    restarts::check(plan, checks);
}

fn check_directory(plan: &Plan, checks: &mut Vec<Check>) {
    let Some(directory) = &plan.cwd else {
        let check = Check::new(CheckVerdict::Failed, "the plan has no working directory");
        return checks.push(check.with_fix("choose one in the plan's settings"));
    };
    let path = Path::new(directory);
    if !path.is_dir() {
        let check = Check::new(
            CheckVerdict::Failed,
            format!("the directory {directory} doesn't exist"),
        );
        return checks.push(check.with_fix("create it, or choose another in the plan's settings"));
    }
    let git = baton_engine::work_tree_above(path).is_some();
    let kind = if git {
        "a git repository"
    } else {
        "not a git repository, so changed files won't be tracked"
    };
    checks.push(Check::new(
        CheckVerdict::Passed,
        format!("the directory is {directory}, {kind}"),
    ));
}

fn check_programs(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    // Reading the environment of a login shell is slow and only needed for agents.
    let of_agents = OnceCell::new();
    let of_commands = context.engine.command_environment();
    let mut seen = BTreeSet::new();
    for node in enabled_nodes(plan) {
        if let Some(named) = node.kind.agent() {
            let mut check_agent = |name: &str| -> Option<Check> {
                let environment = of_agents.get_or_init(|| context.engine.environment());
                seen.insert(name.to_owned())
                    .then(|| self::check_agent(context, node, name, environment))
            };
            checks.extend(assignment::checks(
                context,
                plan,
                node,
                named,
                &mut check_agent,
            ));
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
                // Only a warning, because an earlier node may install it.
                let check = Check::new(CheckVerdict::Warning, sentence);
                checks.push(
                    check
                        .with_fix("install it, or give its full path")
                        .at(node.id),
                );
            }
        }
    }
}

fn check_tools(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    let servers = context.engine.tools().servers();
    for node in enabled_nodes(plan) {
        let mistakes = node
            .kind
            .tool_calls()
            .iter()
            .flat_map(|call| baton_tools::check(call, &servers));
        checks.extend(mistakes.map(|mistake| {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("'{}' has an invalid tool call: {mistake}", node.title),
            );
            check.with_fix("fix the call in the node").at(node.id)
        }));
        let unknown = named_tools::unknown_tools(
            context,
            plan.settings.agent.as_deref(),
            &plan.with_node_defaults(node),
        );
        checks.extend(unknown.into_iter().map(|fault| {
            let check = Check::new(CheckVerdict::Failed, format!("'{}' {fault}", node.title));
            check.with_fix("fix the list in the node").at(node.id)
        }));
    }
}

/// Checks that the sessions that nodes continue exist and can be continued.
fn check_sessions(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    for node in enabled_nodes(plan) {
        let NodeKind::Agent(task) = &node.kind else {
            continue;
        };
        let (Some(session), Some(name)) = (&task.session, &task.agent) else {
            continue;
        };
        // Unknown agents are reported by `check_agent`.
        let Some(agent) = context.engine.agents().find(Some(name)) else {
            continue;
        };
        let why = earlier_sessions::unsupported_reason(&agent, session.fork);
        let why =
            why.or_else(|| earlier_sessions::missing_session_reason(context, name, &session.id));
        checks.extend(why.map(|why| {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("'{}' continues an earlier session: {why}", node.title),
            );
            check
                .with_fix("start a new session in the node")
                .at(node.id)
        }));
    }
}

/// Checks that the agent of a node is installed and logged in.
pub fn check_agent(
    context: &Context,
    node: &Node,
    name: &str,
    environment: &BTreeMap<String, String>,
) -> Check {
    let Some(agent) = context.engine.agents().find(Some(name)) else {
        let check = Check::new(
            CheckVerdict::Failed,
            format!(
                "'{}' uses the agent '{name}', which is not defined",
                node.title
            ),
        );
        return check
            .with_fix("choose another agent for the node, or add it in Settings")
            .at(node.id);
    };
    let probe = agent.probe();
    match find(&probe.program, environment) {
        None => {
            let sentence = format!("the agent {} is not installed", agent.title());
            Check::new(CheckVerdict::Failed, sentence)
                .with_fix(probe.missing)
                .at(node.id)
        }
        Some(_) if agent_programs::logged_in(&probe, environment) == Some(false) => {
            let sentence = format!("the agent {} doesn't seem to be logged in", agent.title());
            Check::new(CheckVerdict::Warning, sentence)
                .with_fix(probe.not_logged_in)
                .at(node.id)
        }
        Some(path) => Check::new(
            CheckVerdict::Passed,
            format!("the agent {} is at {}", agent.title(), path.display()),
        ),
    }
}
