//! Times pages of runs in databases with few and with many runs.
//!
//! Takes the numbers of runs. Prints, for each kind of page, its median in milliseconds in each
//! database, and how often the first database's time fits into the last one's.
#![allow(clippy::print_stdout, reason = "the figures go to standard output")]

use std::time::{Duration, Instant};

use baton_api::wire::{RunStateFilter, RunsPage, RunsPageQuery, RunsSort};
use baton_model::{PlanId, RunId};
use baton_tests::TestEnvironment;
use rusqlite::{Connection, params};

/// How often each page is read.
const READS: usize = 15;

const PLAN: &str = "
baton: 1
title: Nightly checks
nodes:
  - {id: fetch, kind: command, command: 'true'}
  - {id: lint, kind: command, dependsOn: [fetch], command: 'true'}
  - {id: test, kind: command, dependsOn: [fetch], command: 'true'}
";

fn main() {
    let counts: Vec<u32> = std::env::args()
        .skip(1)
        .map(|count| count.parse().expect("a number of runs"))
        .collect();
    let databases: Vec<Database> = counts.iter().map(|count| Database::fill(*count)).collect();
    for (name, query) in queries() {
        let times: Vec<f64> = databases
            .iter()
            .map(|database| database.median_ms(&query))
            .collect();
        let all: Vec<_> = times.iter().map(|time| format!("{time:8.2} ms")).collect();
        let ratio = times.last().zip(times.first());
        let ratio = ratio.map_or(1.0, |(last, first)| last / first);
        println!("{name:<22} {}  ratio {ratio:5.2}", all.join(" "));
    }
}

/// A database whose runs are copies of one real run.
struct Database {
    env: TestEnvironment,
    plan: PlanId,
}

impl Database {
    fn fill(count: u32) -> Self {
        let env = TestEnvironment::new();
        let run = env.start(PLAN).summary;
        env.finish(run.id);
        copy_run(&env, run.id, count);
        Self {
            env,
            plan: run.plan,
        }
    }

    fn median_ms(&self, query: &Query) -> f64 {
        let mut query = query.of(self.plan);
        if query.after.is_some() {
            query.after = self.middle();
        }
        let mut times: Vec<Duration> = (0..READS).map(|_| self.read(query.clone()).0).collect();
        times.sort();
        times[READS / 2].as_secs_f64() * 1000.0
    }

    fn read(&self, query: RunsPageQuery) -> (Duration, RunsPage) {
        let start = Instant::now();
        let page = self.env.call("runs_page", query).expect("a page");
        (start.elapsed(), page)
    }

    /// The place in the middle of all runs, newest first.
    fn middle(&self) -> Option<String> {
        let base = Connection::open(self.env.data().join("baton.db")).expect("a database");
        let middle = "SELECT created_at, id FROM runs ORDER BY created_at DESC, id DESC
            LIMIT 1 OFFSET (SELECT COUNT(*) / 2 FROM runs)";
        base.query_row(middle, [], |row| {
            let (at, run): (i64, uuid::Uuid) = (row.get(0)?, row.get(1)?);
            Ok(format!("{at}_{}_0", RunId(run)))
        })
        .ok()
    }
}

/// A page to read. It is of all plans, or of the database's plan.
struct Query {
    of_plan: bool,
    page: RunsPageQuery,
}

impl Query {
    fn of(&self, plan: PlanId) -> RunsPageQuery {
        RunsPageQuery {
            plan: self.of_plan.then_some(plan),
            ..self.page.clone()
        }
    }
}

fn queries() -> Vec<(&'static str, Query)> {
    let page = RunsPageQuery {
        plan: None,
        states: Vec::new(),
        started_by: None,
        search: String::new(),
        since: None,
        until: None,
        sort: RunsSort::Newest,
        after: None,
        limit: 50,
    };
    let all = |page| Query {
        of_plan: false,
        page,
    };
    let sorted = |sort| RunsPageQuery {
        sort,
        ..page.clone()
    };
    let search = |search: &str| RunsPageQuery {
        search: search.to_owned(),
        ..page.clone()
    };
    let of_plan = Query {
        of_plan: true,
        page: page.clone(),
    };
    let failed = RunsPageQuery {
        states: vec![RunStateFilter::Failed],
        ..page.clone()
    };
    let middle = RunsPageQuery {
        after: Some(String::new()),
        ..page.clone()
    };
    vec![
        ("newest", all(page.clone())),
        ("of one blueprint", of_plan),
        ("from the middle", all(middle)),
        ("longest first", all(sorted(RunsSort::Longest))),
        ("costliest first", all(sorted(RunsSort::Costliest))),
        ("failed, of which none", all(failed)),
        ("search for a title", all(search("nightly"))),
        ("search for a number", all(search("#7"))),
        ("search without a hit", all(search("nothing"))),
    ]
}

/// Copies the run until there are `count` runs of its plan, each a second older than the one
/// before.
fn copy_run(env: &TestEnvironment, run: RunId, count: u32) {
    let mut base = Connection::open(env.data().join("baton.db")).expect("a database");
    let all = base.transaction().expect("a transaction");
    all.execute_batch("CREATE TEMP TABLE copies (number INTEGER PRIMARY KEY, id BLOB NOT NULL)")
        .expect("a table");
    all.execute(
        "WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO copies SELECT i, randomblob(16) FROM n WHERE ?1 > 1",
        [count],
    )
    .expect("numbers");
    let changed = |column: &str| match column {
        "id" | "run" => "copies.id".to_owned(),
        "number" => "copies.number".to_owned(),
        "created_at" | "started_at" | "ended_at" => format!("{column} - copies.number * 1000"),
        same => format!("original.{same}"),
    };
    for (table, key) in [("runs", "id"), ("node_states", "run")] {
        let columns = columns_of(&all, table);
        let values: Vec<_> = columns.iter().map(|column| changed(column)).collect();
        let insert = format!(
            "INSERT INTO {table} ({}) SELECT {} FROM {table} AS original CROSS JOIN copies WHERE original.{key} = ?1",
            columns.join(", "),
            values.join(", ")
        );
        all.execute(&insert, params![run.0]).expect("copies");
    }
    all.commit().expect("enough disk space");
    base.execute_batch("ANALYZE").expect("statistics");
}

/// The columns that a row stores.
fn columns_of(base: &Connection, table: &str) -> Vec<String> {
    let mut names = base
        .prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0")
        .expect("a table");
    let rows = names.query_map([table], |row| row.get(0)).expect("columns");
    rows.collect::<Result<_, _>>().expect("names")
}
