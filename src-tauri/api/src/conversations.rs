//! Continuing a session with a message from a person, either in its own run or in a plan with one
//! node.

use std::path::Path;

use baton_model::node::{AgentTask, EarlierSession, Node, NodeKind};
use baton_model::plan::Origin;
use baton_model::run::{Command, MESSAGE_LIMIT};
use baton_model::{NodeId, Plan, PlanId, SessionId, Slug};
use baton_planning::earlier_sessions::{missing_session_reason, unsupported_reason};
use uuid::Uuid;

use crate::wire::*;
use crate::{
    ApiError, App, Code, absolute_path, plans, run_command, run_lookup, sessions, transcripts,
};

/// Maximum length, in characters, of a title made from a message.
const MAX_TITLE_CHARS: usize = 60;

/// Continues a node's session with a message.
pub(crate) fn continue_node(app: &App, input: NodeContinue) -> Result<RunSummary, ApiError> {
    let latest = run_lookup::node_states(app, input.run)?
        .remove(&input.node)
        .and_then(|row| row.session);
    if let (Some(session), Some(latest)) = (input.session, latest)
        && session != latest
    {
        let message = "the node has a newer session";
        return Err(ApiError::new(Code::Conflict, message)
            .with_fix("continue the newer one, or fork this one"));
    }
    if let Some(session) = latest {
        find_baton_session(app, session)?.check_resumable(app, false)?;
    }
    let message = validate_message(&input.message)?;
    run_command::send(
        app,
        input.run,
        Command::ContinueNode {
            node: input.node,
            message,
        },
    )
}

/// Creates a plan with one node that continues a session or a copy of it.
pub(crate) fn create_plan(app: &App, input: SessionPlan) -> Result<PlanView, ApiError> {
    let message = validate_message(&input.message)?;
    let found = find(app, input.session, input.transcript)?;
    found.check_resumable(app, input.fork)?;
    let cwd = input
        .cwd
        .as_deref()
        .map(absolute_path::absolute)
        .transpose()?
        .or(found.cwd);
    let cwd = cwd.filter(|cwd| Path::new(cwd).is_dir());
    let cwd = cwd.ok_or_else(|| {
        let message = "the session's directory is unknown or was deleted";
        ApiError::new(Code::BadInput, message).with_fix("choose a directory")
    })?;
    let what = if input.fork { "Fork" } else { "Continue" };
    let title = match &found.title {
        Some(title) => format!("{what}: {}", title_from(title)),
        None => format!("{what} a session of {}", found.agent),
    };
    let mut plan = Plan::new(PlanId(Uuid::now_v7()), title);
    plan.cwd = Some(cwd);
    let name = format!("{}:{}", found.agent, found.native);
    plan.origin = Origin {
        source_id: Some(name.clone()),
        informed_by: vec![name],
        ..Origin::default()
    };
    let title = title_from(&message);
    let task = AgentTask {
        agent: Some(found.agent),
        prompt: message,
        session: Some(EarlierSession {
            id: found.native,
            fork: input.fork,
        }),
        ..AgentTask::default()
    };
    let slug = Slug::from_title(&title);
    plan.nodes.push(Node::new(
        NodeId(Uuid::now_v7()),
        slug,
        title,
        NodeKind::Agent(task),
    ));
    plans::create_from(app, plan)
}

/// Returns whether a session, or a copy of it, can be continued.
pub(crate) fn resumability(
    app: &App,
    input: SessionResumabilityRef,
) -> Result<SessionResumability, ApiError> {
    let found = match find(app, input.session, input.transcript) {
        Ok(found) => found,
        Err(error) if error.code == Code::Refused => {
            let why = Some(error.message);
            return Ok(SessionResumability {
                cannot_continue: why.clone(),
                cannot_fork: why,
            });
        }
        Err(error) => return Err(error),
    };
    let why = |fork| {
        found
            .check_resumable(app, fork)
            .err()
            .map(|error| error.message)
    };
    Ok(SessionResumability {
        cannot_continue: why(false),
        cannot_fork: why(true),
    })
}

/// A session as its agent identifies it.
struct ResumableSession {
    agent: String,
    native: String,
    title: Option<String>,
    cwd: Option<String>,
    live: bool,
}

fn find(
    app: &App,
    session: Option<SessionId>,
    transcript: Option<String>,
) -> Result<ResumableSession, ApiError> {
    match (session, transcript) {
        (Some(session), None) => find_baton_session(app, session),
        (None, Some(id)) => {
            let row = transcripts::get(app, TranscriptRef { id })?;
            let TranscriptRow {
                agent,
                native_id: native,
                title,
                project: cwd,
                ..
            } = row;
            Ok(ResumableSession {
                agent,
                native,
                title,
                cwd,
                live: false,
            })
        }
        _ => Err(
            ApiError::new(Code::BadInput, "specify either a session or a transcript")
                .with_fix("set exactly one of the two"),
        ),
    }
}

fn find_baton_session(app: &App, session: SessionId) -> Result<ResumableSession, ApiError> {
    let view = sessions::get(app, SessionRef { session })?;
    let (Some(agent), Some(native)) = (view.agent, view.native_id) else {
        let message = "the session can't be continued: it had no agent, or the agent never reported its session id";
        return Err(ApiError::new(Code::Refused, message));
    };
    let cwd = Some(view.cwd).filter(|cwd| !cwd.is_empty());
    Ok(ResumableSession {
        agent,
        native,
        title: Some(view.title),
        cwd,
        live: view.live,
    })
}

impl ResumableSession {
    /// Fails if the agent can't continue the session in the requested way.
    fn check_resumable(&self, app: &App, fork: bool) -> Result<(), ApiError> {
        let refuse = |message: String| Err(ApiError::new(Code::Refused, message));
        let Some(adapter) = app.engine.agents().find(Some(&self.agent)) else {
            return refuse(format!(
                "the agent {} isn't configured any more: add it in Settings",
                self.agent
            ));
        };
        if let Some(sentence) = unsupported_reason(&adapter, fork) {
            return refuse(sentence);
        }
        if self.live && !fork {
            return refuse(
                "the session is still running: wait until it ends, or fork it".to_owned(),
            );
        }
        match missing_session_reason(app.context(), &self.agent, &self.native) {
            Some(sentence) => refuse(sentence),
            None => Ok(()),
        }
    }
}

fn validate_message(message: &str) -> Result<String, ApiError> {
    let message = message.trim();
    if message.is_empty() {
        return Err(ApiError::new(Code::BadInput, "the message is empty")
            .with_fix("write what the agent should do next"));
    }
    if message.len() > MESSAGE_LIMIT {
        let limit = MESSAGE_LIMIT / 1024;
        let sentence = format!("the message is longer than {limit} KB");
        return Err(ApiError::new(Code::BadInput, sentence)
            .with_fix("save it as a file in the directory, and mention that file"));
    }
    Ok(message.to_owned())
}

/// The first line of a text, truncated to the length of a title.
fn title_from(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let start: String = line.chars().take(MAX_TITLE_CHARS).collect();
    if start.len() < line.len() {
        format!("{}…", start.trim_end())
    } else {
        start
    }
}
