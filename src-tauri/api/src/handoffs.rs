//! Operations on evidence, and on what is passed over edges.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use baton_engine::{Background, NotRestored, RunSnapshot, preview_handoff, session_folder};
use baton_model::context::estimate_tokens;
use baton_model::run::{Command, Event, Pin};
use baton_model::{Artifact, Attempt, NodeId, Plan, RunId};
use baton_store::ArtifactRow;

use crate::wire::*;
use crate::{ApiError, App, Code, run_command, run_lookup, takeover_text};

/// The pins of a run, by child and parent.
pub(crate) type Pins = BTreeMap<(NodeId, NodeId), Pin>;

/// Returns the evidence of an attempt.
pub(crate) fn evidence(app: &App, input: AttemptRef) -> Result<EvidenceView, ApiError> {
    let attempt = match input.attempt {
        Some(attempt) => attempt,
        None => {
            let attempts = app.store.attempts().list(input.run, input.node)?;
            let last = attempts
                .last()
                .ok_or_else(|| ApiError::new(Code::NotFound, "the node has no attempt yet"))?;
            last.attempt
        }
    };
    let row = app.store.evidence().get(input.run, input.node, attempt)?;
    let LaterFindings {
        doubt: later_doubt,
        after_takeover,
        git_restored,
    } = later_findings(app, &input, attempt)?;
    Ok(EvidenceView {
        attempt,
        doubt: later_doubt.or_else(|| {
            row.as_ref()?
                .content
                .unverified_reason()
                .map(|doubt| doubt.reason)
        }),
        after_takeover,
        git_restored,
        gathered_at: row.as_ref().map(|row| row.created_at),
        evidence: row.map(|row| row.content),
    })
}

/// Events after the end of an attempt.
#[derive(Default)]
struct LaterFindings {
    /// Why the work is unverified.
    doubt: Option<String>,
    /// Results of its criteria after a takeover of its run.
    after_takeover: Vec<String>,
    /// Reverted changes to what git executes.
    git_restored: Vec<GitRestoredView>,
}

fn later_findings(app: &App, of: &AttemptRef, attempt: Attempt) -> Result<LaterFindings, ApiError> {
    let mut since = LaterFindings::default();
    for stored in app.store.run_events().list_for_node(of.run, of.node)? {
        match stored.event {
            Event::NodeUnverified {
                attempt: known,
                doubt,
                ..
            } if known == attempt => since.doubt = Some(doubt),
            Event::InheritedChecked {
                attempt: known,
                checks,
                ..
            } if known == attempt => {
                since.after_takeover = checks.iter().map(takeover_text::describe_check).collect();
            }
            Event::GitRestored {
                attempt: known,
                changes,
                ..
            } if known == attempt => {
                let (at, by) = (stored.at, stored.actor.to_string());
                since
                    .git_restored
                    .retain(|earlier| !changes.contains(&earlier.change));
                since
                    .git_restored
                    .extend(changes.into_iter().map(|change| GitRestoredView {
                        change,
                        at,
                        by: by.clone(),
                    }));
            }
            _ => {}
        }
    }
    Ok(since)
}

/// Restores what git executes to its state before an attempt, and records who did it.
pub(crate) fn restore_git(app: &App, input: AttemptRef) -> Result<GitRestored, ApiError> {
    let AttemptRef { run, node, attempt } = input;
    let attempts = app.store.attempts().list(run, node)?;
    let chosen = attempts
        .iter()
        .rev()
        .find(|row| attempt.is_none_or(|attempt| row.attempt == attempt));
    let row =
        chosen.ok_or_else(|| ApiError::new(Code::NotFound, "the node has no such attempt"))?;
    let folder = session_folder(app.store.data_dir(), row.session);
    let done = baton_engine::restore_git(&folder)
        .map_err(|error| ApiError::new(Code::Refused, error.to_string()))?;
    if !done.restored.is_empty() {
        let (attempt, changes) = (row.attempt, done.restored.clone());
        app.engine.command(
            run,
            Command::NoteGitRestored {
                node,
                attempt,
                changes,
            },
            app.actor(),
        )?;
    }
    Ok(GitRestored {
        restored: done.restored,
        left: done.left.into_iter().map(not_restored).collect(),
    })
}

