//! Runs the templates that need no agent for real, through each of their branches.

use std::net::TcpListener;

use baton_api::wire::*;
use baton_model::run::WaitingFor;
use baton_model::{NodeState, RunState};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::{id, node, state};

/// Runs the template until it asks at `node`, or to its end.
fn run(env: &TestEnvironment, template: &str, node: &str) -> RunView {
    let cwd = Some(env.work_dir.path().display().to_string());
    let wish = PlanFromTemplate {
        template: template.to_owned(),
        title: None,
        cwd,
    };
    let made: PlanView = env.call("plan_from_template", wish).expect("a template");
    let word = PlanApprove {
        plan: made.plan.id,
        revision: made.revision,
        anyway: false,
    };
    let _: PlanView = env
        .call("plan_approve", word)
        .expect("no conflicting change");
    let run = env
        .run(made.plan.id, RunGoal::All)
        .expect("the plan can run");
    let asks = |view: &RunView| {
        matches!(
            state(view, node),
            NodeState::Waiting {
                what: WaitingFor::Input { .. }
            }
        )
    };
    env.wait_until(run.summary.id, |view| {
        asks(view) || view.summary.state.has_ended()
    })
}

fn answer(env: &TestEnvironment, view: &RunView, node: &str, answer: &str) -> RunView {
    let (run, node) = (view.summary.id, id(view, node));
    let _: RunSummary = env
        .call(
            "node_input",
            NodeInput {
                run,
                node,
                value: answer.to_owned(),
            },
        )
        .expect("the question is open");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    view
}

fn is_done(view: &RunView, slug: &str) -> bool {
    matches!(node(view, slug).state, NodeState::Done { .. })
}

#[test]
fn release_gate_follows_the_persons_answer() {
    for (word, goes_through) in [("Release", true), ("Not yet", false)] {
        let env = TestEnvironment::new();
        std::fs::write(env.work_dir.path().join("README.md"), "What this is")
            .expect("enough disk space");
        let view = run(&env, "release-gate", "ask");
        let view = answer(&env, &view, "ask", word);
        assert_eq!(is_done(&view, "notes"), goes_through, "{word}");
        assert!(!is_done(&view, "obstacles"), "there are no blockers");
    }
}

#[test]
fn release_blockers_are_listed_without_asking() {
    let env = TestEnvironment::new();
    std::fs::write(env.work_dir.path().join("a.txt"), "<<<<<<< HEAD\n").expect("enough disk space");
    let view = run(&env, "release-gate", "ask");
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert!(is_done(&view, "obstacles"));
    assert!(matches!(state(&view, "ask"), NodeState::Skipped { .. }));
}

#[test]
fn unreachable_site_is_recorded() {
    let env = TestEnvironment::new();
    // The port is released, so that connections to it are refused.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port")
        .port();
    let view = run(&env, "watch-a-site", "address");
    let view = answer(&env, &view, "address", &format!("http://127.0.0.1:{port}/"));
    assert!(is_done(&view, "unreachable") && is_done(&view, "record"));
    assert!(!is_done(&view, "same") && !is_done(&view, "change"));
    assert!(
        env.read("SITE-WATCH.md")
            .trim_end()
            .ends_with(": unreachable")
    );
}
