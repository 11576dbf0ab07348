//! Idempotency keys: a request that a program repeats has its effect once.
//!
//! The key is stored in the transaction of the request's first write, so it exists exactly if the
//! effect does. The answer is added afterwards. A key without an answer belongs to a request that is
//! in progress, or to one whose process died in between: then the effect happened, and nobody knows
//! the answer.

use baton_model::approval::Digest;
use rusqlite::params;

use crate::column::{Fields, query_optional};
use crate::idempotency_claim::{Claim, IdempotencyKey, KEPT_FOR};
use crate::{Store, StoreError};

pub(crate) const MIGRATION_12: &str = "
CREATE TABLE idempotency_keys (
    actor TEXT NOT NULL,
    key TEXT NOT NULL,
    request BLOB NOT NULL,
    answer TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_at ON idempotency_keys (at);
";

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyState {
    /// It wasn't used in the last 24 hours.
    New,
    /// The same request had its effect, and this was the answer.
    Answered(String),
    /// The same request is in progress, or its answer was lost.
    Unanswered,
    /// Another request used it.
    OtherRequest,
}

/// Handle for the table `idempotency_keys`; see [`Store::idempotency_keys`].
#[derive(Clone, Copy)]
pub struct IdempotencyKeys<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `idempotency_keys`.
    #[must_use]
    pub fn idempotency_keys(&self) -> IdempotencyKeys<'_> {
        IdempotencyKeys { store: self }
    }

    /// Runs `work`, in which this thread's first write also stores `key`. That write fails with
    /// [`StoreError::KeyUsed`] if the key exists by then.
    pub fn with_idempotency_key<T>(key: IdempotencyKey, work: impl FnOnce() -> T) -> T {
        let _claim = Claim::begin(key);
        work()
    }
}

impl IdempotencyKeys<'_> {
    /// What is known of a key at its time.
    pub fn state(&self, key: &IdempotencyKey) -> Result<IdempotencyState, StoreError> {
        let query = "SELECT * FROM idempotency_keys WHERE actor = ?1 AND key = ?2 AND at > ?3";
        let parameters = params![key.actor, key.key, key.at.0 - KEPT_FOR];
        let found = self.store.read(|connection| {
            query_optional(connection, query, parameters, |row| {
                let fields = Fields::new(row, "idempotency_keys", &key.key);
                let request = Digest(fields.get("request")?);
                Ok((request, fields.get::<Option<String>>("answer")?))
            })
        })?;
        Ok(match found {
            None => IdempotencyState::New,
            Some((request, _)) if request != key.request => IdempotencyState::OtherRequest,
            Some((_, Some(answer))) => IdempotencyState::Answered(answer),
            Some((_, None)) => IdempotencyState::Unanswered,
        })
    }

    /// Adds the answer to a key, or replaces it. Returns false, and does nothing, if the request
    /// wrote nothing.
    pub fn answer(&self, key: &IdempotencyKey, answer: &str) -> Result<bool, StoreError> {
        let query = "UPDATE idempotency_keys SET answer = ?3 WHERE actor = ?1 AND key = ?2";
        self.store.write(|writing| {
            let changed = writing
                .tx
                .prepare_cached(query)?
                .execute(params![key.actor, key.key, answer])?;
            Ok(changed > 0)
        })
    }

    /// Stores a key with an answer, for an effect that isn't stored by this thread. Fails with
    /// [`StoreError::KeyUsed`] if the key exists.
    pub fn add(&self, key: &IdempotencyKey, answer: &str) -> Result<(), StoreError> {
        let update = "UPDATE idempotency_keys SET answer = ?3 WHERE actor = ?1 AND key = ?2";
        self.store.write(|writing| {
            crate::idempotency_claim::store(writing.tx, key)?;
            writing
                .tx
                .prepare_cached(update)?
                .execute(params![key.actor, key.key, answer])?;
            Ok(())
        })
    }
}
