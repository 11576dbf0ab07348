//! Invariants of every settled world.

use std::collections::{BTreeMap, BTreeSet};

use baton_model::run::{AfterStop, Event};
use baton_model::{ArtifactId, Attempt, NodeId, Outcome, Run, RunId, SessionId};
use baton_store::{Actor, Store, StoredEvent};

use super::world::World;

/// Checks the world against all invariants.
pub(super) fn check_invariants(world: &World) {
    let run = world.state().run;
    let history = world
        .store
        .run_events()
        .list_after(run, 0, u32::MAX)
        .expect("readable");
    check_the_history(&world.store, run, &history);
    check_the_outcomes(&history);
    check_the_sessions(world, &history);
    check_the_handoffs(&world.store, run, &history);
    check_inherited_work(&world.store, run, &history);
}

/// Nothing new starts before inherited work was verified, or while a person decides about it;
/// verification ends.
fn check_inherited_work(store: &Store, run: RunId, history: &[StoredEvent]) {
    let row = store.runs().get(run).expect("run exists");
    let plan = store.plans().current(row.plan).expect("plan exists").1;
    let mut replayed = Run::new(run, plan.into()).expect("no cycle");
    for StoredEvent { at, event, .. } in history {
        let holds = replayed.is_verifying() || replayed.state().waits_for_review();
        let starts = matches!(
            event,
            Event::NodeReserved { .. } | Event::InputAsked { .. } | Event::NodeHeld { .. }
        );
        assert!(
            !holds || !starts,
            "{event:?} during verification of inherited work"
        );
        replayed.apply(*at, event).expect("valid history");
    }
    assert!(!replayed.is_verifying(), "it is still waiting for checks");
}

/// The history has no gaps, and the state matches the history. Nothing counts as running when
/// nothing runs.
fn check_the_history(store: &Store, run: RunId, history: &[StoredEvent]) {
    let numbers: Vec<u64> = history.iter().map(|event| event.seq).collect();
    assert_eq!(
        numbers,
        (1..=numbers.len() as u64).collect::<Vec<_>>(),
        "the history has a gap"
    );
    let (replayed, last): (Run, u64) = store.runs().replay(run).expect("valid history");
    let row = store.runs().get(run).expect("run exists");
    assert_eq!(
        (&row.state, row.epoch, row.last_seq),
        (replayed.state(), replayed.epoch(), last)
    );
    let last = || {
        history
            .iter()
            .rev()
            .take(12)
            .map(|event| &event.event)
            .collect::<Vec<_>>()
    };
    assert!(
        !row.state.is_running(),
        "nothing is running, but the run is {:?} after {:#?}",
        row.state,
        last()
    );
    let cached = store.node_states().list(run).expect("readable");
    for (cached, (node, view)) in cached.iter().zip(replayed.nodes()) {
        let current = (
            cached.node,
            &cached.state,
            cached.attempt,
            cached.session,
            &cached.marks,
        );
        assert_eq!(
            current,
            (
                node.id,
                &view.state,
                view.attempt,
                view.session,
                &view.marks()
            ),
            "'{}'",
            node.slug
        );
    }
    assert_eq!(
        replayed.live_attempts().count(),
        0,
        "an attempt lives in a run that is {:?}",
        row.state
    );
}

/// An attempt ends once. A successful node is repeated only when a person requests it.
fn check_the_outcomes(history: &[StoredEvent]) {
    let mut ended: BTreeSet<(NodeId, Attempt)> = BTreeSet::new();
    let mut succeeded: BTreeSet<NodeId> = BTreeSet::new();
    for StoredEvent { event, actor, .. } in history {
        match event {
            Event::NodeEnded {
                node,
                attempt,
                outcome,
                ..
            } => {
                assert!(
                    ended.insert((*node, *attempt)),
                    "attempt {attempt} of {node} ended twice"
                );
                if *outcome == Outcome::Succeeded {
                    succeeded.insert(*node);
                }
            }
            Event::PlanRetried { again, .. } => succeeded.retain(|node| !again.contains(node)),
            Event::NodesReset { nodes, .. } if *actor == Actor::PERSON => {
                succeeded.retain(|node| !nodes.contains(node));
            }
            Event::NodeContinued { node, .. } if *actor == Actor::PERSON => {
                succeeded.remove(node);
            }
            Event::RolledBack { .. } => {
                assert_eq!(*actor, Actor::PERSON);
                // Later work that its checkpoint did not contain may be repeated.
                succeeded.clear();
            }
            Event::NodeReserved { node, .. } => {
                assert!(
                    !succeeded.contains(node),
                    "{node} succeeded and was repeated without a request"
                );
            }
            _ => {}
        }
    }
}

