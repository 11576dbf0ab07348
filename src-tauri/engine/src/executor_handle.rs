//! What a session asks the engine that executes it.

use baton_model::ExecutorId;
use baton_store::{PermitContender, Store};

/// The executor of a session, below the engine, so that sessions need not know how runs are dispatched.
pub(crate) trait ExecutorHandle: Send + Sync {
    /// Where its runs are kept.
    fn store(&self) -> &Store;

    /// Its name among executors.
    fn id(&self) -> ExecutorId;

    /// Whether what `rival` holds, or waits for, may be taken from it.
    fn has_left(&self, rival: &PermitContender) -> bool;
}
