//! The dependencies of this process's dispatchers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use baton_model::run::Answer;
use baton_model::{Attempt, ExecutorId, NodeId, Plan, RunId, Timestamp};
use baton_store::{NewRun, PermitContender, RunWrite, Store, StoreError};
use uuid::Uuid;

use super::WeakEngine;
use crate::clocks::now;
use crate::dispatcher::runtime::{Clock, ExecutorContext, JobRunner, RunStore};
use crate::job::Job;
use crate::pool::Pool;
use crate::session::InheritedWork;
use crate::step_log;

/// The runtime for dispatchers of this process.
pub(super) struct EngineRuntime {
    pub(super) store: Store,
    pub(super) pool: Pool,
    pub(super) engine: WeakEngine,
    pub(super) executor: ExecutorId,
    /// Whether nodes of the run wait for permits that others hold.
    pub(super) waiting: Arc<AtomicBool>,
}

impl ExecutorContext for EngineRuntime {
    fn executor(&self) -> ExecutorId {
        self.executor
    }

    fn has_left(&self, rival: &PermitContender) -> bool {
        self.engine
            .upgrade()
            .is_some_and(|engine| engine.has_left(rival))
    }

    fn set_waiting(&self, waiting: bool) {
        self.waiting.store(waiting, Ordering::Relaxed);
    }
}

impl Clock for EngineRuntime {
    fn now(&self) -> Timestamp {
        now()
    }

    fn random(&self) -> f64 {
        f64::from(Uuid::new_v4().as_u64_pair().0 as u32) / (f64::from(u32::MAX) + 1.0)
    }

    fn new_id(&self) -> Uuid {
        Uuid::now_v7()
    }

    fn pause(&self, time: Duration) {
        thread::sleep(time);
    }
}

impl RunStore for EngineRuntime {
    fn create(&self, new: &NewRun<'_>) -> Result<u64, StoreError> {
        self.store.runs().create(new)
    }

    fn append(&self, write: &RunWrite<'_>) -> Result<u64, StoreError> {
        self.store.runs().append(write)
    }

    fn store(&self) -> &Store {
        &self.store
    }

    fn log_steps(&self, run: RunId, plan: &Plan) {
        // The log is for people. The next line adds what is missing now.
        if let Err(error) = step_log::bring_up_to_date(&self.store, run, plan) {
            tracing::warn!(%run, %error, "couldn't write the log of a run's steps");
        }
    }
}

impl JobRunner for EngineRuntime {
    fn start(&self, job: Job) {
        self.pool.start(job);
    }

    fn stop(&self, job: Job) {
        self.pool.stop(job);
    }

    fn withdraw(&self, job: Job) {
        self.pool.withdraw(job);
    }

    fn answer(&self, node: NodeId, attempt: Attempt, request: &str, answer: &Answer) {
        self.pool.answer(node, attempt, request, answer);
    }

    fn verify(&self, works: Vec<InheritedWork>, budget: Duration) {
        self.pool.verify(works, budget);
    }

    fn stop_verifying(&self) {
        self.pool.stop_verifying();
    }
}
