//! Automatic restarts of a failed run from its failed nodes (`planRetries`).

use crate::outcome::Failure;
use crate::{NodeId, Timestamp};

use super::backoff::{AFTER_FAILURE_MS, backoff_ms};
use super::effect::Effect;
use super::event::Event;
use super::state::{NodeState, RunState, SkipReason, WaitingFor};
use super::{Context, Run};

impl Run {
    /// How often the run was automatically restarted.
    #[must_use]
    pub fn plan_retries(&self) -> u32 {
        self.plan_retries
    }

    /// The event that restarts the run instead of failing it. `None` if it has not failed, has no
    /// restarts left, or failed because of a person's decision or an exhausted limit.
    pub(super) fn plan_retry(&self, context: &Context<'_>) -> Option<Event> {
        let failed: Vec<usize> = (0..self.nodes.len())
            .filter(|&number| self.has_unhandled_failure(number))
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
            .filter(|&number| self.was_decided_by_session(number))
            .collect();
        again.sort_unstable();
        again.dedup();
        again.retain(|number| !failed.contains(number));
        // Budgets span all retries, so a node without budget would only be stopped again.
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

    pub(super) fn accepts_plan_retry(&self, failed: &[NodeId], again: &[NodeId]) -> bool {
        let number = |&node: &NodeId| self.graph.number(node);
        self.state.is_running()
            && self.counts.live + self.counts.reserved == 0
            && failed
                .iter()
                .all(|node| number(node).is_some_and(|number| self.has_unhandled_failure(number)))
            && again
                .iter()
                .all(|node| number(node).is_some_and(|number| self.was_decided_by_session(number)))
    }

    /// Puts the failed nodes on hold until `due`, and resets the nodes that ran after them. Budgets
    /// and the run's time limit are not reset.
    pub(super) fn retry_plan(
        &mut self,
        (failed, again): (&[NodeId], &[NodeId]),
        due: Timestamp,
    ) -> Vec<Effect> {
        self.plan_retries += 1;
        self.state = RunState::Running { ending: None };
        for number in self.numbers_of(again) {
            self.restart_node(number, NodeState::Pending);
        }
        for number in self.numbers_of(failed) {
            let what = WaitingFor::RetryAt { at: due };
            self.restart_node(number, NodeState::Waiting { what });
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

    fn has_unhandled_failure(&self, number: usize) -> bool {
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

    /// A person's decision about a node is kept.
    fn was_decided_by_session(&self, number: usize) -> bool {
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
