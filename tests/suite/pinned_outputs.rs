//! Runs in which nodes use outputs that a person pinned, with real processes.

use baton_api::wire::*;
use baton_model::run::SkipReason;
use baton_model::{NodeId, NodeState, PlanId, RunState};
use baton_tests::test_environment::{id, node, state};
use baton_tests::{Shell, TestEnvironment};

/// `first` › `second` › `third`; `third` keeps what it receives.
const CHAIN: &str = "
baton: 1
title: chain
cwd: .
nodes:
  - {id: first, kind: command, command: 'echo first >> ran'}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second >> ran; echo made=yes >> $BATON_OUTPUT'}
  - {id: third, kind: command, dependsOn: [second], command: 'echo third >> ran; cat $BATON_CONTEXT > received.md; echo {{nodes.second.outputs.made}} > made'}
";

fn slug_id(plan: &PlanView, slug: &str) -> NodeId {
    let mut nodes = plan.plan.nodes.iter();
    nodes
        .find(|node| node.slug.as_str() == slug)
        .expect("the plan has it")
        .id
}

fn pin(
    env: &TestEnvironment,
    plan: PlanId,
    node: NodeId,
    run: Option<baton_model::RunId>,
    text: Option<&str>,
) -> Result<PinnedOutputsView, baton_api::ApiError> {
    let input = NodeOutputPin {
        plan,
        node,
        run,
        text: text.map(str::to_owned),
        outputs: None,
    };
    env.call("node_output_pin", input)
}

/// Pins a text, or the handoff of a run, with named outputs.
fn pin_outputs(
    env: &TestEnvironment,
    (plan, node): (PlanId, NodeId),
    run: Option<baton_model::RunId>,
    outputs: &[(&str, &str)],
) -> Result<PinnedOutputsView, baton_api::ApiError> {
    let typed = |&(name, value): &(&str, &str)| TypedOutput {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    let input = NodeOutputPin {
        plan,
        node,
        run,
        text: run.is_none().then(|| "Typed.".to_owned()),
        outputs: Some(outputs.iter().map(typed).collect()),
    };
    env.call("node_output_pin", input)
}

fn start_pinned(env: &TestEnvironment, plan: PlanId) -> Result<RunView, baton_api::ApiError> {
    env.call("run_start_pinned", RunStartPinned { plan, limit: None })
}

#[test]
fn children_receive_the_pinned_output_and_the_node_does_not_run() {
    let env = TestEnvironment::new();
    let first = env.finish(env.start(CHAIN).summary.id);
    assert_eq!(first.summary.state, RunState::Completed);
    assert_eq!(env.read("ran"), "first\nsecond\nthird\n");
    let (plan, second) = (first.summary.plan, id(&first, "second"));

    let edited = "**What was done:**\nOnly the pinned text.";
    let pins =
        pin(&env, plan, second, Some(first.summary.id), Some(edited)).expect("it has a handoff");
    let [output] = pins.outputs.as_slice() else {
        panic!("one pin: {pins:?}");
    };
    assert_eq!(
        (output.node, output.run, output.used),
        (second, Some(1), true)
    );
    assert_eq!(pins.left_out, [id(&first, "first")]);
    assert_eq!(pins.runs, [id(&first, "third")]);

    let run = start_pinned(&env, plan)
        .expect("the plan is approved")
        .summary
        .id;
    let pins = pin(&env, plan, second, None, Some("Another text.")).expect("a text");
    assert_eq!(pins.outputs.len(), 1, "it replaces the first");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(
        env.read("ran"),
        "first\nsecond\nthird\nthird\n",
        "only the third node ran"
    );
    let received = env.read("received.md");
    assert!(received.contains("Only the pinned text."), "{received}");
    assert_eq!(
        env.read("made"),
        "yes\n",
        "the named outputs are pinned too"
    );
    assert_eq!(view.summary.pinned_nodes, Some(1));
    let pinned = node(&view, "second");
    assert_eq!(pinned.state, NodeState::Done { by_hand: true });
    let origin = pinned.marks.pinned_output.clone().expect("it is pinned");
    assert_eq!((origin.run, pinned.attempt.0), (Some(1), 0));
    assert!(origin.by.starts_with("person"), "{origin:?}");
    let reason = SkipReason::OnlyPinnedNeed;
    assert_eq!(state(&view, "first"), &NodeState::Skipped { reason });
    let evidence = env.call::<EvidenceView>(
        "evidence_get",
        AttemptRef {
            run,
            node: second,
            attempt: None,
        },
    );
    assert!(evidence.is_err(), "nothing ran, so there is no evidence");
    let page: RunsPage = env
        .call(
            "runs_page",
            serde_json::json!({"states": [], "search": "", "sort": "newest", "limit": 10}),
        )
        .expect("a page");
    let labels: Vec<_> = page
        .rows
        .iter()
        .map(|row| (row.number, row.pinned_nodes))
        .collect();
    assert_eq!(labels, [(2, Some(1)), (1, None)]);
}

#[test]
fn ordinary_run_never_uses_a_pin() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let second = slug_id(&plan, "second");
    let refused = start_pinned(&env, plan.plan.id).expect_err("nothing is pinned");
    assert_eq!(refused.message, "No node of this plan has a pinned output.");
    pin(&env, plan.plan.id, second, None, Some("Typed.")).expect("a text");
    let run = env
        .run(plan.plan.id, RunGoal::All)
        .expect("the plan can run");
    let view = env.finish(run.summary.id);
    assert_eq!(env.read("ran"), "first\nsecond\nthird\n");
    assert_eq!(view.summary.pinned_nodes, None);
    let pins: PinnedOutputsView = env
        .call(
            "node_output_unpin",
            PlanNodeRef {
                plan: plan.plan.id,
                node: second,
            },
        )
        .expect("a plan");
    assert!(pins.outputs.is_empty());
    assert!(start_pinned(&env, plan.plan.id).is_err(), "the pin is gone");
}

