//! Locks and limits in the store: acquired all or none, queued, and released when the work ends.

use baton_model::{ExecutorId, NodeId, RunId, Timestamp};
use baton_store::{Change, Permit, PermitAnswer, PermitClaim, PermitContender, Store};
use uuid::Uuid;

use crate::sample_run::{SampleRun, layered_plan, open};

fn lock(key: &str) -> Permit {
    Permit {
        key: key.to_owned(),
        capacity: 1,
    }
}

fn run(number: u128) -> RunId {
    RunId(Uuid::from_u128(number))
}

fn node(number: u128) -> NodeId {
    NodeId(Uuid::from_u128(number))
}

const OWN: ExecutorId = ExecutorId(Uuid::from_u128(77));

fn request<'a>(of: u128, permits: &'a [Permit], priority: u8, since: i64) -> PermitClaim<'a> {
    let (title, since) = ("A node", Timestamp(since));
    PermitClaim {
        run: run(of),
        node: node(of),
        title,
        executor: OWN,
        ancestors: &[],
        permits,
        priority,
        since,
    }
}

fn take(store: &Store, request: &PermitClaim<'_>) -> Result<(), (String, Option<RunId>)> {
    match store
        .permits()
        .acquire(request, &[])
        .expect("a store that works")
    {
        PermitAnswer::Granted => Ok(()),
        PermitAnswer::Refused { key, holder } => Err((key, holder.map(|holder| holder.run))),
    }
}

#[test]
fn node_gets_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    assert_eq!(take(&store, &request(1, &[lock("x")], 5, 1)), Ok(()));
    assert_eq!(
        take(&store, &request(1, &[lock("x")], 5, 1)),
        Ok(()),
        "acquiring twice changes nothing"
    );
    let both = [lock("w"), lock("x")];
    assert_eq!(
        take(&store, &request(2, &both, 5, 2)),
        Err(("x".to_owned(), Some(run(1))))
    );
    assert!(
        !store
            .permits()
            .has_permits(run(2), node(2))
            .expect("readable"),
        "not even what is free"
    );
    store
        .permits()
        .release(run(1), &[node(1)], OWN)
        .expect("it is held");
    assert_eq!(take(&store, &request(2, &both, 5, 2)), Ok(()));
}

#[test]
fn capacity_counts_holders() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let two = [Permit::of_agent("claude", 2)];
    assert_eq!(take(&store, &request(1, &two, 5, 1)), Ok(()));
    assert_eq!(take(&store, &request(2, &two, 5, 1)), Ok(()));
    assert_eq!(
        take(&store, &request(3, &two, 5, 1)),
        Err(("agent:claude".to_owned(), Some(run(1))))
    );
    assert_eq!(
        take(&store, &request(4, &[Permit::of_agent("codex", 1)], 5, 1)),
        Ok(())
    );
}

#[test]
fn nested_run_shares_permits_of_its_parent_node() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let permits = [lock("x")];
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    let above = [(run(1), node(1))];
    let inner = |of: u128| PermitClaim {
        ancestors: &above,
        ..request(of, &permits, 5, 1)
    };
    assert_eq!(take(&store, &inner(2)), Ok(()));
    assert_eq!(
        take(&store, &inner(3)),
        Err(("x".to_owned(), Some(run(2)))),
        "its siblings exclude each other"
    );
}

#[test]
fn only_unchanged_contenders_are_evicted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let permits = [lock("x")];
    assert_eq!(
        take(&store, &request(1, &[lock("w"), lock("x")], 5, 1)),
        Ok(())
    );
    let contenders = store
        .permits()
        .contenders(&["x"], (run(2), node(2)))
        .expect("readable");
    assert_eq!(contenders.len(), 1);
    let other = vec![PermitContender {
        executor: ExecutorId(Uuid::from_u128(78)),
        ..contenders[0].clone()
    }];
    let asks = request(2, &permits, 5, 2);
    let answer = store
        .permits()
        .acquire(&asks, &other)
        .expect("a store that works");
    assert!(
        matches!(answer, PermitAnswer::Refused { .. }),
        "another node holds it by now"
    );
    let answer = store
        .permits()
        .acquire(&asks, &contenders)
        .expect("a store that works");
    assert_eq!(answer, PermitAnswer::Granted);
    assert!(
        !store.permits().has_permits(run(1), node(1)).unwrap(),
        "all or nothing"
    );
}

#[test]
fn waiters_are_notified_of_released_permits() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let changes = store.subscribe();
    let permits = [lock("x")];
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    store
        .permits()
        .release(run(1), &[node(1)], OWN)
        .expect("it is held");
    assert!(changes.try_recv().is_err(), "no node waits");
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    assert!(take(&store, &request(2, &permits, 5, 2)).is_err());
    store
        .permits()
        .release(run(1), &[node(1)], OWN)
        .expect("it is held");
    assert_eq!(changes.try_recv(), Ok(Change::PermitsFreed { run: run(1) }));
    store.permits().cancel_waits(run(2), &[]).expect("it waits");
    assert!(changes.try_recv().is_err(), "only one notification");
}

/// Acquires the lock `x` for a working node of a run.
fn hold(store: &Store, sample: &SampleRun, of: NodeId) {
    let permits = [lock("x")];
    let executor = store.runs().get(sample.run.id()).unwrap().executor;
    let asks = PermitClaim {
        run: sample.run.id(),
        node: of,
        executor,
        ..request(1, &permits, 5, 1)
    };
    assert_eq!(take(store, &asks), Ok(()));
}

