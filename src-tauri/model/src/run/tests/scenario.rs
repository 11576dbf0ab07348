//! A run that a test drives step by step.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::arbiter::{AgentStatus, Roster, Team};
use crate::outcome::Failure;
use crate::plan_fixture::node_id;
use crate::run::{
    Command, Context, Event, Goal, LockHolder, NodeRun, NodeState, Obstacle, PermitRequest,
    Permits, Refusal, Run, Step, StepError,
};
use crate::{
    ArtifactId, Attempt, Epoch, ExecutorId, NodeId, Outcome, Plan, RunId, SessionId, Timestamp,
};

/// What the test knows about agents.
#[derive(Debug, Clone, Default)]
pub(super) struct TestRoster {
    pub(super) teams: Vec<Team>,
    pub(super) agent_statuses: BTreeMap<String, AgentStatus>,
}

impl Roster for TestRoster {
    fn team(&self, name: &str) -> Option<Team> {
        self.teams.iter().find(|team| team.name == name).cloned()
    }

    fn agent_status(&self, agent: &str) -> AgentStatus {
        self.agent_statuses.get(agent).cloned().unwrap_or_default()
    }

    fn default_agent(&self) -> Option<String> {
        Some("claude".to_owned())
    }
}

type Taken = (Vec<String>, Vec<String>);

/// What others hold, and what the run was granted. The test releases what its nodes no longer need.
#[derive(Debug, Clone, Default)]
pub(super) struct TestPermits {
    pub(super) held_by_others: BTreeMap<String, LockHolder>,
    pub(super) agent_limits: BTreeMap<String, u32>,
    /// The locks and agents granted to each node.
    taken: RefCell<BTreeMap<NodeId, Taken>>,
    pub(super) asked: RefCell<Vec<(NodeId, Option<Timestamp>)>>,
}

impl TestPermits {
    fn busy(&self, agent: &str) -> u32 {
        let taken = self.taken.borrow();
        u32::try_from(
            taken
                .values()
                .filter(|(_, agents)| agents.iter().any(|one| one == agent))
                .count(),
        )
        .expect("few")
    }

    /// Releases what nodes no longer need. Returns whether anything was released.
    fn keep(&self, run: &Run) -> bool {
        let mut taken = self.taken.borrow_mut();
        let before = taken.len();
        taken.retain(|&node, _| run.holds_permits(node));
        taken.len() < before
    }
}

impl Permits for TestPermits {
    fn limits_agents(&self) -> bool {
        !self.agent_limits.is_empty()
    }

    fn are_needed(&self, demand: &PermitRequest<'_>) -> bool {
        !demand.locks.is_empty()
            || demand
                .agents
                .iter()
                .any(|agent| self.agent_limits.contains_key(agent))
    }

    fn has_room(&self, node: NodeId, agent: &str, _: Option<Timestamp>) -> bool {
        let holds = |(_, agents): &Taken| agents.iter().any(|one| one == agent);
        self.taken.borrow().get(&node).is_some_and(holds)
            || self
                .agent_limits
                .get(agent)
                .is_none_or(|&limit| self.busy(agent) < limit)
    }

    fn take(&self, demand: &PermitRequest<'_>) -> Result<(), Obstacle> {
        self.asked.borrow_mut().push((demand.node, demand.since));
        for name in demand.locks {
            if let Some(holder) = self.held_by_others.get(name) {
                return Err(Obstacle::Lock {
                    name: name.clone(),
                    holder: Some(holder.clone()),
                });
            }
            let sibling = self
                .taken
                .borrow()
                .iter()
                .find(|(_, (locks, _))| locks.contains(name))
                .map(|(node, _)| *node);
            if let Some(node) = sibling.filter(|&node| node != demand.node) {
                let holder = LockHolder {
                    run: None,
                    node,
                    title: "a sibling".to_owned(),
                };
                return Err(Obstacle::Lock {
                    name: name.clone(),
                    holder: Some(holder),
                });
            }
        }
        for agent in &demand.agents {
            if let Some(&limit) = self
                .agent_limits
                .get(agent)
                .filter(|&&limit| self.busy(agent) >= limit)
            {
                return Err(Obstacle::Agent {
                    agent: agent.clone(),
                    limit,
                });
            }
        }
        self.taken
            .borrow_mut()
            .insert(demand.node, (demand.locks.to_vec(), demand.agents.clone()));
        Ok(())
    }
}

