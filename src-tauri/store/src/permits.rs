//! Resources that all runs on a machine share: named locks and the session slots of agents.
//!
//! A node acquires everything it needs or nothing, in one transaction before its attempt is
//! reserved. The append that ends the attempt releases everything. Whether a silent holder is still
//! alive is for the caller to decide; its row is removed only while the same executor still owns
//! its run.

use baton_model::run::{Event, NodeRun, WaitingFor};
use baton_model::{ExecutorId, NodeId, NodeState, RunId, SessionId, Timestamp};
use rusqlite::{Connection, params};

use crate::column::{Fields, query_optional, query_rows};
use crate::store::WriteTransaction;
use crate::{Change, RecordedEvent, Store, StoreError};

pub(crate) const MIGRATION_7: &str = "
CREATE TABLE permits (
    key TEXT NOT NULL,
    run BLOB NOT NULL,
    node BLOB NOT NULL,
    title TEXT NOT NULL,
    executor BLOB NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (key, run, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX permits_of_run ON permits (run, node);
CREATE TABLE permit_waits (
    key TEXT NOT NULL,
    run BLOB NOT NULL,
    node BLOB NOT NULL,
    executor BLOB NOT NULL,
    priority INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (key, run, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX permit_waits_of_run ON permit_waits (run, node);
";

/// Prefix of the keys that stand for the session slots of an agent.
const AGENT_KEY_PREFIX: &str = "agent:";

/// A resource that a limited number of nodes may hold at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// Unique within the data directory.
    pub key: String,
    /// How many nodes may hold it: 1 for a lock.
    pub capacity: u32,
}

impl Permit {
    /// Session slots of an agent, of which there are `limit`.
    #[must_use]
    pub fn of_agent(agent: &str, limit: u32) -> Self {
        Self {
            key: format!("{AGENT_KEY_PREFIX}{agent}"),
            capacity: limit.max(1),
        }
    }
}

/// A node's request for permits.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PermitClaim<'a> {
    pub run: RunId,
    pub node: NodeId,
    /// Shown to nodes that wait for this one.
    pub title: &'a str,
    pub executor: ExecutorId,
    /// The nodes for which its run was started. Their permits count as its own.
    pub ancestors: &'a [(RunId, NodeId)],
    pub permits: &'a [Permit],
    /// The plan's priority: higher goes first.
    pub priority: u8,
    /// Since when the node waits: at equal priority, the longest wait goes first.
    pub since: Timestamp,
}

/// A holder of a permit, or a node waiting for one.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermitContender {
    pub key: String,
    pub run: RunId,
    pub node: NodeId,
    /// Empty for a waiting node.
    pub title: String,
    /// The run's executor, or the executor that acquired the permit for an attempt that isn't
    /// stored yet.
    pub executor: ExecutorId,
    /// True for a holder, false for a waiting node.
    pub holds: bool,
    /// Session of its stored attempt, if that may be alive.
    pub session: Option<SessionId>,
    /// Its attempt is known to have started.
    pub has_started: bool,
}

/// The result of acquiring permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermitAnswer {
    /// The node now holds all permits.
    Granted,
    /// The node holds none of the permits and is queued.
    Refused {
        /// The key of the first permit that is not available.
        key: String,
        /// The holder; `None` if other nodes are ahead in the queue.
        holder: Option<PermitContender>,
    },
}

/// Handle for the tables `permits` and `permit_waits`; see [`Store::permits`].
#[derive(Clone, Copy)]
pub struct Permits<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the tables `permits` and `permit_waits`.
    #[must_use]
    pub fn permits(&self) -> Permits<'_> {
        Permits { store: self }
    }
}

