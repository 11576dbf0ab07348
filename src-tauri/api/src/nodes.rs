//! Operations on the nodes of a run.

use baton_model::context::about_tokens;
use baton_model::run::Command;
use baton_model::{NodeId, NodeState, Outcome, Plan, RunId};
use baton_store::AttemptRow;

use crate::sentence::{of_outcome, of_skip};
use crate::wire::*;
use crate::{ApiError, App, Code, handoffs, plans, runs};

/// Tries a node again that failed, was interrupted or skipped.
pub(crate) fn retry(app: &App, input: NodeRetry) -> Result<RunSummary, ApiError> {
    let resume = input.resume.unwrap_or(false);
    runs::command(
        app,
        input.run,
        Command::RetryNode {
            node: input.node,
            resume,
        },
    )
}

/// Does one node again; finished nodes below it become stale.
pub(crate) fn rerun_alone(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    runs::command(app, input.run, Command::RerunNode { node: input.node })
}

/// Changes what a node handed on; finished nodes below it become stale.
pub(crate) fn edit_artifact(app: &App, input: ArtifactEdit) -> Result<RunSummary, ApiError> {
    runs::command(
        app,
        input.run,
        Command::EditArtifact {
            node: input.node,
            text: input.text,
        },
    )
}

/// Does a node and everything below it again.
pub(crate) fn rerun(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    runs::command(app, input.run, Command::RerunFrom { node: input.node })
}

/// Stops the session of one node; the node is interrupted, and the run goes on.
pub(crate) fn stop(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    runs::command(app, input.run, Command::StopNode { node: input.node })
}

/// Goes on without a node.
pub(crate) fn skip(app: &App, input: NodeSkip) -> Result<RunSummary, ApiError> {
    let stop = input.stop.unwrap_or(false);
    runs::command(
        app,
        input.run,
        Command::SkipNode {
            node: input.node,
            stop,
        },
    )
}

/// Takes a node as done without running it.
pub(crate) fn mark_done(app: &App, input: NodeMarkDone) -> Result<RunSummary, ApiError> {
    runs::command(
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
    runs::command(
        app,
        run,
        Command::Answer {
            node,
            request,
            answer,
        },
    )
}

/// Gives a node leave to start that waits for it, or refuses.
pub(crate) fn approve(app: &App, input: NodeApprove) -> Result<RunSummary, ApiError> {
    runs::command(
        app,
        input.run,
        Command::Approve {
            node: input.node,
            allow: input.allow,
        },
    )
}

/// Settles the conflict for which a node waits.
pub(crate) fn merge(app: &App, input: NodeMerge) -> Result<RunSummary, ApiError> {
    runs::command(
        app,
        input.run,
        Command::Merge {
            node: input.node,
            resolution: input.resolution,
        },
    )
}

/// Answers the question of a node that asks a person.
pub(crate) fn give_input(app: &App, input: NodeInput) -> Result<RunSummary, ApiError> {
    runs::command(
        app,
        input.run,
        Command::GiveInput {
            node: input.node,
            value: input.value,
        },
    )
}

/// Takes a node as failed whose attempt was lost.
pub(crate) fn mark_failed(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    runs::command(app, input.run, Command::MarkFailed { node: input.node })
}

/// Lists the attempts of a node, the first one first.
pub(crate) fn attempts(app: &App, input: NodeRef) -> Result<Vec<AttemptView>, ApiError> {
    let plan = plan_of(app, input.run)?;
    let state = runs::states(app, input.run)?
        .remove(&input.node)
        .map(|row| row.state);
    let rows = app.store.attempts().list(input.run, input.node)?;
    let choices = app.store.run_events().choices(input.run, input.node)?;
    let last = rows.len();
    let views = rows.into_iter().enumerate().map(|(index, row)| {
        let state = state.as_ref().filter(|_| index + 1 == last);
        // An attempt that was held back gave its number to the next one.
        let choice = choices.iter().rfind(|(attempt, _)| *attempt == row.attempt);
        let reason = choice.map(|(_, choice)| choice.to_string());
        Ok(AttemptView {
            reason,
            ..attempt(app, &plan, row, state)?
        })
    });
    views.collect()
}

fn attempt(
    app: &App,
    plan: &Plan,
    row: AttemptRow,
    state: Option<&NodeState>,
) -> Result<AttemptView, ApiError> {
    let session = app.store.sessions().get(row.session)?;
    let sentence = match (&row.outcome, state) {
        (_, Some(NodeState::Skipped { reason })) => of_skip(plan, reason),
        (Some(Outcome::Succeeded), _) => "done".to_owned(),
        (Some(outcome), _) => of_outcome(outcome),
        (None, Some(NodeState::Waiting { what })) => waiting(what),
        (None, _) if row.started_at.is_some() => "is running".to_owned(),
        (None, _) => "waits for a free place".to_owned(),
    };
    Ok(AttemptView {
        usage: session
            .usage
            .and_then(|usage| serde_json::from_value(usage).ok())
            .unwrap_or_default(),
        agent: session.agent,
        reason: None,
        attempt: row.attempt,
        session: row.session,
        started_at: row.started_at,
        ended_at: row.ended_at,
        outcome: row.outcome,
        artifact: row.artifact,
        sentence,
    })
}

fn waiting(what: &baton_model::run::WaitingFor) -> String {
    use baton_model::run::WaitingFor;
    match what {
        WaitingFor::Slot => "waits for a free place".to_owned(),
        WaitingFor::RetryAt { .. } => "waits for its next attempt".to_owned(),
        WaitingFor::LimitUntil { .. } => "waits until its agent's usage limit is lifted".to_owned(),
        WaitingFor::Merge { .. } => "waits for a person to settle a conflict".to_owned(),
        WaitingFor::Approval { .. } => "waits for leave to start".to_owned(),
        WaitingFor::Input { question, .. } | WaitingFor::Person { question, .. } => {
            format!("asks: {question}")
        }
    }
}

/// Shows what a node received from its parents, or would receive now.
pub(crate) fn context(app: &App, input: NodeRef) -> Result<ContextView, ApiError> {
    let plan = plan_of(app, input.run)?;
    let node = plan
        .node(input.node)
        .ok_or_else(|| ApiError::new(Code::NotFound, "the plan has no such node"))?;
    let rows = app.store.artifacts().latest_of(input.run)?.rows;
    let parents = parents(&plan, input.node, &rows);
    let last = app.store.attempts().list(input.run, input.node)?.pop();
    let folder =
        last.map(|attempt| baton_engine::session_folder(app.store.data_dir(), attempt.session));
    let given = folder.and_then(|folder| baton_engine::given(&folder));
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
    let tokens = about_tokens(&text);
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

/// The content that a run executes.
pub(crate) fn plan_of(app: &App, run: RunId) -> Result<std::sync::Arc<Plan>, ApiError> {
    let row = app.store.runs().get(run)?;
    plans::content(app, row.plan, row.version)
}
