//! Checks of a plan before it runs.

mod assignment;
mod autonomy;
mod enabled_nodes;
mod error_handler;
mod machine;
mod overlap;
mod permissions;
mod project_rules;
mod repository;
mod restarts;
mod sandbox;
mod sub_plans;

pub use machine::{check_agent, machine_checks};
pub use sandbox::forbidden as sandbox_forbidden;

use std::collections::BTreeSet;

use baton_model::count::format_quantity;
use baton_model::node::{CommandLine, NodeKind, OnFailure, referenced_slugs};
use baton_model::plan::referenced_context_keys;
use baton_model::{Plan, PlanId, Problem, RunId};

use baton_model::approval::FileChange;
use serde::{Deserialize, Serialize};

use crate::approvals::ApprovalStatus;
use crate::check::{Check, CheckVerdict};
use crate::{Context, PlanningError, RefusalReason, approvals, duplicates};
use enabled_nodes::enabled_nodes;

/// The result of all checks before a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Preflight {
    /// All findings, failures first.
    pub checks: Vec<Check>,
    /// Whether no check has failed.
    pub may_run: bool,
    /// Whether a person has to approve the plan before it runs, for the first time or again.
    pub needs_approval: bool,
    /// Files that criteria run and that have changed since the approval.
    pub changed_since_approval: Vec<FileChange>,
}

/// Checks a stored plan and its approval.
pub fn plan(context: &Context, plan: PlanId) -> Result<Preflight, PlanningError> {
    let (record, plan) = context.store.plans().current(plan)?;
    let mut report = report(context, &plan)?;
    let status = approvals::approval_status(context, &record, &plan)?;
    report.needs_approval = status != ApprovalStatus::Approved;
    if let ApprovalStatus::Outdated(changes) = status {
        let check = Check::new(
            CheckVerdict::Warning,
            approvals::describe_outdated(&plan.title, &changes),
        );
        report
            .checks
            .push(check.with_fix("review the changes, then approve the plan again"));
        report.checks.sort_by_key(|check| check.verdict);
        report.changed_since_approval = changes;
    }
    Ok(report)
}

/// Checks a plan, whether or not it is approved.
pub fn report(context: &Context, plan: &Plan) -> Result<Preflight, PlanningError> {
    let mut checks = all_checks(context, plan)?;
    autonomy::warn_unrestricted_tools(context, plan, &mut checks)?;
    // Information only. Not part of `require`, because git can be slow in a large repository.
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

/// Refuses unless the plan may run. Returns the stale run that the start must take over instead, if
/// there is one.
pub fn require(context: &Context, plan: &Plan) -> Result<Option<RunId>, PlanningError> {
    let active = duplicates::find_duplicates(context, plan)?;
    let mut checks = plan_checks(context, plan)?;
    checks.extend(active.iter().map(|active| active.check.clone()));
    refuse(plan, &checks)?;
    let stale = active.iter().find(|active| active.can_take_over);
    Ok(stale.map(|stale| stale.run))
}

/// Refuses a plan that cannot run, without considering other runs.
pub fn require_runnable(context: &Context, plan: &Plan) -> Result<(), PlanningError> {
    refuse(plan, &plan_checks(context, plan)?)
}

fn refuse(plan: &Plan, checks: &[Check]) -> Result<(), PlanningError> {
    if may_run(checks) {
        return Ok(());
    }
    let failed = checks
        .iter()
        .filter(|check| check.verdict == CheckVerdict::Failed);
    let sentences: Vec<String> = failed.map(Check::full_message).collect();
    let lead = format!("'{}' can't run", plan.title);
    Err(PlanningError::with_faults(
        RefusalReason::Refused,
        &lead,
        sentences,
    ))
}

fn may_run(checks: &[Check]) -> bool {
    checks
        .iter()
        .all(|check| check.verdict != CheckVerdict::Failed)
}

fn all_checks(context: &Context, plan: &Plan) -> Result<Vec<Check>, PlanningError> {
    let mut checks = plan_checks(context, plan)?;
    check_duplicates(context, plan, &mut checks)?;
    checks.sort_by_key(|check| check.verdict);
    Ok(checks)
}

fn plan_checks(context: &Context, plan: &Plan) -> Result<Vec<Check>, PlanningError> {
    let mut checks = Vec::new();
    check_content(plan, &mut checks);
    check_failure_handlers(plan, &mut checks);
    check_named_nodes(plan, &mut checks);
    check_context_keys(plan, &mut checks);
    machine::check_machine(context, plan, &mut checks);
    overlap::check(plan, &mut checks);
    sub_plans::check(context, plan, &mut checks)?;
    error_handler::check(context, plan, &mut checks)?;
    Ok(checks)
}

fn check_content(plan: &Plan, checks: &mut Vec<Check>) {
    let executable = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable())
        .count();
    let disabled = executable - enabled_nodes(plan).count();
    if executable == 0 {
        let check = Check::new(CheckVerdict::Failed, "the plan has no nodes to run");
        checks.push(check.with_fix("add a node first"));
    }
    let problems = plan.problems();
    checks.extend(problems.iter().map(|problem: &Problem| {
        let check = Check::new(CheckVerdict::Failed, problem.to_string());
        match problem {
            Problem::Node { node, .. } => check.at(*node),
            _ => check,
        }
    }));
    if executable > 0 && disabled == executable {
        let check = Check::new(
            CheckVerdict::Warning,
            "every node is disabled, so a run would do nothing",
        );
        checks.push(check.with_fix("enable at least one node"));
    }
    if executable > 0 && problems.is_empty() {
        let nodes = format_quantity(executable, "node", "nodes");
        let but = match disabled {
            0 => String::new(),
            _ if disabled == executable => ", disabled".to_owned(),
            _ => format!(", {disabled} of them disabled"),
        };
        checks.push(Check::new(
            CheckVerdict::Passed,
            format!("{nodes}{but}, no cycles"),
        ));
    }
    for node in enabled_nodes(plan) {
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
            checks.push(check.with_fix("enter one").at(node.id));
        }
    }
}

