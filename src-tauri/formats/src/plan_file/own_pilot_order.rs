//! Ids and dependencies that OwnPilot derives from the order of its steps.

use std::collections::{BTreeSet, HashSet};

use super::node_draft::{Dependency, NodeDraft};
use super::own_pilot_step::Step;
use super::{Warning, WarningKind};
use baton_model::Slug;

/// Gives steps without an id one that is derived from their title.
pub(super) fn assign_slugs(drafts: &mut [NodeDraft]) {
    let mut taken: HashSet<String> = drafts
        .iter()
        .filter_map(|draft| draft.slug.as_ref())
        .map(Slug::to_string)
        .collect();
    let unnamed = |draft: &&mut NodeDraft| draft.step.as_ref().is_some_and(Step::is_unnamed);
    for draft in drafts.iter_mut().filter(unnamed) {
        let slug = unique_slug(&draft.node.title, &taken);
        taken.insert(slug.to_string());
        draft.node.slug = slug.clone();
        draft.slug = Some(slug);
    }
}

pub(super) fn unique_slug(title: &str, taken: &HashSet<String>) -> Slug {
    let numbered = (2_u32..).map(|number| Slug::from_title(&format!("{title} {number}")));
    let mut wanted = std::iter::once(Slug::from_title(title)).chain(numbered);
    // A long title is truncated before its number.
    let short = (1_u64..).map(|number| Slug::from_title(&format!("step {number}")));
    let is_free = |slug: &Slug| !taken.contains(slug.as_str());
    wanted
        .by_ref()
        .take(taken.len() + 2)
        .chain(short)
        .find(is_free)
        .unwrap_or_else(|| Slug::from_title(title))
}

/// Sorts steps by `orderNum`, and makes those without dependencies depend on the steps with the
/// previous number.
pub(super) fn apply_order(drafts: &mut [NodeDraft], warnings: &mut Vec<Warning>) {
    let order = |draft: &NodeDraft| draft.step.as_ref().and_then(|step| step.order);
    if drafts.iter().all(|draft| order(draft).is_none()) {
        return;
    }
    drafts.sort_by_key(|draft| order(draft).unwrap_or(u64::MAX));
    let targets: BTreeSet<String> = drafts
        .iter()
        .flat_map(|draft| &draft.references)
        .map(|reference| reference.to.clone())
        .collect();
    let is_target = |draft: &NodeDraft| names(draft).any(|name| targets.contains(name));
    // A step that is the target of a branch waits for that branch and may never run.
    let places: Vec<(u64, String)> = drafts
        .iter()
        .filter(|draft| !is_target(draft))
        .filter_map(|draft| Some((order(draft)?, draft.slug.as_ref()?.to_string())))
        .collect();
    for draft in drafts.iter_mut() {
        let is_left_to_order = draft
            .step
            .as_ref()
            .is_some_and(|step| !step.names_dependencies);
        let Some(own) = order(draft).filter(|_| is_left_to_order && !is_target(draft)) else {
            continue;
        };
        let Some(before) = places
            .iter()
            .map(|(place, _)| *place)
            .filter(|&place| place < own)
            .max()
        else {
            continue;
        };
        let on: Vec<&String> = places
            .iter()
            .filter(|(place, _)| *place == before)
            .map(|(_, slug)| slug)
            .collect();
        let dependency = |on: &&String| Dependency {
            at: draft.at,
            on: (*on).clone(),
            soft: false,
            inferred: false,
        };
        draft.dependencies = on.iter().map(dependency).collect();
        let on = on.into_iter().cloned().collect();
        warnings.push(Warning {
            at: draft.at,
            kind: WarningKind::WaitsByOrder {
                owner: draft.label.clone(),
                on,
            },
        });
    }
}

/// The names by which other steps can refer to the step of `draft`.
fn names(draft: &NodeDraft) -> impl Iterator<Item = &str> {
    let alias = draft.step.as_ref().and_then(|step| step.alias.as_deref());
    draft
        .slug
        .as_ref()
        .map(Slug::as_str)
        .into_iter()
        .chain(alias)
}
