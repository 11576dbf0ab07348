//! Plan versions that were read lately: a run that goes on is looked at many times a second, and its plan
//! does not change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use baton_model::{Plan, PlanId};
use baton_store::{Change, PlanRecord, Store, StoreError};

use crate::{Context, PlanningError};

/// How many versions are kept. When there are more, all are read again: simpler than an order, and rare.
const KEPT: usize = 16;

/// The versions that were read lately.
#[derive(Clone, Default)]
pub struct Contents {
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    versions: HashMap<(PlanId, u32), Arc<Plan>>,
    /// What was found wrong with the content of each plan at a revision; `None`: nothing. A list asks again and again.
    damage: HashMap<PlanId, (u64, Option<String>)>,
}

impl Known {
    fn forget(&mut self, plan: PlanId) {
        self.versions.retain(|(id, _), _| *id != plan);
        self.damage.remove(&plan);
    }
}

impl Contents {
    /// Contents that forget a plan as soon as anybody changes it, be it only its layout.
    pub(crate) fn of(store: &Store) -> Self {
        let contents = Self::default();
        let known = Arc::clone(&contents.known);
        store.listen(move |change| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            match change {
                Change::PlanChanged { plan, .. } | Change::PlanDeleted { plan } => {
                    known.forget(*plan)
                }
                Change::Everything => *known = Known::default(),
                Change::RunChanged { .. }
                | Change::ProposalChanged { .. }
                | Change::HeldCallChanged { .. }
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
    pub fn version(
        &self,
        store: &Store,
        plan: PlanId,
        version: u32,
    ) -> Result<Arc<Plan>, StoreError> {
        if let Some(known) = self
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .versions
            .get(&(plan, version))
        {
            return Ok(Arc::clone(known));
        }
        let content = Arc::new(store.plan_versions().content(plan, version)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.versions.len() >= KEPT {
            known.versions.clear();
        }
        known.versions.insert((plan, version), Arc::clone(&content));
        Ok(content)
    }

    /// Why the current content of a plan cannot be read; `None`: it can.
    pub fn damage(&self, store: &Store, record: &PlanRecord) -> Result<Option<String>, StoreError> {
        let known = self
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .damage
            .get(&record.plan)
            .cloned();
        if let Some((_, damage)) = known.filter(|(revision, _)| *revision == record.revision) {
            return Ok(damage);
        }
        let damage = match store.plan_versions().content(record.plan, record.version) {
            Ok(_) => None,
            Err(StoreError::Unreadable(row)) => Some(row.to_string()),
            // It was written again or deleted meanwhile: whoever hears of that asks again.
            Err(StoreError::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .damage
            .insert(record.plan, (record.revision, damage.clone()));
        Ok(damage)
    }
}

/// A version of a plan, such as the one that a run executes.
pub fn content(context: &Context, plan: PlanId, version: u32) -> Result<Arc<Plan>, PlanningError> {
    Ok(context.contents.version(&context.store, plan, version)?)
}

/// What was found; `None` when its row is damaged, which the doctor tells and nothing else has to fail for.
pub fn readable<T>(found: Result<T, StoreError>) -> Result<Option<T>, PlanningError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(StoreError::Unreadable(row)) => {
            tracing::warn!(id = %row.id, detail = %row.detail, "a damaged row is passed over");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
