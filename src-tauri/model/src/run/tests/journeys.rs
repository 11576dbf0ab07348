//! Random plans on random journeys, each step compared with the naive reference.

use proptest::test_runner::{Config, TestRunner};

use super::executor::Executor;
use super::recipe::{Move, Recipe, Wish, moves, plan_from, plans};
use super::reference::{Fact, Reference, Standing};
use super::scenario::{Scenario, ended, take_over};
use crate::node::TriggerRule;
use crate::plan_fixture::node_id;
use crate::run::{Command, Effect, Ending, Event, Goal, NodeState, PauseReason, Run, RunState, SkipReason, WaitingFor};
use crate::{NodeId, Outcome, Timestamp};

const DEFAULT_CASES: u32 = 2000;

#[test]
fn every_journey_follows_the_reference() {
    let cases = std::env::var("BATON_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(DEFAULT_CASES);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let strategy = (plans(), proptest::collection::vec(moves(), 0..60));
    TestRunner::new(config)
        .run(&strategy, |(recipe, moves)| {
            let mut journey = Journey::begin(&recipe);
            for next in moves {
                journey.make(next);
            }
            journey.drain();
            journey.check_the_history();
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

/// A run, its world, what should be, and the same run as its stored events tell it.
struct Journey {
    scenario: Scenario,
    executor: Executor,
    reference: Reference,
    replica: Run,
    history: Vec<(Timestamp, Event)>,
    limit: u32,
}

impl Journey {
    fn begin(recipe: &Recipe) -> Self {
        let plan = plan_from(recipe);
        let scenario = Scenario::of(plan);
        let mut journey = Self {
            executor: Executor::default(),
            reference: Reference::new(scenario.run.plan()),
            replica: scenario.run.clone(),
            history: Vec::new(),
            limit: recipe.limit,
            scenario,
        };
        let goal = journey.goal(recipe.goal);
        let executor = super::scenario::executor();
        journey.send(Command::Start { version: 1, goal, limit: Some(recipe.limit), executor });
        journey
    }

    fn goal(&self, node: Option<usize>) -> Goal {
        match node.filter(|_| !self.scenario.run.plan().nodes.is_empty()) {
            Some(node) => Goal::Only { nodes: self.scenario.run.needed_for(self.pick(node)) },
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
                    let told = self.executor.report(position);
                    self.send(told);
                }
            }
            Move::Report { choice } if !self.executor.live.is_empty() => {
                let told = self.executor.report(choice % live);
                self.send(told);
            }
            Move::Ask { choice } => self.ask(choice % live),
            Move::Answer { choice, stranger } => self.answer(choice % live, stranger),
            Move::End { choice, outcome } if !self.executor.live.is_empty() => self.end(choice % live, outcome),
            Move::Withdraw { choice } if !self.executor.withdrawn.is_empty() => {
                let (node, attempt) = self.executor.withdrawn.remove(choice % self.executor.withdrawn.len());
                self.send(Command::SessionWithdrawn { node, attempt });
            }
            Move::Ring => self.ring(),
            Move::Crash => {
                self.executor.crash();
                self.send(take_over(self.scenario.run.epoch().0 + 1));
            }
            Move::Person(wish) => self.wish(wish),
            Move::LateNews { node } => self.tell_late_news(node),
            Move::Report { .. } | Move::End { .. } | Move::Withdraw { .. } => {}
        }
    }

    fn ask(&mut self, position: usize) {
        let Some(session) = self.executor.live.get_mut(position) else { return };
        let request = format!("request {}", session.session);
        session.asks = Some(request.clone());
        session.reported = true;
        let (node, attempt) = (session.node, session.attempt);
        self.send(Command::SessionAsked { node, attempt, question: "May I?".to_owned(), request });
    }

    fn answer(&mut self, position: usize, stranger: bool) {
        let Some(session) = self.executor.live.get(position) else { return };
        let asked = session.asks.clone();
        let request = if stranger { "another".to_owned() } else { asked.clone().unwrap_or_default() };
        let granted = self.send(Command::Answer { node: session.node, request, allow: true });
        assert_eq!(granted, asked.is_some() && !stranger, "exactly what is asked can be answered");
    }

    fn end(&mut self, position: usize, outcome: Outcome) {
        let session = self.executor.live.remove(position);
        assert!(self.send(ended(session.node, session.attempt, outcome)), "the end of a living session is news");
    }

    fn ring(&mut self) {
        if let Some((at, told)) = self.executor.ring() {
            self.scenario.now = self.scenario.now.max(at);
            self.send(told);
        }
    }

    fn wish(&mut self, wish: Wish) {
        let command = match wish {
            Wish::Pause { stop_running } => Command::Pause { stop_running },
            Wish::Resume => Command::Resume,
            Wish::Cancel => Command::Cancel,
            Wish::Retry(node) => Command::RetryNode { node: self.pick(node) },
            Wish::Rerun(node) => Command::RerunFrom { node: self.pick(node) },
            Wish::Skip(node) => Command::SkipNode { node: self.pick(node) },
            Wish::MarkDone(node) => Command::MarkDone { node: self.pick(node), handoff: String::new() },
            Wish::Want(node) => Command::Want { goal: self.goal(node) },
        };
        self.send(command);
    }

    /// The end of an attempt that has ended already, told again.
    fn tell_late_news(&mut self, node: usize) {
        let node = self.pick(node);
        let Some(run) = self.scenario.run.node(node) else { return };
        let under_way = run.state == NodeState::Running
            || matches!(run.state, NodeState::Waiting { what: WaitingFor::Slot | WaitingFor::Person { .. } });
        if !under_way {
            let told = ended(node, run.attempt, Outcome::Succeeded);
            assert!(!self.send(told), "a report of an attempt that is over changes nothing");
        }
    }

    /// Lets the world run dry; the run must come to rest then.
    fn drain(&mut self) {
        for _ in 0..10_000 {
            if self.executor.is_idle() {
                break;
            }
            if let Some((node, attempt)) = self.executor.withdrawn.pop() {
                self.send(Command::SessionWithdrawn { node, attempt });
            } else if let Some(position) = self.executor.start(0, self.limit) {
                let told = self.executor.report(position);
                self.send(told);
            } else if let Some(session) = self.executor.live.first() {
                let outcome = if session.stopped { Outcome::Cancelled } else { Outcome::Succeeded };
                self.end(0, outcome);
            } else {
                self.ring();
            }
        }
        assert!(self.executor.is_idle(), "it must come to an end");
        let state = self.scenario.run.state();
        assert!(!state.is_running(), "nothing moves any more, and the run says {state:?}");
        if *state == RunState::Completed {
            let untouched = |fact: &&Fact| **fact != Fact::Good;
            let standings = self.reference.standings();
            let left = self.reference.facts.iter().filter(untouched).count();
            let left_out = standings.iter().filter(|standing| **standing == Standing::LeftOut).count();
            assert_eq!(left, left_out, "completed: all is done, or need not be");
        }
    }

    /// Sends a command and compares all that there is; whether it was granted.
    fn send(&mut self, command: Command) -> bool {
        let before = self.scenario.run.clone();
        let step = match self.scenario.step(&command) {
            Ok(step) => step,
            Err(_) => {
                assert_same(&before, &self.scenario.run, "a refusal changes nothing");
                return false;
            }
        };
        self.reference.learn(&command, &before);
        for event in &step.events {
            if let Event::NodeReserved { node, .. } = event {
                let number = self.scenario.run.graph().number(*node).expect("a node of the plan");
                assert!(self.reference.ready().contains(&number), "{node} is reserved, and may not start: {command:?}");
                self.check_that_a_start_is_allowed(number);
                self.reference.reserved(*node);
            }
            self.history.push((self.scenario.now, event.clone()));
            self.replica.apply(self.scenario.now, event).expect("what was decided can be replayed");
        }
        step.effects.into_iter().for_each(|effect: Effect| self.executor.perform(effect));
        assert_same(&self.replica, &self.scenario.run, "the events tell the whole state");
        self.check_that_a_failure_counts(&command, &before);
        self.compare(&command);
        true
    }

    /// Nothing starts in a run that is ending, unless its rule asks for failures (product E7).
    fn check_that_a_start_is_allowed(&self, number: usize) {
        let rule = self.scenario.run.plan().nodes[number].trigger_rule;
        match self.replica.state() {
            RunState::Running { ending: None } => {}
            RunState::Running { ending: Some(Ending::Aborting { .. }) } => {
                assert!(
                    matches!(rule, TriggerRule::AllDone | TriggerRule::OneFailed),
                    "{rule:?} starts after a failure"
                );
            }
            state => panic!("a node starts in a run that is {state:?}"),
        }
    }

    /// A failure whose policy is to abort ends the run.
    fn check_that_a_failure_counts(&self, command: &Command, before: &Run) {
        let Command::SessionEnded { node, .. } = command else { return };
        let state = &self.scenario.run.node(*node).expect("a node of the plan").state;
        let ran_on = *self.scenario.run.state() == RunState::Running { ending: None };
        assert!(!ran_on || !matches!(state, NodeState::Failed { .. }) || before.state() != self.scenario.run.state());
    }

    fn compare(&self, after: &Command) {
        let run = &self.scenario.run;
        for ((node, view), standing) in run.nodes().zip(self.reference.standings()) {
            assert!(
                Reference::agrees(standing, &view.state),
                "{}: the run says {:?}, the reference {standing:?}, after {after:?}",
                node.slug,
                view.state
            );
            self.check_the_cause(&view.state);
        }
        let tried: Vec<u32> = run.nodes().map(|(_, view)| view.attempt.0).collect();
        assert_eq!(tried, self.reference.attempts, "attempts after {after:?}");
        self.check_that_an_end_is_one();
        let ready: std::collections::BTreeSet<usize> = run.ready.iter().map(|key| key.2).collect();
        assert_eq!(ready, self.reference.ready(), "ready after {after:?}");
        let busy = run.live_attempts().count();
        assert!(busy <= 2 * self.limit as usize, "{busy} places are taken, {} are there", self.limit);
        assert_eq!(busy, run.counts.live + run.counts.reserved);
        assert!(run.state().is_running() || busy == 0, "nothing lives in a run that is {:?}", run.state());
    }

    /// A run that has come to an end by itself left nothing that would go on by itself.
    fn check_that_an_end_is_one(&self) {
        let state = self.scenario.run.state();
        let by_itself = matches!(
            state,
            RunState::Completed
                | RunState::Failed { .. }
                | RunState::Stalled { .. }
                | RunState::Paused { reason: PauseReason::GoalReached }
        );
        let retries = self.reference.facts.contains(&Fact::Retrying);
        assert!(!by_itself || !retries, "a node waits for its retry in a run that is {state:?}");
    }

    /// The parent that a state names is one that explains it.
    fn check_the_cause(&self, state: &NodeState) {
        let named = |id: &NodeId| &self.scenario.run.node(*id).expect("a node of the plan").state;
        match state {
            NodeState::Blocked { by } => assert!(
                matches!(
                    named(by),
                    NodeState::Failed { .. } | NodeState::Interrupted { .. } | NodeState::Blocked { .. }
                ),
                "blocked by a node that is {:?}",
                named(by)
            ),
            NodeState::Skipped { reason: SkipReason::ParentSkipped { parent } } => {
                assert!(matches!(named(parent), NodeState::Skipped { .. }), "skipped with {:?}", named(parent));
            }
            _ => {}
        }
    }

    fn check_the_history(&self) {
        let run = &self.scenario.run;
        let replayed = Run::replay(run.id(), run.plan().clone(), self.history.clone()).expect("a legal history");
        assert_same(&replayed, run, "replay gives the same run");
        let text = |run: &Run| format!("{:?} {:?} {:?}", run.state, run.nodes, run.ready);
        assert_eq!(text(&replayed), text(run));
    }
}

fn assert_same(one: &Run, other: &Run, why: &str) {
    assert_eq!(one.state, other.state, "{why}");
    assert_eq!(one.nodes, other.nodes, "{why}");
    assert_eq!(one.tallies, other.tallies, "{why}");
    assert_eq!(one.ready, other.ready, "{why}");
    assert_eq!(one.counts, other.counts, "{why}");
    let rest = |run: &Run| (run.epoch, run.limit, run.goal.clone(), run.wanted.clone());
    assert_eq!(rest(one), rest(other), "{why}");
}
