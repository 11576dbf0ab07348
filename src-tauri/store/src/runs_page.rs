//! One page of runs, by filter, search and sort order.
//!
//! A page continues after the last row of the page before it, so its cost doesn't depend on its
//! position. Ended runs come from one covering index per sort order, see `runs::MIGRATION_10`;
//! unfinished runs are few and are sorted as they are found.

mod condition;
mod node_counts;
mod search;

use baton_model::{PlanId, RunId, RunState, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};
use serde::{Deserialize, Serialize};

use self::condition::Conditions;
pub use self::node_counts::RunNodeCounts;
use crate::column::Fields;
use crate::run_deletion;
use crate::{Actor, ParentNode, RunKeepReason, Runs, StoreError, Unreadable};

/// Selects runs by the name of their state.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStateFilter {
    Running,
    Paused,
    Replanning,
    Stalled,
    Completed,
    Failed,
    Cancelled,
}

impl RunStateFilter {
    /// The name of the state, as in [`RunState::as_str`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Replanning => "replanning",
            Self::Stalled => "stalled",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Selects runs by who started them. Runs that Baton started by itself match none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StartedByFilter {
    /// A person, through any channel.
    Person,
    /// A session or an agent.
    Session,
    /// A program with an access token.
    Program,
    /// A node of another run.
    Run,
}

impl StartedByFilter {
    /// What selects a run of `actor`, which executes a node of another run if `has_parent`; `None`
    /// for a run that Baton started by itself.
    pub(crate) fn of_run(actor: &Actor, has_parent: bool) -> Option<Self> {
        match actor {
            _ if has_parent => Some(Self::Run),
            Actor::Person(_) => Some(Self::Person),
            Actor::Session(_) | Actor::Agent(_) => Some(Self::Session),
            Actor::Program(_) => Some(Self::Program),
            Actor::Baton => None,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Session => "session",
            Self::Program => "program",
            Self::Run => "run",
        }
    }
}

/// The order of runs on a page. Runs with the same value are sorted by their id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunsSort {
    /// Latest start first.
    #[default]
    Newest,
    /// Earliest start first.
    Oldest,
    /// Longest time from start to end, or to now, first.
    Longest,
    /// Highest known cost first. Runs with an unknown cost come last.
    Costliest,
}

/// Selects the runs of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunsPageFilter {
    /// Only runs of this plan.
    pub plan: Option<PlanId>,
    /// Only runs in one of these states; empty for all.
    pub states: Vec<RunStateFilter>,
    /// Only runs started by this.
    pub started_by: Option<StartedByFilter>,
    /// Each word must be in the plan's title, or be the number (`#41`) or the start of the id.
    pub search: String,
    /// Only runs created at this time or later.
    pub since: Option<Timestamp>,
    /// Only runs created before this time.
    pub until: Option<Timestamp>,
    /// Only this run.
    pub run: Option<RunId>,
}

/// Where a page ends, and the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunsPageCursor {
    /// What the last run was sorted by.
    pub key: i64,
    /// The last run.
    pub run: RunId,
    /// The time at which the first page was read: unfinished runs get longer.
    pub now: Timestamp,
}

/// A run on a page.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct RunsPageEntry {
    pub id: RunId,
    pub number: u32,
    pub plan: PlanId,
    /// The plan's current title.
    pub title: String,
    pub version: u32,
    /// Why it can't be read, if it can't.
    pub state: Result<RunState, Unreadable>,
    pub actor: Actor,
    /// How many nodes used their pinned output instead of running.
    pub pinned_nodes: u32,
    pub parent: Option<ParentNode>,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub nodes: RunNodeCounts,
    /// Nodes whose evidence contradicts their claims.
    pub unverified: u32,
    /// Tokens of all kinds that its sessions reported.
    pub tokens: Option<u64>,
    /// Cost that its sessions reported, in millionths of a US dollar.
    pub cost_micros: Option<u64>,
    /// An agent worked in it.
    pub agents_worked: bool,
    /// What in the database needs the run, if it has ended.
    pub kept_because: Option<RunKeepReason>,
    /// The runs below it, at any depth, if it has ended.
    pub descendants: Vec<RunId>,
}

/// A page of runs.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct RunsPageListing {
    pub rows: Vec<RunsPageEntry>,
    /// `None` after the last page.
    pub next: Option<RunsPageCursor>,
    /// Number of runs on all pages.
    pub total: u32,
}

