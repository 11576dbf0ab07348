//! The state of each node of each run: a cache for lists and windows that can be rebuilt from the
//! history.

use std::collections::HashMap;

use baton_model::run::{BudgetUsage, Event, NodeMarks, NodeRun, WaitingFor};
use baton_model::{ArtifactId, Attempt, NodeId, NodeState, Run, RunId, SessionId, Timestamp};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, query_rows};
use crate::{RecordedEvent, Store, StoreError, run_events};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE node_states (
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    node BLOB NOT NULL,
    position INTEGER NOT NULL,
    word TEXT NOT NULL,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    session BLOB,
    own_failures INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    stale INTEGER NOT NULL,
    unverified INTEGER NOT NULL,
    artifact BLOB,
    PRIMARY KEY (run, node)
) STRICT, WITHOUT ROWID;
";

// A partial index of the few nodes that need a person. The other nodes change far more often and
// don't have to update it.
pub(crate) const MIGRATION_2: &str = "
ALTER TABLE node_states ADD COLUMN asked_at INTEGER;
CREATE INDEX node_states_asking ON node_states (run, asked_at) WHERE asked_at IS NOT NULL;
UPDATE node_states SET asked_at = COALESCE(
    (SELECT MAX(at) FROM run_events WHERE run_events.run = node_states.run AND run_events.node = node_states.node), 0)
WHERE word = 'interrupted' OR (word = 'waiting' AND state ->> '$.for.kind' = 'person');
";

// Flags and budget accounts as JSON; NULL for most nodes.
pub(crate) const MIGRATION_4: &str = "
ALTER TABLE node_states ADD COLUMN marks TEXT;
";

// Number of the run event that last changed anything visible about the node; see
// `NodeStates::changed_since`.
pub(crate) const MIGRATION_6: &str = "
ALTER TABLE node_states ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
";

/// A node's state without its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeStatus {
    /// Waiting for its parents or its turn.
    Pending,
    /// Can't start any more.
    Blocked,
    /// Held back by something other than its parents.
    Waiting,
    /// A session is working on it.
    Running,
    /// The node finished its work.
    Done,
    /// The last attempt failed.
    Failed,
    /// The attempt was lost or stopped.
    Interrupted,
    /// Will not be executed.
    Skipped,
    /// Failed and was skipped because the plan says so. Stored as `skipped`; `statuses`
    /// distinguishes the two.
    FailedSkipped,
}

const ALL_STATUSES: [NodeStatus; 9] = [
    NodeStatus::Pending,
    NodeStatus::Blocked,
    NodeStatus::Waiting,
    NodeStatus::Running,
    NodeStatus::Done,
    NodeStatus::Failed,
    NodeStatus::Interrupted,
    NodeStatus::Skipped,
    NodeStatus::FailedSkipped,
];

impl NodeStatus {
    fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Blocked => "blocked",
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Skipped => "skipped",
            Self::FailedSkipped => "failed_skipped",
        }
    }

    /// The value stored in the column.
    fn column_status(self) -> Self {
        if self == Self::FailedSkipped {
            Self::Skipped
        } else {
            self
        }
    }

    /// Whether the node won't change any more without outside action.
    #[must_use]
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Done | Self::Skipped | Self::FailedSkipped)
    }
}

impl From<&NodeState> for NodeStatus {
    fn from(state: &NodeState) -> Self {
        match state {
            NodeState::Pending => Self::Pending,
            NodeState::Blocked { .. } => Self::Blocked,
            NodeState::Waiting { .. } => Self::Waiting,
            NodeState::Running => Self::Running,
            NodeState::Done { .. } => Self::Done,
            NodeState::Failed { .. } => Self::Failed,
            NodeState::Interrupted { .. } => Self::Interrupted,
            NodeState::Skipped { .. } if state.is_tolerated_failure() => Self::FailedSkipped,
            NodeState::Skipped { .. } => Self::Skipped,
        }
    }
}

impl ToSql for NodeStatus {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.column_status().as_str().into())
    }
}

