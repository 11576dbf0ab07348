//! Tests that queries only read: their results are up to date without a running executor, and the
//! database doesn't change.

use std::fmt::Write as _;

use baton_api::wire::*;
use baton_api::{Code, OPERATIONS, OperationKind, Role, call};
use baton_model::planning::{Proposal, ProposalState};
use baton_model::{ProposalId, RunState, SessionId, Timestamp};
use baton_store::{Actor, Options, ProposalUpdate, Store};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::{id, node};
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};

use super::planning::{GOOD, accept, planner_environment, settled, show};

const PLAN: &str = "{baton: 1, title: Work, nodes: [
    {id: first, kind: command, command: 'echo first'},
    {id: second, kind: command, command: 'test -e needed.txt', dependsOn: [first]}]}";
/// Creates the missing file before the node that failed.
const REPAIRED: &str = r#"{"reasoning": "The file was missing.", "nodes": [
  {"id": "first", "keep": true},
  {"id": "make", "title": "Make", "kind": "command", "command": "touch needed.txt", "dependsOn": ["first"]},
  {"id": "second", "keep": true, "dependsOn": ["make"]}]}"#;

/// Queries about things that this test doesn't create.
const ABSENT: [&str; 7] = [
    "session_question",
    "session_file",
    "request_get",
    "transcript_get",
    "transcript_timeline",
    "transcript_entry",
    "transcript_find",
];

/// Dumps every row of every table except for the executors, which renew their lease every few
/// seconds.
fn rows(env: &TestEnvironment) -> String {
    let database = Connection::open(env.data().join("baton.db")).expect("the same database");
    let tables: Vec<String> = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'executors' ORDER BY name")
        .and_then(|mut tables| tables.query_map([], |row| row.get(0))?.collect())
        .expect("tables");
    let mut text = String::new();
    for table in tables {
        let mut all = database
            .prepare(&format!("SELECT * FROM \"{table}\""))
            .expect("a table");
        let columns = all.column_count();
        let mut found = all.query([]).expect("rows");
        while let Some(row) = found.next().expect("a row") {
            let cells: Vec<Cell> = (0..columns)
                .map(|column| row.get(column).expect("a value"))
                .collect();
            writeln!(text, "{table} {cells:?}").expect("a text grows");
        }
    }
    text
}

fn store(env: &TestEnvironment) -> Store {
    Store::open_with(env.data(), Options::default()).expect("the same data")
}

/// Stores a changed proposal, as a process would have left it that was killed at that point.
fn rewind(env: &TestEnvironment, proposal: ProposalId, changed: impl FnOnce(&mut Proposal)) {
    let store = store(env);
    let mut row = store
        .proposals()
        .get(proposal)
        .expect("the proposal exists");
    changed(&mut row.proposal);
    store
        .proposals()
        .update(
            &row.proposal,
            row.revision,
            ProposalUpdate::default(),
            &Actor::PERSON,
        )
        .expect("no conflicting write");
}

fn unanswered(proposal: &mut Proposal) {
    (proposal.state, proposal.draft) = (ProposalState::Working, None);
}

fn listed(env: &TestEnvironment) -> Vec<ProposalSummary> {
    let filter = ProposalsFilter {
        open: true,
        plan: None,
        limit: 10,
    };
    env.call("proposals_list", filter).expect("proposals")
}

fn nodes(plan: &baton_model::Plan) -> Vec<baton_model::NodeId> {
    plan.nodes.iter().map(|node| node.id).collect()
}

#[test]
fn unstored_answer_is_shown_and_can_be_accepted() {
    let first = planner_environment(&[GOOD]);
    let wish = json!({"goal": "Do it.", "cwd": first.work_dir.path(), "agent": "planner"});
    let begun: ProposalView = first.call("plan_generate", wish).expect("a planner");
    let proposal = settled(&first, begun.summary.id).summary.id;
    let env = first.second_process(Role::Cli);
    drop(first);
    rewind(&env, proposal, unanswered);

    let before = rows(&env);
    let shown = show(&env, proposal);
    assert_eq!(shown.summary.state, ProposalState::Ready, "{shown:#?}");
    let draft = shown.draft.clone().expect("two nodes");
    let again = show(&env, proposal);
    assert_eq!(again.draft, shown.draft, "a second query returns the same");
    assert_eq!(again.summary.expires_at, shown.summary.expires_at);
    assert_eq!(listed(&env)[0].state, ProposalState::Ready);
    let inbox: Vec<InboxItem> = env.call("inbox_list", Nothing {}).expect("an inbox");
    assert!(
        matches!(
            inbox[..],
            [InboxItem {
                ask: InboxRequest::Proposal { .. },
                ..
            }]
        ),
        "{inbox:?}"
    );
    assert_eq!(rows(&env), before, "queries store nothing");

    let accepted = accept(&env, proposal).expect("the proposal is ready");
    assert_eq!(nodes(&accepted.plan.plan), nodes(&draft));
}