/// Checks that templates refer only to existing nodes.
fn check_named_nodes(plan: &Plan, checks: &mut Vec<Check>) {
    let slugs: BTreeSet<&str> = plan.nodes.iter().map(|node| node.slug.as_str()).collect();
    for node in enabled_nodes(plan) {
        let named: BTreeSet<&str> = node
            .template_texts()
            .into_iter()
            .flat_map(|(_, text)| referenced_slugs(text))
            .collect();
        for slug in named.difference(&slugs) {
            let sentence = format!(
                "'{}' refers to the node '{slug}', which doesn't exist",
                node.title
            );
            let check = Check::new(CheckVerdict::Failed, sentence);
            checks.push(
                check
                    .with_fix("fix the reference, or give a node that id")
                    .at(node.id),
            );
        }
    }
}

/// Checks that templates refer only to what the plan's context has. Without tool outputs, such
/// braces mean nothing to Baton.
fn check_context_keys(plan: &Plan, checks: &mut Vec<Check>) {
    let outputs = &plan.context.tool_outputs;
    for node in enabled_nodes(plan).filter(|_| !outputs.is_empty()) {
        let named: BTreeSet<&str> = node
            .template_texts()
            .into_iter()
            .flat_map(|(_, text)| referenced_context_keys(text))
            .collect();
        for key in named.iter().filter(|key| !outputs.contains_key(**key)) {
            let sentence = format!(
                "'{}' refers to '{key}', which the plan's context doesn't have",
                node.title
            );
            let check = Check::new(CheckVerdict::Failed, sentence);
            checks.push(
                check
                    .with_fix("fix the reference, or add the key")
                    .at(node.id),
            );
        }
    }
}

/// Checks that failure handlers are enabled.
fn check_failure_handlers(plan: &Plan, checks: &mut Vec<Check>) {
    for node in enabled_nodes(plan) {
        let OnFailure::Node(target) = node.on_failure else {
            continue;
        };
        let Some(target) = plan.node(target).filter(|target| target.disabled) else {
            continue;
        };
        let sentence = format!(
            "when '{}' fails, the run should continue at '{}', which is disabled",
            node.title, target.title
        );
        let check = Check::new(CheckVerdict::Warning, sentence);
        checks.push(
            check
                .with_fix("enable that node; otherwise, this failure fails the run")
                .at(node.id),
        );
    }
}

fn check_duplicates(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    checks.extend(
        duplicates::find_duplicates(context, plan)?
            .into_iter()
            .map(|active| active.check),
    );
    for run in context.store.runs().list(Some(plan.id), 20)?.rows {
        if !run.state.is_running() && !run.state.has_ended() && !run.state.stopped_at_goal() {
            let check = Check::new(
                CheckVerdict::Warning,
                "an earlier run of the plan is not finished",
            );
            checks.push(check.with_fix("resume or cancel it"));
        }
    }
    Ok(())
}
