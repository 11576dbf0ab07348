//! What those are told who go on after a failure: handlers, clean-up nodes, further attempts, decisions.

use baton_api::wire::*;
use baton_model::evidence::FileSource;
use baton_model::{NodeState, RunState};
use baton_tests::House;
use baton_tests::house::{id, state, words};
use baton_tests::processes::{wait, wait_for_none};
use serde_json::json;

fn edge(house: &House, view: &RunView, parent: &str, child: &str) -> String {
    let edge = EdgeRef {
        run: view.summary.id,
        parent: id(view, parent),
        child: id(view, child),
    };
    let shown: EdgeView = house
        .ask("edge_context", edge)
        .expect("the plan has this edge");
    shown.text
}

fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn the_node_that_a_failure_leads_to_is_told_what_failed() {
    let house = House::new();
    let run = house.start(
        r#"
baton: 1
title: Handled
nodes:
  - {id: build, kind: command, maxRetries: 1, onFailure: repair, command: 'echo compiling; echo x >> made.txt; echo count=2 >> $BATON_OUTPUT; echo "no such; $(id)" | cat >&2; exit 3'}
  - {id: between, kind: command, dependsOn: [build], command: 'true'}
  - {id: repair, kind: command, command: 'cat "$BATON_CONTEXT" > told.md; printf "%s|%s|%s" "{{nodes.build.error.message}}" {{nodes.build.error.exitCode}} "{{nodes.build.error.output}}" > named; echo {{nodes.build.outputs.count}} > count; printf "[%s]" "{{nodes.repair-not.error.message}}" >> count'}
  - {id: repair-not, kind: command, command: 'true', priority: 9}
"#,
    );
    let view = house.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let told = house.read("told.md");
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
        house
            .read("named")
            .starts_with("ended with exit code 3|3|compiling\nno such; uid="),
        "{}",
        house.read("named")
    );
    assert_eq!(
        house.read("count"),
        "2\n[]",
        "what did not fail has no message"
    );
    assert_eq!(
        edge(&house, &view, "build", "repair"),
        told,
        "the window shows what the child receives"
    );
}

