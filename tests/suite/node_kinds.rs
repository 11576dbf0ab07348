//! Tests every kind of node for real: tools, conditions, loops, questions, decisions and sub-plans.

use baton_api::wire::*;
use baton_model::outcome::Failure;
use baton_model::run::{SkipReason, WaitingFor};
use baton_model::{NodeState, RunState};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::{id, node, program, state, state_labels};
use serde_json::{Value, json};

#[test]
fn tools_read_write_find_and_run() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Tools
nodes:
  - {id: write, kind: tool_call, toolName: write, toolArgs: {path: notes/a.txt, content: 'hello'}}
  - {id: find, kind: tool_call, dependsOn: [write], toolName: glob, toolArgs: {pattern: '**/*.txt'}}
  - {id: read, kind: tool_call, dependsOn: [write], toolName: read, toolArgs: {path: notes/a.txt}}
  - id: shell
    kind: tool_call
    dependsOn: [read]
    config: {toolName: shell, toolArgs: {command: 'printf %s {{nodes.read.outputs.result}} > copy.txt'}}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(
        env.read("copy.txt"),
        "hello",
        "the output of one tool is an argument of the next"
    );
    let session = node(&view, "find")
        .session
        .expect("a tool call has a session");
    let range = TimelineRange {
        session,
        from: 0,
        limit: 100,
        since: None,
        of_end: false,
    };
    let page: TimelinePage = env.call("session_timeline", range).expect("a timeline");
    let text = serde_json::to_string(&page.entries).expect("entries are JSON");
    assert!(
        text.contains("\"glob\"") && text.contains("notes/a.txt"),
        "shown as a call with its result: {text}"
    );
    assert!(
        !text.contains("\\\"type\\\""),
        "events are parsed, not shown as raw output: {text}"
    );
}

#[test]
fn shell_tool_never_executes_values_of_other_nodes() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Quoting
nodes:
  - {id: evil, kind: command, command: 'echo \"text=\\$(touch hacked); touch hacked\" >> $BATON_OUTPUT'}
  - id: shell
    kind: tool_call
    dependsOn: [evil]
    toolName: shell
    toolArgs: {command: 'printf %s \"{{nodes.evil.outputs.text}}\" > said'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("said"), "$(touch hacked); touch hacked");
    assert!(
        !env.work_dir.path().join("hacked").exists(),
        "the value was passed as a variable"
    );
}

#[test]
fn unknown_tool_fails_immediately_with_suggestions() {
    let env = TestEnvironment::new();
    let text = "baton: 1\ntitle: Unknown\nnodes:\n  - {id: a, kind: tool_call, toolName: read, toolArgs: {path: x}}\n";
    let view = env.import_changed(text, "\"read\"", "\"reed\"");
    let approve = PlanApprove {
        plan: view.plan.id,
        revision: view.revision,
        anyway: true,
    };
    let plan: PlanView = env
        .call("plan_approve", approve)
        .expect("no conflicting change");
    // The pre-flight may reject it. Otherwise the node fails.
    match env.run(plan.plan.id, RunGoal::All) {
        Err(error) => assert!(error.message.contains("read"), "{}", error.message),
        Ok(run) => {
            let view = env.finish(run.summary.id);
            let NodeState::Failed { failure, .. } = state(&view, "a") else {
                panic!("{:?}", state(&view, "a"))
            };
            assert!(failure.to_string().contains("read"), "{failure}");
        }
    }
}

/// Adds an MCP server that is a program.
fn name_server(env: &TestEnvironment, name: &str, command: &str) {
    trust_server(env, name, command, &[]);
}

fn trust_server(env: &TestEnvironment, name: &str, command: &str, trusted: &[&str]) {
    let transport = json!({ "kind": "stdio", "command": command, "args": ["stdio"], "env": {} });
    let server = json!({ "name": name, "transport": transport, "trusted": trusted });
    let _: Value = env
        .call("tool_server_save", server)
        .expect("a name and a program");
}

