//! Admission: whether an operation is carried out for its caller, held until a person allows it, or
//! refused.

use baton_model::node::{NodeKind, ToolCall};
use baton_model::{ArtifactId, PlanId, ProposalId, RunId, SessionId};
use baton_planning::plan_versions::plan_version;
use baton_store::{Actor, SessionRow, StoreError};
use baton_tools::BuiltInTool;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::operation::Operation;
use crate::wire::{RunRef, RunStart};
use crate::{AccessLevel, ApiError, App, Code, held_calls, tokens};
use baton_planning::approvals::{self, ApprovalStatus};

/// The decision about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Admission {
    /// The call is carried out.
    Admitted,
    /// A person has to allow the call first.
    Held,
    /// The call is refused, with a sentence to show to the caller.
    Forbidden(String),
}

/// What an operation is about. A session may access only its own plan, run and session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The operation isn't about any plan of this data directory.
    Nothing,
    Plan,
    Run,
    Session,
    /// A handoff of the session's run.
    Artifact,
    /// A proposal that the session submitted.
    Proposal,
    /// A new plan, or a change to the session's own plan.
    ProposedPlan,
}

/// What processes of sessions may do by themselves: read their own plan and handoffs, propose,
/// pause and cancel their own run. Any other operation needs a person's approval.
const SESSION_OPERATIONS: &[(&str, Subject)] = &[
    ("about", Subject::Nothing),
    ("templates_list", Subject::Nothing),
    ("tools_list", Subject::Nothing),
    // These list only items that belong to the session.
    ("plans_list", Subject::Nothing),
    ("plans_page", Subject::Nothing),
    ("runs_list", Subject::Nothing),
    ("runs_page", Subject::Nothing),
    // It only asks a person.
    ("run_request", Subject::Nothing),
    ("question_ask", Subject::Nothing),
    ("plan_check", Subject::Nothing),
    ("plan_read", Subject::Nothing),
    ("plan_arrange", Subject::Nothing),
    ("plan_get", Subject::Plan),
    ("plan_export", Subject::Plan),
    ("plan_history", Subject::Plan),
    ("plan_preflight", Subject::Plan),
    ("plan_simulate", Subject::Plan),
    ("plan_versions", Subject::Plan),
    ("plan_version_get", Subject::Plan),
    ("plan_compare", Subject::Plan),
    ("proposal_submit", Subject::ProposedPlan),
    ("proposal_get", Subject::Proposal),
    ("proposal_simulate", Subject::Proposal),
    ("proposal_revise", Subject::Proposal),
    ("proposal_comment", Subject::Proposal),
    ("proposal_cancel", Subject::Proposal),
    ("plan_split", Subject::Plan),
    ("plan_explain", Subject::Plan),
    ("run_get", Subject::Run),
    ("run_wait", Subject::Run),
    ("run_progress", Subject::Run),
    ("run_history", Subject::Run),
    ("run_course", Subject::Run),
    ("artifacts_list", Subject::Run),
    ("node_context", Subject::Run),
    ("node_attempts", Subject::Run),
    ("run_summaries", Subject::Run),
    ("node_summary", Subject::Run),
    ("edge_context", Subject::Run),
    ("evidence_get", Subject::Run),
    ("run_replan", Subject::Run),
    ("run_pause", Subject::Run),
    ("run_cancel", Subject::Run),
    ("artifact_get", Subject::Artifact),
    ("session_get", Subject::Session),
    ("session_timeline", Subject::Session),
    ("session_entry", Subject::Session),
    ("session_search", Subject::Session),
    ("output_window", Subject::Session),
    ("output_search", Subject::Session),
    ("output_line_count", Subject::Session),
    ("output_text", Subject::Session),
    // Returns only requests of the caller itself.
    ("request_get", Subject::Nothing),
];

/// What acts on the person's screen at once, such as what is typed into a terminal, or concerns the
/// settings of agents. It makes no sense later, so calls of agents are not held for a person but
/// refused.
const OPERATIONS_OF_PEOPLE: &[&str] = &[
    "agent_connections_preview",
    "agent_connections_save",
    "session_file_open",
    "directory_open",
    "terminals_list",
    "terminal_open",
    "terminal_output",
    "terminal_input",
    "terminal_resize",
    "terminal_close",
];

