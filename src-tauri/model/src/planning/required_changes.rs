//! Which changes of a proposal only make sense together.
//!
//! An edge to a new node needs the node; an edge that would close a cycle needs the removal that
//! opens it; a removed node needs the changes of those that name it.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::ProposedChange;
use crate::node::referenced_slugs;
use crate::{Node, NodeId, Plan};

impl ProposedChange {
    /// For each of the `changes` from `before` to `after`, the positions of those that it needs
    /// directly.
    #[must_use]
    pub fn requirements(before: &Plan, after: &Plan, changes: &[Self]) -> Vec<Vec<usize>> {
        let proposal = Changes::new(before, after, changes);
        (0..changes.len())
            .map(|at| {
                let mut needed = proposal.needs(at);
                needed.remove(&at);
                needed.into_iter().collect()
            })
            .collect()
    }

    /// `taken` with everything that it needs, directly or indirectly, in the order of `changes`.
    #[must_use]
    pub fn with_required(
        before: &Plan,
        after: &Plan,
        changes: &[Self],
        taken: &[Self],
    ) -> Vec<Self> {
        let requirements = Self::requirements(before, after, changes);
        let chosen = (0..changes.len()).filter(|&at| taken.contains(&changes[at]));
        let mut open: Vec<usize> = chosen.collect();
        let mut found = BTreeSet::new();
        while let Some(at) = open.pop() {
            if found.insert(at) {
                open.extend(&requirements[at]);
            }
        }
        let unknown = taken.iter().filter(|change| !changes.contains(change));
        found
            .into_iter()
            .map(|at| changes[at])
            .chain(unknown.copied())
            .collect()
    }
}

/// Parent and child.
type Ends = (NodeId, NodeId);

/// The changes of one proposal, by what they touch.
struct Changes<'p> {
    changes: &'p [ProposedChange],
    before: HashMap<NodeId, &'p Node>,
    after: HashMap<NodeId, &'p Node>,
    /// The change that adds, removes or edits a node.
    of_node: HashMap<NodeId, usize>,
    /// What removes a dependency that only the plan before has.
    removals: HashMap<Ends, usize>,
    /// What adds a dependency that only the plan after has.
    additions: HashMap<usize, Vec<Ends>>,
    /// The children of each node in either plan.
    children: HashMap<NodeId, Vec<NodeId>>,
}

impl<'p> Changes<'p> {
    fn new(before: &'p Plan, after: &'p Plan, changes: &'p [ProposedChange]) -> Self {
        use ProposedChange as C;
        let mut of_node = HashMap::new();
        let mut of_edge = HashMap::new();
        for (at, change) in changes.iter().enumerate() {
            match change {
                C::AddNode { node } | C::RemoveNode { node } | C::ChangeNode { node } => {
                    of_node.insert(*node, at);
                }
                C::AddEdge { edge } => {
                    of_edge.insert((true, (edge.parent, edge.child)), at);
                }
                C::RemoveEdge { edge } => {
                    of_edge.insert((false, (edge.parent, edge.child)), at);
                }
                C::ChangePlan => {}
            }
        }
        let (old, new) = (links(before), links(after));
        let kept = after.nodes_by_id();
        let by_nodes = old.difference(&new).filter_map(|ends| {
            let removed = [ends.0, ends.1]
                .into_iter()
                .find(|end| !kept.contains_key(end));
            Some((*ends, *of_node.get(&removed.unwrap_or(ends.0))?))
        });
        let mut removals: HashMap<Ends, usize> = by_nodes.collect();
        for ((adds, ends), at) in &of_edge {
            if !adds {
                removals.insert(*ends, *at);
            }
        }
        let mut additions: HashMap<usize, Vec<Ends>> = HashMap::new();
        for ends in new.difference(&old) {
            let by = of_edge.get(&(true, *ends)).or(of_node.get(&ends.0));
            if let Some(at) = by {
                additions.entry(*at).or_default().push(*ends);
            }
        }
        // An edge that only becomes soft or hard is removed and added.
        for ((adds, ends), at) in &of_edge {
            if *adds && old.contains(ends) {
                additions.entry(*at).or_default().push(*ends);
            }
        }
        let mut children: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for (parent, child) in old.union(&new) {
            children.entry(*parent).or_default().push(*child);
        }
        Self {
            changes,
            before: before.nodes_by_id(),
            after: after.nodes_by_id(),
            of_node,
            removals,
            additions,
            children,
        }
    }

    /// What the change at `at` needs.
    fn needs(&self, at: usize) -> BTreeSet<usize> {
        use ProposedChange as C;
        let mut needed = BTreeSet::new();
        for ends in self.additions.get(&at).into_iter().flatten() {
            needed.extend(
                [ends.0, ends.1]
                    .iter()
                    .filter_map(|end| self.addition_of(*end)),
            );
            needed.extend(self.openings(*ends));
        }
        match self.changes[at] {
            C::AddNode { node } => needed.extend(self.needs_of_content(node)),
            C::ChangeNode { node } => {
                needed.extend(self.needs_of_content(node));
                needed.extend(self.needs_of_old_name(node));
            }
            C::RemoveNode { node } => needed.extend(self.needs_of_old_name(node)),
            C::AddEdge { edge } => {
                let ends = [edge.parent, edge.child].into_iter();
                needed.extend(ends.filter_map(|end| self.addition_of(end)));
            }
            C::RemoveEdge { .. } | C::ChangePlan => {}
        }
        needed
    }

