//! The plan version that a proposal changes or is about.

use std::sync::Arc;

use baton_model::Plan;
use baton_model::planning::Proposal;

use crate::plan_versions::plan_version;
use crate::{Context, PlanningError};

/// The plan version that a proposal is about; `None` for a new plan.
pub fn base(context: &Context, proposal: &Proposal) -> Result<Option<Arc<Plan>>, PlanningError> {
    let target = proposal.request.subject.target();
    target
        .map(|(plan, version)| plan_version(context, plan, version))
        .transpose()
}
