//! What happened to plans, over all of their runs, numbered in the order in which it was stored.
//!
//! An entry is an event of a run that a plan's history shows or that programs are told of, or an act
//! on the plan itself or on a proposal. The numbers grow and are never used again, so a reader that
//! stopped after an entry asks for later ones and misses none. It is told if some were deleted in
//! between.

use baton_model::run::NodeRun;
use baton_model::{EventName, HistoryType, NodeId, PlanId, ProposalId, RunId, Timestamp};
use rusqlite::{Connection, params};

use crate::column::{query_listing, query_optional};
use crate::plan_log_entry::{SELECT, read};
use crate::store::WriteTransaction;
use crate::{Actor, Listing, PlanLogEntry, RecordedEvent, Store, StoreError};

// The time, actor and content of a run's event are in `run_events`.
//
// Events from before this format have a type, but no name: nobody can have asked for them by number.
pub(crate) const MIGRATION_12: &str = "
CREATE TABLE plan_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    plan BLOB REFERENCES plans (id) ON DELETE CASCADE,
    proposal BLOB REFERENCES proposals (id) ON DELETE CASCADE,
    run BLOB REFERENCES runs (id) ON DELETE CASCADE,
    seq INTEGER,
    node BLOB,
    at INTEGER NOT NULL,
    actor TEXT,
    version INTEGER,
    type TEXT,
    name TEXT
) STRICT;
CREATE INDEX plan_log_of_plan ON plan_log (plan, id);
CREATE INDEX plan_log_of_run ON plan_log (run, id) WHERE run IS NOT NULL;
CREATE INDEX plan_log_of_proposal ON plan_log (proposal) WHERE proposal IS NOT NULL;
INSERT INTO plan_log (plan, run, seq, node, at, type)
SELECT plan, run, seq, node, at, type FROM (
    SELECT runs.plan, run_events.run, seq, node, at, CASE event ->> '$.event'
        WHEN 'started' THEN 'started'
        WHEN 'node_started' THEN 'step_started'
        WHEN 'node_ended' THEN CASE event ->> '$.outcome.kind'
            WHEN 'succeeded' THEN 'step_completed' WHEN 'failed' THEN 'step_failed' END
        WHEN 'node_marked_failed' THEN 'step_failed'
        WHEN 'node_marked_done' THEN 'step_completed'
        WHEN 'input_given' THEN 'step_completed'
        WHEN 'node_inherited' THEN 'step_completed'
        WHEN 'node_pinned' THEN 'step_completed'
        WHEN 'node_skipped' THEN 'step_skipped'
        WHEN 'node_left_out' THEN 'step_skipped'
        WHEN 'paused' THEN 'paused'
        WHEN 'resumed' THEN 'resumed'
        WHEN 'completed' THEN 'completed'
        WHEN 'failed' THEN 'failed'
        WHEN 'cancelled' THEN 'cancelled'
        WHEN 'stalled' THEN 'stalled'
        WHEN 'checkpoint_made' THEN 'checkpoint'
        WHEN 'rolled_back' THEN 'rollback'
        WHEN 'taken_over' THEN 'takeover'
        WHEN 'node_held' THEN 'approval'
        WHEN 'node_released' THEN 'approval'
        WHEN 'node_asked' THEN 'approval'
        WHEN 'node_answered' THEN 'approval'
        WHEN 'input_asked' THEN 'approval'
        WHEN 'node_conflicted' THEN 'approval'
        WHEN 'merge_decided' THEN 'approval'
        WHEN 'granted' THEN 'approval'
        WHEN 'replan_begun' THEN 'replanning'
        WHEN 'replan_ended' THEN 'replanned'
    END AS type
    FROM run_events JOIN runs ON runs.id = run_events.run
    WHERE runs.planner = 0 AND json_valid(event)
) WHERE type IS NOT NULL ORDER BY at, run, seq;
CREATE TABLE plan_log_deleted (
    plan BLOB PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER plan_log_deletions AFTER DELETE ON plan_log
BEGIN
    INSERT INTO plan_log_deleted (plan, last) VALUES (COALESCE(OLD.plan, x''), OLD.id)
    ON CONFLICT (plan) DO UPDATE SET last = MAX(last, OLD.id);
END;
";

/// Selects entries of the log: those of the run, else those of the plan, else all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlanLogFilter {
    /// Only entries of this plan.
    pub plan: Option<PlanId>,
    /// Only entries of this run.
    pub run: Option<RunId>,
}

