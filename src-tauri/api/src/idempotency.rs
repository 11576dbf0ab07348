//! Requests that programs may repeat: a key has its effect once.

use baton_model::approval::Digest;
use baton_store::{IdempotencyKey, IdempotencyState, Store};
use sha2::{Digest as _, Sha256};

use crate::{ApiError, App};

/// A request with a key of its program.
pub struct IdempotentRequest {
    store: Store,
    key: IdempotencyKey,
}

impl App {
    /// A request of this actor. `parts` are everything that decides its effect.
    #[must_use]
    pub fn idempotent_request(&self, key: &str, parts: &[String]) -> IdempotentRequest {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        IdempotentRequest {
            store: self.store.clone(),
            key: IdempotencyKey {
                actor: self.actor(),
                key: key.to_owned(),
                request: Digest(hash.finalize().into()),
                at: self.now(),
            },
        }
    }
}

impl IdempotentRequest {
    /// What is known of the key.
    pub fn state(&self) -> Result<IdempotencyState, ApiError> {
        Ok(self.store.idempotency_keys().state(&self.key)?)
    }

    /// Runs `work`. The key is stored in the transaction of this thread's first write.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        Store::with_idempotency_key(self.key.clone(), work)
    }

    /// Stores the key before an effect that another thread stores, with what tells later whether the
    /// effect happened.
    pub fn begin(&self, note: &str) -> Result<(), ApiError> {
        Ok(self.store.idempotency_keys().add(&self.key, note)?)
    }

    /// Stores the answer. The key is stored with it, unless it is already.
    pub fn answer(&self, answer: &str) -> Result<(), ApiError> {
        let keys = self.store.idempotency_keys();
        if !keys.answer(&self.key, answer)? {
            keys.add(&self.key, answer)?;
        }
        Ok(())
    }
}