fn not_restored((change, why): (u32, NotRestored)) -> GitNotRestored {
    let reason = match &why {
        NotRestored::ChangedSince => GitNotRestoredReason::ChangedSince,
        NotRestored::Locked => GitNotRestoredReason::Locked,
        NotRestored::NotKept => GitNotRestoredReason::NotKept,
        NotRestored::Refused(_) => GitNotRestoredReason::Refused,
    };
    GitNotRestored {
        change,
        reason,
        message: why.to_string(),
    }
}

/// Accepts a node's work although it is unverified.
pub(crate) fn accept(app: &App, input: NodeRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::Accept { node: input.node })
}

/// Returns what a child receives over one edge.
pub(crate) fn edge(app: &App, input: EdgeRef) -> Result<EdgeView, ApiError> {
    let EdgeRef { run, parent, child } = input;
    let plan = run_lookup::plan_of_run(app, run)?;
    let latest = app.store.artifacts().latest_for_run(run)?.rows;
    let row = latest.iter().find(|row| row.node == parent);
    let artifact = row.map(|row| row.id);
    let handoff = row.map(|row| row.content.text.clone()).unwrap_or_default();
    let settled = app
        .store
        .pins()
        .of_run(run)?
        .into_iter()
        .find(|pin| (pin.parent, pin.child) == (parent, child));
    let background = background(app, run, &plan, child)?;
    let text = preview_handoff(
        &plan,
        (parent, child),
        by_node(latest),
        &pins(app, run)?,
        &background,
    )
    .ok_or_else(|| ApiError::new(Code::NotFound, "the plan has no such edge"))?;
    let stale = settled.as_ref().is_some_and(|pin| pin.artifact != artifact);
    let pin = settled.as_ref().map(|pin| PinView {
        pinned_at: pin.pinned_at,
        stale,
    });
    let body = settled.map_or(handoff, |pin| pin.text);
    Ok(EdgeView {
        tokens: estimate_tokens(&text),
        text,
        body,
        artifact,
        pin,
    })
}

/// Pins what a child receives over one edge, starting with its next attempt.
pub(crate) fn pin(app: &App, input: HandoffPin) -> Result<RunSummary, ApiError> {
    let HandoffPin {
        run,
        parent,
        child,
        text,
        artifact,
    } = input;
    run_command::send(
        app,
        run,
        Command::PinHandoff {
            parent,
            child,
            text,
            artifact,
        },
    )
}

/// Removes a pin, so that the child receives its parent's handoff again.
pub(crate) fn unpin(app: &App, input: EdgeRef) -> Result<RunSummary, ApiError> {
    let EdgeRef { run, parent, child } = input;
    run_command::send(app, run, Command::UnpinHandoff { parent, child })
}

/// The edges of a run that a person pinned.
pub(crate) fn pins(app: &App, run: RunId) -> Result<Pins, ApiError> {
    let rows = app.store.pins().of_run(run)?;
    let pin = |row: baton_store::PinRow| {
        (
            (row.child, row.parent),
            Pin {
                text: row.text,
                artifact: row.artifact,
            },
        )
    };
    Ok(rows.into_iter().map(pin).collect())
}

/// Returns what the next attempt of a node would receive in addition to handoffs.
pub(crate) fn background(
    app: &App,
    run: RunId,
    plan: &Plan,
    node: NodeId,
) -> Result<Background, ApiError> {
    let (Some(definition), Ok(graph)) = (plan.node(node), plan.graph()) else {
        return Ok(Background::default());
    };
    let states = run_lookup::node_states(app, run)?;
    let state = |node: NodeId| states.get(&node).map(|row| &row.state);
    let snapshot = RunSnapshot {
        store: &app.store,
        run,
        plan,
        graph: &graph,
        state: &state,
    };
    Ok(Background::gather(&snapshot, definition, None)?)
}

/// Handoffs by the node that produced them.
pub(crate) fn by_node(rows: Vec<ArtifactRow>) -> HashMap<NodeId, Arc<Artifact>> {
    rows.into_iter()
        .map(|row| (row.node, Arc::new(row.content)))
        .collect()
}