#[test]
fn configured_server_answers_tool_calls() {
    let env = TestEnvironment::new();
    let server = program("mcp-server-for-tests");
    name_server(&env, "sums", &server.display().to_string());
    let run = env.start(
        "
baton: 1
title: Server
nodes:
  - {id: add, kind: tool_call, toolName: sums/add, toolArgs: {a: 40, b: 2}}
  - id: note
    kind: tool_call
    dependsOn: [add]
    toolName: write
    toolArgs: {path: sum.txt, content: '{{nodes.add.outputs.result}}'}
  - {id: fails, kind: tool_call, onFailure: skip, toolName: sums/fail, toolArgs: {}}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(
        state_labels(&view),
        ["add done", "note done", "fails skipped"],
        "{:#?}",
        view.nodes
    );
    assert_eq!(
        env.read("sum.txt"),
        r#"{"sum":42}"#,
        "the server's result is the node's output"
    );
    let NodeState::Skipped { reason } = state(&view, "fails") else {
        unreachable!("the state label says failed")
    };
    let SkipReason::AfterFailure { failure } = reason else {
        panic!("{reason:?}")
    };
    assert!(
        failure.to_string().contains("the disk is upside down"),
        "the server's message: {failure}"
    );
}

#[test]
fn call_runs_as_approved_except_for_open_addresses() {
    let env = TestEnvironment::new();
    trust_server(
        &env,
        "sums",
        &program("mcp-server-for-tests").display().to_string(),
        &["add"],
    );
    let run = env.start(
        "
baton: 1
title: Trust
autonomy: 2
nodes:
  - {id: trusted, kind: tool_call, toolName: sums/add, toolArgs: {a: 1, b: 2}}
  - {id: harmless, kind: tool_call, toolName: glob, toolArgs: {pattern: '*'}}
  - {id: written, kind: tool_call, toolName: write, toolArgs: {path: a.txt, content: x}}
  - {id: where, kind: command, command: 'echo url=http://127.0.0.1:1/ >> $BATON_OUTPUT; echo file=../a.txt >> $BATON_OUTPUT'}
  - {id: open, kind: tool_call, toolName: http, toolArgs: {url: '{{nodes.where.outputs.url}}'}, dependsOn: [where]}
  - {id: stray, kind: tool_call, toolName: read, toolArgs: {path: '{{nodes.where.outputs.file}}'}, dependsOn: [where], onFailure: skip}
  - {id: command, kind: command, command: 'echo command >> ledger'}
",
    );
    let others = ["trusted", "harmless", "written", "command"];
    let asks = |view: &RunView| {
        matches!(
            state(view, "open"),
            NodeState::Waiting {
                what: WaitingFor::Approval { .. }
            }
        ) && others
            .iter()
            .all(|slug| matches!(state(view, slug), NodeState::Done { .. }))
            && state(view, "stray").has_ended()
    };
    let view = env.wait_until(run.summary.id, asks);
    assert_eq!(env.read("a.txt"), "x");
    let NodeState::Waiting {
        what: WaitingFor::Approval { question },
    } = state(&view, "open")
    else {
        unreachable!("the node waits for permission")
    };
    assert!(
        question.contains("It calls http://127.0.0.1:1/, which the approved plan does not specify"),
        "{question}"
    );
    let NodeState::Skipped {
        reason: SkipReason::AfterFailure { failure },
    } = state(&view, "stray")
    else {
        panic!("{:?}", state(&view, "stray"))
    };
    assert!(
        failure.to_string().contains("read ../a.txt is outside of"),
        "{failure}"
    );
    let input = NodeApprove {
        run: run.summary.id,
        node: id(&view, "open"),
        allow: false,
    };
    let _: RunSummary = env
        .call("node_approve", input)
        .expect("the node waits for permission");
    env.finish(run.summary.id);
}

/// Checks a command, a tool call with the same command line, and a call whose URL is a value of
/// another node.
#[test]
fn commands_and_calls_need_the_same_permissions() {
    for (level, works, open) in [
        (0, "waiting", "waiting"),
        (1, "done", "waiting"),
        (2, "done", "waiting"),
        (3, "done", "failed"),
        (4, "done", "failed"),
    ] {
        let env = TestEnvironment::new();
        let run = env.start(&format!(
            "
baton: 1
title: Alike
autonomy: {level}
nodes:
  - {{id: command, kind: command, command: 'echo command >> ledger'}}
  - {{id: call, kind: tool_call, toolName: shell, toolArgs: {{command: 'echo call >> ledger'}}}}
  - {{id: where, kind: command, command: 'echo url=http://127.0.0.1:1/ >> $BATON_OUTPUT'}}
  - {{id: open, kind: tool_call, toolName: http, toolArgs: {{url: '{{{{nodes.where.outputs.url}}}}'}}, dependsOn: [where]}}
"
        ));
        // At level 0, allow the node before it first.
        let view = env.wait_until(run.summary.id, |view| {
            matches!(state(view, "where").as_str(), "waiting" | "done")
        });
        if level == 0 {
            let input = NodeApprove {
                run: run.summary.id,
                node: id(&view, "where"),
                allow: true,
            };
            let _: RunSummary = env
                .call("node_approve", input)
                .expect("the node waits for permission");
        }
        let view = env.wait_until(run.summary.id, |view| {
            let is = |slug: &str, word: &str| state(view, slug).as_str() == word;
            is("command", works) && is("call", works) && is("open", open)
        });
        if let NodeState::Failed { failure, .. } = state(&view, "open") {
            assert_eq!(
                failure
                    .to_string()
                    .contains("at level 3 Baton doesn't ask for permission"),
                level == 3,
                "{failure}"
            );
        }
        if level < 3 {
            let _: RunSummary = env
                .call(
                    "run_cancel",
                    RunRef {
                        run: run.summary.id,
                    },
                )
                .expect("the node continues");
        }
        env.finish(run.summary.id);
    }
}

#[test]
fn server_tools_are_listed_and_missing_servers_reported() {
    let env = TestEnvironment::new();
    let none: Vec<Value> = env
        .call("tools_of_servers", json!({}))
        .expect("there are no servers");
    assert!(none.is_empty());
    name_server(
        &env,
        "sums",
        &program("mcp-server-for-tests").display().to_string(),
    );
    name_server(&env, "lost", "/nowhere/server");
    let rows: Vec<Value> = env
        .call("tools_of_servers", json!({}))
        .expect("baton-tool is installed");
    let lost: Vec<_> = rows.iter().filter(|row| row["server"] == "lost").collect();
    assert_eq!(lost.len(), 1, "{rows:#?}");
    assert!(
        lost[0]["error"]
            .as_str()
            .is_some_and(|error| error.contains("/nowhere/server")),
        "{lost:?}"
    );
    let add = rows
        .iter()
        .find(|row| row["name"] == "add")
        .expect("the other server is still listed");
    assert_eq!(
        (&add["server"], &add["readOnly"]),
        (&json!("sums"), &json!(true))
    );
}

const FORK: &str = "
baton: 1
title: Fork
nodes:
  - {id: count, kind: command, command: 'echo n=LINES >> $BATON_OUTPUT'}
  - {id: many, kind: condition, dependsOn: [count], condition: 'nodes.count.outputs.n > 3', trueStep: big, falseStep: small}
  - {id: big, kind: command, command: 'echo big >> ledger'}
  - {id: after-big, kind: command, dependsOn: [big], command: 'echo after-big >> ledger'}
  - {id: small, kind: command, command: 'echo small >> ledger'}
  - {id: join, kind: command, dependsOn: [after-big, small], command: 'echo join >> ledger'}
";

#[test]
fn condition_takes_one_branch_and_the_join_runs() {
    for (lines, ledger, skipped) in [
        ("5", "big\nafter-big\njoin\n", "small"),
        ("2", "small\njoin\n", "big"),
    ] {
        let env = TestEnvironment::new();
        let run = env.start(&FORK.replace("LINES", lines));
        let view = env.finish(run.summary.id);
        assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
        assert_eq!(env.read("ledger"), ledger);
        let reason = SkipReason::NotTaken {
            by: id(&view, "many"),
        };
        assert_eq!(
            *state(&view, skipped),
            NodeState::Skipped { reason },
            "the first node of the other branch has the reason"
        );
        assert_eq!(node(&view, "many").marks.taken, Some(lines == "5"));
    }
}

#[test]
fn node_output_decides_a_condition() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Result
nodes:
  - {id: ask, kind: command, command: 'echo result=false >> $BATON_OUTPUT'}
  - {id: if, kind: condition, dependsOn: [ask], config: {condition: 'result:ask', trueStep: yes-way, falseStep: no-way}}
  - {id: yes-way, kind: command, command: 'echo yes >> ledger'}
  - {id: no-way, kind: command, command: 'echo no >> ledger'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("ledger"), "no\n");
}

