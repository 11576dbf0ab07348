//! Idempotency keys: a request that a program repeats has its effect once.
//!
//! The key is stored in the transaction of the request's first write, so it exists exactly if the
//! effect does. The answer is added afterwards. A key without an answer belongs to a request that is
//! in progress, or to one whose process died in between: then the effect happened, and nobody knows
//! the answer.

use std::cell::RefCell;

use baton_model::Timestamp;
use baton_model::approval::Digest;
use rusqlite::{Connection, params};

use crate::column::{Fields, query_optional};
use crate::{Actor, Store, StoreError};

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

/// How long a key is kept, in milliseconds: 24 hours.
const KEPT_FOR: i64 = 24 * 60 * 60 * 1000;

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

thread_local! {
    static CLAIMED: RefCell<Option<IdempotencyKey>> = const { RefCell::new(None) };
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

    /// Adds the answer to a key. Does nothing if the request wrote nothing.
    pub fn answer(&self, key: &IdempotencyKey, answer: &str) -> Result<(), StoreError> {
        let query = "UPDATE idempotency_keys SET answer = ?3 WHERE actor = ?1 AND key = ?2";
        self.store.write(|writing| {
            writing
                .tx
                .prepare_cached(query)?
                .execute(params![key.actor, key.key, answer])?;
            Ok(())
        })
    }
}

/// Stores the key that this thread claimed, if it did, in the current transaction. Returns it, for
/// [`unclaim`] after the commit.
pub(crate) fn store_claimed(connection: &Connection) -> Result<bool, StoreError> {
    CLAIMED.with_borrow(|claimed| {
        let Some(key) = claimed else { return Ok(false) };
        let old = "DELETE FROM idempotency_keys WHERE at <= ?1";
        connection
            .prepare_cached(old)?
            .execute([key.at.0 - KEPT_FOR])?;
        let insert =
            "INSERT INTO idempotency_keys (actor, key, request, at) VALUES (?1, ?2, ?3, ?4)
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
        Ok(true)
    })
}

/// Ends the claim after the transaction that stored the key was committed.
pub(crate) fn unclaim() {
    CLAIMED.set(None);
}

struct Claim;

impl Claim {
    fn begin(key: IdempotencyKey) -> Self {
        CLAIMED.set(Some(key));
        Self
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        unclaim();
    }
}
