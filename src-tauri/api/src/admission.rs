//! Whether an operation is carried out for whoever calls it, is held until a person allows it, or is refused.

use baton_model::node::{NodeKind, ToolCall};
use baton_model::{ArtifactId, PlanId, RunId, SessionId};
use baton_store::{Actor, SessionRow, StoreError};
use baton_tools::BuiltIn;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::operation::Operation;
use crate::wire::RunStart;
use crate::{ApiError, App, Code, Right, held_calls, plans, tokens};
use baton_planning::approvals::{self, Standing};

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is carried out.
    Admitted,
    /// A person has to allow it.
    Held,
    /// It is not carried out. A sentence for whoever called.
    Forbidden(String),
}

/// What a process of a session may ask about by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    /// Nothing of this data directory's plans.
    Nothing,
    /// Its own plan.
    Plan,
    /// Its own run.
    Run,
    /// Its own session.
    Session,
    /// Handoffs of its own run.
    Artifact,
}

/// What processes of sessions may do by themselves: read their own plan and handoffs, propose, pause and cancel their
/// own run. A person has to allow what is not here.
const OF_SESSIONS: &[(&str, About)] = &[
    ("about", About::Nothing),
    ("templates_list", About::Nothing),
    ("tools_list", About::Nothing),
    // These list only what is the session's own.
    ("plans_list", About::Nothing),
    ("runs_list", About::Nothing),
    ("plan_check", About::Nothing),
    ("plan_read", About::Nothing),
    ("plan_arrange", About::Nothing),
    ("plan_get", About::Plan),
    ("plan_export", About::Plan),
    ("plan_preflight", About::Plan),
    ("plan_versions", About::Plan),
    ("plan_version_get", About::Plan),
    ("plan_compare", About::Plan),
    ("plan_split", About::Plan),
    ("plan_explain", About::Plan),
    ("run_get", About::Run),
    ("run_progress", About::Run),
    ("run_history", About::Run),
    ("run_course", About::Run),
    ("artifacts_list", About::Run),
    ("node_context", About::Run),
    ("node_attempts", About::Run),
    ("edge_context", About::Run),
    ("evidence_get", About::Run),
    ("run_replan", About::Run),
    ("run_pause", About::Run),
    ("run_cancel", About::Run),
    ("artifact_get", About::Artifact),
    ("session_get", About::Session),
    ("session_timeline", About::Session),
    ("session_entry", About::Session),
    ("session_search", About::Session),
    // It tells only those who have made it.
    ("request_get", About::Nothing),
];

/// Refuses or holds a call that is not for its caller to make.
pub(crate) fn require(app: &App, operation: &Operation, input: &Value) -> Result<(), ApiError> {
    match admit(app, operation, input)? {
        Admission::Admitted => Ok(()),
        Admission::Held => Err(held_calls::hold(app, operation, input)?),
        Admission::Forbidden(message) => Err(ApiError::new(Code::Forbidden, message)),
    }
}

/// Refuses or holds a call that is a decision only at this moment.
pub(crate) fn require_decision(
    app: &App,
    name: &str,
    input: &impl Serialize,
) -> Result<(), ApiError> {
    let operation = Operation {
        right: Right::Decide,
        ..*Operation::named(name)?
    };
    let input = serde_json::to_value(input)
        .map_err(|error| ApiError::new(Code::Internal, error.to_string()))?;
    require(app, &operation, &input)
}

/// The session that calls, if it may see only what is its own.
pub(crate) fn own_session(app: &App) -> Result<Option<SessionRow>, ApiError> {
    let Actor::Session(session) = app.actor() else {
        return Ok(None);
    };
    let row = app.store.sessions().get(session)?;
    Ok((!calls_plan_tools(app, &row)?).then_some(row))
}

fn admit(app: &App, operation: &Operation, input: &Value) -> Result<Admission, ApiError> {
    match app.actor() {
        Actor::Person(_) | Actor::Baton => Ok(Admission::Admitted),
        Actor::Program(name) => of_program(app, &name, operation),
        Actor::Agent(_) if operation.right < Right::Decide => Ok(Admission::Admitted),
        Actor::Agent(_) => Ok(Admission::Held),
        Actor::Session(session) => of_session(app, session, operation, input),
    }
}

