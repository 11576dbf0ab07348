//! The state after an event, and what has to be done because of it.
//!
//! The same function serves the living run and the replay of its history. An event that does not fit the
//! state is refused as a whole, before anything has changed.

use crate::node::{AfterCrash, NodeKind, OnFailure, TriggerRule};
use crate::outcome::Failure;
use crate::{Attempt, NodeId, Outcome, SessionId, Timestamp};

use super::effect::Effect;
use super::event::{Event, Goal};
use super::gate::column;
use super::state::{Ending, NodeRun, NodeState, PauseReason, RunState, SkipReason, WaitingFor};
use super::tally::{Column, Verdict, runs_after_failure};
use super::{Run, is_asking, is_live, is_reserved, is_retrying};

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
            Event::Started { goal, limit, default_agent, .. } => {
                self.limit = (*limit).max(1);
                self.default_agent.clone_from(default_agent);
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
            Event::BudgetSpent { .. } => effects.extend(self.stop_everything(at, Ending::BudgetSpent)),
            Event::CheckpointMade { name, data, files } => self.keep_checkpoint(at, name, data, files.as_ref()),
            Event::RolledBack { checkpoint, .. } => self.roll_back(*checkpoint),
            Event::Cancelled => self.state = RunState::Cancelled,
            Event::Completed => self.state = RunState::Completed,
            Event::Failed { message } => self.state = RunState::Failed { message: message.clone() },
            Event::Stalled { message } => self.state = RunState::Stalled { message: message.clone() },
            Event::NodesReset { nodes, resume } => self.reset(nodes, *resume),
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
            Event::NodeReserved { node, attempt, session, resumes } => {
                self.reserve(number, *attempt, *session, *resumes);
                let (node, attempt, session, resumes) = (*node, *attempt, *session, *resumes);
                effects.push(Effect::StartSession { node, attempt, session, resumes });
            }
            Event::NodeWithdrawn { attempt, .. } => {
                self.nodes[number].attempt = Attempt(attempt.0.saturating_sub(1));
                self.nodes[number].session = None;
                self.set_state(number, NodeState::Pending);
            }
            Event::NodeStarted { node, attempt, checkpoint } => {
                self.nodes[number].started_at = Some(at);
                self.nodes[number].checkpoint.clone_from(checkpoint);
                self.set_state(number, NodeState::Running);
                // The order to stop found it neither here nor there: it had started, and nobody knew yet.
                if self.stops_what_runs() {
                    effects.push(Effect::StopSession { node: *node, attempt: *attempt });
                }
            }
            Event::NodeAsked { question, request, .. } => {
                let questions = &mut self.nodes[number].questions;
                if !questions.iter().any(|(asked, _)| asked == request) {
                    questions.push((request.clone(), question.clone()));
                }
                self.show_first_question(number);
            }
            Event::NodeAnswered { node, attempt, request, allow } => {
                let run = &mut self.nodes[number];
                run.questions.retain(|(asked, _)| asked != request);
                run.answers.insert(request.clone(), *allow);
                self.show_first_question(number);
                let request = request.clone();
                effects.push(Effect::Answer { node: *node, attempt: *attempt, request, allow: *allow });
            }
            Event::NodeHeld { question, .. } => {
                let what = WaitingFor::Approval { question: question.clone() };
                self.set_state(number, NodeState::Waiting { what });
            }
            Event::NodeReleased { allow: true, .. } => {
                self.nodes[number].approved = true;
                self.set_state(number, NodeState::Pending);
            }
            Event::NodeReleased { allow: false, .. } => {
                self.come_to_rest(number, at, NodeState::Skipped { reason: SkipReason::Refused });
            }
            Event::InputAsked { node, attempt, question, due } => {
                self.ask_for_input(number, at, *attempt, question, *due);
                effects.extend(due.map(|at| Effect::WakeAt { node: *node, at }));
            }
            Event::InputGiven { .. } => {
                self.come_to_rest(number, at, NodeState::Done { by_hand: false });
                self.jump_from(number);
            }
            Event::NodeSilent { .. } => self.set_silent(number, true),
            Event::NodeHeard { .. } => self.set_silent(number, false),
            Event::NodeUsed { node, attempt, spent } => {
                if self.note_spent(number, *spent) {
                    effects.push(Effect::StopSession { node: *node, attempt: *attempt });
                }
            }
            Event::ArtifactEdited { .. } => self.make_dependents_stale(number),
            Event::NodeMarkedFailed { node } => {
                self.nodes[number].ended_at = Some(at);
                self.fail(number, *node, &Failure::ByHand, effects);
            }
            Event::NodeEnded { node, outcome, retry_at, taken, .. } => {
                self.nodes[number].ended_at = Some(at);
                self.nodes[number].taken = *taken;
                self.end(number, *node, outcome, *retry_at, effects);
            }
            Event::NodeRetryDue { .. } => self.set_state(number, NodeState::Pending),
            Event::NodeSkipped { .. } => {
                self.come_to_rest(number, at, NodeState::Skipped { reason: SkipReason::ByHand });
            }
            Event::NodeMarkedDone { .. } => {
                self.come_to_rest(number, at, NodeState::Done { by_hand: true });
                self.jump_from(number);
            }
            _ => {}
        }
    }

    fn show_first_question(&mut self, number: usize) {
        let state = match self.nodes[number].questions.first().cloned() {
            Some((request, question)) => NodeState::Waiting { what: WaitingFor::Person { question, request } },
            None => NodeState::Running,
        };
        if self.nodes[number].state != state {
            self.set_state(number, state);
        }
    }

    fn ask_for_input(
        &mut self,
        number: usize,
        at: Timestamp,
        attempt: Attempt,
        question: &str,
        due: Option<Timestamp>,
    ) {
        let NodeKind::UserInput(asked) = &self.definition(number).kind else { return };
        let (input_type, options) = (asked.input_type, asked.options.clone());
        let what = WaitingFor::Input { question: question.to_owned(), input_type, options, due };
        let node = &mut self.nodes[number];
        (node.attempt, node.session, node.started_at, node.ended_at) = (attempt, None, Some(at), None);
        self.set_state(number, NodeState::Waiting { what });
    }

    fn set_silent(&mut self, number: usize, silent: bool) {
        self.nodes[number].silent = silent;
        self.touched.insert(number);
    }

    fn reserve(&mut self, number: usize, attempt: Attempt, session: SessionId, resumes: Option<SessionId>) {
        self.stopped_for_a_pause.remove(&number);
        let node = &mut self.nodes[number];
        node.attempt = attempt;
        node.session = Some(session);
        node.resumes = resumes;
        node.resume_next = false;
        node.checkpoint = None;
        node.spent_before = node.spent;
        node.questions.clear();
        node.answers.clear();
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
            Outcome::Lost { detail } => match retry_at {
                Some(at) => {
                    self.nodes[number].resume_next = self.definition(number).after_crash == AfterCrash::Resume;
                    Self::wait_for_retry(node, at, effects)
                }
                None => NodeState::Interrupted { detail: detail.clone() },
            },
            Outcome::Failed { failure } => match retry_at {
                Some(at) => Self::wait_for_retry(node, at, effects),
                None => return self.fail(number, node, failure, effects),
            },
        };
        // Whose account was charged shows when it is tried again: an answer of a later attempt starts anew.
        if retry_at.is_some() && is_nobodys_fault(outcome) {
            self.nodes[number].losses += 1;
        } else if retry_at.is_some() {
            self.nodes[number].own_failures += 1;
        }
        self.set_state(number, state);
        self.jump_from(number);
    }

    fn wait_for_retry(node: NodeId, at: Timestamp, effects: &mut Vec<Effect>) -> NodeState {
        effects.push(Effect::WakeAt { node, at });
        NodeState::Waiting { what: WaitingFor::RetryAt { at } }
    }

    /// The node has failed for good: its policy says how the run goes on.
    fn fail(&mut self, number: usize, node: NodeId, failure: &Failure, effects: &mut Vec<Effect>) {
        self.nodes[number].own_failures += 1;
        let (failure, went_on_at) = (failure.clone(), self.failure_target(number));
        let state = match self.definition(number).on_failure {
            OnFailure::Skip => NodeState::Skipped { reason: SkipReason::AfterFailure { failure } },
            OnFailure::Abort | OnFailure::Node(_) => NodeState::Failed { failure, went_on_at },
        };
        let fatal = matches!(state, NodeState::Failed { went_on_at: None, .. });
        self.set_state(number, state);
        self.jump_from(number);
        if fatal && matches!(self.state, RunState::Running { ending: None }) {
            self.state = RunState::Running { ending: Some(Ending::Aborting { node }) };
            self.take_back_questions(|rule| !runs_after_failure(rule));
            effects.extend(self.withdraw_orders(|rule| !runs_after_failure(rule)));
        }
    }

    /// What is pending between a node and the place where the run goes on, in the order of the plan, is skipped
    /// (product E7).
    fn jump_from(&mut self, number: usize) {
        let Some(target) = self.jump_target(number) else { return };
        let by = self.graph.id(number);
        for between in number + 1..target {
            if matches!(self.nodes[between].state, NodeState::Pending | NodeState::Blocked { .. }) {
                self.set_state(between, NodeState::Skipped { reason: SkipReason::JumpedOver { by } });
            }
        }
    }

    /// Nobody has to answer any more; asked again when the node's turn comes again.
    fn take_back_questions(&mut self, which: impl Fn(TriggerRule) -> bool) {
        for number in 0..self.nodes.len() {
            if is_asking(&self.nodes[number].state) && which(self.rule(number)) {
                self.take_back_attempt_of_a_question(number);
                self.set_state(number, NodeState::Pending);
            }
        }
    }

    fn take_back_attempt_of_a_question(&mut self, number: usize) {
        let node = &mut self.nodes[number];
        if matches!(node.state, NodeState::Waiting { what: WaitingFor::Input { .. } }) {
            node.attempt = Attempt(node.attempt.0.saturating_sub(1));
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
            if is_retrying(&self.nodes[number].state) || is_asking(&self.nodes[number].state) {
                let detail = match is_asking(&self.nodes[number].state) {
                    true => "the run was ended before somebody answered".to_owned(),
                    false => "the run was ended before the next attempt".to_owned(),
                };
                self.come_to_rest(number, at, NodeState::Interrupted { detail });
            }
        }
        self.state = RunState::Running { ending: Some(ending) };
        orders
    }

    fn reset(&mut self, nodes: &[NodeId], resume: bool) {
        for number in nodes.iter().filter_map(|&node| self.graph.number(node)).collect::<Vec<_>>() {
            self.take_back_attempt_of_a_question(number);
            let node = &mut self.nodes[number];
            node.own_failures = 0;
            node.losses = 0;
            node.stale = false;
            node.approved = false;
            node.resume_next = resume && node.session.is_some();
            self.forgive(number);
            self.unskip_what_was_jumped_over(number);
            self.set_state(number, NodeState::Pending);
            self.make_dependents_stale(number);
        }
    }

    fn unskip_what_was_jumped_over(&mut self, number: usize) {
        let by = self.graph.id(number);
        let Some(target) = self.jump_target(number) else { return };
        for between in number + 1..target {
            if self.nodes[between].state == (NodeState::Skipped { reason: SkipReason::JumpedOver { by } }) {
                self.set_state(between, NodeState::Pending);
            }
        }
    }

    fn make_dependents_stale(&mut self, number: usize) {
        for dependent in self.graph.dependents(number) {
            if matches!(self.nodes[dependent].state, NodeState::Done { .. }) {
                self.nodes[dependent].stale = true;
                self.touched.insert(dependent);
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
    pub(super) fn set_state(&mut self, number: usize, state: NodeState) {
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
        self.count(number, &state);
        self.touched.insert(number);
        let children: Vec<_> = self.graph.gated_children(number).collect();
        let columns = |node: &NodeRun| children.iter().map(|(_, gate)| column(node, *gate)).collect::<Vec<_>>();
        let before = columns(&self.nodes[number]);
        self.nodes[number].state = state;
        self.nodes[number].silent &= is_live(&self.nodes[number].state);
        let after = columns(&self.nodes[number]);
        self.ready.remove(&self.ready_key(number));
        if self.nodes[number].state == NodeState::Pending {
            news.push((number, None));
        }
        for ((child, _), (before, after)) in children.into_iter().zip(before.into_iter().zip(after)) {
            if before != after {
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
        step(&mut self.counts.asking, is_asking);
        let (was, is) = (holds_agent(before), holds_agent(after));
        if was != is
            && let Some(agent) = self.limited_agent(number).map(str::to_owned)
        {
            let busy = self.busy_agents.entry(agent).or_default();
            *busy = if is { *busy + 1 } else { busy.saturating_sub(1) };
        }
    }

    /// Judges a node that has not begun by its parents; the new state, if it has to change.
    fn look_again(&mut self, number: usize, parent: Option<usize>) -> Option<NodeState> {
        let waits_for_parents = match &self.nodes[number].state {
            NodeState::Pending | NodeState::Blocked { .. } => true,
            NodeState::Skipped { reason } => reason.follows_from_parents(),
            _ => false,
        };
        if !waits_for_parents {
            return None;
        }
        let verdict = match self.jump_targets[number] && self.is_jumped_to(number) {
            true => Verdict::Ready,
            false => self.tallies[number].verdict(self.rule(number)),
        };
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
            NodeState::Skipped {
                reason: SkipReason::ParentSkipped { parent } | SkipReason::NotTaken { by: parent },
            } => self.graph.number(*parent),
            _ => None,
        };
        let reason = match self.cause(number, Column::Skipped, [named, parent]) {
            Some(parent) if matches!(self.nodes[parent].state, NodeState::Skipped { .. }) => {
                SkipReason::ParentSkipped { parent: self.graph.id(parent) }
            }
            Some(parent) => SkipReason::NotTaken { by: self.graph.id(parent) },
            None => SkipReason::RuleNotMet,
        };
        NodeState::Skipped { reason }
    }

    /// A parent in `column`: the first of `candidates` that is, so that the cause stays the same while it holds.
    fn cause(&self, number: usize, wanted: Column, candidates: [Option<usize>; 2]) -> Option<usize> {
        // One pass for all: the gate to a candidate is found only by looking at the parents.
        let mut first = None;
        for (parent, gate) in self.graph.gated_parents(number) {
            if column(&self.nodes[parent], gate) == wanted {
                if candidates[0] == Some(parent) {
                    return Some(parent);
                }
                if first.is_none() || candidates[1] == Some(parent) {
                    first = Some(parent);
                }
            }
        }
        first
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
            Event::TimeUp { .. } | Event::BudgetSpent { .. } => running,
            Event::CheckpointMade { .. } => true,
            Event::RolledBack { checkpoint, .. } => {
                self.counts.live + self.counts.reserved == 0 && (*checkpoint as usize) < self.checkpoints.len()
            }
            Event::Paused { .. }
            | Event::Completed
            | Event::Failed { .. }
            | Event::Stalled { .. }
            | Event::Cancelled => running && self.counts.live == 0,
            Event::NodesReset { nodes, .. } => nodes
                .iter()
                .all(|&node| self.node(node).is_some_and(|run| !is_live(&run.state) && !is_reserved(&run.state))),
            Event::NodeReserved { node, attempt, .. } => {
                running
                    && self
                        .node(*node)
                        .is_some_and(|run| run.state == NodeState::Pending && *attempt == run.attempt.next())
            }
            Event::NodeStarted { node, attempt, .. } | Event::NodeWithdrawn { node, attempt } => {
                self.attempt_is(*node, *attempt, is_reserved)
            }
            Event::NodeAsked { node, attempt, .. }
            | Event::NodeSilent { node, attempt }
            | Event::NodeHeard { node, attempt } => self.attempt_is(*node, *attempt, is_live),
            Event::NodeUsed { node, attempt, .. } => {
                self.attempt_is(*node, *attempt, |state| is_live(state) || is_reserved(state))
            }
            Event::NodeHeld { node, .. } => {
                running && self.node(*node).is_some_and(|run| run.state == NodeState::Pending)
            }
            Event::NodeReleased { node, .. } => self.node(*node).is_some_and(|run| {
                matches!(run.state, NodeState::Waiting { what: WaitingFor::Approval { .. } })
            }),
            Event::InputAsked { node, attempt, .. } => {
                running
                    && self
                        .node(*node)
                        .is_some_and(|run| run.state == NodeState::Pending && *attempt == run.attempt.next())
            }
            Event::InputGiven { node, attempt, .. } => self.attempt_is(*node, *attempt, is_input),
            Event::ArtifactEdited { node, .. } => {
                self.node(*node).is_some_and(|run| matches!(run.state, NodeState::Done { .. }))
            }
            Event::NodeMarkedFailed { node } => {
                self.node(*node).is_some_and(|run| matches!(run.state, NodeState::Interrupted { .. }))
            }
            Event::NodeAnswered { node, attempt, .. } => self.attempt_is(*node, *attempt, |state| {
                matches!(state, NodeState::Waiting { what: WaitingFor::Person { .. } })
            }),
            Event::NodeEnded { node, attempt, .. } => {
                self.attempt_is(*node, *attempt, |state| is_live(state) || is_reserved(state) || is_input(state))
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

fn is_input(state: &NodeState) -> bool {
    matches!(state, NodeState::Waiting { what: WaitingFor::Input { .. } })
}

fn holds_agent(state: &NodeState) -> bool {
    is_live(state) || is_reserved(state)
}

/// Whether another account than the node's own pays for the next attempt (product E5).
pub(super) fn is_nobodys_fault(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Lost { .. } | Outcome::Failed { failure: Failure::Unavailable { .. } })
}
