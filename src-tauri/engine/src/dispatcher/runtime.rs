//! What a dispatcher decides with and acts on: clock, run store, job runner and executor context.
//!
//! The real ones are those of the engine; the simulation has others. Dispatchers know them by type, so that the hot path
//! pays nothing for the choice.

use baton_model::run::Answer;
use std::time::Duration;

use baton_model::{Attempt, ExecutorId, NodeId, Timestamp};
use baton_store::{NewRun, PermitContender, RunWrite, Store, StoreError};
use uuid::Uuid;

use crate::job::Job;
use crate::session::InheritedWork;

/// Time and chance.
pub(crate) trait Clock {
    /// The time, as everybody in this process tells it.
    fn now(&self) -> Timestamp;
    /// A number from 0 up to 1.
    fn random(&self) -> f64;
    /// An id that was never used. Later ones sort after earlier ones.
    fn new_id(&self) -> Uuid;
    /// Lets some time pass.
    fn pause(&self, time: Duration);
}

/// Where what happened is written.
pub(crate) trait RunStore {
    /// Stores a new run with its first events; see [`baton_store::Runs::create`].
    fn create(&self, new: &NewRun<'_>) -> Result<u64, StoreError>;
    /// Adds to a run's history; see [`baton_store::Runs::append`].
    fn append(&self, write: &RunWrite<'_>) -> Result<u64, StoreError>;
    /// For what is read, and for what is noted beside the history and may get lost.
    fn store(&self) -> &Store;
}

/// What starts sessions and reaches them. Orders return at once; what came of them is reported to the inbox.
pub(crate) trait JobRunner {
    /// Starts `job` when a place is free, or finds its session if it lives already. Asking twice does nothing.
    fn start(&self, job: Job);
    /// Ends the session with all its processes, or gives the attempt up if it has not begun.
    fn stop(&self, job: Job);
    /// Gives the attempt up if its session has not begun.
    fn withdraw(&self, job: Job);
    /// Passes a person's answer to a session.
    fn answer(&self, node: NodeId, attempt: Attempt, request: &str, answer: &Answer);
    /// Looks again at the criteria of inherited nodes, within `budget`, and reports each. Asking twice does nothing.
    fn verify(&self, works: Vec<InheritedWork>, budget: Duration);
    /// Ends these checks; what has no result is reported as not run.
    fn stop_verifying(&self);
}

/// Who this executor is among others, and what it knows of them.
pub(crate) trait ExecutorContext {
    /// Its own name.
    fn executor(&self) -> ExecutorId;
    /// Whether what `rival` holds may be taken from it: its executor is gone, and nothing of its session lives or is going
    /// to start.
    fn has_left(&self, rival: &PermitContender) -> bool;
    /// Notes whether nodes of this run wait for what others hold: of somebody who dies nobody tells, so that it has to
    /// be looked after them.
    fn set_waiting(&self, waiting: bool);
}

/// All four.
pub(crate) trait Runtime: Clock + RunStore + JobRunner + ExecutorContext {}

impl<T: Clock + RunStore + JobRunner + ExecutorContext> Runtime for T {}
