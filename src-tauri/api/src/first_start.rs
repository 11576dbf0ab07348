//! Detects the first start with a data directory.

use baton_store::{Store, StoreError};

/// Settings key that is set once the examples have been added.
pub(crate) const EXAMPLES_ADDED: &str = "examples_put_in";

/// Returns whether this data directory has never been opened before.
pub(crate) fn is_first_start(store: &Store) -> Result<bool, StoreError> {
    Ok(!store
        .settings()
        .get::<bool>(EXAMPLES_ADDED)?
        .unwrap_or(false))
}
