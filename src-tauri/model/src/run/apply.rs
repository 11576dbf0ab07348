//! The state after an event, and what has to be done because of it.
//!
//! The same function serves the living run and the replay of its history. An event that does not fit the
//! state is refused as a whole, before anything has changed.

use crate::node::TriggerRule;
use crate::{Attempt, NodeId, Outcome, SessionId, Timestamp};

use super::effect::Effect;
use super::event::{Event, Goal};
use super::state::{Ending, NodeState, PauseReason, RunState, SkipReason, WaitingFor};
use super::tally::{Column, Verdict, runs_after_failure};
use super::{Run, is_live, is_reserved, is_retrying};

/// An event that does not fit the state of its run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{event:?} does not fit a run that is {run} with the node {node:?}")]
pub struct IllegalTransition {
    /// The event.
    pub event: Box<Event>,
    /// The word for the run's state.
    pub run: &'static str,
    /// The state of the node concerned, if the event concerns one.
    pub node: Option<NodeState>,
}

impl Run {
    /// Takes `event` as having happened at `at`.
    pub fn apply(&mut self, at: Timestamp, event: &Event) -> Result<Vec<Effect>, IllegalTransition> {
        if !self.fits(event) {
            return Err(self.illegal(event));
        }
        let mut effects = Vec::new();
        match event {
            Event::Started { goal, limit, .. } => {
                self.limit = (*limit).max(1);
                effects.extend(self.go(at));
                self.set_goal(goal);
            }
            Event::TakenOver { epoch, .. } => {
                self.epoch = *epoch;
                effects.extend(self.orders_to_a_new_executor());
            }
            Event::GoalSet { goal } => self.set_goal(goal),
            Event::PauseRequested { stop_running } => {
                self.state = RunState::Running { ending: Some(Ending::Pausing { stop_running: *stop_running }) };
                effects.extend(if *stop_running { self.stop_for_a_pause() } else { self.withdraw_orders(|_| true) });
            }
            Event::Paused { goal_reached } => {
                let reason = if *goal_reached { PauseReason::GoalReached } else { PauseReason::Asked };
                self.state = RunState::Paused { reason };
            }
            Event::Resumed => effects.extend(self.go(at)),
            Event::CancelRequested => effects.extend(self.stop_everything(at, Ending::Cancelling)),
            Event::TimeUp { limit_ms } => {
                effects.extend(self.stop_everything(at, Ending::TimeUp { limit_ms: *limit_ms }));
            }
            Event::Cancelled => self.state = RunState::Cancelled,
            Event::Completed => self.state = RunState::Completed,
            Event::Failed { message } => self.state = RunState::Failed { message: message.clone() },
            Event::Stalled { message } => self.state = RunState::Stalled { message: message.clone() },
            Event::NodesReset { nodes } => self.reset(nodes),
            _ => self.apply_to_node(at, event, &mut effects),
        }
        Ok(effects)
    }

    /// Lets the run go, with the whole of its time ahead.
    fn go(&mut self, at: Timestamp) -> Option<Effect> {
        self.state = RunState::Running { ending: None };
        self.began_at = Some(at);
        self.deadline().map(|at| Effect::AlarmAt { at })
    }

    fn apply_to_node(&mut self, at: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let Some(number) = event.node().and_then(|node| self.graph.number(node)) else { return };
        match event {
            Event::NodeReserved { node, attempt, session } => {
                self.reserve(number, *attempt, *session);
                effects.push(Effect::StartSession { node: *node, attempt: *attempt, session: *session });
            }
            Event::NodeWithdrawn { attempt, .. } => {
                self.nodes[number].attempt = Attempt(attempt.0.saturating_sub(1));
                self.nodes[number].session = None;
                self.set_state(number, NodeState::Pending);
            }
            Event::NodeStarted { node, attempt } => {
                self.nodes[number].started_at = Some(at);
                self.set_state(number, NodeState::Running);
                // The order to stop found it neither here nor there: it had started, and nobody knew yet.
                if self.stops_what_runs() {
                    effects.push(Effect::StopSession { node: *node, attempt: *attempt });
                }
            }
            Event::NodeAsked { question, request, .. } => {
                let what = WaitingFor::Person { question: question.clone(), request: request.clone() };
                self.set_state(number, NodeState::Waiting { what });
            }
            Event::NodeAnswered { node, attempt, request, allow } => {
                self.set_state(number, NodeState::Running);
                let request = request.clone();
                effects.push(Effect::Answer { node: *node, attempt: *attempt, request, allow: *allow });
            }
            Event::NodeEnded { node, outcome, retry_at, .. } => {
                self.nodes[number].ended_at = Some(at);
                self.end(number, *node, outcome, *retry_at, effects);
            }
            Event::NodeRetryDue { .. } => self.set_state(number, NodeState::Pending),
            Event::NodeSkipped { .. } => {
                self.come_to_rest(number, at, NodeState::Skipped { reason: SkipReason::ByHand });
            }
            Event::NodeMarkedDone { .. } => self.come_to_rest(number, at, NodeState::Done { by_hand: true }),
            _ => {}
        }
    }

