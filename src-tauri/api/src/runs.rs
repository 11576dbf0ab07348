//! Operations on runs.

use baton_planning::plan_versions::plan_version;
use std::collections::HashMap;
use std::sync::Arc;

use baton_agents::Usage;
use baton_keeper::{CLAIM, STDERR, STDOUT};
use baton_model::run::{Command, Event};
use baton_model::{
    Attempt, Node, NodeId, NodeKind, NodeState, Plan, RunId, SessionId, Timestamp, WorkTime,
};
use baton_planning::run_start::{self, Seen};
use baton_store::{NodeStateRow, NodeStatus, RunRow};

use crate::event_text::describe_event;
use crate::node_names::Nodes;
use crate::wire::*;
use crate::{
    ApiError, App, Code, admission, approvals, damage, error_handlers, executors, plan_deletion,
    run_command, run_summary, takeover_text,
};

/// Starts a run of an approved plan, or resumes or takes over the run that this would duplicate.
pub(crate) fn start(app: &App, input: RunStart) -> Result<RunView, ApiError> {
    let seen = Seen {
        revision: input.base_revision,
        finished: input.finished,
    };
    let run = run_start::start(app.context(), input.plan, &input.goal, input.limit, &seen)?;
    view(app, run)
}

pub(crate) fn pause(app: &App, input: RunPause) -> Result<RunSummary, ApiError> {
    run_command::send(
        app,
        input.run,
        Command::Pause {
            stop_running: input.stop_running,
        },
    )
}

/// Resumes a run. If its executor died, the run is taken over.
///
/// If the run was taken over and waits for a review, resuming it counts as a decision.
pub(crate) fn resume(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::Resume)
}

/// Cancels a run and all of its processes.
pub(crate) fn cancel(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::Cancel)
}

/// Changes which nodes a run executes.
pub(crate) fn set_goal(app: &App, input: RunSetGoal) -> Result<RunSummary, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let goal = run_start::goal(&run, &input.goal)?;
    let finished = input.finished;
    run_command::send(app, input.run, Command::Want { goal, finished })
}

/// Reruns only the stale nodes.
pub(crate) fn rerun_stale(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::RerunStale)
}

/// Reruns the nodes that failed or were interrupted.
pub(crate) fn rerun_failed(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    run_command::send(app, input.run, Command::RerunFailed)
}

/// Lists runs, latest first. Damaged runs are listed with the fields that can be read.
pub(crate) fn list(app: &App, input: RunsFilter) -> Result<Vec<RunSummary>, ApiError> {
    if let Some(plan) = input.plan {
        plan_deletion::refuse_deleted(app, plan)?;
    }
    let listing = app.store.runs().list(input.plan, input.limit)?;
    let own = admission::calling_session(app)?.map(|session| session.run);
    let mut runs = Vec::with_capacity(listing.rows.len() + listing.unreadable.len());
    for row in listing.unreadable.iter().filter(|_| own.is_none()) {
        runs.extend(damage::run_summary(app, row)?);
    }
    for row in listing
        .rows
        .into_iter()
        .filter(|row| own.is_none_or(|own| row.id == own))
    {
        let id = row.id;
        match run_summary::summary(app, row) {
            // For example, its plan version.
            Err(error) if error.code == Code::Unavailable => {
                runs.extend(damage::run_summary_from_outline(app, id, error.message)?)
            }
            summary => runs.push(summary?),
        }
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.started_at));
    Ok(runs)
}

/// Returns a run with its nodes. If its history is broken so that it can't be resumed, the result
/// says so.
pub(crate) fn get(app: &App, input: RunRef) -> Result<RunView, ApiError> {
    let view = view(app, input.run)?;
    // A run executed here was already replayed, and an ended run isn't resumed, so neither needs
    // the check.
    if !view.summary.state.has_ended() && !app.engine.is_executing(input.run) {
        app.store.runs().replay(input.run)?;
    }
    Ok(view)
}

