//! Dependencies between the nodes of a plan file: ids become edges, and everything that cannot be
//! an edge a fault.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::fault::{FaultKind, Faults};
use super::node_draft::{Dependency, NodeDraft};
use super::tree::SourceLocation;
use baton_model::spelling_suggestion::closest_match;
use baton_model::{Edge, NodeId, Plan, Slug};

/// Adds the edges between `drafts` to `plan`.
pub(super) fn add_edges(
    drafts: &[NodeDraft],
    by_slug: &BySlug<'_>,
    plan: &mut Plan,
    faults: &mut Faults,
) -> EdgeLocations {
    let mut places = EdgeLocations::new();
    for draft in drafts {
        let mut seen = HashSet::new();
        for dependency in &draft.dependencies {
            if !seen.insert(dependency.on.as_str()) {
                let (owner, on) = (draft.label.clone(), dependency.on.clone());
                faults.add(dependency.at, FaultKind::DuplicateDependency { owner, on });
            } else if let Some(edge) = edge(draft, dependency, drafts, by_slug, faults) {
                places.insert((edge.parent, edge.child), dependency.at);
                plan.edges.push(edge);
            }
        }
    }
    places
}

/// The index of each draft by its id.
pub(super) type BySlug<'d> = HashMap<&'d str, usize>;

/// The location of each edge in the file, by parent and child.
pub(super) type EdgeLocations = HashMap<(NodeId, NodeId), SourceLocation>;

/// Indexes drafts by their ids. If two have the same id, the second is a fault.
pub(super) fn by_slug<'d>(drafts: &'d [NodeDraft], faults: &mut Faults) -> BySlug<'d> {
    let mut by_slug = HashMap::with_capacity(drafts.len());
    for (position, draft) in drafts.iter().enumerate() {
        let Some(slug) = draft.slug.as_ref().map(Slug::as_str) else {
            continue;
        };
        match by_slug.get(slug) {
            Some(&first) => {
                let (id, first): (_, &NodeDraft) = (slug.to_owned(), &drafts[first]);
                faults.add(
                    draft.at,
                    FaultKind::DuplicateId {
                        id,
                        first: first.at,
                    },
                );
            }
            None => {
                by_slug.insert(slug, position);
            }
        }
    }
    // Aliases of steps without an id have lower priority than ids.
    let alias = |draft: &'d NodeDraft| draft.step.as_ref()?.alias.as_deref();
    for (position, alias) in drafts
        .iter()
        .enumerate()
        .filter_map(|(at, draft)| Some((at, alias(draft)?)))
    {
        by_slug.entry(alias).or_insert(position);
    }
    by_slug
}

/// `None` if it is a fault.
fn edge(
    child: &NodeDraft,
    dependency: &Dependency,
    drafts: &[NodeDraft],
    by_slug: &BySlug<'_>,
    faults: &mut Faults,
) -> Option<Edge> {
    let (owner, on) = (child.label.clone(), dependency.on.clone());
    if child.slug.as_ref().map(Slug::as_str) == Some(dependency.on.as_str()) {
        faults.add(dependency.at, FaultKind::SelfDependency { owner });
        return None;
    }
    let Some(&parent) = by_slug.get(dependency.on.as_str()) else {
        let nearest = nearest_id(&on, by_slug, faults);
        faults.add(
            dependency.at,
            FaultKind::UnknownDependency { owner, on, nearest },
        );
        return None;
    };
    let (parent, child) = (&drafts[parent].node, &child.node);
    if !child.is_executable() {
        faults.add(dependency.at, FaultKind::DependencyOfNote { owner });
        return None;
    }
    if !parent.is_executable() {
        faults.add(dependency.at, FaultKind::DependencyOnNote { owner, on });
        return None;
    }
    Some(Edge {
        parent: parent.id,
        child: child.id,
        soft: dependency.soft,
        inferred: dependency.inferred,
    })
}

/// The id that is most similar to `wanted`.
pub(super) fn nearest_id(wanted: &str, by_slug: &BySlug<'_>, faults: &Faults) -> Option<String> {
    // Comparing with every id takes too long after many faults.
    let known = by_slug.keys().copied().filter(|_| !faults.are_many());
    closest_match(wanted, known.collect::<BTreeSet<_>>()).map(str::to_owned)
}