/// Refuses or holds a call that its caller may not make.
pub(crate) fn require(app: &App, operation: &Operation, input: &Value) -> Result<(), ApiError> {
    match admit(app, operation, input)? {
        Admission::Admitted => Ok(()),
        Admission::Held => Err(held_calls::hold(app, operation.name, input)?),
        Admission::Forbidden(message) => Err(ApiError::new(Code::Forbidden, message)),
    }
}

/// The calling session, if it may access only what belongs to it.
pub(crate) fn calling_session(app: &App) -> Result<Option<SessionRow>, ApiError> {
    let Actor::Session(session) = app.actor() else {
        return Ok(None);
    };
    let row = app.store.sessions().get(session)?;
    Ok((!calls_plan_tools(app, &row)?).then_some(row))
}

/// Fails if `app`'s caller can't be admitted to anything that needs `right`, whatever its input is.
/// For callers that refuse a request before they read its input.
pub fn check_right(app: &App, name: &'static str, right: AccessLevel) -> Result<(), ApiError> {
    let Actor::Program(program) = app.actor() else {
        return Ok(());
    };
    let operation = Operation {
        name,
        summary: "",
        right,
    };
    match admit_program(app, &program, &operation)? {
        Admission::Forbidden(message) => Err(ApiError::new(Code::Forbidden, message)),
        Admission::Admitted | Admission::Held => Ok(()),
    }
}

pub(crate) fn admit(
    app: &App,
    operation: &Operation,
    input: &Value,
) -> Result<Admission, ApiError> {
    let operation = &Operation {
        right: required_right(app, operation, input)?,
        ..*operation
    };
    let actor = app.actor();
    if OPERATIONS_OF_PEOPLE.contains(&operation.name)
        && matches!(actor, Actor::Agent(_) | Actor::Session(_))
    {
        let message = format!("only a person may use {}", operation.name);
        return Ok(Admission::Forbidden(message));
    }
    match actor {
        Actor::Person(_) | Actor::Baton => Ok(Admission::Admitted),
        Actor::Program(name) => admit_program(app, &name, operation),
        Actor::Agent(_) if operation.right < AccessLevel::Decide => Ok(Admission::Admitted),
        Actor::Agent(_) => Ok(Admission::Held),
        Actor::Session(session) => admit_session(app, session, operation, input),
    }
}

/// The access level that this call needs. Resuming a run that waits for a review after a takeover
/// counts as a decision.
fn required_right(
    app: &App,
    operation: &Operation,
    input: &Value,
) -> Result<AccessLevel, ApiError> {
    if operation.name != "run_resume" {
        return Ok(operation.right);
    }
    // The operation itself reports bad input or a missing run.
    let Ok(RunRef { run }) = RunRef::deserialize(input) else {
        return Ok(operation.right);
    };
    match app.store.runs().get(run) {
        Ok(row) if row.state.waits_for_review() => Ok(AccessLevel::Decide),
        Ok(_) | Err(StoreError::NotFound { .. }) => Ok(operation.right),
        Err(error) => Err(error.into()),
    }
}

fn admit_program(app: &App, name: &str, operation: &Operation) -> Result<Admission, ApiError> {
    let Some(surface) = tokens::granted_right(app, name)? else {
        return Ok(Admission::Forbidden(format!(
            "the token '{name}' was revoked: create a new one"
        )));
    };
    if surface >= operation.right {
        return Ok(Admission::Admitted);
    }
    let (has, needs) = (surface.as_str(), operation.right.as_str());
    let message = format!(
        "the token '{name}' grants '{has}', but {} needs '{needs}'",
        operation.name
    );
    Ok(Admission::Forbidden(format!(
        "{message}: use one created with --surface {needs}"
    )))
}

