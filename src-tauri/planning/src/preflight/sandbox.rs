//! The sandbox of sessions: whether it is available, and commands that do not work in it.

use baton_keeper::SandboxProbe;
use baton_model::node::{CommandLine, Criterion, NodeKind};
use baton_model::{Node, Plan, SandboxMode};
use serde_json::Value;

use super::enabled_nodes::enabled_nodes;
use crate::Context;
use crate::check::{Check, CheckVerdict};

/// Programs that need privileges or namespaces that the sandbox does not provide.
const UNSANDBOXABLE_PROGRAMS: [&str; 7] = [
    "sudo",
    "doas",
    "su",
    "pkexec",
    "podman",
    "buildah",
    "dockerd-rootless.sh",
];

pub(super) fn check(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    if enabled_nodes(plan).next().is_none() {
        return;
    }
    match context.engine.sandbox() {
        Some(SandboxProbe::Holds { .. }) => {
            checks.extend(enabled_nodes(plan).filter_map(|node| sandbox_check(plan, node)))
        }
        Some(SandboxProbe::Forbidden { detail }) => checks.push(forbidden(detail)),
        Some(SandboxProbe::Broken { detail }) => {
            let sentence = format!(
                "sessions can't start because the sandbox doesn't work on this system: {detail}"
            );
            checks.push(Check::new(CheckVerdict::Warning, sentence).with_fix("see Doctor"));
        }
        None => {}
    }
}

/// The warning for a node about its sandbox, or about its absence.
fn sandbox_check(plan: &Plan, node: &Node) -> Option<Check> {
    match node.sandbox_in(&plan.settings) {
        SandboxMode::On => unsandboxable_check(node),
        SandboxMode::Off => {
            let sentence = format!(
                "'{}' runs without a sandbox and can access Baton's data",
                node.title
            );
            Some(Check::new(CheckVerdict::Warning, sentence).at(node.id))
        }
    }
}

fn unsandboxable_check(node: &Node) -> Option<Check> {
    let program = unsandboxable_program(node)?;
    let sentence = format!(
        "'{}' uses {program}, which doesn't work in the sandbox",
        node.title
    );
    let fix = "avoid it, or set `sandbox: off` for the node";
    Some(
        Check::new(CheckVerdict::Warning, sentence)
            .with_fix(fix)
            .at(node.id),
    )
}

/// The first program in the commands of the node that fails in the sandbox.
fn unsandboxable_program(node: &Node) -> Option<&'static str> {
    let in_line = |line: &str| {
        UNSANDBOXABLE_PROGRAMS
            .into_iter()
            .find(|program| calls(line, program))
    };
    let of_kind = match &node.kind {
        NodeKind::Command(task) => match &task.command {
            CommandLine::Shell(line) => in_line(line),
            CommandLine::Argv(words) => words.first().and_then(|program| in_line(program)),
        },
        kind => kind
            .tool_calls()
            .iter()
            .find_map(|call| match call.tool_args.get("command") {
                Some(Value::String(line)) => in_line(line),
                _ => None,
            }),
    };
    let of_criterion = |criterion: &Criterion| match criterion {
        Criterion::Run { run, .. } => in_line(run),
        Criterion::Sentence(_) | Criterion::Ask { .. } => None,
    };
    of_kind.or_else(|| node.acceptance_criteria.iter().find_map(of_criterion))
}

/// Whether `line` calls `program` at a position where a command may start.
fn calls(line: &str, program: &str) -> bool {
    let commands = line.split([';', '|', '&', '\n', '(', ')', '{', '}', '`', '$', '"', '\'']);
    commands
        .filter_map(|command| command.split_whitespace().find(|word| !word.contains('=')))
        .any(|word| word == program || word.rsplit('/').next() == Some(program))
}

/// The warning that sessions run without a sandbox, which the Doctor shows too.
pub fn forbidden(detail: &str) -> Check {
    let sentence = format!(
        "sessions run without a sandbox and can access Baton's data, because this system {detail}"
    );
    let fix = "allow unprivileged user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or \
                user.max_user_namespaces), or run only plans whose agents you trust";
    Check::new(CheckVerdict::Warning, sentence).with_fix(fix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_is_found_at_command_positions() {
        for line in [
            "sudo apt-get install x",
            "cd /tmp && /usr/bin/sudo true",
            "A=1 sudo true",
            "x=$(sudo id)",
        ] {
            assert!(calls(line, "sudo"), "{line}");
        }
        for line in [
            "echo sudo",
            "pseudo true",
            "cat sudo.txt",
            "git log --grep sudo",
        ] {
            assert!(!calls(line, "sudo"), "{line}");
        }
    }
}
