//! The proposal that has what others wrote into a plan's file.

use std::collections::BTreeMap;

use baton_formats::project_file::{Coverage, FileEdit, clash_text, text_hash};
use baton_model::planning::ProposalState;
use baton_model::{PlanId, ProposalId};
use baton_store::{Actor, StoreError};
use serde::{Deserialize, Serialize};

use crate::plan_versions::plan_version;
use crate::projects::{self, ProjectFilesSwitch};
use crate::proposals::{self, Revision, Submitted};
use crate::{Context, PlanningError};

/// The submitter of proposals from files that no session wrote.
const SUBMITTER: &str = "plan file";

/// Which text of a file was made a proposal last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Captured {
    /// The hash of the text.
    text: String,
    proposal: ProposalId,
}

fn key(plan: PlanId) -> String {
    format!("projectFile:{plan}")
}

/// Whether a proposal has `text`.
pub(super) fn coverage(
    context: &Context,
    plan: PlanId,
    text: Option<&str>,
) -> Result<Coverage, PlanningError> {
    let Some(captured) = captured(context, plan)? else {
        return Ok(Coverage::None);
    };
    let waits = is_waiting(context, captured.proposal)?;
    let has_text = text.map(text_hash) == Some(captured.text);
    Ok(match (waits, has_text) {
        (false, true) => Coverage::Decided,
        (true, true) => Coverage::Waiting,
        _ => Coverage::None,
    })
}

/// Whether a proposal of this plan's file waits for a decision.
pub(super) fn waiting(
    context: &Context,
    plan: PlanId,
) -> Result<Option<ProposalId>, PlanningError> {
    let Some(captured) = captured(context, plan)? else {
        return Ok(None);
    };
    let waits = is_waiting(context, captured.proposal)?;
    Ok(waits.then_some(captured.proposal))
}

fn captured(context: &Context, plan: PlanId) -> Result<Option<Captured>, StoreError> {
    let stored: Option<Option<Captured>> = context.store.settings().get(&key(plan))?;
    Ok(stored.flatten())
}

fn is_waiting(context: &Context, proposal: ProposalId) -> Result<bool, PlanningError> {
    match proposals::current(context, proposal) {
        Ok(found) => Ok(matches!(
            found.state,
            ProposalState::Working | ProposalState::Ready
        )),
        Err(error) if error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes a proposal of an edit, or another draft of the one that waits.
pub(super) fn propose(
    context: &Context,
    switch: &ProjectFilesSwitch,
    (plan, version): (PlanId, u32),
    text: &str,
    edit: FileEdit,
) -> Result<(), PlanningError> {
    let draft = Submitted {
        target: Some((plan, version)),
        content: edit.plan,
        reasoning: "The plan's file in the project was edited.".to_owned(),
        notes: edit.clashes.iter().map(clash_text).collect(),
    };
    let waiting = waiting(context, plan)?;
    let waiting = waiting.map(|id| proposals::current(context, id));
    let proposal = match waiting.transpose()? {
        Some(proposal) => {
            let revision = Revision {
                round: proposal.submission.map_or(0, |submission| submission.round),
                draft,
                answers: BTreeMap::new(),
            };
            proposals::revise(&context.acting_as(Actor::Baton), proposal.id, revision)?
        }
        None => {
            let author = context.acting_as(author(context, switch)?);
            proposals::submit(&author, draft, "", None)?
        }
    };
    remember(context, plan, text, proposal.id)
}

fn remember(
    context: &Context,
    plan: PlanId,
    text: &str,
    proposal: ProposalId,
) -> Result<(), PlanningError> {
    let captured = Captured {
        text: text_hash(text),
        proposal,
    };
    Ok(context.store.settings().set(&key(plan), &captured)?)
}

/// Withdraws the proposal that waits, because the file no longer says it.
pub(super) fn withdraw(context: &Context, plan: PlanId) -> Result<(), PlanningError> {
    if let Some(proposal) = waiting(context, plan)? {
        proposals::cancel(&context.acting_as(Actor::Baton), proposal)?;
        // The same text again is a new edit.
        context
            .store
            .settings()
            .set(&key(plan), &Option::<Captured>::None)?;
    }
    Ok(())
}

/// Who wrote into a file: a session that works in the project now, whatever the repository says.
fn author(context: &Context, switch: &ProjectFilesSwitch) -> Result<Actor, PlanningError> {
    for session in context.store.attempts().open_sessions()? {
        let run = context.store.sessions().get(session)?.run;
        let run = context.store.runs().get(run)?;
        let plan = plan_version(context, run.plan, run.version)?;
        if projects::project_of(plan.cwd.as_deref(), std::slice::from_ref(switch)).is_some() {
            return Ok(Actor::Session(session));
        }
    }
    Ok(Actor::Program(SUBMITTER.to_owned()))
}
