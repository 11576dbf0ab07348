//! Remarks on plans that an agent made.

use std::collections::HashMap;

use baton_model::node::NodeKind;
use baton_model::planning::Remark;
use baton_model::{Node, NodeId, Plan};

/// Shorter chains are not reported: two nodes, such as work and its review, are usually intended.
const MIN_CHAIN_LENGTH: usize = 3;

/// What a person may want to know of a plan that was submitted complete: what the reader of its
/// file noticed, and the remarks that planners' plans get as well.
#[must_use]
pub fn remarks(plan: &Plan, notes: &[String]) -> Vec<Remark> {
    let noticed = |note: &String| Remark::Noticed {
        sentence: note.clone(),
    };
    notes.iter().map(noticed).chain(lint_plan(plan)).collect()
}

/// The remarks on `plan`, chains first.
pub(super) fn lint_plan(plan: &Plan) -> Vec<Remark> {
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

/// Chains of nodes with the same agent, without forks and joins.
fn chains(plan: &Plan) -> Vec<Remark> {
    let by_id = plan.nodes_by_id();
    let (mut children, mut parent_counts) = (
        HashMap::<NodeId, Vec<NodeId>>::new(),
        HashMap::<NodeId, usize>::new(),
    );
    for edge in &plan.edges {
        children.entry(edge.parent).or_default().push(edge.child);
        *parent_counts.entry(edge.child).or_default() += 1;
    }
    let next = |node: &Node| {
        let [child] = children.get(&node.id)?.as_slice() else {
            return None;
        };
        let child = *by_id.get(child)?;
        (parent_counts.get(&child.id) == Some(&1) && has_same_agent(node, child)).then_some(child)
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
        .filter(|chain| chain.len() >= MIN_CHAIN_LENGTH)
        .map(|chain| chain_remark(&chain))
        .collect()
}

fn chain_remark(chain: &[&Node]) -> Remark {
    Remark::NeedlessChain {
        nodes: chain.iter().map(|node| node.id).collect(),
        titles: chain.iter().map(|node| node.title.clone()).collect(),
    }
}

fn has_same_agent(node: &Node, next: &Node) -> bool {
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
    fn chain_with_one_agent_is_reported() {
        let plan = agents(&["A", "B", "C", "D"], &[(0, 1), (1, 2), (1, 3)]);
        assert!(lint_plan(&plan).is_empty(), "B forks");
        let plan = agents(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        let [Remark::NeedlessChain { titles, .. }] = &lint_plan(&plan)[..] else {
            panic!("one chain")
        };
        assert_eq!(titles, &["A", "B", "C"]);
    }

    #[test]
    fn chain_with_different_agents_is_allowed() {
        let mut plan = agents(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        plan.nodes[1].kind = NodeKind::Agent(AgentTask {
            agent: Some("codex".to_owned()),
            ..AgentTask::default()
        });
        assert!(lint_plan(&plan).is_empty());
    }

    #[test]
    fn cycle_does_not_loop_forever() {
        assert!(lint_plan(&agents(&["A", "B", "C"], &[(0, 1), (1, 2), (2, 0)])).is_empty());
    }
}
