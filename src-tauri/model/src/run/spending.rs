//! Budgets: what the nodes of a run may use, and what happens when they run out.

use crate::outcome::Failure;
use crate::{Attempt, NodeId, Outcome};

use super::caller::Allowance;
use super::event::Event;
use super::state::{BudgetUsage, Ending, RunState};
use super::{Refusal, Run, is_reserved};

impl Run {
    /// Records a session's usage so far. Only if there is a limit: without a budget, nothing
    /// depends on it.
    pub(super) fn decide_session_used(
        &self,
        node: NodeId,
        attempt: Attempt,
        spent: BudgetUsage,
    ) -> Result<Vec<Event>, Refusal> {
        let (number, run) = self.current_attempt(node, attempt)?;
        let limited = !self.plan.settings.budget.is_unlimited()
            || !self.definition(number).budget.is_unlimited();
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
        if let (true, Some(detail)) = (goes_on, total.describe_excess(&self.plan.settings.budget)) {
            events.push(Event::BudgetSpent {
                detail: format!("the plan used {detail}"),
            });
        }
        Ok(events)
    }

    /// Returns what the node's latest attempt may use of the node's own budget, which is shared by
    /// its retries.
    #[must_use]
    pub fn allowance_of(&self, node: NodeId) -> Allowance {
        let Some(number) = self.graph.number(node) else {
            return Allowance::default();
        };
        let run = &self.nodes[number];
        Allowance::remaining_of(
            &self.definition(number).budget,
            run.spent_before.since(run.spent_at_reset),
        )
    }

    /// The usage of all attempts of a node before the latest one.
    #[must_use]
    pub fn spent_before(&self, node: NodeId) -> BudgetUsage {
        self.node(node)
            .map(|run| run.spent_before)
            .unwrap_or_default()
    }

    fn spent_without(&self, number: usize) -> BudgetUsage {
        self.spent.since(self.nodes[number].spent)
    }

    /// Records the current attempt's usage. Returns whether the node has exceeded its budget.
    pub(super) fn note_spent(&mut self, number: usize, spent: BudgetUsage) -> bool {
        let others = self.spent_without(number);
        let node = &mut self.nodes[number];
        node.spent = node.spent_before.plus(spent);
        self.spent = others.plus(node.spent);
        self.touched.insert(number);
        self.over_budget(number).is_some()
    }

    /// Returns which of the node's budgets is exceeded. Retries share the budget; a manual rerun
    /// resets it.
    pub(super) fn over_budget(&self, number: usize) -> Option<String> {
        let node = &self.nodes[number];
        node.spent
            .since(node.spent_at_reset)
            .describe_excess(&self.definition(number).budget)
    }

    /// An attempt that was stopped because of its budget has failed, regardless of what its session
    /// reports.
    pub(super) fn apply_budget_to_outcome(&self, number: usize, outcome: &Outcome) -> Outcome {
        match self.over_budget(number) {
            Some(detail) if *outcome != Outcome::Succeeded => Outcome::Failed {
                failure: Failure::BudgetSpent { detail },
            },
            _ => outcome.clone(),
        }
    }
}
