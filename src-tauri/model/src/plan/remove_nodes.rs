//! Removes nodes from a plan, and what refers to them.
//!
//! `ui/src/plan/removeAndReconnect.ts` implements the same for edits that aren't saved yet; both are
//! tested against `tests/fixtures/node_removal.json`.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::edge_condition::{EdgeCondition, targets};
use crate::{Edge, NodeId, Plan};

/// "`child` comes after `parent`", from an edge or from a field of the parent.
#[derive(Debug, Clone, Copy)]
struct Link {
    parent: NodeId,
    child: NodeId,
    soft: bool,
}

impl Plan {
    /// Removes nodes with their edges, and the branches and jumps that lead to them. Groups lose
    /// them too.
    pub fn remove_nodes(&mut self, gone: &HashSet<NodeId>) {
        self.nodes.retain(|node| !gone.contains(&node.id));
        for node in &mut self.nodes {
            for (condition, target) in targets(node) {
                if gone.contains(&target) {
                    condition.set(node, None);
                }
            }
        }
        self.edges
            .retain(|edge| !gone.contains(&edge.parent) && !gone.contains(&edge.child));
        self.prune_groups();
    }

    /// Removes nodes and connects their parents to their children. A branch into a removed node
    /// moves to the first child. A chain that contains a soft edge becomes a soft edge, unless
    /// another chain is hard. Jumps on failure are dropped, because a removed node can't fail.
    ///
    /// What can be reached between the other nodes is preserved, and no cycle arises.
    pub fn remove_and_reconnect(&mut self, gone: &HashSet<NodeId>) {
        let before = self.clone();
        self.remove_nodes(gone);
        let next = links_from(&before, gone);
        let mut joined = Joined::new(self);
        for edge in entering(&before.edges, gone) {
            for (end, soft) in ends(edge.child, edge.soft, &next, gone) {
                joined.join(edge.parent, end, soft);
            }
        }
        for node in before.nodes.iter().filter(|node| !gone.contains(&node.id)) {
            for (condition, head) in targets(node) {
                if !gone.contains(&head) || condition == EdgeCondition::Failure {
                    continue;
                }
                let ends = ends(head, false, &next, gone);
                let first = ends.iter().find(|(_, soft)| !soft).map(|&(end, _)| end);
                if let Some(first) = first {
                    joined.lead(condition, node.id, first);
                }
                for (end, soft) in ends {
                    joined.join(node.id, end, soft);
                }
            }
        }
        joined.finish(self, &Unconfirmed::around(&before, gone));
    }
}

/// The inferred edges at removed nodes. An edge that replaces one of them is inferred too.
struct Unconfirmed<'p>(Vec<&'p Edge>, &'p HashSet<NodeId>);

impl<'p> Unconfirmed<'p> {
    fn around(plan: &'p Plan, gone: &'p HashSet<NodeId>) -> Self {
        let touches = |edge: &&Edge| gone.contains(&edge.parent) || gone.contains(&edge.child);
        Self(plan.inferred_edges().filter(touches).collect(), gone)
    }

    fn replaced_by(&self, parent: NodeId, child: NodeId) -> bool {
        let Self(edges, gone) = self;
        edges.iter().any(|edge| {
            (edge.parent == parent || gone.contains(&edge.parent))
                && (edge.child == child || gone.contains(&edge.child))
        })
    }
}

/// The edges that lead from another node into a removed one.
fn entering<'a>(edges: &'a [Edge], gone: &'a HashSet<NodeId>) -> impl Iterator<Item = &'a Edge> {
    edges
        .iter()
        .filter(|edge| !gone.contains(&edge.parent) && gone.contains(&edge.child))
}