    /// The change that adds the node, if one does.
    fn addition_of(&self, node: NodeId) -> Option<usize> {
        let is_new = !self.before.contains_key(&node);
        is_new.then(|| self.of_node.get(&node).copied()).flatten()
    }

    /// What removes the dependencies through which the child of `ends` leads to its parent: with one
    /// of them, the nodes would wait for each other.
    fn openings(&self, (parent, child): Ends) -> BTreeSet<usize> {
        if self.removals.is_empty() {
            return BTreeSet::new();
        }
        let below = self.reachable(child);
        let on_the_way = self.removals.iter().filter(|((from, to), _)| {
            (*from, *to) == (parent, child)
                || below.contains(from) && self.reachable(*to).contains(&parent)
        });
        on_the_way.map(|(_, at)| *at).collect()
    }

    fn reachable(&self, from: NodeId) -> HashSet<NodeId> {
        let mut found = HashSet::from([from]);
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for child in self.children.get(&node).into_iter().flatten() {
                if found.insert(*child) {
                    open.push(*child);
                }
            }
        }
        found
    }

    /// What the new content of a node needs: the nodes that it names, and that its name is free.
    fn needs_of_content(&self, node: NodeId) -> BTreeSet<usize> {
        let Some(new) = self.after.get(&node) else {
            return BTreeSet::new();
        };
        let named = named_slugs(new);
        let targets: HashSet<NodeId> = new.successors_by_name().collect();
        let mut needed: BTreeSet<usize> = targets
            .iter()
            .filter_map(|target| self.addition_of(*target))
            .collect();
        for (other, at) in &self.of_node {
            let (old, now) = (self.before.get(other), self.after.get(other));
            let is_named = now.is_some_and(|now| named.contains(now.slug.as_str()));
            let has_new_name = old.map(|old| &old.slug) != now.map(|now| &now.slug);
            let had_this_name = old.is_some_and(|old| old.slug == new.slug);
            if *other != node && has_new_name && (is_named || had_this_name) {
                needed.insert(*at);
            }
        }
        needed
    }

    /// If the old name of the node is gone: what stops the others from using it.
    fn needs_of_old_name(&self, node: NodeId) -> BTreeSet<usize> {
        let Some(old) = self.before.get(&node) else {
            return BTreeSet::new();
        };
        let now = self.after.get(&node);
        if now.is_some_and(|now| now.slug == old.slug) {
            return BTreeSet::new();
        }
        let uses = |other: &Node| {
            named_slugs(other).contains(old.slug.as_str())
                || now.is_none() && other.successors_by_name().any(|target| target == node)
        };
        let users = self
            .before
            .values()
            .filter(|other| other.id != node && uses(other));
        users
            .filter_map(|other| self.of_node.get(&other.id).copied())
            .collect()
    }
}

/// The dependencies of a plan: edges, and successors that nodes name.
fn links(plan: &Plan) -> BTreeSet<Ends> {
    let named = plan.nodes.iter().flat_map(|node| {
        node.successors_by_name()
            .map(move |successor| (node.id, successor))
    });
    let edges = plan.edges.iter().map(|edge| (edge.parent, edge.child));
    edges.chain(named).collect()
}

