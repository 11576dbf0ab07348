//! Random runs of random plans. Each step is compared with the naive reference.
//!
//! `BATON_CASES` sets the number of runs, `BATON_SEED` the first seed; a seed alone runs only that
//! one. A failure prints its seed.

mod comparison;
mod event_log;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write as _;

use proptest::collection::vec;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::executor::Executor;
use super::recipe::{Move, Recipe, Wish, moves, plan_from, plans};
use super::reference::{Fact, Phase, Reference};
use super::scenario::{Scenario, ended, executor, kind_of, take_over};
use crate::plan_fixture::node_id;
use crate::run::{
    Answer, BudgetUsage, Command, Event, Goal, NodeState, ReplanEnd, RequestedToolCall, WaitingFor,
};
use crate::{ArtifactId, NodeId, Outcome, ProposalId, RunId, Timestamp};
use event_log::EventLog;

/// The only proposal ID in all runs.
const PROPOSAL: ProposalId = ProposalId(uuid::Uuid::nil());
const DEFAULT_CASES: u64 = 10_000;
/// How many runs one seed generates, and how many are replayed after a failure.
const CASES_PER_SEED: u64 = 100;

/// Events that must occur in some run.
const EVENTS: [&str; 40] = [
    "started",
    "taken over",
    "goal set",
    "pause requested",
    "paused",
    "paused at its goal",
    "resumed",
    "cancel requested",
    "cancelled",
    "time up",
    "budget spent",
    "completed",
    "failed",
    "stalled",
    "replan begun",
    "replan ended",
    "checkpoint",
    "rolled back",
    "reserved",
    "withdrawn",
    "lives",
    "asked",
    "answered",
    "granted",
    "held",
    "released",
    "refused",
    "asks for input",
    "given input",
    "silent",
    "heard",
    "used",
    "ended",
    "retry due",
    "reset",
    "continued",
    "skipped",
    "marked done",
    "marked failed",
    "handoff edited",
];

#[test]
fn random_runs_match_the_reference() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let replayed = number("BATON_SEED");
    let first = replayed.unwrap_or_else(|| RandomState::new().build_hasher().finish() >> 16);
    let seeds = how_many_seeds(number("BATON_CASES"), replayed.is_some());
    let say =
        |line: String| writeln!(std::io::stderr(), "{line}").expect("standard error takes a line");
    say(format!("journeys from BATON_SEED={first}"));
    let (mut met, mut played) = (BTreeSet::new(), 0);
    for seed in first..first + seeds {
        match run_seed(seed, &mut met) {
            Ok(journeys) => played += journeys,
            Err(error) => {
                panic!(
                    "{error}\nagain with: BATON_SEED={seed} cargo nextest run -p baton-model random_runs_match"
                )
            }
        }
    }
    // `cargo xtask soak` reads this line.
    say(format!("played: {played} journeys"));
    // A property test that never sees an event proves nothing about it.
    let rare: Vec<&str> = EVENTS
        .into_iter()
        .filter(|&event| !met.contains(event))
        .collect();
    assert!(played < 5_000 || rare.is_empty(), "never met: {rare:?}");
}

/// A seed without a count runs once for investigation; an explicit count is used as given.
fn how_many_seeds(cases: Option<u64>, replayed: bool) -> u64 {
    match cases {
        None if replayed => 1,
        cases => cases.unwrap_or(DEFAULT_CASES).div_ceil(CASES_PER_SEED),
    }
}

#[test]
fn requested_number_of_runs_is_made() {
    assert_eq!(how_many_seeds(None, false), DEFAULT_CASES / CASES_PER_SEED);
    assert_eq!(how_many_seeds(None, true), 1, "a failure is replayed");
    assert_eq!(
        how_many_seeds(Some(166_666), true),
        1_667,
        "cargo xtask soak sets both"
    );
    let mut met = BTreeSet::new();
    assert_eq!(run_seed(7, &mut met).expect("a valid run"), CASES_PER_SEED);
    assert!(met.contains("completed"), "{met:?}");
}

