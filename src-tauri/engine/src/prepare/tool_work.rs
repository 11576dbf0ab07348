//! Nodes that call tools or evaluate a condition: the work file of their session, with every
//! template filled in.
//!
//! Such a node is a session of `baton-tool` under a keeper like any other, so crash safety, limits,
//! canceling and timelines need no code of their own.

use std::path::Path;

use baton_model::Plan;
use baton_model::count::format_quantity;
use baton_model::expression::Values;
use baton_model::node::{LoopBody, Node, NodeKind, ToolCall};
use baton_model::outcome::Failure;
use baton_model::plan::Autonomy;
use baton_tools::{McpServer, Task, ToolJob, ToolName, path_outside_directory};
use serde_json::Value;

use super::PreparedSession;
use super::directory::directory;
use super::handoff_context::context;
use super::program::Program;
use super::tool_call::{filled, filled_step};
use crate::job::Job;
use crate::session_services::SessionServices;
use crate::template::Outputs;

pub(super) fn prepare_work(
    job: &Job,
    node: &Node,
    task: Task,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let directory = directory(job, node, services, None)?;
    refuse_unnamed(&job.run.plan, &node.kind, &task, &directory)?;
    let work = ToolJob {
        task,
        servers: servers_for(&node.kind, services.tools.servers()),
        directory: directory.clone(),
        data_directory: services.data_directory.clone(),
        baton: services.tools.baton().clone(),
    };
    let program = services.tools.program().display().to_string();
    let describe = describe(&work);
    Ok(PreparedSession::new(
        Program::Tool { program, work },
        directory,
        describe,
        context(job, node),
    ))
}

/// The work for the node's own session; `None` for kinds that `baton-tool` does not execute.
pub(super) fn task_of(
    kind: &NodeKind,
    outputs: &Outputs,
    values: Values,
) -> Result<Option<Task>, Failure> {
    Ok(Some(match kind {
        NodeKind::ToolCall(call) => Task::Call {
            call: filled(call, outputs)?,
        },
        NodeKind::Parallel(task) => Task::Parallel {
            calls: task
                .steps
                .iter()
                .map(|call| filled(call, outputs))
                .collect::<Result<_, _>>()?,
            wait_all: task.wait_all,
            limit: task.max_concurrent,
        },
        NodeKind::Loop(task) => match &task.body {
            LoopBody::Tool(call) => {
                let (call, texts) = filled_step(call, outputs)?;
                let (max_iterations, loop_condition) =
                    (task.max_iterations, task.loop_condition.clone());
                Task::Loop {
                    call,
                    max_iterations,
                    loop_condition,
                    values,
                    texts,
                }
            }
            LoopBody::Plan(_) => return Ok(None),
        },
        NodeKind::Condition(task) => Task::Condition {
            condition: task.condition.clone(),
            values,
        },
        _ => return Ok(None),
    }))
}

/// Rejects a call that the approval does not cover: a value of the run leads outside `directory`,
/// or to a server for which no permission can be requested.
fn refuse_unnamed(
    plan: &Plan,
    kind: &NodeKind,
    task: &Task,
    directory: &Path,
) -> Result<(), Failure> {
    let level = plan.settings.effective_autonomy();
    let calls = match task {
        Task::Call { call } | Task::Loop { call, .. } => std::slice::from_ref(call),
        Task::Parallel { calls, .. } => calls,
        Task::Condition { .. } => &[],
    };
    for (written, filled) in kind.tool_calls().iter().zip(calls) {
        if let Some(url) = plan
            .unapproved_address(written)
            .filter(|_| level == Autonomy::RefuseGuarded)
        {
            let detail = format!(
                "the plan does not contain the address {url}, and at level 3 Baton doesn't ask for permission: write the server into the plan"
            );
            return Err(Failure::BadInput { detail });
        }
        if let Some(place) = path_outside_directory(written, filled, directory) {
            return Err(Failure::BadInput {
                detail: format!(
                    "{} {place} is outside of {}: write the path into the plan, so that its approval covers it",
                    written.tool_name,
                    directory.display()
                ),
            });
        }
    }
    Ok(())
}

/// The `servers` whose tools the node calls.
fn servers_for(kind: &NodeKind, servers: Vec<McpServer>) -> Vec<McpServer> {
    let is_named = |server: &McpServer| {
        let alone = std::slice::from_ref(server);
        let meant = |call: &ToolCall| {
            matches!(
                ToolName::parse(&call.tool_name, alone),
                ToolName::Mcp { .. }
            )
        };
        kind.tool_calls().iter().any(meant)
    };
    servers.into_iter().filter(is_named).collect()
}

/// A description of the work before it is done.
fn describe(work: &ToolJob) -> String {
    let line = |call: &ToolCall| {
        format!(
            "{} {}",
            call.tool_name,
            Value::Object(call.tool_args.clone())
        )
    };
    match &work.task {
        Task::Call { call } => line(call),
        Task::Parallel { calls, .. } => calls.iter().map(line).collect::<Vec<_>>().join("\n"),
        Task::Loop {
            call,
            max_iterations,
            loop_condition,
            ..
        } => {
            let until = loop_condition
                .as_ref()
                .map(|condition| format!(", while {condition}"))
                .unwrap_or_default();
            let times = format_quantity(*max_iterations, "time", "times");
            format!("up to {times}{until}:\n{}", line(call))
        }
        Task::Condition { condition, .. } => condition.clone(),
    }
}

/// A description of a node that was not prepared: its own text, with templates.
pub(super) fn outline(kind: &NodeKind) -> String {
    let line = |call: &ToolCall| {
        format!(
            "{} {}",
            call.tool_name,
            Value::Object(call.tool_args.clone())
        )
    };
    let calls: Vec<String> = kind.tool_calls().iter().map(line).collect();
    match kind {
        NodeKind::Condition(task) => task.condition.clone(),
        kind => kind.sub_plan().map_or_else(
            || calls.join("\n"),
            |plan| {
                format!("the plan '{}'\n\n{}", plan.sub_plan_id, plan.prompt)
                    .trim_end()
                    .to_owned()
            },
        ),
    }
}
