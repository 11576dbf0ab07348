//! What an executor writes about a run: events, and in the same transaction everything that follows from them.
//!
//! This is the hot path: two or three such writes a node. Its statements are prepared once and each touches
//! rows by their key.

use baton_model::run::{Event, NodeRun};
use baton_model::{Epoch, ExecutorId, NodeId, Run, RunId, RunState, Timestamp};
use rusqlite::{Connection, params};

use crate::column::{json, missing, one};
use crate::store::Writing;
use crate::{
    Actor, Change, NewArtifact, NewEvidence, NewSession, ParentNode, Recorded, Runs, StoreError,
    artifacts, attempts, evidence, grants, node_states, permits, pins, run_events, runs, sessions,
    takeovers,
};

/// A run to be stored, after its first step.
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    /// The run as it is after `records`.
    pub run: &'a Run,
    /// The version of its plan.
    pub version: u32,
    /// Who executes it.
    pub executor: ExecutorId,
    /// The node of another run for which it stands.
    pub parent: Option<ParentNode>,
    /// Who asked for it.
    pub actor: &'a Actor,
    /// When.
    pub at: Timestamp,
    /// Its first events; the first is [`Event::Started`].
    pub records: &'a [Recorded],
    /// Sessions that belong to attempts reserved by `records`.
    pub sessions: &'a [NewSession],
}

/// New events of a run with what follows from them.
#[derive(Debug, Clone, Copy)]
pub struct RunWrite<'a> {
    /// The run.
    pub run: RunId,
    /// The writer's epoch. A write that holds [`Event::TakenOver`] may carry the epoch before or after it.
    pub epoch: Epoch,
    /// The last event that the writer knows; `None` when it does not care.
    pub expected_last_seq: Option<u64>,
    /// The events, in order. The rows of attempts are derived from them.
    pub records: &'a [Recorded],
    /// The state of the run after them.
    pub state: &'a RunState,
    /// The nodes that they changed, as they are after them.
    pub nodes: &'a [(NodeId, &'a NodeRun)],
    /// Handoffs that the events name.
    pub artifacts: &'a [NewArtifact],
    /// What is known of attempts that the events end.
    pub evidence: &'a [NewEvidence],
    /// Sessions that belong to attempts reserved by the events.
    pub sessions: &'a [NewSession],
}

impl Runs<'_> {
    /// Stores a new run with its first events; returns the number of the last one.
    pub fn create(&self, new: &NewRun<'_>) -> Result<u64, StoreError> {
        self.store.write(|writing| {
            runs::insert(writing.tx, new)?;
            node_states::insert(writing.tx, new.run, new.records)?;
            let write = RunWrite {
                run: new.run.id(),
                epoch: new.run.epoch(),
                expected_last_seq: Some(0),
                records: new.records,
                state: new.run.state(),
                nodes: &[],
                artifacts: &[],
                evidence: &[],
                sessions: new.sessions,
            };
            append(writing, &write)
        })
    }

    /// Adds events to a run's history, with all that follows from them, in one transaction that is on disk when
    /// this returns. Returns the number of the last event.
    ///
    /// Refused with [`StoreError::EpochPassed`] when another executor has taken the run over, and with
    /// [`StoreError::HistoryMoved`] when the history is not where the writer thinks. A caller that gets any
    /// error must drop its run and read it again: whether a commit that failed late is on disk is not known.
    pub fn append(&self, write: &RunWrite<'_>) -> Result<u64, StoreError> {
        self.store.write(|writing| append(writing, write))
    }
}

/// What a run's row says before a write.
struct Before {
    plan: baton_model::PlanId,
    /// The version of the plan that it executes.
    version: u32,
    epoch: Epoch,
    last_seq: u64,
    /// The [`RunState`], as it is stored.
    state: String,
}

fn append(writing: &mut Writing<'_, '_>, write: &RunWrite<'_>) -> Result<u64, StoreError> {
    let connection = writing.tx;
    let before = before(connection, write.run)?;
    let takeover = takeover(write.records);
    check(write, &before, takeover)?;
    if let Some(Takeover {
        epoch,
        executor,
        at,
    }) = takeover
    {
        takeovers::follow(connection, write.run, epoch, executor, at)?;
    }
    let last = run_events::add(connection, write.run, before.last_seq, write.records)?;
    sessions::add(connection, write.run, write.sessions)?;
    artifacts::add(connection, write.run, write.artifacts)?;
    evidence::add(connection, write.run, write.evidence)?;
    let now = write.records.last().map(|record| record.at);
    node_states::update(
        connection,
        write.run,
        write.nodes,
        (last, now.unwrap_or(Timestamp(0))),
    )?;
    for record @ Recorded { at, event, .. } in write.records {
        pins::follow(connection, write.run, record)?;
        attempts::follow(connection, write.run, *at, event)?;
        node_states::follow(connection, write.run, last, event)?;
        runs::follow(connection, write.run, event)?;
        grants::follow(
            connection,
            (before.plan, before.version, write.run),
            *at,
            event,
        )?;
    }
    permits::follow(
        writing,
        write.run,
        write.nodes,
        write.records,
        takeover.map(|takeover| takeover.executor),
    )?;
    let state = json(write.state)?;
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
            "UPDATE runs SET state = ?2, last_seq = ?3, ended_at = CASE WHEN ?7 THEN ended_at ELSE ?4 END,
                 epoch = COALESCE(?5, epoch), executor = COALESCE(?6, executor) WHERE id = ?1",
        )?
        .execute(params![
            write.run.0,
            state,
            last,
            ended_at.map(|at| at.0),
            takeover.map(|takeover| takeover.epoch.0),
            takeover.map(|takeover| takeover.executor.0),
            keeps_its_end,
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

/// Whether a run that is over has been so since `event`. What follows it, such as another executor, or a new version of
/// the plan that came to nothing, is not a second end.
fn ends_the_run(event: &Event) -> bool {
    matches!(
        event,
        Event::Completed | Event::Failed { .. } | Event::Cancelled
    )
}

fn before(connection: &Connection, run: RunId) -> Result<Before, StoreError> {
    one(
        connection,
        "SELECT plan, epoch, last_seq, state, version FROM runs WHERE id = ?1",
        [run.0],
        |row| {
            Ok(Before {
                plan: baton_model::PlanId(row.get(0)?),
                epoch: Epoch(row.get(1)?),
                last_seq: row.get(2)?,
                state: row.get(3)?,
                version: row.get(4)?,
            })
        },
    )?
    .ok_or_else(|| missing("the run", run))
}

/// The takeover among the events of a write.
#[derive(Clone, Copy)]
struct Takeover {
    epoch: Epoch,
    executor: ExecutorId,
    at: Timestamp,
}

fn takeover(records: &[Recorded]) -> Option<Takeover> {
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

fn check(
    write: &RunWrite<'_>,
    before: &Before,
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
        return Err(StoreError::EpochPassed {
            run: write.run,
            ours: write.epoch,
            current,
        });
    }
    match write.expected_last_seq {
        Some(expected) if expected != before.last_seq => Err(StoreError::HistoryMoved {
            run: write.run,
            expected,
            current: before.last_seq,
        }),
        _ => Ok(()),
    }
}
