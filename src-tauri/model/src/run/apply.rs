//! The state after an event, and what has to be done because of it.
//!
//! The same function serves the living run and the replay of its history. An event that does not fit the
//! state is refused as a whole, before anything has changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::node::{AfterCrash, NodeKind, OnFailure};
use crate::outcome::{Failure, TAMPERED};
use crate::{Attempt, NodeId, Outcome, RunId, SessionId, StartRule, Timestamp};

use super::effect::Effect;
use super::effort;
use super::event::{Event, Goal};
use super::leave::Given;
use super::permits::HeldBack;
use super::pin::Pin;
use super::state::{Ending, NodeState, PauseReason, RunState, SkipReason, WaitingFor};
use super::tally::runs_after_failure;
use super::usage_limit;
use super::{Run, is_asking, is_live, is_reserved, is_retrying};

/// An event that does not fit the state of its run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {sequence} of run {run} doesn't fit a run that is {state}")]
pub struct IllegalTransition {
    /// The run.
    pub run: RunId,
    /// The event's place in the history, from 1.
    pub sequence: u64,
    /// The event. It may hold text from outside, so that no message shows it.
    pub event: Box<Event>,
    /// The word for the run's state.
    pub state: &'static str,
    /// The state of the node concerned, if the event concerns one.
    pub node: Option<Box<NodeState>>,
}

impl Run {
    /// Takes `event` as having happened at `at`.
    pub fn apply(
        &mut self,
        at: Timestamp,
        event: &Event,
    ) -> Result<Vec<Effect>, IllegalTransition> {
        if !self.fits(event) {
            return Err(self.illegal(event));
        }
        let mut effects = Vec::new();
        let phase = self.phase();
        match event {
            Event::Started {
                goal,
                limit,
                default_agent,
                trusted_tools,
                grants,
                semantics,
                caller,
                settings,
                ..
            } => {
                if let Some(settings) = settings {
                    self.plan = Arc::new(settings.hold(&self.plan));
                }
                if let Some(caller) = caller {
                    self.plan = Arc::new(caller.restrict(&self.plan));
                }
                self.caller.clone_from(caller);
                self.semantics = *semantics;
                self.started_at = Some(at);
                self.limit = (*limit).max(1);
                self.default_agent.clone_from(default_agent);
                self.trusted_tools.clone_from(trusted_tools);
                self.given = grants
                    .iter()
                    .map(|grant| Given {
                        grant: grant.clone(),
                        node: None,
                    })
                    .collect();
                effects.extend(self.go(at));
                self.set_goal(goal);
            }
            Event::TakenOver { epoch, record, .. } => {
                self.epoch = *epoch;
                self.begin_after_displacement(record.as_deref());
                effects.extend(self.orders_to_a_new_executor());
            }
            Event::ExecutorReturned { .. } => {}
            Event::GoalSet { goal } => self.set_goal(goal),
            Event::PauseRequested { stop_running } => {
                if self.state
                    == (RunState::Running {
                        ending: Some(Ending::Cancelling),
                    })
                {
                    self.stopped_for_a_pause = self.at_work();
                }
                self.state = RunState::Running {
                    ending: Some(Ending::Pausing {
                        stop_running: *stop_running,
                    }),
                };
                effects.extend(if *stop_running {
                    self.stop_for_a_pause()
                } else {
                    self.withdraw_orders(|_| true)
                });
                effects.extend(self.stop_checks().filter(|_| *stop_running));
            }
            Event::Paused { goal_reached } => {
                let reason = match (goal_reached, &self.state) {
                    (true, _) => PauseReason::GoalReached,
                    (
                        false,
                        RunState::Running {
                            ending: Some(Ending::Reviewing),
                        },
                    ) => PauseReason::TakenOver,
                    (false, _) => PauseReason::Asked,
                };
                self.state = RunState::Paused { reason };
            }
            Event::Resumed => effects.extend(self.go(at)),
            Event::CancelRequested => effects.extend(self.stop_everything(at, Ending::Cancelling)),
            Event::TimeUp { limit_ms } => {
                let ending = Ending::TimeUp {
                    limit_ms: *limit_ms,
                };
                effects.extend(self.stop_all(at, ending, |rule| !runs_after_failure(rule)));
            }
            Event::BudgetSpent { .. } => {
                effects.extend(self.stop_everything(at, Ending::BudgetSpent))
            }
            Event::CheckpointMade { name, data, files } => {
                self.keep_checkpoint(at, name, data, files.as_ref())
            }
            Event::RolledBack { checkpoint, .. } => {
                effects.extend(self.stop_checks());
                self.roll_back(*checkpoint);
            }
            Event::Cancelled => self.state = RunState::Cancelled,
            Event::Completed => self.state = RunState::Completed,
            Event::Failed { message } => {
                self.state = RunState::Failed {
                    message: message.clone(),
                }
            }
            Event::Stalled { message } => {
                self.state = RunState::Stalled {
                    message: message.clone(),
                }
            }
            Event::ReplanBegun { proposal } => self.begin_replan(*proposal),
            Event::ReplanEnded { .. } => self.end_replan(),
            Event::NodesReset { nodes, resume } => self.reset(nodes, *resume),
            Event::PlanRetried {
                failed, again, due, ..
            } => effects.extend(self.retry_plan((failed, again), *due)),
            Event::Granted { grant, of, .. } => self.given.push(Given {
                grant: grant.clone(),
                node: *of,
            }),
            Event::GrantRevoked { grant, of } => {
                self.given
                    .retain(|given| (&given.grant, given.node) != (grant, *of));
            }
            _ => self.apply_to_node(at, event, &mut effects),
        }
        if self.phase() != phase {
            self.end_waits();
        }
        self.sequence += 1;
        Ok(effects)
    }

