//! What the runs of a machine share, and who holds it: named locks, and room among the sessions of an agent.
//!
//! A node takes all that it needs, or nothing, in one transaction before its attempt is reserved; the append that takes
//! it out of work gives everything back. Whether a holder that says nothing any more still lives is for the caller to
//! judge; a row is only taken from it while the same executor has its run.

use baton_model::run::{Event, NodeRun, WaitingFor};
use baton_model::{ExecutorId, NodeId, NodeState, RunId, SessionId, Timestamp};
use rusqlite::{Connection, params};

use crate::column::{Fields, one, rows};
use crate::store::Writing;
use crate::{Change, Recorded, Store, StoreError};

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

/// What begins the keys that stand for the sessions of an agent.
const AGENT: &str = "agent:";

/// Something of which only so many nodes may have a part at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// What tells it from others on this data directory.
    pub key: String,
    /// How many nodes may hold it: 1 for a lock.
    pub capacity: u32,
}

impl Permit {
    /// The sessions of an agent, of which `limit` may live.
    #[must_use]
    pub fn of_agent(agent: &str, limit: u32) -> Self {
        Self {
            key: format!("{AGENT}{agent}"),
            capacity: limit.max(1),
        }
    }
}

/// A node that asks for permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PermitRequest<'a> {
    /// Its run.
    pub run: RunId,
    /// The node.
    pub node: NodeId,
    /// Its title, for those who have to wait for it.
    pub title: &'a str,
    /// Who executes the run.
    pub executor: ExecutorId,
    /// The nodes for which its run stands, whose permits count as its own.
    pub within: &'a [(RunId, NodeId)],
    /// What it needs.
    pub permits: &'a [Permit],
    /// Its plan's priority: higher ones go first.
    pub priority: u8,
    /// Since when it waits: of equal priority, whoever waits longest goes first.
    pub since: Timestamp,
}

/// Somebody who holds a permit, or waits for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rival {
    /// The permit.
    pub key: String,
    /// Its run.
    pub run: RunId,
    /// The node.
    pub node: NodeId,
    /// The node's title; empty for one that waits.
    pub title: String,
    /// Who answers for it: whoever executes the run, or whoever has taken it for an attempt that is not stored yet.
    pub executor: ExecutorId,
    /// Whether it holds the permit, or waits for it.
    pub holds: bool,
    /// The session of its attempt, as far as an attempt is stored that may live.
    pub session: Option<SessionId>,
    /// Its attempt is known to have started.
    pub has_started: bool,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermitAnswer {
    /// All of it is held now.
    Granted,
    /// Nothing of it is; the node waits in line.
    Refused {
        /// The permit that could not be had.
        key: String,
        /// Who holds it; `None` when others wait for longer.
        holder: Option<Rival>,
    },
}

/// The permits.
#[derive(Clone, Copy)]
pub struct Permits<'store> {
    store: &'store Store,
}

impl Store {
    /// The permits.
    #[must_use]
    pub fn permits(&self) -> Permits<'_> {
        Permits { store: self }
    }
}

