//! Random plans on random journeys, each step compared with the naive reference.
//!
//! `BATON_CASES` says how many journeys, `BATON_SEED` from which seed on; a seed alone is played alone. A failure prints
//! the seed that leads to it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write as _;

use proptest::collection::vec;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::executor::Executor;
use super::judgment::Standing;
use super::recipe::{Move, Recipe, Wish, moves, plan_from, plans};
use super::reference::{Fact, Phase, Reference};
use super::scenario::{Scenario, ended, executor, kind_of, take_over};
use crate::plan_fixture::node_id;
use crate::run::{
    Answer, AskedCall, BeforeReplan, Command, Ending, Event, Goal, NodeRun, NodeState, PauseReason,
    ReplanEnd, Run, RunState, SkipReason, Spent, WaitingFor,
};
use crate::{ArtifactId, Attempt, NodeId, Outcome, ProposalId, RunId, Timestamp};

/// The one that all journeys speak of.
const PROPOSAL: ProposalId = ProposalId(uuid::Uuid::nil());
const DEFAULT_CASES: u64 = 10_000;
/// So many journeys come from one seed: what has to be replayed when one fails.
const CASES_OF_A_SEED: u64 = 100;

/// What has to happen on some journey.
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
    "asks for words",
    "given words",
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
fn every_journey_follows_the_reference() {
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
        match travel(seed, &mut met) {
            Ok(journeys) => played += journeys,
            Err(error) => {
                panic!(
                    "{error}\nagain with: BATON_SEED={seed} cargo nextest run -p baton-model every_journey"
                )
            }
        }
    }
    // `cargo xtask soak` reads this.
    say(format!("played: {played} journeys"));
    // A proof that never meets an event proves nothing about it.
    let rare: Vec<&str> = EVENTS
        .into_iter()
        .filter(|&event| !met.contains(event))
        .collect();
    assert!(played < 5_000 || rare.is_empty(), "never met: {rare:?}");
}

/// A seed without a number is one to be looked at, and a number is meant as it is said.
fn how_many_seeds(cases: Option<u64>, replayed: bool) -> u64 {
    match cases {
        None if replayed => 1,
        cases => cases.unwrap_or(DEFAULT_CASES).div_ceil(CASES_OF_A_SEED),
    }
}

#[test]
fn as_many_journeys_are_made_as_are_asked_for() {
    assert_eq!(how_many_seeds(None, false), DEFAULT_CASES / CASES_OF_A_SEED);
    assert_eq!(how_many_seeds(None, true), 1, "a failure is played again");
    assert_eq!(
        how_many_seeds(Some(166_666), true),
        1_667,
        "the soak gives both"
    );
    let mut met = BTreeSet::new();
    assert_eq!(
        travel(7, &mut met).expect("a good journey"),
        CASES_OF_A_SEED
    );
    assert!(met.contains("completed"), "{met:?}");
}

/// The journeys of a seed, and how many they were; `met` gathers what happened on them.
fn travel(seed: u64, met: &mut BTreeSet<&'static str>) -> Result<u64, Box<dyn std::error::Error>> {
    let cases = u32::try_from(CASES_OF_A_SEED).expect("a small number");
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
        let mut journey = Journey::begin(&recipe);
        // What people wish of a run that is at rest comes after the first part.
        for part in [moves, more] {
            part.into_iter().for_each(|next| journey.make(next));
            journey.drain();
        }
        journey.check_the_history();
        for event in &journey.history {
            met.borrow_mut().insert(kind_of(&event.1));
        }
        made.set(made.get() + 1);
        Ok(())
    };
    TestRunner::new_with_rng(config, rng).run(&strategy, run)?;
    Ok(made.get())
}

/// A run, its world, what should be, and what happened.
struct Journey {
    scenario: Scenario,
    executor: Executor,
    reference: Reference,
    history: Vec<(Timestamp, Event)>,
    limit: u32,
    dies_next: bool,
    tale: Tale,
}

