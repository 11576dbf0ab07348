//! The plan versions that runs execute, for lists of events of several runs.

use std::collections::HashMap;
use std::sync::Arc;

use baton_model::{Plan, RunId};
use baton_store::StoreError;

use crate::{ApiError, App};

/// Plan versions by run, each read once.
pub(crate) struct RunPlans<'a> {
    app: &'a App,
    known: HashMap<RunId, Option<Arc<Plan>>>,
}

impl<'a> RunPlans<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        Self {
            app,
            known: HashMap::new(),
        }
    }

    /// The plan as the run executes it; `None` if it is damaged, or was deleted in the meantime.
    pub(crate) fn of(&mut self, run: RunId) -> Result<Option<Arc<Plan>>, ApiError> {
        if let Some(plan) = self.known.get(&run) {
            return Ok(plan.clone());
        }
        let plan = match self.read(run) {
            Ok(plan) => Some(plan),
            Err(
                StoreError::Unreadable(_)
                | StoreError::NotFound { .. }
                | StoreError::PlanDeleted { .. },
            ) => None,
            Err(error) => return Err(error.into()),
        };
        self.known.insert(run, plan.clone());
        Ok(plan)
    }

    fn read(&self, run: RunId) -> Result<Arc<Plan>, StoreError> {
        let row = self.app.store.runs().get(run)?;
        self.app
            .plan_cache
            .version(&self.app.store, row.plan, row.version)
    }
}
