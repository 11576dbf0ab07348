//! Decides on commands: the resulting events, or a refusal.
//!
//! Does not modify the run. Late and repeated reports are handled separately, because an executor
//! that was adopted, killed or displaced may report twice.

use crate::arbiter::Roster;
use crate::node::AfterCrash;
use crate::outcome::Failure;
use crate::plan::EffectiveSettings;
use crate::{ArtifactId, Attempt, NodeId, Outcome, SessionId, Timestamp};

use super::apply::is_external_failure;
use super::backoff::{AFTER_FAILURE_MS, backoff_ms};
use super::event::{Event, Goal};
use super::inheritance::Inherited;
use super::parent_counts::runs_after_failure;
use super::permits::Permits;
use super::semantics::Semantics;
use super::state::{Ending, NodeRun, NodeState, PauseReason, RunState, WaitingFor};
use super::stop::AfterStop;
use super::usage_limit;
use super::{Command, Refusal, Run, is_live, is_reserved};

/// How often an attempt is retried that was lost or failed for external reasons. A run that crashes
/// its executor must stop eventually.
const MAX_LOSSES: u32 = 10;

/// External input to a decision.
pub struct Context<'a> {
    /// The time of the decision.
    pub now: Timestamp,
    /// A random number from 0 to 1, drawn for this decision. It spreads out retries.
    pub chance: f64,
    /// Generates a new session ID.
    pub new_session: &'a mut dyn FnMut() -> SessionId,
    /// The ID for a handoff, if the command includes one.
    pub artifact: Option<ArtifactId>,
    /// Expands the templates in a text of a node.
    pub fill_templates: &'a dyn Fn(NodeId, &str) -> String,
    /// What is currently known about agents and teams.
    pub roster: &'a dyn Roster,
    /// Grants the locks and limits that all runs on a machine share.
    pub permits: &'a dyn Permits,
}