/// A run with the clock and IDs of its environment.
#[derive(Debug, Clone)]
pub(super) struct Scenario {
    pub(super) run: Run,
    pub(super) now: Timestamp,
    pub(super) roster: TestRoster,
    pub(super) permits: TestPermits,
    sessions: u128,
    artifacts: u128,
}

impl Scenario {
    pub(super) fn of(plan: Plan) -> Self {
        let run =
            Run::new(RunId(Uuid::from_u128(1)), Arc::new(plan)).expect("the plan has no cycle");
        Self {
            run,
            now: Timestamp(1000),
            roster: TestRoster::default(),
            permits: TestPermits::default(),
            sessions: 0,
            artifacts: 1 << 64,
        }
    }

    pub(super) fn step(&mut self, command: &Command) -> Result<Step, Refusal> {
        let sessions = &mut self.sessions;
        let mut new_session = || {
            *sessions += 1;
            SessionId(Uuid::from_u128(*sessions))
        };
        self.artifacts += 1;
        let artifact = Some(ArtifactId(Uuid::from_u128(self.artifacts)));
        let words = |_, words: &str| words.to_owned();
        let mut context = Context {
            now: self.now,
            chance: 0.0,
            new_session: &mut new_session,
            artifact,
            fill_templates: &words,
            roster: &self.roster,
            permits: &self.permits,
        };
        // An ended session's permits are released before they are requested again, as the store
        // does it in one transaction.
        let first = refusal_of(self.run.step(command, &mut context))?;
        if !self.permits.keep(&self.run) {
            return Ok(first);
        }
        let then = refusal_of(self.run.step(&Command::PermitsFreed, &mut context))?;
        Ok(Step {
            events: first.events.into_iter().chain(then.events).collect(),
            effects: first.effects.into_iter().chain(then.effects).collect(),
        })
    }

    /// A step that must be accepted.
    pub(super) fn step_ok(&mut self, command: Command) -> Step {
        self.step(&command)
            .unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
    }

    /// The session of the node at `position` starts and ends.
    pub(super) fn runs(&mut self, position: usize, outcome: Outcome) {
        let (node, attempt) = self.attempt(position);
        self.step_ok(started(node, attempt));
        self.step_ok(ended(node, attempt, outcome));
    }

    /// The session of the node at `position` starts.
    pub(super) fn starts(&mut self, position: usize) -> (NodeId, Attempt) {
        let (node, attempt) = self.attempt(position);
        self.step_ok(started(node, attempt));
        (node, attempt)
    }

    pub(super) fn state(&self, position: usize) -> &NodeState {
        &self.node(position).state
    }

    pub(super) fn node(&self, position: usize) -> &NodeRun {
        self.run.node(node_id(position)).expect("the plan has it")
    }

    pub(super) fn attempt(&self, position: usize) -> (NodeId, Attempt) {
        let node = node_id(position);
        (node, self.run.node(node).expect("the plan has it").attempt)
    }

    pub(super) fn state_name(&self, position: usize) -> &'static str {
        self.run
            .node(node_id(position))
            .expect("the plan has it")
            .state
            .as_str()
    }
}

/// A run of `plan` that has started.
pub(super) fn started_run(plan: Plan) -> Scenario {
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(None));
    scenario
}

pub(super) fn start(limit: Option<u32>) -> Command {
    Command::Start {
        version: 1,
        goal: Goal::All,
        limit,
        executor: executor(),
        default_agent: None,
        inherits: None,
        grants: Vec::new(),
        caller: None,
        pinned: Vec::new(),
    }
}

pub(super) fn take_over(epoch: u32) -> Command {
    Command::TakeOver {
        executor: executor(),
        epoch: Epoch(epoch),
        record: None,
    }
}

pub(super) fn ended(node: NodeId, attempt: Attempt, outcome: Outcome) -> Command {
    Command::SessionEnded {
        node,
        attempt,
        outcome,
        artifact: None,
        taken: None,
        doubt: None,
    }
}

pub(super) fn started(node: NodeId, attempt: Attempt) -> Command {
    Command::SessionStarted {
        node,
        attempt,
        checkpoint: None,
    }
}

pub(super) fn failed() -> Outcome {
    Outcome::Failed {
        failure: Failure::ExitCode { code: 1 },
    }
}

pub(super) fn lost() -> Outcome {
    Outcome::Lost {
        detail: "the machine went down".to_owned(),
    }
}

pub(super) fn executor() -> ExecutorId {
    ExecutorId(Uuid::from_u128(2))
}