/// The outgoing links of each of `gone`, except jumps on failure.
fn links_from(plan: &Plan, gone: &HashSet<NodeId>) -> HashMap<NodeId, Vec<Link>> {
    let mut next: HashMap<NodeId, Vec<Link>> = HashMap::new();
    let edges = plan.edges.iter().map(|edge| Link {
        parent: edge.parent,
        child: edge.child,
        soft: edge.soft,
    });
    let known: HashSet<NodeId> = plan.nodes.iter().map(|node| node.id).collect();
    let fields = plan.nodes.iter().flat_map(|node| {
        let ways = targets(node).into_iter();
        ways.filter(|(condition, _)| *condition != EdgeCondition::Failure)
            .map(|(_, child)| Link {
                parent: node.id,
                child,
                soft: false,
            })
    });
    for link in edges.chain(fields) {
        if gone.contains(&link.parent) && known.contains(&link.child) {
            next.entry(link.parent).or_default().push(link);
        }
    }
    next
}

/// The other nodes that are reached from `start` through removed ones, in the order in which they
/// are found, and whether only by soft chains.
fn ends(
    start: NodeId,
    soft: bool,
    next: &HashMap<NodeId, Vec<Link>>,
    gone: &HashSet<NodeId>,
) -> Vec<(NodeId, bool)> {
    let mut found: Vec<(NodeId, bool)> = Vec::new();
    let mut seen = HashMap::from([(start, soft)]);
    let mut open = vec![(start, soft)];
    while let Some((node, is_soft)) = open.pop() {
        for link in next.get(&node).into_iter().flatten() {
            let soft = is_soft || link.soft;
            if gone.contains(&link.child) {
                // A hard chain wins over a soft one.
                if seen.get(&link.child).is_none_or(|&known| known && !soft) {
                    seen.insert(link.child, soft);
                    open.push((link.child, soft));
                }
            } else if let Some(end) = found.iter_mut().find(|(end, _)| *end == link.child) {
                end.1 &= soft;
            } else {
                found.push((link.child, soft));
            }
        }
    }
    found
}

/// The edges that replace the removed nodes.
struct Joined {
    /// Whether the edge is soft, by its ends; new ones are added.
    edges: BTreeMap<(NodeId, NodeId), bool>,
    /// The new ones, in the order in which they are found.
    new: Vec<(NodeId, NodeId)>,
    /// What a branch or a jump connects already. The canvas draws one line for both.
    linked: HashSet<(NodeId, NodeId)>,
    ways: Vec<(EdgeCondition, NodeId, NodeId)>,
}

impl Joined {
    fn new(left: &Plan) -> Self {
        let links = left.nodes.iter().flat_map(|node| {
            let ends = targets(node).into_iter();
            ends.map(|(_, child)| (node.id, child)).collect::<Vec<_>>()
        });
        let edges = left.edges.iter();
        Self {
            edges: edges
                .map(|edge| ((edge.parent, edge.child), edge.soft))
                .collect(),
            new: Vec::new(),
            linked: links.collect(),
            ways: Vec::new(),
        }
    }

    fn join(&mut self, parent: NodeId, child: NodeId, soft: bool) {
        let ends = (parent, child);
        if self.linked.contains(&ends) {
            return;
        }
        match self.edges.get_mut(&ends) {
            Some(known) => *known &= soft,
            None => {
                self.edges.insert(ends, soft);
                self.new.push(ends);
            }
        }
    }

    fn lead(&mut self, condition: EdgeCondition, parent: NodeId, child: NodeId) {
        self.ways.push((condition, parent, child));
        self.linked.insert((parent, child));
        self.edges.remove(&(parent, child));
    }

