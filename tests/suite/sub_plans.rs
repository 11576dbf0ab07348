//! Tests sub-plans: the context they receive, how they follow the parent run, and their results.

use baton_agents::custom::Protocol;
use baton_api::wire::*;
use baton_model::outcome::Failure;
use baton_model::run::{Event, WaitingFor};
use baton_model::{NodeState, RunId, RunState};
use baton_tests::test_environment::{id, node, state, state_labels};
use baton_tests::{Shell, TestEnvironment};

use crate::pseudo_terminal::Terminal;

/// Returns the runs of the sub-plan nodes of `run`.
fn children(env: &TestEnvironment, run: RunId) -> Vec<RunView> {
    env.view(run)
        .children
        .iter()
        .map(|child| env.view(child.run))
        .collect()
}

fn paused(view: &RunView) -> bool {
    matches!(view.summary.state, RunState::Paused { .. })
}

fn asks(view: &RunView, slug: &str) -> bool {
    matches!(state(view, slug), NodeState::Waiting { .. })
}

#[test]
fn sub_plan_is_a_separate_run() {
    let env = TestEnvironment::new();
    env.import_approved(
        "
baton: 1
title: Inner
nodes:
  - {id: work, kind: command, command: 'echo inner >> ledger; echo made=it >> $BATON_OUTPUT'}
",
    );
    let run = env.start(
        "
baton: 1
title: Outer
nodes:
  - {id: inner, kind: sub_plan, subPlanId: Inner}
  - {id: after, kind: command, dependsOn: [inner], command: 'echo {{nodes.inner.outputs.made}} >> ledger'}
  - {id: twice, kind: loop, dependsOn: [after], subPlanId: Inner, maxIterations: 2}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("ledger"), "inner\nit\ninner\ninner\n");
    assert_eq!(
        view.children.len(),
        3,
        "one run for the node and two for the loop"
    );
    let child = env.view(view.children[0].run);
    assert_eq!(
        child.parent.map(|parent| (parent.run, parent.node)),
        Some((view.summary.id, id(&view, "inner")))
    );
    assert_eq!(child.summary.state, RunState::Completed);
}

#[test]
fn failed_sub_plan_fails_its_node_and_cancel_applies_to_it() {
    let env = TestEnvironment::new();
    env.import_approved(
        "baton: 1\ntitle: Bad\nnodes:\n  - {id: a, kind: command, command: exit 4}\n",
    );
    env.import_approved(LONG);
    let run = env
        .start("baton: 1\ntitle: Outer\nnodes:\n  - {id: bad, kind: sub_plan, subPlanId: Bad}\n");
    let view = env.finish(run.summary.id);
    let NodeState::Failed { failure, .. } = state(&view, "bad") else {
        panic!("{:?}", state(&view, "bad"))
    };
    assert_eq!(
        failure.to_string(),
        "stopped because its plan failed: 'a' ended with exit code 4"
    );

    let run = env.start(
        "baton: 1\ntitle: Outer too\nnodes:\n  - {id: long, kind: sub_plan, subPlanId: Long}\n",
    );
    let run = run.summary.id;
    env.wait_until(run, |_| env.work_dir.path().join("began").exists());
    let _: RunSummary = env
        .call("run_cancel", RunRef { run })
        .expect("the run is active");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Cancelled);
    assert_eq!(
        env.view(view.children[0].run).summary.state,
        RunState::Cancelled,
        "no sub-plan keeps running"
    );
}