/// Returns what changed in a run, for clients that follow it and already have the plan and its
/// nodes.
pub(crate) fn progress(app: &App, input: RunProgressSince) -> Result<RunProgress, ApiError> {
    Ok(load_progress(app, input.run, input.after)?.0)
}

fn view(app: &App, run: RunId) -> Result<RunView, ApiError> {
    let (progress, plan) = load_progress(app, run, 0)?;
    Ok(progress.into_run_view(plan.as_ref().clone()))
}

/// A run, the nodes that changed since the event `after`, and the content that it executes.
fn load_progress(app: &App, run: RunId, after: u64) -> Result<(RunProgress, Arc<Plan>), ApiError> {
    // Read before the nodes, so that changes made in between are reported again by the next call.
    let row = app.store.runs().get(run)?;
    let (seq, limit) = (row.last_seq, row.limit);
    // A number beyond the last event is from a different history, such as that of a restored
    // backup.
    let after = if after > seq { 0 } else { after };
    let plan = plan_version(app.context(), row.plan, row.version)?;
    let rows = app.store.node_states().changed_since(run, after)?;
    let mut states: HashMap<NodeId, NodeStateRow> =
        rows.into_iter().map(|row| (row.node, row)).collect();
    let mut used = usage_by_node(app, run, after)?;
    let mut times = app.store.attempts().times_changed_since(run, after)?;
    let mut pinned = pinned_parents(app, run)?;
    let node = |node: &Node| {
        let pinned = pinned.remove(&node.id).unwrap_or_default();
        let view = node_view(app, run, states.remove(&node.id)?, used.remove(&node.id));
        // Work that a person did or marked as done needs no further check.
        let is_own = matches!(view.state, NodeState::Done { by_hand: false });
        let not_checked =
            is_own && !matches!(node.kind, NodeKind::UserInput(_)) && plan.is_unchecked(node);
        Some(NodeRunView {
            pinned,
            not_checked,
            times: times.remove(&node.id).unwrap_or_default(),
            ..view
        })
    };
    let nodes = plan.nodes.iter().filter_map(node).collect();
    let (parent, children) = (row.parent, children(app, run)?);
    let handler = error_handlers::handler_view(app, &row)?;
    let handles = error_handlers::handled_run(app, run)?;
    let summary = run_summary::summary(app, row)?;
    let takeover = executors::takeover_of(app, run)?;
    let (retries, checkpoint) = match after {
        0 => retries_and_checkpoint(app, run)?,
        _ => (None, None),
    };
    Ok((
        RunProgress {
            summary,
            takeover,
            seq,
            limit,
            nodes,
            parent,
            children,
            handler,
            handles,
            retries,
            checkpoint,
        },
        plan,
    ))
}

/// How often the run was retried by itself, and its last checkpoint.
fn retries_and_checkpoint(
    app: &App,
    run: RunId,
) -> Result<(Option<u32>, Option<LastCheckpoint>), ApiError> {
    let (mut retries, mut checkpoint) = (0, None);
    for stored in app.store.run_events().retries_and_checkpoints(run)? {
        match stored.event {
            Event::PlanRetried { retry, .. } => retries = retry,
            Event::CheckpointMade { data, .. } => {
                checkpoint = Some(LastCheckpoint {
                    at: stored.at,
                    data,
                });
            }
            _ => {}
        }
    }
    Ok((Some(retries), checkpoint))
}

/// Total usage per node that changed since the event `after`, as far as it is known.
fn usage_by_node(app: &App, run: RunId, after: u64) -> Result<HashMap<NodeId, Usage>, ApiError> {
    let mut used: HashMap<NodeId, Usage> = HashMap::new();
    for (node, words) in app.store.sessions().usage_changed_since(run, after)? {
        if let Ok(more) = serde_json::from_value::<Usage>(words) {
            let before = used.entry(node).or_default();
            *before = before.plus(more);
        }
    }
    Ok(used)
}

