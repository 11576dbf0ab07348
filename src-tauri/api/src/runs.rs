//! Operations on runs.

use std::collections::HashMap;
use std::sync::Arc;

use baton_agents::Usage;
use baton_keeper::{CLAIM, STDERR, STDOUT};
use baton_model::run::{Command, Event};
use baton_model::{Node, NodeId, NodeKind, NodeState, Plan, RunId, SessionId, Timestamp};
use baton_planning::{attendance, replans, run_start};
use baton_store::{NodeStateRow, RunRow, StateWord};

use crate::sentence::{Nodes, of_event};
use crate::wire::*;
use crate::{ApiError, App, Code, admission, approvals, damage, executors, plans, takeover_words};

/// Begins a run of an approved plan, or continues or takes over the run that this would duplicate.
pub(crate) fn start(app: &App, input: RunStart) -> Result<RunView, ApiError> {
    let RunStart { plan, goal, limit } = input;
    let run = run_start::start(app.context(), plan, &goal, limit)?;
    view(app, run)
}

/// Starts no more nodes.
pub(crate) fn pause(app: &App, input: RunPause) -> Result<RunSummary, ApiError> {
    command(
        app,
        input.run,
        Command::Pause {
            stop_running: input.stop_running,
        },
    )
}

/// Lets a run go on; one whose executor died is taken over.
///
/// Where a run was taken over and waits for a review, to go on is a decision.
pub(crate) fn resume(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    if app.store.runs().get(input.run)?.state.waits_for_review() {
        admission::require_decision(app, "run_resume", &input)?;
    }
    command(app, input.run, Command::Resume)
}

/// Ends a run and every process of it.
pub(crate) fn cancel(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    command(app, input.run, Command::Cancel)
}

/// Asks a run for other nodes.
pub(crate) fn want(app: &App, input: RunWant) -> Result<RunSummary, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let goal = run_start::goal(&run, &input.goal)?;
    command(app, input.run, Command::Want { goal })
}

/// Does the stale nodes again, and nothing else.
pub(crate) fn rerun_stale(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    command(app, input.run, Command::RerunStale)
}

/// Passes a command to the executor of a run, and shows what came of it.
pub(crate) fn command(app: &App, run: RunId, command: Command) -> Result<RunSummary, ApiError> {
    app.engine.command(run, command, app.actor())?;
    summary(app, app.store.runs().get(run)?)
}

/// Lists runs, the latest first. Of damaged ones it tells what can be read.
pub(crate) fn list(app: &App, input: RunsFilter) -> Result<Vec<RunSummary>, ApiError> {
    let listing = app.store.runs().list(input.plan, input.limit)?;
    let own = admission::own_session(app)?.map(|session| session.run);
    let mut runs = Vec::with_capacity(listing.rows.len() + listing.unreadable.len());
    for row in listing.unreadable.iter().filter(|_| own.is_none()) {
        runs.extend(damage::of_run(app, row)?);
    }
    for row in listing
        .rows
        .into_iter()
        .filter(|row| own.is_none_or(|own| row.id == own))
    {
        let id = row.id;
        match summary(app, row) {
            // Its plan's version, say.
            Err(error) if error.code == Code::Unavailable => {
                runs.extend(damage::run(app, id, error.message)?)
            }
            summary => runs.push(summary?),
        }
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.started_at));
    Ok(runs)
}

/// Shows a run with its nodes. Of one that nobody can continue because its history is broken, it says so.
pub(crate) fn get(app: &App, input: RunRef) -> Result<RunView, ApiError> {
    let view = view(app, input.run)?;
    // Whoever executes it has replayed it; of one that has ended, what it came to is all that anybody needs.
    if !view.summary.state.has_ended() && !app.engine.is_here(input.run) {
        app.store.runs().replay(input.run)?;
    }
    Ok(view)
}

/// Shows what moved in a run: for whoever looks on for long, and has the plan and the nodes.
pub(crate) fn progress(app: &App, input: RunAfter) -> Result<RunProgress, ApiError> {
    Ok(look(app, input.run, input.after)?.0)
}

fn view(app: &App, run: RunId) -> Result<RunView, ApiError> {
    let (progress, plan) = look(app, run, 0)?;
    Ok(progress.of(plan.as_ref().clone()))
}