#[test]
fn first_nodes_of_a_sub_plan_receive_the_callers_context() {
    let env = TestEnvironment::new();
    env.import_approved(
        "
baton: 1
title: Deploy
nodes:
  - {id: first, kind: command, command: 'cat $BATON_CONTEXT > seen-first; echo handed=on >> $BATON_OUTPUT'}
  - {id: second, kind: command, dependsOn: [first], command: 'cat $BATON_CONTEXT > seen-second'}
  - {id: deeper, kind: sub_plan, subPlanId: Deepest, prompt: Go deeper.}
",
    );
    env.import_approved(
        "baton: 1\ntitle: Deepest\nnodes:\n  - {id: only, kind: command, command: 'cat $BATON_CONTEXT > seen-deepest'}\n",
    );
    let run = env.start(
        "
baton: 1
title: Release
nodes:
  - {id: build, title: Build it, kind: command, command: 'echo version=1.2 >> $BATON_OUTPUT'}
  - id: deploy
    title: Deploy it
    kind: sub_plan
    subPlanId: Deploy
    prompt: 'Deploy {{nodes.build.outputs.version}} to staging.'
    dependsOn: [build]
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let first = env.read("seen-first");
    assert!(
        first.starts_with(
            "## Prompt of the calling node: Deploy it\n\nDeploy 1.2 to staging.\n\n## Build it\n\n"
        ),
        "{first}"
    );
    assert!(
        !env.read("seen-second").contains("staging"),
        "only the first nodes receive it"
    );
    let deepest = env.read("seen-deepest");
    for part in [
        "## Prompt of the calling node: deeper\n\nGo deeper.",
        "Deploy 1.2 to staging.",
        "## Build it",
    ] {
        assert!(deepest.contains(part), "{part}: {deepest}");
    }
    let child = children(&env, view.summary.id).remove(0);
    let shown: ContextView = env
        .call(
            "node_context",
            NodeRef {
                run: child.summary.id,
                node: id(&child, "first"),
            },
        )
        .expect("a context");
    assert_eq!(
        shown.text, first,
        "the shown context is what the node received"
    );
}

#[test]
fn first_node_context_is_previewed() {
    let env = TestEnvironment::new();
    env.import_approved(
        "baton: 1\ntitle: Careful\nautonomy: 0\nnodes:\n  - {id: only, kind: command, command: 'cat $BATON_CONTEXT > seen'}\n",
    );
    let run = env
        .start("baton: 1\ntitle: Above\nnodes:\n  - {id: call, kind: sub_plan, subPlanId: Careful, prompt: Mind the gap.}\n")
        .summary
        .id;
    env.wait_until(run, |_| {
        children(&env, run).iter().any(|child| asks(child, "only"))
    });
    let child = children(&env, run).remove(0);
    let only = NodeRef {
        run: child.summary.id,
        node: id(&child, "only"),
    };
    let before: ContextView = env.call("node_context", only).expect("a context");
    assert!(
        !before.given && before.text.contains("Mind the gap."),
        "{before:?}"
    );
    let allow = NodeApprove {
        run: child.summary.id,
        node: id(&child, "only"),
        allow: true,
    };
    let _: RunSummary = env
        .call("node_approve", allow)
        .expect("the node waits for approval");
    env.finish(run);
    assert_eq!(env.read("seen"), before.text);
}

/// Formats the histories of a run and of its sub-plans, for failure messages.
fn histories(env: &TestEnvironment, run: RunId) -> String {
    let runs = below(env, run)
        .into_iter()
        .map(|view| view.summary.id)
        .chain([run]);
    let formatted = runs.map(|run| {
        let input = RunHistory {
            run,
            after: 0,
            limit: 100,
        };
        let rows: Vec<HistoryRow> = env.call("run_history", input).expect("a history");
        let lines = rows.iter().map(|row| {
            format!(
                "  {} {} {}: {:?}\n",
                row.seq, row.at.0, row.actor, row.event
            )
        });
        format!("{run}\n{}", lines.collect::<String>())
    });
    formatted.collect()
}

/// The innermost of three plans, which pauses and resumes with the outermost.
const LONG: &str = "
baton: 1
title: Long
nodes:
  - {id: one, kind: command, command: 'echo one >> ledger; touch began; while ! test -e go; do sleep 0.05; done'}
  - {id: two, kind: command, dependsOn: [one], command: 'echo two >> ledger; echo done=yes >> $BATON_OUTPUT'}
";

/// The outermost plan, which calls `Middle`, which calls `Long`.
const OUTER: &str =
    "baton: 1\ntitle: Outer\ncwd: .\nnodes:\n  - {id: middle, kind: sub_plan, subPlanId: Middle}\n";

fn approve_long_and_middle(env: &TestEnvironment) {
    env.import_approved(LONG);
    env.import_approved(
        "baton: 1\ntitle: Middle\nnodes:\n  - {id: long, kind: sub_plan, subPlanId: Long}\n",
    );
}

fn three_deep(env: &TestEnvironment) -> RunId {
    approve_long_and_middle(env);
    env.start(OUTER).summary.id
}

/// Returns the runs below `run`, from the top down.
fn below(env: &TestEnvironment, run: RunId) -> Vec<RunView> {
    let mut views: Vec<RunView> = Vec::new();
    let mut open = vec![run];
    while let Some(run) = open.pop() {
        for child in children(env, run) {
            open.push(child.summary.id);
            views.push(child);
        }
    }
    views
}

#[test]
fn pause_and_resume_apply_to_all_sub_runs() {
    let env = TestEnvironment::new();
    let run = three_deep(&env);
    env.wait_until(run, |_| env.work_dir.path().join("began").exists());
    let _: RunSummary = env
        .call(
            "run_pause",
            RunPause {
                run,
                stop_running: false,
            },
        )
        .expect("the run is active");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let view = env.wait_until(run, paused);
    assert_eq!(state_labels(&view), ["middle pending"]);
    let before = below(&env, run);
    assert!(
        before.len() == 2 && before.iter().all(paused),
        "{before:#?}"
    );
    assert_eq!(
        env.read("ledger"),
        "one\n",
        "the running node finished, and no other started"
    );
    let _: RunSummary = env
        .call("run_resume", RunRef { run })
        .expect("the run is paused");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert_eq!(env.read("ledger"), "one\ntwo\n", "no work was repeated");
    let after = below(&env, run);
    let ids = |views: &[RunView]| views.iter().map(|view| view.summary.id).collect::<Vec<_>>();
    assert_eq!(ids(&after), ids(&before), "the same runs continued");
    assert_eq!(
        node(&env.view(run), "middle").state,
        NodeState::Done { by_hand: false }
    );
}

#[test]
fn resume_lists_only_the_outermost_paused_run() {
    let env = TestEnvironment::new();
    let run = three_deep(&env);
    env.wait_until(run, |_| env.work_dir.path().join("began").exists());
    let _: RunSummary = env
        .call(
            "run_pause",
            RunPause {
                run,
                stop_running: false,
            },
        )
        .expect("the run is active");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    env.wait_until(run, paused);
    let said = Shell::new(&env).run(&["resume"]);
    assert_eq!(
        (said.code, env.view(run).summary.state),
        (Some(0), RunState::Completed),
        "{said:?}"
    );
    assert_eq!(env.read("ledger"), "one\ntwo\n");
}

#[test]
fn pause_with_stop_also_stops_nodes_of_sub_plans() {
    let env = TestEnvironment::new();
    let run = three_deep(&env);
    env.wait_until(run, |_| env.work_dir.path().join("began").exists());
    let _: RunSummary = env
        .call(
            "run_pause",
            RunPause {
                run,
                stop_running: true,
            },
        )
        .expect("the run is active");
    env.wait_until(run, paused);
    assert!(
        below(&env, run).iter().all(paused),
        "{:#?}",
        below(&env, run)
    );
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let _: RunSummary = env
        .call("run_resume", RunRef { run })
        .expect("the run is paused");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert_eq!(
        env.read("ledger"),
        "one\none\ntwo\n",
        "the stopped node started again in the same run"
    );
    assert_eq!(below(&env, run).len(), 2);
}

#[test]
fn canceling_a_paused_run_cancels_its_sub_runs() {
    let env = TestEnvironment::new();
    let run = three_deep(&env);
    env.wait_until(run, |_| env.work_dir.path().join("began").exists());
    let _: RunSummary = env
        .call(
            "run_pause",
            RunPause {
                run,
                stop_running: true,
            },
        )
        .expect("the run is active");
    env.wait_until(run, paused);
    let _: RunSummary = env
        .call("run_cancel", RunRef { run })
        .expect("the run is paused");
    env.wait_until(run, |view| view.summary.state == RunState::Cancelled);
    env.wait_until(run, |_| {
        below(&env, run)
            .iter()
            .all(|child| child.summary.state == RunState::Cancelled)
    });
}

#[test]
fn manually_paused_sub_run_stays_paused() {
    let env = TestEnvironment::new();
    let run = three_deep(&env);
    env.wait_until(run, |_| env.work_dir.path().join("began").exists());
    let inner = below(&env, run).pop().expect("two").summary.id;
    let _: RunSummary = env
        .call(
            "run_pause",
            RunPause {
                run: inner,
                stop_running: true,
            },
        )
        .expect("the run is active");
    env.wait_until(inner, paused);
    let _: RunSummary = env
        .call(
            "run_pause",
            RunPause {
                run,
                stop_running: true,
            },
        )
        .expect("the run is active");
    env.wait_until(run, paused);
    let _: RunSummary = env
        .call("run_resume", RunRef { run })
        .expect("the run is paused");
    let middle = below(&env, run).remove(0).summary.id;
    env.wait_until(middle, |view| {
        view.summary.state.is_running() && *state(view, "long") == NodeState::Running
    });
    assert!(
        paused(&env.view(inner)),
        "it stays paused: {}",
        histories(&env, run)
    );
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let _: RunSummary = env
        .call("run_resume", RunRef { run: inner })
        .expect("the run is paused");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
}

#[test]
fn stopping_the_calling_node_ends_its_sub_runs() {
    let env = TestEnvironment::new();
    let run = three_deep(&env);
    let view = env.wait_until(run, |_| env.work_dir.path().join("began").exists());
    let _: RunSummary = env
        .call(
            "node_stop",
            NodeRef {
                run,
                node: id(&view, "middle"),
            },
        )
        .expect("the run is active");
    let view = env.finish(run);
    let NodeState::Interrupted { detail } = state(&view, "middle") else {
        panic!("{:#?}", view.nodes)
    };
    assert_eq!(detail, "stopped by a person");
    assert!(
        below(&env, run)
            .iter()
            .all(|child| child.summary.state == RunState::Cancelled)
    );
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let retry = serde_json::json!({ "run": run, "node": id(&view, "middle"), "resume": false });
    let _: RunSummary = env
        .call("node_retry", retry)
        .expect("the node is interrupted");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert_eq!(
        env.read("ledger"),
        "one\none\ntwo\n",
        "it started from the beginning"
    );
}

/// The executor is killed between pausing the run and pausing its sub-runs, or before those resume.
#[test]
fn pause_and_resume_reach_sub_runs_despite_crashes() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    approve_long_and_middle(&env);
    let file = shell.plan_file("outer.yaml", OUTER);
    let running = shell.start(&["run", &file, "--yes"]);
    let began = || {
        env.work_dir
            .path()
            .join("began")
            .exists()
            .then_some(())
            .ok_or("not started".to_owned())
    };
    baton_tests::processes::wait("the innermost node is running", began);
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            serde_json::json!({ "plan": null, "limit": 10 }),
        )
        .expect("runs");
    let run = runs
        .iter()
        .find(|run| run.title == "Outer")
        .expect("the run is active")
        .id;
    // The command is stored by now, and the executor is killed at the earliest possible moment.
    let pausing = shell.run(&[
        "call",
        "run_pause",
        &format!(r#"{{"run":"{run}","stopRunning":true}}"#),
    ]);
    assert_eq!(pausing.code, Some(0), "{pausing:?}");
    let _ = running.kill();
    env.app.adopt(run).expect("the executor is dead");
    env.wait_until(run, paused);
    assert!(
        below(&env, run).iter().all(paused),
        "{:#?}",
        below(&env, run)
    );
    let before = below(&env, run).len();
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    env.app.shut_down();
    for point in ["after append", "before effects"] {
        let mut dying = shell.baton(&["resume", &run.to_string()]);
        // The run may finish before the point is reached that often.
        drop(dying.env("BATON_CRASH_AT", format!("{point}:3")).output());
    }
    let said = shell.run(&["resume", &run.to_string()]);
    assert_eq!(env.view(run).summary.state, RunState::Completed, "{said:?}");
    assert_eq!(below(&env, run).len(), before, "the same runs continued");
    assert_eq!(
        env.read("ledger")
            .lines()
            .filter(|line| *line == "two")
            .count(),
        1
    );
}

