//! A cache of plan versions: the view of an active run is refreshed many times a second, while its
//! plan does not change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use baton_model::{Plan, PlanId};
use baton_store::{Change, PlanRecord, Store, StoreError};

/// The maximum number of cached versions. When it is reached the cache is cleared, which is simpler
/// than an eviction order, and rare.
const MAX_CACHED_VERSIONS: usize = 16;

/// Recently read plan versions.
#[derive(Clone, Default)]
pub struct PlanCache {
    known: Arc<Mutex<Cached>>,
}

#[derive(Default)]
struct Cached {
    versions: HashMap<(PlanId, u32), Arc<Plan>>,
    /// Why the content of a plan at a revision cannot be read; `None` if it can. Lists need it
    /// often.
    damage: HashMap<PlanId, (u64, Option<String>)>,
}

impl Cached {
    fn forget(&mut self, plan: PlanId) {
        self.versions.retain(|(id, _), _| *id != plan);
        self.damage.remove(&plan);
    }
}

impl PlanCache {
    /// A cache that forgets a plan when it changes, even if only its layout changes.
    pub(crate) fn for_store(store: &Store) -> Self {
        let plan_cache = Self::default();
        let known = Arc::clone(&plan_cache.known);
        store.listen(move |change| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            match change {
                Change::PlanChanged { plan, .. } | Change::PlanDeleted { plan } => {
                    known.forget(*plan)
                }
                Change::Everything => *known = Cached::default(),
                Change::RunChanged { .. }
                | Change::RunsDeleted { .. }
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
        plan_cache
    }

    /// The content of a plan version.
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
        if known.versions.len() >= MAX_CACHED_VERSIONS {
            known.versions.clear();
        }
        known.versions.insert((plan, version), Arc::clone(&content));
        Ok(content)
    }

    /// Returns why the current content of a plan cannot be read; `None` if it can.
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
            // It was saved or deleted meanwhile, and that change triggers another call.
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
