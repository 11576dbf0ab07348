//! What follows from a command: events, or a refusal in words.
//!
//! Only looks. Late and repeated reports have their own answers, since an executor that was adopted, killed
//! or overtaken tells its story twice.

use crate::node::OnFailure;
use crate::outcome::Failure;
use crate::{ArtifactId, Attempt, NodeId, Outcome, SessionId, Timestamp};

use super::event::{Event, Goal};
use super::state::{Ending, NodeRun, NodeState, PauseReason, RunState, WaitingFor};
use super::{Command, Refusal, Run, is_live, is_reserved};

/// What a decision needs from the world.
pub struct Context<'a> {
    /// The time of the decision.
    pub now: Timestamp,
    /// A number from 0 up to 1, drawn for this decision: it spreads out retries.
    pub chance: f64,
    /// Makes a session id that was never used.
    pub new_session: &'a mut dyn FnMut() -> SessionId,
    /// The id for a handoff, if the command brings one.
    pub artifact: Option<ArtifactId>,
}

impl Run {
    pub(super) fn decide(&self, command: &Command, context: &Context<'_>) -> Result<Vec<Event>, Refusal> {
        let has_begun = self.state != (RunState::Paused { reason: PauseReason::NotBegun });
        match command {
            Command::Start { version, goal, limit, executor } => {
                if has_begun {
                    return Err(self.refuse("started again"));
                }
                Ok(vec![Event::Started {
                    plan: self.plan.id,
                    version: *version,
                    goal: goal.clone(),
                    limit: limit.unwrap_or(self.plan.settings.concurrency).max(1),
                    executor: *executor,
                }])
            }
            _ if !has_begun => Err(Refusal::RunState { state: "not begun yet", wish: "changed" }),
            Command::TakeOver { epoch, .. } if *epoch <= self.epoch => {
                Err(Refusal::OldEpoch { current: self.epoch.0, offered: epoch.0 })
            }
            Command::TakeOver { executor, epoch } => Ok(vec![Event::TakenOver { executor: *executor, epoch: *epoch }]),
            Command::Pause { stop_running } => self.decide_pause(*stop_running),
            Command::Resume => self.decide_resume(),
            Command::Cancel if self.state.has_ended() => Err(self.refuse("cancelled")),
            Command::Cancel => Ok(vec![Event::CancelRequested]),
            Command::Want { goal } => self.decide_want(goal),
            Command::RetryNode { node } => self.decide_retry(*node),
            Command::RerunFrom { node } => self.decide_rerun(*node),
            Command::SkipNode { node } => self.decide_skip(*node),
            Command::MarkDone { node, handoff } => {
                self.at_rest_or_pending(*node, "marked as done")?;
                let artifact = context.artifact.filter(|_| !handoff.trim().is_empty());
                Ok(self.go_on_after(Event::NodeMarkedDone { node: *node, artifact }))
            }
            Command::Answer { node, request, allow } => self.decide_answer(*node, request, *allow),
            Command::SessionStarted { node, attempt } => self.decide_started(*node, *attempt),
            Command::SessionWithdrawn { node, attempt } => {
                let (_, current) = self.current(*node, *attempt)?;
                let (node, attempt) = (*node, *attempt);
                Ok(if is_reserved(&current.state) { vec![Event::NodeWithdrawn { node, attempt }] } else { Vec::new() })
            }
            Command::SessionAsked { node, attempt, question, request } => {
                self.decide_asked(*node, *attempt, question, request)
            }
            Command::SessionEnded { node, attempt, outcome, artifact } => {
                let (number, current) = self.current(*node, *attempt)?;
                let retry_at = self.retry_at(number, current, outcome, context);
                let (node, attempt, outcome) = (*node, *attempt, outcome.clone());
                Ok(vec![Event::NodeEnded { node, attempt, outcome, artifact: *artifact, retry_at }])
            }
            Command::TimeUp => Ok(self.decide_time_up(context.now)),
            Command::RetryDue { node } => {
                let due = self.node(*node).is_some_and(|run| super::is_retrying(&run.state));
                Ok(if due { vec![Event::NodeRetryDue { node: *node }] } else { Vec::new() })
            }
        }
    }

