//! Every state with every event and every command. The snapshots are the specification.

use std::fmt::Write as _;

use super::scenario::{Scenario, ended, executor, failed, lost, skipping, start, take_over, word_of};
use crate::node::TriggerRule;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, Event, Goal, NodeState, PauseReason, Run, RunState, SkipReason, WaitingFor};
use crate::{Attempt, NodeId, Outcome, Plan, SessionId, Timestamp};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

#[test]
fn node_state_and_event() {
    let mut table = String::new();
    for (name, run, watched) in node_states() {
        for (event_name, event) in node_events(&run, node_id(watched)) {
            let mut after = run.clone();
            let answer = match after.apply(Timestamp(5000), &event) {
                Ok(effects) => states(&after) + &effect_words(&effects),
                Err(_) => "refused".to_owned(),
            };
            writeln!(table, "{name} + {event_name} = {answer}").expect("a text grows");
        }
        table.push('\n');
    }
    insta::assert_snapshot!(table);
}

#[test]
fn run_state_and_command() {
    let mut table = String::new();
    for (name, scenario) in run_states() {
        for (command_name, command) in commands(&scenario) {
            let mut after = scenario.clone();
            let before = format!("{:?}", after.run);
            let answer = match after.step(&command) {
                Ok(step) if step.events.is_empty() => "nothing follows".to_owned(),
                Ok(step) => {
                    let events: Vec<String> = step.events.iter().map(word_of).collect();
                    events.join(", ") + &effect_words(&step.effects)
                }
                Err(refusal) => {
                    assert_eq!(before, format!("{:?}", after.run), "a refusal changes nothing");
                    format!("refused: {refusal}")
                }
            };
            writeln!(table, "{name} + {command_name} = {answer}").expect("a text grows");
        }
        table.push('\n');
    }
    insta::assert_snapshot!(table);
}

/// A in each of its states, alone and with B below it; then B in the states that come from its parent.
fn node_states() -> Vec<(String, Run, usize)> {
    let alone = plan_of(&["A"], &[]);
    let mut table = Vec::new();
    for (plan, name) in [(alone, "A"), (pair(TriggerRule::AllSuccess), "A of A→B")] {
        for (state, run) in states_of_a(&plan) {
            table.push((format!("{name} {state}"), run, A));
        }
    }
    for (rule, outcome) in [
        (TriggerRule::AllSuccess, Outcome::Succeeded),
        (TriggerRule::AllSuccess, failed()),
        (TriggerRule::OneFailed, Outcome::Succeeded),
    ] {
        let mut scenario = Scenario::of(pair(rule));
        scenario.does(start(None));
        scenario.runs(A, outcome);
        table.push((format!("B of A→B {}", states(&scenario.run)), scenario.run, B));
    }
    table
}

fn states_of_a(plan: &Plan) -> Vec<(&'static str, Run)> {
    let at = |lead: &dyn Fn(&mut Scenario)| {
        let mut scenario = Scenario::of(plan.clone());
        lead(&mut scenario);
        scenario.run
    };
    let mut retried = plan.clone();
    retried.nodes[A].max_retries = 1;
    let mut retrying = Scenario::of(retried);
    retrying.does(start(None));
    retrying.runs(A, failed());
    let mut skipped = Scenario::of(skipping(plan.clone(), A));
    skipped.does(start(None));
    skipped.runs(A, failed());
    // By its event, as the command would reserve the node again at once.
    let pending = |scenario: &mut Scenario| {
        scenario.does(start(None));
        let (node, attempt) = scenario.attempt(A);
        scenario.run.apply(Timestamp(2000), &Event::NodeWithdrawn { node, attempt }).expect("it is reserved");
    };
    vec![
        ("pending", at(&pending)),
        ("waiting for a place", at(&|scenario| drop(scenario.does(start(None))))),
        ("running", at(&running)),
        ("waiting for a person", at(&asking)),
        ("waiting for its retry", retrying.run),
        ("done", at(&|scenario| (scenario.does(start(None)), scenario.runs(A, Outcome::Succeeded)).1)),
        ("failed", at(&|scenario| (scenario.does(start(None)), scenario.runs(A, failed())).1)),
        ("interrupted", at(&|scenario| (scenario.does(start(None)), scenario.runs(A, lost())).1)),
        ("skipped after its failure", skipped.run),
        (
            "skipped by hand",
            at(&|scenario| {
                pending(scenario);
                scenario.does(Command::SkipNode { node: node_id(A) });
            }),
        ),
    ]
}

