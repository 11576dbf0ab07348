//! Every state with every event and every command. The snapshots are the specification.

use std::fmt::Write as _;

use super::scenario::{
    Scenario, ended, executor, failed, format_event, lost, start, started, take_over,
};
use super::takeovers;
use crate::node::{
    AfterCrash, ConditionTask, Criterion, InputType, NodeKind, OnFailure, Question, TriggerRule,
};
use crate::outcome::Failure;
use crate::plan::{Autonomy, OnTakeover};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    AfterStop, Answer, AnsweredBy, BudgetUsage, Command, Effect, Event, Goal, NodeState, Obstacle,
    PauseReason, ReplanEnd, Run, RunState, SkipReason, UnlistedToolCall, WaitingFor,
};
use crate::{ArtifactId, Attempt, NodeId, Outcome, Plan, ProposalId, SessionId, Timestamp};

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

/// A in each of its states, alone and with B below it; then B in the states that its parent causes.
fn node_states() -> Vec<(String, Scenario, usize)> {
    let alone = plan_of(&["A"], &[]);
    let mut table = Vec::new();
    for (plan, name) in [(alone, "A"), (pair(TriggerRule::AllSuccess), "A of A→B")] {
        for (state, scenario) in states_of_a(&plan) {
            table.push((format!("{name} {state}"), scenario, A));
        }
    }
    let mut fork = plan_of(&["A", "B"], &[]);
    fork.nodes[A].kind = fork_to(None, Some(node_id(B)));
    let mut jump = plan_of(&["A", "B", "C"], &[(A, B)]);
    jump.nodes[A].on_success = Some(node_id(C));
    for (name, plan, outcome) in [
        (
            "B of A→B",
            pair(TriggerRule::AllSuccess),
            Outcome::Succeeded,
        ),
        ("B of A→B", pair(TriggerRule::AllSuccess), failed()),
        ("B of A→B", pair(TriggerRule::OneFailed), Outcome::Succeeded),
        (
            "B of the branch that was not taken",
            fork,
            Outcome::Succeeded,
        ),
        ("B between A and its jump", jump, Outcome::Succeeded),
    ] {
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start(None));
        let (node, attempt) = scenario.starts(A);
        let (artifact, taken) = (None, Some(true));
        scenario.step_ok(Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken,
            doubt: None,
        });
        table.push((format!("{name}: {}", states(&scenario.run)), scenario, B));
    }
    table
}

fn states_of_a(plan: &Plan) -> Vec<(&'static str, Scenario)> {
    let at = |change: &dyn Fn(&mut Plan), lead: &dyn Fn(&mut Scenario)| {
        let mut plan = plan.clone();
        change(&mut plan);
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start(None));
        lead(&mut scenario);
        scenario
    };
    let ends = |outcome: Outcome| move |scenario: &mut Scenario| scenario.runs(A, outcome.clone());
    // Applied as an event, because the command would reserve the node again immediately.
    let pending = |scenario: &mut Scenario| {
        let (node, attempt) = scenario.attempt(A);
        scenario
            .run
            .apply(Timestamp(2000), &Event::NodeWithdrawn { node, attempt })
            .expect("it is reserved");
    };
    let says =
        |command: Command| move |scenario: &mut Scenario| drop(scenario.step_ok(command.clone()));
    let (as_it_is, node) = (|_: &mut Plan| {}, node_id(A));
    let needs_approval = |plan: &mut Plan| plan.settings.autonomy = Some(Autonomy::AskAll);
    let asks_input = |plan: &mut Plan| plan.nodes[A].kind = question(None);
    let goes_on = |plan: &mut Plan| {
        plan.nodes
            .push(plan_of(&["", "", "Z"], &[]).nodes.remove(2));
        plan.nodes[A].on_failure = OnFailure::Node(node_id(2));
    };
    vec![
        ("pending", at(&as_it_is, &pending)),
        ("waiting for a slot", at(&as_it_is, &|_| {})),
        ("running", at(&as_it_is, &|scenario| _ = scenario.starts(A))),
        (
            "running silently",
            at(&as_it_is, &|scenario| {
                let (node, attempt) = scenario.starts(A);
                scenario.step_ok(Command::SessionSilent {
                    node,
                    attempt,
                    silent: true,
                });
            }),
        ),
        ("waiting for a person", at(&as_it_is, &ask)),
        ("waiting for approval", at(&needs_approval, &|_| {})),
        (
            "waiting for a slot, approved",
            at(
                &needs_approval,
                &says(Command::Approve { node, allow: true }),
            ),
        ),
        (
            "refused",
            at(
                &needs_approval,
                &says(Command::Approve { node, allow: false }),
            ),
        ),
        ("waiting for input", at(&asks_input, &|_| {})),
        (
            "waiting for input, overdue",
            at(&|plan| plan.nodes[A].kind = question(Some(0)), &|_| {}),
        ),
        (
            "done by an answer",
            at(
                &asks_input,
                &says(Command::GiveInput {
                    node,
                    value: "yes".to_owned(),
                }),
            ),
        ),
        (
            "waiting for its retry",
            at(&|plan| plan.nodes[A].max_retries = 1, &ends(failed())),
        ),
        (
            "waiting for its retry after a loss",
            at(
                &|plan| plan.nodes[A].after_crash = AfterCrash::Resume,
                &ends(lost()),
            ),
        ),
        ("done", at(&as_it_is, &ends(Outcome::Succeeded))),
        ("failed", at(&as_it_is, &ends(failed()))),
        (
            "failed, and the run continued",
            at(&goes_on, &ends(failed())),
        ),
        ("interrupted", at(&as_it_is, &ends(lost()))),
        (
            "skipped after its failure",
            at(
                &|plan| plan.nodes[A].on_failure = OnFailure::Skip,
                &ends(failed()),
            ),
        ),
        (
            "skipped by hand",
            at(&as_it_is, &|scenario| {
                pending(scenario);
                scenario.step_ok(Command::SkipNode {
                    node: node_id(A),
                    stop: false,
                });
            }),
        ),
    ]
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

