//! Generates small random plans: commands, agents, questions, forks, retries and jumps.

use baton_model::node::{
    AfterCrash, AgentTask, CommandLine, CommandTask, ConditionTask, NodeKind, OnFailure, Question,
    TriggerRule,
};
use baton_model::plan::Autonomy;
use baton_model::{Edge, Node, NodeId, Plan, PlanId, Slug};
use uuid::Uuid;

use super::rng::SeededRng;

/// A valid plan; ids count up from `base`.
pub(super) fn any(rng: &mut SeededRng, base: u128) -> Plan {
    loop {
        let plan = draw(rng, base);
        if plan.problems().is_empty() {
            return plan;
        }
    }
}

fn draw(rng: &mut SeededRng, base: u128) -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::from_u128(base)), "Simulated");
    let count = 1 + rng.below(6);
    let ids: Vec<NodeId> = (0..count)
        .map(|number| NodeId(Uuid::from_u128(base + 1 + u128::from(number))))
        .collect();
    for (at, &id) in ids.iter().enumerate() {
        let slug = Slug::new(&format!("n{at}")).expect("valid slug");
        plan.nodes.push(node(rng, id, slug, &ids[at + 1..]));
        for &parent in &ids[..at] {
            if rng.per_mille(350) {
                plan.edges.push(Edge {
                    parent,
                    child: id,
                    soft: rng.per_mille(150),
                    inferred: false,
                });
            }
        }
    }
    plan.settings.concurrency = Some(1 + u32::try_from(rng.below(3)).expect("a small number"));
    if rng.per_mille(150) {
        plan.settings.autonomy = Some(Autonomy::AskAll);
    }
    plan
}

fn node(rng: &mut SeededRng, id: NodeId, slug: Slug, later: &[NodeId]) -> Node {
    let kind = match rng.below(20) {
        0..2 => NodeKind::UserInput(Question {
            question: "Which way?".to_owned(),
            timeout: rng.per_mille(300).then_some(60_000),
            ..Question::default()
        }),
        2..4 => NodeKind::Condition(ConditionTask {
            condition: "true".to_owned(),
            true_step: rng.pick(later).copied(),
            false_step: rng.pick(later).copied(),
        }),
        4..8 => NodeKind::Agent(AgentTask {
            prompt: "Work.".to_owned(),
            ..AgentTask::default()
        }),
        _ => {
            let command = CommandLine::Argv(vec!["true".to_owned()]);
            NodeKind::Command(CommandTask {
                command,
                env: Default::default(),
                cwd: None,
            })
        }
    };
    let mut node = Node::new(id, slug.clone(), slug.to_string(), kind);
    node.max_retries = u32::try_from(rng.below(3)).expect("a small number");
    node.on_failure = match rng.below(10) {
        0..3 => OnFailure::Skip,
        3 => rng
            .pick(later)
            .copied()
            .map_or(OnFailure::Abort, OnFailure::Node),
        _ => OnFailure::Abort,
    };
    if rng.per_mille(60) {
        node.on_success = rng.pick(later).copied();
    }
    node.trigger_rule = match rng.below(12) {
        0 => Some(TriggerRule::AllDone),
        1 => Some(TriggerRule::OneSuccess),
        2 => Some(TriggerRule::OneFailed),
        3 => Some(TriggerRule::NoneFailed),
        _ => None,
    };
    node.after_crash = match rng.below(4) {
        0 => AfterCrash::Resume,
        1 => AfterCrash::Restart,
        _ => AfterCrash::Ask,
    };
    node
}