#[test]
fn stricter_autonomy_of_both_plans_applies() {
    let env = TestEnvironment::new();
    env
        .import_approved("baton: 1\ntitle: Free\nautonomy: 4\nnodes:\n  - {id: only, kind: command, command: 'touch done'}\n");
    let above = |autonomy: u8| {
        format!(
            "baton: 1\ntitle: Above {autonomy}\nautonomy: {autonomy}\nnodes:\n  - {{id: call, kind: sub_plan, subPlanId: Free}}\n"
        )
    };
    let run = env.start(&above(0)).summary.id;
    let view = env.wait_until(run, |view| asks(view, "call"));
    let allow = NodeApprove {
        run,
        node: id(&view, "call"),
        allow: true,
    };
    let _: RunSummary = env
        .call("node_approve", allow)
        .expect("the node waits for approval");
    env.wait_until(run, |_| {
        children(&env, run).iter().any(|child| asks(child, "only"))
    });
    assert!(
        !env.work_dir.path().join("done").exists(),
        "the sub-plan alone needs no approval"
    );
    let child = children(&env, run).remove(0);
    let NodeState::Waiting {
        what: WaitingFor::Approval { .. },
    } = state(&child, "only")
    else {
        panic!("{child:#?}")
    };
    let allow = NodeApprove {
        run: child.summary.id,
        node: id(&child, "only"),
        allow: true,
    };
    let _: RunSummary = env
        .call("node_approve", allow)
        .expect("the node waits for approval");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    let free = env.start(&above(4)).summary.id;
    assert_eq!(env.finish(free).summary.state, RunState::Completed);
}

