//! Operations on the nodes of a run.

use std::collections::HashMap;

use baton_model::context::estimate_tokens;
use baton_model::run::Command;
use baton_model::{Attempt, NodeId, NodeState, Outcome, Plan};
use baton_store::AttemptRow;

use crate::attempt_cause::attempt_causes;
use crate::event_text::{describe_outcome, describe_skip};
use crate::wire::*;
use crate::{ApiError, App, Code, handoffs, run_command, run_lookup};

/// Retries a node that failed, was interrupted, or was skipped.
pub(crate) fn retry(app: &App, input: NodeRetry) -> Result<RunSummary, ApiError> {
    let resume = input.resume.unwrap_or(false);
    run_command::send(
        app,
        input.run,
        Command::RetryNode {
            node: input.node,
            resume,
        },
    )
}

/// Reruns a single node. Finished nodes below it become stale.
pub(crate) fn rerun_alone(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::RerunNode { node: input.node })
}

/// Edits a node's handoff. Finished nodes below it become stale.
pub(crate) fn edit_artifact(app: &App, input: ArtifactEdit) -> Result<RunSummary, ApiError> {
    run_command::send(
        app,
        input.run,
        Command::EditArtifact {
            node: input.node,
            text: input.text,
        },
    )
}

/// Reruns a node and everything below it.
pub(crate) fn rerun(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::RerunFrom { node: input.node })
}

/// Stops a node's session. The node is interrupted, and the run continues.
pub(crate) fn stop(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::StopNode { node: input.node })
}

/// Continues the run without a node.
pub(crate) fn skip(app: &App, input: NodeSkip) -> Result<RunSummary, ApiError> {
    let stop = input.stop.unwrap_or(false);
    run_command::send(
        app,
        input.run,
        Command::SkipNode {
            node: input.node,
            stop,
        },
    )
}

/// Marks a node as done without running it.
pub(crate) fn mark_done(app: &App, input: NodeMarkDone) -> Result<RunSummary, ApiError> {
    run_command::send(
        app,
        input.run,
        Command::MarkDone {
            node: input.node,
            handoff: input.handoff,
            stop: input.stop.unwrap_or(false),
        },
    )
}

/// Answers a question of a node's session.
pub(crate) fn answer(app: &App, input: NodeAnswer) -> Result<RunSummary, ApiError> {
    let NodeAnswer {
        run,
        node,
        request,
        answer,
    } = input;
    run_command::send(
        app,
        run,
        Command::Answer {
            node,
            request,
            answer,
        },
    )
}

/// Approves or rejects the start of a node that waits for it.
pub(crate) fn approve(app: &App, input: NodeApprove) -> Result<RunSummary, ApiError> {
    run_command::send(
        app,
        input.run,
        Command::Approve {
            node: input.node,
            allow: input.allow,
        },
    )
}

/// Resolves the conflict that a node is waiting for.
pub(crate) fn merge(app: &App, input: NodeMerge) -> Result<RunSummary, ApiError> {
    run_command::send(
        app,
        input.run,
        Command::Merge {
            node: input.node,
            resolution: input.resolution,
        },
    )
}

/// Answers a node that asks a person for input.
pub(crate) fn give_input(app: &App, input: NodeInput) -> Result<RunSummary, ApiError> {
    run_command::send(
        app,
        input.run,
        Command::GiveInput {
            node: input.node,
            value: input.value,
        },
    )
}

/// Marks a node whose attempt was lost as failed.
pub(crate) fn mark_failed(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::MarkFailed { node: input.node })
}

/// Lists the attempts of a node, first one first.
pub(crate) fn attempts(app: &App, input: NodeRef) -> Result<Vec<AttemptView>, ApiError> {
    let plan = run_lookup::plan_of_run(app, input.run)?;
    let state = run_lookup::node_states(app, input.run)?
        .remove(&input.node)
        .map(|row| row.state);
    let rows = app.store.attempts().list(input.run, input.node)?;
    let choices = app
        .store
        .run_events()
        .agent_choices(input.run, input.node)?;
    let causes = causes(app, &plan, input, rows.len())?;
    let last = rows.len();
    let views = rows.into_iter().enumerate().map(|(index, row)| {
        let state = state.as_ref().filter(|_| index + 1 == last);
        // A withdrawn attempt passes its number on to the next one, so the last choice counts.
        let choice = choices.iter().rfind(|(attempt, _)| *attempt == row.attempt);
        let reason = choice.map(|(_, choice)| choice.to_string());
        Ok(AttemptView {
            reason,
            cause: causes.get(&row.attempt).cloned(),
            ..attempt(app, &plan, row, state)?
        })
    });
    views.collect()
}