impl FromSql for NodeStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        ALL_STATUSES
            .into_iter()
            .find(|word| word.as_str() == text)
            .ok_or(FromSqlError::InvalidType)
    }
}

/// The state of one node in one run.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NodeStateRow {
    pub node: NodeId,
    pub state: NodeState,
    /// The latest attempt; 0 before the first one.
    pub attempt: Attempt,
    /// Session of the latest attempt.
    pub session: Option<SessionId>,
    /// Failures caused by the node itself since it was last reset.
    pub own_failures: u32,
    /// When the latest attempt started.
    pub started_at: Option<Timestamp>,
    /// When the node last stopped working.
    pub ended_at: Option<Timestamp>,
    /// A parent ran again after this node was done.
    pub stale: bool,
    /// The agent's claims and the evidence differ.
    pub unverified: bool,
    /// Flags and budget accounts.
    pub marks: NodeMarks,
    /// The latest handoff that any of its attempts produced.
    pub artifact: Option<ArtifactId>,
}

/// Handle for the table `node_states`; see [`Store::node_states`].
#[derive(Clone, Copy)]
pub struct NodeStates<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `node_states`.
    #[must_use]
    pub fn node_states(&self) -> NodeStates<'_> {
        NodeStates { store: self }
    }
}

impl NodeStates<'_> {
    /// The nodes of a run in plan order.
    pub fn list(&self, run: RunId) -> Result<Vec<NodeStateRow>, StoreError> {
        let query = "SELECT * FROM node_states WHERE run = ?1 ORDER BY position";
        self.store
            .read(|connection| query_rows(connection, query, [run.0], |row| read(run, row)))
    }

    /// Nodes of a run that changed after its event `seq`, in plan order; all nodes for 0. Live
    /// nodes are always included, because a session changes without events.
    pub fn changed_since(&self, run: RunId, seq: u64) -> Result<Vec<NodeStateRow>, StoreError> {
        let query = format!(
            "SELECT * FROM node_states WHERE run = ?1 AND {CHANGED_SINCE} ORDER BY position"
        );
        self.store.read(|connection| {
            query_rows(connection, &query, params![run.0, seq], |row| {
                read(run, row)
            })
        })
    }

    /// Returns how many nodes of a run failed and were skipped because the plan says so.
    pub fn skipped_failures(&self, run: RunId) -> Result<u32, StoreError> {
        let query = "SELECT COUNT(*) FROM node_states
            WHERE run = ?1 AND word = 'skipped' AND state ->> '$.reason.kind' = 'after_failure'";
        self.store.read(|connection| {
            Ok(connection
                .prepare_cached(query)?
                .query_row([run.0], |row| row.get(0))?)
        })
    }

    /// Returns one node of a run.
    pub fn get(&self, run: RunId, node: NodeId) -> Result<Option<NodeStateRow>, StoreError> {
        let query = "SELECT * FROM node_states WHERE run = ?1 AND node = ?2";
        let found = self.store.read(|connection| {
            query_rows(connection, query, params![run.0, node.0], |row| {
                read(run, row)
            })
        })?;
        Ok(found.into_iter().next())
    }

    /// Returns what all nodes of a run spent, as far as a budget counts it.
    pub fn spent(&self, run: RunId) -> Result<BudgetUsage, StoreError> {
        let query =
            "SELECT COALESCE(SUM(marks ->> '$.spent.tokens'), 0), COALESCE(SUM(marks ->> '$.spent.costMicros'), 0)
            FROM node_states WHERE run = ?1 AND marks IS NOT NULL";
        let sum = |row: &Row<'_>| {
            Ok(BudgetUsage {
                tokens: row.get(0)?,
                cost_micros: row.get(1)?,
            })
        };
        self.store
            .read(|connection| Ok(connection.prepare_cached(query)?.query_row([run.0], sum)?))
    }

    /// The statuses of a run's nodes, in plan order.
    pub fn statuses(&self, run: RunId) -> Result<Vec<NodeStatus>, StoreError> {
        self.store.read(|connection| statuses(connection, run))
    }
}