impl Permits<'_> {
    /// All holders of `keys` and nodes waiting for them, except the node `but`.
    pub fn contenders(
        &self,
        keys: &[&str],
        but: (RunId, NodeId),
    ) -> Result<Vec<PermitContender>, StoreError> {
        self.store.read(|connection| {
            let mut found = Vec::new();
            for key in keys {
                found.extend(holders(connection, key)?);
                found.extend(waiters(connection, key)?);
            }
            found.retain(|contender| (contender.run, contender.node) != but);
            Ok(found)
        })
    }

    /// Whether a node would get everything it needs. Permits and queue places of `gone` count as
    /// free.
    pub fn has_room(
        &self,
        request: &PermitClaim<'_>,
        gone: &[PermitContender],
    ) -> Result<bool, StoreError> {
        self.store.read(|connection| {
            Ok(check_availability(connection, request, gone)? == PermitAnswer::Granted)
        })
    }

    /// Acquires a slot for a child session after the previous one ended. Permits that the node
    /// holds for other agents are released first, so a waiting node blocks no other. `None` if
    /// `session` is no longer active or another executor owns it.
    pub fn acquire_for_child_session(
        &self,
        session: SessionId,
        request: &PermitClaim<'_>,
        gone: &[PermitContender],
    ) -> Result<Option<PermitAnswer>, StoreError> {
        self.store.write_relaxed(|writing| {
            if !owns_session(writing.tx, session, request)? {
                return Ok(None);
            }
            if release_other_agents(writing.tx, request)? > 0 {
                notify_waiters(writing, request.run)?;
            }
            acquire(writing, request, gone).map(Some)
        })
    }

    /// Releases the agent slots of a node and its place in the queue. Its locks stay.
    pub fn release_agent_permits(
        &self,
        run: RunId,
        node: NodeId,
        executor: ExecutorId,
    ) -> Result<(), StoreError> {
        self.store.write_relaxed(|writing| {
            let delete = "DELETE FROM permits WHERE run = ?1 AND node = ?2 AND executor = ?3 AND key LIKE 'agent:%'";
            writing.tx.prepare_cached(delete)?.execute(params![run.0, node.0, executor.0])?;
            dequeue(writing.tx, run, node)?;
            notify_waiters(writing, run)
        })
    }

    /// Acquires everything a node needs, or queues it. What `gone` hold or wait for is removed
    /// first.
    ///
    /// Not synced to disk: no session that holds permits survives a power cut.
    pub fn acquire(
        &self,
        request: &PermitClaim<'_>,
        gone: &[PermitContender],
    ) -> Result<PermitAnswer, StoreError> {
        self.store
            .write_relaxed(|writing| acquire(writing, request, gone))
    }

    /// Whether a node holds any permit.
    pub fn has_permits(&self, run: RunId, node: NodeId) -> Result<bool, StoreError> {
        let query = "SELECT 1 FROM permits WHERE run = ?1 AND node = ?2";
        self.store.read(|connection| {
            Ok(query_optional(connection, query, params![run.0, node.0], |_| Ok(()))?.is_some())
        })
    }

    /// Releases what `executor` acquired for nodes whose attempts were never stored.
    pub fn release(
        &self,
        run: RunId,
        nodes: &[NodeId],
        executor: ExecutorId,
    ) -> Result<(), StoreError> {
        self.store.write_relaxed(|writing| {
            let mut released = 0;
            for node in nodes {
                let delete = "DELETE FROM permits WHERE run = ?1 AND node = ?2 AND executor = ?3";
                released += writing
                    .tx
                    .prepare_cached(delete)?
                    .execute(params![run.0, node.0, executor.0])?;
            }
            if released > 0 {
                notify_waiters(writing, run)
            } else {
                Ok(())
            }
        })
    }

    /// Removes the nodes of a run from the queue, except `waiting`.
    pub fn cancel_waits(&self, run: RunId, waiting: &[NodeId]) -> Result<(), StoreError> {
        self.store.write_relaxed(|writing| {
            // A node that is working is queued for a child session.
            let query = format!(
                "SELECT DISTINCT node FROM permit_waits WHERE run = ?1
                 AND node NOT IN (SELECT node FROM node_states WHERE run = ?1 AND {HAS_LIVE_ATTEMPT})"
            );
            let in_line = query_rows(writing.tx, &query, [run.0], |row| Ok(NodeId(row.get(0)?)))?;
            let mut gone = false;
            for node in in_line.into_iter().filter(|node| !waiting.contains(node)) {
                dequeue(writing.tx, run, node)?;
                gone = true;
            }
            if gone { notify_waiters(writing, run) } else { Ok(()) }
        })
    }
}