fn running(scenario: &mut Scenario) {
    scenario.does(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.does(Command::SessionStarted { node, attempt });
}

fn asking(scenario: &mut Scenario) {
    running(scenario);
    let (node, attempt) = scenario.attempt(A);
    let (question, request) = ("May I?".to_owned(), "q".to_owned());
    scenario.does(Command::SessionAsked { node, attempt, question, request });
}

fn node_events(run: &Run, node: NodeId) -> Vec<(&'static str, Event)> {
    let attempt = run.node(node).expect("the plan has it").attempt;
    let end = |outcome, retry_at| Event::NodeEnded { node, attempt, outcome, artifact: None, retry_at };
    let session = SessionId(uuid::Uuid::from_u128(99));
    let (question, request) = ("Again?".to_owned(), "q".to_owned());
    vec![
        ("reserved", Event::NodeReserved { node, attempt: attempt.next(), session }),
        ("reserved with an old attempt", Event::NodeReserved { node, attempt, session }),
        ("withdrawn", Event::NodeWithdrawn { node, attempt }),
        ("started", Event::NodeStarted { node, attempt }),
        ("started with another attempt", Event::NodeStarted { node, attempt: Attempt(7) }),
        ("asked", Event::NodeAsked { node, attempt, question, request: request.clone() }),
        ("answered", Event::NodeAnswered { node, attempt, request, allow: true }),
        ("succeeded", end(Outcome::Succeeded, None)),
        ("failed", end(failed(), None)),
        ("failed, to be retried", end(failed(), Some(Timestamp(6000)))),
        ("stopped", end(Outcome::Cancelled, None)),
        ("lost", end(lost(), None)),
        ("retry due", Event::NodeRetryDue { node }),
        ("reset", Event::NodesReset { nodes: vec![node] }),
        ("skipped", Event::NodeSkipped { node }),
        ("marked done", Event::NodeMarkedDone { node, artifact: None }),
    ]
}

/// A → B, and C by itself.
fn run_states() -> Vec<(&'static str, Scenario)> {
    let plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    let at = |lead: &dyn Fn(&mut Scenario)| {
        let mut scenario = Scenario::of(plan.clone());
        lead(&mut scenario);
        scenario
    };
    let after = |command: Command| {
        at(&move |scenario| {
            running(scenario);
            scenario.does(command.clone());
        })
    };
    let goal =
        Command::Start { version: 1, goal: Goal::Only { nodes: vec![node_id(A)] }, limit: None, executor: executor() };
    let both = |first: Outcome| {
        at(&move |scenario| {
            scenario.does(start(None));
            scenario.runs(A, first.clone());
            if scenario.run.state().is_running() && scenario.word(C) == "waiting" {
                scenario.runs(C, Outcome::Succeeded);
            }
        })
    };
    let mut completed = both(Outcome::Succeeded);
    completed.runs(B, Outcome::Succeeded);
    let mut paused = after(Command::Pause { stop_running: true });
    settle(&mut paused);
    let mut cancelled = after(Command::Cancel);
    settle(&mut cancelled);
    let states = vec![
        ("not begun", Scenario::of(plan.clone())),
        ("running", at(&running)),
        ("running, A asks", at(&asking)),
        ("pausing", after(Command::Pause { stop_running: false })),
        ("pausing with stop", after(Command::Pause { stop_running: true })),
        ("cancelling", after(Command::Cancel)),
        (
            "aborting",
            at(&|scenario| {
                scenario.does(start(None));
                let (node, attempt) = scenario.attempt(C);
                scenario.does(Command::SessionStarted { node, attempt });
                scenario.runs(A, failed());
            }),
        ),
        ("paused", paused),
        (
            "paused at its goal",
            at(&move |scenario| {
                scenario.does(goal.clone());
                scenario.runs(A, Outcome::Succeeded);
            }),
        ),
        ("stalled", both(lost())),
        ("failed", both(failed())),
        ("completed", completed),
        ("cancelled", cancelled),
    ];
    for (name, scenario) in &states {
        assert_eq!(name.split([' ', ',']).next(), Some(first_word(scenario.run.state())), "{name}");
    }
    states
}

/// The sessions that a pause or a cancel ends have ended.
fn settle(scenario: &mut Scenario) {
    let (node, attempt) = scenario.attempt(A);
    scenario.does(ended(node, attempt, Outcome::Cancelled));
    let (node, attempt) = scenario.attempt(C);
    scenario.does(Command::SessionWithdrawn { node, attempt });
}

fn first_word(state: &RunState) -> &'static str {
    use crate::run::Ending;
    match state {
        RunState::Paused { reason: PauseReason::NotBegun } => "not",
        RunState::Running { ending: Some(Ending::Pausing { .. }) } => "pausing",
        RunState::Running { ending: Some(Ending::Cancelling) } => "cancelling",
        RunState::Running { ending: Some(Ending::Aborting { .. }) } => "aborting",
        RunState::Running { ending: Some(Ending::TimeUp { .. }) } => "out of time",
        state => state.word(),
    }
}

