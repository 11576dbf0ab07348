//! Compares the run with its reference, and checks invariants of every run.

use std::collections::BTreeSet;

use super::super::judgment::Standing;
use super::super::reference::{Fact, Phase};
use super::RandomRun;
use crate::NodeId;
use crate::run::{
    BeforeReplan, Command, Ending, NodeRun, NodeState, PauseReason, Run, RunState, SkipReason,
    WaitingFor,
};

impl RandomRun {
    pub(super) fn compare(&self, after: &Command) {
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
            assert!(node.losses <= 11, "external failures are retried ten times");
            self.check_cause(&node.state);
        }
        assert_eq!(
            run.ready.numbers(),
            self.reference.ready(),
            "ready after {after:?}"
        );
        self.check_run_is_idle();
    }

    /// The executor knows everything it needs, even if it has just received the run.
    pub(super) fn check_effects(&self, after: &Command) {
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
                    .may_finish_cleanup(self.reference.number(session.node));
            assert!(
                session.stopped || !(all || over_budget),
                "a session is ordered to end after {after:?}"
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
        self.check_priorities(after);
        for (node, ..) in run.live_attempts() {
            assert!(
                known.contains(&node),
                "an attempt is known to its executor after {after:?}"
            );
        }
    }

    /// No reserved attempt waits for a slot that should go to a node with higher priority.
    fn check_priorities(&self, after: &Command) {
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
            .filter(|&number| !self.reference.starts_with_question(number));
        let best = rivals.map(priority).max().unwrap_or(0);
        for session in &self.executor.queue {
            let number = self.reference.number(session.node);
            assert!(
                priority(number) >= best,
                "{number} takes the slot of a node with higher priority, after {after:?}"
            );
        }
    }

    fn check_run_is_idle(&self) {
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
            may_ask || run.nodes_awaiting_person().next().is_none(),
            "no question is open in a run that is {:?}",
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
                    Fact::AsksApproval,
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
                    Fact::AsksInput { due },
                    NodeState::Waiting {
                        what: WaitingFor::Input { due: actual, .. },
                    },
                ) => due == *actual,
                (Fact::Done { by_hand }, NodeState::Done { by_hand: actual }) => by_hand == *actual,
                (
                    Fact::WentOn { at },
                    NodeState::Failed {
                        went_on_at: Some(actual),
                        ..
                    },
                ) => id(at) == *actual,
                (
                    Fact::JumpedOver { by },
                    NodeState::Skipped {
                        reason: SkipReason::JumpedOver { by: actual },
                    },
                ) => id(by) == *actual,
                _ => false,
            },
            _ => false,
        }
    }

    /// The parent named in a state explains that state.
    fn check_cause(&self, state: &NodeState) {
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

    pub(super) fn check_history(&self) {
        let run = &self.scenario.run;
        let replayed = Run::replay(run.id(), run.plan().clone(), self.history.clone())
            .expect("a legal history");
        assert_eq!(replayed.state, run.state);
        assert_eq!(replayed.nodes, run.nodes);
        assert_eq!(replayed.parent_counts, run.parent_counts);
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
        assert_eq!(replayed.stopped_for_pause, run.stopped_for_pause);
        super::super::state_history::follows(run, &self.history);
    }
}

fn agrees(phase: Phase, state: &RunState) -> bool {
    let ending = match state {
        RunState::Running { ending } => return matches_ending(phase, *ending),
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

fn matches_ending(phase: Phase, ending: Option<Ending>) -> bool {
    match (phase, ending) {
        (
            Phase::Pausing { stop_running },
            Some(Ending::Pausing {
                stop_running: actual,
            }),
        ) => stop_running == actual,
        (Phase::Going, None)
        | (Phase::Aborting { .. }, Some(Ending::Aborting { .. }))
        | (Phase::Cancelling, Some(Ending::Cancelling))
        | (Phase::OutOfTime, Some(Ending::TimeUp { .. }))
        | (Phase::OutOfBudget, Some(Ending::BudgetSpent)) => true,
        _ => false,
    }
}