/// Handle for the table `plan_log`; see [`Store::plan_log`].
#[derive(Clone, Copy)]
pub struct PlanLog<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `plan_log`.
    #[must_use]
    pub fn plan_log(&self) -> PlanLog<'_> {
        PlanLog { store: self }
    }
}

impl PlanLog<'_> {
    /// At most `limit` entries of a plan's history before the entry `before`, latest first.
    /// Damaged ones count for the limit.
    pub fn history(
        &self,
        plan: PlanId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Listing<PlanLogEntry>, StoreError> {
        let query = format!(
            "{SELECT} WHERE plan_log.plan = ?1 AND type IS NOT NULL AND (?2 IS NULL OR plan_log.id < ?2)
             ORDER BY plan_log.id DESC LIMIT ?3"
        );
        self.store.read(|connection| {
            query_listing(connection, &query, params![plan.0, before, limit], read)
        })
    }

    /// At most `limit` named entries after the entry `after`, earliest first. Entries of deleted
    /// plans are left out. Damaged ones count for the limit.
    pub fn named_after(
        &self,
        filter: PlanLogFilter,
        after: u64,
        limit: u32,
    ) -> Result<Listing<PlanLogEntry>, StoreError> {
        // One text per filter, so that each is answered from its own index.
        let (condition, id) = match (filter.run, filter.plan) {
            (Some(run), _) => ("plan_log.run = ?2", Some(run.0)),
            (None, Some(plan)) => ("plan_log.plan = ?2", Some(plan.0)),
            (None, None) => ("?2 IS NULL", None),
        };
        let query = format!(
            "{SELECT} WHERE {condition} AND plan_log.id > ?1 AND name IS NOT NULL
                 AND (plan_log.plan IS NULL OR plan_log.plan NOT IN deleted_plans)
             ORDER BY plan_log.id LIMIT ?3"
        );
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        self.store
            .read(|connection| query_listing(connection, &query, params![after, id, limit], read))
    }

    /// Who submitted a plan for review last.
    pub fn last_submitter(&self, plan: PlanId) -> Result<Option<Actor>, StoreError> {
        let query = "SELECT actor FROM plan_log
            WHERE plan = ?1 AND type = 'proposed' AND proposal IS NULL ORDER BY id DESC LIMIT 1";
        self.store
            .read(|connection| query_optional(connection, query, [plan.0], |row| Ok(row.get(0)?)))
    }

    /// The number of the last entry; 0 if there has never been one.
    pub fn last(&self) -> Result<u64, StoreError> {
        let query = "SELECT seq FROM sqlite_sequence WHERE name = 'plan_log'";
        self.store.read(|connection| {
            Ok(query_optional(connection, query, [], |row| Ok(row.get(0)?))?.unwrap_or(0))
        })
    }

    /// Whether entries after `after` that match `filter` may have been deleted.
    pub fn has_gap(&self, filter: PlanLogFilter, after: u64) -> Result<bool, StoreError> {
        let query =
            "SELECT 1 FROM plan_log_deleted WHERE last > ?1 AND (?2 IS NULL OR plan = ?2) LIMIT 1";
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let parameters = params![after, filter.plan.map(|plan| plan.0)];
        self.store
            .read(|connection| query_optional(connection, query, parameters, |_| Ok(())))
            .map(|found| found.is_some())
    }
}

/// Tells readers that entries of a plan were hidden up to now: what they read past can be back.
pub(crate) fn mark_gap(connection: &Connection, plan: PlanId) -> Result<(), StoreError> {
    let query = "INSERT INTO plan_log_deleted (plan, last)
        VALUES (?1, COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'plan_log'), 0))
        ON CONFLICT (plan) DO UPDATE SET last = excluded.last";
    connection.prepare_cached(query)?.execute([plan.0])?;
    Ok(())
}

/// An act on a plan itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanAct<'a> {
    plan: PlanId,
    version: u32,
    history_type: HistoryType,
    actor: &'a Actor,
    at: Timestamp,
}

impl<'a> PlanAct<'a> {
    /// An act after which the plan has this version.
    pub(crate) fn new(
        (plan, version): (PlanId, u32),
        history_type: HistoryType,
        actor: &'a Actor,
        at: Timestamp,
    ) -> Self {
        Self {
            plan,
            version,
            history_type,
            actor,
            at,
        }
    }