impl Runs<'_> {
    /// Reads one page of at most `limit` runs, which begins after `after`. Leaves out runs of deleted
    /// plans, and the sessions of planners, unless the filter names their plan.
    pub fn page(
        &self,
        filter: &RunsPageFilter,
        sort: RunsSort,
        after: Option<RunsPageCursor>,
        limit: u32,
        now: Timestamp,
    ) -> Result<RunsPageListing, StoreError> {
        let now = after.map_or(now, |after| after.now);
        self.store.read(|connection| {
            let conditions = Conditions::new(connection, filter)?;
            let mut found = Vec::new();
            for part in [Part::Ended, Part::Unfinished] {
                let query = PageQuery {
                    part,
                    sort,
                    plan: filter.plan.is_some(),
                    now,
                };
                found.extend(query.page(connection, &conditions, after, limit)?);
            }
            let newest_first = sort != RunsSort::Oldest;
            found.sort_unstable();
            if newest_first {
                found.reverse();
            }
            let has_more = found.len() > limit as usize;
            found.truncate(limit as usize);
            let next = found
                .last()
                .filter(|_| has_more)
                .map(|&(key, run)| RunsPageCursor { key, run, now });
            let runs: Vec<RunId> = found.into_iter().map(|(_, run)| run).collect();
            Ok(RunsPageListing {
                rows: entries(connection, &runs)?,
                next,
                total: total(connection, &conditions, filter.plan.is_some())?,
            })
        })
    }
}

/// The part of the runs that a query reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Ended,
    Unfinished,
}

struct PageQuery {
    part: Part,
    sort: RunsSort,
    /// The filter names a plan.
    plan: bool,
    now: Timestamp,
}