/// The event's name, as in the tables.
pub(super) fn kind_of(event: &Event) -> &'static str {
    match event {
        Event::Started { .. } => "started",
        Event::TakenOver { .. } => "taken over",
        Event::ExecutorReturned { .. } => "executor back",
        Event::InheritedChecked { .. } => "rechecked",
        Event::GoalSet { .. } => "goal set",
        Event::PauseRequested { .. } => "pause requested",
        Event::Paused { goal_reached: true } => "paused at its goal",
        Event::Paused { .. } => "paused",
        Event::Resumed => "resumed",
        Event::CancelRequested => "cancel requested",
        Event::TimeUp { .. } => "time up",
        Event::Cancelled => "cancelled",
        Event::Completed => "completed",
        Event::Failed { .. } => "failed",
        Event::PlanRetried { .. } => "plan retried",
        Event::Stalled { .. } => "stalled",
        Event::ReplanBegun { .. } => "replan begun",
        Event::ReplanEnded { .. } => "replan ended",
        Event::NodeReserved { .. } => "reserved",
        Event::NodeAssigned { .. } => "assigned",
        Event::NodeHeldBack { .. } => "held back",
        Event::NodeParked { .. } => "parked",
        Event::NodePassedOn { .. } => "passed on",
        Event::NodeWithdrawn { .. } => "withdrawn",
        Event::NodeStarted { .. } => "lives",
        Event::NodeAsked { .. } => "asked",
        Event::NodeAnswered { .. } => "answered",
        Event::NodeUnasked { .. } => "taken back",
        Event::Granted { .. } => "granted",
        Event::GrantRevoked { .. } => "revoked",
        Event::ToolOutside { .. } => "outside",
        Event::NodeEnded { .. } => "ended",
        Event::NodeRetryDue { .. } => "retry due",
        Event::NodesReset { .. } => "reset",
        Event::NodeContinued { .. } => "continued",
        Event::NodeSkipped { .. } => "skipped",
        Event::NodeInherited { .. } => "inherited",
        Event::NodePinned { .. } => "output pinned",
        Event::NodeLeftOut { .. } => "left out",
        Event::NodeMarkedDone { .. } => "marked done",
        Event::BudgetSpent { .. } => "budget spent",
        Event::CheckpointMade { .. } => "checkpoint",
        Event::RolledBack { .. } => "rolled back",
        Event::NodeHeld { .. } => "held",
        Event::NodeReleased { allow: true, .. } => "released",
        Event::NodeReleased { .. } => "refused",
        Event::InputAsked { .. } => "asks for input",
        Event::InputGiven { .. } => "given input",
        Event::NodeSilent { .. } => "silent",
        Event::NodeHeard { .. } => "heard",
        Event::NodeUsed { .. } => "used",
        Event::ArtifactEdited { .. } => "handoff edited",
        Event::NodeUnverified { .. } => "unverified",
        Event::NodeAccepted { .. } => "accepted",
        Event::GitRestored { .. } => "git restored",
        Event::HandoffPinned { .. } => "handoff pinned",
        Event::HandoffUnpinned { .. } => "handoff unpinned",
        Event::NodeMarkedFailed { .. } => "marked failed",
        Event::NodeStopRequested { .. } => "stop requested",
        Event::NodeConflicted { .. } => "conflicted",
        Event::MergeDecided { .. } => "merge decided",
        Event::MergeTried { .. } => "merge tried",
        Event::HandlerDecided { .. } => "handler decided",
    }
}

/// The event's name with its node, as in the tables.
pub(super) fn format_event(event: &Event) -> String {
    let word = kind_of(event);
    let letter =
        |node: NodeId| char::from(b'A' + u8::try_from(node.0.as_u128() - 1).expect("a small plan"));
    match event {
        Event::NodesReset { nodes, .. } => {
            format!(
                "{} {word}",
                nodes.iter().map(|&node| letter(node)).collect::<String>()
            )
        }
        event => event.node().map_or_else(
            || word.to_owned(),
            |node| format!("{} {word}", letter(node)),
        ),
    }
}

/// The result of a step. Decided events always fit; anything else is a bug in the model.
fn refusal_of(step: Result<Step, StepError>) -> Result<Step, Refusal> {
    match step {
        Ok(step) => Ok(step),
        Err(StepError::Refused(refusal)) => Err(refusal),
        Err(StepError::Illegal(illegal)) => panic!("{illegal:?}"),
    }
}
