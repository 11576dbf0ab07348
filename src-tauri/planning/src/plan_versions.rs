//! Plan versions by [`Context`], and reads that skip damaged rows.

use std::sync::Arc;

use baton_model::{Plan, PlanId};
use baton_store::StoreError;

use crate::{Context, PlanningError};

/// The content of a plan version, such as the one that a run executes.
pub fn plan_version(
    context: &Context,
    plan: PlanId,
    version: u32,
) -> Result<Arc<Plan>, PlanningError> {
    Ok(context.plan_cache.version(&context.store, plan, version)?)
}

/// `None` if the row is damaged: the doctor reports that, and nothing else has to fail because of
/// it.
pub fn skip_unreadable<T>(found: Result<T, StoreError>) -> Result<Option<T>, PlanningError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(StoreError::Unreadable(row)) => {
            tracing::warn!(id = %row.id, detail = %row.detail, "skipped a damaged row");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