/// SQL condition for nodes that changed after the event `?2`.
pub(crate) const CHANGED_SINCE: &str = "(?2 = 0 OR changed > ?2 OR word IN ('running', 'waiting'))";

pub(crate) fn read(run: RunId, row: &Row<'_>) -> Result<NodeStateRow, StoreError> {
    let node = NodeId(row.get("node")?);
    let fields = Fields::new(row, "node_states", format_args!("{run}, node {node}"));
    Ok(NodeStateRow {
        node,
        state: fields.json("state")?,
        attempt: Attempt(fields.get("attempt")?),
        session: fields.get::<Option<_>>("session")?.map(SessionId),
        own_failures: fields.get("own_failures")?,
        started_at: fields.get::<Option<_>>("started_at")?.map(Timestamp),
        ended_at: fields.get::<Option<_>>("ended_at")?.map(Timestamp),
        stale: fields.get("stale")?,
        unverified: fields.get("unverified")?,
        marks: fields.optional_json("marks")?.unwrap_or_default(),
        artifact: fields.get::<Option<_>>("artifact")?.map(ArtifactId),
    })
}

/// The statuses of a run's nodes, in plan order.
pub(crate) fn statuses(connection: &Connection, run: RunId) -> Result<Vec<NodeStatus>, StoreError> {
    let query = "SELECT CASE WHEN word = 'skipped' AND state ->> '$.reason.kind' = 'after_failure'
            THEN 'failed_skipped' ELSE word END AS word
        FROM node_states WHERE run = ?1 ORDER BY position";
    query_rows(connection, query, [run.0], |row| {
        Fields::new(row, "node_states", run).get("word")
    })
}

/// Inserts the nodes of a new run in their state after `records`.
pub(crate) fn insert(
    connection: &Connection,
    run: &Run,
    records: &[RecordedEvent],
) -> Result<(), StoreError> {
    let touched = records
        .iter()
        .filter_map(|record| Some((record.event.node()?, record.at)))
        .collect();
    insert_all(connection, run, &HashMap::new(), &touched, 0)
}

pub(crate) fn rebuild(connection: &Connection, run: &Run) -> Result<(), StoreError> {
    let mut artifacts = HashMap::new();
    let mut touched = HashMap::new();
    let history = run_events::history(connection, run.id())?;
    // Every node counts as changed once, even if no event follows.
    let changed = history.len() as u64 + 1;
    for (at, event) in history {
        artifacts.extend(handoff_of(&event));
        touched.extend(event.node().map(|node| (node, at)));
    }
    connection
        .prepare_cached("DELETE FROM node_states WHERE run = ?1")?
        .execute([run.id().0])?;
    insert_all(connection, run, &artifacts, &touched, changed)
}

fn insert_all(
    connection: &Connection,
    run: &Run,
    artifacts: &HashMap<NodeId, ArtifactId>,
    touched: &HashMap<NodeId, Timestamp>,
    changed: u64,
) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO node_states (run, node, position, word, state, attempt, session, own_failures, started_at,
             ended_at, stale, unverified, artifact, asked_at, marks, changed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    )?;
    for (position, (definition, node)) in run.nodes().enumerate() {
        insert.execute(params![
            run.id().0,
            definition.id.0,
            position,
            NodeStatus::from(&node.state),
            json(&node.state)?,
            node.attempt.0,
            node.session.map(|session| session.0),
            node.own_failures,
            node.started_at.map(|at| at.0),
            node.ended_at.map(|at| at.0),
            node.stale,
            node.unverified,
            artifacts.get(&definition.id).map(|artifact| artifact.0),
            needs_person(&node.state).then(|| touched.get(&definition.id).map_or(0, |at| at.0)),
            marks(node)?,
            changed,
        ])?;
    }
    Ok(())
}

/// Whether the node waits for a person's decision.
fn needs_person(state: &NodeState) -> bool {
    match state {
        NodeState::Interrupted { .. } => true,
        NodeState::Waiting { what } => !matches!(
            what,
            WaitingFor::Slot | WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. }
        ),
        _ => false,
    }
}

