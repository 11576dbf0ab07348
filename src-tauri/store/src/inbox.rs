//! What needs a person's attention across all unfinished runs, and which runs ended recently.
//!
//! Reads only the cached states of runs and nodes; other crates write the texts.

use baton_model::{NodeId, NodeState, PlanId, ReviewState, RunId, RunState, SessionId, Timestamp};
use rusqlite::Row;

use crate::column::{Fields, query_listing};
use crate::{Actor, Listing, Store, StoreError};

/// A node that needs a decision from a person.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeAwaitingPerson {
    pub run: RunId,
    pub plan: PlanId,
    /// The plan version that the run executes.
    pub version: u32,
    pub run_state: RunState,
    pub node: NodeId,
    /// Waiting for a person, or interrupted.
    pub state: NodeState,
    /// Session of its latest attempt.
    pub session: Option<SessionId>,
    /// Since when it needs the decision.
    pub since: Timestamp,
}

/// A run that can't continue without a person.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingRun {
    pub run: RunId,
    pub plan: PlanId,
    /// The plan version that the run executes.
    pub version: u32,
    pub wait: RunWait,
    pub since: Timestamp,
}

/// A plan that was submitted for review.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanInReview {
    pub plan: PlanId,
    pub title: String,
    pub version: u32,
    pub revision: u64,
    /// Waits for a decision, or was rejected too often.
    pub review: ReviewState,
    /// Who submitted it last; `None` if that isn't known.
    pub submitted_by: Option<Actor>,
    /// Since when it waits.
    pub since: Timestamp,
}

/// What a run is waiting for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunWait {
    /// No node can run.
    Stalled {
        /// Which nodes, and what they need.
        message: String,
    },
    /// Another executor took over the run, and a person decides whether to resume it.
    Review,
}

/// A run that has ended.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedRun {
    pub run: RunId,
    pub plan: PlanId,
    /// The plan version that the run executed.
    pub version: u32,
    pub state: RunState,
    pub ended_at: Timestamp,
}

/// Queries for the inbox; see [`Store::inbox`].
#[derive(Clone, Copy)]
pub struct Inbox<'store> {
    store: &'store Store,
}

impl Store {
    /// Nodes and runs that need a person.
    #[must_use]
    pub fn inbox(&self) -> Inbox<'_> {
        Inbox { store: self }
    }
}

// Start from the few unfinished runs and their few waiting nodes: CROSS JOIN makes SQLite keep that
// order.
const SELECT_AWAITING_NODES: &str = "
SELECT runs.plan, runs.version, runs.state AS run_state, asking.run, asking.node, asking.state, asking.session,
    asking.asked_at
FROM runs CROSS JOIN node_states AS asking ON asking.run = runs.id AND asking.asked_at IS NOT NULL
WHERE runs.ended_at IS NULL AND runs.id NOT IN hidden_runs
ORDER BY asking.asked_at, asking.run, asking.position";

// The last event of a waiting run is the one that made it wait, or came right after it.
const SELECT_WAITING_RUNS: &str = "
SELECT runs.id, runs.plan, runs.version, runs.state, COALESCE(last.at, runs.created_at) AS since
FROM runs LEFT JOIN run_events AS last ON last.run = runs.id AND last.seq = runs.last_seq
WHERE runs.ended_at IS NULL AND runs.id NOT IN hidden_runs
ORDER BY since, runs.id";

// A plan that was rejected too often waits since then.
const SELECT_PLANS_IN_REVIEW: &str = "
SELECT plans.id, plans.title, plans.version, plans.revision, plans.review, submitted.actor, plans.updated_at AS since
FROM plans LEFT JOIN plan_log AS submitted ON submitted.id =
    (SELECT MAX(id) FROM plan_log WHERE plan = plans.id AND type = 'proposed' AND proposal IS NULL)
WHERE plans.review IN ('\"proposed\"', '\"needs_review\"') AND plans.deleted_at IS NULL
    AND plans.id NOT IN planning_plans
ORDER BY since, plans.id";

const SELECT_ENDED_RUNS: &str = "
SELECT id, plan, version, state, ended_at FROM runs WHERE ended_at IS NOT NULL AND parent_run IS NULL
    AND plan NOT IN planning_plans AND id NOT IN hidden_runs
