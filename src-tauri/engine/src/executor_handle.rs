//! The interface that sessions need from the engine that executes them.

use baton_model::ExecutorId;
use baton_store::{PermitContender, Store};

/// A session's executor, as a trait below the engine, so that sessions do not depend on how runs
/// are dispatched.
pub(crate) trait ExecutorHandle: Send + Sync {
    /// The store that holds the executor's runs.
    fn store(&self) -> &Store;

    fn id(&self) -> ExecutorId;

    /// Returns whether permits that `rival` holds, or waits for, may be taken from it.
    fn has_left(&self, rival: &PermitContender) -> bool;
}
