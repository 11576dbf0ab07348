//! Sessions that go on because a person says something to them: in their own run, or in a plan of one node.

use std::path::Path;

use baton_model::node::{AgentTask, EarlierSession, Node, NodeKind};
use baton_model::plan::Origin;
use baton_model::run::{Command, MESSAGE_LIMIT};
use baton_model::{NodeId, Plan, PlanId, SessionId, Slug};
use baton_planning::earlier_sessions::{gone, inability};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, plans, runs, sessions, transcripts};

/// How much of a message becomes a title, in characters.
const TITLE: usize = 60;

/// Lets the session of a node go on with what a person says.
pub(crate) fn continue_node(app: &App, input: NodeContinue) -> Result<RunSummary, ApiError> {
    let latest = runs::states(app, input.run)?
        .remove(&input.node)
        .and_then(|row| row.session);
    if let (Some(session), Some(latest)) = (input.session, latest)
        && session != latest
    {
        let message = "the node has a later session than this one";
        return Err(
            ApiError::new(Code::Conflict, message).with_fix("continue that, or fork this one")
        );
    }
    if let Some(session) = latest {
        of_session(app, session)?.require(app, false)?;
    }
    let message = worded(&input.message)?;
    runs::command(
        app,
        input.run,
        Command::ContinueNode {
            node: input.node,
            message,
        },
    )
}

/// Makes a plan of one node that goes on with a session, or with a copy of it.
pub(crate) fn plan(app: &App, input: SessionPlan) -> Result<PlanView, ApiError> {
    let message = worded(&input.message)?;
    let found = find(app, input.session, input.transcript)?;
    found.require(app, input.fork)?;
    let cwd = input
        .cwd
        .as_deref()
        .map(plans::absolute)
        .transpose()?
        .or(found.cwd);
    let cwd = cwd.filter(|cwd| Path::new(cwd).is_dir());
    let cwd = cwd.ok_or_else(|| {
        let message = "the directory in which the session ran is not known, or is gone";
        ApiError::new(Code::BadInput, message).with_fix("choose a directory")
    })?;
    let what = if input.fork { "Fork" } else { "Continue" };
    let title = match &found.title {
        Some(title) => format!("{what}: {}", beginning(title)),
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
    let title = beginning(&message);
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
    plans::put(app, plan)
}

/// Tells whether a session can go on, and whether a copy of it can.
pub(crate) fn reach(app: &App, input: SessionReachRef) -> Result<SessionReach, ApiError> {
    let found = match find(app, input.session, input.transcript) {
        Ok(found) => found,
        Err(error) if error.code == Code::Refused => {
            let why = Some(error.message);
            return Ok(SessionReach {
                cannot_continue: why.clone(),
                cannot_fork: why,
            });
        }
        Err(error) => return Err(error),
    };
    let why = |fork| found.require(app, fork).err().map(|error| error.message);
    Ok(SessionReach {
        cannot_continue: why(false),
        cannot_fork: why(true),
    })
}

/// A session as its agent knows it.
struct Found {
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
) -> Result<Found, ApiError> {
    match (session, transcript) {
        (Some(session), None) => of_session(app, session),
        (None, Some(id)) => {
            let row = transcripts::get(app, TranscriptRef { id })?;
            let TranscriptRow {
                agent,
                native_id: native,
                title,
                project: cwd,
                ..
            } = row;
            Ok(Found {
                agent,
                native,
                title,
                cwd,
                live: false,
            })
        }
        _ => Err(ApiError::new(
            Code::BadInput,
            "both a session and a transcript are named, or neither",
        )
        .with_fix("name one of the two")),
    }
}

fn of_session(app: &App, session: SessionId) -> Result<Found, ApiError> {
    let view = sessions::get(app, SessionRef { session })?;
    let (Some(agent), Some(native)) = (view.agent, view.native_id) else {
        let message =
            "the session cannot go on: no agent held it, or the agent never told what it calls it";
        return Err(ApiError::new(Code::Refused, message));
    };
    let cwd = Some(view.cwd).filter(|cwd| !cwd.is_empty());
    Ok(Found {
        agent,
        native,
        title: Some(view.title),
        cwd,
        live: view.live,
    })
}

impl Found {
    /// Refuses what the agent cannot do with the session.
    fn require(&self, app: &App, fork: bool) -> Result<(), ApiError> {
        let refuse = |message: String| Err(ApiError::new(Code::Refused, message));
        let Some(adapter) = app.engine.agents().find(Some(&self.agent)) else {
            return refuse(format!(
                "the agent {} is not known any more: define it in the settings",
                self.agent
            ));
        };
        if let Some(sentence) = inability(&adapter, fork) {
            return refuse(sentence);
        }
        if self.live && !fork {
            return refuse("the session is still running: wait for its end, or fork it".to_owned());
        }
        match gone(app.context(), &self.agent, &self.native) {
            Some(sentence) => refuse(sentence),
            None => Ok(()),
        }
    }
}

fn worded(message: &str) -> Result<String, ApiError> {
    let message = message.trim();
    if message.is_empty() {
        return Err(ApiError::new(Code::BadInput, "the message is empty")
            .with_fix("write what the agent should do next"));
    }
    if message.len() > MESSAGE_LIMIT {
        let limit = MESSAGE_LIMIT / 1024;
        let sentence = format!("the message is longer than {limit} KB");
        return Err(ApiError::new(Code::BadInput, sentence)
            .with_fix("put it into a file of the directory, and name the file"));
    }
    Ok(message.to_owned())
}

/// The first line of a text, as long as a title may be.
fn beginning(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let words: String = line.chars().take(TITLE).collect();
    if words.len() < line.len() {
        format!("{}…", words.trim_end())
    } else {
        words
    }
}