#[test]
fn parallel_calls_return_all_results() {
    let env = TestEnvironment::new();
    // Each waits for the other, so that running them one after another would never finish.
    let meet = |own: &str, other: &str| {
        format!("touch {own}; until test -f {other}; do sleep 0.02; done; echo {own}")
    };
    let run = env.start(&format!(
        "
baton: 1
title: Parallel
nodes:
  - id: both
    kind: parallel
    steps:
      - {{toolName: shell, toolArgs: {{command: '{}'}}}}
      - {{toolName: shell, toolArgs: {{command: '{}'}}}}
  - id: fails
    kind: parallel
    onFailure: skip
    waitAll: true
    steps:
      - {{toolName: shell, toolArgs: {{command: 'exit 3'}}}}
      - {{toolName: shell, toolArgs: {{command: 'echo still >> ledger'}}}}
",
        meet("one", "two"),
        meet("two", "one")
    ));
    let view = env.finish(run.summary.id);
    assert_eq!(
        state_labels(&view),
        ["both done", "fails skipped"],
        "{:#?}",
        view.nodes
    );
    assert_eq!(
        env.read("ledger"),
        "still\n",
        "with waitAll the others run to their end"
    );
}

#[test]
fn loop_continues_while_its_condition_holds() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Loop
nodes:
  - id: three
    kind: loop
    toolName: shell
    toolArgs: {command: 'echo round >> ledger'}
    maxIterations: 10
    loopCondition: iteration < 3
  - {id: two, kind: loop, dependsOn: [three], config: {toolName: shell, toolArgs: {command: 'echo more >> ledger'}, maxIterations: 2}}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("ledger"), "round\nround\nround\nmore\nmore\n");
}

