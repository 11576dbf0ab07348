//! Effects that follow from the state as a whole: what to start, stop and withdraw.

use crate::{Attempt, NodeId, SessionId, StartRule, Timestamp};

use super::effect::Effect;
use super::parent_counts::runs_after_failure;
use super::state::{Ending, NodeState, RunState, WaitingFor};
use super::{Command, Run, is_live, is_reserved};

impl Run {
    /// The effects for an executor that has just received this run: the sessions it has to find
    /// again.
    pub(super) fn effects_for_new_executor(&mut self) -> Vec<Effect> {
        self.withdrawing.clear();
        let mut orders = self.effects_for_live_attempts(is_live, |node, attempt, session| {
            self.start_effect(node, attempt, session)
        });
        // It was ordered to stop when its budget ran out, but the executor may not have done so.
        orders.extend(
            self.stop_effects(|_| true)
                .into_iter()
                .filter(|order| self.targets_over_budget_node(order)),
        );
        // A person stopped it, and the executor may have died before doing so.
        orders.extend(
            self.stop_effects(|_| true)
                .into_iter()
                .filter(|order| self.targets_stopping_node(order)),
        );
        match &self.state {
            // Reserved attempts don't start before inherited work is checked.
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
                orders.extend(self.withdraw_effects(|rule| !runs_after_failure(rule)));
            }
            RunState::Running {
                ending: Some(Ending::TimeUp { .. }),
            } => {
                orders.extend(self.start_reserved(runs_after_failure));
                orders.extend(self.withdraw_overtaken());
                orders.extend(self.stop_effects(|rule| !runs_after_failure(rule)));
            }
            _ if self.stops_running_nodes() => orders.extend(self.stop_effects(|_| true)),
            _ => orders.extend(self.withdraw_effects(|_| true)),
        }
        orders.extend(self.verify_effects());
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

    fn stops_running_nodes(&self) -> bool {
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

    /// Whether a session of the node should be stopped as soon as it is found. After the time
    /// limit, clean-up nodes keep running.
    pub(super) fn stops_node(&self, number: usize) -> bool {
        let out_of_time = matches!(
            self.state,
            RunState::Running {
                ending: Some(Ending::TimeUp { .. })
            }
        );
        self.stops_running_nodes() && !(out_of_time && runs_after_failure(self.rule(number)))
    }

    fn is_stopping(&self, node: NodeId) -> bool {
        self.node(node).is_some_and(|run| run.stopping.is_some())
    }

    pub(super) fn start_reserved(&self, which: impl Fn(StartRule) -> bool) -> Vec<Effect> {
        let may_start = |&number: &usize| {
            which(self.rule(number))
                && !self.is_overtaken(number)
                && !self.withdrawing.contains(&number)
                && self.nodes[number].stopping.is_none()
        };
        let order = |number: usize| {
            let (node, run) = (self.graph.id(number), &self.nodes[number]);
            Some(self.start_effect(node, run.attempt, run.session?))
        };
        self.reserved()
            .filter(may_start)
            .filter_map(order)
            .collect()
    }

    /// Withdraws the reserved attempts selected by `which`, unless already withdrawn.
    pub(super) fn withdraw_effects(&mut self, which: impl Fn(StartRule) -> bool) -> Vec<Effect> {
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

    pub(super) fn stop_effects(&self, which: impl Fn(StartRule) -> bool) -> Vec<Effect> {
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

    fn targets_over_budget_node(&self, order: &Effect) -> bool {
        let Effect::StopSession { node, .. } = order else {
            return false;
        };
        self.graph.number(*node).is_some_and(|number| {
            is_live(&self.nodes[number].state) && self.over_budget(number).is_some()
        })
    }

    fn targets_stopping_node(&self, order: &Effect) -> bool {
        let Effect::StopSession { node, .. } = order else {
            return false;
        };
        self.is_stopping(*node)
    }

    fn effects_for_live_attempts(
        &self,
        which: impl Fn(&NodeState) -> bool,
        order: impl Fn(NodeId, Attempt, SessionId) -> Effect,
    ) -> Vec<Effect> {
        self.live_attempts()
            .filter(|(node, ..)| self.node(*node).is_some_and(|run| which(&run.state)))
            .map(|(node, attempt, session)| order(node, attempt, session))
            .collect()
    }

    pub(super) fn start_effect(
        &self,
        node: NodeId,
        attempt: Attempt,
        session: SessionId,
    ) -> Effect {
        let resumes = self.node(node).and_then(|run| run.resumes);
        Effect::StartSession {
            node,
            attempt,
            session,
            resumes,
        }
    }

    /// If the clock was set back, the timer fires too early and is set again.
    pub(super) fn reschedule_timer(&self, command: &Command, now: Timestamp) -> Option<Effect> {
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

    /// Sends the answer again if a reattached session repeats a question.
    ///
    /// The answer is stored, but may have been lost with the executor, or arrived before the
    /// question was read again. Sending it twice is harmless.
    pub(super) fn resend_answer(&self, command: &Command) -> Option<Effect> {
        let Command::SessionAsked {
            node,
            attempt,
            request,
            ..
        } = command
        else {
            return None;
        };
        let (_, run) = self.current_attempt(*node, *attempt).ok()?;
        let answer = run.answers.get(request)?.clone();
        Some(Effect::Answer {
            node: *node,
            attempt: *attempt,
            request: request.clone(),
            answer,
        })
    }
}
