//! What a draft is made from, and what of that has changed since.

use std::collections::BTreeSet;

use baton_model::planning::{BaseFreshness, Draft, Freshness, Proposal, ProposalBasis};
use baton_model::{Plan, PlanId};
use baton_store::StoreError;

use crate::agent_programs::installed_agents;
use crate::{Context, PlanningError, RefusalReason, project_state};

/// What a draft for the directory `cwd` is made from, if it is made now.
pub(super) fn basis(context: &Context, cwd: &str) -> ProposalBasis {
    let agents: BTreeSet<String> = installed_agents(context).into_iter().collect();
    ProposalBasis {
        repository: project_state::repository(context, cwd),
        agents: agents.into_iter().collect(),
    }
}

/// What has changed since the draft of an open proposal was made; `None` without such a draft.
pub fn freshness(
    context: &Context,
    proposal: &Proposal,
) -> Result<Option<Freshness>, PlanningError> {
    let Some(Draft::Plan { plan: draft, .. }) = &proposal.draft else {
        return Ok(None);
    };
    if !proposal.state.is_open() {
        return Ok(None);
    }
    let target = proposal.request.subject.target();
    let base = target.map(|target| base_freshness(context, target));
    let basis = context.store.proposals().basis(proposal.id)?;
    let repository = basis
        .as_ref()
        .map(|basis| project_state::repository_changes_since(context, draft, &basis.repository));
    let agents = basis.map(|basis| missing_agents(context, draft, &basis));
    Ok(Some(Freshness::new(
        base.transpose()?,
        repository,
        agents.unwrap_or_default(),
    )))
}

fn base_freshness(
    context: &Context,
    (plan, version): (PlanId, u32),
) -> Result<BaseFreshness, PlanningError> {
    let current = match context.store.plans().record(plan) {
        Err(StoreError::NotFound { .. } | StoreError::PlanDeleted { .. }) => None,
        found => Some(found?.version),
    };
    Ok(BaseFreshness { version, current })
}

fn missing_agents(context: &Context, draft: &Plan, basis: &ProposalBasis) -> Vec<String> {
    let installed = installed_agents(context);
    let used = project_state::used_agent_names(context, draft).into_iter();
    used.filter(|name| basis.agents.contains(name) && !installed.contains(name))
        .collect()
}

/// Fails for a program if the draft is stale: a person looks at it first.
pub(super) fn require_fresh_or_person(
    context: &Context,
    proposal: &Proposal,
) -> Result<(), PlanningError> {
    if context.actor().is_person() {
        return Ok(());
    }
    let is_stale = freshness(context, proposal)?.is_some_and(|freshness| freshness.stale);
    if !is_stale {
        return Ok(());
    }
    let message = "what the proposal was made from has changed, so a person decides on it";
    Err(PlanningError::new(RefusalReason::Conflict, message)
        .with_fix("ask a person, or ask for a new draft"))
}