impl Permits<'_> {
    /// Everybody who holds one of `keys` or waits for one, but the node itself.
    pub fn rivals(&self, keys: &[&str], but: (RunId, NodeId)) -> Result<Vec<Rival>, StoreError> {
        self.store.read(|connection| {
            let mut found = Vec::new();
            for key in keys {
                found.extend(holders(connection, key)?);
                found.extend(waiters(connection, key)?);
            }
            found.retain(|rival| (rival.run, rival.node) != but);
            Ok(found)
        })
    }

    /// Whether a node would be given all that it asks for. What `left` hold or wait for counts as free.
    pub fn has_room(
        &self,
        request: &PermitRequest<'_>,
        left: &[Rival],
    ) -> Result<bool, StoreError> {
        self.store
            .read(|connection| Ok(judge(connection, request, left)? == PermitAnswer::Granted))
    }

    /// Gives the node of a living session room for a session below its own, which has ended: instead of what it holds
    /// of other agents, so that whoever waits here is in nobody's way. `None`: `session` is not at work any more, or
    /// another executor has it.
    pub fn take_below(
        &self,
        session: SessionId,
        request: &PermitRequest<'_>,
        left: &[Rival],
    ) -> Result<Option<PermitAnswer>, StoreError> {
        self.store.write_lightly(|writing| {
            if !follows(writing.tx, session, request)? {
                return Ok(None);
            }
            if drop_agents(writing.tx, request)? > 0 {
                announce(writing, request.run)?;
            }
            take(writing, request, left).map(Some)
        })
    }

    /// Gives back the room that a node holds for sessions of agents, and its place in line. Its locks stay.
    pub fn release_agents(
        &self,
        run: RunId,
        node: NodeId,
        executor: ExecutorId,
    ) -> Result<(), StoreError> {
        self.store.write_lightly(|writing| {
            let delete = "DELETE FROM permits WHERE run = ?1 AND node = ?2 AND executor = ?3 AND key LIKE 'agent:%'";
            writing.tx.prepare_cached(delete)?.execute(params![run.0, node.0, executor.0])?;
            leave_the_line(writing.tx, run, node)?;
            announce(writing, run)
        })
    }

    /// Gives a node all that it asks for, or puts it in line. What `left` hold or wait for is taken from them first.
    ///
    /// Not forced to disk: after a power cut no session lives that could hold anything.
    pub fn take(
        &self,
        request: &PermitRequest<'_>,
        left: &[Rival],
    ) -> Result<PermitAnswer, StoreError> {
        self.store
            .write_lightly(|writing| take(writing, request, left))
    }

    /// Whether a node holds anything.
    pub fn are_held_by(&self, run: RunId, node: NodeId) -> Result<bool, StoreError> {
        let query = "SELECT 1 FROM permits WHERE run = ?1 AND node = ?2";
        self.store.read(|connection| {
            Ok(one(connection, query, params![run.0, node.0], |_| Ok(()))?.is_some())
        })
    }

    /// Gives back what `executor` has taken for nodes of a run whose attempts came to nothing.
    pub fn release(
        &self,
        run: RunId,
        nodes: &[NodeId],
        executor: ExecutorId,
    ) -> Result<(), StoreError> {
        self.store.write_lightly(|writing| {
            let mut released = 0;
            for node in nodes {
                let delete = "DELETE FROM permits WHERE run = ?1 AND node = ?2 AND executor = ?3";
                released += writing
                    .tx
                    .prepare_cached(delete)?
                    .execute(params![run.0, node.0, executor.0])?;
            }
            if released > 0 {
                announce(writing, run)
            } else {
                Ok(())
            }
        })
    }

    /// Takes the nodes of a run out of the line, but for `waiting`.
    pub fn leave_lines(&self, run: RunId, waiting: &[NodeId]) -> Result<(), StoreError> {
        self.store.write_lightly(|writing| {
            // Who is at work stands in line for a session below its own.
            let query = format!(
                "SELECT DISTINCT node FROM permit_waits WHERE run = ?1
                 AND node NOT IN (SELECT node FROM node_states WHERE run = ?1 AND {IS_AT_WORK})"
            );
            let in_line = rows(writing.tx, &query, [run.0], |row| Ok(NodeId(row.get(0)?)))?;
            let mut left = false;
            for node in in_line.into_iter().filter(|node| !waiting.contains(node)) {
                leave_the_line(writing.tx, run, node)?;
                left = true;
            }
            if left { announce(writing, run) } else { Ok(()) }
        })
    }
}

