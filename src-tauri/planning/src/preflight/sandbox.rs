//! What the sandbox of sessions means for a plan: where there is none, and which commands do not work in it.

use baton_keeper::SandboxProbe;
use baton_model::node::{CommandLine, Criterion, NodeKind};
use baton_model::{Node, Plan, SandboxMode};
use serde_json::Value;

use super::at_work;
use crate::Context;
use crate::check::{Check, CheckVerdict};

/// Programs that need privileges or namespaces that a session does not have.
const FAIL_INSIDE: [&str; 7] = [
    "sudo",
    "doas",
    "su",
    "pkexec",
    "podman",
    "buildah",
    "dockerd-rootless.sh",
];

pub(super) fn check(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    if at_work(plan).next().is_none() {
        return;
    }
    match context.engine.sandbox() {
        Some(SandboxProbe::Holds { .. }) => {
            checks.extend(at_work(plan).filter_map(|node| inside(plan, node)))
        }
        Some(SandboxProbe::Forbidden { detail }) => checks.push(forbidden(detail)),
        Some(SandboxProbe::Broken { detail }) => {
            let sentence =
                format!("no session starts, since their sandbox does not work here: {detail}");
            checks.push(Check::new(CheckVerdict::Warning, sentence).mended_by("see Doctor"));
        }
        None => {}
    }
}

/// What the sandbox, or its absence, means for a node.
fn inside(plan: &Plan, node: &Node) -> Option<Check> {
    match node.sandbox_in(&plan.settings) {
        SandboxMode::On => fails_inside(node),
        SandboxMode::Off => {
            let sentence = format!(
                "'{}' runs without a sandbox, so that it can reach Baton's data",
                node.title
            );
            Some(Check::new(CheckVerdict::Warning, sentence).at(node.id))
        }
    }
}

fn fails_inside(node: &Node) -> Option<Check> {
    let program = programs_of(node)?;
    let sentence = format!(
        "'{}' uses {program}, which does not work in the sandbox of sessions",
        node.title
    );
    let mend = "do it without, or set `sandbox: off` for the node";
    Some(
        Check::new(CheckVerdict::Warning, sentence)
            .mended_by(mend)
            .at(node.id),
    )
}

/// The first program of the node's commands that fails inside.
fn programs_of(node: &Node) -> Option<&'static str> {
    let in_line = |line: &str| FAIL_INSIDE.into_iter().find(|program| calls(line, program));
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

/// Whether `program` is a word of the line at which a command may begin.
fn calls(line: &str, program: &str) -> bool {
    let commands = line.split([';', '|', '&', '\n', '(', ')', '{', '}', '`', '$', '"', '\'']);
    commands
        .filter_map(|command| command.split_whitespace().find(|word| !word.contains('=')))
        .any(|word| word == program || word.rsplit('/').next() == Some(program))
}

/// What a run without a sandbox means: the Doctor says the same.
pub fn forbidden(detail: &str) -> Check {
    let sentence = format!(
        "sessions run without a sandbox and can reach Baton's data, since this system {detail}"
    );
    let mend = "allow unprivileged user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or \
                user.max_user_namespaces), or run only plans whose agents you trust";
    Check::new(CheckVerdict::Warning, sentence).mended_by(mend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_where_a_command_begins() {
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
