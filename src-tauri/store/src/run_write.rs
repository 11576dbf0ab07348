//! Writing to a run: an executor's events and, in the same transaction, everything derived from
//! them.
//!
//! This is the hot path, with two or three writes per node. Statements are prepared once, and each
//! finds its rows by key.

use baton_model::run::{Event, FailedRun, NodeRun};
use baton_model::{Epoch, ExecutorId, NodeId, Run, RunId, RunState, SessionId, Timestamp};
use rusqlite::{Connection, params};

use crate::column::{json, not_found, query_optional};
use crate::store::WriteTransaction;
use crate::{
    Actor, Change, NewArtifact, NewEvidence, NewSession, ParentNode, RecordedEvent, Runs,
    StartedByFilter, StoreError, artifacts, attempts, deleted_plans, evidence, executors, grants,
    node_states, permits, pins, plan_log, plans, run_events, sessions, takeovers,
};

/// A new run to store, after its first step.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    /// The run after applying `records`.
    pub run: &'a Run,
    /// The plan version that it executes.
    pub version: u32,
    /// The plan's revision on which the caller based its decision; `None` for any.
    pub base_revision: Option<u64>,
    pub executor: ExecutorId,
    /// The node of another run that this run executes.
    pub parent: Option<ParentNode>,
    /// Who requested the run.
    pub actor: &'a Actor,
    pub at: Timestamp,
    /// Its first events, beginning with [`Event::Started`].
    pub records: &'a [RecordedEvent],
    /// Sessions of the attempts that `records` reserve.
    pub sessions: &'a [NewSession],
    /// Copies of the pinned outputs that the run uses.
    pub artifacts: &'a [NewArtifact],
}

/// New events of a run, and what is derived from them.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy)]
pub struct RunWrite<'a> {
    pub run: RunId,
    /// The writer's epoch. A write that contains [`Event::TakenOver`] may have the epoch before or
    /// after it.
    pub epoch: Epoch,
    /// The last event that the writer knows; `None` to skip that check.
    pub expected_last_seq: Option<u64>,
    /// Events in order. Attempt rows are derived from them.
    pub records: &'a [RecordedEvent],
    /// The run's state after the events.
    pub state: &'a RunState,
    /// The nodes that the events changed, in their state after the events.
    pub nodes: &'a [(NodeId, &'a NodeRun)],
    /// Handoffs that the events refer to.
    pub artifacts: &'a [NewArtifact],
    /// Evidence of attempts that the events end.
    pub evidence: &'a [NewEvidence],
    /// Sessions of attempts that the events reserve.
    pub sessions: &'a [NewSession],
    /// How long the programs of ended sessions ran, in milliseconds.
    pub worked: &'a [(SessionId, u64)],
}

impl Runs<'_> {
    /// Stores a new run with its first events. Returns the number of the last event.
    pub fn create(&self, new: &NewRun<'_>) -> Result<u64, StoreError> {
        self.store.write(|writing| {
            insert_run(writing.tx, new)?;
            if new.parent.is_none() {
                plans::unarchive_for_run(writing, new.run.plan().id)?;
            }
            node_states::insert(writing.tx, new.run, new.records)?;
            let write = RunWrite {
                run: new.run.id(),
                epoch: new.run.epoch(),
                expected_last_seq: Some(0),
                records: new.records,
                state: new.run.state(),
                nodes: &[],
                artifacts: new.artifacts,
                evidence: &[],
                sessions: new.sessions,
                worked: &[],
            };
            append(writing, &write)
        })
    }

    /// Appends events to a run's history with everything derived from them, in one transaction that
    /// is on disk when this returns. Returns the number of the last event.
    ///
    /// Fails with [`StoreError::StaleEpoch`] if another executor took over the run, and with
    /// [`StoreError::StaleHistory`] if the history isn't at the expected event. After any error,
    /// the caller must drop its run and read it again: a commit that fails late may still be on
    /// disk.
    pub fn append(&self, write: &RunWrite<'_>) -> Result<u64, StoreError> {
        self.store.write(|writing| append(writing, write))
    }
}

