//! With which session an agent begins its attempt, and what it is told there instead of the whole prompt.

use baton_agents::{Adapter, PriorSession};
use baton_model::node::AgentTask;
use baton_model::outcome::Failure;

use crate::job::Job;
use crate::prompt::RESUME_PROMPT;

/// The session of an earlier attempt that goes on, and what it is told; `None` when the attempt begins anew.
///
/// A person's message is told as it is. An attempt that was broken off over it tells it again.
pub(super) fn resumed_session(
    job: &Job,
    agent: &dyn Adapter,
) -> Result<Option<(PriorSession, String)>, Failure> {
    let Some(native) = job.resumes.as_ref() else {
        return Ok(None);
    };
    let prompt = match &job.continuation {
        None if !agent.can_resume() => return Ok(None),
        None => interruption_prompt(job),
        Some(_) if !agent.can_resume() => {
            return Err(unsupported_by_agent(agent, "go on with an earlier session"));
        }
        Some(said) if said.is_repeated_to(job.attempt) => {
            format!(
                "{RESUME_PROMPT}\n\nWhat you were asked last:\n\n{}",
                said.message
            )
        }
        Some(said) => said.message.clone(),
    };
    Ok(Some((PriorSession::resume(native), prompt)))
}

/// What an agent is told whose session goes on because its attempt did not come to its end.
fn interruption_prompt(job: &Job) -> String {
    match job.background.earlier().last() {
        Some(last) => format!("{RESUME_PROMPT}\n\nHow it ended: {}", last.ending()),
        None => RESUME_PROMPT.to_owned(),
    }
}

/// The session of before the run with which the node begins, if its plan names one.
pub(super) fn earlier(
    task: &AgentTask,
    agent: &dyn Adapter,
) -> Result<Option<PriorSession>, Failure> {
    match &task.session {
        None => Ok(None),
        Some(session) if session.fork && !agent.can_fork() => {
            Err(unsupported_by_agent(agent, "copy an earlier session"))
        }
        Some(_) if !agent.can_resume() => {
            Err(unsupported_by_agent(agent, "go on with an earlier session"))
        }
        Some(session) => Ok(Some(PriorSession {
            native_id: session.id.clone(),
            fork: session.fork,
        })),
    }
}

fn unsupported_by_agent(agent: &dyn Adapter, what: &str) -> Failure {
    let detail = format!(
        "{} cannot {what}: let the node begin a new one, or choose another agent",
        agent.title()
    );
    Failure::NotStarted { detail }
}