fn admit_session(
    app: &App,
    session: SessionId,
    operation: &Operation,
    input: &Value,
) -> Result<Admission, ApiError> {
    let row = app.store.sessions().get(session)?;
    let own = SESSION_OPERATIONS
        .iter()
        .find(|(name, _)| *name == operation.name);
    let is_own = match own {
        Some((_, subject)) => is_own_subject(app, &row, *subject, input)?,
        None => false,
    };
    // By approving the plan, the person has approved these calls as well.
    if is_own || (operation.right < AccessLevel::Decide && calls_plan_tools(app, &row)?) {
        return Ok(Admission::Admitted);
    }
    if operation.name == "run_start" && only_starts_approved_plan(app, input)? {
        return Ok(Admission::Admitted);
    }
    if operation.right > AccessLevel::Read {
        return Ok(Admission::Held);
    }
    let name = operation.name;
    Ok(Admission::Forbidden(format!(
        "a session may only read its own plan, run and handoffs, so it can't use {name}"
    )))
}

/// Returns whether the call only starts the approved version and a person has allowed sessions to
/// do so.
fn only_starts_approved_plan(app: &App, input: &Value) -> Result<bool, ApiError> {
    match RunStart::deserialize(input) {
        Ok(RunStart {
            plan, limit: None, ..
        }) => may_start_approved_plan(app, plan),
        _ => Ok(false),
    }
}

/// Returns whether the plan is approved and a person has allowed agents to start that version.
pub(crate) fn may_start_approved_plan(app: &App, plan: PlanId) -> Result<bool, ApiError> {
    let (record, content) = match app.store.plans().current(plan) {
        Err(StoreError::NotFound { .. }) => return Ok(false),
        found => found?,
    };
    Ok(record.agents_may_start
        && approvals::approval_status(app.context(), &record, &content)?
            == ApprovalStatus::Approved)
}

/// Returns whether the input is about something that belongs to the session.
fn is_own_subject(
    app: &App,
    session: &SessionRow,
    subject: Subject,
    input: &Value,
) -> Result<bool, ApiError> {
    let run = app.store.runs().get(session.run)?;
    Ok(match subject {
        Subject::Nothing => true,
        Subject::Plan => parse_field::<PlanId>(input, "plan") == Some(run.plan),
        Subject::Run => parse_field::<RunId>(input, "run") == Some(run.id),
        Subject::Session => parse_field::<SessionId>(input, "session") == Some(session.id),
        Subject::Artifact => match parse_field::<ArtifactId>(input, "artifact") {
            Some(artifact) => app.store.artifacts().get(artifact)?.run == run.id,
            None => false,
        },
        Subject::ProposedPlan => {
            let target = input.get("content").and_then(|content| content.get("plan"));
            target.is_none_or(Value::is_null)
                || target.and_then(|plan| PlanId::deserialize(plan).ok()) == Some(run.plan)
        }
        Subject::Proposal => match parse_field::<ProposalId>(input, "proposal") {
            Some(proposal) => {
                let found = app.store.proposals().get(proposal)?.proposal.submission;
                let by = Actor::Session(session.id).to_string();
                found.is_some_and(|submission| submission.by == by)
            }
            None => false,
        },
    })
}

fn parse_field<T: DeserializeOwned>(input: &Value, field: &str) -> Option<T> {
    T::deserialize(input.get(field)?).ok()
}

/// Returns whether the session is a single call of a tool that acts on Baton's plans, so that only
/// Baton's own code runs in it.
fn calls_plan_tools(app: &App, session: &SessionRow) -> Result<bool, ApiError> {
    let run = app.store.runs().get(session.run)?;
    let plan = plan_version(app.context(), run.plan, run.version)?;
    let node = plan.nodes.iter().find(|node| node.id == session.node);
    let calls = node
        .filter(|node| !matches!(node.kind, NodeKind::Condition(_)))
        .map(|node| node.kind.tool_calls());
    let is_plan_tool = |call: &ToolCall| {
        BuiltInTool::from_name(&call.tool_name).is_some_and(BuiltInTool::acts_on_plans)
    };
    Ok(calls.is_some_and(|calls| !calls.is_empty() && calls.iter().all(is_plan_tool)))
}

#[cfg(test)]
mod tests;