#[test]
fn children_receive_the_typed_outputs() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let (plan, second) = (plan.plan.id, slug_id(&plan, "second"));
    let pins = pin(&env, plan, second, None, Some("Typed.")).expect("a text");
    let read: Vec<_> = pins
        .reads
        .iter()
        .map(|read| (read.node, read.name.as_str()))
        .collect();
    assert_eq!(read, [(second, "made")], "a pin without it is incomplete");
    let run = start_pinned(&env, plan).expect("the plan is approved");
    let view = env.finish(run.summary.id);
    assert!(
        matches!(view.summary.state, RunState::Failed { .. }),
        "the third node reads an output that isn't pinned"
    );

    let pins = pin_outputs(&env, (plan, second), None, &[("made", "by hand")]);
    let pins = pins.expect("valid outputs");
    assert_eq!(pins.outputs[0].outputs["made"], "by hand");
    let run = start_pinned(&env, plan).expect("the plan is approved");
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("made"), "by hand\n");
}

#[test]
fn outputs_of_a_handoff_are_kept_or_replaced() {
    let env = TestEnvironment::new();
    let first = env.finish(env.start(CHAIN).summary.id);
    let (plan, second) = (first.summary.plan, id(&first, "second"));
    let run = Some(first.summary.id);
    let named = |pins: PinnedOutputsView| {
        let outputs = pins.outputs.into_iter().flat_map(|pin| pin.outputs);
        outputs.collect::<Vec<_>>()
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let kept = pin(&env, plan, second, run, Some("Edited.")).expect("it has a handoff");
    assert_eq!(named(kept), [pair("made", "yes")]);
    let replaced = pin_outputs(&env, (plan, second), run, &[("other", "1"), ("empty", "")]);
    let replaced = replaced.expect("valid outputs");
    assert!(replaced.outputs[0].text.contains("exit code 0"), "its text");
    assert_eq!(named(replaced), [pair("empty", ""), pair("other", "1")]);
    let none = pin_outputs(&env, (plan, second), run, &[]).expect("no outputs");
    assert_eq!(named(none), []);
}

#[test]
fn invalid_typed_outputs_are_refused() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let of = (plan.plan.id, slug_id(&plan, "second"));
    let large = "x".repeat(baton_model::artifact::OUTPUT_LIMIT);
    for (outputs, message) in [
        (
            vec![("made", "yes"), ("", "no")],
            "Named output 2 has no name.",
        ),
        (
            vec![("made", "yes"), ("my key", "no")],
            "The name of named output 2, 'my key', can't be used in `{{nodes.ID.outputs.NAME}}`.",
        ),
        (
            vec![("made", "yes"), ("other", ""), ("made", "no")],
            "Named outputs 1 and 3 have the same name, 'made'.",
        ),
        (
            ["a", "b", "c", "d"]
                .map(|name| (name, large.as_str()))
                .into(),
            "The output has 262173 bytes; the limit is 262144.",
        ),
    ] {
        let refused = pin_outputs(&env, of, None, &outputs).expect_err(message);
        assert_eq!(refused.message, message);
        assert!(refused.fix.is_some(), "{refused:?}");
    }
    let pins: PinnedOutputsView = env
        .call("pinned_outputs", PlanRef { plan: of.0 })
        .expect("a plan");
    assert!(pins.outputs.is_empty(), "nothing was pinned");
}

#[test]
fn invalid_pins_are_refused() {
    let env = TestEnvironment::new();
    let view = env.finish(env.start(CHAIN).summary.id);
    let (plan, node) = (view.summary.plan, id(&view, "second"));
    let other = env.start("baton: 1\nnodes:\n  - {id: a, kind: command, command: 'true'}\n");
    let large = "x".repeat(baton_model::run::PIN_LIMIT + 1);
    let cases = [
        (None, None, "The output has no text."),
        (None, Some("  "), "The output has no text."),
        (
            Some(other.summary.id),
            None,
            "The run belongs to another plan.",
        ),
        (
            None,
            Some(large.as_str()),
            "The output has 262164 bytes; the limit is 262144.",
        ),
    ];
    for (run, text, message) in cases {
        let refused = pin(&env, plan, node, run, text).expect_err(message);
        assert_eq!(refused.message, message);
    }
}