/// Performs the runs of a seed and returns their number; `met` collects the events.
fn run_seed(
    seed: u64,
    met: &mut BTreeSet<&'static str>,
) -> Result<u64, Box<dyn std::error::Error>> {
    let cases = u32::try_from(CASES_PER_SEED).expect("a small number");
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let strategy = (plans(), vec(moves(), 0..60), vec(moves(), 0..30));
    let (met, made) = (RefCell::new(met), Cell::new(0));
    let run = |(recipe, moves, more): (Recipe, Vec<Move>, Vec<Move>)| {
        let mut journey = RandomRun::begin(&recipe);
        // Commands to a run at rest come after the first part.
        for part in [moves, more] {
            part.into_iter().for_each(|next| journey.make(next));
            journey.run_to_rest();
        }
        journey.check_history();
        for event in &journey.history {
            met.borrow_mut().insert(kind_of(&event.1));
        }
        made.set(made.get() + 1);
        Ok(())
    };
    TestRunner::new_with_rng(config, rng).run(&strategy, run)?;
    Ok(made.get())
}

/// A run, its executor, the reference, and its history.
struct RandomRun {
    scenario: Scenario,
    executor: Executor,
    reference: Reference,
    history: Vec<(Timestamp, Event)>,
    limit: u32,
    dies_next: bool,
    event_log: EventLog,
}

impl RandomRun {
    fn begin(recipe: &Recipe) -> Self {
        let scenario = Scenario::of(plan_from(recipe));
        let mut journey = Self {
            executor: Executor::default(),
            reference: Reference::new(scenario.run.plan()),
            history: Vec::new(),
            limit: recipe.limit,
            dies_next: false,
            event_log: EventLog::default(),
            scenario,
        };
        let (goal, limit, executor) = (journey.goal(recipe.goal), Some(recipe.limit), executor());
        let default_agent = Some("claude".to_owned());
        journey.send(Command::Start {
            version: 1,
            goal,
            limit,
            executor,
            default_agent,
            inherits: None,
            grants: Vec::new(),
            caller: None,
            pinned: Vec::new(),
        });
        journey
    }

    fn goal(&self, node: Option<usize>) -> Goal {
        match node.filter(|_| !self.scenario.run.plan().nodes.is_empty()) {
            Some(node) => Goal::Only {
                nodes: self.scenario.run.unfinished_prerequisites(self.pick(node)),
            },
            None => Goal::All,
        }
    }

    fn pick(&self, node: usize) -> NodeId {
        node_id(node % self.scenario.run.plan().nodes.len().max(1))
    }

    fn make(&mut self, next: Move) {
        self.scenario.now = self.scenario.now.plus_ms(100);
        let live = self.executor.live.len().max(1);
        match next {
            Move::Start { choice, report } => {
                if let Some(position) = self.executor.start(choice, self.limit).filter(|_| report) {
                    self.send(self.executor.report(position));
                }
            }
            Move::Withdraw { choice } if !self.executor.withdrawn.is_empty() => {
                let (node, attempt) = self
                    .executor
                    .withdrawn
                    .remove(choice % self.executor.withdrawn.len());
                self.send(Command::SessionWithdrawn { node, attempt });
            }
            Move::Ring => self.ring(),
            Move::Wait { ms } => self.scenario.now = self.scenario.now.plus_ms(ms),
            Move::Crash => self.crash(),
            Move::CrashInNext => self.dies_next = true,
            Move::Person(wish) => self.wish(wish),
            Move::LateNews { node } => self.send_late_end(node),
            _ if self.executor.live.is_empty() => {}
            Move::Report { choice } => drop(self.send(self.executor.report(choice % live))),
            Move::Ask { choice, which } => self.ask(choice % live, format!("request {which}")),
            Move::Answer {
                choice,
                which,
                answer,
            } => self.answer(choice % live, which, answer),
            Move::Use { choice, tokens } => self.spend(choice % live, tokens),
            Move::Silence { choice, silent } => self.fall_silent(choice % live, silent),
            Move::End {
                choice,
                outcome,
                taken,
            } => self.end(choice % live, outcome, taken),
            Move::Withdraw { .. } => {}
        }
    }