impl Run {
    pub(super) fn decide(
        &self,
        command: &Command,
        context: &Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        let has_begun = self.state
            != (RunState::Paused {
                reason: PauseReason::NotBegun,
            });
        match command {
            Command::Start {
                version,
                goal,
                limit,
                executor,
                default_agent,
                inherits,
                grants,
                caller,
                pinned,
            } => {
                if has_begun {
                    return Err(self.refuse("started again"));
                }
                let started = Event::Started {
                    plan: self.plan.id,
                    version: *version,
                    goal: goal.clone(),
                    limit: limit
                        .unwrap_or(self.plan.settings.effective_concurrency())
                        .max(1),
                    executor: *executor,
                    default_agent: default_agent.clone(),
                    trusted_tools: Vec::new(),
                    grants: grants.clone(),
                    caller: caller.clone(),
                    settings: Some(EffectiveSettings::from_settings(&self.plan.settings)),
                    semantics: Semantics::V4,
                    inherits: inherits.as_ref().map(|inherited| inherited.run),
                };
                let inherited = inherits.iter().flat_map(|inheritance| &inheritance.nodes);
                let inherited = inherited.filter(|inherited| self.node(inherited.node).is_some());
                let inherited = inherited.map(
                    |&Inherited {
                         node,
                         artifact,
                         taken,
                     }| Event::NodeInherited {
                        node,
                        artifact,
                        taken,
                    },
                );
                Ok(std::iter::once(started)
                    .chain(inherited)
                    .chain(self.pin_events(pinned))
                    .collect())
            }
            _ if !has_begun => Err(Refusal::RunState {
                state: "has not started",
                action: "changed",
            }),
            Command::TakeOver { epoch, .. } if *epoch <= self.epoch => Err(Refusal::OldEpoch {
                current: self.epoch.0,
                offered: epoch.0,
            }),
            Command::TakeOver {
                executor,
                epoch,
                record,
            } => Ok(vec![Event::TakenOver {
                executor: *executor,
                epoch: *epoch,
                record: record.clone(),
            }]),
            Command::Pause { stop_running } => self.decide_pause(*stop_running),
            Command::Resume => self.decide_resume(),
            Command::Cancel if self.state.has_ended() => Err(self.refuse("canceled")),
            Command::Cancel => Ok(vec![Event::CancelRequested]),
            Command::BeginReplan { proposal } => self.decide_replan(*proposal),
            Command::EndReplan { proposal, end } => Ok(self.decide_replan_end(*proposal, *end)),
            Command::DecideHandler { end, outcome } => Ok(self.decide_handler(*end, outcome)),
            Command::Want { goal, finished } => {
                self.require_finished(finished)?;
                self.decide_goal(goal)
            }
            Command::RetryNode { node, resume } => self.decide_retry(*node, *resume),
            Command::RerunNode { node } => Ok(self.rerun_events(vec![self.rerunnable(*node)?])),
            Command::ContinueNode { node, message } => self.decide_continue(*node, message),
            Command::RerunStale => Ok(self.rerun_events(self.stale().collect())),
            Command::RerunFailed => Ok(self.rerun_events(self.failed().collect())),
            Command::Approve { node, allow } => self.decide_approve(*node, *allow),
            Command::GiveInput { node, value } => self.decide_input(*node, value, context.artifact),
            Command::MarkFailed { node } => self.decide_mark_failed(*node),
            Command::EditArtifact { node, .. } => self.decide_edit(*node, context.artifact),
            Command::Checkpoint { name, data, files } => {
                let (name, data, files) = (name.clone(), data.clone(), files.clone());
                Ok(vec![Event::CheckpointMade { name, data, files }])
            }
            Command::Rollback { checkpoint, files } => {
                self.decide_rollback(*checkpoint)?;
                Ok(vec![Event::RolledBack {
                    checkpoint: *checkpoint,
                    files: *files,
                }])
            }
            Command::RerunFrom { node } => Ok(self.rerun_events(self.with_dependents(*node)?)),
            Command::StopNode { node } => self.decide_stop(*node),
            Command::SkipNode { node, stop } => self.decide_skip(*node, *stop),
            Command::MarkDone {
                node,
                handoff,
                stop,
            } => {
                let artifact = context.artifact.filter(|_| !handoff.trim().is_empty());
                self.decide_mark_done(*node, artifact, *stop)
            }
            Command::Answer {
                node,
                request,
                answer,
            } => self.decide_answer(*node, request, answer),
            Command::Revoke { grant, of } => Ok(self.decide_revoke(grant, *of)),
            Command::AgentChosen {
                node,
                attempt,
                choice,
            } => self.decide_agent_chosen(*node, *attempt, choice),
            Command::SessionStarted {
                node,
                attempt,
                checkpoint,
            } => self.decide_session_started(*node, *attempt, checkpoint.as_ref()),
            Command::SessionSilent {
                node,
                attempt,
                silent,
            } => self.decide_session_silent(*node, *attempt, *silent),
            Command::SessionUsed {
                node,
                attempt,
                spent,
            } => self.decide_session_used(*node, *attempt, *spent),
            Command::SessionWithdrawn { node, attempt } => {
                let (number, current) = self.current_attempt(*node, *attempt)?;
                if !is_reserved(&current.state) {
                    return Ok(Vec::new());
                }
                let withdrawn = Event::NodeWithdrawn {
                    node: *node,
                    attempt: *attempt,
                };
                Ok(std::iter::once(withdrawn)
                    .chain(self.after_stop(number, &Outcome::Cancelled))
                    .collect())
            }
            Command::SessionAsked {
                node,
                attempt,
                question,
                request,
                call,
            } => self.decide_session_asked(*node, *attempt, (question, request), call.as_ref()),
            Command::SessionUnasked {
                node,
                attempt,
                request,
            } => self.decide_session_unasked(*node, *attempt, request),
            Command::SessionOutside { node, call } => self.decide_unlisted_call(*node, call),
            Command::Accept { node } => self.decide_accept(*node),
            Command::NoteGitRestored {
                node,
                attempt,
                changes,
            } => self.decide_git_restored(*node, *attempt, changes),
            Command::PinHandoff {
                parent,
                child,
                text,
                artifact,
            } => self.decide_pin(*parent, *child, text, *artifact),
            Command::UnpinHandoff { parent, child } => self.decide_unpin(*parent, *child),
            Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact,
                taken,
                doubt,
            } => {
                let (number, current) = self.current_attempt(*node, *attempt)?;
                let outcome = self.apply_evidence_to_outcome(outcome, doubt.as_ref());
                let outcome = self.apply_budget_to_outcome(number, &outcome);
                let outcome = self.apply_stop_to_outcome(number, &outcome);
                let after_stop = self.after_stop(number, &outcome);
                let retry_at = self.retry_at(number, current, &outcome, context);
                let (node, attempt, taken) = (*node, *attempt, *taken);
                let done = outcome == Outcome::Succeeded;
                let artifact = artifact.filter(|_| done);
                let doubt = doubt.clone().filter(|_| done);
                let passed_on =
                    self.decide_pass_to_other_agent(number, &outcome, retry_at, context);
                let passed_on = passed_on.filter(|_| !self.is_overtaken(number));
                let ended = Event::NodeEnded {
                    node,
                    attempt,
                    outcome,
                    artifact,
                    retry_at,
                    taken,
                };
                let doubted = doubt.map(|doubt| Event::NodeUnverified {
                    node,
                    attempt,
                    doubt: doubt.reason,
                });
                Ok(std::iter::once(ended)
                    .chain(doubted)
                    .chain(passed_on)
                    .chain(after_stop)
                    .collect())
            }
            Command::SessionConflicted {
                node,
                attempt,
                conflict,
            } => self.decide_conflicted(*node, *attempt, conflict),
            Command::SessionMerged {
                node,
                attempt,
                outcome,
            } => self.decide_merge_tried(*node, *attempt, outcome),
            Command::Merge { node, resolution } => self.decide_merge(*node, *resolution),
            Command::ExecutorReturned { since, silence_ms } if self.state.is_running() => {
                Ok(vec![Event::ExecutorReturned {
                    since: *since,
                    silence_ms: *silence_ms,
                }])
            }
            Command::ExecutorReturned { .. } => Ok(Vec::new()),
            Command::InheritedChecked {
                node,
                attempt,
                epoch,
                checks,
                took_ms,
            } => self.decide_inherited((*node, *attempt), *epoch, checks, *took_ms),
            // The consequences are determined when free slots are filled.
            Command::PermitsFreed => Ok(Vec::new()),
            Command::TimeUp => Ok(self.decide_time_up(context.now)),
            Command::Due { node } => Ok(self.decide_timer_due(*node, context.now)),
        }
    }

    fn decide_pause(&self, stop_running: bool) -> Result<Vec<Event>, Refusal> {
        match &self.state {
            // Pausing a run that is being canceled revokes the cancellation: nodes that are still
            // ending run again.
            RunState::Running {
                ending:
                    None
                    | Some(
                        Ending::Pausing { .. }
                        | Ending::Cancelling
                        | Ending::Verifying
                        | Ending::Reviewing,
                    ),
            } => Ok(vec![Event::PauseRequested { stop_running }]),
            RunState::Running { .. } => Err(Refusal::RunState {
                state: "is already ending",
                action: "paused",
            }),
            RunState::Paused { .. } => Ok(Vec::new()),
            _ => Err(self.refuse("paused")),
        }
    }

    /// Resuming a run that reached its goal continues with the remaining nodes.
    fn decide_resume(&self) -> Result<Vec<Event>, Refusal> {
        match &self.state {
            RunState::Paused {
                reason: PauseReason::GoalReached,
            } => Ok(vec![Event::GoalSet { goal: Goal::All }, Event::Resumed]),
            RunState::Running {
                ending: Some(Ending::Pausing { .. } | Ending::Reviewing),
            }
            | RunState::Paused { .. }
            | RunState::Stalled { .. } => Ok(vec![Event::Resumed]),
            RunState::Running {
                ending: None | Some(Ending::Verifying),
            } => Ok(Vec::new()),
            _ => Err(self.refuse("resumed")),
        }
    }

    /// A timer has no effect if the run was resumed in the meantime or is already being stopped.
    fn decide_time_up(&self, now: Timestamp) -> Vec<Event> {
        let stops = |ending: &Option<Ending>| {
            matches!(
                ending,
                Some(Ending::Cancelling | Ending::BudgetSpent | Ending::TimeUp { .. })
            )
        };
        match (&self.state, self.deadline(), self.plan.settings.timeout_ms) {
            (RunState::Running { ending }, Some(deadline), Some(limit_ms))
                if now >= deadline && !stops(ending) =>
            {
                vec![Event::TimeUp { limit_ms }]
            }
            _ => Vec::new(),
        }
    }

    fn require_finished(&self, nodes: &[NodeId]) -> Result<(), Refusal> {
        for node in nodes {
            let number = self.number_of(*node)?;
            let is_finished = match &self.nodes[number].state {
                NodeState::Done { .. } => true,
                NodeState::Skipped { reason } => reason.lets_children_run(),
                _ => false,
            };
            if !is_finished {
                return Err(self.refuse_node(
                    number,
                    &self.nodes[number].state,
                    "taken as finished",
                ));
            }
        }
        Ok(())
    }

    fn decide_goal(&self, goal: &Goal) -> Result<Vec<Event>, Refusal> {
        if let Goal::Only { nodes } = goal {
            for node in nodes {
                self.number_of(*node)?;
            }
        }
        let mut events = vec![Event::GoalSet { goal: goal.clone() }];
        match &self.state {
            RunState::Running {
                ending: None | Some(Ending::Verifying),
            } => {}
            RunState::Running {
                ending: Some(Ending::Reviewing),
            }
            | RunState::Paused { .. }
            | RunState::Stalled { .. } => events.push(Event::Resumed),
            _ => return Err(self.refuse("given a new goal")),
        }
        Ok(events)
    }

    fn decide_retry(&self, node: NodeId, resume: bool) -> Result<Vec<Event>, Refusal> {
        let nodes = vec![self.retryable(node)?];
        Ok(self.then_resume(vec![Event::NodesReset { nodes, resume }]))
    }

    /// `events`, after which the run continues even if it had ended.
    pub(super) fn then_resume(&self, mut events: Vec<Event>) -> Vec<Event> {
        if !self.state.is_running() {
            events.push(Event::Resumed);
        }
        events
    }

    fn decide_skip(&self, node: NodeId, stop: bool) -> Result<Vec<Event>, Refusal> {
        if stop && self.has_session_to_stop(node) {
            return Ok(self.request_stop(self.number_of(node)?, AfterStop::Skip));
        }
        self.require_no_session(node, "skipped")?;
        Ok(self.resume_after(Event::NodeSkipped { node }))
    }

    fn decide_mark_done(
        &self,
        node: NodeId,
        artifact: Option<ArtifactId>,
        stop: bool,
    ) -> Result<Vec<Event>, Refusal> {
        if stop && self.has_session_to_stop(node) {
            return Ok(self.request_stop(self.number_of(node)?, AfterStop::MarkDone { artifact }));
        }
        self.require_no_session(node, "marked as done")?;
        Ok(self.resume_after(Event::NodeMarkedDone { node, artifact }))
    }

    /// `event`, after which a run that was stuck because of the node continues, because that is the
    /// person's intention.
    pub(super) fn resume_after(&self, event: Event) -> Vec<Event> {
        let stuck = matches!(
            self.state,
            RunState::Failed { .. } | RunState::Stalled { .. } | RunState::Replanning { .. }
        );
        if stuck {
            vec![event, Event::Resumed]
        } else {
            vec![event]
        }
    }

    /// Refuses if a session is working on the node, or its outcome can no longer be changed.
    fn require_no_session(&self, node: NodeId, action: &'static str) -> Result<(), Refusal> {
        let number = self.number_of(node)?;
        match &self.nodes[number].state {
            NodeState::Pending
            | NodeState::Blocked { .. }
            | NodeState::Failed { .. }
            | NodeState::Interrupted { .. }
            | NodeState::Waiting {
                what:
                    WaitingFor::RetryAt { .. }
                    | WaitingFor::LimitUntil { .. }
                    | WaitingFor::Approval { .. }
                    | WaitingFor::Merge { .. }
                    | WaitingFor::Input { .. },
            } => Ok(()),
            state => Err(self.refuse_node(number, state, action)),
        }
    }

    fn decide_session_started(
        &self,
        node: NodeId,
        attempt: Attempt,
        checkpoint: Option<&String>,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current_attempt(node, attempt)?;
        let checkpoint = checkpoint.cloned();
        Ok(if is_reserved(&current.state) {
            vec![Event::NodeStarted {
                node,
                attempt,
                checkpoint,
            }]
        } else {
            Vec::new()
        })
    }

    /// The node, if `attempt` is the one in progress.
    pub(super) fn current_attempt(
        &self,
        node: NodeId,
        attempt: Attempt,
    ) -> Result<(usize, &NodeRun), Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        if run.attempt == attempt && (is_reserved(&run.state) || is_live(&run.state)) {
            Ok((number, run))
        } else {
            Err(Refusal::Late {
                title: self.title(number).to_owned(),
                attempt,
            })
        }
    }

    /// When an unsuccessful attempt is retried. Failures with external causes are counted
    /// separately from the node's own.
    fn retry_at(
        &self,
        number: usize,
        run: &NodeRun,
        outcome: &Outcome,
        context: &Context<'_>,
    ) -> Option<Timestamp> {
        let definition = self.definition(number);
        if let Some(reset_at) = usage_limit::known_reset(outcome, context.now) {
            return (!self.is_being_stopped(number))
                .then(|| usage_limit::resume_at(reset_at, context.chance));
        }
        let (used, allowed) = match outcome {
            Outcome::Lost { .. } if definition.after_crash == AfterCrash::Ask => return None,
            outcome if is_external_failure(outcome) => (run.losses, MAX_LOSSES),
            Outcome::Failed { failure } if is_retryable(failure, &definition.retry_exit_codes) => {
                (run.own_failures, definition.max_retries)
            }
            _ => return None,
        };
        if self.is_being_stopped(number) || used >= allowed {
            return None;
        }
        let waits = if usage_limit::is_usage_limit(outcome) {
            usage_limit::BACKOFF_MS
        } else {
            AFTER_FAILURE_MS
        };
        Some(context.now.plus_ms(backoff_ms(used, waits, context.chance)))
    }

    fn is_being_stopped(&self, number: usize) -> bool {
        match &self.state {
            RunState::Running {
                ending: Some(Ending::Cancelling | Ending::BudgetSpent),
            } => true,
            RunState::Running {
                ending: Some(Ending::TimeUp { .. }),
            } => !runs_after_failure(self.rule(number)),
            _ => false,
        }
    }

    pub(super) fn number_of(&self, node: NodeId) -> Result<usize, Refusal> {
        self.graph.number(node).ok_or(Refusal::UnknownNode(node))
    }

    fn refuse(&self, action: &'static str) -> Refusal {
        Refusal::RunState {
            state: self.state.predicate(),
            action,
        }
    }

    pub(super) fn refuse_node(
        &self,
        number: usize,
        state: &NodeState,
        action: &'static str,
    ) -> Refusal {
        Refusal::NodeState {
            title: self.title(number).to_owned(),
            state: state.predicate(),
            action,
        }
    }
}

/// A missing program or invalid template would fail again a second later, and a retry would only
/// hide it.
fn is_retryable(failure: &Failure, retry_exit_codes: &[i32]) -> bool {
    match failure {
        Failure::ExitCode { code } => {
            retry_exit_codes.is_empty() || retry_exit_codes.contains(code)
        }
        Failure::Signal { .. }
        | Failure::TimedOut { .. }
        | Failure::AgentError { .. }
        | Failure::ToolError { .. }
        | Failure::CriteriaFailed { .. }
        | Failure::Unverified { .. }
        | Failure::SubPlan { .. } => retry_exit_codes.is_empty(),
        Failure::NotStarted { .. }
        | Failure::BadInput { .. }
        | Failure::DiskFull { .. }
        | Failure::SessionFiles { .. }
        | Failure::Unavailable { .. }
        | Failure::UsageLimit { .. }
        | Failure::BudgetSpent { .. }
        | Failure::NoAnswer { .. }
        | Failure::ByHand => false,
    }
}
