use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::critical_path::critical_path;
use crate::node::{
    AgentTask, ConditionTask, NodeKind, OnFailure, Question, SubPlanTask, ToolCall, TriggerRule,
};
use crate::plan::{Autonomy, ToolScopeMode};
use crate::plan_fixture::{node_id, plan_of};

fn simulate(plan: &Plan, facts: &SimulationFacts) -> Simulation {
    Simulation::of(plan, facts).expect("no cycle")
}

fn positions(simulation: &Simulation) -> Vec<Vec<u128>> {
    let position = |id: &NodeId| id.0.as_u128() - 1;
    let waves = simulation.waves.iter();
    waves
        .map(|wave| wave.iter().map(position).collect())
        .collect()
}

fn measured(ms: u64, usd: Option<f64>) -> Measurement {
    Measurement { ms: Some(ms), usd }
}

fn of_nodes(times: &[u64]) -> SimulationFacts {
    let facts = times.iter().enumerate();
    SimulationFacts {
        of_nodes: facts
            .map(|(at, ms)| (node_id(at), vec![measured(*ms, None)]))
            .collect(),
        ..SimulationFacts::default()
    }
}

fn with_agent(facts: &mut SimulationFacts, position: usize, names: &[&str]) {
    let candidates = names.iter().map(|name| AgentCandidate {
        agent: (*name).to_owned(),
        missing: false,
        asks: true,
    });
    let agents = NodeAgents {
        team: None,
        candidates: candidates.collect(),
    };
    facts.agents.insert(node_id(position), agents);
}

#[test]
fn waves_follow_dependencies_and_pass_over_disabled_nodes() {
    let mut plan = plan_of(&["A", "B", "C", "D", "E"], &[(0, 1), (1, 2), (0, 3)]);
    let before = simulate(&plan, &SimulationFacts::default());
    assert_eq!(positions(&before), [vec![0, 4], vec![1, 3], vec![2]]);
    assert_eq!(before.width, 3, "C or B, D and E");
    plan.nodes[1].disabled = true;
    let after = simulate(&plan, &SimulationFacts::default());
    assert_eq!(positions(&after), [vec![0, 4], vec![2, 3]]);
    assert_eq!(after.nodes[1].occasion, NodeOccasion::Disabled);
}

#[test]
fn occasion_says_why_a_node_may_not_run() {
    use NodeOccasion::{AfterFailure, Always, Branch};
    // 0 decides between 1 and 2, which meet in 3; 4 handles the failure of 3; 5 needs a failure.
    let mut plan = plan_of(
        &["If", "Then", "Else", "Both", "Handler", "Alarm", "After"],
        &[(1, 3), (2, 3), (3, 5), (4, 6)],
    );
    plan.nodes[0].kind = NodeKind::Condition(ConditionTask {
        condition: "true".to_owned(),
        true_step: Some(node_id(1)),
        false_step: Some(node_id(2)),
    });
    plan.nodes[3].on_failure = OnFailure::Node(node_id(4));
    plan.nodes[5].trigger_rule = Some(TriggerRule::OneFailed);
    let simulation = simulate(&plan, &of_nodes(&[1, 2, 3, 4, 1000, 1000, 1000]));
    let occasions: Vec<_> = simulation.nodes.iter().map(|node| node.occasion).collect();
    assert_eq!(
        occasions,
        [
            Always,
            Branch,
            Branch,
            Always,
            AfterFailure,
            AfterFailure,
            AfterFailure
        ]
    );
    assert_eq!(positions(&simulation), [vec![0], vec![1, 2], vec![3]]);
    assert_eq!(
        simulation.time_ms,
        Some(7),
        "handlers and conditions take no time"
    );
}

#[test]
fn time_depends_on_the_number_of_slots() {
    let mut plan = plan_of(&["A", "B", "C"], &[]);
    for (limit, expected) in [(1, 60), (2, 40), (3, 30)] {
        plan.settings.concurrency = Some(limit);
        let simulation = simulate(&plan, &of_nodes(&[10, 20, 30]));
        assert_eq!(simulation.time_ms, Some(expected), "{limit} slots");
    }
    let simulation = simulate(&plan, &of_nodes(&[10]));
    assert_eq!(
        (simulation.time_ms, simulation.unknown_times),
        (Some(10), 2)
    );
    let simulation = simulate(&plan, &SimulationFacts::default());
    assert_eq!((simulation.time_ms, simulation.unknown_times), (None, 3));
}