/// Applies events appended to a run; `next` is the new executor if they take the run over. Nodes
/// that stopped working lose their permits.
pub(crate) fn apply_events(
    writing: &mut WriteTransaction<'_, '_>,
    run: RunId,
    nodes: &[(NodeId, &NodeRun)],
    records: &[RecordedEvent],
    next: Option<ExecutorId>,
) -> Result<(), StoreError> {
    let connection = writing.tx;
    if query_optional(
        connection,
        "SELECT 1 FROM permits WHERE run = ?1 LIMIT 1",
        [run.0],
        |_| Ok(()),
    )?
    .is_none()
    {
        return Ok(());
    }
    let mut released = 0;
    if let Some(next) = next {
        // Permits of the previous executor whose attempts were never stored.
        let idle = format!(
            "DELETE FROM permits WHERE run = ?1
             AND node NOT IN (SELECT node FROM node_states WHERE run = ?1 AND {HAS_LIVE_ATTEMPT})"
        );
        released += connection.prepare_cached(&idle)?.execute([run.0])?;
        // The previous executor may wake up and release what it acquired in vain. That must not
        // release permits of live attempts.
        let owner = "UPDATE permits SET executor = ?2 WHERE run = ?1";
        connection
            .prepare_cached(owner)?
            .execute(params![run.0, next.0])?;
    }
    for (node, _) in nodes
        .iter()
        .filter(|(_, node)| !has_live_attempt(&node.state))
    {
        released += release_node(connection, run, *node)?;
    }
    for record in records {
        if let Event::NodeAssigned { node, choice, .. } = &record.event {
            let others = "DELETE FROM permits WHERE run = ?1 AND node = ?2 AND key LIKE 'agent:%' AND key <> ?3";
            let own = format!("{AGENT_KEY_PREFIX}{}", choice.agent);
            released += connection
                .prepare_cached(others)?
                .execute(params![run.0, node.0, own])?;
        }
    }
    if released > 0 {
        notify_waiters(writing, run)
    } else {
        Ok(())
    }
}

/// Whether an attempt is reserved or running.
fn has_live_attempt(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Running
            | NodeState::Waiting {
                what: WaitingFor::Slot | WaitingFor::Person { .. }
            }
    )
}

/// [`has_live_attempt`] as a condition on `node_states`.
const HAS_LIVE_ATTEMPT: &str = "(node_states.word = 'running'
    OR node_states.word = 'waiting' AND node_states.state ->> '$.for.kind' IN ('slot', 'person'))";

fn holders(connection: &Connection, key: &str) -> Result<Vec<PermitContender>, StoreError> {
    let query = format!(
        "SELECT permits.run, permits.node, permits.title, IIF({HAS_LIVE_ATTEMPT}, runs.executor, permits.executor) AS executor,
             IIF({HAS_LIVE_ATTEMPT}, node_states.session, NULL) AS session,
             COALESCE(node_states.word <> 'waiting' OR node_states.started_at IS NOT NULL, 0) AS has_started
         FROM permits LEFT JOIN runs ON runs.id = permits.run
         LEFT JOIN node_states ON node_states.run = permits.run AND node_states.node = permits.node
         WHERE key = ?1 ORDER BY permits.since"
    );
    query_rows(connection, &query, [key], |row| {
        let fields = Fields::new(row, "permits", key);
        Ok(PermitContender {
            key: key.to_owned(),
            run: RunId(fields.get("run")?),
            node: NodeId(fields.get("node")?),
            title: fields.get("title")?,
            executor: ExecutorId(fields.get("executor")?),
            holds: true,
            session: fields.get::<Option<_>>("session")?.map(SessionId),
            has_started: fields.get("has_started")?,
        })
    })
}