fn insert_run(connection: &Connection, new: &NewRun<'_>) -> Result<(), StoreError> {
    let run = new.run;
    if query_optional(
        connection,
        "SELECT 1 FROM runs WHERE id = ?1",
        [run.id().0],
        |_| Ok(()),
    )?
    .is_some()
    {
        return Err(StoreError::Exists {
            what: "the run",
            id: run.id().to_string(),
        });
    }
    // A missing plan has no version either, which is reported below.
    match deleted_plans::refuse_deleted(connection, run.plan().id) {
        Err(StoreError::NotFound { .. }) | Ok(()) => {}
        Err(error) => return Err(error),
    }
    if let Some(base) = new.base_revision {
        plans::require_revision(connection, run.plan().id, base)?;
    }
    let version = "SELECT 1 FROM plan_versions WHERE plan = ?1 AND version = ?2";
    if query_optional(
        connection,
        version,
        params![run.plan().id.0, new.version],
        |_| Ok(()),
    )?
    .is_none()
    {
        return Err(not_found(
            "version",
            format_args!("{} of plan {}", new.version, run.plan().id),
        ));
    }
    // Only the current executor of the parent run may start a child run, not an earlier one.
    if let Some(parent) = new.parent
        && let Some((executor, current)) = executors::of_run(connection, parent.run)?
        && executor != new.executor
    {
        return Err(StoreError::StaleEpoch {
            run: parent.run,
            ours: Epoch(0),
            current,
        });
    }
    if let Some(failed) = run.caller().and_then(|caller| caller.handles.as_ref()) {
        require_due(connection, failed)?;
    }
    let started_at = new
        .records
        .iter()
        .find(|record| matches!(record.event, Event::Started { .. }));
    let inherits = new.records.iter().find_map(|record| match record.event {
        Event::Started { inherits, .. } => inherits,
        _ => None,
    });
    // The earlier run may have been deleted since its work was read.
    if let Some(earlier) = inherits
        && query_optional(
            connection,
            "SELECT 1 FROM runs WHERE id = ?1",
            [earlier.0],
            |_| Ok(()),
        )?
        .is_none()
    {
        return Err(not_found("the run", earlier));
    }
    let is_pinned = |record: &&RecordedEvent| matches!(record.event, Event::NodePinned { .. });
    let pinned_nodes = new.records.iter().filter(is_pinned).count();
    let number = plans::next_run_number(connection, run.plan().id)?;
    let started_by = StartedByFilter::of_run(new.actor, new.parent.is_some());
    connection
        .prepare_cached(
            "INSERT INTO runs (id, plan, version, state, executor, epoch, last_seq, node_limit, actor, created_at, started_at,
                 parent_run, parent_node, number, inherits, state_name, started_by, pinned_nodes, planner)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?2 IN planning_plans)",
        )?
        .execute(params![
            run.id().0,
            run.plan().id.0,
            new.version,
            json(run.state())?,
            new.executor.0,
            run.epoch().0,
            run.concurrency_limit(),
            new.actor,
            new.at.0,
            started_at.map(|record| record.at.0),
            new.parent.map(|parent| parent.run.0),
            new.parent.map(|parent| parent.node.0),
            number,
            inherits.map(|run| run.0),
            run.state().as_str(),
            started_by.map_or("baton", StartedByFilter::as_str),
            pinned_nodes,
        ])?;
    connection
        .prepare_cached("INSERT INTO run_goals (run, goal) VALUES (?1, ?2)")?
        .execute(params![run.id().0, json(run.goal())?])?;
    Ok(())
}

/// Refuses the run of an error handler that may no longer start: another process has started it, or
/// the failed run was resumed. A process that was stopped in between finds out here.
fn require_due(connection: &Connection, failed: &FailedRun) -> Result<(), StoreError> {
    let StoredRun {
        state, last_seq, ..
    } = load_run(connection, failed.run)?;
    let state: Option<RunState> = serde_json::from_str(&state).ok();
    let handler = state.as_ref().and_then(RunState::handler);
    if handler.is_some_and(|handler| handler.may_start(failed.end)) {
        return Ok(());
    }
    Err(StoreError::StaleHistory {
        run: failed.run,
        expected: failed.end,
        current: last_seq,
    })
}

fn update_goal(connection: &Connection, run: RunId, event: &Event) -> Result<(), StoreError> {
    if let Event::GoalSet { goal } = event {
        connection
            .prepare_cached("UPDATE run_goals SET goal = ?2 WHERE run = ?1")?
            .execute(params![run.0, json(goal)?])?;
    }
    Ok(())
}

/// The run's row before a write.
struct StoredRun {
    plan: baton_model::PlanId,
    /// The plan version that the run executes.
    version: u32,
    epoch: Epoch,
    last_seq: u64,
    /// The [`RunState`] in its stored form.
    state: String,
    /// Whether every node that could go on waited for a person.
    waits_for_person: bool,
    /// Whether it is the session of a planner.
    planner: bool,
}

