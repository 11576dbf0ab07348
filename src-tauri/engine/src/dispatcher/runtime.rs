//! A dispatcher's dependencies: clock, run store, job runner and executor context.
//!
//! The engine has the real ones, the simulation has others. They are type parameters of the
//! dispatcher, so that the choice costs nothing at run time.

use baton_model::run::Answer;
use std::time::Duration;

use baton_model::{Attempt, ExecutorId, NodeId, Plan, RunId, Timestamp};
use baton_store::{NewRun, PermitContender, RunWrite, Store, StoreError};
use uuid::Uuid;

use crate::job::Job;
use crate::session::InheritedWork;

/// Time, random numbers and ids.
pub(crate) trait Clock {
    fn now(&self) -> Timestamp;
    /// A number from 0 up to, but not including, 1.
    fn random(&self) -> f64;
    /// A unique id. Later ones sort after earlier ones.
    fn new_id(&self) -> Uuid;
    fn pause(&self, time: Duration);
}

/// Where the history of runs is written.
pub(crate) trait RunStore {
    /// Stores a new run with its first events; see [`baton_store::Runs::create`].
    fn create(&self, new: &NewRun<'_>) -> Result<u64, StoreError>;
    /// Appends to a run's history; see [`baton_store::Runs::append`].
    fn append(&self, write: &RunWrite<'_>) -> Result<u64, StoreError>;
    /// For reads, and for writes outside of the history that may be lost.
    fn store(&self) -> &Store;
    /// Brings the log of the run's steps up to date with the history.
    fn log_steps(&self, run: RunId, plan: &Plan);
}

/// Starts sessions and reaches them. Calls return immediately; results are reported to the inbox.
pub(crate) trait JobRunner {
    /// Starts `job` when a slot is free, or attaches to its session if it runs already. Calling it
    /// twice has no effect.
    fn start(&self, job: Job);
    /// Stops the session with all its processes, or withdraws the attempt if it has not begun.
    fn stop(&self, job: Job);
    /// Withdraws the attempt if its session has not begun.
    fn withdraw(&self, job: Job);
    fn answer(&self, node: NodeId, attempt: Attempt, request: &str, answer: &Answer);
    /// Checks the criteria of inherited nodes again, within `budget`, and reports each. Calling it
    /// twice has no effect.
    fn verify(&self, works: Vec<InheritedWork>, budget: Duration);
    /// Stops these checks; those without a result are reported as not run.
    fn stop_verifying(&self);
}

/// This executor's identity, and what it knows about other executors.
pub(crate) trait ExecutorContext {
    fn executor(&self) -> ExecutorId;
    /// Returns whether permits that `rival` holds may be taken: its executor is gone, and nothing
    /// of its session runs or can start.
    fn has_left(&self, rival: &PermitContender) -> bool;
    /// Sets whether nodes of this run wait for permits that others hold. The death of a holder
    /// sends no event, so the holders must be checked meanwhile.
    fn set_waiting(&self, waiting: bool);
}

/// All dependencies of a dispatcher.
pub(crate) trait Runtime: Clock + RunStore + JobRunner + ExecutorContext {}

impl<T: Clock + RunStore + JobRunner + ExecutorContext> Runtime for T {}
