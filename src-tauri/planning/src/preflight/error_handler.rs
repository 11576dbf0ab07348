//! The plan that another one names for its failures: it must exist and be another plan.

use baton_model::Plan;

use crate::approvals::newest_approved;
use crate::check::{Check, CheckVerdict};
use crate::named_plan::{UnresolvedName, find_named};
use crate::{Context, PlanningError};

pub(super) fn check(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    let name = plan.settings.on_failure.as_deref().map(str::trim);
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let failed =
        |sentence: String, fix: &str| Check::new(CheckVerdict::Failed, sentence).with_fix(fix);
    let choose = "choose another plan in onFailure, or none";
    let check = match find_named(&context.store.plans().list()?.rows, name) {
        Err(UnresolvedName::Unknown) => failed(
            format!("onFailure names the plan '{name}', which doesn't exist"),
            choose,
        ),
        Err(UnresolvedName::Ambiguous { plans }) => failed(
            format!("onFailure names the plan '{name}', but {plans} plans have that title"),
            "refer to it by its id, or rename one of them",
        ),
        Ok(handler) if handler == plan.id => {
            failed("onFailure names the plan itself".to_owned(), choose)
        }
        Ok(handler) => approval(context, handler)?,
    };
    checks.push(check);
    Ok(())
}

fn approval(context: &Context, handler: baton_model::PlanId) -> Result<Check, PlanningError> {
    let (_, plan) = context.store.plans().current(handler)?;
    if newest_approved(context, handler)?.is_some() {
        let sentence = format!("if a run fails, '{}' runs", plan.title);
        return Ok(Check::new(CheckVerdict::Passed, sentence));
    }
    let sentence = format!(
        "the error handler '{}' is not approved, so it won't start",
        plan.title
    );
    let check = Check::new(CheckVerdict::Warning, sentence);
    Ok(check.with_fix("review and approve that plan"))
}
