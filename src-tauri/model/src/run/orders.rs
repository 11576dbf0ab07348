//! The orders that follow from the state as a whole: what to start, to stop and to give up.

use crate::{Attempt, NodeId, SessionId, StartRule, Timestamp};

use super::effect::Effect;
use super::state::{Ending, NodeState, RunState, WaitingFor};
use super::tally::runs_after_failure;
use super::{Command, Run, is_live, is_reserved};

impl Run {
    /// What an executor has to know that has just been handed this run: which sessions it has to find again.
    pub(super) fn orders_to_a_new_executor(&mut self) -> Vec<Effect> {
        self.leaving.clear();
        let mut orders = self.orders_for(is_live, |node, attempt, session| {
            self.start_order(node, attempt, session)
        });
        // It was told to stop when it had spent its budget, if the executor came to that.
        orders.extend(
            self.stop_orders(|_| true)
                .into_iter()
                .filter(|order| self.is_of_a_spent_node(order)),
        );
        // A person stopped it, and the executor may have died before it carried that out.
        orders.extend(
            self.stop_orders(|_| true)
                .into_iter()
                .filter(|order| self.is_of_a_stopped_node(order)),
        );
        match &self.state {
            // What was reserved is not started before inherited work was looked at.
            RunState::Running {
                ending: Some(Ending::Verifying),
            } => orders.extend(self.withdraw_overtaken()),
            RunState::Running { ending: None } => {
                orders.extend(self.start_reserved(|_| true));
                orders.extend(self.withdraw_overtaken());
            }
            RunState::Running {
                ending: Some(Ending::Aborting { .. }),
            } => {
                orders.extend(self.start_reserved(runs_after_failure));
                orders.extend(self.withdraw_overtaken());
                orders.extend(self.withdraw_orders(|rule| !runs_after_failure(rule)));
            }
            RunState::Running {
                ending: Some(Ending::TimeUp { .. }),
            } => {
                orders.extend(self.start_reserved(runs_after_failure));
                orders.extend(self.withdraw_overtaken());
                orders.extend(self.stop_orders(|rule| !runs_after_failure(rule)));
            }
            _ if self.stops_what_runs() => orders.extend(self.stop_orders(|_| true)),
            _ => orders.extend(self.withdraw_orders(|_| true)),
        }
        orders.extend(self.orders_to_verify());
        orders.extend(self.deadline().map(|at| Effect::AlarmAt { at }));
        for (number, node) in self.nodes.iter().enumerate() {
            let at = match node.state {
                NodeState::Waiting {
                    what: WaitingFor::RetryAt { at } | WaitingFor::LimitUntil { at },
                } => Some(at),
                NodeState::Waiting {
                    what: WaitingFor::Input { due, .. },
                } => due,
                _ => None,
            };
            orders.extend(at.map(|at| Effect::WakeAt {
                node: self.graph.id(number),
                at,
            }));
        }
        orders
    }

    fn stops_what_runs(&self) -> bool {
        matches!(
            self.state,
            RunState::Running {
                ending: Some(
                    Ending::Cancelling
                        | Ending::TimeUp { .. }
                        | Ending::BudgetSpent
                        | Ending::Pausing { stop_running: true }
                )
            }
        )
    }

    /// Whether a session of the node is to end as soon as it is found. Out of time, what cleans up runs all the same.
    pub(super) fn stops_node(&self, number: usize) -> bool {
        let out_of_time = matches!(
            self.state,
            RunState::Running {
                ending: Some(Ending::TimeUp { .. })
            }
        );
        self.stops_what_runs() && !(out_of_time && runs_after_failure(self.rule(number)))
    }

    fn is_stopping(&self, node: NodeId) -> bool {
        self.node(node).is_some_and(|run| run.stopping.is_some())
    }

    pub(super) fn start_reserved(&self, which: impl Fn(StartRule) -> bool) -> Vec<Effect> {
        let may_start = |&number: &usize| {
            which(self.rule(number))
                && !self.is_overtaken(number)
                && !self.leaving.contains(&number)
                && self.nodes[number].stopping.is_none()
        };
        let order = |number: usize| {
            let (node, run) = (self.graph.id(number), &self.nodes[number]);
            Some(self.start_order(node, run.attempt, run.session?))
        };
        self.reserved()
            .filter(may_start)
            .filter_map(order)
            .collect()
    }

