//! Tests the tools that a session gets for its own attempt.

use baton_agents::tool_server::SESSION_TOOLS;
use baton_api::wire::*;
use baton_tests::model_api::{ModelApi, Seen};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, program, state_labels};
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp_server::python;
use crate::real_agent::agent;

#[test]
fn outside_client_in_a_session_sees_exactly_the_tools_of_its_attempt() {
    let env = TestEnvironment::new();
    let text = format!(
        "
baton: 1
title: Tools
nodes:
  - {{id: before, kind: command, command: 'echo topic=cats >> $BATON_OUTPUT'}}
  - id: work
    kind: command
    dependsOn: [before]
    command: PYTHONPATH={packages} python3 {script} {baton} mcp > seen
  - {{id: after, kind: command, dependsOn: [work], command: 'printf %s {{{{nodes.work.outputs.answer}}}} > got'}}
",
        packages = python::packages().display(),
        script = python::fixture("mcp_session_client.py").display(),
        baton = program("baton").display(),
    );
    let run = env.start(&text).summary.id;
    let view = env.finish(run);
    assert_eq!(
        state_labels(&view),
        ["before done", "work done", "after done"],
        "{}",
        env.read("seen")
    );
    let seen: Value = serde_json::from_str(&env.read("seen")).expect("JSON");
    assert_eq!(seen["tools"], json!(SESSION_TOOLS), "{seen:#}");
    let context = &seen["context"];
    assert_eq!(context["node"], "work", "{seen:#}");
    assert_eq!(context["outputs"]["before"]["topic"], "cats", "{seen:#}");
    assert_eq!(context["outline"].as_array().map(Vec::len), Some(3));
    assert_eq!(seen["set"]["error"], false, "{seen:#}");
    for wrong in ["lines", "name"] {
        assert_eq!(seen[wrong]["code"], "bad_input", "{seen:#}");
    }
    assert_eq!(seen["report"]["added"], true, "{seen:#}");
    assert_eq!(seen["again"]["added"], false, "{seen:#}");
    assert_eq!(seen["replan"]["state"], "waits_for_person", "{seen:#}");
    assert!(seen["unknown"]["refused"].is_string(), "{seen:#}");
    assert_eq!(env.read("got"), "42 = x");
    let reference = AttemptRef {
        run,
        node: id(&view, "work"),
        attempt: None,
    };
    let summary: SummaryView = env.call("node_summary", reference).expect("a summary");
    assert_eq!(summary.markdown, "- **Important:** Half of it.\n");
    let filter = ProposalsFilter {
        open: true,
        plan: Some(view.summary.plan),
        limit: 10,
    };
    let proposals: Vec<ProposalSummary> = env.call("proposals_list", filter).expect("a list");
    assert_eq!(proposals.len(), 1, "a person decides about it");
}

/// The calls that the scripted model makes.
fn calls() -> String {
    let calls = json!([
        {"tool": "context_get", "arguments": {}},
        {"tool": "output_set", "arguments": {"key": "answer", "value": "from the agent"}},
        {"tool": "report", "arguments": {"kind": "progress", "text": "Half of it."}},
    ]);
    format!("Do it. CALLS={calls}")
}