fn named_slugs(node: &Node) -> HashSet<&str> {
    node.template_texts()
        .into_iter()
        .flat_map(|(_, text)| referenced_slugs(text))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::node::{CommandLine, CommandTask, NodeKind};
    use crate::plan_fixture::{edge, node_id, plan_of};
    use crate::planning::list_changes;

    fn command(text: &str) -> NodeKind {
        NodeKind::Command(CommandTask {
            command: CommandLine::Shell(text.to_owned()),
            env: Default::default(),
            cwd: None,
        })
    }

    /// What is taken with `chosen`, apart from it.
    fn taken_with(before: &Plan, after: &Plan, chosen: ProposedChange) -> Vec<ProposedChange> {
        let changes = list_changes(before, after);
        assert!(changes.contains(&chosen), "{changes:?}");
        let mut taken = ProposedChange::with_required(before, after, &changes, &[chosen]);
        let result = ProposedChange::apply(before, after, &taken);
        assert!(result.problems().is_empty(), "{taken:?}");
        taken.retain(|change| *change != chosen);
        taken
    }

    #[test]
    fn edge_to_a_new_node_takes_the_node_but_not_the_other_way_round() {
        let before = plan_of(&["A"], &[]);
        let after = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        let [b, c] = [1, 2].map(|at| ProposedChange::AddNode { node: node_id(at) });
        let add_edge = |at: usize| ProposedChange::AddEdge {
            edge: after.edges[at],
        };
        assert_eq!(taken_with(&before, &after, add_edge(0)), [b]);
        assert_eq!(taken_with(&before, &after, add_edge(1)), [b, c]);
        assert_eq!(taken_with(&before, &after, b), []);
    }

    #[test]
    fn reversed_edge_takes_the_removal_of_the_old_one() {
        let before = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        let mut after = plan_of(&["A", "B", "C"], &[(0, 1)]);
        after.edges.push(edge(&after, 2, 0));
        let add = ProposedChange::AddEdge {
            edge: after.edges[1],
        };
        let remove = ProposedChange::RemoveEdge {
            edge: before.edges[1],
        };
        assert_eq!(taken_with(&before, &after, add), [remove]);
        assert_eq!(taken_with(&before, &after, remove), []);
    }

    #[test]
    fn edge_that_becomes_soft_replaces_the_hard_one() {
        let before = plan_of(&["A", "B"], &[(0, 1)]);
        let mut after = before.clone();
        after.edges[0].soft = true;
        let add = ProposedChange::AddEdge {
            edge: after.edges[0],
        };
        let remove = ProposedChange::RemoveEdge {
            edge: before.edges[0],
        };
        assert_eq!(taken_with(&before, &after, add), [remove]);
    }

    #[test]
    fn text_that_names_a_new_node_takes_the_node() {
        let before = plan_of(&["A"], &[]);
        let mut after = plan_of(&["A", "B"], &[(1, 0)]);
        after.nodes[0].kind = command("echo {{nodes.n1.outputs.x}}");
        let change = ProposedChange::ChangeNode { node: node_id(0) };
        let add = ProposedChange::AddNode { node: node_id(1) };
        assert_eq!(taken_with(&before, &after, change), [add]);
    }

    #[test]
    fn removed_node_takes_the_change_of_a_text_that_named_it() {
        let mut before = plan_of(&["A", "B"], &[(1, 0)]);
        before.nodes[0].kind = command("echo {{nodes.n1.outputs.x}}");
        let after = plan_of(&["A"], &[]);
        let change = ProposedChange::ChangeNode { node: node_id(0) };
        let remove = ProposedChange::RemoveNode { node: node_id(1) };
        assert_eq!(taken_with(&before, &after, remove), [change]);
    }

    #[test]
    fn node_that_takes_over_a_name_takes_the_removal() {
        let before = plan_of(&["A", "B"], &[]);
        let mut after = plan_of(&["A", "B", "C"], &[]);
        let slug = after.nodes.remove(1).slug;
        after.nodes[1].slug = slug;
        let add = ProposedChange::AddNode { node: node_id(2) };
        let remove = ProposedChange::RemoveNode { node: node_id(1) };
        assert_eq!(taken_with(&before, &after, add), [remove]);
    }

    /// A plan with the nodes of `present`, and those edges along `order` that it has both ends of.
    fn some_plan(present: &[bool], order: &[usize], pairs: &[(usize, usize, bool)]) -> Plan {
        let mut plan = plan_of(&["N"; 7], &[]);
        for (a, b, soft) in pairs {
            let (from, to) = (order[*a.min(b)], order[*a.max(b)]);
            let mut link = edge(&plan, from, to);
            link.soft = *soft;
            let ends = (link.parent, link.child);
            let is_new = plan
                .edges
                .iter()
                .all(|other| (other.parent, other.child) != ends);
            if a != b && present[from] && present[to] && is_new {
                plan.edges.push(link);
            }
        }
        let mut at = 0;
        plan.nodes.retain(|_| {
            at += 1;
            present[at - 1]
        });
        plan
    }

    proptest! {
        /// Whatever a person takes of a proposal, the result is a plan that can be saved.
        #[test]
        fn any_choice_with_what_it_needs_is_valid(
            present in vec((any::<bool>(), any::<bool>()), 7),
            orders in (Just((0..7usize).collect::<Vec<_>>()).prop_shuffle(), Just((0..7usize).collect::<Vec<_>>()).prop_shuffle()),
            pairs in (vec((0..7usize, 0..7usize, any::<bool>()), 0..14), vec((0..7usize, 0..7usize, any::<bool>()), 0..14)),
            choice in vec(any::<bool>(), 64),
        ) {
            let (old, new): (Vec<_>, Vec<_>) = present.into_iter().unzip();
            let before = some_plan(&old, &orders.0, &pairs.0);
            let after = some_plan(&new, &orders.1, &pairs.1);
            let changes = list_changes(&before, &after);
            let chosen: Vec<_> = changes.iter().zip(&choice).filter(|(_, taken)| **taken).map(|(change, _)| *change).collect();
            let taken = ProposedChange::with_required(&before, &after, &changes, &chosen);
            prop_assert!(chosen.iter().all(|change| taken.contains(change)));
            let again = ProposedChange::with_required(&before, &after, &changes, &taken);
            prop_assert_eq!(&again, &taken, "nothing more is needed");
            let result = ProposedChange::apply(&before, &after, &taken);
            prop_assert!(result.problems().is_empty(), "{:?} of {:?}", taken, changes);
        }
    }
}
