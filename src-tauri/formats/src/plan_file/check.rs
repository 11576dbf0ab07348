//! Locates the problems that [`Plan::problems`] finds in the file.
//!
//! Faults that the readers have already reported, such as numbers out of range, are not repeated.

use std::collections::{HashMap, HashSet};

use super::dependencies::{BySlug, EdgeLocations, nearest_id};
use super::fault::{FaultKind, Faults};
use super::group_reader::MemberLocations;
use super::node_draft::NodeDraft;
use super::tree::{SourceLocation, quoted};
use baton_model::node::referenced_slugs;
use baton_model::plan::{PlanContext, referenced_context_keys};
use baton_model::problem::{GroupFault, NodeFault};
use baton_model::spelling_suggestion::closest_match;
use baton_model::{NodeId, Plan, Problem};

/// Locations of what concerns several nodes.
pub(super) struct PlanLocations {
    pub(super) edges: EdgeLocations,
    pub(super) members: MemberLocations,
}

/// Reports the problems of `plan`, whose nodes were read as `drafts`.
pub(super) fn report(
    plan: &Plan,
    drafts: &[NodeDraft],
    places: &PlanLocations,
    faults: &mut Faults,
) {
    let by_id: HashMap<NodeId, &NodeDraft> =
        drafts.iter().map(|draft| (draft.node.id, draft)).collect();
    let edges_are_known = !faults.may_hide_edges();
    for problem in plan.problems() {
        match problem {
            Problem::Node {
                node, field, fault, ..
            } => {
                let Some(draft) = by_id.get(&node) else {
                    continue;
                };
                if edges_are_known || !matches!(fault, NodeFault::NotBefore { .. }) {
                    faults.add(
                        draft.field_location(field),
                        FaultKind::Node {
                            owner: draft.label.clone(),
                            fault,
                        },
                    );
                }
            }
            Problem::Cycle { path, titles } => {
                let on_path = path
                    .windows(2)
                    .filter_map(|pair| places.edges.get(&(pair[0], pair[1])));
                faults.add(
                    on_path.min().copied().unwrap_or(SourceLocation::START),
                    FaultKind::Cycle { titles },
                );
            }
            Problem::Group {
                group,
                title,
                fault,
            } => {
                // The reader has already reported a title or member that it could not accept.
                let member = match fault {
                    GroupFault::Twice { node, .. } | GroupFault::Shared { node, .. } => node,
                    GroupFault::SameId
                    | GroupFault::TitleLength { .. }
                    | GroupFault::UnknownNode { .. } => continue,
                };
                let at = places
                    .members
                    .get(&(group, member))
                    .copied()
                    .unwrap_or(SourceLocation::START);
                faults.add(
                    at,
                    FaultKind::Group {
                        owner: format!("group {}", quoted(&title)),
                        fault,
                    },
                );
            }
            _ => {}
        }
    }
}

/// Reports templates that refer to unknown nodes.
pub(super) fn report_unknown_names(
    drafts: &[NodeDraft],
    by_slug: &BySlug<'_>,
    faults: &mut Faults,
) {
    for draft in drafts {
        let mut seen = HashSet::new();
        let named = draft
            .node
            .template_texts()
            .into_iter()
            .flat_map(|(key, text)| referenced_slugs(text).map(move |slug| (key, slug)));
        for (key, slug) in named.filter(|(_, slug)| !by_slug.contains_key(slug)) {
            if seen.insert((key, slug)) {
                let nearest = nearest_id(slug, by_slug, faults);
                let (owner, slug) = (draft.label.clone(), slug.to_owned());
                faults.add(
                    draft.key_location(key),
                    FaultKind::UnknownNamedNode {
                        key,
                        owner,
                        slug,
                        nearest,
                    },
                );
            }
        }
    }
}

/// Reports templates that refer to unknown keys of the plan's context. Without tool outputs, such
/// braces mean nothing to Baton.
pub(super) fn report_unknown_context(
    drafts: &[NodeDraft],
    context: &PlanContext,
    faults: &mut Faults,
) {
    let known = &context.tool_outputs;
    for draft in drafts.iter().filter(|_| !known.is_empty()) {
        let mut seen = HashSet::new();
        let named = draft
            .node
            .template_texts()
            .into_iter()
            .flat_map(|(key, text)| referenced_context_keys(text).map(move |name| (key, name)));
        for (key, name) in named.filter(|(_, name)| !known.contains_key(*name)) {
            if seen.insert((key, name)) {
                let nearest = closest_match(name, known.keys().map(String::as_str));
                let kind = FaultKind::UnknownContextKey {
                    key,
                    owner: draft.label.clone(),
                    name: name.to_owned(),
                    nearest: nearest.map(str::to_owned),
                };
                faults.add(draft.key_location(key), kind);
            }
        }
    }
}
