//! Situations found by random worlds, as fixed scripts, which stay valid when the meaning of seeds
//! changes.

use std::rc::Rc;

use baton_model::node::{CommandLine, CommandTask, NodeKind};
use baton_model::run::{Command, Event};
use baton_model::{Node, NodeId, Plan, PlanId, SessionId, Slug};
use baton_store::Actor;
use uuid::Uuid;

use super::world::World;
use super::{TestStore, invariants};
use crate::dispatcher::Input;

const FIRST: NodeId = NodeId(Uuid::from_u128(2 << 64));
const SECOND: NodeId = NodeId(Uuid::from_u128(3 << 64));

/// Two commands and one slot: the second is reserved and waits.
fn two_nodes_and_one_slot() -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::from_u128(1 << 64)), "Scripted");
    for (id, slug) in [(FIRST, "first"), (SECOND, "second")] {
        let command = CommandLine::Argv(vec!["true".to_owned()]);
        let kind = NodeKind::Command(CommandTask {
            command,
            env: Default::default(),
            cwd: None,
        });
        plan.nodes.push(Node::new(
            id,
            Slug::new(slug).expect("valid slug"),
            slug,
            kind,
        ));
    }
    plan.settings.concurrency = Some(1);
    plan
}

/// The dispatcher handles everything in its inbox.
fn turn(world: &Rc<World>) {
    let inputs = inbox(world);
    world.turn_with(0, inputs);
}

fn inbox(world: &World) -> Vec<Input> {
    world.state().executors[0].inbox.drain(..).collect()
}

/// The inbox after a user command was executed.
fn inbox_after(world: &Rc<World>, command: Command) -> Vec<Input> {
    world.enqueue_command(0, command, Actor::PERSON);
    turn(world);
    inbox(world)
}

fn deliver(world: &World, inputs: Vec<Input>) {
    world.state().executors[0].inbox.extend(inputs);
}

/// The sessions of the second node.
fn second_node_sessions(world: &World) -> Vec<SessionId> {
    let run = world.state().run;
    let history = world
        .store
        .run_events()
        .list_after(run, 0, u32::MAX)
        .expect("readable");
    let reserved = history.iter().filter_map(|stored| match stored.event {
        Event::NodeReserved { node, session, .. } if node == SECOND => Some(session),
        _ => None,
    });
    reserved.collect()
}

fn assert_settled(world: &Rc<World>) {
    world.run_until_idle();
    invariants::check_invariants(world);
    assert_eq!(
        second_node_sessions(world).len(),
        2,
        "the withdrawn one and the one that ran"
    );
    world.state().executors.clear();
}

#[test]
fn duplicate_withdrawal_report_does_not_affect_next_session() {
    let test_store = TestStore::create();
    let world = World::scripted(two_nodes_and_one_slot(), &test_store.store);
    world.begin(0);
    turn(&world);
    // A second pause comes before the first one is confirmed: both withdraw the second node.
    let inputs = inbox_after(
        &world,
        Command::Pause {
            stop_running: false,
        },
    );
    let second_inputs = inbox_after(&world, Command::Pause { stop_running: true });
    assert_eq!((inputs.len(), second_inputs.len()), (1, 1));
    deliver(&world, inputs);
    let nothing = inbox_after(&world, Command::Resume);
    assert!(nothing.is_empty());
    assert_eq!(
        second_node_sessions(&world).len(),
        2,
        "it is reserved again, with the same attempt number"
    );
    deliver(&world, second_inputs);
    turn(&world);
    assert_settled(&world);
}

#[test]
fn stop_applies_only_to_the_session_at_the_time() {
    let test_store = TestStore::create();
    let world = World::scripted(two_nodes_and_one_slot(), &test_store.store);
    world.begin(0);
    turn(&world);
    let inputs = inbox_after(
        &world,
        Command::Pause {
            stop_running: false,
        },
    );
    // In one turn the second node is to be stopped, is reported as withdrawn, and gets another
    // session.
    world.enqueue_command(0, Command::Pause { stop_running: true }, Actor::PERSON);
    deliver(&world, inputs);
    let nothing = inbox_after(&world, Command::Resume);
    assert!(nothing.is_empty(), "the new session is not abandoned");
    assert_settled(&world);
}
