//! Calls that wait for a person, and tokens, on real files.

use baton_model::{NodeId, PlanId, Right, RunId, Timestamp};
use baton_store::{
    Actor, Change, HELD_CALLS_OF_ACTOR, Held, HeldCallId, HeldCallOutcome, NewHeldCall, Store,
    TokenRow, Way,
};
use serde_json::json;
use uuid::Uuid;

use crate::story::{Story, open, strands};

fn call(actor: &str, operation: &str, of: Option<(RunId, NodeId)>) -> NewHeldCall {
    NewHeldCall {
        id: HeldCallId(Uuid::now_v7()),
        actor: Actor::Agent(actor.to_owned()),
        of,
        operation: operation.to_owned(),
        input: json!({ "plan": "p" }),
        plan: Some((PlanId(Uuid::nil()), 3)),
        asked_at: Timestamp(5),
    }
}

fn hold(store: &Store, call: &NewHeldCall) -> HeldCallId {
    match store.held_calls().add(call).unwrap() {
        Held::Waits(id) => id,
        Held::TooMany => panic!("there is room"),
    }
}

#[test]
fn a_call_is_read_back_as_it_was_made_and_decided_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let news = store.subscribe();
    let made = call("claude", "plan_approve", None);
    let id = hold(&store, &made);
    assert_eq!(news.recv().unwrap(), Change::HeldCallChanged { call: id });
    let row = store.held_calls().get(id).unwrap();
    assert_eq!(
        (&row.call, &row.outcome, &row.decided_by),
        (&made, &None, &None)
    );

    let by = Actor::Person(Way::Window);
    assert!(
        store
            .held_calls()
            .end(id, &HeldCallOutcome::Refused, &by, Timestamp(9))
            .unwrap()
    );
    assert!(
        !store
            .held_calls()
            .end(id, &HeldCallOutcome::Allowed, &Actor::Baton, Timestamp(10))
            .unwrap()
    );
    let row = store.held_calls().get(id).unwrap();
    assert_eq!(row.outcome, Some(HeldCallOutcome::Refused));
    assert_eq!(
        (row.decided_by, row.decided_at),
        (Some(by), Some(Timestamp(9)))
    );
    assert!(store.held_calls().open().unwrap().is_empty());
}

#[test]
fn equal_calls_of_one_actor_are_one_until_they_are_decided() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let first = hold(&store, &call("claude", "plan_approve", None));
    assert_eq!(hold(&store, &call("claude", "plan_approve", None)), first);
    assert_ne!(
        hold(&store, &call("codex", "plan_approve", None)),
        first,
        "somebody else asks for themselves"
    );
    assert_ne!(hold(&store, &call("claude", "plan_delete", None)), first);
    store
        .held_calls()
        .end(
            first,
            &HeldCallOutcome::Refused,
            &Actor::PERSON,
            Timestamp(9),
        )
        .unwrap();
    assert_ne!(
        hold(&store, &call("claude", "plan_approve", None)),
        first,
        "what was refused may be asked again"
    );
}

#[test]
fn so_many_calls_of_one_actor_wait_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let ids: Vec<_> = (0..HELD_CALLS_OF_ACTOR)
        .map(|at| hold(&store, &call("claude", &format!("op{at}"), None)))
        .collect();
    assert_eq!(
        store
            .held_calls()
            .add(&call("claude", "one_more", None))
            .unwrap(),
        Held::TooMany
    );
    assert_eq!(
        hold(&store, &call("claude", "op0", None)),
        ids[0],
        "what waits already needs no room"
    );
    hold(&store, &call("codex", "one_more", None));
    store
        .held_calls()
        .end(
            ids[1],
            &HeldCallOutcome::Allowed,
            &Actor::PERSON,
            Timestamp(9),
        )
        .unwrap();
    hold(&store, &call("claude", "one_more", None));
}

#[test]
fn a_call_goes_with_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    let node = story.run.plan().nodes[0].id;
    let id = hold(
        &store,
        &call("claude", "plan_approve", Some((story.run.id(), node))),
    );
    assert_eq!(
        store.held_calls().get(id).unwrap().call.of,
        Some((story.run.id(), node))
    );
    story.finish();
    store
        .plans()
        .delete(story.run.plan().id, |_| false)
        .unwrap();
    assert!(store.held_calls().get(id).is_err());
}

#[test]
fn a_token_is_known_by_its_hash_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let tokens = store.access_tokens();
    let row = |name: &str, surface| TokenRow {
        name: name.to_owned(),
        surface,
        created_at: Timestamp(3),
        used_at: None,
    };
    for (surface, hash) in Right::ALL.into_iter().zip([b"one", b"two", b"six"]) {
        assert!(tokens.add(&row(surface.word(), surface), hash).unwrap());
    }
    assert!(
        !tokens.add(&row("read", Right::Decide), b"new").unwrap(),
        "a name is given once"
    );
    assert_eq!(
        tokens.find(b"two").unwrap(),
        Some(row("write", Right::Write))
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
