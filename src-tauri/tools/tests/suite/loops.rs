use baton_tools::Event;
use serde_json::{Value, json};

use crate::support::{TestWorkspace, call, line};

fn printed(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["stdout"].as_str())
        .collect()
}

#[test]
fn loop_ends_at_iteration_limit() {
    let workspace = TestWorkspace::new();
    let ran = workspace.run(
        "loop",
        json!({ "call": line("echo $BATON_ITERATION"), "maxIterations": 3 }),
    );
    assert_eq!(printed(&ran.value()), ["1\n", "2\n", "3\n"]);
    assert!(ran.outputs.ends_with("\niterations=3\n"), "{}", ran.outputs);
    let numbers: Vec<_> = ran
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Call {
                args, iteration, ..
            } => Some((args["iteration"].clone(), *iteration)),
            _ => None,
        })
        .collect();
    assert_eq!(
        numbers,
        [
            (json!(1), Some(1)),
            (json!(2), Some(2)),
            (json!(3), Some(3))
        ]
    );
    let ten = workspace.run("loop", json!({ "call": line("true") }));
    assert_eq!(
        ten.value().as_array().map(Vec::len),
        Some(10),
        "ten is the default"
    );
}

#[test]
fn loop_continues_while_condition_holds() {
    let workspace = TestWorkspace::new();
    workspace.write("n", "");
    let tick = "printf x >> n; wc -c < n";
    let nodes =
        json!({ "nodes": { "until-when": { "state": "done", "outputs": { "most": "4" } } } });
    for (condition, iterations) in [
        ("result.stdout < 3", 3),
        ("iteration < nodes.until-when.outputs.most", 4),
        ("results | length < 2", 2),
        ("false", 1),
        ("{{ not result:until-when }}", 1),
    ] {
        workspace.write("n", "");
        let work = json!({ "call": line(tick), "loopCondition": condition, "values": nodes });
        let ran = workspace.run("loop", work);
        assert_eq!(
            ran.value().as_array().map(Vec::len),
            Some(iterations),
            "{condition}"
        );
        let last = ran
            .events
            .iter()
            .rev()
            .find(|event| matches!(event, Event::Condition { .. }));
        assert!(
            matches!(last, Some(Event::Condition { holds: false, .. })),
            "{condition}"
        );
    }
}

#[test]
fn loop_ends_at_first_failure() {
    let workspace = TestWorkspace::new();
    let ran = workspace.run(
        "loop",
        json!({ "call": line("[ $BATON_ITERATION -lt 3 ] && echo ok") }),
    );
    assert_eq!(ran.failure(), "iteration 3: shell: ended with exit code 1");
    assert_eq!(printed(&ran.rest()), ["ok\n", "ok\n"]);
    assert!(ran.outputs.ends_with("\niterations=2\n"), "{}", ran.outputs);
}

#[test]
fn iteration_number_is_filled_in() {
    let workspace = TestWorkspace::new();
    let texts = json!([
        { "pointer": "/path", "parts": [{ "round": "index" }, { "text": ".txt" }] },
        { "pointer": "/content", "parts": [{ "text": "no " }, { "round": "index" }] },
    ]);
    let call = call("write", json!({"path": "", "content": ""}));
    workspace
        .run(
            "loop",
            json!({ "call": call, "maxIterations": 2, "texts": texts }),
        )
        .value();
    assert_eq!(
        (
            workspace.read("1.txt").as_str(),
            workspace.read("2.txt").as_str()
        ),
        ("no 1", "no 2")
    );
}

#[test]
fn iteration_sees_previous_outputs() {
    let workspace = TestWorkspace::new();
    let tick = "echo \"n=$BATON_ITERATION\" >> \"$BATON_OUTPUT\"; echo \"[$before $printed]\"";
    let mut call = line(tick);
    call["toolArgs"]["env"] = json!({"before": "", "printed": ""});
    let texts = json!([
        { "pointer": "/env/before", "parts": [{ "round": { "previous": "n" } }] },
        { "pointer": "/env/printed", "parts": [{ "round": { "previous": "stdout" } }] },
    ]);
    let ran = workspace.run(
        "loop",
        json!({ "call": call, "maxIterations": 3, "texts": texts }),
    );
    assert_eq!(
        printed(&ran.value()),
        ["[ ]\n", "[1 [ ]]\n", "[2 [1 [ ]]]\n"]
    );
}

#[test]
fn invalid_condition_fails_before_start() {
    let workspace = TestWorkspace::new();
    let ran = workspace.run(
        "loop",
        json!({ "call": line("touch begun"), "loopCondition": "iteration <" }),
    );
    assert_eq!(
        ran.failure(),
        "`iteration <` is not a condition: unexpected end of input, expected expression (at character 11)"
    );
    assert!(!workspace.path().join("begun").exists());
    let ran = workspace.run(
        "loop",
        json!({ "call": line("touch begun"), "loopCondition": "result.nothing > 1" }),
    );
    assert_eq!(
        ran.failure(),
        "iteration 1: `result.nothing` has no value: it has no 'nothing'"
    );
    assert_eq!(printed(&ran.rest()), [""]);
}
