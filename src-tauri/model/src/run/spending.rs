//! Budgets: what the nodes of a run may use, and what happens when they have.

use crate::outcome::Failure;
use crate::{Attempt, NodeId, Outcome};

use super::caller::Allowance;
use super::event::Event;
use super::state::{Ending, RunState, Spent};
use super::{Refusal, Run, is_reserved};

impl Run {
    /// What a session used so far. Told only where somebody limits it: without a budget, nothing depends on it.
    pub(super) fn decide_used(
        &self,
        node: NodeId,
        attempt: Attempt,
        spent: Spent,
    ) -> Result<Vec<Event>, Refusal> {
        let (number, run) = self.current(node, attempt)?;
        let limited =
            !self.plan.settings.budget.is_open() || !self.definition(number).budget.is_open();
        if !limited || run.spent == run.spent_before.plus(spent) {
            return Ok(Vec::new());
        }
        let mut events = Vec::new();
        if is_reserved(&run.state) {
            events.push(Event::NodeStarted {
                node,
                attempt,
                checkpoint: None,
            });
        }
        events.push(Event::NodeUsed {
            node,
            attempt,
            spent,
        });
        let others = self.spent_without(number);
        let total = others.plus(run.spent_before).plus(spent);
        let goes_on = matches!(
            self.state,
            RunState::Running {
                ending: None
                    | Some(
                        Ending::Aborting { .. }
                            | Ending::Pausing { .. }
                            | Ending::Verifying
                            | Ending::Reviewing
                    )
            }
        );
        if let (true, Some(detail)) = (goes_on, total.beyond(&self.plan.settings.budget)) {
            events.push(Event::BudgetSpent {
                detail: format!("the plan's budget: {detail}"),
            });
        }
        Ok(events)
    }

    /// What the latest attempt of a node may use by the node's own budget, which its retries share.
    #[must_use]
    pub fn allowance_of(&self, node: NodeId) -> Allowance {
        let Some(number) = self.graph.number(node) else {
            return Allowance::default();
        };
        let run = &self.nodes[number];
        Allowance::left_of(
            &self.definition(number).budget,
            run.spent_before.since(run.spent_at_reset),
        )
    }

    /// What all attempts of a node before the latest one used.
    #[must_use]
    pub fn spent_before(&self, node: NodeId) -> Spent {
        self.node(node)
            .map(|run| run.spent_before)
            .unwrap_or_default()
    }

    fn spent_without(&self, number: usize) -> Spent {
        self.spent.since(self.nodes[number].spent)
    }

    /// Takes note of what the present attempt used; whether the node has more than spent its budget.
    pub(super) fn note_spent(&mut self, number: usize, spent: Spent) -> bool {
        let others = self.spent_without(number);
        let node = &mut self.nodes[number];
        node.spent = node.spent_before.plus(spent);
        self.spent = others.plus(node.spent);
        self.touched.insert(number);
        self.over_budget(number).is_some()
    }

    /// Which budget of the node's own is spent. Its retries share one budget; who does it again by hand gives it anew.
    pub(super) fn over_budget(&self, number: usize) -> Option<String> {
        let node = &self.nodes[number];
        node.spent
            .since(node.spent_at_reset)
            .beyond(&self.definition(number).budget)
    }

    /// An attempt that was stopped for its budget has failed, whatever its session says.
    pub(super) fn judged_by_budget(&self, number: usize, outcome: &Outcome) -> Outcome {
        match self.over_budget(number) {
            Some(detail) if *outcome != Outcome::Succeeded => Outcome::Failed {
                failure: Failure::BudgetSpent { detail },
            },
            _ => outcome.clone(),
        }
    }
}