    fn decide_pause(&self, stop_running: bool) -> Result<Vec<Event>, Refusal> {
        match &self.state {
            RunState::Running { ending: None | Some(Ending::Pausing { .. }) } => {
                Ok(vec![Event::PauseRequested { stop_running }])
            }
            RunState::Running { .. } => Err(Refusal::RunState { state: "already ending", wish: "paused" }),
            RunState::Paused { .. } => Ok(Vec::new()),
            _ => Err(self.refuse("paused")),
        }
    }

    fn decide_resume(&self) -> Result<Vec<Event>, Refusal> {
        match &self.state {
            RunState::Running { ending: Some(Ending::Pausing { .. }) }
            | RunState::Paused { .. }
            | RunState::Stalled { .. } => Ok(vec![Event::Resumed]),
            RunState::Running { ending: None } => Ok(Vec::new()),
            _ => Err(self.refuse("resumed")),
        }
    }

    /// An alarm that rings for a run that was resumed meanwhile, or is being stopped already, means nothing.
    fn decide_time_up(&self, now: Timestamp) -> Vec<Event> {
        let stopping = Some(Ending::Cancelling);
        match (&self.state, self.deadline(), self.plan.settings.timeout_ms) {
            (RunState::Running { ending }, Some(deadline), Some(limit_ms))
                if now >= deadline && *ending != stopping && !matches!(ending, Some(Ending::TimeUp { .. })) =>
            {
                vec![Event::TimeUp { limit_ms }]
            }
            _ => Vec::new(),
        }
    }

    fn decide_want(&self, goal: &Goal) -> Result<Vec<Event>, Refusal> {
        if let Goal::Only { nodes } = goal {
            for node in nodes {
                self.number_of(*node)?;
            }
        }
        let mut events = vec![Event::GoalSet { goal: goal.clone() }];
        match &self.state {
            RunState::Running { ending: None } => {}
            RunState::Paused { .. } | RunState::Stalled { .. } => events.push(Event::Resumed),
            _ => return Err(self.refuse("asked for more")),
        }
        Ok(events)
    }

