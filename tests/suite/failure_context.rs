//! Tests what nodes that run after a failure receive: failure handlers, clean-up nodes, retries and
//! decisions.

use baton_api::wire::*;
use baton_model::evidence::FileSource;
use baton_model::{NodeState, RunState};
use baton_tests::TestEnvironment;
use baton_tests::processes::{wait, wait_for_none};
use baton_tests::test_environment::{id, state, state_labels};
use serde_json::json;

fn edge(env: &TestEnvironment, view: &RunView, parent: &str, child: &str) -> String {
    let edge = EdgeRef {
        run: view.summary.id,
        parent: id(view, parent),
        child: id(view, child),
    };
    let shown: EdgeView = env
        .call("edge_context", edge)
        .expect("the plan has this edge");
    shown.text
}

fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn failure_handler_receives_the_failure() {
    let env = TestEnvironment::new();
    let run = env.start(
        r#"
baton: 1
title: Handled
nodes:
  - {id: build, kind: command, dependsOn: [repair-not], maxRetries: 1, onFailure: repair, command: 'echo compiling; echo x >> made.txt; echo count=2 >> $BATON_OUTPUT; echo "no such; $(id)" | cat >&2; exit 3'}
  - {id: between, kind: command, dependsOn: [build], command: 'true'}
  - {id: repair, kind: command, command: 'cat "$BATON_CONTEXT" > told.md; printf "%s|%s|%s" "{{nodes.build.error.message}}" {{nodes.build.error.exitCode}} "{{nodes.build.error.output}}" > named; echo {{nodes.build.outputs.count}} > count; printf "[%s]" "{{nodes.repair-not.error.message}}" >> count'}
  - {id: repair-not, kind: command, command: 'true'}
"#,
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let told = env.read("told.md");
    let parts = [
        "## What failed: ",
        "- Attempt 1: ended with exit code 3",
        "- Attempt 2: ended with exit code 3",
        "- Exit code: 3",
        "`made.txt`",
        "compiling\nno such; uid=",
        "- `count`: 2",
    ];
    assert_has(&told, &parts);
    assert!(
        env.read("named")
            .starts_with("ended with exit code 3|3|compiling\nno such; uid="),
        "{}",
        env.read("named")
    );
    assert_eq!(
        env.read("count"),
        "2\n[]",
        "a node that didn't fail has no message"
    );
    assert_eq!(
        edge(&env, &view, "build", "repair"),
        told,
        "the window shows what the child receives"
    );
}

#[test]
fn nodes_after_a_failure_receive_it_with_the_handoffs() {
    let env = TestEnvironment::new();
    let run = env.start(
        r#"
baton: 1
title: Clean up
nodes:
  - {id: good, kind: command, command: 'echo all well'}
  - {id: bad, kind: command, dependsOn: [good], command: 'echo broken; exit 1'}
  - {id: soft, kind: command, dependsOn: [good], onFailure: skip, command: 'echo passed over; exit 2'}
  - {id: always, kind: command, dependsOn: [good, bad, soft], triggerRule: all_done, command: 'cat "$BATON_CONTEXT" > always.md'}
  - {id: alarm, kind: command, dependsOn: [bad], triggerRule: one_failed, command: 'cat "$BATON_CONTEXT" > alarm.md'}
"#,
    );
    let view = env.finish(run.summary.id);
    assert!(
        matches!(view.summary.state, RunState::Failed { .. }),
        "{:?}",
        view.summary.state
    );
    let always = env.read("always.md");
    assert_has(
        &always,
        &[
            "all well",
            "ended with exit code 1",
            "broken",
            "ended with exit code 2",
            "passed over",
        ],
    );
    assert_eq!(always.matches("## What failed: ").count(), 2, "{always}");
    assert_has(&env.read("alarm.md"), &["## What failed: ", "broken"]);
}

#[test]
fn partial_results_of_failed_parallel_and_loop_are_handed_off() {
    let env = TestEnvironment::new();
    let inner = env.import_approved(
        "{baton: 1, title: Round, nodes: [{id: say, kind: command, command: 'echo x >> rounds; echo n=$(wc -l < rounds) >> $BATON_OUTPUT; test $(wc -l < rounds) -lt 2'}]}",
    );
    assert_eq!(inner.plan.title, "Round");
    let run = env.start(
        r#"
baton: 1
title: Collected
nodes:
  - {id: calls, kind: parallel, waitAll: true, onFailure: after-calls, steps: [{toolName: shell, toolArgs: {command: 'echo first result'}}, {toolName: shell, toolArgs: {command: 'exit 4'}}]}
  - {id: after-calls, kind: command, command: 'cat "$BATON_CONTEXT" > calls.md; printf %s "{{nodes.calls.outputs.result}}" > calls.json'}
  - {id: again, kind: loop, onFailure: after-again, toolName: shell, toolArgs: {command: 'echo round {{iteration}}; test {{iteration}} -lt 2'}, maxIterations: 3}
  - {id: after-again, kind: command, command: 'cat "$BATON_CONTEXT" > again.md'}
  - {id: plans, kind: loop, onFailure: after-plans, subPlanId: Round, maxIterations: 3}
  - {id: after-plans, kind: command, command: 'cat "$BATON_CONTEXT" > plans.md; printf %s "{{nodes.plans.outputs.runs}}" > runs'}
"#,
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_has(
        &env.read("calls.md"),
        &["## What failed: ", "1 of 2 calls failed", "first result"],
    );
    assert_has(&env.read("calls.json"), &["first result", "null"]);
    assert_has(
        &env.read("again.md"),
        &["## What failed: ", "iteration 2", "round 1"],
    );
    assert_has(
        &env.read("plans.md"),
        &[
            "## What failed: ",
            "`results`: [{\"n\":\"1\"},{\"n\":\"2\"}]",
        ],
    );
    assert_eq!(env.read("runs"), "2");
}

#[test]
fn retry_receives_how_earlier_attempts_ended() {
    let env = TestEnvironment::new();
    env.add_agent(
        "learner",
        "cat > prompt.$BATON_ATTEMPT; echo tried $BATON_ATTEMPT > left.txt; echo it broke; test $BATON_ATTEMPT -ge 3",
    );
    let run = env.start(
        r#"
baton: 1
title: Again
nodes:
  - {id: command, kind: command, maxRetries: 1, onFailure: skip, command: 'cat "$BATON_CONTEXT" > context.$BATON_ATTEMPT; echo output of $BATON_ATTEMPT; exit 7'}
  - {id: agent, agent: learner, prompt: Learn., maxRetries: 1, dependsOn: [command]}
"#,
    );
    let view = env.finish(run.summary.id);
    assert_eq!(
        env.read("context.1"),
        "",
        "the first attempt has no earlier ones"
    );
    let parts = [
        "## Earlier attempts of this step",
        "- Attempt 1: ended with exit code 7",
        "output of 1",
    ];
    assert_has(&env.read("context.2"), &parts);
    assert!(!env.read("prompt.1").contains("Earlier attempts"));
    let parts = [
        "## Earlier attempts of this step",
        "- Attempt 1 (learner): ended with exit code 1",
        "it broke",
        "`left.txt`",
    ];
    assert_has(&env.read("prompt.2"), &parts);

    let retry = json!({"run": view.summary.id, "node": id(&view, "agent")});
    let _: RunSummary = env.call("node_retry", retry).expect("the node has failed");
    let view = env.finish(view.summary.id);
    assert!(
        matches!(state(&view, "agent"), NodeState::Done { .. }),
        "{:#?}",
        view.nodes
    );
    assert_has(
        &env.read("prompt.3"),
        &[
            "- Attempt 1 (learner): ",
            "- Attempt 2 (learner): ",
            "What attempt 2 left:",
        ],
    );
}

#[test]
fn a_decision_sees_the_results_of_all_finished_nodes() {
    let env = TestEnvironment::new();
    env.add_agent("judge", "cat > prompt; echo ship");
    let run = env.start(
        "
baton: 1
title: Decide
nodes:
  - {id: far, kind: command, command: 'echo from far away'}
  - {id: broken, kind: command, dependsOn: [far], onFailure: skip, command: 'echo does not work; exit 5'}
  - {id: near, kind: command, dependsOn: [broken], command: 'echo from nearby'}
  - {id: decide, kind: llm_decision, agent: judge, dependsOn: [near], prompt: Ship or hold back?, choices: [ship, hold back]}
  - {id: later, kind: command, dependsOn: [decide], command: 'true'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let prompt = env.read("prompt");
    assert_has(
        &prompt,
        &[
            "from nearby",
            "from far away",
            "## What failed: ",
            "does not work",
        ],
    );
    assert!(
        prompt.find("from nearby") < prompt.find("from far away"),
        "parents come first:\n{prompt}"
    );
    assert!(
        !prompt.contains("later"),
        "nodes that haven't run are not mentioned:\n{prompt}"
    );
}

#[test]
fn killed_agent_is_interrupted_with_evidence() {
    let env = TestEnvironment::new();
    env.add_agent("victim", "echo half way; echo half > half.txt; kill -9 $$");
    let run =
        env.start("{baton: 1, title: Killed, nodes: [{id: work, agent: victim, prompt: Work., maxRetries: 2}]}");
    let view = env.finish(run.summary.id);
    let NodeState::Interrupted { detail } = state(&view, "work") else {
        panic!("{:#?}", view.nodes)
    };
    assert!(detail.contains("signal 9"), "{detail}");
    assert!(
        matches!(view.summary.state, RunState::Stalled { .. }),
        "a person decides: {:?}",
        view.summary.state
    );
    let evidence = env.evidence(&view, "work");
    assert_eq!(evidence.files.created, ["half.txt"]);
    let ending = evidence.ending.expect("the attempt didn't succeed");
    assert_eq!(
        (ending.signal, ending.exit_code, ending.output.as_str()),
        (Some(9), None, "half way")
    );
}

#[test]
fn failed_and_cancelled_attempts_leave_evidence() {
    let env = TestEnvironment::new();
    env.add_agent("clumsy", "echo a > failed.txt; echo sorry >&2; exit 9");
    let run =
        env.start("{baton: 1, title: Failing, nodes: [{id: work, agent: clumsy, prompt: Work.}]}");
    let view = env.finish(run.summary.id);
    let evidence = env.evidence(&view, "work");
    assert_eq!(evidence.files.created, ["failed.txt"]);
    let ending = evidence.ending.expect("the attempt failed");
    assert_eq!(
        (ending.exit_code, ending.output.as_str()),
        (Some(9), "sorry")
    );

    env.add_agent("slow", "echo b > cancelled.txt; touch up; sleep 1000");
    let run = env
        .start("{baton: 1, title: Slow, nodes: [{id: work, agent: slow, prompt: Work.}]}")
        .summary
        .id;
    wait("the agent is running", || {
        if env.work_dir.path().join("up").exists() {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    let _: RunSummary = env
        .call("run_cancel", RunRef { run })
        .expect("the run is active");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Cancelled);
    let evidence = env.evidence(&view, "work");
    assert!(
        evidence.files.created.contains(&"cancelled.txt".to_owned()),
        "{:?}",
        evidence.files
    );
    assert_eq!(evidence.files.source, FileSource::Directory);
    assert_eq!(state_labels(&view), ["work interrupted"]);
    wait_for_none(env.data());
}

#[test]
fn unsupported_tool_list_blocks_the_run() {
    let env = TestEnvironment::new();
    let plan = |tools: &str| {
        let text = "{baton: 1, title: Tools, nodes: [{id: work, agent: claude, prompt: Work., toolsRequired: [Read]}]}";
        let plan = env.import_changed(text, "\"Read\"", tools).plan.id;
        let preflight: Preflight = env
            .call("plan_preflight", PlanRef { plan })
            .expect("the plan can be checked");
        preflight
            .checks
            .into_iter()
            .filter(|check| check.sentence.contains("lists the tool"))
            .map(|check| check.sentence)
    };
    let found: Vec<String> =
        plan(r#""Read", "Raed", "mcp__notes__search", "run_shell_command""#).collect();
    assert_eq!(
        found,
        ["'work' lists the tool 'Raed', which no agent has; did you mean \"Read\"?"]
    );
}
