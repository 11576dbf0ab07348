//! `baton mcp` inside a session: it reaches Baton only through the session's socket.

use baton_api::wire::{PlanAgentsMayStart, PlanView};
use baton_model::{PlanId, RunId};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::program;
use serde_json::{Value, json};

/// Requests to the tools, one per line, about the run `RUN`.
fn calls(plan: PlanId) -> String {
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = |id: u32, name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let lines = [
        initialize,
        ready,
        call(1, "plan_find", json!({"cwd": "/"})),
        call(2, "run_get", json!({"run": "RUN", "part": "timeline"})),
        call(
            3,
            "run_get",
            json!({"run": "RUN", "waitMs": 1, "since": 100_000}),
        ),
        call(
            4,
            "run_request",
            json!({"plan": plan, "version": 1, "reason": "next"}),
        ),
    ];
    lines.map(|line| format!("{line}\n")).concat()
}

#[test]
fn session_reaches_its_own_plan_and_run_only() {
    let env = TestEnvironment::new();
    let next = env
        .import_approved("baton: 1\nnodes: [{id: a, kind: command, command: 'true'}]")
        .plan
        .id;
    let allowed = PlanAgentsMayStart {
        plan: next,
        allowed: true,
    };
    let _: PlanView = env.call("plan_agents_may_start", allowed).expect("a plan");
    let (data, baton) = (env.data().display(), program("baton"));
    let text = format!(
        "
baton: 1
title: Inside
nodes:
  - id: tools
    kind: command
    command: |
      mkfifo requests answers
      {} --data-dir {data} mcp --tools plan < requests > answers &
      exec 3> requests 4< answers
      sed s/RUN/$BATON_RUN_ID/ calls >&3
      head -n 5 <&4 > seen
      exec 3>&-
      wait
",
        baton.display()
    );
    std::fs::write(env.work_dir.path().join("calls"), calls(next)).expect("enough space");
    let run = env.start(&text).summary.id;
    env.finish(run);
    let answers = std::fs::read_to_string(env.work_dir.path().join("seen")).expect("answers");
    let answer = |id: u32| -> Value {
        let lines = answers.lines().map(serde_json::from_str::<Value>);
        let found = lines
            .map(|line| line.expect("JSON"))
            .find(|line| line["id"] == id);
        found.unwrap_or_else(|| panic!("answer {id} in {answers}"))
    };
    let plans = &answer(1)["result"]["structuredContent"]["plans"];
    assert_eq!(plans.as_array().map(Vec::len), Some(1), "{answers}");
    assert_eq!(plans[0]["title"], "Inside");
    for id in [2, 3] {
        let seen = &answer(id)["result"]["structuredContent"];
        assert_eq!(seen["run"], json!(run), "{answers}");
    }
    // Its executor may start what a person lets agents start.
    let started = &answer(4)["result"]["structuredContent"];
    assert_eq!(started["state"], "started", "{answers}");
    let run = started["run"].as_str().and_then(|run| run.parse().ok());
    let view = env.finish(RunId(run.expect("a run")));
    assert_eq!(view.summary.plan, next);
}