/// Waiting nodes whose executor still owns their run. Others no longer wait.
fn waiters(connection: &Connection, key: &str) -> Result<Vec<PermitContender>, StoreError> {
    let query = "SELECT permit_waits.run, permit_waits.node, permit_waits.executor
         FROM permit_waits JOIN runs ON runs.id = permit_waits.run
         WHERE key = ?1 AND runs.executor = permit_waits.executor";
    query_rows(connection, query, [key], |row| {
        let fields = Fields::new(row, "permit_waits", key);
        Ok(PermitContender {
            key: key.to_owned(),
            run: RunId(fields.get("run")?),
            node: NodeId(fields.get("node")?),
            title: String::new(),
            executor: ExecutorId(fields.get("executor")?),
            holds: false,
            session: None,
            has_started: false,
        })
    })
}

fn acquire(
    writing: &mut WriteTransaction<'_, '_>,
    request: &PermitClaim<'_>,
    gone: &[PermitContender],
) -> Result<PermitAnswer, StoreError> {
    for contender in gone {
        evict(writing.tx, contender)?;
    }
    if !gone.is_empty() {
        notify_waiters(writing, request.run)?;
    }
    let answer = check_availability(writing.tx, request, &[])?;
    // The node may need different permits than when it was queued.
    dequeue(writing.tx, request.run, request.node)?;
    match &answer {
        PermitAnswer::Granted => insert_permits(writing.tx, request)?,
        PermitAnswer::Refused { .. } => enqueue(writing.tx, request)?,
    }
    Ok(answer)
}

/// Whether the claim's executor still owns the run and `session` is working on the node.
fn owns_session(
    connection: &Connection,
    session: SessionId,
    request: &PermitClaim<'_>,
) -> Result<bool, StoreError> {
    let query = format!(
        "SELECT 1 FROM node_states JOIN runs ON runs.id = node_states.run
         WHERE node_states.run = ?1 AND node = ?2 AND node_states.session = ?3 AND runs.executor = ?4 AND {HAS_LIVE_ATTEMPT}"
    );
    let parameters = params![request.run.0, request.node.0, session.0, request.executor.0];
    Ok(query_optional(connection, &query, parameters, |_| Ok(()))?.is_some())
}

/// Releases agent slots of a node that the claim doesn't include.
fn release_other_agents(
    connection: &Connection,
    request: &PermitClaim<'_>,
) -> Result<usize, StoreError> {
    let query = "SELECT key FROM permits WHERE run = ?1 AND node = ?2 AND key LIKE 'agent:%'";
    let (run, node) = (request.run.0, request.node.0);
    let held: Vec<String> =
        query_rows(connection, query, params![run, node], |row| Ok(row.get(0)?))?;
    let mut delete = connection
        .prepare_cached("DELETE FROM permits WHERE key = ?1 AND run = ?2 AND node = ?3")?;
    let mut dropped = 0;
    for key in held
        .iter()
        .filter(|key| !request.permits.iter().any(|permit| permit.key == **key))
    {
        dropped += delete.execute(params![key, run, node])?;
    }
    Ok(dropped)
}

/// Ignores what `gone` hold or wait for.
fn check_availability(
    connection: &Connection,
    request: &PermitClaim<'_>,
    gone: &[PermitContender],
) -> Result<PermitAnswer, StoreError> {
    let (run, node) = (request.run, request.node);
    for permit in request.permits {
        let mut others = holders(connection, &permit.key)?;
        if others
            .iter()
            .any(|holder| (holder.run, holder.node) == (run, node))
        {
            continue;
        }
        others.retain(|holder| {
            !request.ancestors.contains(&(holder.run, holder.node)) && !gone.contains(holder)
        });
        let mut before = waiters_ahead(connection, &permit.key, request)?;
        let has_left = |waits: &(RunId, NodeId)| {
            gone.iter().any(|contender| {
                !contender.holds
                    && contender.key == permit.key
                    && (contender.run, contender.node) == *waits
            })
        };
        before.retain(|waits| !has_left(waits));
        let (held, capacity) = (others.len(), permit.capacity as usize);
        if held >= capacity {
            return Ok(PermitAnswer::Refused {
                key: permit.key.clone(),
                holder: others.into_iter().next(),
            });
        }
        if held + before.len() >= capacity {
            return Ok(PermitAnswer::Refused {
                key: permit.key.clone(),
                holder: None,
            });
        }
    }
    Ok(PermitAnswer::Granted)
}