#[test]
fn run_with_expired_proposal_has_its_earlier_state() {
    let first = planner_environment(&[REPAIRED]);
    let run = first.finish(first.start(PLAN).summary.id).summary.id;
    let begun: ProposalView = first
        .call("run_replan", json!({"run": run, "agent": "planner"}))
        .expect("the run has failed");
    let proposal = settled(&first, begun.summary.id).summary.id;
    let env = first.second_process(Role::Cli);
    drop(first);
    assert!(
        matches!(env.view(run).summary.state, RunState::Replanning { .. }),
        "the run waits for a person"
    );
    rewind(&env, proposal, |proposal| {
        proposal.expires_at = Timestamp(1)
    });

    let before = rows(&env);
    assert_eq!(show(&env, proposal).summary.state, ProposalState::Expired);
    let summary = env.view(run).summary;
    assert!(
        matches!(summary.state, RunState::Failed { .. }),
        "{summary:?}"
    );
    let overview: Overview = env.call("overview_get", Nothing {}).expect("an overview");
    assert!(overview.runs.is_empty(), "{overview:?}");
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    let last = plans.iter().find_map(|plan| plan.last_run.clone());
    assert!(matches!(
        last.expect("a run").state,
        RunState::Failed { .. }
    ));
    assert_eq!(rows(&env), before, "queries store nothing");
}

#[test]
fn stalled_run_returns_to_the_inbox_when_its_proposal_expires() {
    let first = planner_environment(&[REPAIRED]);
    let run = first.finish(first.start(PLAN).summary.id).summary.id;
    let begun: ProposalView = first
        .call("run_replan", json!({"run": run, "agent": "planner"}))
        .expect("the run has failed");
    let proposal = settled(&first, begun.summary.id).summary.id;
    let env = first.second_process(Role::Cli);
    drop(first);
    Connection::open(env.data().join("baton.db"))
        .and_then(|database| {
            let stalled =
                "UPDATE runs SET state = replace(state, '\"failed\"', '\"stalled\"') WHERE id = ?";
            database.execute(stalled, [run.0])
        })
        .expect("the same database");
    let asks = || {
        let items: Vec<InboxItem> = env.call("inbox_list", Nothing {}).expect("an inbox");
        let of_run = |item: &&InboxItem| matches!(item.ask, InboxRequest::Stalled { .. });
        items.iter().filter(of_run).count()
    };
    assert_eq!(asks(), 0, "the run waits for the proposal");
    rewind(&env, proposal, |proposal| {
        proposal.expires_at = Timestamp(1)
    });
    assert_eq!(asks(), 1);
}