    fn name(&self) -> Option<EventName> {
        Some(match self.history_type {
            HistoryType::Created => EventName::PlansCreated,
            HistoryType::Edited => EventName::PlansChanged,
            HistoryType::Proposed => EventName::PlansProposed,
            HistoryType::Approved => EventName::PlansApproved,
            HistoryType::Rejected => EventName::PlansRejected,
            HistoryType::Withdrawn => EventName::PlansWithdrawn,
            _ => return None,
        })
    }
}

/// Adds an act on a plan itself. Planners' own plans have none.
pub(crate) fn add(
    writing: &mut WriteTransaction<'_, '_>,
    act: &PlanAct<'_>,
) -> Result<(), StoreError> {
    let query = "INSERT INTO plan_log (plan, at, actor, version, type, name)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?1 NOT IN planning_plans";
    writing.tx.prepare_cached(query)?.execute(params![
        act.plan.0,
        act.at.0,
        act.actor,
        act.version,
        word(&act.history_type)?,
        act.name().map(EventName::as_str),
    ])?;
    Ok(())
}

/// An act on a proposal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProposalAct<'a> {
    pub(crate) proposal: ProposalId,
    /// The plan that it changes or became.
    pub(crate) plan: Option<PlanId>,
    pub(crate) history_type: Option<HistoryType>,
    pub(crate) name: Option<EventName>,
    pub(crate) actor: &'a Actor,
    pub(crate) at: Timestamp,
}

/// Adds an act on a proposal.
pub(crate) fn add_proposal_act(
    writing: &mut WriteTransaction<'_, '_>,
    act: &ProposalAct<'_>,
) -> Result<(), StoreError> {
    let query = "INSERT INTO plan_log (plan, proposal, at, actor, type, name)
        VALUES ((SELECT id FROM plans WHERE id = ?1), ?2, ?3, ?4, ?5, ?6)";
    writing.tx.prepare_cached(query)?.execute(params![
        act.plan.map(|plan| plan.0),
        act.proposal.0,
        act.at.0,
        act.actor,
        act.history_type.as_ref().map(word).transpose()?,
        act.name.map(EventName::as_str),
    ])?;
    Ok(())
}

/// Adds the events of a run of a plan, numbered after `last`. `nodes` are those that the events
/// changed, in their state afterwards.
pub(crate) fn add_events(
    connection: &Connection,
    (plan, run): (PlanId, RunId),
    last: u64,
    records: &[RecordedEvent],
    nodes: &[(NodeId, &NodeRun)],
) -> Result<(), StoreError> {
    for (seq, record) in (last + 1..).zip(records) {
        let node = record.event.node();
        let after = nodes
            .iter()
            .find(|(id, _)| Some(*id) == node)
            .map(|(_, run)| &run.state);
        let history_type = HistoryType::of(&record.event);
        let name = EventName::of(&record.event, after);
        if history_type.is_some() || name.is_some() {
            let entry = RunEntry {
                seq,
                node,
                at: record.at,
                history_type,
                name,
            };
            insert(connection, plan, run, &entry)?;
        }
    }
    Ok(())
}

/// Adds that a run of a plan waits for a person from its event `seq` on, or goes on.
pub(crate) fn add_wait(
    connection: &Connection,
    (plan, run): (PlanId, RunId),
    (seq, at): (u64, Timestamp),
    waits: bool,
) -> Result<(), StoreError> {
    let entry = RunEntry {
        seq,
        node: None,
        at,
        history_type: None,
        name: Some(if waits {
            EventName::PlanPaused
        } else {
            EventName::PlanResumed
        }),
    };
    insert(connection, plan, run, &entry)
}

struct RunEntry {
    seq: u64,
    node: Option<NodeId>,
    at: Timestamp,
    history_type: Option<HistoryType>,
    name: Option<EventName>,
}

fn insert(
    connection: &Connection,
    plan: PlanId,
    run: RunId,
    entry: &RunEntry,
) -> Result<(), StoreError> {
    let query = "INSERT INTO plan_log (plan, run, seq, node, at, type, name) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    connection.prepare_cached(query)?.execute(params![
        plan.0,
        run.0,
        entry.seq,
        entry.node.map(|node| node.0),
        entry.at.0,
        entry.history_type.as_ref().map(word).transpose()?,
        entry.name.map(EventName::as_str),
    ])?;
    Ok(())
}

/// The serialized name, without quotes.
fn word(history_type: &HistoryType) -> Result<String, StoreError> {
    Ok(crate::column::json(history_type)?
        .trim_matches('"')
        .to_owned())
}
