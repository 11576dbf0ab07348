//! A planner's session: its prompt, and what part of its text is the answer.
//!
//! The answer is stored unchanged. Whether it is a plan is decided later, see
//! [`baton_model::planning`]: a bad answer is not a failure of the session, and the planner may be
//! asked to repair it. This is a session like any other: its proposal owns a plan of one node,
//! which no list shows, and each try is a run of that plan.

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

/// The task for the agent; the text is added by `session_start`.
pub(crate) fn to_agent_task(task: &PlanningTask) -> AgentTask {
    let (agent, model) = (Some(task.agent.clone()), task.model.clone());
    AgentTask {
        agent,
        model,
        tool_scope: Some(ToolScopeMode::Enforce),
        ..AgentTask::default()
    }
}

/// The first prompt, and the conversation to continue if there is one and the agent supports it.
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

/// The whole answer. For an agent without a second turn, everything that it prints.
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
            "its answer is longer than {} MB, which is too long for a plan",
            ANSWER_LIMIT / (1024 * 1024)
        );
        return Err(Failure::AgentError { detail });
    }
    // Stored with the answer, so that it can be repaired right away: the session's own record is
    // written a little later.
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
    // An unreadable answer counts as none.
    if let Ok(file) = session_file::open(&folder.join(baton_keeper::STDOUT)) {
        let _ = file.take(ANSWER_LIMIT as u64 + 1).read_to_end(&mut bytes);
    }
    baton_agents::plain_text::strip_terminal_codes(&bytes)
}

/// The prompt as a person sees it.
pub(crate) fn display_prompt(node: &Node, task: &PlanningTask) -> String {
    format!("{}\n\n{}\n\n{}", node.title, task.prompt, task.question)
}
