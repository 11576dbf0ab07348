//! Small plans from chance: commands, agents, questions, forks, retries and jumps.

use baton_model::node::{
    AfterCrash, AgentTask, CommandLine, CommandTask, ConditionTask, NodeKind, OnFailure, Question,
    TriggerRule,
};
use baton_model::plan::Autonomy;
use baton_model::{Edge, Node, NodeId, Plan, PlanId, Slug};
use uuid::Uuid;

use super::chance::Chance;

/// A plan that a person could save; ids count up from `base`.
pub(super) fn any(chance: &mut Chance, base: u128) -> Plan {
    loop {
        let plan = draw(chance, base);
        if plan.problems().is_empty() {
            return plan;
        }
    }
}

fn draw(chance: &mut Chance, base: u128) -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::from_u128(base)), "Simulated");
    let count = 1 + chance.below(6);
    let ids: Vec<NodeId> = (0..count)
        .map(|number| NodeId(Uuid::from_u128(base + 1 + u128::from(number))))
        .collect();
    for (at, &id) in ids.iter().enumerate() {
        let slug = Slug::new(&format!("n{at}")).expect("a letter and a digit");
        plan.nodes.push(node(chance, id, slug, &ids[at + 1..]));
        for &parent in &ids[..at] {
            if chance.per_mille(350) {
                plan.edges.push(Edge {
                    parent,
                    child: id,
                    soft: chance.per_mille(150),
                });
            }
        }
    }
    plan.settings.concurrency = Some(1 + u32::try_from(chance.below(3)).expect("a small number"));
    if chance.per_mille(150) {
        plan.settings.autonomy = Some(Autonomy::AskAll);
    }
    plan
}

fn node(chance: &mut Chance, id: NodeId, slug: Slug, later: &[NodeId]) -> Node {
    let kind = match chance.below(20) {
        0..2 => NodeKind::UserInput(Question {
            question: "Which way?".to_owned(),
            timeout: chance.per_mille(300).then_some(60_000),
            ..Question::default()
        }),
        2..4 => NodeKind::Condition(ConditionTask {
            condition: "true".to_owned(),
            true_step: chance.of(later).copied(),
            false_step: chance.of(later).copied(),
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
    node.max_retries = u32::try_from(chance.below(3)).expect("a small number");
    node.on_failure = match chance.below(10) {
        0..3 => OnFailure::Skip,
        3 => chance
            .of(later)
            .copied()
            .map_or(OnFailure::Abort, OnFailure::Node),
        _ => OnFailure::Abort,
    };
    if chance.per_mille(60) {
        node.on_success = chance.of(later).copied();
    }
    node.trigger_rule = match chance.below(12) {
        0 => Some(TriggerRule::AllDone),
        1 => Some(TriggerRule::OneSuccess),
        2 => Some(TriggerRule::OneFailed),
        3 => Some(TriggerRule::NoneFailed),
        _ => None,
    };
    node.after_crash = match chance.below(4) {
        0 => AfterCrash::Resume,
        1 => AfterCrash::Restart,
        _ => AfterCrash::Ask,
    };
    node
}