/// Follows what was appended to a run, by its `next` executor if that has taken it over: who is out of work holds
/// nothing any more.
pub(crate) fn follow(
    writing: &mut Writing<'_, '_>,
    run: RunId,
    nodes: &[(NodeId, &NodeRun)],
    records: &[Recorded],
    next: Option<ExecutorId>,
) -> Result<(), StoreError> {
    let connection = writing.tx;
    if one(
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
        // What the one before had taken and came to nothing.
        let idle = format!(
            "DELETE FROM permits WHERE run = ?1
             AND node NOT IN (SELECT node FROM node_states WHERE run = ?1 AND {IS_AT_WORK})"
        );
        released += connection.prepare_cached(&idle)?.execute([run.0])?;
        // The one before may still wake up and give back what it had taken in vain: that must not be what lives here.
        let owner = "UPDATE permits SET executor = ?2 WHERE run = ?1";
        connection
            .prepare_cached(owner)?
            .execute(params![run.0, next.0])?;
    }
    for (node, _) in nodes.iter().filter(|(_, node)| !is_at_work(&node.state)) {
        released += give_back(connection, run, *node)?;
    }
    for record in records {
        if let Event::NodeAssigned { node, choice, .. } = &record.event {
            let others = "DELETE FROM permits WHERE run = ?1 AND node = ?2 AND key LIKE 'agent:%' AND key <> ?3";
            let own = format!("{AGENT}{}", choice.agent);
            released += connection
                .prepare_cached(others)?
                .execute(params![run.0, node.0, own])?;
        }
    }
    if released > 0 {
        announce(writing, run)
    } else {
        Ok(())
    }
}

/// Whether an attempt is reserved or lives.
fn is_at_work(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Running
            | NodeState::Waiting {
                what: WaitingFor::Slot | WaitingFor::Person { .. }
            }
    )
}

/// The same, of a row of `node_states`.
const IS_AT_WORK: &str = "(node_states.word = 'running'
    OR node_states.word = 'waiting' AND node_states.state ->> '$.for.kind' IN ('slot', 'person'))";