    /// Gives up the reserved attempts that `which` picks, of those that were not given up before.
    pub(super) fn withdraw_orders(&mut self, which: impl Fn(StartRule) -> bool) -> Vec<Effect> {
        let given_up: Vec<usize> = self
            .reserved()
            .filter(|&number| which(self.rule(number)))
            .collect();
        given_up
            .into_iter()
            .filter_map(|number| self.withdraw(number))
            .collect()
    }

    fn withdraw_overtaken(&mut self) -> Vec<Effect> {
        let given_up: Vec<usize> = self
            .reserved()
            .filter(|&number| self.is_overtaken(number))
            .collect();
        given_up
            .into_iter()
            .filter_map(|number| self.withdraw(number))
            .collect()
    }

    fn reserved(&self) -> impl Iterator<Item = usize> {
        self.busy
            .iter()
            .copied()
            .filter(|&number| is_reserved(&self.nodes[number].state))
    }

    pub(super) fn stop_orders(&self, which: impl Fn(StartRule) -> bool) -> Vec<Effect> {
        let busy = self
            .busy
            .iter()
            .copied()
            .filter(|&number| which(self.rule(number)));
        busy.map(|number| Effect::StopSession {
            node: self.graph.id(number),
            attempt: self.nodes[number].attempt,
        })
        .collect()
    }

    fn is_of_a_spent_node(&self, order: &Effect) -> bool {
        let Effect::StopSession { node, .. } = order else {
            return false;
        };
        self.graph.number(*node).is_some_and(|number| {
            is_live(&self.nodes[number].state) && self.over_budget(number).is_some()
        })
    }

    fn is_of_a_stopped_node(&self, order: &Effect) -> bool {
        let Effect::StopSession { node, .. } = order else {
            return false;
        };
        self.is_stopping(*node)
    }

    fn orders_for(
        &self,
        which: impl Fn(&NodeState) -> bool,
        order: impl Fn(NodeId, Attempt, SessionId) -> Effect,
    ) -> Vec<Effect> {
        self.live_attempts()
            .filter(|(node, ..)| self.node(*node).is_some_and(|run| which(&run.state)))
            .map(|(node, attempt, session)| order(node, attempt, session))
            .collect()
    }

    pub(super) fn start_order(&self, node: NodeId, attempt: Attempt, session: SessionId) -> Effect {
        let resumes = self.node(node).and_then(|run| run.resumes);
        Effect::StartSession {
            node,
            attempt,
            session,
            resumes,
        }
    }

    /// A clock that was set back rings too early: it is wound up again.
    pub(super) fn ring_again(&self, command: &Command, now: Timestamp) -> Option<Effect> {
        match command {
            Command::Due { node } => match self.node(*node)?.state {
                NodeState::Waiting {
                    what: WaitingFor::Input { due: Some(at), .. },
                } if now < at => Some(Effect::WakeAt { node: *node, at }),
                _ => None,
            },
            Command::TimeUp if self.state.is_running() => self
                .deadline()
                .filter(|&at| now < at)
                .map(|at| Effect::AlarmAt { at }),
            _ => None,
        }
    }

    /// A session that was found again asks what was answered already: it is told once more.
    ///
    /// The answer is stored, but its passing on may have been lost with the executor, or have come before the
    /// next one had read the question. Passing it on twice is harmless.
    pub(super) fn answer_again(&self, command: &Command) -> Option<Effect> {
        let Command::SessionAsked {
            node,
            attempt,
            request,
            ..
        } = command
        else {
            return None;
        };
        let (_, run) = self.current(*node, *attempt).ok()?;
        let answer = run.answers.get(request)?.clone();
        Some(Effect::Answer {
            node: *node,
            attempt: *attempt,
            request: request.clone(),
            answer,
        })
    }
}