/// An ACP agent that uses 3,000 tokens in each of its two turns.
const SPENDER: &str = r#"
say() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\),.*/\1/p')
  case $line in
    *'"initialize"'*) say '{"protocolVersion":1,"agentCapabilities":{}}' ;;
    *'"session/new"'*) say '{"sessionId":"s"}' ;;
    *'"session/prompt"'*)
      printf '%s\n' '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"**What was done:** Something."}}}}'
      say '{"stopReason":"end_turn","usage":{"inputTokens":3000,"outputTokens":0}}' ;;
  esac
done
"#;

#[test]
fn sub_plan_usage_counts_toward_the_parents_limits() {
    let env = TestEnvironment::new();
    let command = ["sh", "-c", SPENDER].map(str::to_owned).to_vec();
    let agent = CustomAgent {
        id: "spender".to_owned(),
        command,
        protocol: Protocol::Acp,
    };
    let _: Vec<AgentView> = env.call("agent_save", agent).expect("a new agent");
    env.import_approved(
        "baton: 1\ntitle: Spends\nbudget: {tokens: 100000}\nnodes:\n  - {id: spend, agent: spender, prompt: Work.}\n",
    );
    let run = env.start(
        "
baton: 1
title: Above
budget: {tokens: 10000}
nodes:
  - {id: first, kind: sub_plan, subPlanId: Spends}
  - {id: second, kind: sub_plan, subPlanId: Spends, dependsOn: [first]}
",
    );
    let view = env.finish(run.summary.id);
    let history_text = histories(&env, run.summary.id);
    assert!(
        history_text.contains("12,000 of 10,000 tokens"),
        "both count in the parent: {history_text}"
    );
    assert!(
        history_text.contains("6,000 of 4,000 tokens"),
        "the second gets the remaining budget: {history_text}"
    );
    assert_eq!(
        node(&view, "first").marks.spent.tokens,
        6000,
        "two turns of the sub-plan's agent"
    );
    let left: Vec<Option<u64>> = view
        .children
        .iter()
        .map(|child| {
            let history = RunHistory {
                run: child.run,
                after: 0,
                limit: 1,
            };
            let rows: Vec<HistoryRow> = env.call("run_history", history).expect("a history");
            let Event::Started {
                caller: Some(caller),
                ..
            } = &rows[0].event
            else {
                panic!("{rows:?}")
            };
            caller.allowance.tokens
        })
        .collect();
    assert_eq!(
        left,
        [Some(10_000), Some(4_000)],
        "{}",
        histories(&env, view.summary.id)
    );
}

