//! `loopStep`: a loop that names another node as what it repeats.
//!
//! That node becomes the loop's body and is no node of its own any more: otherwise its work would be done once more
//! than the loop says. What it waits for, the loop waits for.

use super::fault::{FaultKind, Faults};
use super::node_reader::{Dependency, Draft, Reference, Role};
use super::tree::Place;
use super::{Warning, WarningKind};
use baton_model::Slug;
use baton_model::node::{LoopBody, NodeKind};

/// Moves each node that a loop names into that loop. What cannot be moved is a fault.
pub(super) fn take_in(drafts: &mut Vec<Draft>, faults: &mut Faults, warnings: &mut Vec<Warning>) {
    while let Some((owner, reference)) = take_reference(drafts) {
        let is_step = |draft: &Draft| {
            draft
                .slug
                .as_ref()
                .is_some_and(|slug| slug.as_str() == reference.to)
        };
        let step = (0..drafts.len()).find(|&at| at != owner && is_step(&drafts[at]));
        let Some(step) = step else {
            report_unknown(&drafts[owner], &reference, drafts, faults);
            drafts[owner].node = None;
            continue;
        };
        match body(&drafts[owner], &drafts[step], reference.at, faults) {
            Some(body) => {
                let of = drafts[owner].label.clone();
                warnings.push(Warning {
                    at: reference.at,
                    kind: WarningKind::LoopStep {
                        of,
                        step: reference.to,
                    },
                });
                put(body, owner, step, drafts, faults);
            }
            None => drafts[owner].node = None,
        }
    }
}

/// The next loop that names a node, and the name, which is not there again afterwards.
fn take_reference(drafts: &mut [Draft]) -> Option<(usize, Reference)> {
    drafts.iter_mut().enumerate().find_map(|(owner, draft)| {
        let at = draft
            .references
            .iter()
            .position(|reference| reference.role == Role::LoopStep)?;
        Some((owner, draft.references.swap_remove(at)))
    })
}

/// `None` also when the node could not be read, which is a fault already.
fn body(owner: &Draft, step: &Draft, at: Place, faults: &mut Faults) -> Option<LoopBody> {
    match &step.node.as_ref()?.kind {
        NodeKind::ToolCall(call) => Some(LoopBody::Tool(call.clone())),
        NodeKind::SubPlan(plan) => Some(LoopBody::Plan(plan.clone())),
        kind => {
            let step = step.slug.as_ref().map_or_else(String::new, Slug::to_string);
            faults.add(
                at,
                FaultKind::LoopStepKind {
                    of: owner.label.clone(),
                    step,
                    kind: kind.word(),
                },
            );
            None
        }
    }
}

fn put(body: LoopBody, owner: usize, step: usize, drafts: &mut Vec<Draft>, faults: &mut Faults) {
    refuse_other_names(owner, step, drafts, faults);
    let own_slug = drafts[owner].slug.clone();
    let inherited = std::mem::take(&mut drafts[step].dependencies);
    let step_slug = drafts[step].slug.clone();
    let loop_draft = &mut drafts[owner];
    if let Some(NodeKind::Loop(task)) = loop_draft.node.as_mut().map(|node| &mut node.kind) {
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

/// Who names the step would name nothing any more.
fn refuse_other_names(owner: usize, step: usize, drafts: &mut [Draft], faults: &mut Faults) {
    let Some(slug) = drafts[step].slug.as_ref().map(Slug::to_string) else {
        return;
    };
    let by = drafts[owner].label.clone();
    for draft in drafts
        .iter_mut()
        .enumerate()
        .filter(|(at, _)| *at != owner && *at != step)
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
            let (of, step, by) = (draft.label.clone(), slug.clone(), by.clone());
            faults.add(at, FaultKind::LoopStepNamed { of, step, by });
        }
    }
}

fn report_unknown(owner: &Draft, reference: &Reference, drafts: &[Draft], faults: &mut Faults) {
    let known = drafts
        .iter()
        .filter_map(|draft| draft.slug.as_ref())
        .map(Slug::as_str);
    let nearest = baton_model::likeness::nearest(&reference.to, known).map(str::to_owned);
    let (of, to) = (owner.label.clone(), reference.to.clone());
    faults.add(
        reference.at,
        FaultKind::UnknownReference {
            key: Role::LoopStep.key(),
            of,
            to,
            nearest,
        },
    );
}
