//! Makes an attempt ready to start: what is run, where, with which environment, and what it is told.

mod agent;
mod argv;
mod command;
mod directory;
mod launch;
mod opening;
mod preview;
mod program;
mod received;
mod sandbox;
mod text;
mod tool_call;
mod tool_work;

use std::path::{Path, PathBuf};

use baton_agents::Adapter;
use baton_agents::driver::Driver;
use baton_model::node::{Node, NodeKind};
use baton_model::outcome::Failure;

use crate::checkout::{self, Place};
use crate::job::Job;
use crate::node_templates::templates_of;
use crate::planning;
use crate::prompt::HANDOFF_PROMPT;
use crate::template::{self, Outputs};
use crate::workshop::Workshop;
pub(crate) use agent::{read_question, read_review};
pub(crate) use command::read_check;
pub use preview::{given, handed_over, preview};
pub(crate) use received::caller;

use agent::{read_agent, read_decision, read_merge};
use command::read_command;
use program::Program;
use text::refuse_unsafe_values;
use tool_work::read_work;

/// How to read and drive a session; made anew when a session is found again after a crash.
pub(crate) struct Reading {
    /// Who reads and answers the session.
    pub(crate) driver: Box<dyn Driver>,
    program: Program,
    directory: PathBuf,
    told: String,
    context: String,
    /// The node's worktree, when it has one.
    place: Option<Place>,
}

/// Puts together what `job` is told. Reads the handoffs of its parents, writes nothing.
pub(crate) fn read(job: &Job, node: &Node, workshop: &Workshop) -> Result<Reading, Failure> {
    let mut reading = read_kind(job, node, workshop)?;
    let place = || Place::of(&workshop.data_directory, job.run.run, node);
    reading.place = checkout::is_isolated(job, node).then(place);
    Ok(reading)
}

fn read_kind(job: &Job, node: &Node, workshop: &Workshop) -> Result<Reading, Failure> {
    if !job.merges() {
        refuse_unsafe_values(node)?;
    }
    let outputs = outputs_for(job, node);
    match &node.kind {
        _ if job.merges() => read_merge(job, node, workshop),
        NodeKind::Command(task) => read_command(job, node, task, &outputs.for_programs(), workshop),
        NodeKind::Agent(task) => read_agent(job, node, task, &outputs, HANDOFF_PROMPT, workshop),
        NodeKind::LlmDecision(task) => read_decision(job, node, task, &outputs, workshop),
        NodeKind::Planning(task) => {
            let asked = planning::as_agent_task(task);
            read_agent(job, node, &asked, &outputs, &task.question, workshop)
        }
        kind => match tool_work::task_of(kind, &outputs.for_programs(), job.values.clone())? {
            Some(task) => read_work(job, node, task, workshop),
            None => Err(Failure::BadInput {
                detail: format!("a {} has no session of its own", kind.word()),
            }),
        },
    }
}

impl Reading {
    fn new(program: Program, directory: PathBuf, told: String, context: String) -> Self {
        Self {
            driver: program.driver(),
            program,
            directory,
            told,
            context,
            place: None,
        }
    }

    /// The agent, when it is one that runs.
    pub(crate) fn agent(&self) -> Option<&dyn Adapter> {
        match &self.program {
            Program::Agent { agent, .. } => Some(agent.as_ref()),
            Program::Command { .. } | Program::Tool { .. } => None,
        }
    }

    /// Where the session works.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The prompt or command line, for people.
    pub(crate) fn told(&self) -> &str {
        &self.told
    }
}

/// What the templates of the node may name; nothing is gathered for a node without templates.
fn outputs_for(job: &Job, node: &Node) -> Outputs {
    if !templates_of(node).into_iter().any(template::is_template) {
        return Outputs::default();
    }
    job.run.outputs(&job.background)
}

#[cfg(test)]
mod tests;