fn commands(scenario: &Scenario) -> Vec<(&'static str, Command)> {
    let (node, attempt) = scenario.attempt(A);
    let (question, request) = ("May I?".to_owned(), "q".to_owned());
    vec![
        ("start", start(None)),
        ("take over", take_over(1)),
        ("take over with the old epoch", take_over(0)),
        ("pause", Command::Pause { stop_running: false }),
        ("pause with stop", Command::Pause { stop_running: true }),
        ("resume", Command::Resume),
        ("cancel", Command::Cancel),
        ("want all", Command::Want { goal: Goal::All }),
        ("want what is not there", Command::Want { goal: Goal::Only { nodes: vec![node_id(9)] } }),
        ("retry A", Command::RetryNode { node }),
        ("rerun from A", Command::RerunFrom { node }),
        ("skip A", Command::SkipNode { node }),
        ("skip B", Command::SkipNode { node: node_id(B) }),
        ("mark A done", Command::MarkDone { node, handoff: String::new() }),
        ("answer A", Command::Answer { node, request: request.clone(), allow: true }),
        ("A started", Command::SessionStarted { node, attempt }),
        ("A withdrawn", Command::SessionWithdrawn { node, attempt }),
        ("A asked", Command::SessionAsked { node, attempt, question, request }),
        ("A succeeded", ended(node, attempt, Outcome::Succeeded)),
        ("A failed", ended(node, attempt, failed())),
        ("A stopped", ended(node, attempt, Outcome::Cancelled)),
        ("A lost", ended(node, attempt, lost())),
        ("A ended before", ended(node, Attempt(0), Outcome::Succeeded)),
        ("A due", Command::RetryDue { node }),
        ("time up", Command::TimeUp),
    ]
}

fn states(run: &Run) -> String {
    let words: Vec<String> =
        run.nodes().map(|(node, state)| format!("{} {}", node.title, label(&state.state))).collect();
    words.join(", ")
}

fn label(state: &NodeState) -> String {
    match state {
        NodeState::Waiting { what: WaitingFor::Slot } => "waiting for a place".to_owned(),
        NodeState::Waiting { what: WaitingFor::Person { .. } } => "waiting for a person".to_owned(),
        NodeState::Waiting { what: WaitingFor::RetryAt { at } } => format!("waiting until {}", at.0),
        NodeState::Done { by_hand: true } => "done by hand".to_owned(),
        NodeState::Skipped { reason: SkipReason::ByHand } => "skipped by hand".to_owned(),
        NodeState::Skipped { reason: SkipReason::AfterFailure { .. } } => "skipped after its failure".to_owned(),
        NodeState::Skipped { reason: SkipReason::ParentSkipped { .. } } => "skipped with its parent".to_owned(),
        NodeState::Skipped { reason: SkipReason::RuleNotMet } => "skipped by its rule".to_owned(),
        state => state.word().to_owned(),
    }
}

fn effect_words(effects: &[Effect]) -> String {
    let words = effects.iter().map(|effect| match effect {
        Effect::StartSession { .. } => " [start]",
        Effect::StopSession { .. } => " [stop]",
        Effect::WithdrawSession { .. } => " [withdraw]",
        Effect::Answer { .. } => " [answer]",
        Effect::WakeAt { .. } => " [wake]",
        Effect::AlarmAt { .. } => " [alarm]",
    });
    words.collect()
}

fn pair(rule: TriggerRule) -> Plan {
    let mut plan = plan_of(&["A", "B"], &[(A, B)]);
    plan.nodes[B].trigger_rule = rule;
    plan
}
