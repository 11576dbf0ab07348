//! Branches and jumps of a plan file: ids become nodes. Whether a jump is allowed is checked later,
//! for the whole plan.

use super::dependencies::{BySlug, nearest_id};
use super::fault::{FaultKind, Faults};
use super::keys::ON_FAILURES;
use super::node_draft::{NodeDraft, ReferenceRole};
use super::{Warning, WarningKind};
use baton_model::node::{NodeKind, OnFailure};
use baton_model::problem::NodeField;
use baton_model::{Node, NodeId};

/// A resolved branch or jump.
pub(super) struct ResolvedReference {
    /// The index of the draft with the reference.
    from: usize,
    role: ReferenceRole,
    to: NodeId,
}

/// Resolves all branches and jumps of `drafts`.
pub(super) fn resolve(
    drafts: &[NodeDraft],
    by_slug: &BySlug<'_>,
    faults: &mut Faults,
) -> Vec<ResolvedReference> {
    let mut all = Vec::new();
    for (from, draft) in drafts.iter().enumerate() {
        for reference in &draft.references {
            let (role, to) = (reference.role, &reference.to);
            let Some(&target) = by_slug.get(to.as_str()) else {
                let (owner, nearest) = (draft.label.clone(), nearest_id(to, by_slug, faults));
                let kind = FaultKind::UnknownReference {
                    key: role.key(),
                    owner,
                    to: to.clone(),
                    nearest,
                };
                faults.add(reference.at, kind);
                continue;
            };
            all.push(ResolvedReference {
                from,
                role,
                to: drafts[target].node.id,
            });
        }
    }
    all
}

/// Sets the resolved branches and jumps in the nodes of `drafts`.
pub(super) fn apply(found: Vec<ResolvedReference>, drafts: &mut [NodeDraft]) {
    for ResolvedReference { from, role, to } in found {
        set_reference(&mut drafts[from].node, role, to);
    }
}

fn set_reference(node: &mut Node, role: ReferenceRole, to: NodeId) {
    match (role, &mut node.kind) {
        (ReferenceRole::TrueStep, NodeKind::Condition(task)) => task.true_step = Some(to),
        (ReferenceRole::FalseStep, NodeKind::Condition(task)) => task.false_step = Some(to),
        (ReferenceRole::OnSuccess, _) => node.on_success = Some(to),
        (ReferenceRole::OnFailure, _) => node.on_failure = OnFailure::Node(to),
        // Only conditions have branches, and loop bodies were moved before.
        (ReferenceRole::TrueStep | ReferenceRole::FalseStep | ReferenceRole::LoopStep, _) => {}
    }
}

/// Warns if a keyword of `onFailure` is also the id of a node, which may have been intended.
pub(super) fn warn_ambiguous_keywords(
    drafts: &[NodeDraft],
    by_slug: &BySlug<'_>,
    warnings: &mut Vec<Warning>,
) {
    for &word in ON_FAILURES
        .iter()
        .filter(|word| by_slug.contains_key(**word))
    {
        let policy = if word == "skip" {
            OnFailure::Skip
        } else {
            OnFailure::Abort
        };
        let ambiguous = drafts
            .iter()
            .filter(|draft| draft.node.on_failure == policy);
        warnings.extend(ambiguous.filter_map(|draft| {
            let &(_, at) = draft
                .places
                .iter()
                .find(|(field, _)| *field == NodeField::OnFailure)?;
            Some(Warning {
                at,
                kind: WarningKind::KeywordNotNode {
                    owner: draft.label.clone(),
                    word,
                },
            })
        }));
    }
}
