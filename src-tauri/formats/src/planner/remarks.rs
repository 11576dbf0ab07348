//! What a person may want to know of a plan that an agent made.

use std::collections::HashMap;

use baton_model::node::NodeKind;
use baton_model::planning::Remark;
use baton_model::{Node, NodeId, Plan};

/// A chain is pointed out from this length on: two nodes, such as work and its review, have their reason.
const CHAIN: usize = 3;

/// The remarks on `plan`, chains first.
pub(super) fn remarks(plan: &Plan) -> Vec<Remark> {
    chains(plan)
        .into_iter()
        .chain(plan.nodes.iter().filter_map(without_criteria))
        .collect()
}

fn without_criteria(node: &Node) -> Option<Remark> {
    let is_agent = matches!(node.kind, NodeKind::Agent(_));
    (is_agent && node.acceptance_criteria.is_empty()).then(|| Remark::NoCriteria {
        node: node.id,
        title: node.title.clone(),
    })
}

/// Chains of agent nodes in which nothing forks, joins, or changes hands.
fn chains(plan: &Plan) -> Vec<Remark> {
    let by_id = plan.nodes_by_id();
    let (mut below, mut above) = (
        HashMap::<NodeId, Vec<NodeId>>::new(),
        HashMap::<NodeId, usize>::new(),
    );
    for edge in &plan.edges {
        below.entry(edge.parent).or_default().push(edge.child);
        *above.entry(edge.child).or_default() += 1;
    }
    let next = |node: &Node| {
        let [child] = below.get(&node.id)?.as_slice() else {
            return None;
        };
        let child = *by_id.get(child)?;
        (above.get(&child.id) == Some(&1) && is_same_hand(node, child)).then_some(child)
    };
    let continued: Vec<NodeId> = plan
        .nodes
        .iter()
        .filter_map(|node| Some(next(node)?.id))
        .collect();
    let heads = plan
        .nodes
        .iter()
        .filter(|node| !continued.contains(&node.id));
    let chains =
        heads.map(|head| std::iter::successors(Some(head), |node| next(node)).collect::<Vec<_>>());
    chains
        .filter(|chain| chain.len() >= CHAIN)
        .map(|chain| of_chain(&chain))
        .collect()
}

fn of_chain(chain: &[&Node]) -> Remark {
    Remark::NeedlessChain {
        nodes: chain.iter().map(|node| node.id).collect(),
        titles: chain.iter().map(|node| node.title.clone()).collect(),
    }
}

fn is_same_hand(node: &Node, next: &Node) -> bool {
    let (NodeKind::Agent(one), NodeKind::Agent(other)) = (&node.kind, &next.kind) else {
        return false;
    };
    let jumps = node.successors_by_name().next().is_some() || next.trigger_rule.is_some();
    one.agent == other.agent && one.model == other.model && !jumps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_fixture::plan_of;
    use baton_model::node::AgentTask;

    fn agents(titles: &[&str], edges: &[(usize, usize)]) -> Plan {
        let mut plan = plan_of(titles, edges);
        for node in &mut plan.nodes {
            node.kind = NodeKind::Agent(AgentTask {
                prompt: "Do it.".to_owned(),
                ..AgentTask::default()
            });
            node.acceptance_criteria = vec!["It is done.".into()];
        }
        plan
    }

    #[test]
    fn a_chain_of_one_hand_is_pointed_out() {
        let plan = agents(&["A", "B", "C", "D"], &[(0, 1), (1, 2), (1, 3)]);
        assert!(remarks(&plan).is_empty(), "B forks");
        let plan = agents(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        let [Remark::NeedlessChain { titles, .. }] = &remarks(&plan)[..] else {
            panic!("one chain")
        };
        assert_eq!(titles, &["A", "B", "C"]);
    }

    #[test]
    fn another_agent_in_between_is_a_reason() {
        let mut plan = agents(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        plan.nodes[1].kind = NodeKind::Agent(AgentTask {
            agent: Some("codex".to_owned()),
            ..AgentTask::default()
        });
        assert!(remarks(&plan).is_empty());
    }

    #[test]
    fn a_circle_does_not_hang() {
        assert!(remarks(&agents(&["A", "B", "C"], &[(0, 1), (1, 2), (2, 0)])).is_empty());
    }
}
