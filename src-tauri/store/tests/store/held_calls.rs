//! Held calls and tokens, on real files.

use baton_model::{AccessLevel, NodeId, PlanId, RunId, Timestamp};
use baton_store::{
    Actor, ActorChannel, Change, HeldCallId, HeldCallOutcome, HoldOutcome,
    MAX_HELD_CALLS_PER_ACTOR, NewHeldCall, Store, TokenRow,
};
use serde_json::json;
use uuid::Uuid;

use crate::sample_run::{SampleRun, layered_plan, open};

fn call(actor: &str, operation: &str, run_node: Option<(RunId, NodeId)>) -> NewHeldCall {
    NewHeldCall {
        id: HeldCallId(Uuid::now_v7()),
        actor: Actor::Agent(actor.to_owned()),
        run_node,
        operation: operation.to_owned(),
        input: json!({ "plan": "p" }),
        plan: Some((PlanId(Uuid::nil()), 3)),
        asked_at: Timestamp(5),
    }
}

fn hold(store: &Store, call: &NewHeldCall) -> HeldCallId {
    match store.held_calls().add(call).unwrap() {
        HoldOutcome::Waiting(id) => id,
        HoldOutcome::TooMany => panic!("there is room"),
    }
}

#[test]
fn held_call_round_trips_and_is_decided_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let changes = store.subscribe();
    let made = call("claude", "plan_approve", None);
    let id = hold(&store, &made);
    assert_eq!(
        changes.recv().unwrap(),
        Change::HeldCallChanged { call: id }
    );
    let row = store.held_calls().get(id).unwrap();
    assert_eq!(
        (&row.call, &row.outcome, &row.decided_by),
        (&made, &None, &None)
    );

    let by = Actor::Person(ActorChannel::Window);
    assert!(
        store
            .held_calls()
            .resolve(id, &HeldCallOutcome::Refused, &by, Timestamp(9))
            .unwrap()
    );
    assert!(
        !store
            .held_calls()
            .resolve(id, &HeldCallOutcome::Allowed, &Actor::Baton, Timestamp(10))
            .unwrap()
    );
    let row = store.held_calls().get(id).unwrap();
    assert_eq!(row.outcome, Some(HeldCallOutcome::Refused));
    assert_eq!(
        (row.decided_by, row.decided_at),
        (Some(by), Some(Timestamp(9)))
    );
    assert!(store.held_calls().list_open().unwrap().is_empty());
}

#[test]
fn equal_calls_share_one_row_until_decided() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let first = hold(&store, &call("claude", "plan_approve", None));
    assert_eq!(hold(&store, &call("claude", "plan_approve", None)), first);
    assert_ne!(
        hold(&store, &call("codex", "plan_approve", None)),
        first,
        "another actor's equal call is a separate one"
    );
    assert_ne!(hold(&store, &call("claude", "plan_delete", None)), first);
    store
        .held_calls()
        .resolve(
            first,
            &HeldCallOutcome::Refused,
            &Actor::PERSON,
            Timestamp(9),
        )
        .unwrap();
    assert_ne!(
        hold(&store, &call("claude", "plan_approve", None)),
        first,
        "a refused call may be made again"
    );
}

#[test]
fn calls_per_actor_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let ids: Vec<_> = (0..MAX_HELD_CALLS_PER_ACTOR)
        .map(|at| hold(&store, &call("claude", &format!("op{at}"), None)))
        .collect();
    assert_eq!(
        store
            .held_calls()
            .add(&call("claude", "one_more", None))
            .unwrap(),
        HoldOutcome::TooMany
    );
    assert_eq!(
        hold(&store, &call("claude", "op0", None)),
        ids[0],
        "a call that already waits doesn't count twice"
    );
    hold(&store, &call("codex", "one_more", None));
    store
        .held_calls()
        .resolve(
            ids[1],
            &HeldCallOutcome::Allowed,
            &Actor::PERSON,
            Timestamp(9),
        )
        .unwrap();
    hold(&store, &call("claude", "one_more", None));
}

#[test]
fn call_is_deleted_with_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let node = sample.run.plan().nodes[0].id;
    let id = hold(
        &store,
        &call("claude", "plan_approve", Some((sample.run.id(), node))),
    );
    assert_eq!(
        store.held_calls().get(id).unwrap().call.run_node,
        Some((sample.run.id(), node))
    );
    sample.finish();
    store
        .plans()
        .delete(sample.run.plan().id, Timestamp(9), |_| false)
        .unwrap();
    assert_eq!(store.held_calls().list_open().unwrap(), [], "it is hidden");
    store.plans().restore(sample.run.plan().id).unwrap();
    assert_eq!(store.held_calls().list_open().unwrap().len(), 1);
    store
        .plans()
        .delete(sample.run.plan().id, Timestamp(9), |_| false)
        .unwrap();
    store.plans().purge(sample.run.plan().id).unwrap();
    assert!(store.held_calls().get(id).is_err());
}

#[test]
fn token_is_found_by_hash_only() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let tokens = store.access_tokens();
    let row = |name: &str, surface| TokenRow {
        name: name.to_owned(),
        surface,
        created_at: Timestamp(3),
        used_at: None,
    };
    for (surface, hash) in AccessLevel::ALL.into_iter().zip([b"one", b"two", b"six"]) {
        assert!(tokens.add(&row(surface.as_str(), surface), hash).unwrap());
    }
    assert!(
        !tokens
            .add(&row("read", AccessLevel::Decide), b"new")
            .unwrap(),
        "names are unique"
    );
    assert_eq!(
        tokens.find(b"two").unwrap(),
        Some(row("write", AccessLevel::Write))
    );
    assert_eq!(tokens.find(b"new").unwrap(), None);
    tokens.used("write", Timestamp(8)).unwrap();
    assert_eq!(
        tokens.find(b"two").unwrap().unwrap().used_at,
        Some(Timestamp(8))
    );
    assert!(tokens.remove("write").unwrap());
    assert!(!tokens.remove("write").unwrap());
    assert_eq!(tokens.find(b"two").unwrap(), None);
    let names: Vec<_> = tokens
        .list()
        .unwrap()
        .into_iter()
        .map(|row| row.name)
        .collect();
    assert_eq!(names, ["decide", "read"]);
}