/// What must never happen twice.
#[derive(Default)]
struct Tale {
    ended: BTreeSet<(NodeId, Attempt)>,
    asked: BTreeSet<(NodeId, Attempt, String)>,
    artifacts: BTreeSet<ArtifactId>,
    /// Nodes that were done and that nobody has asked for again.
    done: BTreeSet<NodeId>,
}

impl Tale {
    fn hear(&mut self, event: &Event) {
        match event {
            Event::NodeEnded {
                node,
                attempt,
                outcome,
                artifact,
                ..
            } => {
                self.hear_an_end(*node, *attempt, *outcome == Outcome::Succeeded);
                self.hear_of_an_artifact(*artifact);
            }
            Event::InputGiven {
                node,
                attempt,
                artifact,
                ..
            } => {
                self.hear_an_end(*node, *attempt, true);
                self.hear_of_an_artifact(*artifact);
            }
            Event::ArtifactEdited { artifact, .. } => self.hear_of_an_artifact(Some(*artifact)),
            Event::NodeAsked {
                node,
                attempt,
                request,
                ..
            } => {
                assert!(
                    self.asked.insert((*node, *attempt, request.clone())),
                    "a person is asked once"
                );
            }
            Event::PlanRetried { again, .. } => self.done.retain(|node| !again.contains(node)),
            Event::NodesReset { nodes, .. } => self.done.retain(|node| !nodes.contains(node)),
            Event::NodeContinued { node, .. } => drop(self.done.remove(node)),
            Event::RolledBack { .. } => self.done.clear(),
            Event::NodeReserved { node, .. } | Event::InputAsked { node, .. } => {
                assert!(
                    !self.done.contains(node),
                    "what is done is not done again by itself"
                );
            }
            _ => {}
        }
    }

    fn hear_an_end(&mut self, node: NodeId, attempt: Attempt, well: bool) {
        assert!(self.ended.insert((node, attempt)), "an attempt ends once");
        if well {
            self.done.insert(node);
        }
    }

    fn hear_of_an_artifact(&mut self, artifact: Option<ArtifactId>) {
        if let Some(artifact) = artifact {
            assert!(
                self.artifacts.insert(artifact),
                "a handoff belongs to one attempt"
            );
        }
    }
}

