//! How a run ends when nothing is left to do, or restarts automatically.

use std::collections::BTreeSet;

use super::super::judgment::{Parent, Standing};
use super::{Fact, Phase, Reference};
use crate::run::Goal;

impl Reference {
    pub(super) fn failed(&self) -> Vec<usize> {
        (0..self.known.len())
            .filter(|&number| self.known[number].fact == Fact::Failed)
            .collect()
    }

    pub(super) fn may_retry_plan(&self) -> bool {
        let has_budget = |number: &usize| !self.is_over_budget(self.plan.nodes[*number].id);
        self.plan_retries < self.plan.settings.plan_retries
            && self
                .failed()
                .into_iter()
                .all(|number| !self.known[number].fails_for_good)
            && self.failed().iter().all(has_budget)
            && self.ran_after(&self.failed()).iter().all(has_budget)
    }

    /// Returns what ran after these nodes without a person's decision.
    pub(super) fn ran_after(&self, failed: &[usize]) -> BTreeSet<usize> {
        let below = failed
            .iter()
            .flat_map(|&number| self.layout.dependents(number));
        below
            .filter(|&number| {
                matches!(
                    self.known[number].fact,
                    Fact::Done { by_hand: false }
                        | Fact::Failed
                        | Fact::WentOn { .. }
                        | Fact::Tolerated
                )
            })
            .collect()
    }

    /// Restarts the failed nodes and everything that ran after them without a person's decision.
    pub(super) fn retry_plan(&mut self) -> Phase {
        self.plan_retries += 1;
        let failed = self.failed();
        let again = self.ran_after(&failed);
        for number in again.into_iter().chain(failed.iter().copied()) {
            self.take_back_jump(number);
            let known = &mut self.known[number];
            (known.fact, known.taken) = (Fact::Untouched, None);
            (known.own_failures, known.losses, known.stale) = (0, 0, false);
            known.overtaken.clear();
        }
        for number in failed {
            self.known[number].fact = Fact::Retrying;
        }
        Phase::Going
    }

    pub(super) fn settlement(&self) -> Phase {
        let standings = self.standings();
        let is_open = |standing: &Standing| Parent::is_open(*standing);
        if standings.contains(&Standing::Fact(Fact::Failed)) {
            Phase::Failed
        } else if standings.contains(&Standing::Fact(Fact::Interrupted)) {
            Phase::Stalled
        } else if !standings.iter().any(is_open) {
            Phase::Completed
        } else {
            assert_ne!(self.goal, Goal::All, "some node must be able to continue");
            Phase::AtItsGoal
        }
    }

    pub(super) fn has_work_left(&self) -> bool {
        let left = |standing: &Standing| {
            Parent::is_open(*standing)
                || matches!(
                    standing,
                    Standing::Blocked | Standing::Fact(Fact::Failed | Fact::Interrupted)
                )
        };
        self.standings()
            .iter()
            .enumerate()
            .any(|(number, standing)| self.is_wanted(number) && left(standing))
    }
}