    fn decide_retry(&self, node: NodeId) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        match &self.nodes[number].state {
            NodeState::Failed { .. }
            | NodeState::Interrupted { .. }
            | NodeState::Skipped { .. }
            | NodeState::Waiting { what: WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. } } => {}
            state => return Err(self.refuse_node(number, state.word(), "retried")),
        }
        Ok(self.and_go_on(vec![Event::NodesReset { nodes: vec![node] }]))
    }

    fn decide_rerun(&self, node: NodeId) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        let mut numbers = vec![number];
        numbers.extend(self.graph.dependents(number));
        if let Some(&busy) =
            numbers.iter().find(|&&n| is_live(&self.nodes[n].state) || is_reserved(&self.nodes[n].state))
        {
            return Err(self.refuse_node(busy, self.nodes[busy].state.word(), "run again before it has ended"));
        }
        let nodes = numbers
            .into_iter()
            .filter(|&n| n == number || self.nodes[n].state != NodeState::Pending || self.nodes[n].own_failures > 0)
            .map(|n| self.graph.id(n))
            .collect();
        Ok(self.and_go_on(vec![Event::NodesReset { nodes }]))
    }

    /// `events`, and the run goes on afterwards even if it had ended.
    fn and_go_on(&self, mut events: Vec<Event>) -> Vec<Event> {
        if !self.state.is_running() {
            events.push(Event::Resumed);
        }
        events
    }

    fn decide_skip(&self, node: NodeId) -> Result<Vec<Event>, Refusal> {
        self.at_rest_or_pending(node, "skipped")?;
        Ok(self.go_on_after(Event::NodeSkipped { node }))
    }

    /// `event`, and a run that could not go on because of the node goes on: that is what the person means.
    fn go_on_after(&self, event: Event) -> Vec<Event> {
        let stuck = matches!(self.state, RunState::Failed { .. } | RunState::Stalled { .. });
        if stuck { vec![event, Event::Resumed] } else { vec![event] }
    }

    /// Refuses unless no session works on the node and its outcome is still open to a decision.
    fn at_rest_or_pending(&self, node: NodeId, wish: &'static str) -> Result<(), Refusal> {
        let number = self.number_of(node)?;
        match &self.nodes[number].state {
            NodeState::Pending
            | NodeState::Blocked { .. }
            | NodeState::Failed { .. }
            | NodeState::Interrupted { .. }
            | NodeState::Waiting { what: WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. } } => Ok(()),
            state => Err(self.refuse_node(number, state.word(), wish)),
        }
    }

    fn decide_answer(&self, node: NodeId, request: &str, allow: bool) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        match &run.state {
            NodeState::Waiting { what: WaitingFor::Person { request: asked, .. } } if asked == request => {
                Ok(vec![Event::NodeAnswered { node, attempt: run.attempt, request: request.to_owned(), allow }])
            }
            _ => Err(Refusal::NotAsked { title: self.title(number).to_owned() }),
        }
    }

    fn decide_started(&self, node: NodeId, attempt: Attempt) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current(node, attempt)?;
        Ok(if is_reserved(&current.state) { vec![Event::NodeStarted { node, attempt }] } else { Vec::new() })
    }

    fn decide_asked(
        &self,
        node: NodeId,
        attempt: Attempt,
        question: &str,
        request: &str,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current(node, attempt)?;
        let mut events = Vec::new();
        if is_reserved(&current.state) {
            events.push(Event::NodeStarted { node, attempt });
        }
        let asked_already = matches!(&current.state,
            NodeState::Waiting { what: WaitingFor::Person { request: asked, .. } } if asked == request);
        if !asked_already {
            let (question, request) = (question.to_owned(), request.to_owned());
            events.push(Event::NodeAsked { node, attempt, question, request });
        }
        Ok(events)
    }

    /// The node, when `attempt` is the one that is under way.
    fn current(&self, node: NodeId, attempt: Attempt) -> Result<(usize, &NodeRun), Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        if run.attempt == attempt && (is_reserved(&run.state) || is_live(&run.state)) {
            Ok((number, run))
        } else {
            Err(Refusal::Late { title: self.title(number).to_owned(), attempt })
        }
    }

    /// When a failed attempt is due again: min(1 s × 2ⁿ, 30 s), less up to a quarter by chance (product E5).
    fn retry_at(&self, number: usize, run: &NodeRun, outcome: &Outcome, context: &Context<'_>) -> Option<Timestamp> {
        let Outcome::Failed { failure } = outcome else { return None };
        let stopping =
            matches!(self.state, RunState::Running { ending: Some(Ending::Cancelling | Ending::TimeUp { .. }) });
        if stopping || !could_go_better_next_time(failure) || run.own_failures >= self.definition(number).max_retries {
            return None;
        }
        let delay = 1000_u64.checked_shl(run.own_failures).unwrap_or(u64::MAX).min(30_000);
        let spread = (delay as f64 * 0.25 * context.chance) as u64;
        Some(context.now.plus_ms(delay - spread))
    }

    pub(super) fn number_of(&self, node: NodeId) -> Result<usize, Refusal> {
        self.graph.number(node).ok_or(Refusal::UnknownNode(node))
    }

    fn refuse(&self, wish: &'static str) -> Refusal {
        Refusal::RunState { state: self.state.word(), wish }
    }

    fn refuse_node(&self, number: usize, state: &'static str, wish: &'static str) -> Refusal {
        Refusal::NodeState { title: self.title(number).to_owned(), state, wish }
    }

    /// Whether this node's failure ends the run.
    pub(super) fn aborts(&self, number: usize) -> bool {
        self.definition(number).on_failure == OnFailure::Abort
    }
}

/// A missing program or a wrong template is the same a second later; trying again would only hide it.
fn could_go_better_next_time(failure: &Failure) -> bool {
    match failure {
        Failure::ExitCode { .. } | Failure::Signal { .. } | Failure::TimedOut { .. } | Failure::AgentError { .. } => {
            true
        }
        Failure::NotStarted { .. } | Failure::BadInput { .. } | Failure::DiskFull { .. } => false,
    }
}
