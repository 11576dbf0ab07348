//! Plan versions that were read lately: a run that goes on is looked at many times a second, and its plan
//! does not change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use baton_model::{Plan, PlanId};
use baton_store::{Change, Store, StoreError};

/// How many versions are kept. When there are more, all are read again: simpler than an order, and rare.
const KEPT: usize = 16;

/// The versions that were read lately.
#[derive(Clone, Default)]
pub(crate) struct Contents {
    known: Arc<Mutex<Known>>,
}

type Known = HashMap<(PlanId, u32), Arc<Plan>>;

impl Contents {
    /// Contents that forget a plan as soon as anybody changes it, be it only its layout.
    pub(crate) fn of(store: &Store) -> Self {
        let contents = Self::default();
        let known = Arc::clone(&contents.known);
        store.listen(move |change| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            match change {
                Change::PlanChanged { plan } | Change::PlanDeleted { plan } => known.retain(|(id, _), _| id != plan),
                Change::Everything => known.clear(),
                Change::RunChanged { .. }
                | Change::ProposalChanged { .. }
                | Change::SettingsChanged
                | Change::AppStateKept
                | Change::RequestAdded { .. }
                | Change::RequestAnswered { .. }
                | Change::PermitsFreed { .. }
                | Change::ExecutorLeft => {}
            }
            true
        });
        contents
    }

    /// One version of a plan.
    pub(crate) fn version(&self, store: &Store, plan: PlanId, version: u32) -> Result<Arc<Plan>, StoreError> {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&(plan, version)) {
            return Ok(Arc::clone(known));
        }
        let content = Arc::new(store.plan_versions().content(plan, version)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert((plan, version), Arc::clone(&content));
        Ok(content)
    }
}