    /// A new question, or a repeated one, as after a crash.
    fn ask(&mut self, position: usize, request: String) {
        let session = &mut self.executor.live[position];
        session.asks.insert(request.clone());
        let (node, attempt) = (session.node, session.attempt);
        // Every question is about the same tool, so permission for more than one call always covers
        // the others.
        let call = Some(RequestedToolCall {
            tool: "Bash".to_owned(),
            command: None,
        });
        assert!(self.send(Command::SessionAsked {
            node,
            attempt,
            question: "May I?".to_owned(),
            request,
            call
        }));
    }

    fn answer(&mut self, position: usize, which: usize, answer: Answer) {
        let session = &self.executor.live[position];
        let (node, request) = (session.node, format!("request {which}"));
        let known = &self.reference.known[self.reference.number(node)];
        let asked = known.fact == Fact::Lives && known.questions.contains(&request);
        let granted = self.send(Command::Answer {
            node,
            request,
            answer,
        });
        assert_eq!(
            granted, asked,
            "an answer is accepted exactly if its question is open"
        );
    }

    fn spend(&mut self, position: usize, tokens: u64) {
        let session = &mut self.executor.live[position];
        session.tokens += tokens;
        let (node, attempt) = (session.node, session.attempt);
        let spent = BudgetUsage {
            tokens: session.tokens,
            cost_micros: 0,
        };
        assert!(self.send(Command::SessionUsed {
            node,
            attempt,
            spent
        }));
    }

    fn fall_silent(&mut self, position: usize, silent: bool) {
        let (node, attempt) = (
            self.executor.live[position].node,
            self.executor.live[position].attempt,
        );
        let lives = self.reference.known[self.reference.number(node)].fact == Fact::Lives;
        assert!(self.send(Command::SessionSilent {
            node,
            attempt,
            silent
        }));
        let accepted = self
            .scenario
            .run
            .node(node)
            .expect("a node of the plan")
            .silent;
        assert_eq!(accepted, silent && lives, "only live sessions are silent");
    }