/// Why each attempt of a node was started. Reads the whole history, because resets of several nodes
/// are not stored with any of them.
fn causes(
    app: &App,
    plan: &Plan,
    NodeRef { run, node }: NodeRef,
    attempts: usize,
) -> Result<HashMap<Attempt, String>, ApiError> {
    let Some(node) = plan.node(node).filter(|_| attempts > 1) else {
        return Ok(HashMap::new());
    };
    let events = app.store.run_events().list_after(run, 0, u32::MAX)?;
    Ok(attempt_causes(&events, node))
}

fn attempt(
    app: &App,
    plan: &Plan,
    row: AttemptRow,
    state: Option<&NodeState>,
) -> Result<AttemptView, ApiError> {
    let session = app.store.sessions().get(row.session)?;
    let sentence = match (&row.outcome, state) {
        (_, Some(NodeState::Skipped { reason })) => describe_skip(plan, reason),
        (Some(Outcome::Succeeded), _) => "done".to_owned(),
        (Some(outcome), _) => describe_outcome(outcome),
        (None, Some(NodeState::Waiting { what })) => waiting(what),
        (None, _) if row.started_at.is_some() => "running".to_owned(),
        (None, _) => "waiting for a free slot".to_owned(),
    };
    Ok(AttemptView {
        usage: session
            .usage
            .and_then(|usage| serde_json::from_value(usage).ok())
            .unwrap_or_default(),
        agent: session.agent,
        reason: None,
        cause: None,
        attempt: row.attempt,
        session: row.session,
        started_at: row.started_at,
        ended_at: row.ended_at,
        times: row.times,
        outcome: row.outcome,
        artifact: row.artifact,
        sentence,
    })
}

fn waiting(what: &baton_model::run::WaitingFor) -> String {
    use baton_model::run::WaitingFor;
    match what {
        WaitingFor::Slot => "waiting for a free slot".to_owned(),
        WaitingFor::RetryAt { .. } => "waiting for its next attempt".to_owned(),
        WaitingFor::LimitUntil { .. } => "waiting for its agent's usage limit to reset".to_owned(),
        WaitingFor::Merge { .. } => "waiting for a person to resolve a conflict".to_owned(),
        WaitingFor::Approval { .. } => "waiting for approval to start".to_owned(),
        WaitingFor::Input { question, .. } | WaitingFor::Person { question, .. } => {
            format!("asks: {question}")
        }
    }
}

/// Returns what a node received from its parents, or would receive now.
pub(crate) fn context(app: &App, input: NodeRef) -> Result<ContextView, ApiError> {
    let plan = run_lookup::plan_of_run(app, input.run)?;
    let node = plan
        .node(input.node)
        .ok_or_else(|| ApiError::new(Code::NotFound, "the plan has no such node"))?;
    let rows = app.store.artifacts().latest_for_run(input.run)?.rows;
    let parents = parents(&plan, input.node, &rows);
    let last = app.store.attempts().list(input.run, input.node)?.pop();
    let folder =
        last.map(|attempt| baton_engine::session_folder(app.store.data_dir(), attempt.session));
    let given = folder.and_then(|folder| baton_engine::session_input(&folder));
    let pins = handoffs::pins(app, input.run)?;
    let artifacts = handoffs::by_node(rows);
    let was_given = given.is_some();
    let shown = match given {
        Some(given) => Some(given),
        None => {
            let background = handoffs::background(app, input.run, &plan, node.id)?;
            let caller = app.store.run_events().caller(input.run)?;
            baton_engine::preview(&plan, node, artifacts, &pins, &background, caller)
        }
    };
    let (text, prompt) = shown.map_or_else(
        || (String::new(), None),
        |(text, prompt)| (text, Some(prompt)),
    );
    let tokens = estimate_tokens(&text);
    Ok(ContextView {
        text,
        tokens,
        given: was_given,
        parents,
        prompt,
    })
}

fn parents(plan: &Plan, node: NodeId, rows: &[baton_store::ArtifactRow]) -> Vec<ContextParent> {
    let edges = plan.edges.iter().filter(|edge| edge.child == node);
    edges
        .filter_map(|edge| {
            let row = rows.iter().find(|row| row.node == edge.parent);
            Some(ContextParent {
                node: edge.parent,
                title: plan.node(edge.parent)?.title.clone(),
                artifact: row.map(|row| row.id),
                outputs: row
                    .map(|row| row.content.outputs.clone())
                    .unwrap_or_default(),
            })
        })
        .collect()
}