/// Runs a plan with a node of the agent `name`, and returns the run and whether the model
/// was offered Baton's tools.
fn run_with(name: &str, env: &TestEnvironment, settings: &str) -> (RunView, bool) {
    let (api, home) = (
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(env);
    let text = format!(
        "
baton: 1
title: Own tools
cwd: .
{settings}
nodes:
  - {{id: before, kind: command, command: 'echo topic=cats >> $BATON_OUTPUT'}}
  - {{id: work, agent: {name}, prompt: '{}', dependsOn: [before]}}
  - {{id: after, kind: command, dependsOn: [work], command: 'printf %s {{{{nodes.work.outputs.answer}}}} > got'}}
",
        calls()
    );
    let file = shell.plan_file("tools.yaml", &text);
    let words = ["run", &file, "--yes"];
    let command = agent(name).baton(&shell, &api.base_url("calls"), home.path(), &words);
    let (_, said) = RunningCommand::new(command).end();
    let filter = RunsFilter {
        plan: None,
        limit: 10,
    };
    let runs: Vec<RunSummary> = env.call("runs_list", filter).expect("runs");
    let view = env.view(runs.first().expect("a run").id);
    let seen = api.seen();
    assert!(!seen.is_empty(), "no request: {said}");
    // Clients that defer tools send only their server's name. Later requests repeat the calls.
    let is_first = |seen: &&Seen| seen.step == 0 && seen.prompt.contains("CALLS=");
    let first = seen.iter().filter(is_first);
    let offers = |words: &str| first.clone().any(|seen| seen.sent.contains(words));
    let is_offered = offers("mcp__baton") || offers("replan_propose");
    (view, is_offered)
}

/// The real agent `name` sets outputs with the tools of its attempt.
fn sets_outputs(name: &str, settings: &str) {
    let env = TestEnvironment::new();
    let (view, has_tools) = run_with(name, &env, settings);
    assert!(has_tools, "{name}");
    assert_eq!(
        state_labels(&view),
        ["before done", "work done", "after done"],
        "{name}"
    );
    assert_eq!(env.read("got"), "from the agent", "{name}");
}

/// At this level every tool that Baton doesn't know is asked about.
const ASKING: &str = "autonomy: 2";
/// The protocol doesn't say whose a tool is, so a person would be asked about Baton's own.
const FREE: &str = "autonomy: 4\nsessionTools: on";

#[test]
fn claude_sets_outputs() {
    sets_outputs("claude", ASKING);
}

#[test]
fn codex_sets_outputs() {
    sets_outputs("codex", ASKING);
}

#[test]
fn gemini_sets_outputs() {
    sets_outputs("gemini", FREE);
}

#[test]
fn opencode_sets_outputs() {
    sets_outputs("opencode", FREE);
}

#[test]
fn plan_turns_the_tools_off() {
    let env = TestEnvironment::new();
    let (view, has_tools) = run_with("claude", &env, "sessionTools: off");
    assert!(!has_tools);
    assert_eq!(
        state_labels(&view)[..2],
        ["before done", "work done"],
        "the agent works without them"
    );
}

/// Waits for the question of a session and returns its request.
fn question(env: &TestEnvironment, run: baton_model::RunId) -> RequestView {
    let requests =
        || -> Vec<RequestView> { env.call("requests_list", Nothing {}).expect("a list") };
    env.wait_until(run, |_| !requests().is_empty());
    requests().swap_remove(0)
}

#[test]
fn question_of_a_session_waits_for_a_persons_answer() {
    let env = TestEnvironment::new();
    let baton = program("baton").display().to_string();
    let ask = json!({"question": "Which port?", "options": ["80", "8080"], "requestId": "p", "waitMs": 50_000});
    std::fs::write(env.work_dir.path().join("ask.json"), ask.to_string()).expect("enough space");
    let text = format!(
        "
baton: 1
title: Asking
nodes:
  - {{id: work, kind: command, command: '{baton} call question_ask - < ask.json > said'}}
"
    );
    let run = env.start(&text).summary.id;
    let app = std::sync::Arc::clone(&env.app);
    std::thread::spawn(move || drop(app.wait_for_run(run)));
    let request = question(&env, run);
    assert_eq!(request.operation, "question_ask");
    assert_eq!(request.input["question"], "Which port?");
    let reference = RequestRef {
        request: request.id,
    };
    let allowed: Result<RequestView, _> = env.call("request_allow", reference);
    let error = allowed.expect_err("an answer has words");
    assert_eq!(error.code, baton_api::Code::BadInput, "{error}");
    let shell = Shell::new(&env);
    let id = request.id.to_string();
    let answered = shell.run(&["request", "answer", &id, "8080"]);
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    assert!(answered.out.contains("8080"), "{}", answered.out);
    env.wait_until(run, |view| view.summary.state.has_ended());
    let said: Value = serde_json::from_str(&env.read("said")).expect("JSON");
    assert_eq!(said["state"], "answered", "{said:#}");
    assert_eq!(said["answer"], "8080", "{said:#}");
    let twice = shell.run(&["request", "answer", &id, "80"]);
    assert_ne!(twice.code, Some(0), "{}", twice.out);
}