    fn end(&mut self, position: usize, outcome: Outcome, taken: Option<bool>) {
        let session = self.executor.live.remove(position);
        let artifact = (outcome == Outcome::Succeeded).then(|| self.new_artifact());
        let (node, attempt) = (session.node, session.attempt);
        let news = self.send(Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken,
            doubt: None,
        });
        assert!(news, "the end of a living session is news");
    }

    fn new_artifact(&self) -> ArtifactId {
        ArtifactId(uuid::Uuid::from_u128(self.history.len() as u128 + 1))
    }

    fn ring(&mut self) {
        if let Some((at, report)) = self.executor.ring() {
            self.scenario.now = self.scenario.now.max(at);
            self.send(report);
        }
    }

    fn crash(&mut self) {
        self.executor.crash();
        self.send(take_over(self.scenario.run.epoch().0 + 1));
    }

    fn wish(&mut self, wish: Wish) {
        let command = match wish {
            Wish::Pause { stop_running } => Command::Pause { stop_running },
            Wish::Resume => Command::Resume,
            Wish::Cancel => Command::Cancel,
            Wish::Retry { node, resume } => Command::RetryNode {
                node: self.pick(node),
                resume,
            },
            Wish::RerunFrom(node) => Command::RerunFrom {
                node: self.pick(node),
            },
            Wish::Rerun(node) => Command::RerunNode {
                node: self.pick(node),
            },
            Wish::Continue(node) => Command::ContinueNode {
                node: self.pick(node),
                message: "go on".to_owned(),
            },
            Wish::RerunStale => Command::RerunStale,
            Wish::RerunFailed => Command::RerunFailed,
            Wish::Stop(node) => Command::StopNode {
                node: self.pick(node),
            },
            Wish::Skip { node, stop } => Command::SkipNode {
                node: self.pick(node),
                stop,
            },
            Wish::MarkDone { node, stop } => Command::MarkDone {
                node: self.pick(node),
                handoff: String::new(),
                stop,
            },
            Wish::MarkFailed(node) => Command::MarkFailed {
                node: self.pick(node),
            },
            Wish::Edit(node) => Command::EditArtifact {
                node: self.pick(node),
                text: "other words".to_owned(),
            },
            Wish::Want(node) => Command::Want {
                finished: Vec::new(),
                goal: self.goal(node),
            },
            Wish::Approve { choice, allow } => return self.approve(choice, allow),
            Wish::Give { choice, right } => return self.give(choice, right),
            Wish::Checkpoint => Command::Checkpoint {
                name: "here".to_owned(),
                data: 1.into(),
                files: None,
            },
            Wish::Rollback(choice) => return self.roll_back(choice),
            Wish::Replan => return self.replan(),
            Wish::EndReplan { choice } => {
                let run = Some(RunId(uuid::Uuid::from_u128(7)));
                let end = [
                    ReplanEnd::Accepted { run },
                    ReplanEnd::Rejected,
                    ReplanEnd::GivenUp,
                ][choice];
                Command::EndReplan {
                    proposal: PROPOSAL,
                    end,
                }
            }
        };
        self.send(command);
    }

    fn replan(&mut self) {
        let possible = matches!(
            self.reference.phase,
            Phase::Failed | Phase::Stalled | Phase::Replanning { .. }
        );
        let granted = self.send(Command::BeginReplan { proposal: PROPOSAL });
        assert_eq!(
            granted, possible,
            "only a run that could not continue is replanned"
        );
    }

    fn approve(&mut self, choice: usize, allow: bool) {
        let waits = self.asking(|fact| *fact == Fact::AsksApproval);
        let node = waits.get(choice % waits.len().max(1)).copied();
        let granted = self.send(Command::Approve {
            node: node.unwrap_or(self.pick(choice)),
            allow,
        });
        assert_eq!(
            granted,
            node.is_some(),
            "approval is accepted exactly for nodes that wait for it"
        );
    }

    fn give(&mut self, choice: usize, right: bool) {
        let waits = self.asking(|fact| matches!(fact, Fact::AsksInput { .. }));
        let node = waits.get(choice % waits.len().max(1)).copied();
        let takes = node.map(|node| {
            self.scenario
                .run
                .node(node)
                .expect("a node of the plan")
                .state
                .clone()
        });
        let value = match takes {
            _ if !right => " ",
            Some(NodeState::Waiting {
                what:
                    WaitingFor::Input {
                        input_type: crate::node::InputType::Confirm,
                        ..
                    },
            }) => "Y",
            _ => "left ",
        };
        let value = value.to_owned();
        let granted = self.send(Command::GiveInput {
            node: node.unwrap_or(self.pick(choice)),
            value,
        });
        assert_eq!(
            granted,
            right && node.is_some(),
            "only a valid answer to an open question is accepted"
        );
    }

    fn asking(&self, which: fn(&Fact) -> bool) -> Vec<NodeId> {
        let nodes = self.scenario.run.nodes().zip(&self.reference.known);
        nodes
            .filter(|(_, known)| which(&known.fact))
            .map(|((node, _), _)| node.id)
            .collect()
    }

    fn roll_back(&mut self, choice: usize) {
        let checkpoint = u32::try_from(choice).expect("a small number");
        let possible = self.reference.busy() == 0 && choice < self.scenario.run.checkpoints().len();
        let granted = self.send(Command::Rollback {
            checkpoint,
            files: false,
        });
        assert_eq!(granted, possible, "a run is rolled back when nothing runs");
    }

    /// Reports the end of an attempt again that has already ended.
    fn send_late_end(&mut self, node: usize) {
        let node = self.pick(node);
        let Some(attempt) = self.scenario.run.node(node).map(|run| run.attempt) else {
            return;
        };
        let fact = self.reference.known[self.reference.number(node)].fact;
        if !matches!(fact, Fact::Reserved | Fact::Lives) {
            let report = ended(node, attempt, Outcome::Succeeded);
            assert!(
                !self.send(report),
                "a late report of an ended attempt changes nothing"
            );
        }
    }

    /// Lets the executor run until it is idle. The run must then be at rest.
    fn run_to_rest(&mut self) {
        self.dies_next = false;
        for _ in 0..2_000 {
            if let Some((node, attempt)) = self.executor.withdrawn.pop() {
                self.send(Command::SessionWithdrawn { node, attempt });
            } else if let Some(position) = self.executor.start(0, self.limit) {
                self.send(self.executor.report(position));
            } else if let Some(session) = self.executor.live.first() {
                match session.asks.first().cloned() {
                    Some(request) => self.answer_repeated_question(request),
                    None if session.stopped => self.end(0, Outcome::Cancelled, None),
                    None => self.end(0, Outcome::Succeeded, Some(true)),
                }
            } else if !self.answer_pending_question() {
                if self.executor.is_idle() {
                    break;
                }
                self.ring();
            }
        }
        assert!(self.executor.is_idle(), "the executor must become idle");
        let state = self.scenario.run.state();
        assert!(
            !state.is_running(),
            "nothing is left to do, but the run is {state:?}"
        );
    }

    /// A session whose question was lost asks again. Open questions are answered.
    fn answer_repeated_question(&mut self, request: String) {
        self.ask(0, request.clone());
        if let Some(session) = self
            .executor
            .live
            .first()
            .filter(|session| session.asks.contains(&request))
        {
            let node = session.node;
            assert!(self.send(Command::Answer {
                node,
                request,
                answer: Answer::AllowOnce
            }));
        }
    }

    fn answer_pending_question(&mut self) -> bool {
        if !self.scenario.run.state().is_running() {
            return false;
        }
        let words = !self
            .asking(|fact| matches!(fact, Fact::AsksInput { .. }))
            .is_empty();
        let leave = !self.asking(|fact| *fact == Fact::AsksApproval).is_empty();
        match (words, leave) {
            (true, _) => self.give(0, true),
            (_, true) => self.approve(0, true),
            _ => return false,
        }
        true
    }

    /// Sends a command and compares the complete state. Returns whether it was accepted.
    fn send(&mut self, command: Command) -> bool {
        let Ok(step) = self.scenario.step(&command) else {
            return false;
        };
        self.reference.learn(&command, self.scenario.now);
        // A run that restarts automatically comes to rest first.
        for events in step
            .events
            .split_inclusive(|event| matches!(event, Event::PlanRetried { .. }))
        {
            self.follow(events, &command);
            let retries = self.reference.plan_retries;
            self.reference.settle();
            let is_retried = matches!(events.last(), Some(Event::PlanRetried { .. }));
            assert_eq!(
                self.reference.plan_retries - retries,
                u32::from(is_retried),
                "after {command:?}"
            );
        }
        if step.events.is_empty() {
            self.follow(&[], &command);
            self.reference.settle();
        }
        self.history.extend(
            step.events
                .into_iter()
                .map(|event| (self.scenario.now, event)),
        );
        if std::mem::take(&mut self.dies_next) {
            self.compare(&command);
            self.crash();
        } else {
            step.effects
                .into_iter()
                .for_each(|effect| self.executor.perform(effect));
            self.compare(&command);
            self.check_effects(&command);
        }
        true
    }

    fn follow(&mut self, events: &[Event], command: &Command) {
        let mut asked = BTreeSet::new();
        for event in events {
            match event {
                Event::NodeHeld { node, .. } | Event::InputAsked { node, .. } => {
                    asked.insert(self.reference.number(*node));
                }
                _ => {}
            }
        }
        assert_eq!(
            asked,
            self.reference.ask(self.scenario.now),
            "open questions after {command:?}"
        );
        for event in events {
            if let Event::NodeReserved { node, .. } = event {
                self.reference.reserve(self.reference.number(*node));
            }
            self.event_log.record(event);
        }
        assert_eq!(
            self.reference.next(),
            None,
            "no node waits while a slot is free after {command:?}"
        );
    }
}