#[test]
fn append_releases_permits_of_ended_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let (of, _, _) = sample.run.live_attempts().next().unwrap();
    hold(&store, &sample, of);
    let id = sample.run.id();
    assert!(store.permits().has_permits(id, of).unwrap());
    sample.step().unwrap();
    assert!(
        store.permits().has_permits(id, of).unwrap(),
        "its session is live"
    );
    let contenders = store
        .permits()
        .contenders(&["x"], (run(2), node(2)))
        .unwrap();
    assert_eq!(
        (contenders[0].has_started, contenders[0].session.is_some()),
        (true, true)
    );
    sample.step().unwrap();
    assert!(
        !store.permits().has_permits(id, of).unwrap(),
        "in the same transaction"
    );
}

#[test]
fn takeover_keeps_only_permits_of_live_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(2, 1));
    let (at_work, _, _) = sample.run.live_attempts().next().unwrap();
    let idle = sample
        .run
        .nodes()
        .map(|(node, _)| node.id)
        .find(|id| *id != at_work)
        .unwrap();
    hold(&store, &sample, at_work);
    let permits = [lock("y")];
    let unused = PermitClaim {
        run: sample.run.id(),
        node: idle,
        ..request(1, &permits, 5, 1)
    };
    assert_eq!(take(&store, &unused), Ok(()));
    let before = store.runs().get(sample.run.id()).unwrap().executor;
    sample.take_over();
    assert!(
        store
            .permits()
            .has_permits(sample.run.id(), at_work)
            .unwrap()
    );
    assert!(
        !store.permits().has_permits(sample.run.id(), idle).unwrap(),
        "no attempt of it was stored"
    );
    store
        .permits()
        .release(sample.run.id(), &[at_work], before)
        .unwrap();
    assert!(
        store
            .permits()
            .has_permits(sample.run.id(), at_work)
            .unwrap(),
        "a displaced executor releases nothing"
    );
}

#[test]
fn higher_priority_goes_first_and_then_the_longest_waiter() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let permits = [lock("x")];
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    let stories: Vec<SampleRun> = (0..3)
        .map(|_| SampleRun::begin(&store, layered_plan(1, 1)))
        .collect();
    let asks: Vec<_> = stories
        .iter()
        .zip([(5, 10), (5, 20), (9, 30)])
        .map(|(sample, (priority, since))| {
            let executor = store.runs().get(sample.run.id()).unwrap().executor;
            PermitClaim {
                run: sample.run.id(),
                executor,
                ..request(2, &permits, priority, since)
            }
        })
        .collect();
    for ask in &asks {
        assert!(take(&store, ask).is_err());
    }
    store.permits().release(run(1), &[node(1)], OWN).unwrap();
    assert_eq!(
        take(&store, &asks[0]),
        Err(("x".to_owned(), None)),
        "others go first"
    );
    assert_eq!(take(&store, &asks[2]), Ok(()));
    store
        .permits()
        .release(asks[2].run, &[asks[2].node], asks[2].executor)
        .unwrap();
    assert_eq!(take(&store, &asks[1]), Err(("x".to_owned(), None)));
    assert_eq!(take(&store, &asks[0]), Ok(()));
}

#[test]
fn has_room_does_not_acquire() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let one = [Permit::of_agent("claude", 1)];
    let has_room = |of: u128, left: &[PermitContender]| {
        store
            .permits()
            .has_room(&request(of, &one, 5, 1), left)
            .unwrap()
    };
    assert!(has_room(1, &[]) && has_room(2, &[]));
    assert_eq!(take(&store, &request(1, &one, 5, 1)), Ok(()));
    assert!(has_room(1, &[]), "it holds it");
    assert!(!has_room(2, &[]));
    let contenders = store
        .permits()
        .contenders(&["agent:claude"], (run(2), node(2)))
        .unwrap();
    assert!(has_room(2, &contenders), "its holder is gone");
    assert!(
        store.permits().has_permits(run(1), node(1)).unwrap(),
        "checking removes nothing from it"
    );
}

#[test]
fn reviewer_replaces_the_agent_slot_of_its_node() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let (of, _, session) = sample.run.live_attempts().next().unwrap();
    let executor = store.runs().get(sample.run.id()).unwrap().executor;
    let (worker, reviewer) = (Permit::of_agent("claude", 1), Permit::of_agent("codex", 1));
    let both = [worker.clone(), lock("x")];
    let asks = |permits| PermitClaim {
        run: sample.run.id(),
        node: of,
        executor,
        ..request(1, permits, 5, 1)
    };
    assert_eq!(take(&store, &asks(&both)), Ok(()));
    assert_eq!(
        take(&store, &request(2, std::slice::from_ref(&reviewer), 5, 1)),
        Ok(()),
        "the reviewer is busy"
    );
    let review = [reviewer];
    let below = |session| {
        store
            .permits()
            .acquire_for_child_session(session, &asks(&review), &[])
            .unwrap()
    };
    assert!(matches!(below(session), Some(PermitAnswer::Refused { .. })));
    assert_eq!(
        take(&store, &request(3, &[worker], 5, 1)),
        Ok(()),
        "a waiting node holds no agent slot"
    );
    assert!(
        take(&store, &request(4, &[lock("x")], 5, 1)).is_err(),
        "its locks stay"
    );
    store.permits().cancel_waits(sample.run.id(), &[]).unwrap();
    store.permits().release(run(2), &[node(2)], OWN).unwrap();
    assert!(
        take(&store, &request(5, &review, 5, 9)).is_err(),
        "its wait time continues"
    );
    assert_eq!(
        below(baton_model::SessionId(Uuid::from_u128(9))),
        None,
        "another session"
    );
    assert_eq!(below(session), Some(PermitAnswer::Granted));
    let id = sample.run.id();
    sample.step().unwrap();
    sample.step().unwrap();
    assert!(
        !store.permits().has_permits(id, of).unwrap(),
        "released when the node ends"
    );
}
