//! Idempotency keys: stored with the effect, and only then.

use baton_model::Timestamp;
use baton_model::approval::Digest;
use baton_store::{Actor, IdempotencyKey, IdempotencyState, Store, StoreError};

use crate::sample_run::{layered_plan, open};

const ME: &Actor = &Actor::PERSON;

fn key(text: &str, request: u8) -> IdempotencyKey {
    IdempotencyKey {
        actor: Actor::Program("ci".to_owned()),
        key: text.to_owned(),
        request: Digest([request; 32]),
        at: Timestamp(1_000),
    }
}

#[test]
fn key_is_stored_with_the_first_write_and_answered_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let keys = store.idempotency_keys();
    let plan = layered_plan(1, 1);
    assert_eq!(keys.state(&key("a", 1)).unwrap(), IdempotencyState::New);
    Store::with_idempotency_key(key("a", 1), || {
        store.plans().create(&plan, ME, Timestamp(1)).unwrap();
        store.plans().archive(plan.id, Timestamp(2)).unwrap();
    });
    assert_eq!(
        keys.state(&key("a", 1)).unwrap(),
        IdempotencyState::Unanswered
    );
    keys.answer(&key("a", 1), "{\"plan\":1}").unwrap();
    let answered = IdempotencyState::Answered("{\"plan\":1}".to_owned());
    assert_eq!(keys.state(&key("a", 1)).unwrap(), answered);
    assert_eq!(
        keys.state(&key("a", 2)).unwrap(),
        IdempotencyState::OtherRequest
    );
    let other = IdempotencyKey {
        actor: Actor::Program("cron".to_owned()),
        ..key("a", 2)
    };
    assert_eq!(keys.state(&other).unwrap(), IdempotencyState::New);
    let next_day = IdempotencyKey {
        at: Timestamp(1_000 + 24 * 60 * 60 * 1000),
        ..key("a", 2)
    };
    assert_eq!(keys.state(&next_day).unwrap(), IdempotencyState::New);
}

#[test]
fn refused_write_leaves_the_key_unused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    store.plans().create(&plan, ME, Timestamp(1)).unwrap();
    let refused = Store::with_idempotency_key(key("a", 1), || {
        store.plans().create(&plan, ME, Timestamp(2))
    });
    assert!(matches!(refused, Err(StoreError::Exists { .. })));
    assert_eq!(
        store.idempotency_keys().state(&key("a", 1)).unwrap(),
        IdempotencyState::New
    );
}

#[test]
fn second_request_with_the_key_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let create = |plan: &baton_model::Plan| {
        Store::with_idempotency_key(key("a", 1), || store.plans().create(plan, ME, Timestamp(1)))
    };
    let (first, second) = (layered_plan(1, 1), layered_plan(1, 1));
    create(&first).unwrap();
    assert!(matches!(create(&second), Err(StoreError::KeyUsed)));
    assert!(store.plans().record(second.id).is_err());
    store
        .plans()
        .create(&second, ME, Timestamp(2))
        .expect("other writes need no key");
}

#[test]
fn key_can_be_stored_before_an_effect_and_answered_later() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let keys = store.idempotency_keys();
    assert!(
        !keys.answer(&key("a", 1), "1").unwrap(),
        "nothing to answer"
    );
    keys.add(&key("a", 1), "before").unwrap();
    let again = keys.add(&key("a", 1), "again");
    assert!(matches!(again, Err(StoreError::KeyUsed)));
    let known = |text: &str| IdempotencyState::Answered(text.to_owned());
    assert_eq!(keys.state(&key("a", 1)).unwrap(), known("before"));
    assert!(keys.answer(&key("a", 1), "after").unwrap());
    assert_eq!(keys.state(&key("a", 1)).unwrap(), known("after"));
}
