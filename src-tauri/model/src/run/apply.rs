//! Applies events: computes the next state and the effects to perform.
//!
//! The same function serves live runs and replay. An event that does not fit the state is rejected
//! as a whole before anything has changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::node::{AfterCrash, NodeKind, OnFailure};
use crate::outcome::{Failure, TAMPERED_MESSAGE};
use crate::{Attempt, NodeId, Outcome, RunId, SessionId, StartRule, Timestamp};

use super::effect::Effect;
use super::event::{Event, Goal};
use super::parent_counts::runs_after_failure;
use super::permissions::ActiveGrant;
use super::permits::HeldBack;
use super::pin::Pin;
use super::state::{Ending, NodeState, PauseReason, RunState, SkipReason, WaitingFor};
use super::usage_limit;
use super::visit_counter;
use super::{Run, is_asking, is_live, is_reserved, is_retrying};

/// An event that does not fit the state of its run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {sequence} of run {run} isn't valid while the run is {state}")]
#[expect(missing_docs, reason = "the names say it")]
pub struct IllegalTransition {
    pub run: RunId,
    /// The event's sequence number, from 1.
    pub sequence: u64,
    /// The event. Not included in the message, because it may contain text from outside.
    pub event: Box<Event>,
    /// The name of the run's state.
    pub state: &'static str,
    /// The state of the affected node, if the event affects one.
    pub node: Option<Box<NodeState>>,
}

impl Run {
    /// Applies `event`, which happened at `at`.
    pub fn apply(
        &mut self,
        at: Timestamp,
        event: &Event,
    ) -> Result<Vec<Effect>, IllegalTransition> {
        if !self.accepts_event(event) {
            return Err(self.illegal(event));
        }
        let mut effects = Vec::new();
        let phase = self.start_phase();
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
                    self.plan = Arc::new(settings.apply_to(&self.plan));
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
                self.active_grants = grants
                    .iter()
                    .map(|grant| ActiveGrant {
                        grant: grant.clone(),
                        node: None,
                    })
                    .collect();
                effects.extend(self.begin_running(at));
                self.set_goal(goal);
            }
            Event::TakenOver { epoch, record, .. } => {
                self.epoch = *epoch;
                self.begin_after_displacement(record.as_deref());
                effects.extend(self.effects_for_new_executor());
            }
            Event::ExecutorReturned { .. } => {}
            Event::GoalSet { goal } => self.set_goal(goal),
            Event::PauseRequested { stop_running } => {
                if self.state
                    == (RunState::Running {
                        ending: Some(Ending::Cancelling),
                    })
                {
                    self.stopped_for_pause = self.busy_nodes();
                }
                self.state = RunState::Running {
                    ending: Some(Ending::Pausing {
                        stop_running: *stop_running,
                    }),
                };
                effects.extend(if *stop_running {
                    self.stop_for_pause()
                } else {
                    self.withdraw_effects(|_| true)
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
            Event::Resumed => effects.extend(self.begin_running(at)),
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
                self.record_checkpoint(at, name, data, files.as_ref())
            }
            Event::RolledBack { checkpoint, .. } => {
                effects.extend(self.stop_checks());
                self.roll_back(*checkpoint);
            }
            Event::Cancelled => self.state = RunState::Cancelled,
            Event::Completed => self.state = RunState::Completed,
            Event::Failed { message, handler } => self.end_as_failed(message, handler.as_ref()),
            Event::HandlerDecided { outcome } => self.settle_handler(outcome),
            Event::Stalled { message } => {
                self.state = RunState::Stalled {
                    message: message.clone(),
                }
            }
            Event::ReplanBegun { proposal } => self.begin_replan(*proposal),
            Event::ReplanEnded { end, .. } => self.end_replan(*end),
            Event::NodesReset { nodes, resume } => self.reset(nodes, *resume),
            Event::PlanRetried {
                failed, again, due, ..
            } => effects.extend(self.retry_plan((failed, again), *due)),
            Event::Granted { grant, of, .. } => self.active_grants.push(ActiveGrant {
                grant: grant.clone(),
                node: *of,
            }),
            Event::GrantRevoked { grant, of } => {
                self.active_grants
                    .retain(|given| (&given.grant, given.node) != (grant, *of));
            }
            _ => self.apply_to_node(at, event, &mut effects),
        }
        if self.start_phase() != phase {
            self.clear_held_back();
        }
        self.sequence += 1;
        Ok(effects)
    }