#[test]
fn nodes_that_run_because_of_a_failure_are_told_of_it_beside_the_handoffs() {
    let house = House::new();
    let run = house.start(
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
    let view = house.finish(run.summary.id);
    assert!(
        matches!(view.summary.state, RunState::Failed { .. }),
        "{:?}",
        view.summary.state
    );
    let always = house.read("always.md");
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
    assert_has(&house.read("alarm.md"), &["## What failed: ", "broken"]);
}

#[test]
fn what_a_failed_parallel_and_a_failed_loop_have_collected_is_handed_on() {
    let house = House::new();
    let inner = house.approved(
        "{baton: 1, title: Round, nodes: [{id: say, kind: command, command: 'echo x >> rounds; echo n=$(wc -l < rounds) >> $BATON_OUTPUT; test $(wc -l < rounds) -lt 2'}]}",
    );
    assert_eq!(inner.plan.title, "Round");
    let run = house.start(
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
    let view = house.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_has(
        &house.read("calls.md"),
        &["## What failed: ", "1 of 2 calls failed", "first result"],
    );
    assert_has(&house.read("calls.json"), &["first result", "null"]);
    assert_has(
        &house.read("again.md"),
        &["## What failed: ", "iteration 2", "round 1"],
    );
    assert_has(
        &house.read("plans.md"),
        &[
            "## What failed: ",
            "`results`: [{\"n\":\"1\"},{\"n\":\"2\"}]",
        ],
    );
    assert_eq!(house.read("runs"), "2");
}

#[test]
fn a_further_attempt_is_told_how_the_earlier_ones_ended() {
    let house = House::new();
    house.employ(
        "learner",
        "cat > prompt.$BATON_ATTEMPT; echo tried $BATON_ATTEMPT > left.txt; echo it broke; test $BATON_ATTEMPT -ge 3",
    );
    let run = house.start(
        r#"
baton: 1
title: Again
nodes:
  - {id: command, kind: command, maxRetries: 1, onFailure: skip, command: 'cat "$BATON_CONTEXT" > context.$BATON_ATTEMPT; echo output of $BATON_ATTEMPT; exit 7'}
  - {id: agent, agent: learner, prompt: Learn., maxRetries: 1, dependsOn: [command]}
"#,
    );
    let view = house.finish(run.summary.id);
    assert_eq!(
        house.read("context.1"),
        "",
        "nothing went before the first attempt"
    );
    let parts = [
        "## Earlier attempts of this step",
        "- Attempt 1: ended with exit code 7",
        "output of 1",
    ];
    assert_has(&house.read("context.2"), &parts);
    assert!(!house.read("prompt.1").contains("Earlier attempts"));
    let parts = [
        "## Earlier attempts of this step",
        "- Attempt 1 (learner): ended with exit code 1",
        "it broke",
        "`left.txt`",
    ];
    assert_has(&house.read("prompt.2"), &parts);

    let retry = json!({"run": view.summary.id, "node": id(&view, "agent")});
    let _: RunSummary = house.ask("node_retry", retry).expect("it has failed");
    let view = house.finish(view.summary.id);
    assert!(
        matches!(state(&view, "agent"), NodeState::Done { .. }),
        "{:#?}",
        view.nodes
    );
    assert_has(
        &house.read("prompt.3"),
        &[
            "- Attempt 1 (learner): ",
            "- Attempt 2 (learner): ",
            "What attempt 2 left:",
        ],
    );
}

#[test]
fn a_decision_sees_the_results_of_all_finished_nodes() {
    let house = House::new();
    house.employ("judge", "cat > prompt; echo ship");
    let run = house.start(
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
    let view = house.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let prompt = house.read("prompt");
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
        "what has not run left nothing:\n{prompt}"
    );
}

#[test]
fn an_agent_that_is_killed_is_interrupted_and_what_it_did_is_known() {
    let house = House::new();
    house.employ("victim", "echo half way; echo half > half.txt; kill -9 $$");
    let run =
        house.start("{baton: 1, title: Killed, nodes: [{id: work, agent: victim, prompt: Work., maxRetries: 2}]}");
    let view = house.finish(run.summary.id);
    let NodeState::Interrupted { detail } = state(&view, "work") else {
        panic!("{:#?}", view.nodes)
    };
    assert!(detail.contains("signal 9"), "{detail}");
    assert!(
        matches!(view.summary.state, RunState::Stalled { .. }),
        "a person decides: {:?}",
        view.summary.state
    );
    let evidence = house.evidence(&view, "work");
    assert_eq!(evidence.files.created, ["half.txt"]);
    let ending = evidence.ending.expect("it did not succeed");
    assert_eq!(
        (ending.signal, ending.exit_code, ending.output.as_str()),
        (Some(9), None, "half way")
    );
}

#[test]
fn failed_and_cancelled_attempts_leave_evidence() {
    let house = House::new();
    house.employ("clumsy", "echo a > failed.txt; echo sorry >&2; exit 9");
    let run = house
        .start("{baton: 1, title: Failing, nodes: [{id: work, agent: clumsy, prompt: Work.}]}");
    let view = house.finish(run.summary.id);
    let evidence = house.evidence(&view, "work");
    assert_eq!(evidence.files.created, ["failed.txt"]);
    let ending = evidence.ending.expect("it failed");
    assert_eq!(
        (ending.exit_code, ending.output.as_str()),
        (Some(9), "sorry")
    );

    house.employ("slow", "echo b > cancelled.txt; touch up; sleep 1000");
    let run = house
        .start("{baton: 1, title: Slow, nodes: [{id: work, agent: slow, prompt: Work.}]}")
        .summary
        .id;
    wait("it works", || {
        if house.place.path().join("up").exists() {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    let _: RunSummary = house.ask("run_cancel", RunRef { run }).expect("it runs");
    let view = house.finish(run);
    assert_eq!(view.summary.state, RunState::Cancelled);
    let evidence = house.evidence(&view, "work");
    assert!(
        evidence.files.created.contains(&"cancelled.txt".to_owned()),
        "{:?}",
        evidence.files
    );
    assert_eq!(evidence.files.source, FileSource::Directory);
    assert_eq!(words(&view), ["work interrupted"]);
    wait_for_none(house.data());
}

#[test]
fn a_list_of_tools_that_nobody_has_keeps_a_plan_from_running() {
    let house = House::new();
    let plan = |tools: &str| {
        let text = "{baton: 1, title: Tools, nodes: [{id: work, agent: claude, prompt: Work., toolsRequired: [Read]}]}";
        let plan = house.import_changed(text, "\"Read\"", tools).plan.id;
        let preflight: Preflight = house
            .ask("plan_preflight", PlanRef { plan })
            .expect("it can be looked at");
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