/// The start is one transaction: afterwards either there is no run, or one that finishes with the
/// pinned output as it was at the start.
#[test]
fn run_with_pinned_outputs_survives_crashes() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    for point in [
        "before append",
        "after append",
        "before effects",
        "after spawn",
    ] {
        let title = format!("crash-{}", point.replace(' ', "-"));
        let text = CHAIN.replace("title: chain", &format!("title: {title}"));
        let file = shell.plan_file(&format!("{title}.yaml"), &text);
        assert_eq!(shell.run(&["plan", "import", &file]).code, Some(0));
        let typed = shell.plan_file("typed.md", "At the start.");
        assert_eq!(
            shell
                .run(&[
                    "pin",
                    &title,
                    "second",
                    "made=at the start",
                    "--file",
                    &typed
                ])
                .code,
            Some(0)
        );
        let mut crash = shell.baton(&["run", &title, "--pinned", "--yes"]);
        let status = crash
            .env("BATON_CRASH_AT", point)
            .output()
            .expect("baton starts")
            .status;
        assert_eq!(status.code(), None, "'{point}' is reached");
        let later = shell.plan_file("typed.md", "Pinned after the crash.");
        assert_eq!(
            shell.run(&["pin", &title, "second", "--file", &later]).code,
            Some(0)
        );
        let runs: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 100,
                },
            )
            .expect("runs");
        let run = runs.into_iter().find(|run| run.title == title);
        let Some(run) = run else {
            assert_eq!(point, "before append", "the run is stored after that");
            continue;
        };
        let resumed = shell.run(&["resume", "--all"]);
        assert_eq!(resumed.code, Some(0), "after '{point}': {resumed:?}");
        let view = env.view(run.id);
        assert_eq!(view.summary.state, RunState::Completed);
        assert_eq!(node(&view, "second").attempt.0, 0, "it never ran");
        assert_eq!(node(&view, "first").attempt.0, 0, "it was left out");
        assert!(
            env.read("received.md").contains("At the start."),
            "after '{point}'"
        );
        assert_eq!(env.read("made"), "at the start\n", "after '{point}'");
    }
    assert_eq!(
        env.read("ran").replace("third\n", ""),
        "",
        "only the third node ran"
    );
}

#[test]
fn shell_pins_runs_and_says_so() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("chain.yaml", CHAIN);
    assert_eq!(shell.run(&["run", &file, "--yes"]).code, Some(0));
    let pinned = shell.run(&["pin", "chain", "second"]);
    assert!(pinned.out.contains("run #1"), "{pinned:?}");
    let listed = shell.run(&["pins", "chain"]);
    assert!(listed.out.contains("second"), "{listed:?}");
    let ran = shell.run(&["run", "chain", "--pinned", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let said = format!("{}{}", ran.out, ran.err);
    assert!(said.contains("Use their pinned output: second"), "{said}");
    assert!(
        said.contains("Left out, only pinned nodes need them: first"),
        "{said}"
    );
    let shown = shell.run(&["runs", "show", "chain#2", "--history"]);
    assert!(
        shown.out.contains("Pinned outputs: 1 node did not run"),
        "{shown:?}"
    );
    assert!(shown.out.contains("done, pinned output"), "{shown:?}");
    let unpinned = shell.run(&["unpin", "chain", "second"]);
    assert!(
        format!("{unpinned:?}").contains("No pinned outputs."),
        "{unpinned:?}"
    );
}

#[test]
fn shell_pins_a_typed_text_with_named_outputs() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("chain.yaml", CHAIN);
    assert_eq!(shell.run(&["plan", "import", &file]).code, Some(0));
    let bare = shell.run(&["pin", "chain", "second", "--text", "Typed."]);
    assert!(
        bare.err.contains("Read, but not pinned: made of second"),
        "{bare:?}"
    );
    let pin = [
        "pin",
        "chain",
        "second",
        "--text",
        "Typed.",
        "made=a=b c",
        "n=1",
    ];
    let pinned = shell.run(&pin);
    assert_eq!(pinned.code, Some(0), "{pinned:?}");
    assert!(!pinned.err.contains("not pinned"), "{pinned:?}");
    let listed = shell.run(&["pins", "chain"]);
    assert!(listed.out.contains("made=a=b c, n=1"), "{listed:?}");
    let ran = shell.run(&["run", "chain", "--pinned", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(env.read("made"), "a=b c\n");
    for (arguments, reason) in [
        (&["--text", "x", "made"][..], "expected NAME=VALUE"),
        (&["--text", "x", "=1"], "Named output 1 has no name."),
        (
            &["--text", "x", "a=1", "a=2"],
            "Named outputs 1 and 2 have the same name, 'a'.",
        ),
        (&["a=1"], "--text <TEXT>"),
        (&["--text", "x", "--run", "1"], "cannot be used with"),
    ] {
        let refused = shell.run(&[&["pin", "chain", "second"], arguments].concat());
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(reason), "{reason}: {refused:?}");
    }
    let listed = shell.run(&["pins", "chain"]);
    assert!(listed.out.contains("made=a=b c, n=1"), "{listed:?}");
}
