//! What waits for a person, over all runs that have not ended, and which runs came to their end lately.
//!
//! Reads only what the caches of runs and nodes hold; what these ask of the person is for others to put in words.

use baton_model::{NodeId, NodeState, PlanId, RunId, RunState, SessionId, Timestamp};
use rusqlite::Row;

use crate::column::{Fields, listing};
use crate::{Listing, Store, StoreError};

/// A node on which a run needs a person's word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskingNode {
    /// The run.
    pub run: RunId,
    /// Its plan.
    pub plan: PlanId,
    /// The version of the plan that it executes.
    pub version: u32,
    /// How the run goes.
    pub run_state: RunState,
    /// The node.
    pub node: NodeId,
    /// Where it stands: it waits for something from a person, or is interrupted.
    pub state: NodeState,
    /// The session of its latest attempt.
    pub session: Option<SessionId>,
    /// Since when it stands there.
    pub since: Timestamp,
}

/// A run that does not go on without a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingRun {
    /// The run.
    pub run: RunId,
    /// Its plan.
    pub plan: PlanId,
    /// The version of the plan that it executes.
    pub version: u32,
    /// For what.
    pub wait: RunWait,
    /// Since when.
    pub since: Timestamp,
}

/// What a run waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunWait {
    /// No node can go on.
    Stalled {
        /// Which nodes, and what they need.
        message: String,
    },
    /// Another executor has taken it over, and a person decides whether it goes on.
    Review,
}

/// A run that has come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedRun {
    /// The run.
    pub run: RunId,
    /// Its plan.
    pub plan: PlanId,
    /// The version of the plan that it executed.
    pub version: u32,
    /// How it ended.
    pub state: RunState,
    /// When.
    pub ended_at: Timestamp,
}

/// What waits for a person.
#[derive(Clone, Copy)]
pub struct Inbox<'store> {
    store: &'store Store,
}

impl Store {
    /// What waits for a person.
    #[must_use]
    pub fn inbox(&self) -> Inbox<'_> {
        Inbox { store: self }
    }
}

// From the few runs that go on to the few nodes of each that ask: CROSS JOIN keeps SQLite to that order.
const NODES: &str = "
SELECT runs.plan, runs.version, runs.state AS run_state, asking.run, asking.node, asking.state, asking.session,
    asking.asked_at
FROM runs CROSS JOIN node_states AS asking ON asking.run = runs.id AND asking.asked_at IS NOT NULL
WHERE runs.ended_at IS NULL
ORDER BY asking.asked_at, asking.run, asking.position";

// The last event of a run that waits is the one by which it came to wait, or came right after it.
const WAITING: &str = "
SELECT runs.id, runs.plan, runs.version, runs.state, COALESCE(last.at, runs.created_at) AS since
FROM runs LEFT JOIN run_events AS last ON last.run = runs.id AND last.seq = runs.last_seq
WHERE runs.ended_at IS NULL
ORDER BY since, runs.id";

const ENDED: &str = "
SELECT id, plan, version, state, ended_at FROM runs WHERE ended_at IS NOT NULL AND parent_run IS NULL
    AND plan NOT IN (SELECT planning FROM proposals)
ORDER BY ended_at DESC, id DESC LIMIT ?1";

impl Inbox<'_> {
    /// The nodes that need a person's word, of all runs that have not ended; the one that waits longest first.
    pub fn nodes(&self) -> Result<Listing<AskingNode>, StoreError> {
        self.store
            .read(|connection| listing(connection, NODES, [], asking_node))
    }

    /// The runs that do not go on without a person; the one that stands longest first.
    pub fn runs(&self) -> Result<Listing<WaitingRun>, StoreError> {
        let Listing { rows, unreadable } = self
            .store
            .read(|connection| listing(connection, WAITING, [], waiting_run))?;
        Ok(Listing {
            rows: rows.into_iter().flatten().collect(),
            unreadable,
        })
    }

    /// The last `limit` runs that came to their end, the latest first; without those that a node of another run began,
    /// and those of planners.
    pub fn ended(&self, limit: u32) -> Result<Listing<EndedRun>, StoreError> {
        self.store
            .read(|connection| listing(connection, ENDED, [limit], ended_run))
    }
}

