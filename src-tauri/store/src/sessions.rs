//! Sessions of attempts, and where their output files are. The output itself is not in the
//! database.

use baton_model::{Attempt, NodeId, PlanId, RunId, SessionId, Timestamp, WorkTime};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_listing, query_optional, query_rows};
use crate::node_states::{self, CHANGED_SINCE};
use crate::{Listing, Store, StoreError, attempts, deleted_plans, run_usage};

// A session's start and end are stored in its attempt. Writing them twice would cost the hot path
// an extra page.
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

pub(crate) const MIGRATION_10: &str = "ALTER TABLE sessions ADD COLUMN worked_ms INTEGER;";

/// A session to store, either with the event that reserves its attempt or with the later one that
/// chooses its agent.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    pub id: SessionId,
    pub node: NodeId,
    pub attempt: Attempt,
    /// The agent that works in it; `None` for a command.
    pub agent: Option<String>,
    /// Folder of its files, relative to the data directory.
    pub folder: String,
    /// One line to show to people: the node's title at that time.
    pub title: String,
    pub created_at: Timestamp,
}

#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    pub id: SessionId,
    pub run: RunId,
    pub node: NodeId,
    pub attempt: Attempt,
    /// The agent that works in it; `None` for a command.
    pub agent: Option<String>,
    /// The agent's own id for the session.
    pub native_id: Option<String>,
    /// Folder of its files, relative to the data directory.
    pub folder: String,
    /// One line to show to people: the node's title at creation.
    pub title: String,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// How long it waited and worked.
    pub times: WorkTime,
    /// Usage as the agent reports it; `None` if it isn't known.
    #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
    pub usage: Option<serde_json::Value>,
}

/// A session for which the agent has its own id.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeSession {
    pub session: SessionId,
    pub plan: PlanId,
    pub run: RunId,
    pub node: NodeId,
    pub agent: String,
    /// The agent's own id for the session.
    pub native_id: String,
}

/// Handle for the table `sessions`; see [`Store::sessions`].
#[derive(Clone, Copy)]
pub struct Sessions<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `sessions`.
    #[must_use]
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions { store: self }
    }
}

pub(crate) const SELECT: &str =
    "SELECT sessions.*, attempts.reserved_at, attempts.started_at, attempts.ended_at, attempts.outcome FROM sessions
     LEFT JOIN attempts ON attempts.run = sessions.run AND attempts.node = sessions.node
         AND attempts.attempt = sessions.attempt";

impl Sessions<'_> {
    /// Returns one session by its id.
    pub fn get(&self, session: SessionId) -> Result<SessionRow, StoreError> {
        self.store.read(|connection| {
            let found = query_optional(
                connection,
                &format!("{SELECT} WHERE sessions.id = ?1"),
                [session.0],
                read,
            )?
            .ok_or_else(|| not_found("the session", session))?;
            deleted_plans::refuse_hidden_run(connection, found.run)?;
            Ok(found)
        })
    }

    /// The last `limit` sessions of one run or of all runs, newest first.
    pub fn list(&self, run: Option<RunId>, limit: u32) -> Result<Listing<SessionRow>, StoreError> {
        let newest = "ORDER BY sessions.created_at DESC, sessions.id DESC";
        self.store.read(|connection| match run {
            Some(run) => {
                let query = format!("{SELECT} WHERE sessions.run = ?1 {newest} LIMIT ?2");
                query_listing(connection, &query, params![run.0, limit], read)
            }
            None => query_listing(
                connection,
                &format!("{SELECT} WHERE sessions.run NOT IN hidden_runs {newest} LIMIT ?1"),
                [limit],
                read,
            ),
        })
    }

    /// Usage of a run's sessions by node, as the agents report it. Leaves out sessions without
    /// usage, and nodes that [`NodeStates::changed_since`](crate::NodeStates::changed_since) leaves
    /// out.
    pub fn usage_changed_since(
        &self,
        run: RunId,
        since: u64,
    ) -> Result<Vec<(NodeId, serde_json::Value)>, StoreError> {
        let query = format!(
            "SELECT id, node, usage FROM sessions WHERE run = ?1 AND usage IS NOT NULL
                 AND node IN (SELECT node FROM node_states WHERE run = ?1 AND {CHANGED_SINCE})"
        );
        self.store.read(|connection| {
            query_rows(connection, &query, params![run.0, since], |row| {
                let fields = Fields::new(row, "sessions", SessionId(row.get("id")?));
                Ok((NodeId(fields.get("node")?), fields.json("usage")?))
            })
        })
    }

    /// Sessions for which the agent has its own id, newest last.
    pub fn list_with_native_id(&self) -> Result<Vec<NativeSession>, StoreError> {
        let query = "SELECT sessions.id, sessions.run, sessions.node, sessions.agent, sessions.native_id, runs.plan
             FROM sessions JOIN runs ON runs.id = sessions.run
             WHERE sessions.run NOT IN hidden_runs AND sessions.native_id IS NOT NULL AND sessions.agent IS NOT NULL
             ORDER BY sessions.created_at, sessions.id";
        self.store.read(|connection| {
            query_rows(connection, query, [], |row| {
                Ok(NativeSession {
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

    /// Records the agent's own id for the session. Reaches the disk with the next durable write.
    pub fn set_native_id(&self, session: SessionId, native_id: &str) -> Result<(), StoreError> {
        let update = "UPDATE sessions SET native_id = ?2 WHERE id = ?1";
        self.store
            .write_relaxed(|writing| update_column(writing.tx, update, session, native_id))
    }

    /// Records how long the session's program ran, in milliseconds. Reaches the disk with the next
    /// durable write.
    pub fn set_worked_ms(&self, session: SessionId, worked_ms: u64) -> Result<(), StoreError> {
        self.store.write_relaxed(|writing| {
            set_worked_ms(writing.tx, session, worked_ms)?;
            node_states::mark_changed(writing.tx, session)
        })
    }

    /// Records the session's usage so far. Reaches the disk with the next durable write.
    pub fn record_usage(
        &self,
        session: SessionId,
        usage: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let usage = json(usage)?;
        self.store.write_relaxed(|writing| {
            run_usage::add(writing.tx, session, &usage)?;
            update_column(
                writing.tx,
                "UPDATE sessions SET usage = ?2 WHERE id = ?1",
                session,
                &usage,
            )?;
            node_states::mark_changed(writing.tx, session)
        })
    }
}

/// A session that is gone, because its attempt was withdrawn, is no error.
pub(crate) fn set_worked_ms(
    connection: &Connection,
    session: SessionId,
    worked_ms: u64,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE sessions SET worked_ms = ?2 WHERE id = ?1")?
        .execute(params![
            session.0,
            i64::try_from(worked_ms).unwrap_or(i64::MAX)
        ])?;
    Ok(())
}

fn update_column(
    connection: &Connection,
    update: &str,
    session: SessionId,
    value: &str,
) -> Result<(), StoreError> {
    let found = connection
        .prepare_cached(update)?
        .execute(params![session.0, value])?;
    if found == 0 {
        Err(not_found("the session", session))
    } else {
        Ok(())
    }
}

pub(crate) fn read(row: &Row<'_>) -> Result<SessionRow, StoreError> {
    let id = SessionId(row.get("id")?);
    let fields = Fields::new(row, "sessions", id);
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
        times: attempts::read_times(row)?,
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
