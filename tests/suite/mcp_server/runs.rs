//! Asking for runs and following them.

use baton_api::Role;
use baton_api::wire::*;
use baton_model::{PlanId, RunId};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::id;
use serde_json::{Value, json};

use super::client::{DEFAULT_ANSWER_BYTES, McpClient, assert_size};

const PLAN: &str = "
baton: 1
title: Work
nodes:
  - {id: ask, kind: user_input, question: 'Which one?', inputType: text}
  - id: work
    kind: command
    command: 'echo done; echo answer={{nodes.ask.outputs.answer}} >> \"$BATON_OUTPUT\"'
    dependsOn: [ask]
    acceptanceCriteria: [{run: 'true'}]
";

fn ask_for(plan: &PlanView, request_id: &str) -> Value {
    json!({ "plan": plan.plan.id, "version": plan.version, "reason": "tests pass", "requestId": request_id })
}

fn requests(env: &TestEnvironment) -> Vec<RequestView> {
    env.call("requests_list", Nothing {}).expect("a list")
}

fn runs(env: &TestEnvironment, plan: PlanId) -> Vec<RunSummary> {
    let filter = RunsFilter {
        plan: Some(plan),
        limit: 10,
    };
    env.call("runs_list", filter).expect("a list")
}

fn run_of(answer: &Value) -> RunId {
    serde_json::from_value(answer["run"].clone()).unwrap_or_else(|_| panic!("a run: {answer:#}"))
}

#[test]
fn requested_run_waits_for_a_person_who_sees_the_reason() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(PLAN);
    let client = McpClient::connect(&env, &[]);
    let first = client.call("run_request", ask_for(&plan, "one"));
    assert_eq!(first["state"], "waits_for_person");
    assert_eq!(client.call("run_request", ask_for(&plan, "one")), first);
    let waiting = requests(&env);
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].input["reason"], "tests pass");
    assert!(runs(&env, plan.plan.id).is_empty());
    let reused =
        json!({ "plan": plan.plan.id, "version": 1, "reason": "other", "requestId": "one" });
    assert_eq!(client.refused("run_request", reused)["code"], "conflict");

    let request = RequestRef {
        request: waiting[0].id,
    };
    let _: RequestView = env.call("request_allow", request).expect("a person may");
    let started = client.call("run_request", ask_for(&plan, "one"));
    assert_eq!(started["state"], "started");
    assert_eq!(run_of(&started), runs(&env, plan.plan.id)[0].id);
    assert_eq!(runs(&env, plan.plan.id).len(), 1);
}

#[test]
fn denied_and_outdated_requests_say_so() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(PLAN);
    let client = McpClient::connect(&env, &[]);
    client.call("run_request", ask_for(&plan, "denied"));
    let request = RequestRef {
        request: requests(&env)[0].id,
    };
    let _: RequestView = env.call("request_refuse", request).expect("a person may");
    let denied = client.call("run_request", ask_for(&plan, "denied"));
    assert_eq!(denied["state"], "denied");

    let draft = env.import(PLAN);
    let error = client.refused("run_request", ask_for(&draft, "early"));
    assert_eq!(error["code"], "not_approved");
    let mut other = ask_for(&plan, "other");
    other["version"] = json!(plan.version + 1);
    assert_eq!(client.refused("run_request", other)["code"], "conflict");
    assert!(runs(&env, plan.plan.id).is_empty());
}