ORDER BY ended_at DESC, id DESC LIMIT ?1";

impl Inbox<'_> {
    /// Nodes of unfinished runs that need a person's decision, longest wait first.
    pub fn nodes(&self) -> Result<Listing<NodeAwaitingPerson>, StoreError> {
        self.store
            .read(|connection| query_listing(connection, SELECT_AWAITING_NODES, [], read_node))
    }

    /// Runs that can't continue without a person, longest wait first.
    pub fn runs(&self) -> Result<Listing<WaitingRun>, StoreError> {
        let Listing { rows, unreadable } = self.store.read(|connection| {
            query_listing(connection, SELECT_WAITING_RUNS, [], read_waiting_run)
        })?;
        Ok(Listing {
            rows: rows.into_iter().flatten().collect(),
            unreadable,
        })
    }

    /// Plans that were submitted for review, longest wait first.
    pub fn plans(&self) -> Result<Listing<PlanInReview>, StoreError> {
        self.store.read(|connection| {
            query_listing(connection, SELECT_PLANS_IN_REVIEW, [], read_plan_in_review)
        })
    }

    /// The last `limit` runs that ended, latest first. Leaves out child runs and planner runs.
    pub fn ended(&self, limit: u32) -> Result<Listing<EndedRun>, StoreError> {
        self.store.read(|connection| {
            query_listing(connection, SELECT_ENDED_RUNS, [limit], read_ended_run)
        })
    }
}

fn read_plan_in_review(row: &Row<'_>) -> Result<PlanInReview, StoreError> {
    let plan = PlanId(row.get("id")?);
    let fields = Fields::new(row, "plans", plan);
    Ok(PlanInReview {
        plan,
        title: fields.get("title")?,
        version: fields.get("version")?,
        revision: fields.get("revision")?,
        review: fields.json("review")?,
        submitted_by: fields.get("actor")?,
        since: Timestamp(fields.get("since")?),
    })
}

fn read_node(row: &Row<'_>) -> Result<NodeAwaitingPerson, StoreError> {
    let (run, node) = (RunId(row.get("run")?), NodeId(row.get("node")?));
    let fields = Fields::new(row, "node_states", format_args!("{run}, node {node}"));
    Ok(NodeAwaitingPerson {
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

fn read_waiting_run(row: &Row<'_>) -> Result<Option<WaitingRun>, StoreError> {
    let run = RunId(row.get("id")?);
    let fields = Fields::new(row, "runs", run);
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

fn read_ended_run(row: &Row<'_>) -> Result<EndedRun, StoreError> {
    let run = RunId(row.get("id")?);
    let fields = Fields::new(row, "runs", run);
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
    use crate::column::query_rows;
    use crate::migration::{MIGRATIONS, migrate};

    #[test]
    fn inbox_query_reads_only_open_runs_and_waiting_nodes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Store::open(folder.path()).expect("an empty folder");
        let query = format!("EXPLAIN QUERY PLAN {SELECT_AWAITING_NODES}");
        let plan = store.read(|connection| {
            query_rows(connection, &query, [], |row| {
                Ok(row.get::<_, String>("detail")?)
            })
        });
        insta::assert_snapshot!(plan.expect("readable").join("\n"), @r"
        SCAN runs USING INDEX runs_unfinished
        LIST SUBQUERY 1
        MATERIALIZE hidden
        SETUP
        SEARCH plans USING COVERING INDEX plans_deleted (deleted_at>?)
        SEARCH runs USING COVERING INDEX runs_numbers (plan=?)
        RECURSIVE STEP
        SCAN hidden
        SEARCH runs USING COVERING INDEX runs_of_parent (parent_run=?)
        SCAN hidden
        CREATE BLOOM FILTER
        SEARCH asking USING INDEX node_states_asking (run=? AND asked_at>?)
        USE TEMP B-TREE FOR ORDER BY
        ");
    }

    #[test]
    fn migration_from_format_1_fills_asked_at() {
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
        let asked = query_rows(&connection, query, [], |row| {
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