/// For each node, the parents whose handoff to it a person pinned.
fn pinned_parents(app: &App, run: RunId) -> Result<HashMap<NodeId, Vec<NodeId>>, ApiError> {
    let mut pinned: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for (parent, child) in app.store.pins().edges_of(run)? {
        pinned.entry(child).or_default().push(parent);
    }
    Ok(pinned)
}

fn node_view(app: &App, run: RunId, row: NodeStateRow, used: Option<Usage>) -> NodeRunView {
    let live = matches!(
        NodeStatus::from(&row.state),
        NodeStatus::Running | NodeStatus::Waiting
    );
    NodeRunView {
        activity: if live {
            app.engine.activity(run, row.node, row.attempt)
        } else {
            None
        },
        quiet_since: row
            .session
            .filter(|_| live)
            .and_then(|session| last_output_at(app, session)),
        node: row.node,
        state: row.state,
        attempt: row.attempt,
        session: row.session,
        started_at: row.started_at,
        ended_at: row.ended_at,
        times: WorkTime::default(),
        stale: row.stale,
        unverified: row.unverified,
        not_checked: false,
        reason: row.marks.choice.as_ref().map(ToString::to_string),
        marks: row.marks,
        used,
        artifact: row.artifact,
        pinned: Vec::new(),
    }
}

fn children(app: &App, run: RunId) -> Result<Vec<ChildRun>, ApiError> {
    let rows = app.store.runs().children(run)?.rows.into_iter();
    let child = |row: RunRow| {
        Some(ChildRun {
            node: row.parent?.node,
            run: row.id,
            plan: row.plan,
            state: row.state,
        })
    };
    Ok(rows.filter_map(child).collect())
}

/// When a session's files last grew.
fn last_output_at(app: &App, session: SessionId) -> Option<Timestamp> {
    let folder = baton_engine::session_folder(app.store.data_dir(), session);
    let grown = |name: &str| {
        folder
            .join(name)
            .metadata()
            .and_then(|meta| meta.modified())
            .ok()
    };
    let latest = [CLAIM, STDOUT, STDERR]
        .into_iter()
        .filter_map(grown)
        .max()?;
    let since = latest.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp)
}

/// Returns the events of a run as text.
pub(crate) fn history(app: &App, input: RunHistory) -> Result<Vec<HistoryRow>, ApiError> {
    let row = app.store.runs().get(input.run)?;
    let plan = plan_version(app.context(), row.plan, row.version)?;
    let events = app
        .store
        .run_events()
        .list_after(input.run, input.after, input.limit)?;
    let worked = app
        .store
        .attempts()
        .worked_ms(input.run, &ended_attempts(&events))?;
    let nodes = Nodes::new(&plan);
    let approvals = app.store.approvals().list(row.plan)?;
    let row = |stored: baton_store::StoredEvent| HistoryRow {
        sentence: describe_event(&nodes, &stored.event),
        worked_ms: ended_attempt(&stored.event).and_then(|key| worked.get(&key).copied()),
        details: match stored.event {
            Event::Started { version, .. } => {
                approvals::describe_at(&approvals, version, stored.at)
            }
            _ => takeover_text::details(&nodes, &stored.event),
        },
        seq: stored.seq,
        at: stored.at,
        actor: stored.actor.to_string(),
        event: stored.event,
    };
    Ok(events.into_iter().map(row).collect())
}

fn ended_attempts(events: &[baton_store::StoredEvent]) -> Vec<(NodeId, Attempt)> {
    events
        .iter()
        .filter_map(|stored| ended_attempt(&stored.event))
        .collect()
}

/// The attempt that an event ends.
fn ended_attempt(event: &Event) -> Option<(NodeId, Attempt)> {
    match event {
        Event::NodeEnded { node, attempt, .. } | Event::MergeTried { node, attempt, .. } => {
            Some((*node, *attempt))
        }
        _ => None,
    }
}