#[test]
fn parent_time_limits_end_a_sub_plan() {
    let env = TestEnvironment::new();
    env.import_approved(
        "baton: 1\ntitle: Long\nnodes:\n  - {id: a, kind: command, command: sleep 1000, timeoutMs: 1000000}\n",
    );
    let of_the_node =
        env.start("baton: 1\ntitle: Node\nnodes:\n  - {id: call, kind: sub_plan, subPlanId: Long, timeoutMs: 300}\n");
    let view = env.finish(of_the_node.summary.id);
    let NodeState::Failed { failure, .. } = state(&view, "call") else {
        panic!("{:#?}", view.nodes)
    };
    assert!(
        matches!(failure, Failure::TimedOut { limit_ms: 300 }),
        "{failure}"
    );
    assert_eq!(
        env.view(view.children[0].run).summary.state,
        RunState::Cancelled
    );
    let of_the_plan =
        env.start("baton: 1\ntitle: Plan\ntimeoutMs: 300\nnodes:\n  - {id: call, kind: sub_plan, subPlanId: Long}\n");
    let view = env.finish(of_the_plan.summary.id);
    let RunState::Failed { message, .. } = &view.summary.state else {
        panic!("{:#?}", view.summary)
    };
    assert!(message.contains("exceeded its time limit"), "{message}");
    assert_eq!(
        env.view(view.children[0].run).summary.state,
        RunState::Cancelled,
        "no sub-plan keeps running"
    );
}