#[test]
fn queries_never_write_to_the_database() {
    let env = planner_environment(&[REPAIRED, GOOD]);
    let run = env.finish(env.start(PLAN).summary.id).summary.id;
    let begun: ProposalView = env
        .call("run_replan", json!({"run": run, "agent": "planner"}))
        .expect("the run has failed");
    let proposal = settled(&env, begun.summary.id).summary.id;
    let wish = json!({"goal": "Do it.", "cwd": env.work_dir.path(), "agent": "planner"});
    let begun: ProposalView = env.call("plan_generate", wish).expect("a planner");
    let unstored = settled(&env, begun.summary.id).summary.id;
    let looker = env.second_process(Role::Cli);
    let view = env.view(run);
    let (first, second) = (id(&view, "first"), id(&view, "second"));
    let session = node(&view, "first")
        .session
        .expect("the node has a session");
    let artifact = node(&view, "first")
        .artifact
        .expect("the node has a handoff");
    drop(env);
    // Each of these has a result that no process has stored yet.
    rewind(&looker, proposal, |proposal| {
        proposal.expires_at = Timestamp(1)
    });
    rewind(&looker, unstored, unanswered);

    let plan = view.summary.plan;
    let content = serde_json::to_value(&view.plan).expect("JSON");
    let file = json!({"fileName": "plan.yaml", "text": PLAN});
    let node_ref = json!({"run": run, "node": first});
    let before = rows(&looker);
    let mut wrong = Vec::new();
    for operation in OPERATIONS
        .iter()
        .filter(|known| known.kind() == OperationKind::Query)
    {
        let input = match operation.name {
            "plan_get" | "plan_thumbnail" | "plan_preflight" | "plan_simulate"
            | "approval_changes" | "plan_versions" | "grants_list" | "pinned_outputs" => {
                json!({"plan": plan})
            }
            "plan_check" => json!({"plan": content}),
            "plan_arrange" => {
                json!({"plan": content, "direction": "top_down", "missingOnly": false})
            }
            "plan_look" | "plan_read" => file.clone(),
            "plan_export" => json!({"plan": plan, "format": "yaml"}),
            "plan_draw" => {
                json!({"plan": content, "format": "mermaid", "run": run, "direction": "top_down", "dark": false})
            }
            "plan_picture" => {
                json!({"plan": content, "run": run, "direction": "top_down", "dark": false})
            }
            "plan_version_get" => json!({"plan": plan, "version": 1}),
            "plan_compare" => json!({"plan": plan, "from": 1, "to": 1}),
            "plan_pace" => json!({"plan": plan, "run": run}),
            "directory_check" => json!({"path": looker.work_dir.path()}),
            "proposals_list" => json!({"open": false, "limit": 10}),
            "guarded_calls_list" => json!({"limit": 10}),
            "proposal_get" | "proposal_simulate" => json!({"proposal": proposal}),
            "runs_list" | "runs_ended" | "sessions_list" => json!({"limit": 10}),
            "plans_page" => {
                json!({"statuses": ["pending", "completed"], "search": "first", "limit": 10})
            }
            "plans_stats" => json!({"user": "default"}),
            "plan_history" => json!({"plan": plan, "limit": 10}),
            "plan_events" => json!({"plan": plan, "after": 0, "limit": 10}),
            "run_wait" => json!({"run": run, "timeoutMs": 0}),
            "runs_page" => {
                json!({"states": [], "search": "first", "sort": "longest", "limit": 10})
            }
            "run_get" | "run_summaries" | "run_checkpoints" | "artifacts_list" | "run_home"
            | "run_overlaps" | "run_pull_request" => {
                json!({"run": run})
            }
            "run_rerun_preview" => json!({"run": run, "nodes": [first], "scope": "from_here"}),
            "run_progress" | "run_course" => json!({"run": run, "after": 0}),
            "run_export" => json!({"run": run, "format": "html"}),
            "run_history" => json!({"run": run, "after": 0, "limit": 100}),
            "session_question" => json!({"session": session, "request": "none"}),
            "node_attempts" | "node_diff" | "node_summary" | "node_context" | "evidence_get"
            | "node_fan_in" => node_ref.clone(),
            "edge_context" => json!({"run": run, "parent": first, "child": second}),
            "handoffs_compare" => json!({"a": run, "b": run}),
            "artifact_get" => json!({"artifact": artifact}),
            "session_get" | "session_reach" => json!({"session": session}),
            "session_timeline" => json!({"session": session, "from": 0, "limit": 10}),
            "session_entry" => json!({"session": session, "seq": 0}),
            "output_window" => {
                json!({"session": session, "anchor": {"kind": "end"}, "before": 10, "after": 0})
            }
            "output_search" => {
                json!({"session": session, "pattern": {"kind": "error"}, "from": 0, "limit": 10})
            }
            "output_line_count" => json!({"session": session}),
            "output_text" => json!({"session": session, "from": 0, "to": 100, "colors": true}),
            "session_search" => json!({"session": session, "text": "first", "limit": 10}),
            "session_file" => json!({"session": session, "path": "none"}),
            "transcripts_list" => json!({}),
            "transcripts_search" => {
                json!({"text": "first", "filter": {}, "offset": 0, "limit": 10})
            }
            "transcript_get" => json!({"id": "none"}),
            "transcript_timeline" => json!({"id": "none", "from": 0, "limit": 10}),
            "transcript_entry" => json!({"id": "none", "seq": 0}),
            "transcript_find" => json!({"id": "none", "text": "first", "limit": 10}),
            "statistics_get" => json!({}),
            "request_get" => json!({"request": SessionId(uuid::Uuid::nil())}),
            _ => Value::Null,
        };
        match call(&looker.app, operation.name, input) {
            Ok(_) => {}
            // These don't exist here. The test only checks that the query doesn't fail because it
            // needs to write.
            Err(error) if error.code == Code::NotFound && ABSENT.contains(&operation.name) => {}
            // The plan's directory is no repository.
            Err(error) if error.code == Code::Refused && operation.name == "run_pull_request" => {}
            Err(error) => wrong.push(format!("{}: {error:?}", operation.name)),
        }
        if rows(&looker) != before {
            wrong.push(format!("{} wrote to the database", operation.name));
            break;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