fn asking_node(row: &Row<'_>) -> Result<AskingNode, StoreError> {
    let (run, node) = (RunId(row.get("run")?), NodeId(row.get("node")?));
    let fields = Fields::of(row, "node_states", format_args!("{run}, node {node}"));
    Ok(AskingNode {
        run,
        node,
        plan: PlanId(fields.get("plan")?),
        version: fields.get("version")?,
        run_state: fields.json("run_state")?,
        state: fields.json("state")?,
        session: fields.get::<Option<_>>("session")?.map(SessionId),
        since: Timestamp(fields.get("asked_at")?),
    })
}

fn waiting_run(row: &Row<'_>) -> Result<Option<WaitingRun>, StoreError> {
    let run = RunId(row.get("id")?);
    let fields = Fields::of(row, "runs", run);
    let wait = match fields.json("state")? {
        RunState::Stalled { message } => RunWait::Stalled { message },
        state if state.waits_for_review() => RunWait::Review,
        _ => return Ok(None),
    };
    Ok(Some(WaitingRun {
        run,
        wait,
        plan: PlanId(fields.get("plan")?),
        version: fields.get("version")?,
        since: Timestamp(fields.get("since")?),
    }))
}

fn ended_run(row: &Row<'_>) -> Result<EndedRun, StoreError> {
    let run = RunId(row.get("id")?);
    let fields = Fields::of(row, "runs", run);
    Ok(EndedRun {
        run,
        plan: PlanId(fields.get("plan")?),
        version: fields.get("version")?,
        state: fields.json("state")?,
        ended_at: Timestamp(fields.get("ended_at")?),
    })
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::column::rows;
    use crate::migration::{MIGRATIONS, migrate};

    #[test]
    fn only_runs_that_go_on_and_nodes_that_ask_are_looked_at() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Store::open(folder.path()).expect("an empty folder");
        let query = format!("EXPLAIN QUERY PLAN {NODES}");
        let plan = store.read(|connection| {
            rows(connection, &query, [], |row| {
                Ok(row.get::<_, String>("detail")?)
            })
        });
        insta::assert_snapshot!(plan.expect("readable").join("\n"), @r"
        SCAN runs USING INDEX runs_unfinished
        SEARCH asking USING INDEX node_states_asking (run=? AND asked_at>?)
        USE TEMP B-TREE FOR ORDER BY
        ");
    }

    #[test]
    fn a_database_of_the_first_format_learns_who_asks() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("baton.db");
        let mut connection = Connection::open(&path).expect("a file in an empty folder");
        migrate(&mut connection, &path, &MIGRATIONS[..1])
            .expect("the first step fits an empty file");
        let state =
            |state: &str, rest: &str| format!(r#"'{state}', '{{"state":"{state}"{rest}}}'"#);
        let nodes = [
            state("interrupted", r#","detail":"lost""#),
            state(
                "waiting",
                r#","for":{"kind":"person","question":"?","request":"r"}"#,
            ),
            state("waiting", r#","for":{"kind":"slot"}"#),
        ];
        for (number, node) in nodes.iter().enumerate() {
            let rows = format!(
                "PRAGMA foreign_keys = OFF;
                 INSERT INTO node_states (run, node, position, word, state, attempt, own_failures, stale, unverified)
                 VALUES (x'01', x'0{number}', {number}, {node}, 1, 0, 0, 0);
                 INSERT INTO run_events (run, seq, at, actor, node, event)
                 VALUES (x'01', 10 + {number}, 70 + {number}, '', x'0{number}', ''),
                     (x'01', 20 + {number}, 80 + {number}, '', x'0{number}', '')"
            );
            connection
                .execute_batch(&rows)
                .expect("rows of the first format");
        }
        migrate(&mut connection, &path, MIGRATIONS).expect("the other steps");
        let query = "SELECT asked_at FROM node_states ORDER BY position";
        let asked = rows(&connection, query, [], |row| {
            Ok(row.get::<_, Option<i64>>(0)?)
        })
        .expect("readable");
        assert_eq!(
            asked,
            [Some(80), Some(81), None],
            "since the last event of the node"
        );
    }
}
