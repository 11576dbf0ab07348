//! A run that a test leads by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::arbiter::{Roster, Standing, Team};
use crate::outcome::Failure;
use crate::plan_fixture::node_id;
use crate::run::{Command, Context, Event, Goal, NodeRun, NodeState, Refusal, Run, Step};
use crate::{ArtifactId, Attempt, Epoch, ExecutorId, NodeId, Outcome, Plan, RunId, SessionId, Timestamp};

/// What the world knows of agents.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) teams: Vec<Team>,
    pub(super) standings: BTreeMap<String, Standing>,
}

impl Roster for Known {
    fn team(&self, name: &str) -> Option<Team> {
        self.teams.iter().find(|team| team.name == name).cloned()
    }

    fn standing(&self, agent: &str) -> Standing {
        self.standings.get(agent).cloned().unwrap_or_default()
    }

    fn default_agent(&self) -> Option<String> {
        Some("claude".to_owned())
    }
}

/// A run and the clock and ids of its world.
#[derive(Debug, Clone)]
pub(super) struct Scenario {
    pub(super) run: Run,
    pub(super) now: Timestamp,
    pub(super) roster: Known,
    sessions: u128,
    artifacts: u128,
}

impl Scenario {
    pub(super) fn of(plan: Plan) -> Self {
        let run = Run::new(RunId(Uuid::from_u128(1)), Arc::new(plan)).expect("the plan has no cycle");
        Self { run, now: Timestamp(1000), roster: Known::default(), sessions: 0, artifacts: 1 << 64 }
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
            words: &words,
            roster: &self.roster,
        };
        self.run.step(command, &mut context)
    }

    /// A step that must be granted.
    pub(super) fn does(&mut self, command: Command) -> Step {
        self.step(&command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
    }

    /// The session of the node at `position` starts and ends.
    pub(super) fn runs(&mut self, position: usize, outcome: Outcome) {
        let (node, attempt) = self.attempt(position);
        self.does(started(node, attempt));
        self.does(ended(node, attempt, outcome));
    }

    /// The session of the node at `position` lives.
    pub(super) fn starts(&mut self, position: usize) -> (NodeId, Attempt) {
        let (node, attempt) = self.attempt(position);
        self.does(started(node, attempt));
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

    pub(super) fn word(&self, position: usize) -> &'static str {
        self.run.node(node_id(position)).expect("the plan has it").state.word()
    }
}

/// A run of `plan` that has started.
pub(super) fn begun(plan: Plan) -> Scenario {
    let mut scenario = Scenario::of(plan);
    scenario.does(start(None));
    scenario
}

pub(super) fn start(limit: Option<u32>) -> Command {
    Command::Start {
        version: 1,
        goal: Goal::All,
        limit,
        executor: executor(),
        default_agent: None,
        trusted_tools: Vec::new(),
        inherits: None,
        grants: Vec::new(),
        caller: None,
    }
}

pub(super) fn take_over(epoch: u32) -> Command {
    Command::TakeOver { executor: executor(), epoch: Epoch(epoch), record: None }
}

pub(super) fn ended(node: NodeId, attempt: Attempt, outcome: Outcome) -> Command {
    Command::SessionEnded { node, attempt, outcome, artifact: None, taken: None, doubt: None }
}

pub(super) fn started(node: NodeId, attempt: Attempt) -> Command {
    Command::SessionStarted { node, attempt, checkpoint: None }
}

pub(super) fn failed() -> Outcome {
    Outcome::Failed { failure: Failure::ExitCode { code: 1 } }
}

pub(super) fn lost() -> Outcome {
    Outcome::Lost { detail: "the machine went down".to_owned() }
}

pub(super) fn executor() -> ExecutorId {
    ExecutorId(Uuid::from_u128(2))
}

/// The event's name.
pub(super) fn kind_of(event: &Event) -> &'static str {
    match event {
        Event::Started { .. } => "started",
        Event::TakenOver { .. } => "taken over",
        Event::ExecutorReturned { .. } => "executor back",
        Event::InheritedChecked { .. } => "looked at again",
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
        Event::NodeMarkedDone { .. } => "marked done",
        Event::BudgetSpent { .. } => "budget spent",
        Event::CheckpointMade { .. } => "checkpoint",
        Event::RolledBack { .. } => "rolled back",
        Event::NodeHeld { .. } => "held",
        Event::NodeReleased { allow: true, .. } => "released",
        Event::NodeReleased { .. } => "refused",
        Event::InputAsked { .. } => "asks for words",
        Event::InputGiven { .. } => "given words",
        Event::NodeSilent { .. } => "silent",
        Event::NodeHeard { .. } => "heard",
        Event::NodeUsed { .. } => "used",
        Event::ArtifactEdited { .. } => "handoff edited",
        Event::NodeUnverified { .. } => "unverified",
        Event::NodeAccepted { .. } => "accepted",
        Event::HandoffPinned { .. } => "handoff pinned",
        Event::HandoffUnpinned { .. } => "handoff unpinned",
        Event::NodeMarkedFailed { .. } => "marked failed",
        Event::NodeStopRequested { .. } => "stop requested",
        Event::NodeConflicted { .. } => "conflicted",
        Event::MergeDecided { .. } => "merge decided",
        Event::MergeTried { .. } => "merge tried",
    }
}

/// The event's name with its node, as tables show it.
pub(super) fn word_of(event: &Event) -> String {
    let word = kind_of(event);
    let letter = |node: NodeId| char::from(b'A' + u8::try_from(node.0.as_u128() - 1).expect("a small plan"));
    match event {
        Event::NodesReset { nodes, .. } => {
            format!("{} {word}", nodes.iter().map(|&node| letter(node)).collect::<String>())
        }
        event => event.node().map_or_else(|| word.to_owned(), |node| format!("{} {word}", letter(node))),
    }
}
