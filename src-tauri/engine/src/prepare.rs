//! Prepares an attempt: what to run, where, with which environment and which input.

mod agent;
mod argv;
mod attempt_variables;
mod command;
mod directory;
mod handoff_context;
mod launch;
mod preview;
mod program;
mod sandbox;
mod session_resume;
mod session_tools;
mod text;
mod tool_call;
mod tool_work;

use std::path::{Path, PathBuf};

use baton_agents::Adapter;
use baton_agents::driver::Driver;
use baton_model::node::{Node, NodeKind};
use baton_model::outcome::Failure;

use crate::checkout::{self, NodeWorktree};
use crate::job::Job;
use crate::node_templates::templates_of;
use crate::planning;
use crate::prompt::HANDOFF_PROMPT;
use crate::session_services::SessionServices;
use crate::template::{self, Outputs};
pub(crate) use agent::{prepare_question, prepare_review};
pub(crate) use command::prepare_check;
pub(crate) use handoff_context::caller;
pub use preview::{preview, preview_handoff, session_input};

use agent::{prepare_agent, prepare_decision, prepare_merge};
use command::prepare_command;
use program::Program;
use text::refuse_unsafe_values;
use tool_work::prepare_work;

/// How to read and drive a session; prepared again when a session is found after a crash.
pub(crate) struct PreparedSession {
    /// Reads the session's output and answers it.
    pub(crate) driver: Box<dyn Driver>,
    program: Program,
    directory: PathBuf,
    display_text: String,
    context: String,
    /// The node's worktree, if it has one.
    place: Option<NodeWorktree>,
}

/// Prepares the input of `job`. Reads the handoffs of its parents, writes nothing.
pub(crate) fn prepare_session(
    job: &Job,
    node: &Node,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let mut reading = prepare_kind(job, node, services)?;
    let place = || NodeWorktree::of(&services.data_directory, job.run.run, node);
    reading.place = checkout::is_isolated(job, node).then(place);
    Ok(reading)
}

fn prepare_kind(
    job: &Job,
    node: &Node,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let node = &job.run.plan.with_node_defaults(node);
    if !job.is_merge_only() {
        refuse_unsafe_values(node)?;
    }
    let outputs = outputs_for(job, node);
    match &node.kind {
        _ if job.is_merge_only() => prepare_merge(job, node, services),
        NodeKind::Command(task) => {
            prepare_command(job, node, task, &outputs.for_programs(), services)
        }
        NodeKind::Agent(task) => prepare_agent(job, node, task, &outputs, HANDOFF_PROMPT, services),
        NodeKind::LlmDecision(task) => prepare_decision(job, node, task, &outputs, services),
        NodeKind::Planning(task) => {
            let asked = planning::to_agent_task(task);
            prepare_agent(job, node, &asked, &outputs, &task.question, services)
        }
        kind => match tool_work::task_of(kind, &outputs.for_programs(), job.values.clone())? {
            Some(task) => prepare_work(job, node, task, services),
            None => Err(Failure::BadInput {
                detail: format!("a {} has no session of its own", kind.as_str()),
            }),
        },
    }
}

impl PreparedSession {
    fn new(program: Program, directory: PathBuf, display_text: String, context: String) -> Self {
        Self {
            driver: program.driver(),
            program,
            directory,
            display_text,
            context,
            place: None,
        }
    }

    /// The agent, if the session runs one.
    pub(crate) fn agent(&self) -> Option<&dyn Adapter> {
        match &self.program {
            Program::Agent { agent, .. } => Some(agent.as_ref()),
            Program::Command { .. } | Program::Tool { .. } => None,
        }
    }

    /// The working directory of the session.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The prompt or command line, for display.
    pub(crate) fn display_text(&self) -> &str {
        &self.display_text
    }
}

/// Returns what the templates of the node can refer to; empty for a node without templates.
fn outputs_for(job: &Job, node: &Node) -> Outputs {
    if !templates_of(node).into_iter().any(template::is_template) {
        return Outputs::default();
    }
    job.run.outputs(&job.background)
}

#[cfg(test)]
mod tests;