    /// Lets the run go, with the whole of its time ahead.
    fn go(&mut self, at: Timestamp) -> Option<Effect> {
        self.state = self.free_state();
        self.began_at = Some(at);
        self.deadline().map(|at| Effect::AlarmAt { at })
    }

    fn apply_to_node(&mut self, at: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let Some(number) = event.node().and_then(|node| self.graph.number(node)) else {
            return;
        };
        match event {
            Event::NodeReserved {
                node,
                attempt,
                session,
                resumes,
                choice,
                asks,
            } => {
                self.note_choice(number, choice.as_ref(), asks.as_ref());
                self.reserve(number, *attempt, *session, *resumes);
                let (node, attempt, session, resumes) = (*node, *attempt, *session, *resumes);
                effects.push(Effect::StartSession {
                    node,
                    attempt,
                    session,
                    resumes,
                });
            }
            Event::NodeContinued { node, message } => self.continue_with(number, *node, message),
            Event::NodeWithdrawn { attempt, .. } => {
                let node = &mut self.nodes[number];
                if let Some(continuation) = &mut node.continuation {
                    continuation.first = continuation.first.filter(|first| first != attempt);
                }
                node.attempt = Attempt(attempt.0.saturating_sub(1));
                node.session = node.session_before;
                node.resume_next = node.resumes.take().is_some();
                self.open_again(number);
                // Only now: as long as it was reserved, it counted as a session of whoever was chosen.
                let node = &mut self.nodes[number];
                (node.choice, node.asking) = (node.choice_before.take(), None);
            }
            Event::NodeAssigned {
                attempt, choice, ..
            } => effects.extend(self.assign(number, *attempt, choice)),
            Event::NodeHeldBack { by, .. } => {
                let since = self.nodes[number]
                    .held_back
                    .as_ref()
                    .map_or(at, |held| held.since);
                self.nodes[number].held_back = Some(HeldBack {
                    since,
                    by: by.clone(),
                });
                self.held.insert(number);
                self.touched.insert(number);
            }
            Event::NodeParked { node, until } => {
                effects.push(Effect::WakeAt {
                    node: *node,
                    at: *until,
                });
                self.set_state(
                    number,
                    NodeState::Waiting {
                        what: WaitingFor::LimitUntil { at: *until },
                    },
                );
            }
            Event::NodePassedOn { .. } => {
                self.nodes[number].resume_next = false;
                self.set_state(number, NodeState::Pending);
            }
            Event::NodeStarted {
                node,
                attempt,
                checkpoint,
            } => {
                self.nodes[number].started_at = Some(at);
                self.nodes[number].checkpoint.clone_from(checkpoint);
                self.set_state(number, NodeState::Running);
                // The order to stop found it neither here nor there: it had started, and nobody knew yet.
                if self.stops_node(number) || self.nodes[number].stopping.is_some() {
                    effects.push(Effect::StopSession {
                        node: *node,
                        attempt: *attempt,
                    });
                }
            }
            Event::NodeAsked { .. } | Event::NodeUnasked { .. } | Event::ToolOutside { .. } => {
                self.apply_leave(number, event);
            }
            Event::NodeAnswered {
                node,
                attempt,
                request,
                answer,
                ..
            } => {
                self.apply_leave(number, event);
                let (request, answer) = (request.clone(), answer.clone());
                effects.push(Effect::Answer {
                    node: *node,
                    attempt: *attempt,
                    request,
                    answer,
                });
            }
            Event::NodeHeld { question, .. } => {
                let what = WaitingFor::Approval {
                    question: question.clone(),
                };
                self.set_state(number, NodeState::Waiting { what });
            }
            Event::NodeReleased { allow: true, .. } => {
                self.nodes[number].approved = true;
                self.set_state(number, NodeState::Pending);
            }
            Event::NodeReleased { allow: false, .. } => {
                effects.extend(self.pass_over_handler(number));
                self.come_to_rest(
                    number,
                    at,
                    NodeState::Skipped {
                        reason: SkipReason::Refused,
                    },
                );
            }
            Event::NodeConflicted { conflict, .. } => {
                self.nodes[number].decided = None;
                let what = WaitingFor::Merge {
                    conflict: conflict.clone(),
                };
                self.set_state(number, NodeState::Waiting { what });
            }
            Event::MergeDecided { resolution, .. } => self.note_resolution(number, *resolution),
            Event::MergeTried { outcome, .. } => {
                self.nodes[number].ended_at = Some(at);
                self.note_merge(number, outcome);
            }
            Event::InputAsked {
                node,
                attempt,
                question,
                due,
            } => {
                self.ask_for_input(number, at, *attempt, question, *due);
                effects.extend(due.map(|at| Effect::WakeAt { node: *node, at }));
            }
            Event::InputGiven { .. } => {
                self.come_to_rest(number, at, NodeState::Done { by_hand: false });
                self.nodes[number].stale = self.nodes[number].outdated;
                effects.extend(self.jump_from(number));
            }
            Event::NodeSilent { .. } => self.set_silent(number, true),
            Event::NodeHeard { .. } => self.set_silent(number, false),
            Event::NodeUsed {
                node,
                attempt,
                spent,
            } => {
                let overspent = self.note_spent(number, *spent);
                effects.extend(overspent.then_some(Effect::StopSession {
                    node: *node,
                    attempt: *attempt,
                }));
            }
            Event::InheritedChecked { took_ms, .. } => {
                effects.extend(self.note_inherited(number, *took_ms))
            }
            Event::NodeUnverified { .. } => self.set_unverified(number, true),
            Event::NodeAccepted { .. } => self.set_unverified(number, false),
            // Nothing of the run depends on it, but whoever shows the node has more to tell.
            Event::GitRestored { .. } => _ = self.touched.insert(number),
            Event::HandoffPinned {
                parent,
                child,
                text,
                artifact,
            } => {
                self.pin(
                    number,
                    (*child, *parent),
                    Some(Pin {
                        text: text.clone(),
                        artifact: *artifact,
                    }),
                );
            }
            Event::HandoffUnpinned { parent, child } => self.pin(number, (*child, *parent), None),
            Event::ArtifactEdited { .. } => self.make_dependents_stale(&[number]),
            Event::NodeStopRequested {
                node,
                attempt,
                then,
            } => {
                self.nodes[number].stopping = Some(*then);
                self.touched.insert(number);
                effects.push(Effect::StopSession {
                    node: *node,
                    attempt: *attempt,
                });
            }
            Event::NodeMarkedFailed { .. } => {
                self.nodes[number].ended_at = Some(at);
                self.fail(number, &Failure::ByHand, effects);
            }
            Event::NodeEnded {
                node,
                outcome,
                retry_at,
                taken,
                ..
            } => {
                self.nodes[number].ended_at = Some(at);
                self.charge(number, at, outcome, retry_at.is_some());
                self.note_agents_end(number, outcome, *retry_at);
                self.end(number, *node, outcome, (*retry_at, *taken), effects);
            }
            Event::NodeRetryDue { .. } => self.set_state(number, NodeState::Pending),
            Event::NodeSkipped { .. } => {
                effects.extend(self.pass_over_handler(number));
                let is_disabled = self.definition(number).disabled;
                let reason = if is_disabled {
                    SkipReason::Disabled
                } else {
                    SkipReason::ByHand
                };
                self.come_to_rest(number, at, NodeState::Skipped { reason });
            }
            Event::NodeInherited { taken, .. } => {
                self.nodes[number].ended_at = Some(at);
                self.set_taken_state(number, NodeState::Done { by_hand: false }, *taken);
                effects.extend(self.jump_from(number));
            }
            Event::NodeMarkedDone { .. } => {
                self.come_to_rest(number, at, NodeState::Done { by_hand: true });
                effects.extend(self.jump_from(number));
            }
            // What concerns the whole run: `apply` has dealt with it. Named, so that a new event does not compile
            // before somebody says what it changes.
            Event::Started { .. }
            | Event::TakenOver { .. }
            | Event::ExecutorReturned { .. }
            | Event::GoalSet { .. }
            | Event::PauseRequested { .. }
            | Event::Paused { .. }
            | Event::Resumed
            | Event::CancelRequested
            | Event::TimeUp { .. }
            | Event::BudgetSpent { .. }
            | Event::CheckpointMade { .. }
            | Event::RolledBack { .. }
            | Event::Cancelled
            | Event::Completed
            | Event::Failed { .. }
            | Event::Stalled { .. }
            | Event::ReplanBegun { .. }
            | Event::ReplanEnded { .. }
            | Event::NodesReset { .. }
            | Event::PlanRetried { .. }
            | Event::Granted { .. }
            | Event::GrantRevoked { .. } => {}
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
        let NodeKind::UserInput(asked) = &self.definition(number).kind else {
            return;
        };
        let (input_type, options) = (asked.input_type, asked.options.clone());
        let what = WaitingFor::Input {
            question: question.to_owned(),
            input_type,
            options,
            due,
        };
        let node = &mut self.nodes[number];
        (node.attempt, node.session, node.started_at, node.ended_at) =
            (attempt, None, Some(at), None);
        node.outdated = false;
        self.set_state(number, NodeState::Waiting { what });
    }

    fn set_silent(&mut self, number: usize, silent: bool) {
        self.nodes[number].silent = silent;
        self.touched.insert(number);
    }

    fn reserve(
        &mut self,
        number: usize,
        attempt: Attempt,
        session: SessionId,
        resumes: Option<SessionId>,
    ) {
        self.stopped_for_a_pause.remove(&number);
        let node = &mut self.nodes[number];
        node.attempt = attempt;
        node.session_before = node.session.replace(session);
        node.outdated = false;
        node.unverified = false;
        node.resumes = resumes;
        node.resume_next = false;
        if let Some(continuation) = &mut node.continuation {
            continuation.first.get_or_insert(attempt);
        }
        node.checkpoint = None;
        node.spent_before = node.spent;
        node.questions.clear();
        node.answers.clear();
        node.started_at = None;
        node.ended_at = None;
        self.set_state(
            number,
            NodeState::Waiting {
                what: WaitingFor::Slot,
            },
        );
    }

    fn come_to_rest(&mut self, number: usize, at: Timestamp, state: NodeState) {
        self.nodes[number].ended_at = Some(at);
        self.nodes[number].unverified = false;
        if !matches!(state, NodeState::Interrupted { .. }) {
            self.nodes[number].continuation = None;
        }
        self.forgive(number);
        self.take_back_jump(number);
        self.set_state(number, state);
    }

    fn end(
        &mut self,
        number: usize,
        node: NodeId,
        outcome: &Outcome,
        (retry_at, taken): (Option<Timestamp>, Option<bool>),
        effects: &mut Vec<Effect>,
    ) {
        let pausing = matches!(
            self.state,
            RunState::Running {
                ending: Some(Ending::Pausing { .. })
            }
        );
        let overtaken = self.state_when_overtaken(number);
        let state = match outcome {
            Outcome::Succeeded => NodeState::Done { by_hand: false },
            Outcome::Cancelled if self.nodes[number].stopping.is_some() => NodeState::Interrupted {
                detail: "stopped by a person".to_owned(),
            },
            // The person asked for a pause, not for the end: the node is done again on resume.
            Outcome::Cancelled if pausing || self.stopped_for_a_pause.contains(&number) => {
                // The run of another plan was paused as well, and goes on.
                self.nodes[number].resume_next = self.definition(number).kind.sub_plan().is_some();
                NodeState::Pending
            }
            Outcome::Cancelled => NodeState::Interrupted {
                detail: "stopped before it was done".to_owned(),
            },
            Outcome::Lost { detail } => match retry_at {
                Some(at) => {
                    self.nodes[number].resume_next =
                        self.definition(number).after_crash == AfterCrash::Resume;
                    Self::wait_for_retry(node, at, effects)
                }
                None => NodeState::Interrupted {
                    detail: detail.clone(),
                },
            },
            Outcome::Tampered { .. } => NodeState::Interrupted {
                detail: TAMPERED.to_owned(),
            },
            Outcome::Failed { failure } => match retry_at {
                Some(at) if usage_limit::is_one(outcome) => {
                    self.nodes[number].resume_next = true;
                    effects.push(Effect::WakeAt { node, at });
                    NodeState::Waiting {
                        what: WaitingFor::LimitUntil { at },
                    }
                }
                Some(at) => Self::wait_for_retry(node, at, effects),
                None => return self.fail(number, failure, effects),
            },
        };
        // Nothing that a jump has passed starts after it, the next attempt of what ran already included.
        let is_open = matches!(state, NodeState::Pending | NodeState::Waiting { .. });
        let state = overtaken.filter(|_| is_open).unwrap_or(state);
        let done = matches!(state, NodeState::Done { .. });
        self.nodes[number].continuation.take_if(|_| done);
        self.nodes[number].stale = done && self.nodes[number].outdated;
        self.set_taken_state(number, state, taken.filter(|_| done));
        effects.extend(self.jump_from(number));
    }

    /// Whose account was charged shows when it is tried again: an answer of a later attempt starts anew.
    fn charge(&mut self, number: usize, at: Timestamp, outcome: &Outcome, tried_again: bool) {
        if !tried_again || usage_limit::lifted_at(outcome, at).is_some() {
            return;
        }
        if is_nobodys_fault(outcome) {
            self.nodes[number].losses += 1;
        } else {
            self.nodes[number].own_failures += 1;
        }
    }

    fn wait_for_retry(node: NodeId, at: Timestamp, effects: &mut Vec<Effect>) -> NodeState {
        effects.push(Effect::WakeAt { node, at });
        NodeState::Waiting {
            what: WaitingFor::RetryAt { at },
        }
    }

    /// The node has failed for good: its policy says how the run goes on.
    fn fail(&mut self, number: usize, failure: &Failure, effects: &mut Vec<Effect>) {
        match failure {
            Failure::Unavailable { .. } | Failure::UsageLimit { .. } => {
                self.nodes[number].losses += 1
            }
            _ => self.nodes[number].own_failures += 1,
        }
        let (failure, went_on_at) = (failure.clone(), self.failure_target(number));
        let state = match self.definition(number).on_failure {
            OnFailure::Skip => NodeState::Skipped {
                reason: SkipReason::AfterFailure { failure },
            },
            OnFailure::Abort | OnFailure::Node(_) => NodeState::Failed {
                failure,
                went_on_at,
            },
        };
        let fatal = matches!(
            state,
            NodeState::Failed {
                went_on_at: None,
                ..
            }
        );
        self.overtaken.remove(&number);
        self.set_state(number, state);
        effects.extend(self.jump_from(number));
        if fatal {
            effects.extend(self.abort(number));
        }
    }

    /// The run ends because of this node's failure, with what runs and what cleans up.
    pub(super) fn abort(&mut self, number: usize) -> Vec<Effect> {
        if !matches!(
            self.state,
            RunState::Running {
                ending: None | Some(Ending::Verifying)
            }
        ) {
            return Vec::new();
        }
        self.state = RunState::Running {
            ending: Some(Ending::Aborting {
                node: self.graph.id(number),
            }),
        };
        self.take_back_questions(|run, number| !runs_after_failure(run.rule(number)));
        self.withdraw_orders(|rule| !runs_after_failure(rule))
            .into_iter()
            .chain(self.stop_checks())
            .collect()
    }

    /// Nobody has to answer any more; asked again when the node's turn comes again.
    fn take_back_questions(&mut self, which: impl Fn(&Self, usize) -> bool) {
        for number in 0..self.nodes.len() {
            if is_asking(&self.nodes[number].state) && which(self, number) {
                self.take_back_attempt_of_a_question(number);
                self.set_state(number, NodeState::Pending);
            }
        }
    }

    pub(super) fn take_back_attempt_of_a_question(&mut self, number: usize) {
        let node = &mut self.nodes[number];
        if matches!(
            node.state,
            NodeState::Waiting {
                what: WaitingFor::Input { .. }
            }
        ) {
            node.attempt = Attempt(node.attempt.0.saturating_sub(1));
        }
    }

    fn stop_for_a_pause(&mut self) -> Vec<Effect> {
        self.stopped_for_a_pause = self.at_work();
        self.stop_orders(|_| true)
    }

    /// The nodes whose session lives, or is about to.
    fn at_work(&self) -> BTreeSet<usize> {
        let works = |&number: &usize| {
            is_live(&self.nodes[number].state) || is_reserved(&self.nodes[number].state)
        };
        (0..self.nodes.len()).filter(works).collect()
    }

    fn stop_everything(&mut self, at: Timestamp, ending: Ending) -> Vec<Effect> {
        self.stop_all(at, ending, |_| true)
    }

    /// Ends what runs and what waits to run, of the nodes with such a rule.
    fn stop_all(
        &mut self,
        at: Timestamp,
        ending: Ending,
        which: impl Fn(StartRule) -> bool,
    ) -> Vec<Effect> {
        let mut orders = self.stop_orders(&which);
        self.stopped_for_a_pause.clear();
        for number in 0..self.nodes.len() {
            if !which(self.rule(number)) {
                continue;
            }
            if is_retrying(&self.nodes[number].state) || is_asking(&self.nodes[number].state) {
                let detail = match is_asking(&self.nodes[number].state) {
                    true => "the run was ended before somebody answered".to_owned(),
                    false => "the run was ended before the next attempt".to_owned(),
                };
                self.come_to_rest(number, at, NodeState::Interrupted { detail });
            }
        }
        self.state = RunState::Running {
            ending: Some(ending),
        };
        orders.extend(self.stop_checks());
        orders
    }

    pub(super) fn reset(&mut self, nodes: &[NodeId], resume: bool) {
        let numbers: Vec<usize> = nodes
            .iter()
            .filter_map(|&node| self.graph.number(node))
            .collect();
        let done_before = numbers
            .iter()
            .copied()
            .filter(|&number| !self.follows_from_parents(number))
            .collect::<Vec<_>>();
        for &number in &numbers {
            self.take_back_attempt_of_a_question(number);
            let node = &mut self.nodes[number];
            node.ignores_limits = matches!(
                node.state,
                NodeState::Waiting {
                    what: WaitingFor::LimitUntil { .. }
                }
            );
            node.spent_at_reset = node.spent;
            node.approved = false;
            node.resume_next = resume && node.session.is_some();
            node.continuation.take_if(|_| !resume);
            self.forgive(number);
            self.begin_again(number, NodeState::Pending);
        }
        self.make_dependents_stale(&done_before);
    }

    /// Puts the node into `state`, with its retries ahead and nothing known of its work so far.
    pub(super) fn begin_again(&mut self, number: usize, state: NodeState) {
        self.overtaken.remove(&number);
        let node = &mut self.nodes[number];
        node.own_failures = 0;
        node.losses = 0;
        node.stale = false;
        node.unverified = false;
        node.decided = None;
        self.take_back_jump(number);
        self.set_state(number, state);
    }

    /// What was done with the handoffs of these nodes, or is being done, is so with what is not the latest.
    fn make_dependents_stale(&mut self, of: &[usize]) {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = of.to_vec();
        let graph = std::sync::Arc::clone(&self.graph);
        while let Some(number) = open.pop() {
            for child in graph.children(number) {
                effort::look();
                if !std::mem::replace(&mut seen[child], true) {
                    open.push(child);
                    let node = &mut self.nodes[child];
                    node.outdated = true;
                    if matches!(node.state, NodeState::Done { .. }) {
                        node.stale = true;
                        self.touched.insert(child);
                    }
                }
            }
        }
    }

    /// A run that was being aborted because of this node goes on.
    fn forgive(&mut self, number: usize) {
        let id = self.graph.id(number);
        if self.state
            == (RunState::Running {
                ending: Some(Ending::Aborting { node: id }),
            })
        {
            self.state = self.free_state();
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
        // What nobody wants any more must not keep the run from its end.
        self.take_back_questions(|run, number| !run.is_wanted(number));
        self.end_waits();
        self.find_ready();
    }

    fn illegal(&self, event: &Event) -> IllegalTransition {
        let node = event
            .node()
            .and_then(|node| self.node(node))
            .map(|run| Box::new(run.state.clone()));
        IllegalTransition {
            run: self.id,
            sequence: self.sequence + 1,
            event: Box::new(event.clone()),
            state: self.state.word(),
            node,
        }
    }
}

/// Whether another account than the node's own pays for the next attempt.
pub(super) fn is_nobodys_fault(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Lost { .. }
            | Outcome::Failed {
                failure: Failure::Unavailable { .. } | Failure::UsageLimit { .. }
            }
    )
}
