//! The sessions of attempts: which there are and where their output lies. The output itself is in files.

use baton_model::{Attempt, NodeId, PlanId, RunId, SessionId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, listing, missing, one, rows};
use crate::node_states::{self, SINCE};
use crate::{Listing, Store, StoreError};

// When a session started and ended stands in its attempt; writing it twice would cost the hot path a page.
pub(crate) const MIGRATION_1: &str = "
CREATE TABLE sessions (
    id BLOB PRIMARY KEY,
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    node BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    agent TEXT,
    native_id TEXT,
    folder TEXT NOT NULL,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    usage TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_run ON sessions (run);
";

/// A session to be stored, together with the event that reserves its attempt, or with the one that tells its agent later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// The node.
    pub node: NodeId,
    /// The attempt.
    pub attempt: Attempt,
    /// The agent that works in it; `None` for a command.
    pub agent: Option<String>,
    /// Where its files are, relative to the data directory.
    pub folder: String,
    /// One line for people: the node's title at that time.
    pub title: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A session as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// Its id.
    pub id: SessionId,
    /// The run.
    pub run: RunId,
    /// The node.
    pub node: NodeId,
    /// The attempt.
    pub attempt: Attempt,
    /// The agent that works in it; `None` for a command.
    pub agent: Option<String>,
    /// The agent's own name for it.
    pub native_id: Option<String>,
    /// Where its files are, relative to the data directory.
    pub folder: String,
    /// One line for people.
    pub title: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it lived.
    pub started_at: Option<Timestamp>,
    /// When it came to its end.
    pub ended_at: Option<Timestamp>,
    /// What it used, in the words of its agent; `None` when that is not known.
    #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
    pub usage: Option<serde_json::Value>,
}

/// A session that its agent has a name for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSession {
    /// The session.
    pub session: SessionId,
    /// The plan.
    pub plan: PlanId,
    /// The run.
    pub run: RunId,
    /// The node.
    pub node: NodeId,
    /// The agent.
    pub agent: String,
    /// Its name for the session.
    pub native_id: String,
}

/// The sessions.
#[derive(Clone, Copy)]
pub struct Sessions<'store> {
    store: &'store Store,
}

impl Store {
    /// The sessions.
    #[must_use]
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions { store: self }
    }
}

pub(crate) const SELECT: &str =
    "SELECT sessions.*, attempts.started_at, attempts.ended_at FROM sessions
     LEFT JOIN attempts ON attempts.run = sessions.run AND attempts.node = sessions.node
         AND attempts.attempt = sessions.attempt";

