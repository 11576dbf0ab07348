//! Finds a proposal that says the same and is still open, so that importing a list twice doesn't
//! ask a person twice.

use baton_formats::plan_file::{self, Format};
use baton_model::planning::{Draft, Subject};
use baton_model::{Plan, ProposalId};
use baton_store::ProposalsFilter;

use super::list;
use super::submission::Submitted;
use crate::{Context, PlanningError};

/// The open proposal in which the caller submitted the same change of the same version.
pub fn open_submission(
    context: &Context,
    submitted: &Submitted,
) -> Result<Option<ProposalId>, PlanningError> {
    let Some((plan, version)) = submitted.target else {
        return Ok(None);
    };
    let filter = ProposalsFilter {
        open: true,
        plan: Some(plan),
        limit: list::LIST_LIMIT,
    };
    let by = context.actor().to_string();
    let subject = Subject::SubmittedChange { plan, version };
    let wanted = content(&submitted.content);
    let mut open = list::list(context, filter)?.into_iter();
    let same = open.find(|proposal| {
        let is_own = proposal.submission.as_ref().is_some_and(|one| one.by == by);
        let is_same =
            |draft: &Draft| matches!(draft, Draft::Plan { plan, .. } if content(plan) == wanted);
        is_own
            && proposal.request.subject == subject
            && proposal.draft.as_ref().is_some_and(is_same)
    });
    Ok(same.map(|proposal| proposal.id))
}

/// What a plan says. New nodes get other IDs with every import, and a draft gets positions.
fn content(plan: &Plan) -> String {
    let mut plan = plan.clone();
    for node in &mut plan.nodes {
        node.position = None;
    }
    plan_file::write(&plan, Format::Json)
}
