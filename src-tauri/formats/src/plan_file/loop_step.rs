//! `loopStep`: a loop that refers to another node as its body.
//!
//! That node becomes the loop's body and is no longer a separate node, because its work would
//! otherwise be done one time too many. The loop takes over its dependencies.

use super::fault::{FaultKind, Faults};
use super::node_draft::{Dependency, NodeDraft, Reference, ReferenceRole};
use super::tree::SourceLocation;
use super::{Warning, WarningKind};
use baton_model::Slug;
use baton_model::node::{LoopBody, NodeKind};

/// Moves each node that a loop refers to into that loop, or reports why it cannot be moved.
pub(super) fn inline_steps(
    drafts: &mut Vec<NodeDraft>,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) {
    while let Some((owning_loop, reference)) = take_reference(drafts) {
        let is_step = |draft: &NodeDraft| {
            draft
                .slug
                .as_ref()
                .is_some_and(|slug| slug.as_str() == reference.to)
        };
        let step = (0..drafts.len()).find(|&at| at != owning_loop && is_step(&drafts[at]));
        let Some(step) = step else {
            report_unknown(&drafts[owning_loop], &reference, drafts, faults);
            continue;
        };
        if let Some(body) = body(&drafts[owning_loop], &drafts[step], reference.at, faults) {
            let owner = drafts[owning_loop].label.clone();
            warnings.push(Warning {
                at: reference.at,
                kind: WarningKind::LoopStep {
                    owner,
                    step: reference.to,
                },
            });
            replace_step_with_body(body, owning_loop, step, drafts, faults);
        }
    }
}

/// Takes the next reference of a loop to its body.
fn take_reference(drafts: &mut [NodeDraft]) -> Option<(usize, Reference)> {
    drafts
        .iter_mut()
        .enumerate()
        .find_map(|(owning_loop, draft)| {
            let at = draft
                .references
                .iter()
                .position(|reference| reference.role == ReferenceRole::LoopStep)?;
            Some((owning_loop, draft.references.swap_remove(at)))
        })
}

/// Also `None` if the kind of the node is unknown, which is already a fault.
fn body(
    owning_loop: &NodeDraft,
    step: &NodeDraft,
    at: SourceLocation,
    faults: &mut Faults,
) -> Option<LoopBody> {
    if !step.kind_is_known {
        return None;
    }
    match &step.node.kind {
        NodeKind::ToolCall(call) => Some(LoopBody::Tool(call.clone())),
        NodeKind::SubPlan(plan) => Some(LoopBody::Plan(plan.clone())),
        kind => {
            let step = step.slug.as_ref().map_or_else(String::new, Slug::to_string);
            faults.add(
                at,
                FaultKind::LoopStepKind {
                    owner: owning_loop.label.clone(),
                    step,
                    kind: kind.as_str(),
                },
            );
            None
        }
    }
}

fn replace_step_with_body(
    body: LoopBody,
    owning_loop: usize,
    step: usize,
    drafts: &mut Vec<NodeDraft>,
    faults: &mut Faults,
) {
    refuse_other_names(owning_loop, step, drafts, faults);
    let own_slug = drafts[owning_loop].slug.clone();
    let inherited = std::mem::take(&mut drafts[step].dependencies);
    let step_slug = drafts[step].slug.clone();
    let loop_draft = &mut drafts[owning_loop];
    if let NodeKind::Loop(task) = &mut loop_draft.node.kind {
        task.body = body;
    }
    loop_draft
        .dependencies
        .retain(|dependency| !is_on(dependency, step_slug.as_ref()));
    for dependency in inherited {
        let is_known = loop_draft
            .dependencies
            .iter()
            .any(|other| other.on == dependency.on);
        if !is_known && !is_on(&dependency, own_slug.as_ref()) {
            loop_draft.dependencies.push(dependency);
        }
    }
    drafts.remove(step);
}

fn is_on(dependency: &Dependency, slug: Option<&Slug>) -> bool {
    slug.is_some_and(|slug| slug.as_str() == dependency.on)
}

/// References to the moved node would be invalid.
fn refuse_other_names(
    owning_loop: usize,
    step: usize,
    drafts: &mut [NodeDraft],
    faults: &mut Faults,
) {
    let Some(slug) = drafts[step].slug.as_ref().map(Slug::to_string) else {
        return;
    };
    let by = drafts[owning_loop].label.clone();
    for draft in drafts
        .iter_mut()
        .enumerate()
        .filter(|(at, _)| *at != owning_loop && *at != step)
        .map(|(_, draft)| draft)
    {
        let mut places = Vec::new();
        places.extend(
            draft
                .dependencies
                .extract_if(.., |dependency| dependency.on == slug)
                .map(|found| found.at),
        );
        places.extend(
            draft
                .references
                .extract_if(.., |reference| reference.to == slug)
                .map(|found| found.at),
        );
        for at in places {
            let (owner, step, by) = (draft.label.clone(), slug.clone(), by.clone());
            faults.add(at, FaultKind::LoopStepNamed { owner, step, by });
        }
    }
}

fn report_unknown(
    owning_loop: &NodeDraft,
    reference: &Reference,
    drafts: &[NodeDraft],
    faults: &mut Faults,
) {
    let known = drafts
        .iter()
        .filter_map(|draft| draft.slug.as_ref())
        .map(Slug::as_str);
    let nearest =
        baton_model::spelling_suggestion::closest_match(&reference.to, known).map(str::to_owned);
    let (owner, to) = (owning_loop.label.clone(), reference.to.clone());
    faults.add(
        reference.at,
        FaultKind::UnknownReference {
            key: ReferenceRole::LoopStep.key(),
            owner,
            to,
            nearest,
        },
    );
}
