//! Tests simulations: what a run would do, by the plan and by earlier runs, without running.

use baton_api::Code;
use baton_api::wire::*;
use baton_model::simulation::{EstimateSource, ExpectedQuestion, Simulation};
use baton_tests::{Shell, TestEnvironment};
use serde_json::json;

const PLAN: &str = "
baton: 1
title: Rehearse
cwd: .
nodes:
  - {id: build, kind: command, command: 'sleep 0.2'}
  - {id: ship, kind: agent, agent: claude, prompt: ship it, dependsOn: [build]}
  - {id: ask, kind: user_input, question: 'Which?', dependsOn: [build]}
";

fn simulate(env: &TestEnvironment, view: &PlanView) -> Simulation {
    let input = PlanRef { plan: view.plan.id };
    env.call("plan_simulate", input).expect("no cycle")
}

fn runs(env: &TestEnvironment) -> usize {
    let filter = json!({"limit": 100});
    let found: Vec<RunSummary> = env.call("runs_list", filter).expect("a list");
    found.len()
}

#[test]
fn draft_is_simulated_without_a_run() {
    let env = TestEnvironment::new();
    let view = env.import(PLAN);
    let simulation = simulate(&env, &view);
    let slugs = |wave: &Vec<_>| {
        let found = wave.iter().map(|id| view.plan.node(*id));
        found
            .flatten()
            .map(|node| node.slug.to_string())
            .collect::<Vec<_>>()
    };
    let waves: Vec<_> = simulation.waves.iter().map(slugs).collect();
    assert_eq!(waves, [vec!["build"], vec!["ship", "ask"]]);
    assert_eq!((simulation.width, simulation.time_ms), (2, None));
    let ship = &simulation.nodes[1];
    let agents = ship.agents.as_ref().expect("an agent works on it");
    assert_eq!(agents.candidates.len(), 1);
    let question = "Which?".to_owned();
    assert_eq!(
        simulation.nodes[2].questions,
        [ExpectedQuestion::Input { question }]
    );
    assert_eq!(runs(&env), 0);
}

#[test]
fn earlier_runs_give_the_expected_time() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = "{baton: 1, title: Timed, cwd: ., nodes: [{id: a, kind: command, command: 'sleep 0.3'}, {id: b, kind: command, command: 'false', dependsOn: [a]}]}";
    let run = env.start(plan).summary;
    env.wait_until(run.id, |view| view.summary.state.has_ended());
    let view: PlanView = env
        .call("plan_get", PlanRef { plan: run.plan })
        .expect("the plan exists");
    let simulation = simulate(&env, &view);
    let [a, b] = &simulation.nodes[..] else {
        panic!("two nodes")
    };
    assert_eq!(a.estimate.source, EstimateSource::Node);
    let measured = a.estimate.ms.expect("it was measured");
    assert!(measured >= 300, "{measured}");
    assert_eq!(b.estimate.ms, None, "it has never succeeded");
    assert_eq!(
        (simulation.time_ms, simulation.unknown_times),
        (Some(measured), 1)
    );
    let said = shell.run(&["plan", "simulate", "Timed"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("2 nodes in 2 waves"), "{said:?}");
    assert!(said.out.contains("unknown for 1 node"), "{said:?}");
    let said = shell.run(&["plan", "simulate", "Timed", "--json"]);
    let printed: Simulation = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(printed, simulation);
    assert_eq!(runs(&env), 1);
}

#[test]
fn draft_of_a_proposal_is_simulated() {
    let env = TestEnvironment::new();
    let nodes = json!([{"id": "a", "title": "A", "kind": "command", "command": "true"}]);
    let content = json!({"title": "New", "cwd": env.work_dir.path(), "nodes": nodes});
    let proposal: ProposalView = env
        .call("proposal_submit", json!({"content": content, "reason": ""}))
        .expect("a valid plan");
    let input = ProposalRef {
        proposal: proposal.summary.id,
    };
    let simulation: Simulation = env
        .call("proposal_simulate", input)
        .expect("it has a draft");
    assert_eq!(simulation.nodes.len(), 1);
    let unknown = PlanRef {
        plan: baton_model::PlanId(uuid::Uuid::nil()),
    };
    let error = env
        .call::<Simulation>("plan_simulate", unknown)
        .expect_err("there is none");
    assert_eq!(error.code, Code::NotFound);
}