#[test]
fn run_that_needs_no_person_is_started_by_an_executor_and_never_by_the_server() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(PLAN);
    let allowed = PlanAgentsMayStart {
        plan: plan.plan.id,
        allowed: true,
    };
    let plan: PlanView = env.call("plan_agents_may_start", allowed).expect("a plan");
    let client = McpClient::connect(&env, &[]);
    let waiting = client.call("run_request", ask_for(&plan, "one"));
    assert_eq!(waiting["state"], "waits_for_executor");
    let message = waiting["message"].as_str().expect("text");
    assert!(message.contains("baton serve"), "{message}");
    assert!(runs(&env, plan.plan.id).is_empty());

    let worker = env.second_process(Role::Worker);
    let changes = worker.app.changes();
    while runs(&env, plan.plan.id).is_empty() {
        drop(changes.recv_timeout(std::time::Duration::from_secs(1)));
    }
    let started = client.call("run_request", ask_for(&plan, "one"));
    assert_eq!(started["state"], "started", "{started:#}");
    let run = run_of(&started);
    assert_eq!(worker.app.executing_runs(), [run]);
    let _: RunSummary = env.call("run_cancel", RunRef { run }).expect("it runs");
    env.wait_until(run, |view| view.summary.state.has_ended());

    let again = client.call("run_request", ask_for(&plan, "two"));
    assert_eq!(again["state"], "started", "{again:#}");
    assert_ne!(run_of(&again), run);
    worker.app.shut_down();
}

#[test]
fn run_is_followed_by_waiting_for_its_events() {
    let env = TestEnvironment::new();
    let run = env.start(PLAN).summary.id;
    let view = env.wait_until(run, |view| view.summary.state.is_running() && view.seq > 1);
    let client = McpClient::connect(&env, &[]);
    let first = client
        .try_call("run_get", json!({ "run": run }))
        .expect("a result");
    assert_size(&first, DEFAULT_ANSWER_BYTES);
    let first = first.structured_content.expect("structured");
    assert_eq!(first["state"], "running");
    assert_eq!(first["waitsFor"], json!(["ask: answer: Which one?"]));
    assert_eq!(first["total"], 2);

    let answer = NodeInput {
        run,
        node: id(&view, "ask"),
        value: "that one".to_owned(),
    };
    let _: RunSummary = env.call("node_input", answer).expect("it asks");
    let mut seq = first["seq"].clone();
    let end = loop {
        let arguments = json!({ "run": run, "since": seq, "waitMs": 50_000 });
        let next = client.call("run_get", arguments);
        if next["state"] == "completed" {
            break next;
        }
        assert_ne!(next["seq"], seq, "it waits for an event");
        seq = next["seq"].clone();
    };
    assert_eq!(end["counts"], json!({ "done": 2 }));

    let part = |part: &str, node: Option<&str>| {
        let arguments = json!({ "run": run, "part": part, "node": node });
        let result = client.try_call("run_get", arguments).expect("a result");
        assert_size(&result, DEFAULT_ANSWER_BYTES);
        result.structured_content.expect("structured")
    };
    let handoff = part("handoff", Some("work"));
    assert!(handoff["handoff"].as_str().expect("text").contains("done"));
    assert_eq!(handoff["rows"], json!(["answer=that one"]));
    let evidence = part("evidence", Some("work"));
    assert!(
        evidence["rows"][0]
            .as_str()
            .expect("a row")
            .contains("criterion")
    );
    let timeline = part("timeline", None);
    assert_eq!(timeline["total"], end["seq"]);
    let node = id(&view, "work");
    let address = format!("baton://runs/{run}/nodes/{node}/handoff");
    let document = client.read(&address).expect("a document");
    assert_eq!(json!(document), handoff["handoff"]);
    for (arguments, code) in [
        (json!({ "run": run, "part": "handoff" }), "bad_input"),
        (
            json!({ "run": run, "part": "handoff", "node": "none" }),
            "not_found",
        ),
    ] {
        assert_eq!(client.refused("run_get", arguments)["code"], code);
    }
}

#[test]
fn agent_may_always_cancel() {
    let env = TestEnvironment::new();
    let run = env.start(PLAN).summary.id;
    let client = McpClient::connect(&env, &["--tools", "all"]);
    client.call("run_cancel", json!({ "run": run }));
    env.wait_until(run, |view| view.summary.state.has_ended());
    let seen = client.call("run_get", json!({ "run": run }));
    assert_eq!(seen["state"], "cancelled");
}