/// Updates `nodes` after the events up to `seq`, at time `at`. A node that keeps waiting for the
/// same answer keeps its start time.
pub(crate) fn update(
    connection: &Connection,
    run: RunId,
    nodes: &[(NodeId, &NodeRun)],
    (seq, at): (u64, Timestamp),
) -> Result<(), StoreError> {
    let mut update = connection.prepare_cached(
        "UPDATE node_states SET word = ?3, state = ?4, attempt = ?5, session = ?6, own_failures = ?7, started_at = ?8,
             ended_at = ?9, stale = ?10, unverified = ?11,
             asked_at = IIF(?12 IS NOT NULL AND state = ?4, COALESCE(asked_at, ?12), ?12), marks = ?13,
             changed = ?14
         WHERE run = ?1 AND node = ?2",
    )?;
    for (id, node) in nodes {
        update.execute(params![
            run.0,
            id.0,
            NodeStatus::from(&node.state),
            json(&node.state)?,
            node.attempt.0,
            node.session.map(|session| session.0),
            node.own_failures,
            node.started_at.map(|at| at.0),
            node.ended_at.map(|at| at.0),
            node.stale,
            node.unverified,
            needs_person(&node.state).then_some(at.0),
            marks(node)?,
            seq,
        ])?;
    }
    Ok(())
}

/// Whether a node waits for a person and no other node works or waits for something else.
pub(crate) fn all_wait_for_person(connection: &Connection, run: RunId) -> Result<bool, StoreError> {
    let query = "SELECT EXISTS (SELECT 1 FROM node_states WHERE run = ?1 AND asked_at IS NOT NULL)
        AND NOT EXISTS (
            SELECT 1 FROM node_states WHERE run = ?1 AND asked_at IS NULL AND word IN ('running', 'waiting')
        )";
    Ok(connection
        .prepare_cached(query)?
        .query_row([run.0], |row| row.get(0))?)
}

fn marks(node: &NodeRun) -> Result<Option<String>, StoreError> {
    let marks = node.marks();
    if marks == NodeMarks::default() {
        Ok(None)
    } else {
        json(&marks).map(Some)
    }
}

/// Records changes by the event `seq` that aren't part of the node's state: its handoff and what it
/// receives.
pub(crate) fn apply_event(
    connection: &Connection,
    run: RunId,
    seq: u64,
    event: &Event,
) -> Result<(), StoreError> {
    if let Some((node, artifact)) = handoff_of(event) {
        connection
            .prepare_cached(
                "UPDATE node_states SET artifact = ?3, changed = ?4 WHERE run = ?1 AND node = ?2",
            )?
            .execute(params![run.0, node.0, artifact.0, seq])?;
    }
    if let Event::HandoffPinned { child, .. } | Event::HandoffUnpinned { child, .. } = event {
        connection
            .prepare_cached("UPDATE node_states SET changed = ?3 WHERE run = ?1 AND node = ?2")?
            .execute(params![run.0, child.0, seq])?;
    }
    Ok(())
}

/// Marks the node of a session as changed although no event was added.
pub(crate) fn mark_changed(connection: &Connection, session: SessionId) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE node_states SET changed = (SELECT last_seq + 1 FROM runs WHERE id = node_states.run)
             WHERE (run, node) = (SELECT run, node FROM sessions WHERE id = ?1)",
        )?
        .execute([session.0])?;
    Ok(())
}

fn handoff_of(event: &Event) -> Option<(NodeId, ArtifactId)> {
    match event {
        Event::NodeEnded { node, artifact, .. }
        | Event::NodeMarkedDone { node, artifact }
        | Event::NodeInherited { node, artifact, .. } => artifact.map(|artifact| (*node, artifact)),
        Event::InputGiven { node, artifact, .. } => artifact.map(|artifact| (*node, artifact)),
        Event::ArtifactEdited { node, artifact } | Event::NodePinned { node, artifact, .. } => {
            Some((*node, *artifact))
        }
        _ => None,
    }
}