    fn reserve(&mut self, number: usize, attempt: Attempt, session: SessionId) {
        self.stopped_for_a_pause.remove(&number);
        let node = &mut self.nodes[number];
        node.attempt = attempt;
        node.session = Some(session);
        node.started_at = None;
        node.ended_at = None;
        self.set_state(number, NodeState::Waiting { what: WaitingFor::Slot });
    }

    fn come_to_rest(&mut self, number: usize, at: Timestamp, state: NodeState) {
        self.nodes[number].ended_at = Some(at);
        self.forgive(number);
        self.set_state(number, state);
    }

    fn end(
        &mut self,
        number: usize,
        node: NodeId,
        outcome: &Outcome,
        retry_at: Option<Timestamp>,
        effects: &mut Vec<Effect>,
    ) {
        let pausing = matches!(self.state, RunState::Running { ending: Some(Ending::Pausing { .. }) });
        let state = match outcome {
            Outcome::Succeeded => NodeState::Done { by_hand: false },
            // The person asked for a pause, not for the end: the node is done again on resume.
            Outcome::Cancelled if pausing || self.stopped_for_a_pause.contains(&number) => NodeState::Pending,
            Outcome::Cancelled => NodeState::Interrupted { detail: "stopped before it was done".to_owned() },
            Outcome::Lost { detail } => NodeState::Interrupted { detail: detail.clone() },
            Outcome::Failed { failure } => {
                self.nodes[number].own_failures += 1;
                match retry_at {
                    Some(at) => {
                        effects.push(Effect::WakeAt { node, at });
                        NodeState::Waiting { what: WaitingFor::RetryAt { at } }
                    }
                    None if self.aborts(number) => NodeState::Failed { failure: failure.clone() },
                    None => NodeState::Skipped { reason: SkipReason::AfterFailure { failure: failure.clone() } },
                }
            }
        };
        let fatal = matches!(state, NodeState::Failed { .. });
        self.set_state(number, state);
        if fatal && matches!(self.state, RunState::Running { ending: None }) {
            self.state = RunState::Running { ending: Some(Ending::Aborting { node }) };
            effects.extend(self.withdraw_orders(|rule| !runs_after_failure(rule)));
        }
    }

    fn stop_for_a_pause(&mut self) -> Vec<Effect> {
        let works = |&number: &usize| is_live(&self.nodes[number].state) || is_reserved(&self.nodes[number].state);
        self.stopped_for_a_pause = (0..self.nodes.len()).filter(works).collect();
        self.stop_orders()
    }

    fn stop_everything(&mut self, at: Timestamp, ending: Ending) -> Vec<Effect> {
        let orders = self.stop_orders();
        self.stopped_for_a_pause.clear();
        for number in 0..self.nodes.len() {
            if is_retrying(&self.nodes[number].state) {
                let detail = "the run was ended before the next attempt".to_owned();
                self.come_to_rest(number, at, NodeState::Interrupted { detail });
            }
        }
        self.state = RunState::Running { ending: Some(ending) };
        orders
    }

    fn reset(&mut self, nodes: &[NodeId]) {
        for number in nodes.iter().filter_map(|&node| self.graph.number(node)).collect::<Vec<_>>() {
            self.nodes[number].own_failures = 0;
            self.nodes[number].stale = false;
            self.forgive(number);
            self.set_state(number, NodeState::Pending);
            for dependent in self.graph.dependents(number) {
                if matches!(self.nodes[dependent].state, NodeState::Done { .. }) {
                    self.nodes[dependent].stale = true;
                    self.touched.insert(dependent);
                }
            }
        }
    }

    /// A run that was being aborted because of this node goes on.
    fn forgive(&mut self, number: usize) {
        let id = self.graph.id(number);
        if self.state == (RunState::Running { ending: Some(Ending::Aborting { node: id }) }) {
            self.state = RunState::Running { ending: None };
        }
    }

    fn set_goal(&mut self, goal: &Goal) {
        self.goal = goal.clone();
        self.wanted = match goal {
            Goal::All => None,
            Goal::Only { nodes } => {
                let mut wanted = vec![false; self.nodes.len()];
                for number in nodes.iter().filter_map(|&node| self.graph.number(node)) {
                    wanted[number] = true;
                }
                Some(wanted)
            }
        };
        self.ready.clear();
        for number in 0..self.nodes.len() {
            self.look_again(number, None);
        }
    }