/// No program outlives its attempt. Each effect happened once, for an attempt that counts.
fn check_the_sessions(world: &World, history: &[StoredEvent]) {
    let mut bound: BTreeMap<SessionId, (NodeId, Attempt)> = BTreeMap::new();
    let mut last: BTreeMap<NodeId, SessionId> = BTreeMap::new();
    let mut withdrawn: BTreeSet<SessionId> = BTreeSet::new();
    let mut successful: BTreeSet<SessionId> = BTreeSet::new();
    for StoredEvent { event, .. } in history {
        match event {
            Event::NodeReserved {
                node,
                attempt,
                session,
                ..
            } => {
                assert!(
                    bound.insert(*session, (*node, *attempt)).is_none(),
                    "{session} is bound twice"
                );
                last.insert(*node, *session);
            }
            Event::NodeWithdrawn { node, .. } => withdrawn.extend(last.get(node)),
            Event::NodeEnded {
                node,
                outcome: Outcome::Succeeded,
                ..
            } => successful.extend(last.get(node)),
            _ => {}
        }
    }
    let mut state = world.state();
    let mut sessions = 0;
    for (session, keeper) in &state.machine.keepers {
        assert!(
            !keeper.is_alive(),
            "{session} is running without an owner: {:?}",
            keeper.life
        );
        assert!(keeper.runs <= 1, "{session} ran {} times", keeper.runs);
        if keeper.runs > 0 {
            sessions += 1;
            assert_eq!(
                bound.get(session),
                Some(&(keeper.node, keeper.attempt)),
                "{session} ran for no attempt"
            );
            assert!(
                !withdrawn.contains(session),
                "{session} ran though it was withdrawn"
            );
        }
    }
    for session in &successful {
        let runs = state.machine.known(*session).map(|keeper| keeper.runs);
        assert!(
            runs == Some(1),
            "{session} succeeded and ran {runs:?} times"
        );
    }
    state.tally.sessions += sessions;
}

/// Each handoff belongs to one event of one node.
fn check_the_handoffs(store: &Store, run: RunId, history: &[StoredEvent]) {
    let mut named: BTreeMap<_, NodeId> = BTreeMap::new();
    // Written when a person stops a node to mark it as done, and referenced again when it is.
    let mut written: BTreeSet<ArtifactId> = BTreeSet::new();
    for StoredEvent { event, .. } in history {
        let left = match event {
            Event::NodeStopRequested {
                node,
                then:
                    AfterStop::MarkDone {
                        artifact: Some(artifact),
                    },
                ..
            } => {
                written.insert(*artifact);
                Some((*artifact, *node))
            }
            Event::NodeMarkedDone {
                artifact: Some(artifact),
                ..
            } if written.remove(artifact) => None,
            Event::NodeEnded {
                node,
                artifact: Some(artifact),
                ..
            }
            | Event::InputGiven {
                node,
                artifact: Some(artifact),
                ..
            }
            | Event::NodeMarkedDone {
                node,
                artifact: Some(artifact),
            }
            | Event::NodePinned { node, artifact, .. }
            | Event::ArtifactEdited { node, artifact } => Some((*artifact, *node)),
            _ => None,
        };
        if let Some((artifact, node)) = left {
            assert!(
                named.insert(artifact, node).is_none(),
                "{artifact} belongs to two events"
            );
        }
    }
    let stored = store.artifacts().list_for_run(run).expect("readable").rows;
    let stored: BTreeMap<_, NodeId> = stored.iter().map(|row| (row.id, row.node)).collect();
    assert_eq!(
        stored, named,
        "the handoffs that are stored are those that events name"
    );
}

/// No two sessions whose nodes have a common lock ever run at the same time.
pub(super) fn check_the_locks(world: &World) {
    let state = world.state();
    let mut holders: BTreeMap<&str, (NodeId, SessionId)> = BTreeMap::new();
    for (session, keeper) in state
        .machine
        .keepers
        .iter()
        .filter(|(_, keeper)| keeper.is_alive())
    {
        let locks = world
            .plan
            .node(keeper.node)
            .map(|node| node.locks.as_slice())
            .unwrap_or_default();
        for lock in locks {
            if let Some((other, _)) = holders.insert(lock, (keeper.node, *session)) {
                panic!(
                    "{other} and {} hold the lock {lock} at the same time",
                    keeper.node
                );
            }
        }
    }
}