/// A run, of its nodes those that moved since the event `after`, and the content that it executes.
fn look(app: &App, run: RunId, after: u64) -> Result<(RunProgress, Arc<Plan>), ApiError> {
    // Before the nodes: what moves meanwhile is told to whoever asks from here on.
    let row = app.store.runs().get(run)?;
    let (seq, limit) = (row.last_seq, row.limit);
    // A number that is not given out yet is of another history, such as that of a copy that was put back.
    let after = if after > seq { 0 } else { after };
    let plan = plans::content(app, row.plan, row.version)?;
    let rows = app.store.node_states().since(run, after)?;
    let mut states: HashMap<NodeId, NodeStateRow> =
        rows.into_iter().map(|row| (row.node, row)).collect();
    let mut used = used(app, run, after)?;
    let mut pinned = pinned(app, run)?;
    let node = |node: &Node| {
        let pinned = pinned.remove(&node.id).unwrap_or_default();
        let view = node_view(app, run, states.remove(&node.id)?, used.remove(&node.id));
        // What a person did or took as done needs nobody else to look at it.
        let is_own = matches!(view.state, NodeState::Done { by_hand: false });
        let not_checked =
            is_own && !matches!(node.kind, NodeKind::UserInput(_)) && plan.is_unchecked(node);
        Some(NodeRunView {
            pinned,
            not_checked,
            ..view
        })
    };
    let nodes = plan.nodes.iter().filter_map(node).collect();
    let (parent, children) = (row.parent, children(app, run)?);
    let summary = summary(app, row)?;
    let takeover = executors::takeover_of(app, run)?;
    Ok((
        RunProgress {
            summary,
            takeover,
            seq,
            limit,
            nodes,
            parent,
            children,
        },
        plan,
    ))
}

/// What the attempts of each node that moved since the event `after` used together, as far as it is known.
fn used(app: &App, run: RunId, after: u64) -> Result<HashMap<NodeId, Usage>, ApiError> {
    let mut used: HashMap<NodeId, Usage> = HashMap::new();
    for (node, words) in app.store.sessions().used_in(run, after)? {
        if let Ok(more) = serde_json::from_value::<Usage>(words) {
            let before = used.entry(node).or_default();
            *before = before.plus(more);
        }
    }
    Ok(used)
}

/// The parents of each node from which it receives what a person settled.
fn pinned(app: &App, run: RunId) -> Result<HashMap<NodeId, Vec<NodeId>>, ApiError> {
    let mut pinned: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for (parent, child) in app.store.pins().edges_of(run)? {
        pinned.entry(child).or_default().push(parent);
    }
    Ok(pinned)
}

fn node_view(app: &App, run: RunId, row: NodeStateRow, used: Option<Usage>) -> NodeRunView {
    let live = matches!(
        StateWord::from(&row.state),
        StateWord::Running | StateWord::Waiting
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
            .and_then(|session| quiet_since(app, session)),
        node: row.node,
        state: row.state,
        attempt: row.attempt,
        session: row.session,
        started_at: row.started_at,
        ended_at: row.ended_at,
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
fn quiet_since(app: &App, session: SessionId) -> Option<Timestamp> {
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

pub(crate) fn states(app: &App, run: RunId) -> Result<HashMap<NodeId, NodeStateRow>, ApiError> {
    Ok(app
        .store
        .node_states()
        .list(run)?
        .into_iter()
        .map(|row| (row.node, row))
        .collect())
}

/// A run in one line.
pub(crate) fn summary(app: &App, row: RunRow) -> Result<RunSummary, ApiError> {
    let plan = plans::content(app, row.plan, row.version)?;
    let progress = app.store.node_states().words(row.id)?;
    Ok(RunSummary {
        skipped_failures: skipped_failures(app, row.id, &progress)?,
        damage: None,
        progress,
        attendance: attendance(app.context(), &row)?,
        title: plan.title.clone(),
        id: row.id,
        plan: row.plan,
        version: row.version,
        goal: row.goal,
        started_at: row.started_at.unwrap_or(row.created_at),
        ended_at: row.ended_at,
        state: replans::current_state(app.context(), row.state)?,
    })
}

/// How many nodes of a run failed and were skipped over. Asked only of a run that has such a node.
pub(crate) fn skipped_failures(
    app: &App,
    run: RunId,
    progress: &[StateWord],
) -> Result<Option<u32>, ApiError> {
    if !progress.contains(&StateWord::FailedSkipped) {
        return Ok(None);
    }
    Ok(Some(app.store.node_states().skipped_failures(run)?).filter(|count| *count > 0))
}

/// Shows what happened in a run.
pub(crate) fn history(app: &App, input: RunHistory) -> Result<Vec<HistoryRow>, ApiError> {
    let row = app.store.runs().get(input.run)?;
    let plan = plans::content(app, row.plan, row.version)?;
    let events = app
        .store
        .run_events()
        .after(input.run, input.after, input.limit)?;
    let nodes = Nodes::of(&plan);
    let approvals = app.store.approvals().list(row.plan)?;
    let row = |stored: baton_store::StoredEvent| HistoryRow {
        sentence: of_event(&nodes, &stored.event),
        details: match stored.event {
            Event::Started { version, .. } => approvals::words_at(&approvals, version, stored.at),
            _ => takeover_words::details(&nodes, &stored.event),
        },
        seq: stored.seq,
        at: stored.at,
        actor: stored.actor.to_string(),
        event: stored.event,
    };
    Ok(events.into_iter().map(row).collect())
}
