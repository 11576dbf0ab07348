//! Locks and limits as the store keeps them: all or none, in line, and given back with the end of the work.

use baton_model::{ExecutorId, NodeId, RunId, Timestamp};
use baton_store::{Change, Permit, PermitAnswer, PermitRequest, Rival, Store};
use uuid::Uuid;

use crate::story::{Story, open, strands};

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

fn request<'a>(of: u128, permits: &'a [Permit], priority: u8, since: i64) -> PermitRequest<'a> {
    let (title, since) = ("A node", Timestamp(since));
    PermitRequest {
        run: run(of),
        node: node(of),
        title,
        executor: OWN,
        within: &[],
        permits,
        priority,
        since,
    }
}

fn take(store: &Store, request: &PermitRequest<'_>) -> Result<(), (String, Option<RunId>)> {
    match store
        .permits()
        .take(request, &[])
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
        "asking twice does nothing"
    );
    let both = [lock("w"), lock("x")];
    assert_eq!(
        take(&store, &request(2, &both, 5, 2)),
        Err(("x".to_owned(), Some(run(1))))
    );
    assert!(
        !store
            .permits()
            .are_held_by(run(2), node(2))
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
fn node_of_a_run_within_shares_what_the_node_above_holds() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let permits = [lock("x")];
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    let above = [(run(1), node(1))];
    let inner = |of: u128| PermitRequest {
        within: &above,
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
fn only_who_is_as_it_was_judged_is_dislodged() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let permits = [lock("x")];
    assert_eq!(
        take(&store, &request(1, &[lock("w"), lock("x")], 5, 1)),
        Ok(())
    );
    let rivals = store
        .permits()
        .rivals(&["x"], (run(2), node(2)))
        .expect("readable");
    assert_eq!(rivals.len(), 1);
    let other = vec![Rival {
        executor: ExecutorId(Uuid::from_u128(78)),
        ..rivals[0].clone()
    }];
    let asks = request(2, &permits, 5, 2);
    let answer = store
        .permits()
        .take(&asks, &other)
        .expect("a store that works");
    assert!(
        matches!(answer, PermitAnswer::Refused { .. }),
        "somebody else has it by now"
    );
    let answer = store
        .permits()
        .take(&asks, &rivals)
        .expect("a store that works");
    assert_eq!(answer, PermitAnswer::Granted);
    assert!(
        !store.permits().are_held_by(run(1), node(1)).unwrap(),
        "all of it, or nothing"
    );
}

#[test]
fn what_is_given_back_is_told_to_those_who_wait() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let news = store.subscribe();
    let permits = [lock("x")];
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    store
        .permits()
        .release(run(1), &[node(1)], OWN)
        .expect("it is held");
    assert!(news.try_recv().is_err(), "nobody waits");
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    assert!(take(&store, &request(2, &permits, 5, 2)).is_err());
    store
        .permits()
        .release(run(1), &[node(1)], OWN)
        .expect("it is held");
    assert_eq!(news.try_recv(), Ok(Change::PermitsFreed { run: run(1) }));
    store.permits().leave_lines(run(2), &[]).expect("it waits");
    assert!(news.try_recv().is_err(), "and nobody else");
}

/// Takes the lock `x` for a node of a run that works on it.
fn hold(store: &Store, story: &Story, of: NodeId) {
    let permits = [lock("x")];
    let executor = store.runs().get(story.run.id()).unwrap().executor;
    let asks = PermitRequest {
        run: story.run.id(),
        node: of,
        executor,
        ..request(1, &permits, 5, 1)
    };
    assert_eq!(take(store, &asks), Ok(()));
}

#[test]
fn append_gives_back_what_the_node_held_that_ended() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    let (of, _, _) = story.run.live_attempts().next().unwrap();
    hold(&store, &story, of);
    let id = story.run.id();
    assert!(store.permits().are_held_by(id, of).unwrap());
    story.go_on().unwrap();
    assert!(
        store.permits().are_held_by(id, of).unwrap(),
        "its session lives"
    );
    let rivals = store.permits().rivals(&["x"], (run(2), node(2))).unwrap();
    assert_eq!(
        (rivals[0].has_started, rivals[0].session.is_some()),
        (true, true)
    );
    story.go_on().unwrap();
    assert!(
        !store.permits().are_held_by(id, of).unwrap(),
        "in the same transaction"
    );
}

