//! Determines the session that an agent resumes for its attempt, and the prompt for that.

use baton_agents::{Adapter, PriorSession};
use baton_model::node::AgentTask;
use baton_model::outcome::Failure;

use crate::job::Job;
use crate::prompt::RESUME_PROMPT;

/// The session of an earlier attempt to resume, with its prompt; `None` when the attempt starts a
/// new one.
///
/// A person's message is sent as it is. An attempt that was interrupted while handling it gets it
/// again.
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
            return Err(unsupported_by_agent(agent, "continue an earlier session"));
        }
        Some(last) if last.is_repeated_to(job.attempt) => {
            format!(
                "{RESUME_PROMPT}\n\nWhat you were asked last:\n\n{}",
                last.message
            )
        }
        Some(last) => last.message.clone(),
    };
    Ok(Some((PriorSession::resume(native), prompt)))
}

/// The prompt for an agent whose session is resumed because its attempt did not finish.
fn interruption_prompt(job: &Job) -> String {
    match job.background.earlier().last() {
        Some(last) => format!("{RESUME_PROMPT}\n\nHow it ended: {}", last.ending()),
        None => RESUME_PROMPT.to_owned(),
    }
}

/// The session from before the run that the node starts with, if its plan specifies one. Only the
/// agent knows its content.
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
            Err(unsupported_by_agent(agent, "continue an earlier session"))
        }
        Some(session) => Ok(Some(PriorSession {
            native_id: session.id.clone(),
            fork: session.fork,
        })),
    }
}

fn unsupported_by_agent(agent: &dyn Adapter, what: &str) -> Failure {
    let detail = format!(
        "{} can't {what}: start a new session in the node, or choose another agent",
        agent.title()
    );
    Failure::NotStarted { detail }
}
