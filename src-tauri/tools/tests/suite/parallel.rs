use std::time::Instant;

use baton_tools::Event;
use serde_json::{Value, json};

use crate::support::{DEADLINE, TestWorkspace, call, is_alive, line, wait_until};

/// A command that waits until `count` such commands have started, and fails after 10 s.
fn rendezvous(number: u32, count: u32) -> Value {
    line(&format!(
        "touch met-{number}; for i in $(seq 1000); do [ $(ls met-* | wc -l) -ge {count} ] && echo {number} && exit 0; sleep 0.01; done; exit 1"
    ))
}

#[test]
fn calls_run_in_parallel_and_results_keep_their_order() {
    let workspace = TestWorkspace::new();
    let calls: Vec<Value> = (1..=4).map(|number| rendezvous(number, 4)).collect();
    // Each call waits for all others to start, so that running them one after another would fail.
    let value = workspace
        .run("parallel", json!({ "calls": calls, "limit": 4 }))
        .value();
    let printed: Vec<&str> = value
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["stdout"].as_str())
        .collect();
    assert_eq!(printed, ["1\n", "2\n", "3\n", "4\n"]);
}

#[test]
fn concurrency_limit_is_respected() {
    let workspace = TestWorkspace::new();
    // There are two slots; a third concurrent call finds none and fails.
    let taking =
        "mkdir a 2>/dev/null && p=a || { mkdir b && p=b; } || exit 9; sleep 0.05; rmdir $p";
    let calls: Vec<Value> = (0..6).map(|_| line(taking)).collect();
    workspace
        .run("parallel", json!({ "calls": calls, "limit": 2 }))
        .value();
}

#[test]
fn all_results_are_collected_and_failures_named() {
    let workspace = TestWorkspace::new();
    workspace.write("a.txt", "a");
    let calls = json!([
        call("read", json!({"path": "a.txt"})),
        line("echo no >&2; exit 7"),
        call("read", json!({"path": "b.txt"})),
        line("echo last"),
    ]);
    let ran = workspace.run("parallel", json!({ "calls": calls, "limit": 1 }));
    let failure = ran.failure();
    assert!(
        failure.starts_with(
            "2 of 4 calls failed: call 2, shell: ended with exit code 7: no; call 3, read: couldn't read "
        ),
        "{failure}"
    );
    let rest = ran.rest();
    assert_eq!(
        (&rest[0], &rest[1], &rest[2], &rest[3]["stdout"]),
        (&json!("a"), &Value::Null, &Value::Null, &json!("last\n"))
    );
}

#[test]
fn first_failure_stops_others_without_wait_all() {
    let workspace = TestWorkspace::new();
    let calls = json!([
        line("echo $$ > pid; exec sleep 1000"),
        line("while [ ! -s pid ]; do sleep 0.01; done; exit 3"),
        line("touch begun"),
    ]);
    let since = Instant::now();
    let ran = workspace.run(
        "parallel",
        json!({ "calls": calls, "waitAll": false, "limit": 2 }),
    );
    assert!(since.elapsed() < DEADLINE, "the sleeping call was stopped");
    assert_eq!(
        ran.failure(),
        "1 of 3 calls failed and 2 were stopped: call 2, shell: ended with exit code 3"
    );
    let pid = workspace.read("pid");
    wait_until("the sleeper is gone", || !is_alive(&pid));
    assert!(
        !workspace.path().join("begun").exists(),
        "no call starts after the failure"
    );
}

#[test]
fn invalid_call_prevents_start() {
    let workspace = TestWorkspace::new();
    let ran = workspace.run(
        "parallel",
        json!({ "calls": [line("touch begun"), call("raed", json!({}))] }),
    );
    assert!(
        ran.failure()
            .starts_with("call 2: there is no tool 'raed'; did you mean 'read'?"),
        "{ran:?}"
    );
    assert!(!workspace.path().join("begun").exists());
}

#[test]
fn empty_call_list_finishes_immediately() {
    assert_eq!(
        TestWorkspace::new()
            .run("parallel", json!({ "calls": [] }))
            .value(),
        json!([])
    );
}

#[test]
fn long_final_result_is_cut() {
    let workspace = TestWorkspace::new();
    workspace.write("long", &"0123456789\n".repeat(50_000));
    let calls: Vec<Value> = (0..8)
        .map(|_| call("read", json!({"path": "long"})))
        .collect();
    let ran = workspace.run("parallel", json!({ "calls": calls }));
    let value = ran.value();
    assert!(value.to_string().len() <= 4 << 20);
    assert_eq!(value.as_array().map(Vec::len), Some(8));
    let whole = ran.events.iter().filter(|event| matches!(event, Event::Result { value, .. } if value.as_str().is_some_and(|text| text.len() == 550_000)));
    assert_eq!(whole.count(), 8);
}