#[test]
fn unapproved_sub_plan_is_rejected_before_the_run_and_at_its_start() {
    let env = TestEnvironment::new();
    let inner = env
        .import("baton: 1\ntitle: Inner\nnodes:\n  - {id: only, kind: command, command: 'true'}\n");
    let outer = env.import_approved("baton: 1\ntitle: Outer\nnodes:\n  - {id: wait, kind: command, command: 'while ! test -e go; do sleep 0.05; done'}\n  - {id: call, kind: sub_plan, subPlanId: Inner, dependsOn: [wait]}\n");
    let refused = env
        .run(outer.plan.id, RunGoal::All)
        .expect_err("the inner plan is not approved");
    assert!(
        refused
            .message
            .contains("'call' runs the plan 'Inner', which is not approved"),
        "{}",
        refused.message
    );
    let _: PlanView = env
        .call(
            "plan_approve",
            serde_json::json!({ "plan": inner.plan.id, "revision": inner.revision }),
        )
        .expect("the plan can run");
    let run = env
        .run(outer.plan.id, RunGoal::All)
        .expect("all plans are approved")
        .summary
        .id;
    let mut changed = inner.plan.clone();
    changed.description = "Something else.".to_owned();
    changed.nodes[0].title = "Another".to_owned();
    let view: PlanView = env
        .call(
            "plan_get",
            PlanRef {
                plan: inner.plan.id,
            },
        )
        .expect("the plan exists");
    let save = serde_json::json!({ "plan": changed, "baseRevision": view.revision });
    let _: PlanSaved = env.call("plan_save", save).expect("no conflicting change");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let view = env.finish(run);
    let NodeState::Failed { failure, .. } = state(&view, "call") else {
        panic!("{:#?}", view.nodes)
    };
    let said = failure.to_string();
    assert!(
        said.contains("the plan 'Inner' is not approved: review and approve it first"),
        "{said}"
    );
}

