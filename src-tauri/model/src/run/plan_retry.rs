//! A failed run that starts again from its failed nodes, as often as its plan says (`planRetries`).

use crate::outcome::Failure;
use crate::{NodeId, Timestamp};

use super::backoff::{AFTER_FAILURE_MS, backoff_ms};
use super::effect::Effect;
use super::event::Event;
use super::state::{NodeState, RunState, SkipReason, WaitingFor};
use super::{Context, Run};

impl Run {
    /// How often the run has started again by itself.
    #[must_use]
    pub fn plan_retries(&self) -> u32 {
        self.plan_retries
    }

    /// The event by which the run starts again instead of failing. `None`: it has not failed, has no retries left, or
    /// failed in a way that a person decided or that a retry would only make more expensive.
    pub(super) fn plan_retry(&self, context: &Context<'_>) -> Option<Event> {
        let failed: Vec<usize> = (0..self.nodes.len())
            .filter(|&number| self.has_failed_unhandled(number))
            .collect();
        let has_retries_left = self.plan_retries < self.plan.settings.plan_retries;
        if failed.is_empty()
            || !has_retries_left
            || failed.iter().any(|&number| self.forbids_plan_retry(number))
        {
            return None;
        }
        let dependents = failed
            .iter()
            .flat_map(|&number| self.graph.dependents(number));
        let mut again: Vec<usize> = dependents
            .filter(|&number| self.ended_by_itself(number))
            .collect();
        again.sort_unstable();
        again.dedup();
        again.retain(|number| !failed.contains(number));
        // Budgets span all retries: a node that has spent its own could only be stopped.
        if failed
            .iter()
            .chain(&again)
            .any(|&number| self.over_budget(number).is_some())
        {
            return None;
        }
        let ids = |numbers: Vec<usize>| {
            numbers
                .into_iter()
                .map(|number| self.graph.id(number))
                .collect()
        };
        let due = context.now.plus_ms(backoff_ms(
            self.plan_retries,
            AFTER_FAILURE_MS,
            context.chance,
        ));
        Some(Event::PlanRetried {
            retry: self.plan_retries + 1,
            failed: ids(failed),
            again: ids(again),
            due,
        })
    }

    pub(super) fn plan_retry_fits(&self, failed: &[NodeId], again: &[NodeId]) -> bool {
        let number = |&node: &NodeId| self.graph.number(node);
        self.state.is_running()
            && self.counts.live + self.counts.reserved == 0
            && failed
                .iter()
                .all(|node| number(node).is_some_and(|number| self.has_failed_unhandled(number)))
            && again
                .iter()
                .all(|node| number(node).is_some_and(|number| self.ended_by_itself(number)))
    }

    /// Puts the failed nodes on hold until `due`, and what ran after them back to its beginning. Budgets and the run's
    /// time limit go on counting.
    pub(super) fn retry_plan(
        &mut self,
        (failed, again): (&[NodeId], &[NodeId]),
        due: Timestamp,
    ) -> Vec<Effect> {
        self.plan_retries += 1;
        self.state = RunState::Running { ending: None };
        for number in self.numbers_of(again) {
            self.begin_again(number, NodeState::Pending);
        }
        for number in self.numbers_of(failed) {
            let what = WaitingFor::RetryAt { at: due };
            self.begin_again(number, NodeState::Waiting { what });
        }
        failed
            .iter()
            .map(|&node| Effect::WakeAt { node, at: due })
            .collect()
    }

    fn numbers_of(&self, nodes: &[NodeId]) -> Vec<usize> {
        nodes
            .iter()
            .filter_map(|&node| self.graph.number(node))
            .collect()
    }

    fn has_failed_unhandled(&self, number: usize) -> bool {
        matches!(
            self.nodes[number].state,
            NodeState::Failed {
                went_on_at: None,
                ..
            }
        )
    }

    fn forbids_plan_retry(&self, number: usize) -> bool {
        let NodeState::Failed { failure, .. } = &self.nodes[number].state else {
            return false;
        };
        matches!(failure, Failure::ByHand | Failure::BudgetSpent { .. })
    }

    /// What a person decided about a node stays as it is.
    fn ended_by_itself(&self, number: usize) -> bool {
        matches!(
            self.nodes[number].state,
            NodeState::Done { by_hand: false }
                | NodeState::Failed { .. }
                | NodeState::Skipped {
                    reason: SkipReason::AfterFailure { .. }
                }
        )
    }
}