#[test]
fn question_blocks_nothing_and_its_answer_is_an_output() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Ask
concurrency: 1
nodes:
  - {id: name, kind: command, command: 'echo who=Ada >> $BATON_OUTPUT'}
  - {id: ask, kind: user_input, dependsOn: [name], question: 'Which way, {{nodes.name.outputs.who}}?', inputType: choice, options: [left, right]}
  - {id: other, kind: command, dependsOn: [name], command: 'echo other >> ledger'}
  - {id: go, kind: command, dependsOn: [ask], command: 'echo {{nodes.ask.outputs.answer}} >> ledger'}
",
    );
    let view = env.wait_until(run.summary.id, |view| {
        matches!(
            state(view, "ask"),
            NodeState::Waiting {
                what: WaitingFor::Input { .. }
            }
        ) && matches!(state(view, "other"), NodeState::Done { .. })
    });
    assert_eq!(
        env.read("ledger"),
        "other\n",
        "a question doesn't occupy the only slot"
    );
    let NodeState::Waiting {
        what: WaitingFor::Input { question, .. },
    } = state(&view, "ask")
    else {
        unreachable!()
    };
    assert_eq!(question, "Which way, Ada?");
    let give = |value: &str| {
        let input =
            serde_json::json!({ "run": run.summary.id, "node": id(&view, "ask"), "value": value });
        env.call::<RunSummary>("node_input", input)
    };
    let refused = give("up").expect_err("not one of the options");
    assert!(
        refused.message.contains("one of left, right"),
        "{}",
        refused.message
    );
    give("right").expect("one of the options");
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("ledger"), "other\nright\n");
}

#[test]
fn unanswered_question_times_out_and_jumps() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Overdue
nodes:
  - {id: ask, kind: user_input, question: Well?, timeout: 50, onFailure: fallback}
  - {id: between, kind: command, dependsOn: [ask], command: 'echo between >> ledger'}
  - {id: fallback, kind: command, command: 'echo fallback >> ledger'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("ledger"), "fallback\n");
    let fallback = id(&view, "fallback");
    let failed = NodeState::Failed {
        failure: Failure::NoAnswer { limit_ms: 50 },
        went_on_at: Some(fallback),
    };
    assert_eq!(*state(&view, "ask"), failed);
    assert_eq!(
        state_labels(&view),
        ["ask failed", "between skipped", "fallback done"]
    );
}

#[test]
fn jumps_skip_the_nodes_between() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Jumps
concurrency: 1
nodes:
  - {id: first, kind: command, command: 'echo first >> ledger', onSuccess: third}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second >> ledger'}
  - {id: third, kind: command, command: 'echo third >> ledger; exit 1', onFailure: fifth}
  - {id: fourth, kind: command, dependsOn: [third], command: 'echo fourth >> ledger'}
  - {id: fifth, kind: command, command: 'echo fifth >> ledger'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("ledger"), "first\nthird\nfifth\n");
    assert_eq!(
        state_labels(&view),
        [
            "first done",
            "second skipped",
            "third failed",
            "fourth skipped",
            "fifth done"
        ]
    );
}

#[test]
fn autonomy_zero_requires_permission_for_every_node() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Careful
autonomy: 0
nodes:
  - {id: first, kind: command, command: 'echo first >> ledger'}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second >> ledger'}
",
    );
    let run = run.summary.id;
    let waits = |slug: &'static str| {
        move |view: &RunView| {
            matches!(
                state(view, slug),
                NodeState::Waiting {
                    what: WaitingFor::Approval { .. }
                }
            )
        }
    };
    let view = env.wait_until(run, waits("first"));
    let approve = |slug: &str, allow: bool| {
        let input = serde_json::json!({ "run": run, "node": id(&view, slug), "allow": allow });
        env.call::<RunSummary>("node_approve", input)
            .expect("the node waits for permission")
    };
    assert_eq!(env.read("ledger"), "");
    approve("first", true);
    env.wait_until(run, waits("second"));
    approve("second", false);
    let view = env.finish(run);
    assert_eq!(env.read("ledger"), "first\n");
    assert_eq!(
        *state(&view, "second"),
        NodeState::Skipped {
            reason: SkipReason::Refused
        }
    );
}