#[test]
fn takeover_keeps_what_live_sessions_hold_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(2, 1));
    let (at_work, _, _) = story.run.live_attempts().next().unwrap();
    let idle = story
        .run
        .nodes()
        .map(|(node, _)| node.id)
        .find(|id| *id != at_work)
        .unwrap();
    hold(&store, &story, at_work);
    let permits = [lock("y")];
    let unused = PermitRequest {
        run: story.run.id(),
        node: idle,
        ..request(1, &permits, 5, 1)
    };
    assert_eq!(take(&store, &unused), Ok(()));
    let before = store.runs().get(story.run.id()).unwrap().executor;
    story.take_over();
    assert!(
        store
            .permits()
            .are_held_by(story.run.id(), at_work)
            .unwrap()
    );
    assert!(
        !store.permits().are_held_by(story.run.id(), idle).unwrap(),
        "no attempt of it was stored"
    );
    store
        .permits()
        .release(story.run.id(), &[at_work], before)
        .unwrap();
    assert!(
        store
            .permits()
            .are_held_by(story.run.id(), at_work)
            .unwrap(),
        "a zombie gives nothing back"
    );
}

#[test]
fn higher_priority_goes_first_and_then_the_longest_waiter() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let permits = [lock("x")];
    assert_eq!(take(&store, &request(1, &permits, 5, 1)), Ok(()));
    let stories: Vec<Story> = (0..3)
        .map(|_| Story::begin(&store, strands(1, 1)))
        .collect();
    let asks: Vec<_> = stories
        .iter()
        .zip([(5, 10), (5, 20), (9, 30)])
        .map(|(story, (priority, since))| {
            let executor = store.runs().get(story.run.id()).unwrap().executor;
            PermitRequest {
                run: story.run.id(),
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
fn room_is_told_without_taking_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let one = [Permit::of_agent("claude", 1)];
    let has_room = |of: u128, left: &[Rival]| {
        store
            .permits()
            .has_room(&request(of, &one, 5, 1), left)
            .unwrap()
    };
    assert!(has_room(1, &[]) && has_room(2, &[]));
    assert_eq!(take(&store, &request(1, &one, 5, 1)), Ok(()));
    assert!(has_room(1, &[]), "it holds it");
    assert!(!has_room(2, &[]));
    let rivals = store
        .permits()
        .rivals(&["agent:claude"], (run(2), node(2)))
        .unwrap();
    assert!(has_room(2, &rivals), "its holder has left");
    assert!(
        store.permits().are_held_by(run(1), node(1)).unwrap(),
        "and nothing was taken from it"
    );
}

#[test]
fn review_takes_the_place_of_the_agent_whose_work_it_reviews() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    let (of, _, session) = story.run.live_attempts().next().unwrap();
    let executor = store.runs().get(story.run.id()).unwrap().executor;
    let (worker, reviewer) = (Permit::of_agent("claude", 1), Permit::of_agent("codex", 1));
    let both = [worker.clone(), lock("x")];
    let asks = |permits| PermitRequest {
        run: story.run.id(),
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
            .take_below(session, &asks(&review), &[])
            .unwrap()
    };
    assert!(matches!(below(session), Some(PermitAnswer::Refused { .. })));
    assert_eq!(
        take(&store, &request(3, &[worker], 5, 1)),
        Ok(()),
        "who waits holds no agent"
    );
    assert!(
        take(&store, &request(4, &[lock("x")], 5, 1)).is_err(),
        "its locks stay"
    );
    store.permits().leave_lines(story.run.id(), &[]).unwrap();
    store.permits().release(run(2), &[node(2)], OWN).unwrap();
    assert!(
        take(&store, &request(5, &review, 5, 9)).is_err(),
        "it has waited for longer, also through that"
    );
    assert_eq!(
        below(baton_model::SessionId(Uuid::from_u128(9))),
        None,
        "another session"
    );
    assert_eq!(below(session), Some(PermitAnswer::Granted));
    let id = story.run.id();
    story.go_on().unwrap();
    story.go_on().unwrap();
    assert!(
        !store.permits().are_held_by(id, of).unwrap(),
        "given back with the end of the node"
    );
}