    /// Starts or resumes the run with its whole time limit.
    fn begin_running(&mut self, at: Timestamp) -> Option<Effect> {
        self.state = self.running_or_verifying();
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
                self.record_choice(number, choice.as_ref(), asks.as_ref());
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
                self.reopen(number);
                // Only now, because a reserved attempt counts as a session of the chosen agent.
                let node = &mut self.nodes[number];
                (node.choice, node.selection_request) = (node.choice_before.take(), None);
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
                // The stop order found no session, because it had just started and that was not
                // recorded yet.
                if self.stops_node(number) || self.nodes[number].stopping.is_some() {
                    effects.push(Effect::StopSession {
                        node: *node,
                        attempt: *attempt,
                    });
                }
            }
            Event::NodeAsked { .. } | Event::NodeUnasked { .. } | Event::ToolOutside { .. } => {
                self.apply_permission_event(number, event);
            }
            Event::NodeAnswered {
                node,
                attempt,
                request,
                answer,
                ..
            } => {
                self.apply_permission_event(number, event);
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
                effects.extend(self.skip_handler(number));
                self.settle_node(
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
                self.settle_node(number, at, NodeState::Done { by_hand: false });
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
            // The run does not depend on it, but views of the node must be updated.
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
                self.count_attempt_failure(number, at, outcome, retry_at.is_some());
                self.record_agent_outcome(number, outcome, *retry_at);
                self.end(number, *node, outcome, (*retry_at, *taken), effects);
            }
            Event::NodeRetryDue { .. } => self.set_state(number, NodeState::Pending),
            Event::NodeSkipped { .. } => {
                effects.extend(self.skip_handler(number));
                let is_disabled = self.definition(number).disabled;
                let reason = if is_disabled {
                    SkipReason::Disabled
                } else {
                    SkipReason::ByHand
                };
                self.settle_node(number, at, NodeState::Skipped { reason });
            }
            Event::NodeInherited { taken, .. } => {
                self.nodes[number].ended_at = Some(at);
                self.set_taken_state(number, NodeState::Done { by_hand: false }, *taken);
                effects.extend(self.jump_from(number));
            }
            Event::NodePinned { origin, .. } => {
                self.nodes[number].pinned = Some(origin.clone());
                self.settle_node(number, at, NodeState::Done { by_hand: true });
                effects.extend(self.jump_from(number));
            }
            Event::NodeLeftOut { .. } => {
                let reason = SkipReason::OnlyPinnedNeed;
                self.settle_node(number, at, NodeState::Skipped { reason });
            }
            Event::NodeMarkedDone { .. } => {
                self.settle_node(number, at, NodeState::Done { by_hand: true });
                effects.extend(self.jump_from(number));
            }
            // Events that concern the whole run, which `apply` has handled. They are listed so that
            // a new event does not compile until it is handled.
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
            | Event::HandlerDecided { .. }
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
        self.stopped_for_pause.remove(&number);
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

    fn settle_node(&mut self, number: usize, at: Timestamp, state: NodeState) {
        self.nodes[number].ended_at = Some(at);
        self.nodes[number].unverified = false;
        if !matches!(state, NodeState::Interrupted { .. }) {
            self.nodes[number].continuation = None;
        }
        self.clear_abort_cause(number);
        self.undo_jump(number);
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
            // The person requested a pause, not the end: the node runs again on resume.
            Outcome::Cancelled if pausing || self.stopped_for_pause.contains(&number) => {
                // The sub-plan's run was paused as well, and is resumed.
                self.nodes[number].resume_next = self.definition(number).kind.sub_plan().is_some();
                NodeState::Pending
            }
            Outcome::Cancelled => NodeState::Interrupted {
                detail: "stopped before it finished".to_owned(),
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
                detail: TAMPERED_MESSAGE.to_owned(),
            },
            Outcome::Failed { failure } => match retry_at {
                Some(at) if usage_limit::is_usage_limit(outcome) => {
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
        // Nothing that a jump has passed starts afterwards, including the next attempt of running
        // nodes.
        let is_open = matches!(state, NodeState::Pending | NodeState::Waiting { .. });
        let state = overtaken.filter(|_| is_open).unwrap_or(state);
        let done = matches!(state, NodeState::Done { .. });
        self.nodes[number].continuation.take_if(|_| done);
        self.nodes[number].stale = done && self.nodes[number].outdated;
        self.set_taken_state(number, state, taken.filter(|_| done));
        effects.extend(self.jump_from(number));
    }

    /// Charges a retry to the right account. An answer to a later attempt starts over.
    fn count_attempt_failure(
        &mut self,
        number: usize,
        at: Timestamp,
        outcome: &Outcome,
        tried_again: bool,
    ) {
        if !tried_again || usage_limit::known_reset(outcome, at).is_some() {
            return;
        }
        if is_external_failure(outcome) {
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

    /// The node has failed for good. Its failure policy decides how the run continues.
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

    /// Ends the run because of this node's failure. Running and clean-up nodes may finish.
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
        self.withdraw_questions(|run, number| !runs_after_failure(run.rule(number)));
        self.withdraw_effects(|rule| !runs_after_failure(rule))
            .into_iter()
            .chain(self.stop_checks())
            .collect()
    }

    /// Withdraws questions. They are asked again when the node's turn comes again.
    fn withdraw_questions(&mut self, which: impl Fn(&Self, usize) -> bool) {
        for number in 0..self.nodes.len() {
            if is_asking(&self.nodes[number].state) && which(self, number) {
                self.withdraw_question_attempt(number);
                self.set_state(number, NodeState::Pending);
            }
        }
    }

    pub(super) fn withdraw_question_attempt(&mut self, number: usize) {
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

    fn stop_for_pause(&mut self) -> Vec<Effect> {
        self.stopped_for_pause = self.busy_nodes();
        self.stop_effects(|_| true)
    }

    /// The nodes with a live or reserved session.
    fn busy_nodes(&self) -> BTreeSet<usize> {
        let works = |&number: &usize| {
            is_live(&self.nodes[number].state) || is_reserved(&self.nodes[number].state)
        };
        (0..self.nodes.len()).filter(works).collect()
    }

    fn stop_everything(&mut self, at: Timestamp, ending: Ending) -> Vec<Effect> {
        self.stop_all(at, ending, |_| true)
    }

    /// Stops running and waiting nodes whose rule matches.
    fn stop_all(
        &mut self,
        at: Timestamp,
        ending: Ending,
        which: impl Fn(StartRule) -> bool,
    ) -> Vec<Effect> {
        let mut orders = self.stop_effects(&which);
        self.stopped_for_pause.clear();
        for number in 0..self.nodes.len() {
            if !which(self.rule(number)) {
                continue;
            }
            if is_retrying(&self.nodes[number].state) || is_asking(&self.nodes[number].state) {
                let detail = match is_asking(&self.nodes[number].state) {
                    true => "the run ended before there was an answer".to_owned(),
                    false => "the run ended before the next attempt".to_owned(),
                };
                self.settle_node(number, at, NodeState::Interrupted { detail });
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
            self.withdraw_question_attempt(number);
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
            self.clear_abort_cause(number);
            self.restart_node(number, NodeState::Pending);
        }
        self.make_dependents_stale(&done_before);
    }

    /// Resets the node to `state`, with all retries and no record of its work.
    pub(super) fn restart_node(&mut self, number: usize, state: NodeState) {
        self.overtaken.remove(&number);
        let node = &mut self.nodes[number];
        node.own_failures = 0;
        node.losses = 0;
        node.stale = false;
        node.unverified = false;
        node.decided = None;
        self.undo_jump(number);
        self.set_state(number, state);
    }

    /// Marks everything that used the handoffs of these nodes, or is using them, as outdated.
    fn make_dependents_stale(&mut self, of: &[usize]) {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = of.to_vec();
        let graph = std::sync::Arc::clone(&self.graph);
        while let Some(number) = open.pop() {
            for child in graph.children(number) {
                visit_counter::count_visit();
                if !self.is_pinned(child) && !std::mem::replace(&mut seen[child], true) {
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

    /// Resumes a run that was being aborted because of this node.
    fn clear_abort_cause(&mut self, number: usize) {
        let id = self.graph.id(number);
        if self.state
            == (RunState::Running {
                ending: Some(Ending::Aborting { node: id }),
            })
        {
            self.state = self.running_or_verifying();
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
        // Unwanted nodes must not keep the run from ending.
        self.withdraw_questions(|run, number| !run.is_wanted(number));
        self.clear_held_back();
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
            state: self.state.as_str(),
            node,
        }
    }
}

/// Whether the next attempt is not charged to the node's own retries.
pub(super) fn is_external_failure(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Lost { .. }
            | Outcome::Failed {
                failure: Failure::Unavailable { .. } | Failure::UsageLimit { .. }
            }
    )
}