    /// Puts a node into `state` and passes the news down the graph.
    fn set_state(&mut self, number: usize, state: NodeState) {
        let mut news = Vec::new();
        self.put(number, state, &mut news);
        while let Some((number, parent)) = news.pop() {
            // Judged only now: other news may have reached the node's parents meanwhile.
            if let Some(state) = self.look_again(number, parent) {
                self.put(number, state, &mut news);
            }
        }
    }

    /// Changes one node, and notes in `news` which nodes have to be judged again because of which parent.
    fn put(&mut self, number: usize, state: NodeState, news: &mut Vec<(usize, Option<usize>)>) {
        let (before, after) = (Column::of(&self.nodes[number].state), Column::of(&state));
        self.count(number, &state);
        self.touched.insert(number);
        self.nodes[number].state = state;
        self.ready.remove(&self.ready_key(number));
        if self.nodes[number].state == NodeState::Pending {
            news.push((number, None));
        }
        if before != after {
            for child in self.graph.children(number).collect::<Vec<_>>() {
                self.tallies[child].shift(before, after);
                news.push((child, Some(number)));
            }
        }
    }

    fn count(&mut self, number: usize, after: &NodeState) {
        let before = &self.nodes[number].state;
        let step = |counter: &mut usize, is: fn(&NodeState) -> bool| {
            *counter += usize::from(is(after));
            *counter = counter.saturating_sub(usize::from(is(before)));
        };
        step(&mut self.counts.reserved, is_reserved);
        step(&mut self.counts.live, is_live);
        step(&mut self.counts.retrying, is_retrying);
    }

    /// Judges a node that has not begun by its parents; the new state, if it has to change.
    fn look_again(&mut self, number: usize, parent: Option<usize>) -> Option<NodeState> {
        let waits_for_parents = match &self.nodes[number].state {
            NodeState::Pending | NodeState::Blocked { .. } => true,
            NodeState::Skipped { reason } => {
                matches!(reason, SkipReason::ParentSkipped { .. } | SkipReason::RuleNotMet)
            }
            _ => false,
        };
        if !waits_for_parents {
            return None;
        }
        let verdict = self.tallies[number].verdict(self.definition(number).trigger_rule);
        let key = self.ready_key(number);
        if verdict == Verdict::Ready && self.is_wanted(number) {
            self.ready.insert(key);
        } else {
            self.ready.remove(&key);
        }
        let state = match verdict {
            Verdict::Ready | Verdict::Wait => NodeState::Pending,
            Verdict::Blocked => self.blocked(number, parent),
            Verdict::Skip => self.skipped(number, parent),
        };
        (state != self.nodes[number].state).then_some(state)
    }

    fn blocked(&self, number: usize, parent: Option<usize>) -> NodeState {
        let named = match &self.nodes[number].state {
            NodeState::Blocked { by } => self.graph.number(*by),
            _ => None,
        };
        let by = self.cause(number, Column::Failed, [named, parent]).unwrap_or(number);
        NodeState::Blocked { by: self.graph.id(by) }
    }

    fn skipped(&self, number: usize, parent: Option<usize>) -> NodeState {
        let named = match &self.nodes[number].state {
            NodeState::Skipped { reason: SkipReason::ParentSkipped { parent } } => self.graph.number(*parent),
            _ => None,
        };
        let reason = match self.cause(number, Column::Skipped, [named, parent]) {
            Some(parent) => SkipReason::ParentSkipped { parent: self.graph.id(parent) },
            None => SkipReason::RuleNotMet,
        };
        NodeState::Skipped { reason }
    }

    /// A parent in `column`: the first of `candidates` that is, so that the cause stays the same while it holds.
    fn cause(&self, number: usize, column: Column, candidates: [Option<usize>; 2]) -> Option<usize> {
        let is_in = |&parent: &usize| Column::of(&self.nodes[parent].state) == column;
        candidates.into_iter().flatten().find(is_in).or_else(|| self.graph.parents(number).find(is_in))
    }

    /// What an executor has to know that has just been handed this run: which sessions it has to find again.
    fn orders_to_a_new_executor(&self) -> Vec<Effect> {
        let mut orders =
            self.orders_for(is_live, |node, attempt, session| Effect::StartSession { node, attempt, session });
        match &self.state {
            RunState::Running { ending: None } => orders.extend(self.start_reserved(|_| true)),
            RunState::Running { ending: Some(Ending::Aborting { .. }) } => {
                orders.extend(self.start_reserved(runs_after_failure));
                orders.extend(self.withdraw_orders(|rule| !runs_after_failure(rule)));
            }
            _ if self.stops_what_runs() => orders.extend(self.stop_orders()),
            _ => orders.extend(self.withdraw_orders(|_| true)),
        }
        orders.extend(self.deadline().map(|at| Effect::AlarmAt { at }));
        for (number, node) in self.nodes.iter().enumerate() {
            if let NodeState::Waiting { what: WaitingFor::RetryAt { at } | WaitingFor::LimitUntil { at } } = node.state
            {
                orders.push(Effect::WakeAt { node: self.graph.id(number), at });
            }
        }
        orders
    }

