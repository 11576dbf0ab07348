//! The idempotency key that this thread's next write stores with its effect.

use std::cell::RefCell;

use baton_model::Timestamp;
use baton_model::approval::Digest;
use rusqlite::{Connection, params};

use crate::{Actor, StoreError};

/// How long a key is kept, in milliseconds: 24 hours.
pub(crate) const KEPT_FOR: i64 = 24 * 60 * 60 * 1000;

/// A key with the request that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Who sent it. Keys of different actors are different keys.
    pub actor: Actor,
    /// The program's own text.
    pub key: String,
    /// A hash of everything in the request that decides its effect.
    pub request: Digest,
    /// When the request came in.
    pub at: Timestamp,
}

thread_local! {
    static CLAIMED: RefCell<Option<IdempotencyKey>> = const { RefCell::new(None) };
}

/// Stores the key that this thread claimed, if it did, in the current transaction. Returns whether
/// [`unclaim`] is due after the commit.
pub(crate) fn store_claimed(connection: &Connection) -> Result<bool, StoreError> {
    CLAIMED.with_borrow(|claimed| {
        let Some(key) = claimed else { return Ok(false) };
        store(connection, key)?;
        Ok(true)
    })
}

/// Stores a key. Fails with [`StoreError::KeyUsed`] if it exists.
pub(crate) fn store(connection: &Connection, key: &IdempotencyKey) -> Result<(), StoreError> {
    let old = "DELETE FROM idempotency_keys WHERE at <= ?1";
    connection
        .prepare_cached(old)?
        .execute([key.at.0 - KEPT_FOR])?;
    let insert = "INSERT INTO idempotency_keys (actor, key, request, at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO NOTHING";
    let added = connection.prepare_cached(insert)?.execute(params![
        key.actor,
        key.key,
        key.request.0,
        key.at.0
    ])?;
    if added == 0 {
        return Err(StoreError::KeyUsed);
    }
    Ok(())
}

/// Ends the claim after the transaction that stored the key was committed.
pub(crate) fn unclaim() {
    CLAIMED.set(None);
}

/// While it exists, the key is stored with this thread's first write.
pub(crate) struct Claim;

impl Claim {
    pub(crate) fn begin(key: IdempotencyKey) -> Self {
        CLAIMED.set(Some(key));
        Self
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        unclaim();
    }
}