    /// Known edges keep their order, new ones follow.
    fn finish(mut self, plan: &mut Plan, unconfirmed: &Unconfirmed<'_>) {
        let inferred: HashMap<_, _> = plan
            .edges
            .iter()
            .map(|edge| ((edge.parent, edge.child), edge.inferred))
            .collect();
        let mut edge = |(parent, child)| {
            let is_new = || unconfirmed.replaced_by(parent, child);
            let soft = self.edges.remove(&(parent, child))?;
            Some(Edge {
                parent,
                child,
                soft,
                inferred: inferred
                    .get(&(parent, child))
                    .copied()
                    .unwrap_or_else(is_new),
            })
        };
        let known = plan.edges.iter().map(|edge| (edge.parent, edge.child));
        plan.edges = known
            .chain(self.new)
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(&mut edge)
            .collect();
        for (condition, parent, child) in self.ways {
            if let Some(node) = plan.nodes.iter_mut().find(|node| node.id == parent) {
                condition.set(node, Some(child));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::node::{ConditionTask, NodeKind};
    use crate::plan_fixture::plan_of;

    /// Nodes are letters. An edge is `a>b` or, if soft, `a~b`; a way is `a>b true`.
    #[derive(Deserialize)]
    struct Case {
        name: String,
        nodes: String,
        edges: Vec<String>,
        #[serde(default)]
        ways: Vec<String>,
        gone: String,
        left: Vec<String>,
        #[serde(default)]
        ways_left: Vec<String>,
    }

    fn letters(plan: &Plan) -> HashMap<NodeId, char> {
        let nodes = plan.nodes.iter();
        nodes
            .map(|node| (node.id, node.title.chars().next().expect("a letter")))
            .collect()
    }

    impl Case {
        fn plan(&self) -> Plan {
            let titles: Vec<String> = self.nodes.chars().map(String::from).collect();
            let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
            let mut plan = plan_of(&titles, &[]);
            let place = |name: &str| titles.iter().position(|title| *title == name);
            let id = |name: &str| plan.nodes[place(name).expect("a node")].id;
            let ends = |text: &str| (id(&text[..1]), id(&text[2..3]));
            let edges = self.edges.iter().map(|text| {
                let (parent, child) = ends(text);
                Edge {
                    parent,
                    child,
                    soft: text.contains('~'),
                    inferred: false,
                }
            });
            let edges = edges.collect();
            let ways: Vec<_> = self
                .ways
                .iter()
                .map(|text| (ends(text), &text[4..]))
                .collect();
            for ((parent, child), condition) in ways {
                let node = plan.nodes.iter_mut().find(|node| node.id == parent);
                let node = node.expect("a node");
                let is_branch = matches!(condition, "true" | "false");
                if is_branch && !matches!(node.kind, NodeKind::Condition(_)) {
                    node.kind = NodeKind::Condition(ConditionTask::default());
                }
                let condition = serde_json::from_value::<EdgeCondition>(condition.into());
                condition.expect("a condition").set(node, Some(child));
            }
            plan.edges = edges;
            plan
        }
    }

    #[test]
    fn removed_nodes_are_bridged() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../../tests/fixtures/node_removal.json"))
                .expect("a table of plans");
        for case in cases {
            let mut plan = case.plan();
            let names = letters(&plan);
            let gone = names
                .iter()
                .filter(|(_, letter)| case.gone.contains(**letter))
                .map(|(id, _)| *id);
            plan.remove_and_reconnect(&gone.collect());
            let edges: Vec<String> = plan
                .edges
                .iter()
                .map(|edge| {
                    let between = if edge.soft { '~' } else { '>' };
                    format!("{}{between}{}", names[&edge.parent], names[&edge.child])
                })
                .collect();
            assert_eq!(edges, case.left, "{}", case.name);
            let ways: Vec<String> = plan
                .nodes
                .iter()
                .flat_map(|node| targets(node).into_iter().map(move |way| (node.id, way)))
                .map(|(parent, (condition, child))| {
                    let condition = serde_json::to_value(condition).expect("a word");
                    let word = condition.as_str().expect("a word").to_owned();
                    format!("{}>{} {word}", names[&parent], names[&child])
                })
                .collect();
            assert_eq!(ways, case.ways_left, "{}", case.name);
        }
    }

    #[test]
    fn without_reconnecting_only_what_leads_to_them_goes() {
        let mut plan = plan_of(&["a", "b", "c"], &[(0, 1), (1, 2)]);
        let gone = plan.nodes[1].id;
        plan.nodes[0].on_success = Some(gone);
        plan.remove_nodes(&HashSet::from([gone]));
        assert_eq!(plan.nodes.len(), 2);
        assert_eq!((plan.edges.len(), plan.nodes[0].on_success), (0, None));
    }
}