impl Journey {
    fn begin(recipe: &Recipe) -> Self {
        let scenario = Scenario::of(plan_from(recipe));
        let mut journey = Self {
            executor: Executor::default(),
            reference: Reference::new(scenario.run.plan()),
            history: Vec::new(),
            limit: recipe.limit,
            dies_next: false,
            tale: Tale::default(),
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
        });
        journey
    }

    fn goal(&self, node: Option<usize>) -> Goal {
        match node.filter(|_| !self.scenario.run.plan().nodes.is_empty()) {
            Some(node) => Goal::Only {
                nodes: self.scenario.run.needed_for(self.pick(node)),
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
            Move::LateNews { node } => self.tell_late_news(node),
            _ if self.executor.live.is_empty() => {}
            Move::Report { choice } => drop(self.send(self.executor.report(choice % live))),
            Move::Ask { choice, which } => self.ask(choice % live, format!("request {which}")),
            Move::Answer {
                choice,
                which,
                answer,
            } => self.answer(choice % live, which, answer),
            Move::Use { choice, tokens } => self.use_up(choice % live, tokens),
            Move::Silence { choice, silent } => self.fall_silent(choice % live, silent),
            Move::End {
                choice,
                outcome,
                taken,
            } => self.end(choice % live, outcome, taken),
            Move::Withdraw { .. } => {}
        }
    }

    /// A new question, or one that was asked and is asked again, as after a crash.
    fn ask(&mut self, position: usize, request: String) {
        let session = &mut self.executor.live[position];
        session.asks.insert(request.clone());
        let (node, attempt) = (session.node, session.attempt);
        // Every question is about the same tool, so that leave for more than one call always covers the others.
        let call = Some(AskedCall {
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
            "an answer is taken to what is asked, and to nothing else"
        );
    }

    fn use_up(&mut self, position: usize, tokens: u64) {
        let session = &mut self.executor.live[position];
        session.tokens += tokens;
        let (node, attempt) = (session.node, session.attempt);
        let spent = Spent {
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
        let told = self
            .scenario
            .run
            .node(node)
            .expect("a node of the plan")
            .silent;
        assert_eq!(told, silent && lives, "only what lives is silent");
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
        if let Some((at, told)) = self.executor.ring() {
            self.scenario.now = self.scenario.now.max(at);
            self.send(told);
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
            "a run that could not go on is planned anew, and no other"
        );
    }

    fn approve(&mut self, choice: usize, allow: bool) {
        let waits = self.asking(|fact| *fact == Fact::AsksLeave);
        let node = waits.get(choice % waits.len().max(1)).copied();
        let granted = self.send(Command::Approve {
            node: node.unwrap_or(self.pick(choice)),
            allow,
        });
        assert_eq!(
            granted,
            node.is_some(),
            "leave is given to what waits for it"
        );
    }

    fn give(&mut self, choice: usize, right: bool) {
        let waits = self.asking(|fact| matches!(fact, Fact::AsksWords { .. }));
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
            "an answer is taken to a question, and a right one only"
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

    /// The end of an attempt that has ended already, told again.
    fn tell_late_news(&mut self, node: usize) {
        let node = self.pick(node);
        let Some(attempt) = self.scenario.run.node(node).map(|run| run.attempt) else {
            return;
        };
        let fact = self.reference.known[self.reference.number(node)].fact;
        if !matches!(fact, Fact::Reserved | Fact::Lives) {
            let told = ended(node, attempt, Outcome::Succeeded);
            assert!(
                !self.send(told),
                "a report of an attempt that is over changes nothing"
            );
        }
    }

    /// Lets the world run dry; the run must come to rest then.
    fn drain(&mut self) {
        self.dies_next = false;
        for _ in 0..2_000 {
            if let Some((node, attempt)) = self.executor.withdrawn.pop() {
                self.send(Command::SessionWithdrawn { node, attempt });
            } else if let Some(position) = self.executor.start(0, self.limit) {
                self.send(self.executor.report(position));
            } else if let Some(session) = self.executor.live.first() {
                match session.asks.first().cloned() {
                    Some(request) => self.come_to_terms(request),
                    None if session.stopped => self.end(0, Outcome::Cancelled, None),
                    None => self.end(0, Outcome::Succeeded, Some(true)),
                }
            } else if !self.answer_somebody() {
                if self.executor.is_idle() {
                    break;
                }
                self.ring();
            }
        }
        assert!(self.executor.is_idle(), "it must come to an end");
        let state = self.scenario.run.state();
        assert!(
            !state.is_running(),
            "nothing moves any more, and the run says {state:?}"
        );
    }

    /// A session whose question got lost asks again; what is asked is answered.
    fn come_to_terms(&mut self, request: String) {
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

    fn answer_somebody(&mut self) -> bool {
        if !self.scenario.run.state().is_running() {
            return false;
        }
        let words = !self
            .asking(|fact| matches!(fact, Fact::AsksWords { .. }))
            .is_empty();
        let leave = !self.asking(|fact| *fact == Fact::AsksLeave).is_empty();
        match (words, leave) {
            (true, _) => self.give(0, true),
            (_, true) => self.approve(0, true),
            _ => return false,
        }
        true
    }

    /// Sends a command and compares all that there is; whether it was granted.
    fn send(&mut self, command: Command) -> bool {
        let Ok(step) = self.scenario.step(&command) else {
            return false;
        };
        self.reference.learn(&command, self.scenario.now);
        // A run that starts again by itself comes to rest first.
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
            self.check_the_orders(&command);
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
            "who asks after {command:?}"
        );
        for event in events {
            if let Event::NodeReserved { node, .. } = event {
                self.reference.reserve(self.reference.number(*node));
            }
            self.tale.hear(event);
        }
        assert_eq!(
            self.reference.next(),
            None,
            "nobody waits beside a free place after {command:?}"
        );
    }

    fn compare(&self, after: &Command) {
        let run = &self.scenario.run;
        assert!(
            agrees(self.reference.phase, run.state()),
            "{:?} is {:?} after {after:?}",
            self.reference.phase,
            run.state()
        );
        let standings = self.reference.standings();
        for (number, (_, node)) in run.nodes().enumerate() {
            let (known, standing) = (&self.reference.known[number], standings[number]);
            assert!(
                self.node_agrees(number, standing, node),
                "{number}: the run says {:?}, the reference {standing:?}, after {after:?}",
                node.state
            );
            let marks = (
                node.attempt.0,
                node.own_failures,
                node.losses,
                node.approved,
                node.stale,
                node.taken,
            );
            let expected = (
                known.tried,
                known.own_failures,
                known.losses,
                known.approved,
                known.stale,
                known.taken,
            );
            assert_eq!(
                marks, expected,
                "attempts, own failures, losses, approved, stale, taken of {number} after {after:?}"
            );
            assert!(
                node.losses <= 11,
                "what nobody can help is tried ten times more"
            );
            self.check_the_cause(&node.state);
        }
        assert_eq!(
            run.ready.numbers(),
            self.reference.ready(),
            "ready after {after:?}"
        );
        self.check_that_rest_is_rest();
    }

    /// The executor knows all that it has to know, also when it has just been handed the run.
    fn check_the_orders(&self, after: &Command) {
        let run = &self.scenario.run;
        for (node, view) in run.nodes() {
            let rings = match view.state {
                NodeState::Waiting {
                    what: WaitingFor::RetryAt { at } | WaitingFor::LimitUntil { at },
                } => Some(at),
                NodeState::Waiting {
                    what: WaitingFor::Input { due, .. },
                } => due,
                _ => None,
            };
            assert!(
                rings.is_none_or(|at| self.executor.will_ring(at, Some(node.id))),
                "an alarm after {after:?}"
            );
        }
        let deadline = run
            .deadline()
            .filter(|&at| at > self.scenario.now && run.state().is_running());
        assert!(
            deadline.is_none_or(|at| self.executor.will_ring(at, None)),
            "the run's alarm after {after:?}"
        );
        let all = self.reference.phase.stops_what_runs();
        for session in &self.executor.live {
            let over_budget = self.reference.is_over_budget(session.node);
            let all = all
                && !self
                    .reference
                    .is_spared(self.reference.number(session.node));
            assert!(
                session.stopped || !(all || over_budget),
                "a session is told to end after {after:?}"
            );
        }
        let gone = self.executor.withdrawn.iter().map(|(node, _)| *node);
        let known: BTreeSet<NodeId> = self
            .executor
            .queue
            .iter()
            .chain(&self.executor.live)
            .map(|session| session.node)
            .chain(gone)
            .collect();
        self.check_that_priorities_count(after);
        for (node, ..) in run.live_attempts() {
            assert!(
                known.contains(&node),
                "an attempt is known to its executor after {after:?}"
            );
        }
    }

    /// No order waits for a place that a node of higher priority, which may start, should have.
    fn check_that_priorities_count(&self, after: &Command) {
        let run = &self.scenario.run;
        if run.state() != (&RunState::Running { ending: None })
            || run.live_attempts().count() <= self.limit as usize
        {
            return;
        }
        let priority = |number: usize| run.plan().nodes[number].priority;
        let rivals = self
            .reference
            .ready()
            .into_iter()
            .filter(|&number| !self.reference.begins_with_a_question(number));
        let best = rivals.map(priority).max().unwrap_or(0);
        for session in &self.executor.queue {
            let number = self.reference.number(session.node);
            assert!(
                priority(number) >= best,
                "{number} is in the way of a node that matters more, after {after:?}"
            );
        }
    }

    fn check_that_rest_is_rest(&self) {
        let run = &self.scenario.run;
        let busy = run.live_attempts().count();
        assert!(
            busy <= 2 * self.limit as usize,
            "{busy} places are taken, {} are there",
            self.limit
        );
        assert_eq!(busy, run.counts.live + run.counts.reserved);
        assert!(
            run.state().is_running() || busy == 0,
            "nothing lives in a run that is {:?}",
            run.state()
        );
        assert!(
            run.state().is_running() || self.executor.live.is_empty(),
            "a run at rest leaves no session"
        );
        let may_ask = matches!(
            run.state(),
            RunState::Running { .. }
                | RunState::Paused {
                    reason: PauseReason::Asked
                }
        );
        assert!(
            may_ask || run.asking().next().is_none(),
            "nobody is asked by a run that is {:?}",
            run.state()
        );
        let spent: u64 = run.nodes().map(|(_, node)| node.spent.tokens).sum();
        assert_eq!(run.spent().tokens, spent);
        let is_blocked = run
            .nodes()
            .any(|(_, node)| matches!(node.state, NodeState::Blocked { .. }));
        assert!(
            !is_blocked || *run.state() != RunState::Completed,
            "a run completes without blocked nodes"
        );
    }

    fn node_agrees(&self, number: usize, standing: Standing, node: &NodeRun) -> bool {
        let id = |number: usize| self.scenario.run.plan().nodes[number].id;
        let questions = &self.reference.known[number].questions;
        match (standing, &node.state) {
            (Standing::Ready | Standing::Waits, NodeState::Pending) => true,
            (Standing::Blocked, NodeState::Blocked { .. }) => true,
            (Standing::LeftOut, NodeState::Skipped { reason }) => reason.follows_from_parents(),
            (Standing::Fact(fact), state) => match (fact, state) {
                (
                    Fact::Reserved,
                    NodeState::Waiting {
                        what: WaitingFor::Slot,
                    },
                )
                | (
                    Fact::Retrying,
                    NodeState::Waiting {
                        what: WaitingFor::RetryAt { .. },
                    },
                )
                | (
                    Fact::Parked,
                    NodeState::Waiting {
                        what: WaitingFor::LimitUntil { .. },
                    },
                )
                | (
                    Fact::AsksLeave,
                    NodeState::Waiting {
                        what: WaitingFor::Approval { .. },
                    },
                )
                | (
                    Fact::Passed,
                    NodeState::Skipped {
                        reason: SkipReason::ByHand,
                    },
                )
                | (
                    Fact::Tolerated,
                    NodeState::Skipped {
                        reason: SkipReason::AfterFailure { .. },
                    },
                )
                | (
                    Fact::Refused,
                    NodeState::Skipped {
                        reason: SkipReason::Refused,
                    },
                )
                | (
                    Fact::Failed,
                    NodeState::Failed {
                        went_on_at: None, ..
                    },
                )
                | (Fact::Interrupted, NodeState::Interrupted { .. }) => true,
                (Fact::Lives, NodeState::Running) => questions.is_empty(),
                (
                    Fact::Lives,
                    NodeState::Waiting {
                        what: WaitingFor::Person { request, .. },
                    },
                ) => questions.first() == Some(request),
                (
                    Fact::AsksWords { due },
                    NodeState::Waiting {
                        what: WaitingFor::Input { due: told, .. },
                    },
                ) => due == *told,
                (Fact::Done { by_hand }, NodeState::Done { by_hand: told }) => by_hand == *told,
                (
                    Fact::WentOn { at },
                    NodeState::Failed {
                        went_on_at: Some(told),
                        ..
                    },
                ) => id(at) == *told,
                (
                    Fact::JumpedOver { by },
                    NodeState::Skipped {
                        reason: SkipReason::JumpedOver { by: told },
                    },
                ) => id(by) == *told,
                _ => false,
            },
            _ => false,
        }
    }

    /// The parent that a state names is one that explains it.
    fn check_the_cause(&self, state: &NodeState) {
        let named = |id: &NodeId| {
            &self
                .scenario
                .run
                .node(*id)
                .expect("a node of the plan")
                .state
        };
        match state {
            NodeState::Blocked { by } => assert!(
                matches!(
                    named(by),
                    NodeState::Failed { .. }
                        | NodeState::Interrupted { .. }
                        | NodeState::Blocked { .. }
                ),
                "blocked by a node that is {:?}",
                named(by)
            ),
            NodeState::Skipped {
                reason: SkipReason::ParentSkipped { parent },
            } => {
                assert!(
                    matches!(named(parent), NodeState::Skipped { .. }),
                    "skipped with {:?}",
                    named(parent)
                );
            }
            NodeState::Skipped {
                reason: SkipReason::NotTaken { by },
            } => {
                assert!(
                    matches!(named(by), NodeState::Done { .. }),
                    "by {:?}",
                    named(by)
                );
            }
            NodeState::Skipped {
                reason:
                    SkipReason::RuleNotMet {
                        because: Some(parent),
                    },
            } => assert!(
                matches!(
                    named(parent),
                    NodeState::Failed {
                        went_on_at: Some(_),
                        ..
                    } | NodeState::Skipped {
                        reason: SkipReason::AfterFailure { .. }
                    }
                ),
                "its rule is not met because of {:?}",
                named(parent)
            ),
            _ => {}
        }
    }

    fn check_the_history(&self) {
        let run = &self.scenario.run;
        let replayed = Run::replay(run.id(), run.plan().clone(), self.history.clone())
            .expect("a legal history");
        assert_eq!(replayed.state, run.state);
        assert_eq!(replayed.nodes, run.nodes);
        assert_eq!(replayed.tallies, run.tallies);
        assert_eq!(replayed.jumps, run.jumps);
        assert_eq!(replayed.ready, run.ready);
        assert_eq!(replayed.counts, run.counts);
        assert_eq!(replayed.busy_agents, run.busy_agents);
        assert_eq!(
            (&replayed.overtaken, &replayed.busy),
            (&run.overtaken, &run.busy)
        );
        let rest = |run: &Run| {
            (
                run.epoch,
                run.limit,
                run.goal.clone(),
                run.wanted.clone(),
                run.spent,
                run.deadline(),
            )
        };
        assert_eq!(rest(&replayed), rest(run), "replay gives the same run");
        assert_eq!(replayed.stopped_for_a_pause, run.stopped_for_a_pause);
        super::course::follows(run, &self.history);
    }
}

fn agrees(phase: Phase, state: &RunState) -> bool {
    let ending = match state {
        RunState::Running { ending } => return runs_so(phase, *ending),
        state => state,
    };
    match (phase, ending) {
        (Phase::Paused, RunState::Paused { reason }) => *reason == PauseReason::Asked,
        (Phase::AtItsGoal, RunState::Paused { reason }) => *reason == PauseReason::GoalReached,
        (Phase::RolledBack, RunState::Paused { reason }) => *reason == PauseReason::RolledBack,
        (Phase::Stalled, RunState::Stalled { .. })
        | (Phase::Completed, RunState::Completed)
        | (Phase::Failed, RunState::Failed { .. })
        | (
            Phase::Replanning { failed: true },
            RunState::Replanning {
                before: BeforeReplan::Failed { .. },
                ..
            },
        )
        | (
            Phase::Replanning { failed: false },
            RunState::Replanning {
                before: BeforeReplan::Stalled { .. },
                ..
            },
        )
        | (Phase::Cancelled, RunState::Cancelled) => true,
        _ => false,
    }
}

fn runs_so(phase: Phase, ending: Option<Ending>) -> bool {
    match (phase, ending) {
        (Phase::Pausing { stop_running }, Some(Ending::Pausing { stop_running: told })) => {
            stop_running == told
        }
        (Phase::Going, None)
        | (Phase::Aborting { .. }, Some(Ending::Aborting { .. }))
        | (Phase::Cancelling, Some(Ending::Cancelling))
        | (Phase::OutOfTime, Some(Ending::TimeUp { .. }))
        | (Phase::OutOfBudget, Some(Ending::BudgetSpent)) => true,
        _ => false,
    }
}