impl PageQuery {
    fn page(
        &self,
        connection: &Connection,
        conditions: &Conditions,
        after: Option<RunsPageCursor>,
        limit: u32,
    ) -> Result<Vec<(i64, RunId)>, StoreError> {
        let mut parameters = conditions.parameters.clone();
        let query = self.sql(conditions, after, &mut parameters);
        parameters.push(Value::from(limit.saturating_add(1)));
        let mut statement = connection.prepare_cached(&query)?;
        let rows = statement.query_map(params_from_iter(parameters), |row| {
            Ok((row.get("key")?, RunId(row.get("id")?)))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn sql(
        &self,
        conditions: &Conditions,
        after: Option<RunsPageCursor>,
        parameters: &mut Vec<Value>,
    ) -> String {
        let key = self.key();
        let (order, sign) = match self.sort {
            RunsSort::Oldest => ("ASC", '>'),
            RunsSort::Newest | RunsSort::Longest | RunsSort::Costliest => ("DESC", '<'),
        };
        let from = source(self.part, self.sort, self.plan);
        let conditions = &conditions.sql;
        let later = match after {
            Some(after) => {
                parameters.extend([
                    Value::from(after.key),
                    Value::from(after.run.0.as_bytes().to_vec()),
                ]);
                format!(" AND ({key}, id) {sign} (?, ?)")
            }
            None => String::new(),
        };
        format!(
            "SELECT {key} AS key, id FROM {from}{conditions}{later} ORDER BY {key} {order}, id {order} LIMIT ?"
        )
    }

    /// What the runs are sorted by. Time and numbers only, never text from outside.
    fn key(&self) -> String {
        match (self.sort, self.part) {
            (RunsSort::Newest | RunsSort::Oldest, _) => "created_at".to_owned(),
            (RunsSort::Longest, Part::Ended) => "took_ms".to_owned(),
            (RunsSort::Longest, Part::Unfinished) => {
                format!("MAX({} - COALESCE(started_at, created_at), 0)", self.now.0)
            }
            (RunsSort::Costliest, _) => "cost_order".to_owned(),
        }
    }
}

/// The table with the index to read, and the condition that the index needs.
fn source(part: Part, sort: RunsSort, plan: bool) -> &'static str {
    match (part, sort, plan) {
        (Part::Unfinished, _, false) => {
            "runs INDEXED BY runs_unfinished WHERE ended_at IS NULL AND planner = 0"
        }
        (Part::Unfinished, _, true) => "runs INDEXED BY runs_unfinished WHERE ended_at IS NULL",
        (Part::Ended, RunsSort::Newest | RunsSort::Oldest, false) => {
            "runs INDEXED BY runs_page_created WHERE ended_at IS NOT NULL AND planner = 0"
        }
        (Part::Ended, RunsSort::Newest | RunsSort::Oldest, true) => {
            "runs INDEXED BY runs_page_plan_created WHERE ended_at IS NOT NULL"
        }
        (Part::Ended, RunsSort::Longest, false) => {
            "runs INDEXED BY runs_page_took WHERE ended_at IS NOT NULL AND planner = 0"
        }
        (Part::Ended, RunsSort::Longest, true) => {
            "runs INDEXED BY runs_page_plan_took WHERE ended_at IS NOT NULL"
        }
        (Part::Ended, RunsSort::Costliest, false) => {
            "runs INDEXED BY runs_page_cost WHERE ended_at IS NOT NULL AND planner = 0"
        }
        (Part::Ended, RunsSort::Costliest, true) => {
            "runs INDEXED BY runs_page_plan_cost WHERE ended_at IS NOT NULL"
        }
    }
}

fn total(connection: &Connection, conditions: &Conditions, plan: bool) -> Result<u32, StoreError> {
    let mut total = 0;
    for part in [Part::Ended, Part::Unfinished] {
        let from = source(part, RunsSort::Newest, plan);
        let query = format!("SELECT COUNT(*) FROM {from}{}", conditions.sql);
        let count: u32 = connection
            .prepare_cached(&query)?
            .query_row(params_from_iter(&conditions.parameters), |row| row.get(0))?;
        total += count;
    }
    Ok(total)
}

const SELECT_ENTRY: &str = "SELECT runs.*, plans.title,
         EXISTS (SELECT 1 FROM sessions WHERE run = runs.id AND agent IS NOT NULL) AS agents_worked
     FROM runs JOIN plans ON plans.id = runs.plan WHERE runs.id = ?1";

fn entries(connection: &Connection, runs: &[RunId]) -> Result<Vec<RunsPageEntry>, StoreError> {
    let mut counts = node_counts::of_runs(connection, runs)?;
    let mut statement = connection.prepare_cached(SELECT_ENTRY)?;
    let mut entries = Vec::with_capacity(runs.len());
    for run in runs {
        let mut rows = statement.query([run.0])?;
        if let Some(row) = rows.next()? {
            let (nodes, unverified) = counts.remove(run).unwrap_or_default();
            let entry = read(row, nodes, unverified)?;
            let (kept_because, descendants) = match entry.ended_at {
                Some(_) => (
                    run_deletion::keep_reason(connection, *run)?,
                    run_deletion::descendants(connection, *run)?,
                ),
                None => (None, Vec::new()),
            };
            entries.push(RunsPageEntry {
                kept_because,
                descendants,
                ..entry
            });
        }
    }
    Ok(entries)
}

fn read(row: &Row<'_>, nodes: RunNodeCounts, unverified: u32) -> Result<RunsPageEntry, StoreError> {
    let id = RunId(row.get("id")?);
    let fields = Fields::new(row, "runs", id);
    let state = match fields.json("state") {
        Ok(state) => Ok(state),
        Err(StoreError::Unreadable(damage)) => Err(damage),
        Err(error) => return Err(error),
    };
    let created_at: i64 = fields.get("created_at")?;
    Ok(RunsPageEntry {
        id,
        number: fields.get("number")?,
        plan: PlanId(fields.get("plan")?),
        title: fields.get("title")?,
        version: fields.get("version")?,
        state,
        actor: fields.get("actor")?,
        pinned_nodes: fields.get("pinned_nodes")?,
        parent: fields
            .get::<Option<_>>("parent_run")?
            .zip(fields.get::<Option<_>>("parent_node")?)
            .map(|(run, node)| ParentNode {
                run: RunId(run),
                node: baton_model::NodeId(node),
            }),
        started_at: Timestamp(
            fields
                .get::<Option<i64>>("started_at")?
                .unwrap_or(created_at),
        ),
        ended_at: fields.get::<Option<i64>>("ended_at")?.map(Timestamp),
        nodes,
        unverified,
        tokens: fields.get("tokens")?,
        cost_micros: fields.get("cost_micros")?,
        agents_worked: fields.get("agents_worked")?,
        kept_because: None,
        descendants: Vec::new(),
    })
}

#[cfg(test)]
mod tests;