fn fork_to(true_step: Option<NodeId>, false_step: Option<NodeId>) -> NodeKind {
    NodeKind::Condition(ConditionTask {
        condition: "true".to_owned(),
        true_step,
        false_step,
    })
}

fn running(scenario: &mut Scenario) {
    scenario.step_ok(start(None));
    scenario.starts(A);
}

fn asking(scenario: &mut Scenario) {
    scenario.step_ok(start(None));
    ask(scenario);
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

fn locked() -> Obstacle {
    Obstacle::Lock {
        name: "build".to_owned(),
        holder: None,
    }
}

fn node_events(run: &Run, node: NodeId) -> Vec<(&'static str, Event)> {
    let attempt = run.node(node).expect("the plan has it").attempt;
    let end = |outcome, retry_at| Event::NodeEnded {
        node,
        attempt,
        outcome,
        artifact: None,
        retry_at,
        taken: None,
    };
    let artifact = ArtifactId(uuid::Uuid::from_u128(98));
    let due = Some(Timestamp(9000));
    let session = SessionId(uuid::Uuid::from_u128(99));
    let (question, request) = ("Again?".to_owned(), "q".to_owned());
    vec![
        (
            "reserved",
            Event::NodeReserved {
                node,
                attempt: attempt.next(),
                session,
                resumes: None,
                choice: None,
                asks: None,
            },
        ),
        (
            "reserved with an old attempt",
            Event::NodeReserved {
                node,
                attempt,
                session,
                resumes: None,
                choice: None,
                asks: None,
            },
        ),
        ("held back", Event::NodeHeldBack { node, by: locked() }),
        (
            "parked",
            Event::NodeParked {
                node,
                until: Timestamp(9000),
            },
        ),
        ("passed on", Event::NodePassedOn { node }),
        ("withdrawn", Event::NodeWithdrawn { node, attempt }),
        (
            "started",
            Event::NodeStarted {
                node,
                attempt,
                checkpoint: None,
            },
        ),
        (
            "started with another attempt",
            Event::NodeStarted {
                node,
                attempt: Attempt(7),
                checkpoint: None,
            },
        ),
        (
            "asked",
            Event::NodeAsked {
                node,
                attempt,
                question,
                request: request.clone(),
                call: None,
            },
        ),
        (
            "withdrew the question",
            Event::NodeUnasked {
                node,
                attempt,
                request: request.clone(),
            },
        ),
        (
            "called an unlisted tool",
            Event::ToolOutside {
                node,
                call: outside(attempt),
            },
        ),
        (
            "answered",
            Event::NodeAnswered {
                node,
                attempt,
                request,
                answer: Answer::AllowOnce,
                by: AnsweredBy::Person,
            },
        ),
        ("succeeded", end(Outcome::Succeeded, None)),
        ("failed", end(failed(), None)),
        (
            "failed, to be retried",
            end(failed(), Some(Timestamp(6000))),
        ),
        ("stopped", end(Outcome::Cancelled, None)),
        ("out of quota", end(limited(), Some(Timestamp(6000)))),
        ("lost", end(lost(), None)),
        ("lost, to be retried", end(lost(), Some(Timestamp(6000)))),
        (
            "held",
            Event::NodeHeld {
                node,
                question: "May it?".to_owned(),
            },
        ),
        ("approved", Event::NodeReleased { node, allow: true }),
        ("rejected", Event::NodeReleased { node, allow: false }),
        (
            "asks for input",
            Event::InputAsked {
                node,
                attempt: attempt.next(),
                question: "What?".to_owned(),
                due,
            },
        ),
        (
            "given input",
            Event::InputGiven {
                node,
                attempt,
                value: "yes".to_owned(),
                artifact: Some(artifact),
            },
        ),
        ("silent", Event::NodeSilent { node, attempt }),
        ("heard", Event::NodeHeard { node, attempt }),
        (
            "used",
            Event::NodeUsed {
                node,
                attempt,
                spent: tokens(1),
            },
        ),
        ("handoff edited", Event::ArtifactEdited { node, artifact }),
        (
            "unverified",
            Event::NodeUnverified {
                node,
                attempt,
                doubt: "a file was not changed".to_owned(),
            },
        ),
        ("accepted", Event::NodeAccepted { node }),
        (
            "git restored",
            Event::GitRestored {
                node,
                attempt,
                changes: vec![0],
            },
        ),
        (
            "stop requested",
            Event::NodeStopRequested {
                node,
                attempt,
                then: AfterStop::Interrupt,
            },
        ),
        ("marked failed", Event::NodeMarkedFailed { node }),
        ("retry due", Event::NodeRetryDue { node }),
        (
            "reset",
            Event::NodesReset {
                nodes: vec![node],
                resume: false,
            },
        ),
        (
            "reset, to be resumed",
            Event::NodesReset {
                nodes: vec![node],
                resume: true,
            },
        ),
        (
            "continued",
            Event::NodeContinued {
                node,
                message: "and now the tests".to_owned(),
            },
        ),
        ("skipped", Event::NodeSkipped { node }),
        (
            "marked done",
            Event::NodeMarkedDone {
                node,
                artifact: None,
            },
        ),
    ]
}

fn outside(attempt: Attempt) -> UnlistedToolCall {
    let (what, note) = (
        "Bash: ls".to_owned(),
        "would have blocked: Tool Bash".to_owned(),
    );
    UnlistedToolCall {
        attempt,
        call: "toolu_1".to_owned(),
        what,
        note,
        refused: false,
    }
}

fn limited() -> Outcome {
    let (reset_at, detail) = (Some(Timestamp(6000)), "come back later".to_owned());
    Outcome::Failed {
        failure: Failure::UsageLimit { reset_at, detail },
    }
}

fn tokens(tokens: u64) -> BudgetUsage {
    BudgetUsage {
        tokens,
        cost_micros: 0,
    }
}

/// A → B, and C on its own.
fn run_states() -> Vec<(&'static str, Scenario)> {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    plan.settings.budget.tokens = Some(100);
    plan.settings.timeout_ms = Some(0);
    let changed = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan.clone();
        change(&mut plan);
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start(None));
        scenario
    };
    let at = |lead: &dyn Fn(&mut Scenario)| {
        let mut scenario = Scenario::of(plan.clone());
        lead(&mut scenario);
        scenario
    };
    let after = |command: Command| {
        at(&move |scenario| {
            running(scenario);
            scenario.step_ok(command.clone());
        })
    };
    let goal = Command::Start {
        version: 1,
        goal: Goal::Only {
            nodes: vec![node_id(A)],
        },
        limit: None,
        executor: executor(),
        default_agent: None,
        inherits: None,
        grants: Vec::new(),
        caller: None,
    };
    let both = |first: Outcome| {
        at(&move |scenario| {
            scenario.step_ok(start(None));
            scenario.runs(A, first.clone());
            if scenario.run.state().is_running() && scenario.state_name(C) == "waiting" {
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
    let mut rolled_back = at(&|scenario| drop(scenario.step_ok(start(None))));
    rolled_back.step_ok(Command::Checkpoint {
        name: "begun".to_owned(),
        data: 1.into(),
        files: None,
    });
    for command in [
        Command::Pause {
            stop_running: false,
        },
        Command::Rollback {
            checkpoint: 0,
            files: false,
        },
    ] {
        for position in [A, C] {
            let (node, attempt) = rolled_back.attempt(position);
            drop(rolled_back.step(&Command::SessionWithdrawn { node, attempt }));
        }
        rolled_back.step_ok(command);
        for position in [A, C] {
            let (node, attempt) = rolled_back.attempt(position);
            drop(rolled_back.step(&Command::SessionWithdrawn { node, attempt }));
        }
    }
    let mut stale = at(&|scenario| drop(scenario.step_ok(start(None))));
    stale.runs(A, Outcome::Succeeded);
    stale.runs(B, Outcome::Succeeded);
    stale.step_ok(Command::RerunNode { node: node_id(A) });
    stale.runs(A, Outcome::Succeeded);
    let displaced = |on_takeover: OnTakeover| {
        let mut scenario = changed(&|plan| {
            plan.settings.on_takeover = on_takeover;
            plan.nodes[A].acceptance_criteria = vec![Criterion::run("make test")];
        });
        scenario.runs(A, Outcome::Succeeded);
        scenario.starts(C);
        takeovers::displace(&mut scenario);
        scenario
    };
    let (verifying, reviewing) = (displaced(OnTakeover::Verify), displaced(OnTakeover::Review));
    let mut taken_over = reviewing.clone();
    for position in [B, C] {
        let (node, attempt) = taken_over.attempt(position);
        drop(taken_over.step(&Command::SessionWithdrawn { node, attempt }));
        drop(taken_over.step(&ended(node, attempt, Outcome::Succeeded)));
    }
    let states = vec![
        ("not begun", Scenario::of(plan.clone())),
        ("running", at(&running)),
        ("running, A asks", at(&asking)),
        (
            "running, A waits for approval",
            changed(&|plan| plan.settings.autonomy = Some(Autonomy::AskAll)),
        ),
        (
            "running, A waits for input",
            changed(&|plan| plan.nodes[A].kind = question(None)),
        ),
        ("running, A is stale", stale),
        (
            "pausing",
            after(Command::Pause {
                stop_running: false,
            }),
        ),
        (
            "paused, A waits for input",
            at_rest(
                changed(&|plan| plan.nodes[A].kind = question(None)),
                Command::Pause {
                    stop_running: false,
                },
            ),
        ),
        (
            "pausing with stop",
            after(Command::Pause { stop_running: true }),
        ),
        ("cancelling", after(Command::Cancel)),
        ("out of time", after(Command::TimeUp)),
        (
            "out of budget",
            at(&|scenario| {
                running(scenario);
                let (node, attempt) = scenario.attempt(A);
                scenario.step_ok(Command::SessionUsed {
                    node,
                    attempt,
                    spent: tokens(101),
                });
            }),
        ),
        (
            "aborting",
            at(&|scenario| {
                scenario.step_ok(start(None));
                let (node, attempt) = scenario.attempt(C);
                scenario.step_ok(started(node, attempt));
                scenario.runs(A, failed());
            }),
        ),
        ("paused", paused),
        (
            "paused at its goal",
            at(&move |scenario| {
                scenario.step_ok(goal.clone());
                scenario.runs(A, Outcome::Succeeded);
            }),
        ),
        ("paused by a rollback", rolled_back),
        ("verifying inherited work", verifying),
        ("reviewing a takeover", reviewing),
        ("paused after a takeover", taken_over),
        ("stalled", both(lost())),
        ("failed", both(failed())),
        ("replanning, stalled before", replanning(both(lost()))),
        ("replanning, failed before", replanning(both(failed()))),
        ("completed", completed),
        ("cancelled", cancelled),
    ];
    for (name, scenario) in &states {
        assert_eq!(
            name.split([' ', ',']).next(),
            Some(first_word(scenario.run.state())),
            "{name}"
        );
    }
    states
}

/// The scenario after a proposal for it was made.
fn replanning(mut scenario: Scenario) -> Scenario {
    scenario.step_ok(Command::BeginReplan {
        proposal: proposal(1),
    });
    scenario
}

/// The scenario after `command`, when all sessions have ended.
fn at_rest(mut scenario: Scenario, command: Command) -> Scenario {
    scenario.step_ok(command);
    for (node, attempt, _) in scenario.run.live_attempts().collect::<Vec<_>>() {
        scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    }
    scenario
}

/// Ends the sessions that a pause or a cancellation stops.
fn settle(scenario: &mut Scenario) {
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    let (node, attempt) = scenario.attempt(C);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
}

fn first_word(state: &RunState) -> &'static str {
    use crate::run::Ending;
    match state {
        RunState::Paused {
            reason: PauseReason::NotBegun,
        } => "not",
        RunState::Running {
            ending: Some(Ending::Pausing { .. }),
        } => "pausing",
        RunState::Running {
            ending: Some(Ending::Cancelling),
        } => "cancelling",
        RunState::Running {
            ending: Some(Ending::Aborting { .. }),
        } => "aborting",
        RunState::Running {
            ending: Some(Ending::TimeUp { .. }),
        } => "out",
        RunState::Running {
            ending: Some(Ending::BudgetSpent),
        } => "out",
        RunState::Running {
            ending: Some(Ending::Verifying),
        } => "verifying",
        RunState::Running {
            ending: Some(Ending::Reviewing),
        } => "reviewing",
        state => state.as_str(),
    }
}

fn commands(scenario: &Scenario, node: NodeId) -> Vec<(&'static str, Command)> {
    let mut commands = vec![
        ("start", start(None)),
        ("take over", take_over(1)),
        ("take over with the old epoch", take_over(0)),
        (
            "pause",
            Command::Pause {
                stop_running: false,
            },
        ),
        ("pause with stop", Command::Pause { stop_running: true }),
        ("resume", Command::Resume),
        ("cancel", Command::Cancel),
        ("want all", Command::Want { goal: Goal::All }),
        (
            "want B alone",
            Command::Want {
                goal: Goal::Only {
                    nodes: vec![node_id(B)],
                },
            },
        ),
        (
            "want a missing node",
            Command::Want {
                goal: Goal::Only {
                    nodes: vec![node_id(9)],
                },
            },
        ),
        (
            "skip B",
            Command::SkipNode {
                node: node_id(B),
                stop: false,
            },
        ),
        ("rerun what is stale", Command::RerunStale),
        (
            "keep",
            Command::Checkpoint {
                name: "here".to_owned(),
                data: 1.into(),
                files: None,
            },
        ),
        (
            "roll back",
            Command::Rollback {
                checkpoint: 0,
                files: false,
            },
        ),
        ("time up", Command::TimeUp),
        (
            "replan",
            Command::BeginReplan {
                proposal: proposal(1),
            },
        ),
        (
            "replan by another proposal",
            Command::BeginReplan {
                proposal: proposal(2),
            },
        ),
        (
            "no new plan",
            Command::EndReplan {
                proposal: proposal(1),
                end: ReplanEnd::GivenUp,
            },
        ),
        (
            "no new plan by another proposal",
            Command::EndReplan {
                proposal: proposal(2),
                end: ReplanEnd::Rejected,
            },
        ),
    ];
    commands.extend(commands_to_a_node(scenario, node));
    commands
}

fn proposal(number: u128) -> ProposalId {
    ProposalId(uuid::Uuid::from_u128(number))
}

fn commands_to_a_node(scenario: &Scenario, node: NodeId) -> Vec<(&'static str, Command)> {
    let attempt = scenario.run.node(node).expect("the plan has it").attempt;
    let (question, request) = ("May I?".to_owned(), "q".to_owned());
    let give = |value: &str| Command::GiveInput {
        node,
        value: value.to_owned(),
    };
    let another = "another".to_owned();
    vec![
        (
            "retry",
            Command::RetryNode {
                node,
                resume: false,
            },
        ),
        (
            "retry and resume",
            Command::RetryNode { node, resume: true },
        ),
        ("rerun from here", Command::RerunFrom { node }),
        ("rerun alone", Command::RerunNode { node }),
        (
            "continue",
            Command::ContinueNode {
                node,
                message: "and now the tests".to_owned(),
            },
        ),
        ("skip", Command::SkipNode { node, stop: false }),
        (
            "mark done",
            Command::MarkDone {
                node,
                handoff: String::new(),
                stop: false,
            },
        ),
        ("stop", Command::StopNode { node }),
        ("stop and skip", Command::SkipNode { node, stop: true }),
        (
            "stop and mark done",
            Command::MarkDone {
                node,
                handoff: String::new(),
                stop: true,
            },
        ),
        ("mark failed", Command::MarkFailed { node }),
        ("accept", Command::Accept { node }),
        (
            "note that git was restored",
            Command::NoteGitRestored {
                node,
                attempt,
                changes: vec![0],
            },
        ),
        (
            "edit the handoff",
            Command::EditArtifact {
                node,
                text: "other words".to_owned(),
            },
        ),
        ("approve", Command::Approve { node, allow: true }),
        ("reject", Command::Approve { node, allow: false }),
        ("give input", give("yes")),
        ("give invalid input", give("perhaps")),
        (
            "answer",
            Command::Answer {
                node,
                request: request.clone(),
                answer: Answer::AllowOnce,
            },
        ),
        (
            "answer another question",
            Command::Answer {
                node,
                request: another.clone(),
                answer: Answer::AllowOnce,
            },
        ),
        ("started", started(node, attempt)),
        ("withdrawn", Command::SessionWithdrawn { node, attempt }),
        (
            "asked",
            Command::SessionAsked {
                node,
                attempt,
                question: question.clone(),
                request,
                call: None,
            },
        ),
        (
            "asked another question",
            Command::SessionAsked {
                node,
                attempt,
                question,
                request: another,
                call: None,
            },
        ),
        (
            "withdrew the question",
            Command::SessionUnasked {
                node,
                attempt,
                request: "q".to_owned(),
            },
        ),
        (
            "called an unlisted tool",
            Command::SessionOutside {
                node,
                call: outside(attempt),
            },
        ),
        (
            "silent",
            Command::SessionSilent {
                node,
                attempt,
                silent: true,
            },
        ),
        (
            "heard",
            Command::SessionSilent {
                node,
                attempt,
                silent: false,
            },
        ),
        (
            "used",
            Command::SessionUsed {
                node,
                attempt,
                spent: tokens(1),
            },
        ),
        (
            "used too much",
            Command::SessionUsed {
                node,
                attempt,
                spent: tokens(1000),
            },
        ),
        ("succeeded", ended(node, attempt, Outcome::Succeeded)),
        ("failed", ended(node, attempt, failed())),
        ("stopped", ended(node, attempt, Outcome::Cancelled)),
        ("lost", ended(node, attempt, lost())),
        ("ended before", ended(node, Attempt(0), Outcome::Succeeded)),
        ("due", Command::Due { node }),
    ]
}

fn states(run: &Run) -> String {
    let words: Vec<String> = run
        .nodes()
        .map(|(node, state)| format!("{} {}", node.title, label(&state.state)))
        .collect();
    words.join(", ")
}

fn label(state: &NodeState) -> String {
    match state {
        NodeState::Waiting {
            what: WaitingFor::Slot,
        } => "waiting for a slot".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::Person { .. },
        } => "waiting for a person".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::RetryAt { at },
        } => format!("waiting until {}", at.0),
        NodeState::Waiting {
            what: WaitingFor::LimitUntil { at },
        } => format!("parked until {}", at.0),
        NodeState::Waiting {
            what: WaitingFor::Approval { .. },
        } => "waiting for approval".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::Input { .. },
        } => "waiting for input".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::Merge { .. },
        } => "waiting for a merge".to_owned(),
        NodeState::Failed {
            went_on_at: Some(_),
            ..
        } => "failed, and the run continued".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::Refused,
        } => "refused".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::NotTaken { .. },
        } => "not taken".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::JumpedOver { .. },
        } => "jumped over".to_owned(),
        NodeState::Done { by_hand: true } => "done by hand".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::ByHand,
        } => "skipped by hand".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::Disabled,
        } => "skipped, disabled".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::AfterFailure { .. },
        } => "skipped after its failure".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::ParentSkipped { .. },
        } => "skipped with its parent".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::RuleNotMet { .. },
        } => "skipped by its rule".to_owned(),
        state => state.as_str().to_owned(),
    }
}

fn format_effects(effects: &[Effect]) -> String {
    let words = effects.iter().map(|effect| match effect {
        Effect::StartSession { .. } => " [start]",
        Effect::StopSession { .. } => " [stop]",
        Effect::WithdrawSession { .. } => " [withdraw]",
        Effect::Answer { .. } => " [answer]",
        Effect::VerifyInherited { .. } => " [verify]",
        Effect::StopVerifying => " [stop verifying]",
        Effect::WakeAt { .. } => " [wake]",
        Effect::AlarmAt { .. } => " [alarm]",
    });
    words.collect()
}

fn pair(rule: TriggerRule) -> Plan {
    let mut plan = plan_of(&["A", "B"], &[(A, B)]);
    plan.nodes[B].trigger_rule = Some(rule);
    plan
}
