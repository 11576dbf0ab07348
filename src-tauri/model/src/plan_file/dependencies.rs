//! Who depends on whom in a plan file: ids become edges, and everything that cannot be an edge a fault.

use std::collections::{HashMap, HashSet};

use super::fault::{FaultKind, Faults};
use super::keys::nearest;
use super::node_reader::{Dependency, Draft};
use super::tree::Place;
use crate::{Edge, NodeId, Plan, Slug};

/// Moves the nodes of `drafts` and their edges into `plan`. Cycles are looked for afterwards, with [`report_cycle`].
pub(super) fn settle(drafts: Vec<Draft>, plan: &mut Plan, faults: &mut Faults) -> EdgePlaces {
    let mut places = EdgePlaces::new();
    let by_slug = by_slug(&drafts, faults);
    for draft in &drafts {
        let mut seen = HashSet::new();
        for dependency in &draft.dependencies {
            if !seen.insert(dependency.on.as_str()) {
                let (of, on) = (draft.label.clone(), dependency.on.clone());
                faults.add(dependency.at, FaultKind::DuplicateDependency { of, on });
            } else if let Some(edge) = edge(draft, dependency, &drafts, &by_slug, faults) {
                places.insert((edge.parent, edge.child), dependency.at);
                plan.edges.push(edge);
            }
        }
    }
    drop(by_slug);
    plan.nodes = drafts.into_iter().filter_map(|draft| draft.node).collect();
    places
}

/// Where each edge stands in the file, by parent and child.
type EdgePlaces = HashMap<(NodeId, NodeId), Place>;

fn by_slug<'d>(drafts: &'d [Draft], faults: &mut Faults) -> HashMap<&'d str, usize> {
    let mut by_slug = HashMap::with_capacity(drafts.len());
    for (position, draft) in drafts.iter().enumerate() {
        let Some(slug) = draft.slug.as_ref().map(Slug::as_str) else { continue };
        match by_slug.get(slug) {
            Some(&first) => {
                let (id, first): (_, &Draft) = (slug.to_owned(), &drafts[first]);
                faults.add(draft.at, FaultKind::DuplicateId { id, first: first.at });
            }
            None => {
                by_slug.insert(slug, position);
            }
        }
    }
    by_slug
}

/// `None` when it is a fault, or when one of the two nodes could not be read.
fn edge(
    child: &Draft,
    dependency: &Dependency,
    drafts: &[Draft],
    by_slug: &HashMap<&str, usize>,
    faults: &mut Faults,
) -> Option<Edge> {
    let (of, on) = (child.label.clone(), dependency.on.clone());
    if child.slug.as_ref().map(Slug::as_str) == Some(dependency.on.as_str()) {
        faults.add(dependency.at, FaultKind::SelfDependency { of });
        return None;
    }
    let Some(&parent) = by_slug.get(dependency.on.as_str()) else {
        // The search compares with every id; after many faults it would take longer than anybody waits.
        let known = by_slug.keys().copied().filter(|_| !faults.are_many());
        let nearest = nearest(&on, known.collect::<std::collections::BTreeSet<_>>()).map(str::to_owned);
        faults.add(dependency.at, FaultKind::UnknownDependency { of, on, nearest });
        return None;
    };
    let (parent, child) = (drafts[parent].node.as_ref()?, child.node.as_ref()?);
    if !child.is_executable() {
        faults.add(dependency.at, FaultKind::DependencyOfNote { of });
        return None;
    }
    if !parent.is_executable() {
        faults.add(dependency.at, FaultKind::DependencyOnNote { of, on });
        return None;
    }
    Some(Edge { parent: parent.id, child: child.id, soft: dependency.soft })
}

/// Reports a cycle of `plan` at the place of one of its edges.
pub(super) fn report_cycle(plan: &Plan, places: &EdgePlaces, faults: &mut Faults) {
    let Err(cycle) = plan.graph() else { return };
    let on_path = cycle.path.windows(2).filter_map(|pair| places.get(&(pair[0], pair[1])));
    let at = on_path.min().copied().unwrap_or(Place::START);
    faults.add(at, FaultKind::Cycle { titles: cycle.titles });
}
