//! Every state with every event and every command. The snapshots are the specification.

mod commands;
mod events;
mod format;
mod node_states;
mod run_states;

use std::fmt::Write as _;

use super::scenario::{Scenario, format_event};
use crate::node::{InputType, NodeKind, Question};
use crate::plan_fixture::node_id;
use crate::run::{BudgetUsage, Command, UnlistedToolCall};
use crate::{Attempt, NodeId, ProposalId, Timestamp};
use commands::{commands, commands_to_a_node};
use events::node_events;
use format::{format_effects, states};
use node_states::node_states;
use run_states::run_states;

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

#[test]
fn node_state_and_event() {
    let mut table = String::new();
    for (name, scenario, watched) in node_states() {
        for (event_name, event) in node_events(&scenario.run, node_id(watched)) {
            let mut after = scenario.run.clone();
            let answer = match after.apply(Timestamp(5000), &event) {
                Ok(effects) => states(&after) + &format_effects(&effects),
                Err(_) => {
                    assert_eq!(
                        format!("{:?}", scenario.run),
                        format!("{after:?}"),
                        "a refusal changes nothing"
                    );
                    "refused".to_owned()
                }
            };
            writeln!(table, "{name} + {event_name} = {answer}").expect("a text grows");
        }
        table.push('\n');
    }
    insta::assert_snapshot!(table);
}

#[test]
fn node_state_and_command() {
    let states = node_states()
        .into_iter()
        .map(|(name, scenario, watched)| (name, scenario, node_id(watched)));
    insta::assert_snapshot!(answers(states, commands_to_a_node));
}

#[test]
fn run_state_and_command() {
    let states = run_states()
        .into_iter()
        .map(|(name, scenario)| (name.to_owned(), scenario, node_id(A)));
    insta::assert_snapshot!(answers(states, commands));
}

fn answers(
    states: impl Iterator<Item = (String, Scenario, NodeId)>,
    commands: fn(&Scenario, NodeId) -> Vec<(&'static str, Command)>,
) -> String {
    let mut table = String::new();
    for (name, scenario, node) in states {
        for (command_name, command) in commands(&scenario, node) {
            let mut after = scenario.clone();
            let answer = match after.step(&command) {
                Ok(step) if step.events.is_empty() => {
                    "nothing follows".to_owned() + &format_effects(&step.effects)
                }
                Ok(step) => {
                    let events: Vec<String> = step.events.iter().map(format_event).collect();
                    events.join(", ") + &format_effects(&step.effects)
                }
                Err(refusal) => {
                    let (before, after) =
                        (format!("{:?}", scenario.run), format!("{:?}", after.run));
                    assert_eq!(before, after, "a refusal changes nothing");
                    format!("refused: {refusal}")
                }
            };
            writeln!(table, "{name} + {command_name} = {answer}").expect("a text grows");
        }
        table.push('\n');
    }
    table
}

fn question(timeout: Option<u64>) -> NodeKind {
    let (question, input_type) = ("Go on?".to_owned(), InputType::Confirm);
    NodeKind::UserInput(Question {
        question,
        input_type,
        timeout,
        ..Question::default()
    })
}

fn ask(scenario: &mut Scenario) {
    let (node, attempt) = scenario.starts(A);
    let (question, request) = ("May I?".to_owned(), "q".to_owned());
    scenario.step_ok(Command::SessionAsked {
        node,
        attempt,
        question,
        request,
        call: None,
    });
}

fn outside(attempt: Attempt) -> UnlistedToolCall {
    let (what, note) = (
        "Bash: ls".to_owned(),
        "would have been blocked: Tool Bash".to_owned(),
    );
    UnlistedToolCall {
        attempt,
        call: "toolu_1".to_owned(),
        what,
        note,
        refused: false,
    }
}

fn tokens(tokens: u64) -> BudgetUsage {
    BudgetUsage {
        tokens,
        cost_micros: 0,
    }
}

fn proposal(number: u128) -> ProposalId {
    ProposalId(uuid::Uuid::from_u128(number))
}
