//! A planner's session: what it is told, and which of its words are the answer.
//!
//! The answer is kept as it came. Whether it is a plan is judged later, see [`baton_model::planning`]: a bad answer
//! is not a failure of the session, and its planner may be asked to repair it.

use std::io::Read as _;
use std::path::Path;

use baton_agents::{Adapter, Driver, LogFormat, PriorSession};
use baton_keeper::session_file;
use baton_model::artifact::Author;
use baton_model::node::{AgentTask, PlanningTask};
use baton_model::outcome::Failure;
use baton_model::plan::ToolScopeMode;
use baton_model::planning::{ANSWER_LIMIT, NATIVE_SESSION};
use baton_model::{Artifact, Node};

/// The order for the agent; its words travel in [`opening`].
pub(crate) fn to_agent_task(task: &PlanningTask) -> AgentTask {
    let (agent, model) = (Some(task.agent.clone()), task.model.clone());
    AgentTask {
        agent,
        model,
        tool_scope: Some(ToolScopeMode::Enforce),
        ..AgentTask::default()
    }
}

/// What the agent is told first, and the conversation that goes on with it, when there is one and the agent can.
pub(crate) fn session_start(
    task: &PlanningTask,
    agent: &dyn Adapter,
) -> (Option<PriorSession>, String) {
    match task.resumes.as_ref().filter(|_| agent.can_resume()) {
        Some(resumed) => (
            Some(PriorSession::resume(&resumed.native)),
            resumed.prompt.clone(),
        ),
        None => (None, task.prompt.clone()),
    }
}

/// The answer, whole. An agent that has no second turn answers with all that it prints.
pub(crate) fn artifact_of(
    driver: &dyn Driver,
    format: LogFormat,
    folder: &Path,
) -> Result<Artifact, Failure> {
    let answer = match driver.handoff() {
        Some(answer) if format != LogFormat::PLAIN => answer.to_owned(),
        _ if format == LogFormat::PLAIN => printed(folder),
        _ => String::new(),
    };
    if answer.trim().is_empty() {
        return Err(Failure::AgentError {
            detail: "it gave no answer".to_owned(),
        });
    }
    if answer.len() > ANSWER_LIMIT {
        let detail = format!(
            "its answer is longer than {} MB, and no plan is",
            ANSWER_LIMIT / (1024 * 1024)
        );
        return Err(Failure::AgentError { detail });
    }
    // With the answer, so that whoever reads it can have it repaired: the session's own record comes a little later.
    let native = driver
        .native_session()
        .map(|name| (NATIVE_SESSION.to_owned(), name.to_owned()));
    let outputs = native.into_iter().collect();
    Ok(Artifact {
        text: answer,
        author: Author::Agent,
        outputs,
        ..Artifact::default()
    })
}

fn printed(folder: &Path) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is no answer.
    if let Ok(file) = session_file::open(&folder.join(baton_keeper::STDOUT)) {
        let _ = file.take(ANSWER_LIMIT as u64 + 1).read_to_end(&mut bytes);
    }
    baton_agents::plain_text::strip_terminal_codes(&bytes)
}

/// What a person is shown as the order of the session.
pub(crate) fn display_prompt(node: &Node, task: &PlanningTask) -> String {
    format!("{}\n\n{}\n\n{}", node.title, task.prompt, task.question)
}
