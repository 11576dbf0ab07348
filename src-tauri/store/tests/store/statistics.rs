//! Statistics over rows written by this file, so that each result can be computed manually.

use baton_model::{NodeId, Plan, RunId, Timestamp};
use baton_store::{
    Actor, Durations, ReviewCounts, RunCounts, StatisticsFilter, Store, TakeoverStatistics, Tokens,
    UsageTotals,
};
use rusqlite::{Connection, params};
use tempfile::TempDir;
use uuid::Uuid;

use crate::sample_run::{SampleRun, layered_plan, open};

/// Noon UTC on November 20, 2026: the same day in almost every time zone.
const NOON: i64 = 1_795_176_000_000;
const DAY: i64 = 24 * 60 * 60 * 1000;
const COMPLETED: &str = r#"{"state":"completed"}"#;
const FAILED: &str = r#"{"state":"failed","message":"m"}"#;
const CANCELLED: &str = r#"{"state":"cancelled"}"#;
const RUNNING: &str = r#"{"state":"running","ending":null}"#;
const SUCCEEDED: Option<&str> = Some(r#"{"kind":"succeeded"}"#);

/// A store, and a second connection that writes to its tables.
struct StatisticsFixture {
    store: Store,
    rows: Connection,
    _folder: TempDir,
}

/// An attempt to write: agent, outcome, start and end, and usage.
type AttemptSpec<'a> = (
    Option<&'a str>,
    Option<&'a str>,
    (i64, i64),
    Option<&'a str>,
);

impl StatisticsFixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).unwrap();
        let rows = Connection::open(folder.path().join("baton.db")).unwrap();
        Self {
            store,
            rows,
            _folder: folder,
        }
    }

    fn plan(&self, title: &str, nodes: usize) -> Plan {
        let mut plan = layered_plan(nodes, 1);
        title.clone_into(&mut plan.title);
        self.store
            .plans()
            .create(&plan, &Actor::PERSON, Timestamp(1))
            .unwrap();
        plan
    }

    fn run(&self, plan: &Plan, state: &str, begun: i64, took: Option<i64>) -> RunId {
        let run = RunId(Uuid::now_v7());
        let insert = "INSERT INTO runs (id, plan, version, state, executor, epoch, last_seq, node_limit, actor,
             created_at, started_at, ended_at) VALUES (?1, ?2, 1, ?3, ?1, 0, 0, 1, '', ?4, ?4, ?5)";
        let values = params![
            run.0,
            plan.id.0,
            state,
            begun,
            took.map(|took| begun + took)
        ];
        self.rows.execute(insert, values).unwrap();
        run
    }

    fn attempt(
        &self,
        run: RunId,
        node: NodeId,
        number: u32,
        (agent, outcome, (from, to), usage): AttemptSpec<'_>,
    ) {
        let session = Uuid::now_v7();
        let ended_at = outcome.map(|_| to);
        let attempt = "INSERT INTO attempts (run, node, attempt, session, reserved_at, started_at, ended_at, outcome)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7)";
        self.rows
            .execute(
                attempt,
                params![run.0, node.0, number, session, from, ended_at, outcome],
            )
            .unwrap();
        let insert =
            "INSERT INTO sessions (id, run, node, attempt, agent, folder, title, created_at, usage)
             VALUES (?1, ?2, ?3, ?4, ?5, '', '', ?6, ?7)";
        self.rows
            .execute(
                insert,
                params![session, run.0, node.0, number, agent, from, usage],
            )
            .unwrap();
    }
}