#[test]
fn outputs_of_the_last_nodes_become_the_callers_outputs() {
    let env = TestEnvironment::new();
    env.import_approved(
        "
baton: 1
title: Inner
nodes:
  - {id: early, kind: command, command: 'echo a=early >> $BATON_OUTPUT; echo b=early >> $BATON_OUTPUT'}
  - {id: last, kind: command, dependsOn: [early], command: 'echo a=last >> $BATON_OUTPUT'}
  - {id: way, kind: condition, condition: 'true', trueStep: taken, falseStep: other}
  - {id: taken, kind: command, command: 'echo c=taken >> $BATON_OUTPUT'}
  - {id: other, kind: command, command: 'echo c=other >> $BATON_OUTPUT'}
",
    );
    let run = env.start(
        "
baton: 1
title: Outer
nodes:
  - {id: inner, kind: sub_plan, subPlanId: Inner}
  - {id: after, kind: command, dependsOn: [inner], command: 'echo {{nodes.inner.outputs.a}} {{nodes.inner.outputs.c}} >> ledger; cat $BATON_CONTEXT > seen'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("ledger"), "last taken\n");
    let artifact = node(&view, "inner").artifact.expect("a handoff");
    let left: ArtifactView = env
        .call("artifact_get", ArtifactRef { artifact })
        .expect("a handoff");
    assert!(
        !left.content.outputs.contains_key("b"),
        "outputs of earlier nodes aren't passed on: {left:?}"
    );
    let seen = env.read("seen");
    assert!(
        seen.contains("### last") && seen.contains("### taken") && !seen.contains("### early"),
        "{seen}"
    );
}

#[test]
fn loop_body_gets_index_and_previous_outputs() {
    let env = TestEnvironment::new();
    env.import_approved(
        "
baton: 1
title: Body
nodes:
  - {id: only, kind: command, command: 'echo \"{{loop.index}} after [{{loop.previous.outputs.n}}]\" >> ledger; echo \"n=$(touch hacked){{loop.index}};touch hacked2\" >> $BATON_OUTPUT'}
",
    );
    let run = env.start(
        "
baton: 1
title: Repeats
nodes:
  - {id: before, kind: command, command: \"echo '{{loop.index}}' >> untouched\"}
  - {id: plans, kind: loop, subPlanId: Body, maxIterations: 3, dependsOn: [before]}
  - id: calls
    kind: loop
    dependsOn: [plans]
    toolName: shell
    toolArgs: {command: 'echo {{loop.index}} [{{loop.previous.outputs.stdout}}] >> tools; printf \"%s\" \"x{{loop.index}}\"'}
    maxIterations: 2
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(
        env.read("ledger"),
        "1 after []\n2 after [1;touch hacked2]\n3 after [2;touch hacked2]\n"
    );
    assert!(
        !env.work_dir.path().join("hacked2").exists(),
        "values are passed as variables"
    );
    assert_eq!(
        env.read("untouched"),
        "{{loop.index}}\n",
        "outside of a loop the template isn't expanded"
    );
    assert_eq!(env.read("tools"), "1 []\n2 [x1]\n");
}

/// A plan that runs `inner` as sub-plans, followed by a command.
fn plan_that_runs(title: &str, inner: &[&str]) -> String {
    let nodes = inner
        .iter()
        .enumerate()
        .map(|(at, inner)| format!("  - {{id: n{at}, kind: sub_plan, subPlanId: {inner}}}\n"));
    let nodes: String = nodes.collect();
    let work = format!("  - {{id: work, kind: command, command: 'echo {title} >> ledger'}}\n");
    format!("baton: 1\ntitle: {title}\nnodes:\n{nodes}{work}")
}

#[test]
fn exported_plan_includes_its_sub_plans() {
    let env = TestEnvironment::new();
    env.import_approved(&plan_that_runs("Deepest", &[]));
    env.import_approved(&plan_that_runs("Middle", &["Deepest"]));
    let outer = env.import_approved(&plan_that_runs("Outer", &["Middle", "Deepest"]));
    let shell = Shell::new(&env);
    let said = shell.run(&["plan", "export", &outer.plan.id.to_string()]);
    assert_eq!(
        said.out.matches("title: Deepest").count(),
        1,
        "each plan is exported once: {}",
        said.out
    );
    assert!(
        !said.out.contains(&outer.plan.nodes[0].id.to_string()),
        "the export contains no local ids: {}",
        said.out
    );

    let elsewhere = TestEnvironment::new();
    let shell = Shell::new(&elsewhere);
    let file = shell.plan_file(
        "outer.yaml",
        &said
            .out
            .replace(&env.work_dir.path().display().to_string(), "."),
    );
    elsewhere.app.shut_down();
    let ran = shell.run(&["run", &file, "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut ledger: Vec<String> = elsewhere
        .read("ledger")
        .lines()
        .map(str::to_owned)
        .collect();
    ledger.sort();
    assert_eq!(ledger, ["Deepest", "Deepest", "Middle", "Outer"]);
    let plans: Vec<PlanSummary> = elsewhere.call("plans_list", Nothing {}).expect("plans");
    let taken = |title: &str| plans.iter().filter(|plan| plan.title == title).count();
    assert_eq!(
        [taken("Outer"), taken("Middle"), taken("Deepest")],
        [1, 1, 1],
        "each plan is stored once"
    );
    // Importing the same file again finds the same plans and their approval.
    let again = shell.run(&["run", &file]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let plans_then: Vec<PlanSummary> = elsewhere.call("plans_list", Nothing {}).expect("plans");
    assert_eq!(plans_then.len(), plans.len());
}

#[test]
fn file_with_an_invalid_sub_plan_is_rejected_with_its_line() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let before: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    let recursive = "baton: 1\ntitle: Outer\nnodes:\n  - {id: a, kind: sub_plan, subPlanId: b}\nplans:\n  b:\n    title: B\n    nodes:\n      - {id: c, kind: sub_plan, subPlanId: c}\n  c:\n    title: C\n    nodes:\n      - {id: b, kind: sub_plan, subPlanId: b}\n";
    let said = shell.run(&["plan", "import", &shell.plan_file("ring.yaml", recursive)]);
    assert_ne!(said.code, Some(0));
    assert!(
        said.err.contains("a plan would run itself: B → C → B")
            && said.err.contains("ring.yaml:13:"),
        "{said:?}"
    );
    let missing = "baton: 1\ntitle: Outer\nnodes:\n  - {id: a, kind: command, command: ls}\n  - {id: b, kind: sub_plan, subPlanId: nowhere.yaml}\n";
    let said = shell.run(&["plan", "import", &shell.plan_file("missing.yaml", missing)]);
    assert!(
        said.err.contains("missing.yaml:5:") && said.err.contains("there is no such file"),
        "{said:?}"
    );
    let after: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    assert_eq!(after.len(), before.len(), "no plan is stored");
}

/// A shell, and the file of a plan that calls a plan that calls a plan that asks for a name. No
/// other process executes runs.
fn question_two_plans_below(env: &TestEnvironment) -> (Shell, String) {
    env.import_approved(
        "baton: 1\ntitle: Inner\nnodes:\n  - {id: ask, title: Ask, kind: user_input, question: 'Which name?'}\n  \
         - {id: use, kind: command, dependsOn: [ask], command: 'cat $BATON_CONTEXT > told'}\n",
    );
    env.import_approved(
        "baton: 1\ntitle: Middle\nnodes:\n  - {id: deploy, title: Deploy, kind: sub_plan, subPlanId: Inner}\n",
    );
    let shell = Shell::new(env);
    let file = shell.plan_file(
        "outer.yaml",
        "baton: 1\ntitle: Outer\ncwd: .\nnodes:\n  - {id: release, title: Release, kind: sub_plan, subPlanId: Middle}\n",
    );
    env.app.shut_down();
    (shell, file)
}

#[test]
fn sub_plan_question_can_be_answered_at_the_terminal() {
    let env = TestEnvironment::new();
    let (shell, file) = question_two_plans_below(&env);
    let mut terminal = Terminal::start(shell.baton(&["run", &file, "--yes"]));
    let asked = terminal.wait_until("[type an answer]");
    let question = asked
        .lines()
        .rfind(|line| line.contains("[type an answer]"))
        .expect("the question is printed");
    assert!(
        question.contains("Release › Deploy › Ask") && question.contains("Which name?"),
        "{asked}"
    );
    terminal.type_line("Lantern");
    let (status, printed) = terminal.end();
    assert_eq!(status.code(), Some(0), "{printed}");
    assert!(
        env.read("told").contains("Lantern"),
        "the answer reached the sub-plan: {}",
        env.read("told")
    );
}

/// `baton run` prints the question of a sub-plan, which another shell answers.
#[test]
fn run_prints_questions_of_sub_plans() {
    let env = TestEnvironment::new();
    let (shell, file) = question_two_plans_below(&env);
    let mut running = shell.start(&["run", &file, "--yes"]);
    let line = loop {
        let line = running
            .next_line()
            .expect("the question is printed before the end");
        if line.contains("Which name?") {
            break line;
        }
    };
    assert!(line.contains("Release › Deploy › Ask"), "{line}");
    let answer = line
        .split_once("baton node input ")
        .expect("how to answer")
        .1;
    let words: Vec<&str> = answer.split_whitespace().collect();
    let said = shell.run(&["node", "input", words[0], words[1], "Lantern"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let (status, rest) = running.end();
    assert_eq!(status.code(), Some(0), "{rest}");
    assert!(
        !rest.contains("Which name?"),
        "the question is printed once: {rest}"
    );
}

/// A condition in a loop in a sub-plan, with a failing handler. The run reports the failure at
/// every level.
#[test]
fn failed_handler_in_a_nested_loop_fails_the_whole_run() {
    let env = TestEnvironment::new();
    env.import_approved(
        "
baton: 1
title: Round
nodes:
  - {id: count, kind: command, command: 'echo n={{loop.index}} >> $BATON_OUTPUT'}
  - {id: way, kind: condition, dependsOn: [count], condition: nodes.count.outputs.n < 2, trueStep: fine, falseStep: breaks}
  - {id: fine, kind: command, command: 'echo fine >> ledger; echo last=fine >> $BATON_OUTPUT'}
  - {id: breaks, kind: command, command: 'echo breaks >> ledger; exit 3', onFailure: repair}
  - {id: repair, kind: command, dependsOn: [breaks], command: 'echo \"told {{nodes.breaks.error.exitCode}} after {{loop.previous.outputs.last}}\" >> ledger; exit 4'}
",
    );
    env.import_approved(
        "baton: 1\ntitle: Middle\nnodes:\n  - {id: rounds, kind: loop, subPlanId: Round, maxIterations: 3}\n",
    );
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "outer.yaml",
        "baton: 1\ntitle: Outer\ncwd: .\nnodes:\n  - {id: release, kind: sub_plan, subPlanId: Middle}\n  - {id: after, kind: command, dependsOn: [release], command: 'echo after >> ledger'}\n",
    );
    env.app.shut_down();
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(
        env.read("ledger"),
        "fine\nbreaks\ntold 3 after fine\n",
        "nothing ran after it, and there is no third iteration"
    );
    assert!(
        said.out.contains("'repair' ended with exit code 4"),
        "the cause is printed: {said:?}"
    );
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            serde_json::json!({ "plan": null, "limit": 10 }),
        )
        .expect("runs");
    let outer = runs
        .iter()
        .find(|run| run.title == "Outer")
        .expect("the sub-plan has a run");
    assert!(
        matches!(outer.state, RunState::Failed { .. }),
        "{:?}",
        outer.state
    );
    let view = env.view(outer.id);
    assert_eq!(state_labels(&view), ["release failed", "after blocked"]);
    let rounds: Vec<RunView> = below(&env, outer.id)
        .into_iter()
        .filter(|run| run.summary.title == "Round")
        .collect();
    assert_eq!(rounds.len(), 2);
    assert_eq!(
        state_labels(&rounds[0]),
        [
            "count done",
            "way done",
            "fine done",
            "breaks skipped",
            "repair skipped"
        ]
    );
    assert_eq!(
        state_labels(&rounds[1]),
        [
            "count done",
            "way done",
            "fine skipped",
            "breaks failed",
            "repair failed"
        ]
    );
}