impl Sessions<'_> {
    /// One session.
    pub fn get(&self, session: SessionId) -> Result<SessionRow, StoreError> {
        self.store.read(|connection| {
            one(
                connection,
                &format!("{SELECT} WHERE sessions.id = ?1"),
                [session.0],
                read,
            )?
            .ok_or_else(|| missing("the session", session))
        })
    }

    /// The last `limit` sessions, of one run or of all, the newest first.
    pub fn list(&self, run: Option<RunId>, limit: u32) -> Result<Listing<SessionRow>, StoreError> {
        let newest = "ORDER BY sessions.created_at DESC, sessions.id DESC";
        self.store.read(|connection| match run {
            Some(run) => {
                let query = format!("{SELECT} WHERE sessions.run = ?1 {newest} LIMIT ?2");
                listing(connection, &query, params![run.0, limit], read)
            }
            None => listing(
                connection,
                &format!("{SELECT} {newest} LIMIT ?1"),
                [limit],
                read,
            ),
        })
    }

    /// What the sessions of a run used, with their nodes, in the words of their agents; those of which nothing is known
    /// are left out, and those of nodes that [`NodeStates::since`](crate::NodeStates::since) leaves out.
    pub fn used_in(
        &self,
        run: RunId,
        since: u64,
    ) -> Result<Vec<(NodeId, serde_json::Value)>, StoreError> {
        let query = format!(
            "SELECT id, node, usage FROM sessions WHERE run = ?1 AND usage IS NOT NULL
                 AND node IN (SELECT node FROM node_states WHERE run = ?1 AND {SINCE})"
        );
        self.store.read(|connection| {
            rows(connection, &query, params![run.0, since], |row| {
                let fields = Fields::of(row, "sessions", SessionId(row.get("id")?));
                Ok((NodeId(fields.get("node")?), fields.json("usage")?))
            })
        })
    }

    /// The sessions that have a name of their agent's, the newest last.
    pub fn natively_named(&self) -> Result<Vec<NamedSession>, StoreError> {
        let query = "SELECT sessions.id, sessions.run, sessions.node, sessions.agent, sessions.native_id, runs.plan
             FROM sessions JOIN runs ON runs.id = sessions.run
             WHERE sessions.native_id IS NOT NULL AND sessions.agent IS NOT NULL
             ORDER BY sessions.created_at, sessions.id";
        self.store.read(|connection| {
            rows(connection, query, [], |row| {
                Ok(NamedSession {
                    session: SessionId(row.get(0)?),
                    run: RunId(row.get(1)?),
                    node: NodeId(row.get(2)?),
                    agent: row.get(3)?,
                    native_id: row.get(4)?,
                    plan: PlanId(row.get(5)?),
                })
            })
        })
    }

    /// Notes what the agent itself calls the session. On disk by the next state that is stored.
    pub fn name_natively(&self, session: SessionId, native_id: &str) -> Result<(), StoreError> {
        let update = "UPDATE sessions SET native_id = ?2 WHERE id = ?1";
        self.store
            .write_lightly(|writing| note(writing.tx, update, session, native_id))
    }

    /// Notes what the session used so far. On disk by the next state that is stored.
    pub fn record_usage(
        &self,
        session: SessionId,
        usage: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let usage = json(usage)?;
        self.store.write_lightly(|writing| {
            note(
                writing.tx,
                "UPDATE sessions SET usage = ?2 WHERE id = ?1",
                session,
                &usage,
            )?;
            node_states::stir(writing.tx, session)
        })
    }
}

fn note(
    connection: &Connection,
    update: &str,
    session: SessionId,
    value: &str,
) -> Result<(), StoreError> {
    let found = connection
        .prepare_cached(update)?
        .execute(params![session.0, value])?;
    if found == 0 {
        Err(missing("the session", session))
    } else {
        Ok(())
    }
}

pub(crate) fn read(row: &Row<'_>) -> Result<SessionRow, StoreError> {
    let id = SessionId(row.get("id")?);
    let fields = Fields::of(row, "sessions", id);
    Ok(SessionRow {
        id,
        run: RunId(fields.get("run")?),
        node: NodeId(fields.get("node")?),
        attempt: Attempt(fields.get("attempt")?),
        agent: fields.get("agent")?,
        native_id: fields.get("native_id")?,
        folder: fields.get("folder")?,
        title: fields.get("title")?,
        created_at: Timestamp(fields.get("created_at")?),
        started_at: fields.get::<Option<_>>("started_at")?.map(Timestamp),
        ended_at: fields.get::<Option<_>>("ended_at")?.map(Timestamp),
        usage: fields.optional_json("usage")?,
    })
}

pub(crate) fn add(
    connection: &Connection,
    run: RunId,
    sessions: &[NewSession],
) -> Result<(), StoreError> {
    for session in sessions {
        connection
            .prepare_cached(
                "INSERT INTO sessions (id, run, node, attempt, agent, folder, title, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                 ON CONFLICT (id) DO UPDATE SET agent = excluded.agent",
            )?
            .execute(params![
                session.id.0,
                run.0,
                session.node.0,
                session.attempt.0,
                session.agent,
                session.folder,
                session.title,
                session.created_at.0,
            ])?;
    }
    Ok(())
}