fn holders(connection: &Connection, key: &str) -> Result<Vec<Rival>, StoreError> {
    let query = format!(
        "SELECT permits.run, permits.node, permits.title, IIF({IS_AT_WORK}, runs.executor, permits.executor) AS executor,
             IIF({IS_AT_WORK}, node_states.session, NULL) AS session,
             COALESCE(node_states.word <> 'waiting' OR node_states.started_at IS NOT NULL, 0) AS has_started
         FROM permits LEFT JOIN runs ON runs.id = permits.run
         LEFT JOIN node_states ON node_states.run = permits.run AND node_states.node = permits.node
         WHERE key = ?1 ORDER BY permits.since"
    );
    rows(connection, &query, [key], |row| {
        let fields = Fields::of(row, "permits", key);
        Ok(Rival {
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

/// Those whose executor still has their run. Others wait no longer.
fn waiters(connection: &Connection, key: &str) -> Result<Vec<Rival>, StoreError> {
    let query = "SELECT permit_waits.run, permit_waits.node, permit_waits.executor
         FROM permit_waits JOIN runs ON runs.id = permit_waits.run
         WHERE key = ?1 AND runs.executor = permit_waits.executor";
    rows(connection, query, [key], |row| {
        let fields = Fields::of(row, "permit_waits", key);
        Ok(Rival {
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

fn take(
    writing: &mut Writing<'_, '_>,
    request: &PermitRequest<'_>,
    left: &[Rival],
) -> Result<PermitAnswer, StoreError> {
    for rival in left {
        dislodge(writing.tx, rival)?;
    }
    if !left.is_empty() {
        announce(writing, request.run)?;
    }
    let answer = judge(writing.tx, request, &[])?;
    // What it was refused before may not be what it asks for now.
    leave_the_line(writing.tx, request.run, request.node)?;
    match &answer {
        PermitAnswer::Granted => hold(writing.tx, request)?,
        PermitAnswer::Refused { .. } => stand_in_line(writing.tx, request)?,
    }
    Ok(answer)
}

/// Whether the executor of a request still has the run, in which `session` is at work for the node.
fn follows(
    connection: &Connection,
    session: SessionId,
    request: &PermitRequest<'_>,
) -> Result<bool, StoreError> {
    let query = format!(
        "SELECT 1 FROM node_states JOIN runs ON runs.id = node_states.run
         WHERE node_states.run = ?1 AND node = ?2 AND node_states.session = ?3 AND runs.executor = ?4 AND {IS_AT_WORK}"
    );
    let parameters = params![request.run.0, request.node.0, session.0, request.executor.0];
    Ok(one(connection, &query, parameters, |_| Ok(()))?.is_some())
}

/// Takes from a node what it holds of agents that it does not ask for.
fn drop_agents(connection: &Connection, request: &PermitRequest<'_>) -> Result<usize, StoreError> {
    let query = "SELECT key FROM permits WHERE run = ?1 AND node = ?2 AND key LIKE 'agent:%'";
    let (run, node) = (request.run.0, request.node.0);
    let held: Vec<String> = rows(connection, query, params![run, node], |row| Ok(row.get(0)?))?;
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

/// What `left` hold or wait for does not count.
fn judge(
    connection: &Connection,
    request: &PermitRequest<'_>,
    left: &[Rival],
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
            !request.within.contains(&(holder.run, holder.node)) && !left.contains(holder)
        });
        let mut before = before_in_line(connection, &permit.key, request)?;
        let has_left = |waits: &(RunId, NodeId)| {
            left.iter().any(|rival| {
                !rival.holds && rival.key == permit.key && (rival.run, rival.node) == *waits
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

/// Which nodes of other runs go first: their plans are more important, or they have waited for longer. In which order
/// nodes of one run go is for the run to say.
fn before_in_line(
    connection: &Connection,
    key: &str,
    request: &PermitRequest<'_>,
) -> Result<Vec<(RunId, NodeId)>, StoreError> {
    let query =
        "SELECT waits.run, waits.node FROM permit_waits AS waits JOIN runs ON runs.id = waits.run
         WHERE key = ?1 AND runs.executor = waits.executor AND waits.run <> ?2
             AND (waits.priority > ?4
                 OR waits.priority = ?4 AND (waits.since, waits.run, waits.node) < (?5, ?2, ?3))";
    let (run, node) = (request.run.0, request.node.0);
    let parameters = params![key, run, node, request.priority, request.since.0];
    rows(connection, query, parameters, |row| {
        Ok((RunId(row.get(0)?), NodeId(row.get(1)?)))
    })
}

fn hold(connection: &Connection, request: &PermitRequest<'_>) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO permits (key, run, node, title, executor, since) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (key, run, node) DO UPDATE SET executor = excluded.executor
         WHERE executor IS NOT (SELECT executor FROM runs WHERE runs.id = permits.run)",
    )?;
    let PermitRequest {
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

fn stand_in_line(connection: &Connection, request: &PermitRequest<'_>) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO permit_waits (key, run, node, executor, priority, since)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let PermitRequest {
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

fn leave_the_line(connection: &Connection, run: RunId, node: NodeId) -> Result<(), StoreError> {
    connection
        .prepare_cached("DELETE FROM permit_waits WHERE run = ?1 AND node = ?2")?
        .execute(params![run.0, node.0])?;
    Ok(())
}

fn give_back(connection: &Connection, run: RunId, node: NodeId) -> Result<usize, StoreError> {
    let delete = "DELETE FROM permits WHERE run = ?1 AND node = ?2";
    Ok(connection
        .prepare_cached(delete)?
        .execute(params![run.0, node.0])?)
}

/// Takes from somebody who was judged to have left what it holds or waits for, unless anything about it is new.
fn dislodge(connection: &Connection, rival: &Rival) -> Result<(), StoreError> {
    let now = if rival.holds {
        holders(connection, &rival.key)?
    } else {
        waiters(connection, &rival.key)?
    };
    if now.contains(rival) {
        let table = if rival.holds {
            "permits"
        } else {
            "permit_waits"
        };
        // All that it has: whoever goes on with its run must find it complete, or gone.
        let delete = format!("DELETE FROM {table} WHERE run = ?1 AND node = ?2");
        connection
            .prepare_cached(&delete)?
            .execute(params![rival.run.0, rival.node.0])?;
    }
    Ok(())
}

/// Tells those who wait to look again, if there is anybody beside `run`, or in it.
fn announce(writing: &mut Writing<'_, '_>, run: RunId) -> Result<(), StoreError> {
    let waiting = one(writing.tx, "SELECT 1 FROM permit_waits LIMIT 1", [], |_| {
        Ok(())
    })?
    .is_some();
    if waiting {
        writing.changes.push(Change::PermitsFreed { run });
    }
    Ok(())
}