fn append(writing: &mut WriteTransaction<'_, '_>, write: &RunWrite<'_>) -> Result<u64, StoreError> {
    let connection = writing.tx;
    let before = load_run(connection, write.run)?;
    let takeover = find_takeover(write.records);
    check_concurrency(write, &before, takeover)?;
    if let Some(Takeover {
        epoch,
        executor,
        at,
    }) = takeover
    {
        takeovers::record(connection, write.run, epoch, executor, at)?;
    }
    let last = run_events::add(connection, write.run, before.last_seq, write.records)?;
    if !before.planner {
        plan_log::add_events(
            connection,
            (before.plan, write.run),
            before.last_seq,
            write.records,
            write.nodes,
        )?;
    }
    sessions::add(connection, write.run, write.sessions)?;
    for (session, worked_ms) in write.worked {
        sessions::set_worked_ms(connection, *session, *worked_ms)?;
    }
    artifacts::add(connection, write.run, write.artifacts)?;
    evidence::add(connection, write.run, write.evidence)?;
    let now = write.records.last().map(|record| record.at);
    node_states::update(
        connection,
        write.run,
        write.nodes,
        (last, now.unwrap_or(Timestamp(0))),
    )?;
    for record @ RecordedEvent { at, event, .. } in write.records {
        pins::apply_event(connection, write.run, record)?;
        attempts::apply_event(connection, write.run, *at, event)?;
        node_states::apply_event(connection, write.run, last, event)?;
        update_goal(connection, write.run, event)?;
        grants::apply_event(
            connection,
            (before.plan, before.version, write.run),
            *at,
            event,
        )?;
    }
    permits::apply_events(
        writing,
        write.run,
        write.nodes,
        write.records,
        takeover.map(|takeover| takeover.executor),
    )?;
    let state = json(write.state)?;
    let waits_for_person =
        write.state.is_running() && node_states::all_wait_for_person(connection, write.run)?;
    if waits_for_person != before.waits_for_person && write.state.is_running() && !before.planner {
        let at = now.unwrap_or(Timestamp(0));
        plan_log::add_wait(
            connection,
            (before.plan, write.run),
            (last, at),
            waits_for_person,
        )?;
    }
    let end = write
        .records
        .iter()
        .rev()
        .find(|record| ends_the_run(&record.event))
        .map(|record| record.at);
    let keeps_its_end = matches!(write.state, RunState::Replanning { .. })
        || write.state.has_ended() && end.is_none();
    let ended_at = end.filter(|_| write.state.has_ended());
    connection
        .prepare_cached(
            "UPDATE runs SET state = ?2, state_name = ?8, last_seq = ?3,
                 ended_at = CASE WHEN ?7 THEN ended_at ELSE ?4 END, epoch = COALESCE(?5, epoch), executor = COALESCE(?6, executor),
                 waits_for_person = ?9 WHERE id = ?1",
        )?
        .execute(params![
            write.run.0,
            state,
            last,
            ended_at.map(|at| at.0),
            takeover.map(|takeover| takeover.epoch.0),
            takeover.map(|takeover| takeover.executor.0),
            keeps_its_end,
            write.state.as_str(),
            waits_for_person,
        ])?;
    let nodes = write.nodes.iter().map(|(node, _)| *node).collect();
    let whole = before.state != state
        || write
            .records
            .iter()
            .any(|record| record.event.node().is_none());
    writing.changes.push(Change::RunChanged {
        run: write.run,
        plan: before.plan,
        seq: last,
        nodes,
        whole,
    });
    Ok(last)
}

/// Whether the event ends the run. Later events, such as a takeover or a failed replan, don't end
/// it a second time.
fn ends_the_run(event: &Event) -> bool {
    matches!(
        event,
        Event::Completed | Event::Failed { .. } | Event::Cancelled
    )
}

fn load_run(connection: &Connection, run: RunId) -> Result<StoredRun, StoreError> {
    query_optional(
        connection,
        "SELECT plan, epoch, last_seq, state, version, waits_for_person, planner FROM runs WHERE id = ?1",
        [run.0],
        |row| {
            Ok(StoredRun {
                plan: baton_model::PlanId(row.get(0)?),
                epoch: Epoch(row.get(1)?),
                last_seq: row.get(2)?,
                state: row.get(3)?,
                version: row.get(4)?,
                waits_for_person: row.get(5)?,
                planner: row.get(6)?,
            })
        },
    )?
    .ok_or_else(|| not_found("the run", run))
}

/// The takeover among the events of a write.
#[derive(Clone, Copy)]
struct Takeover {
    epoch: Epoch,
    executor: ExecutorId,
    at: Timestamp,
}

fn find_takeover(records: &[RecordedEvent]) -> Option<Takeover> {
    records.iter().rev().find_map(|record| match &record.event {
        Event::TakenOver {
            executor, epoch, ..
        } => Some(Takeover {
            epoch: *epoch,
            executor: *executor,
            at: record.at,
        }),
        _ => None,
    })
}

fn check_concurrency(
    write: &RunWrite<'_>,
    before: &StoredRun,
    takeover: Option<Takeover>,
) -> Result<(), StoreError> {
    let current = before.epoch;
    let fits = match takeover {
        Some(Takeover { epoch: next, .. }) => {
            next.0 == current.0 + 1 && (write.epoch == current || write.epoch == next)
        }
        None => write.epoch == current,
    };
    if !fits {
        return Err(StoreError::StaleEpoch {
            run: write.run,
            ours: write.epoch,
            current,
        });
    }
    match write.expected_last_seq {
        Some(expected) if expected != before.last_seq => Err(StoreError::StaleHistory {
            run: write.run,
            expected,
            current: before.last_seq,
        }),
        _ => Ok(()),
    }
}