#[test]
fn estimates_come_from_the_node_then_from_its_agents() {
    let mut plan = plan_of(&["A", "B", "C", "D", "E"], &[]);
    for node in &mut plan.nodes[..3] {
        node.kind = NodeKind::Agent(AgentTask::default());
    }
    plan.nodes[3].kind = NodeKind::SubPlan(SubPlanTask::default());
    plan.nodes[4].kind = NodeKind::UserInput(Question::default());
    let mut facts = of_nodes(&[]);
    let attempts = [(40, Some(0.4)), (10, None), (30, Some(0.2)), (20, None)];
    let attempts = attempts.map(|(ms, usd)| measured(ms, usd));
    facts.of_nodes.insert(node_id(0), attempts.to_vec());
    facts.of_nodes.insert(node_id(4), attempts.to_vec());
    with_agent(&mut facts, 0, &["known"]);
    with_agent(&mut facts, 1, &["new", "known"]);
    with_agent(&mut facts, 2, &["new"]);
    let known = vec![measured(7, Some(0.1))];
    facts.of_agents.insert("known".to_owned(), known);
    let simulation = simulate(&plan, &facts);
    let shown: Vec<_> = simulation
        .nodes
        .iter()
        .map(|node| {
            let estimate = node.estimate;
            (estimate.source, estimate.ms, estimate.attempts)
        })
        .collect();
    assert_eq!(
        shown,
        [
            (EstimateSource::Node, Some(20), 4),
            (EstimateSource::Agent, Some(7), 1),
            (EstimateSource::Unknown, None, 0),
            (EstimateSource::Unknown, None, 0),
            (EstimateSource::Unknown, None, 0),
        ]
    );
    let usd = simulation.usd.expect("two are known");
    assert!((usd - 0.3).abs() < 1e-9, "{usd}");
    assert_eq!(simulation.unknown_costs, 2, "C, and the plan of D");
    assert_eq!(simulation.unknown_times, 2, "a person's time is no work");
    let agents: Vec<_> = simulation
        .agents()
        .into_iter()
        .map(|(candidate, nodes)| (candidate.agent.as_str(), nodes))
        .collect();
    assert_eq!(agents, [("known", 2), ("new", 2)]);
}

#[test]
fn questions_depend_on_the_level_and_the_list() {
    use ExpectedQuestion::{GuardedTools, Start, UnlistedTools};
    let guarded = |unlisted_only| GuardedTools { unlisted_only };
    let by_level = ToolScopeMode::ByLevel;
    let cases = [
        (
            Autonomy::AskAll,
            by_level,
            true,
            vec![Start, guarded(false)],
        ),
        (Autonomy::AskNew, by_level, true, vec![UnlistedTools]),
        (Autonomy::AskNew, by_level, false, vec![]),
        (Autonomy::AskNew, ToolScopeMode::Enforce, true, vec![]),
        (Autonomy::AskGuarded, by_level, true, vec![guarded(true)]),
        (Autonomy::AskGuarded, ToolScopeMode::Enforce, true, vec![]),
        (Autonomy::RefuseGuarded, by_level, true, vec![]),
        (Autonomy::Free, by_level, false, vec![]),
    ];
    for (level, mode, listed, expected) in cases {
        let mut plan = plan_of(&["A"], &[]);
        plan.settings.autonomy = Some(level);
        plan.settings.tool_scope = mode;
        plan.nodes[0].kind = NodeKind::Agent(AgentTask::default());
        if listed {
            plan.nodes[0].tools_required = vec!["Read".to_owned()];
        }
        let mut facts = SimulationFacts::default();
        with_agent(&mut facts, 0, &["claude"]);
        let simulation = simulate(&plan, &facts);
        assert_eq!(
            simulation.nodes[0].questions, expected,
            "{level:?}, {mode:?}, listed: {listed}"
        );
    }
}

#[test]
fn calls_say_what_is_guarded_and_which_address_is_open() {
    let mut plan = plan_of(&["A", "B", "Ask"], &[]);
    plan.settings.autonomy = Some(Autonomy::AskNew);
    let call = |tool: &str, args: serde_json::Value| {
        NodeKind::ToolCall(ToolCall {
            tool_name: tool.to_owned(),
            tool_args: args.as_object().cloned().unwrap_or_default(),
        })
    };
    let url = "https://{{nodes.n1.outputs.host}}/x";
    plan.nodes[0].kind = call("http", json!({"url": url}));
    plan.nodes[1].kind = call("write", json!({}));
    plan.nodes[2].kind = NodeKind::UserInput(Question {
        question: "Which?".to_owned(),
        ..Question::default()
    });
    let simulation = simulate(&plan, &SimulationFacts::default());
    let [a, b, ask] = &simulation.nodes[..] else {
        panic!("three nodes")
    };
    assert!(!a.calls[0].guarded && b.calls[0].guarded);
    assert_eq!(
        a.questions,
        [ExpectedQuestion::Address {
            url: url.to_owned()
        }]
    );
    assert!(b.questions.is_empty());
    let question = "Which?".to_owned();
    assert_eq!(ask.questions, [ExpectedQuestion::Input { question }]);
}

proptest! {
    /// With enough slots, the critical path decides; with one slot, the sum.
    #[test]
    fn duration_is_between_the_critical_path_and_the_sum(
        pairs in vec((0..8usize, 0..8usize), 0..20),
        times in vec(0..50u64, 8),
        limit in 1..5u32,
    ) {
        let edges: Vec<_> = pairs.into_iter().filter(|(a, b)| a < b).collect();
        let mut plan = plan_of(&["N"; 8], &edges);
        let graph = plan.graph().expect("edges lead from lower to higher numbers");
        let known: Vec<_> = times.iter().copied().map(Some).collect();
        let critical = critical_path(&graph, &known).length_ms;
        let sum: u64 = times.iter().sum();
        let facts = of_nodes(&times);
        let mut duration = |limit| {
            plan.settings.concurrency = Some(limit);
            simulate(&plan, &facts).time_ms.expect("all are known")
        };
        prop_assert_eq!(duration(1), sum);
        prop_assert_eq!(duration(8), critical);
        let between = duration(limit);
        prop_assert!(critical <= between && between <= sum);
        let simulation = simulate(&plan, &facts);
        let wave = |id| simulation.waves.iter().position(|wave| wave.contains(&id));
        for edge in &plan.edges {
            prop_assert!(wave(edge.parent) < wave(edge.child));
        }
    }
}
