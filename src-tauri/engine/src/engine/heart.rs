//! The heartbeat of this process, and the moment at which it finds out that it has lost a run.

use std::sync::{Arc, PoisonError};
use std::thread;

use baton_model::RunId;

use super::{Engine, Inner, lock};
use crate::clocks::moment;
use crate::crash_point::crash_point;
use crate::dispatcher::Input;
use crate::error::EngineError;

impl Engine {
    /// Beats from now on; registration was the first beat.
    pub(super) fn beat(&self) -> Result<(), EngineError> {
        let inner = Arc::clone(&self.inner);
        let heart = thread::Builder::new().name("heartbeat".to_owned()).spawn(move || {
            let mut closing = lock(&inner.closing);
            while !*closing {
                let woken = inner.close.wait_timeout(closing, inner.lease.beat).unwrap_or_else(PoisonError::into_inner);
                closing = woken.0;
                if woken.1.timed_out() {
                    // A beat may have to wait for the store, and nobody else for the beat.
                    drop(closing);
                    // A process that was stopped for long wakes here, with runs that may be somebody else's by now.
                    inner.give_way();
                    inner.beat();
                    inner.look_after_holders();
                    closing = lock(&inner.closing);
                }
            }
        })?;
        *lock(&self.inner.heart) = Some(heart);
        Ok(())
    }
}

impl Inner {
    fn beat(&self) {
        crash_point("before beat");
        let now = moment();
        if let Err(error) = self.store.executors().beat(self.executor, now.wall, now.awake_ms()) {
            tracing::warn!(%error, "the heartbeat could not be noted");
        }
        crash_point("after beat");
    }

    /// Tells the dispatchers whose run another executor has now. They would find out with their next write; until
    /// then their sessions would be reached from two sides.
    fn give_way(&self) {
        let here: Vec<RunId> = self.runs().keys().copied().collect();
        for run in here {
            // A run that is not stored yet has no other executor.
            let Ok(Some((owner, epoch))) = self.store.executors().of_run(run) else { continue };
            if owner != self.executor
                && let Some(dispatched) = self.runs().get(&run)
            {
                // A dispatcher that is gone needs no telling.
                dispatched.inbox.send(Input::Displaced { epoch }).unwrap_or_default();
            }
        }
    }
}