/// Two plans: Alpha with an agent node and a command node, Beta with one command node.
fn two_plans() -> (StatisticsFixture, Plan, Plan) {
    let fixture = StatisticsFixture::new();
    let (alpha, beta) = (fixture.plan("Alpha", 2), fixture.plan("Beta", 1));
    let agent = "UPDATE plan_nodes SET kind = 'agent' WHERE node = ?1";
    fixture.rows.execute(agent, [alpha.nodes[0].id.0]).unwrap();
    fixture
        .rows
        .execute(
            "UPDATE plans SET review = '\"approved\"' WHERE id = ?1",
            [alpha.id.0],
        )
        .unwrap();
    let (agent, command) = (alpha.nodes[0].id, alpha.nodes[1].id);

    let old = fixture.run(&alpha, COMPLETED, NOON - 30 * DAY, Some(1_000));
    let reported = r#"{"inputTokens":100,"outputTokens":20,"cacheReadTokens":null,"cacheWriteTokens":null,"usd":0.5}"#;
    fixture.attempt(
        old,
        agent,
        1,
        (
            Some("claude"),
            SUCCEEDED,
            (NOON - 30 * DAY, NOON - 30 * DAY + 600),
            Some(reported),
        ),
    );

    let failed = fixture.run(&alpha, FAILED, NOON - DAY, Some(9_000));
    let exit =
        |code| format!(r#"{{"kind":"failed","failure":{{"reason":"exit_code","code":{code}}}}}"#);
    let said = |what| {
        format!(
            r#"{{"kind":"failed","failure":{{"reason":"agent_error","detail":"{what}: really"}}}}"#
        )
    };
    let cached = r#"{"inputTokens":1,"outputTokens":2,"cacheReadTokens":3,"cacheWriteTokens":4}"#;
    for (number, outcome, at, usage) in [
        (1, said("late"), 4_000, None),
        (2, said("early"), 2_000, Some(cached)),
        (3, exit(1), 0, None),
    ] {
        let begun = NOON - DAY + at;
        fixture.attempt(
            failed,
            agent,
            number,
            (
                Some("claude"),
                Some(&outcome),
                (begun, begun + 1_000),
                usage,
            ),
        );
    }
    fixture.attempt(
        failed,
        command,
        1,
        (None, Some(&exit(2)), (NOON - DAY, NOON - DAY + 200), None),
    );

    let cancelled = fixture.run(&beta, CANCELLED, NOON - DAY, Some(2_000));
    let stopped = Some(r#"{"kind":"cancelled"}"#);
    fixture.attempt(
        cancelled,
        beta.nodes[0].id,
        1,
        (None, stopped, (NOON - DAY, NOON - DAY + 2_000), None),
    );
    let running = fixture.run(&beta, RUNNING, NOON, None);
    fixture.attempt(running, beta.nodes[0].id, 1, (None, None, (NOON, 0), None));
    let lost = Some(r#"{"kind":"lost","detail":"d"}"#);
    let removed = NodeId(Uuid::now_v7());
    fixture.attempt(
        running,
        removed,
        1,
        (Some("codex"), lost, (NOON, NOON + 5), None),
    );
    (fixture, alpha, beta)
}

#[test]
fn unknown_statistics_are_none_not_zero() {
    let figures = StatisticsFixture::new()
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    assert_eq!(figures.runs, RunCounts::default());
    assert_eq!(
        (figures.completion_rate, figures.run_durations),
        (None, None)
    );
    assert_eq!(
        (
            figures.plans.mean_nodes,
            figures.plans.median_nodes,
            figures.plans.most_nodes
        ),
        (None, None, None)
    );
    assert_eq!(figures.used, UsageTotals::default());
    assert_eq!((figures.used.tokens, figures.used.usd), (None, None));
    assert!(figures.days.is_empty() && figures.by_plan.is_empty() && figures.kinds.is_empty());
}

#[test]
fn runs_and_plans_are_counted() {
    let (fixture, ..) = two_plans();
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    let runs = RunCounts {
        running: 1,
        completed: 1,
        failed: 1,
        cancelled: 1,
        ..RunCounts::default()
    };
    assert_eq!(figures.runs, runs);
    assert_eq!(
        figures.completion_rate,
        Some(1.0 / 3.0),
        "of the three that ended"
    );
    let spans = Durations {
        count: 3,
        mean_ms: 4_000,
        median_ms: 2_000,
    };
    assert_eq!(figures.run_durations, Some(spans), "1, 2 and 9 s");
    assert_eq!(
        figures.plans.reviews,
        ReviewCounts {
            draft: 1,
            approved: 1,
            ..ReviewCounts::default()
        }
    );
    assert_eq!(
        (
            figures.plans.mean_nodes,
            figures.plans.median_nodes,
            figures.plans.most_nodes
        ),
        (Some(1.5), Some(1), Some(2))
    );
    assert_eq!(figures.unreadable, 0);
}

#[test]
fn attempts_are_counted_by_kind_agent_and_failure_reason() {
    let (fixture, alpha, _) = two_plans();
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    let kinds: Vec<_> = figures
        .kinds
        .iter()
        .map(|kind| (kind.kind.as_deref(), kind.attempts.total()))
        .collect();
    assert_eq!(
        kinds,
        [(Some("agent"), 4), (Some("command"), 3), (None, 1)],
        "one node is no longer in its plan"
    );
    let command = &figures.kinds[1];
    assert_eq!(
        (
            command.attempts.failed,
            command.attempts.cancelled,
            command.attempts.live
        ),
        (1, 1, 1)
    );
    assert_eq!(
        command.durations,
        Some(Durations {
            count: 2,
            mean_ms: 1_100,
            median_ms: 200
        }),
        "the live one has none"
    );
    let measured =
        "UPDATE sessions SET worked_ms = 190 WHERE agent IS NULL AND (run, node, attempt) IN
        (SELECT run, node, attempt FROM attempts WHERE ended_at - started_at = 200)";
    assert_eq!(fixture.rows.execute(measured, []).unwrap(), 1);
    let again = fixture.store.statistics(StatisticsFilter::default());
    assert_eq!(
        again.unwrap().kinds[1]
            .durations
            .as_ref()
            .map(|spans| spans.median_ms),
        Some(190),
        "the measured time counts"
    );

    let agents: Vec<_> = figures
        .agents
        .iter()
        .map(|agent| agent.agent.as_str())
        .collect();
    assert_eq!(agents, ["claude", "codex"]);
    let claude = &figures.agents[0];
    assert_eq!((claude.attempts.succeeded, claude.attempts.failed), (1, 3));
    assert_eq!(
        claude.durations,
        Some(Durations {
            count: 4,
            mean_ms: 900,
            median_ms: 1_000
        })
    );
    let failures: Vec<_> = claude
        .failures
        .iter()
        .map(|failure| {
            (
                failure.reason.as_str(),
                failure.count,
                failure.latest.as_str(),
            )
        })
        .collect();
    let expected = [
        ("hit an agent error", 2, "hit an agent error: late: really"),
        ("ended with exit code 1", 1, "ended with exit code 1"),
    ];
    assert_eq!(
        failures, expected,
        "the variable part doesn't make a separate reason"
    );
    let failed = claude.failures[0].latest_node.expect("it can be opened");
    let is_failed = "SELECT state = ?2 FROM runs WHERE id = ?1";
    assert!(
        fixture
            .rows
            .query_row(is_failed, params![failed.run.0, FAILED], |row| row
                .get::<_, bool>(0))
            .unwrap(),
        "in the run where it failed"
    );
    assert_eq!(failed.node, alpha.nodes[0].id);
    assert_eq!(figures.agents[1].attempts.lost, 1);
}

#[test]
fn failure_of_a_planner_leads_nowhere() {
    let (fixture, alpha, _) = two_plans();
    let insert = "INSERT INTO proposals (id, planning, is_open, revision, content, created_at)
         VALUES (?1, ?1, 1, 1, '{}', 1)";
    fixture.rows.execute(insert, [alpha.id.0]).unwrap();
    let mark = "UPDATE plans SET planner = 1 WHERE id = ?1";
    fixture.rows.execute(mark, [alpha.id.0]).unwrap();
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    let claude = &figures.agents[0];
    assert_eq!(claude.agent, "claude");
    assert_eq!(claude.failures[0].latest_node, None);
}

#[test]
fn unreported_usage_is_counted_separately() {
    let (fixture, ..) = two_plans();
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    let claude = &figures.agents[0].used;
    let tokens = Tokens {
        input: 101,
        output: 22,
        cache_read: 3,
        cache_write: 4,
    };
    assert_eq!(claude.tokens, Some(tokens));
    assert_eq!((claude.sessions, claude.without_tokens), (4, 2));
    assert_eq!(
        (claude.usd, claude.without_usd),
        (Some(0.5), 3),
        "one reported tokens but no cost"
    );
    let codex = &figures.agents[1].used;
    assert_eq!((codex.sessions, &codex.tokens, codex.usd), (1, &None, None));
    assert_eq!(
        (figures.used.sessions, figures.used.without_tokens),
        (5, 3),
        "commands have no usage"
    );
}

#[test]
fn plans_and_days_add_up_to_the_totals() {
    let (fixture, ..) = two_plans();
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    let plans: Vec<_> = figures
        .by_plan
        .iter()
        .map(|plan| (plan.title.as_str(), plan.runs.total()))
        .collect();
    assert_eq!(plans, [("Alpha", 2), ("Beta", 2)], "more expensive first");
    assert_eq!(
        figures.by_plan[0].durations,
        Some(Durations {
            count: 2,
            mean_ms: 5_000,
            median_ms: 1_000
        })
    );
    let days: Vec<_> = figures
        .days
        .iter()
        .map(|day| (day.day.as_str(), day.runs.total(), day.used.sessions))
        .collect();
    assert_eq!(
        days,
        [
            ("2026-10-21", 1, 1),
            ("2026-11-19", 2, 3),
            ("2026-11-20", 1, 1)
        ]
    );
    let sessions: u32 = figures.days.iter().map(|day| day.used.sessions).sum();
    assert_eq!(sessions, figures.used.sessions);
}

#[test]
fn filter_selects_runs_with_their_attempts() {
    let (fixture, alpha, beta) = two_plans();
    let since = Some(Timestamp(NOON - 7 * DAY));
    let lately = fixture
        .store
        .statistics(StatisticsFilter { since, plan: None })
        .unwrap();
    assert_eq!((lately.runs.total(), lately.runs.completed), (3, 0));
    assert_eq!(
        (lately.used.usd, lately.used.without_usd),
        (None, 4),
        "the older run's cost isn't included"
    );
    assert_eq!(
        lately.plans.reviews.approved, 1,
        "plans count regardless of their age"
    );
    let one = fixture
        .store
        .statistics(StatisticsFilter {
            since,
            plan: Some(alpha.id),
        })
        .unwrap();
    assert_eq!((one.runs.total(), one.runs.failed), (1, 1));
    assert_eq!(
        (one.plans.reviews.draft, one.plans.most_nodes),
        (0, Some(2)),
        "only the plan itself"
    );
    let other = fixture
        .store
        .statistics(StatisticsFilter {
            since: None,
            plan: Some(beta.id),
        })
        .unwrap();
    assert_eq!(
        (other.runs.total(), other.by_plan.len(), other.agents.len()),
        (2, 1, 1)
    );
}

#[test]
fn plans_beyond_the_limit_are_counted() {
    let fixture = StatisticsFixture::new();
    for number in 0..53 {
        fixture.run(
            &fixture.plan(&format!("Plan {number}"), 1),
            COMPLETED,
            NOON,
            Some(1),
        );
    }
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    assert_eq!((figures.by_plan.len(), figures.more_plans), (50, 3));
}

#[test]
fn a_damaged_row_does_not_hide_the_others() {
    let (fixture, alpha, _) = two_plans();
    fixture.run(&alpha, "no JSON", NOON, None);
    fixture
        .rows
        .execute("UPDATE sessions SET usage = '{' WHERE agent = 'codex'", [])
        .unwrap();
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    assert_eq!(
        (
            figures.unreadable,
            figures.runs.total(),
            figures.agents.len()
        ),
        (2, 4, 1)
    );
}

#[test]
fn takeovers_are_counted_with_their_runs() {
    let (fixture, _, beta) = two_plans();
    let run = fixture.run(&beta, COMPLETED, NOON, Some(10));
    let insert = "INSERT INTO takeovers (run, epoch, at, executor, previous, last_beat, previous_ended, done_nodes,
         live_sessions, displaced_at) VALUES (?1, ?2, ?3, ?1, ?1, ?4, 0, 0, 0, ?5)";
    fixture
        .rows
        .execute(insert, params![run.0, 1, NOON, NOON - 4_000, NOON + 1])
        .unwrap();
    fixture
        .rows
        .execute(insert, params![run.0, 2, NOON, NOON - 2_000, None::<i64>])
        .unwrap();
    let all = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap()
        .takeovers;
    let expected = TakeoverStatistics {
        count: 2,
        runs: 1,
        displaced: 1,
        inherited_whole: 2,
        takeover_rate: Some(0.2),
        displacement_rate: Some(0.5),
        inherited_whole_rate: Some(1.0),
        mean_recovery_ms: Some(3_000),
    };
    assert_eq!(all, expected);
    fixture.run(&beta, COMPLETED, NOON, Some(10));
    let attempt =
        "INSERT INTO attempts (run, node, attempt, session, reserved_at, ended_at, outcome)
         VALUES (?1, ?1, 1, ?1, ?2, ?3, '{\"kind\":\"lost\"}')";
    fixture
        .rows
        .execute(attempt, params![run.0, NOON - 1, NOON + 5])
        .unwrap();
    let all = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap()
        .takeovers;
    let rates = (all.takeover_rate, all.inherited_whole_rate);
    assert_eq!(
        rates,
        (Some(1.0 / 6.0), Some(0.0)),
        "one of six runs, and a session was lost"
    );
    let later = StatisticsFilter {
        since: Some(Timestamp(NOON + 1)),
        plan: None,
    };
    let none = TakeoverStatistics::default();
    assert_eq!(fixture.store.statistics(later).unwrap().takeovers, none);
}

#[test]
fn stored_runs_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    SampleRun::begin(&store, layered_plan(2, 2)).finish();
    let figures = store.statistics(StatisticsFilter::default()).unwrap();
    assert_eq!(
        (figures.runs.completed, figures.completion_rate),
        (1, Some(1.0))
    );
    let kinds: Vec<_> = figures
        .kinds
        .iter()
        .map(|kind| (kind.kind.as_deref(), kind.attempts.succeeded))
        .collect();
    assert_eq!(kinds, [(Some("command"), 4)]);
    assert_eq!(figures.unreadable, 0);
}

#[test]
fn ten_thousand_runs_are_counted() {
    let fixture = StatisticsFixture::new();
    let plan = fixture.plan("Big", 5);
    fixture.rows.execute_batch("BEGIN").unwrap();
    let reported = r#"{"inputTokens":100,"outputTokens":20,"cacheReadTokens":7,"cacheWriteTokens":8,"usd":0.5}"#;
    for number in 0..10_000 {
        let begun = NOON - number * 60_000;
        let run = fixture.run(&plan, COMPLETED, begun, Some(number));
        for node in &plan.nodes {
            fixture.attempt(
                run,
                node.id,
                1,
                (
                    Some("claude"),
                    SUCCEEDED,
                    (begun, begun + number),
                    Some(reported),
                ),
            );
        }
    }
    fixture.rows.execute_batch("COMMIT").unwrap();
    let figures = fixture
        .store
        .statistics(StatisticsFilter::default())
        .unwrap();
    assert_eq!(
        (figures.runs.completed, figures.used.sessions),
        (10_000, 50_000)
    );
}