/// Nodes of other runs that go first, because of a higher plan priority or a longer wait. The order
/// within one run is the run's own decision.
fn waiters_ahead(
    connection: &Connection,
    key: &str,
    request: &PermitClaim<'_>,
) -> Result<Vec<(RunId, NodeId)>, StoreError> {
    let query =
        "SELECT waits.run, waits.node FROM permit_waits AS waits JOIN runs ON runs.id = waits.run
         WHERE key = ?1 AND runs.executor = waits.executor AND waits.run <> ?2
             AND (waits.priority > ?4
                 OR waits.priority = ?4 AND (waits.since, waits.run, waits.node) < (?5, ?2, ?3))";
    let (run, node) = (request.run.0, request.node.0);
    let parameters = params![key, run, node, request.priority, request.since.0];
    query_rows(connection, query, parameters, |row| {
        Ok((RunId(row.get(0)?), NodeId(row.get(1)?)))
    })
}

fn insert_permits(connection: &Connection, request: &PermitClaim<'_>) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO permits (key, run, node, title, executor, since) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (key, run, node) DO UPDATE SET executor = excluded.executor
         WHERE executor IS NOT (SELECT executor FROM runs WHERE runs.id = permits.run)",
    )?;
    let PermitClaim {
        run,
        node,
        title,
        executor,
        since,
        ..
    } = request;
    for permit in request.permits {
        insert.execute(params![
            permit.key, run.0, node.0, title, executor.0, since.0
        ])?;
    }
    Ok(())
}

fn enqueue(connection: &Connection, request: &PermitClaim<'_>) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO permit_waits (key, run, node, executor, priority, since)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let PermitClaim {
        run,
        node,
        executor,
        priority,
        since,
        ..
    } = request;
    for permit in request.permits {
        insert.execute(params![
            permit.key, run.0, node.0, executor.0, priority, since.0
        ])?;
    }
    Ok(())
}

fn dequeue(connection: &Connection, run: RunId, node: NodeId) -> Result<(), StoreError> {
    connection
        .prepare_cached("DELETE FROM permit_waits WHERE run = ?1 AND node = ?2")?
        .execute(params![run.0, node.0])?;
    Ok(())
}

fn release_node(connection: &Connection, run: RunId, node: NodeId) -> Result<usize, StoreError> {
    let delete = "DELETE FROM permits WHERE run = ?1 AND node = ?2";
    Ok(connection
        .prepare_cached(delete)?
        .execute(params![run.0, node.0])?)
}

/// Removes what a dead contender holds or waits for, unless any of it has changed since.
fn evict(connection: &Connection, contender: &PermitContender) -> Result<(), StoreError> {
    let now = if contender.holds {
        holders(connection, &contender.key)?
    } else {
        waiters(connection, &contender.key)?
    };
    if now.contains(contender) {
        let table = if contender.holds {
            "permits"
        } else {
            "permit_waits"
        };
        // Removes everything: an executor that resumes its run must find all of its permits or
        // none.
        let delete = format!("DELETE FROM {table} WHERE run = ?1 AND node = ?2");
        connection
            .prepare_cached(&delete)?
            .execute(params![contender.run.0, contender.node.0])?;
    }
    Ok(())
}

/// Notifies waiting nodes, if there are any.
fn notify_waiters(writing: &mut WriteTransaction<'_, '_>, run: RunId) -> Result<(), StoreError> {
    let waiting = query_optional(writing.tx, "SELECT 1 FROM permit_waits LIMIT 1", [], |_| {
        Ok(())
    })?
    .is_some();
    if waiting {
        writing.changes.push(Change::PermitsFreed { run });
    }
    Ok(())
}