    fn stops_what_runs(&self) -> bool {
        matches!(
            self.state,
            RunState::Running {
                ending: Some(Ending::Cancelling | Ending::TimeUp { .. } | Ending::Pausing { stop_running: true })
            }
        )
    }

    fn start_reserved(&self, which: impl Fn(TriggerRule) -> bool) -> Vec<Effect> {
        let mut orders =
            self.orders_for(is_reserved, |node, attempt, session| Effect::StartSession { node, attempt, session });
        orders.retain(|order| matches!(order, Effect::StartSession { node, .. } if self.has_rule(*node, &which)));
        orders
    }

    fn withdraw_orders(&self, which: impl Fn(TriggerRule) -> bool) -> Vec<Effect> {
        let mut orders = self.orders_for(is_reserved, |node, attempt, _| Effect::WithdrawSession { node, attempt });
        orders.retain(|order| matches!(order, Effect::WithdrawSession { node, .. } if self.has_rule(*node, &which)));
        orders
    }

    fn stop_orders(&self) -> Vec<Effect> {
        self.orders_for(
            |state| is_live(state) || is_reserved(state),
            |node, attempt, _| Effect::StopSession { node, attempt },
        )
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

    fn has_rule(&self, node: NodeId, which: &impl Fn(TriggerRule) -> bool) -> bool {
        self.graph.number(node).is_some_and(|number| which(self.definition(number).trigger_rule))
    }

    fn illegal(&self, event: &Event) -> IllegalTransition {
        let node = event.node().and_then(|node| self.node(node)).map(|run| run.state.clone());
        IllegalTransition { event: Box::new(event.clone()), run: self.state.word(), node }
    }

    /// Whether `event` may follow on the present state.
    fn fits(&self, event: &Event) -> bool {
        let has_begun = self.state != (RunState::Paused { reason: PauseReason::NotBegun });
        let running = self.state.is_running();
        match event {
            Event::Started { .. } => !has_begun,
            _ if !has_begun => false,
            Event::TakenOver { epoch, .. } => *epoch > self.epoch,
            Event::GoalSet { .. } | Event::Resumed => true,
            Event::PauseRequested { .. } => {
                matches!(self.state, RunState::Running { ending: None | Some(Ending::Pausing { .. }) })
            }
            Event::CancelRequested => !self.state.has_ended(),
            Event::TimeUp { .. } => running,
            Event::Paused { .. }
            | Event::Completed
            | Event::Failed { .. }
            | Event::Stalled { .. }
            | Event::Cancelled => running && self.counts.live == 0,
            Event::NodesReset { nodes } => nodes
                .iter()
                .all(|&node| self.node(node).is_some_and(|run| !is_live(&run.state) && !is_reserved(&run.state))),
            Event::NodeReserved { node, attempt, .. } => {
                running
                    && self
                        .node(*node)
                        .is_some_and(|run| run.state == NodeState::Pending && *attempt == run.attempt.next())
            }
            Event::NodeStarted { node, attempt } | Event::NodeWithdrawn { node, attempt } => {
                self.attempt_is(*node, *attempt, is_reserved)
            }
            Event::NodeAsked { node, attempt, .. } => self.attempt_is(*node, *attempt, is_live),
            Event::NodeAnswered { node, attempt, .. } => self.attempt_is(*node, *attempt, |state| {
                matches!(state, NodeState::Waiting { what: WaitingFor::Person { .. } })
            }),
            Event::NodeEnded { node, attempt, .. } => {
                self.attempt_is(*node, *attempt, |state| is_live(state) || is_reserved(state))
            }
            Event::NodeRetryDue { node } => self.node(*node).is_some_and(|run| is_retrying(&run.state)),
            Event::NodeSkipped { node } | Event::NodeMarkedDone { node, .. } => {
                self.node(*node).is_some_and(|run| !is_live(&run.state) && !is_reserved(&run.state))
            }
        }
    }

    fn attempt_is(&self, node: NodeId, attempt: Attempt, state: impl Fn(&NodeState) -> bool) -> bool {
        self.node(node).is_some_and(|run| run.attempt == attempt && state(&run.state))
    }
}