fn of_program(app: &App, name: &str, operation: &Operation) -> Result<Admission, ApiError> {
    let Some(surface) = tokens::surface_of(app, name)? else {
        return Ok(Admission::Forbidden(format!(
            "the token '{name}' was revoked: ask for a new one"
        )));
    };
    if surface >= operation.right {
        return Ok(Admission::Admitted);
    }
    let (has, needs) = (surface.word(), operation.right.word());
    let message = format!(
        "the token '{name}' is for '{has}', and {} needs '{needs}'",
        operation.name
    );
    Ok(Admission::Forbidden(format!(
        "{message}: use one that was made with --surface {needs}"
    )))
}

fn of_session(
    app: &App,
    session: SessionId,
    operation: &Operation,
    input: &Value,
) -> Result<Admission, ApiError> {
    let row = app.store.sessions().get(session)?;
    let own = OF_SESSIONS.iter().find(|(name, _)| *name == operation.name);
    let is_own = match own {
        Some((_, about)) => concerns(app, &row, *about, input)?,
        None => false,
    };
    // The person who approved the plan has approved these calls with it.
    if is_own || (operation.right < Right::Decide && calls_plan_tools(app, &row)?) {
        return Ok(Admission::Admitted);
    }
    if operation.name == "run_start" && may_start(app, input)? {
        return Ok(Admission::Admitted);
    }
    if operation.right > Right::Read {
        return Ok(Admission::Held);
    }
    let name = operation.name;
    Ok(Admission::Forbidden(format!(
        "a session may read only its own plan, run and handoffs, so {name} is refused"
    )))
}

/// Whether a person decided that sessions may start what they have approved, and it is that and nothing more.
fn may_start(app: &App, input: &Value) -> Result<bool, ApiError> {
    let Ok(RunStart {
        plan, limit: None, ..
    }) = RunStart::deserialize(input)
    else {
        return Ok(false);
    };
    let (record, content) = match app.store.plans().current(plan) {
        Err(StoreError::NotFound { .. }) => return Ok(false),
        found => found?,
    };
    Ok(record.agents_may_start
        && approvals::standing(app.context(), &record, &content)? == Standing::Holds)
}

/// Whether the input is about what belongs to the session.
fn concerns(
    app: &App,
    session: &SessionRow,
    about: About,
    input: &Value,
) -> Result<bool, ApiError> {
    let run = app.store.runs().get(session.run)?;
    Ok(match about {
        About::Nothing => true,
        About::Plan => named::<PlanId>(input, "plan") == Some(run.plan),
        About::Run => named::<RunId>(input, "run") == Some(run.id),
        About::Session => named::<SessionId>(input, "session") == Some(session.id),
        About::Artifact => match named::<ArtifactId>(input, "artifact") {
            Some(artifact) => app.store.artifacts().get(artifact)?.run == run.id,
            None => false,
        },
    })
}

fn named<T: DeserializeOwned>(input: &Value, field: &str) -> Option<T> {
    T::deserialize(input.get(field)?).ok()
}

/// Whether the session is one call of a tool that acts on Baton's plans: no code runs in it but Baton's own.
fn calls_plan_tools(app: &App, session: &SessionRow) -> Result<bool, ApiError> {
    let run = app.store.runs().get(session.run)?;
    let plan = plans::content(app, run.plan, run.version)?;
    let node = plan.nodes.iter().find(|node| node.id == session.node);
    let calls = node
        .filter(|node| !matches!(node.kind, NodeKind::Condition(_)))
        .map(|node| node.kind.tool_calls());
    let is_plan_tool =
        |call: &ToolCall| BuiltIn::named(&call.tool_name).is_some_and(BuiltIn::acts_on_plans);
    Ok(calls.is_some_and(|calls| !calls.is_empty() && calls.iter().all(is_plan_tool)))
}

#[cfg(test)]
mod tests;
