//! Where a run and each of its nodes stand. Every state carries its reason.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::continuation::Continuation;
use super::merge::{Conflict, Decided};
use super::permits::HeldBack;
use super::replan::BeforeReplan;
use crate::arbiter::{Asking, Choice};
use crate::money::format_cost_of_limit;
use crate::node::{Budget, InputType};
use crate::outcome::Failure;
use crate::{Attempt, NodeId, ProposalId, SessionId, Timestamp};

use super::answer::{Answer, Asked, AskedCall, OutsideCall};
use super::stop::AfterStop;

/// How one execution of a plan goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum RunState {
    /// Nodes run, or could.
    Running {
        /// Set when nothing new starts and the run waits for what still runs.
        ending: Option<Ending>,
    },
    /// Nothing runs until a person resumes.
    Paused {
        /// Why.
        reason: PauseReason,
    },
    /// A new version of its plan is being made, or waits for a person.
    Replanning {
        /// The proposal.
        proposal: ProposalId,
        /// What the run was, and is again unless the person takes the new version over.
        before: BeforeReplan,
    },
    /// No node can go on without a person.
    Stalled {
        /// Which nodes, and what they need.
        message: String,
    },
    /// Every wanted node is done or skipped.
    Completed,
    /// A node failed and its policy ended the run, or nothing more was possible.
    Failed {
        /// Which nodes, and why.
        message: String,
    },
    /// A person ended it, and every process is gone.
    Cancelled,
}

impl RunState {
    /// The word for people, the same everywhere.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Running { .. } => "running",
            Self::Paused { .. } => "paused",
            Self::Replanning { .. } => "replanning",
            Self::Stalled { .. } => "stalled",
            Self::Completed => "completed",
            Self::Failed { .. } => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the run is over, unless a person takes it up again.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed { .. } | Self::Cancelled
        )
    }

    /// Whether the nodes that were asked for are done and others are left: nobody has to do anything about it, and the
    /// next run of the plan continues it.
    #[must_use]
    pub fn rests_at_goal(&self) -> bool {
        matches!(
            self,
            Self::Paused {
                reason: PauseReason::GoalReached
            }
        )
    }

    /// Whether a person has to say whether the run goes on after a takeover.
    #[must_use]
    pub fn waits_for_review(&self) -> bool {
        matches!(
            self,
            Self::Paused {
                reason: PauseReason::TakenOver
            } | Self::Running {
                ending: Some(Ending::Reviewing)
            }
        )
    }

    /// Whether an executor has, or would have, work to do.
    #[must_use]
    pub fn is_running(&self) -> bool {
        matches!(self, Self::Running { .. })
    }
}

/// Why a running run starts nothing new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Ending {
    /// A person asked for a pause.
    Pausing {
        /// What runs is stopped, and started again on resume.
        stop_running: bool,
    },
    /// A person asked for the end.
    Cancelling,
    /// The run took longer than its plan allows; everything is stopped.
    TimeUp {
        /// The limit, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// The nodes used up what the plan gives them; everything is stopped.
    BudgetSpent,
    /// After a takeover: inherited work is checked again before anything starts.
    Verifying,
    /// After a takeover: a person decides whether the run goes on; what runs may finish.
    Reviewing,
    /// A node failed whose policy is to abort.
    Aborting {
        /// The first such node.
        node: NodeId,
    },
}

/// Why a run stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// It has no history yet; such a run is never stored.
    NotBegun,
    /// A person asked.
    Asked,
    /// The nodes that were asked for are done; others are left.
    GoalReached,
    /// A person took the run back to a checkpoint.
    RolledBack,
    /// Another executor has taken the run over, and a person decides whether it goes on.
    TakenOver,
}

/// How one node of a run goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum NodeState {
    /// Waits for its parents, or for its turn.
    Pending,
    /// Cannot start any more, unless what blocks it is tried again.
    Blocked {
        /// The parent whose end made it impossible.
        by: NodeId,
    },
    /// Something other than its parents holds it.
    Waiting {
        /// What.
        #[serde(rename = "for")]
        what: WaitingFor,
    },
    /// A session works on it.
    Running,
    /// The work was done.
    Done {
        /// A person said so; no session did it.
        by_hand: bool,
    },
    /// The last attempt failed.
    Failed {
        /// Why.
        failure: Failure,
        /// Where the run went on, if the node names such a place: then its failure is dealt with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        went_on_at: Option<NodeId>,
    },
    /// The attempt was lost to a crash, or a person stopped it; how far it came is not known.
    Interrupted {
        /// What is known.
        detail: String,
    },
    /// Will not be executed in this run.
    Skipped {
        /// Why.
        reason: SkipReason,
    },
}

impl NodeState {
    /// Whether the node failed and the plan says to go on without it.
    #[must_use]
    pub fn is_tolerated_failure(&self) -> bool {
        matches!(
            self,
            Self::Skipped {
                reason: SkipReason::AfterFailure { .. }
            }
        )
    }

    /// Whether the node is at rest: children may look at it.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(
            self,
            Self::Blocked { .. }
                | Self::Done { .. }
                | Self::Failed { .. }
                | Self::Interrupted { .. }
                | Self::Skipped { .. }
        )
    }

    /// The word for people, the same everywhere.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Blocked { .. } => "blocked",
            Self::Waiting { .. } => "waiting",
            Self::Running => "running",
            Self::Done { .. } => "done",
            Self::Failed { .. } => "failed",
            Self::Interrupted { .. } => "interrupted",
            Self::Skipped { .. } => "skipped",
        }
    }
}

/// What a waiting node waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum WaitingFor {
    /// A free place: its attempt is reserved and starts next.
    Slot,
    /// The time of its next attempt.
    RetryAt {
        /// When.
        at: Timestamp,
    },
    /// A usage limit of its agent.
    LimitUntil {
        /// When the limit is lifted.
        at: Timestamp,
    },
    /// A person's leave to start. Holds no place.
    Approval {
        /// What is asked, for people.
        question: String,
    },
    /// A person's words. Holds neither process nor place.
    Input {
        /// What is asked, with its templates filled in.
        question: String,
        /// What kind of answer.
        input_type: InputType,
        /// The answers to choose from.
        options: Vec<String>,
        /// When the node fails if nobody has answered.
        due: Option<Timestamp>,
    },
    /// A person's word on work of its parents that does not fit together. Holds neither process nor place.
    Merge {
        /// What does not fit.
        conflict: Conflict,
    },
    /// A person's answer; its session goes on living.
    Person {
        /// What is asked, for people.
        question: String,
        /// How the answer names it.
        request: String,
        /// The call that it is about.
        #[serde(default)]
        call: Option<AskedCall>,
    },
}

/// Why a node is skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum SkipReason {
    /// A person did.
    ByHand,
    /// The plan says that it is disabled.
    Disabled,
    /// It failed, and its policy is to go on without it.
    AfterFailure {
        /// Why it failed.
        failure: Failure,
    },
    /// A parent was skipped whose work this node's trigger rule asks for.
    ParentSkipped {
        /// That parent.
        parent: NodeId,
    },
    /// A person was asked for leave to start it, and refused.
    Refused,
    /// It stands below a fork that went another way, or is what would have followed on a failure that did not happen.
    NotTaken {
        /// The node that went another way.
        by: NodeId,
    },
    /// The run went on at a node further down the plan.
    JumpedOver {
        /// The node after which it did.
        by: NodeId,
    },
    /// The trigger rule can no longer hold: for instance `none_failed` after a failure that was dealt with.
    RuleNotMet {
        /// The parent whose failure rules the node out; `None` when nothing failed, as with `one_failed` when all went well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        because: Option<NodeId>,
    },
}

impl SkipReason {
    /// Whether the run goes on as if the node were done: somebody decided so.
    ///
    /// Otherwise the skip spreads to children that need the node's success.
    #[must_use]
    pub fn lets_children_run(&self) -> bool {
        matches!(
            self,
            Self::ByHand | Self::Disabled | Self::AfterFailure { .. }
        )
    }

    /// Whether the parents alone decided, so that the skip is taken back when they end otherwise.
    #[must_use]
    pub(super) fn follows_from_parents(&self) -> bool {
        matches!(
            self,
            Self::ParentSkipped { .. } | Self::NotTaken { .. } | Self::RuleNotMet { .. }
        )
    }
}

/// One node of a run, with all that the run knows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRun {
    /// Where it stands.
    pub state: NodeState,
    /// The latest attempt; 0 before the first.
    pub attempt: Attempt,
    /// The session of the latest attempt.
    pub session: Option<SessionId>,
    /// Attempts that failed by the node's own fault since it was last reset.
    pub own_failures: u32,
    /// Attempts that were lost or failed by the fault of others since it was last reset.
    pub losses: u32,
    /// When the latest attempt started.
    pub started_at: Option<Timestamp>,
    /// When the node last came to rest.
    pub ended_at: Option<Timestamp>,
    /// A parent ran again after this node was done.
    pub stale: bool,
    /// Claim and evidence differ.
    pub unverified: bool,
    /// The latest attempt has said nothing for longer than it should.
    pub silent: bool,
    /// A person asked for the end of its session, and what happens to the node then.
    pub stopping: Option<AfterStop>,
    /// Its turn has come, and others hold what it needs.
    pub held_back: Option<HeldBack>,
    /// A person gave leave to start it.
    pub approved: bool,
    /// Which branch a condition took.
    pub taken: Option<bool>,
    /// The session that the latest attempt goes on with, if it is not one from the beginning.
    pub resumes: Option<SessionId>,
    /// What a person said to its session, as long as no attempt has come to its end over it.
    pub continuation: Option<Continuation>,
    /// The snapshot of the files from before the latest attempt.
    pub checkpoint: Option<String>,
    /// The agent of the latest attempt, and why it is this one.
    pub choice: Option<Choice>,
    /// What all its attempts used.
    pub spent: Spent,
    /// What a person decided on the latest conflict of its parents' work.
    pub decided: Option<Decided>,
    /// The calls of its attempts that its list does not name, the oldest first; at most 100.
    pub outside: Vec<OutsideCall>,
    /// Who is to be asked for the agent of the latest attempt.
    pub(super) asking: Option<Asking>,
    /// The agent of the attempt before the latest one.
    pub(super) choice_before: Option<Choice>,
    /// The agents that failed attempts since the node was last done, the latest last.
    pub(super) failed_agents: Vec<String>,
    /// A person wants the next attempt made whatever usage limits are known.
    pub(super) ignores_limits: bool,
    /// What earlier attempts used.
    pub(super) spent_before: Spent,
    /// Something above was done again, or its handoff changed, since the latest attempt began.
    pub(super) outdated: bool,
    /// The session of the attempt before the latest one.
    pub(super) session_before: Option<SessionId>,
    /// What had been used when a person last gave the node its budget anew.
    pub(super) spent_at_reset: Spent,
    /// The next attempt goes on with the session of the last one.
    pub(super) resume_next: bool,
    /// What the living session asks and nobody has answered, oldest first.
    pub(super) questions: Vec<Asked>,
    /// What a person said to its questions. A session that is found again may ask once more.
    pub(super) answers: BTreeMap<String, Answer>,
}

/// What a run knows of a node beside where it stands: flags and accounts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct NodeMarks {
    /// Attempts that were lost or failed by the fault of others since it was last reset.
    pub losses: u32,
    /// The latest attempt has said nothing for longer than it should.
    pub silent: bool,
    /// A person asked for the end of its session, and what happens to the node then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub stopping: Option<AfterStop>,
    /// Its turn has come, and others hold what it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub held_back: Option<HeldBack>,
    /// A person gave leave to start it.
    pub approved: bool,
    /// Which branch a condition took.
    pub taken: Option<bool>,
    /// The session that the latest attempt goes on with, if it is not one from the beginning.
    pub resumes: Option<SessionId>,
    /// The snapshot of the files from before the latest attempt.
    pub checkpoint: Option<String>,
    /// The agent of the latest attempt, and why it is this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub choice: Option<Choice>,
    /// What all its attempts used, where a budget asks for it.
    pub spent: Spent,
    /// The calls of its attempts that its list does not name, the oldest first; at most 100.
    pub outside: Vec<OutsideCall>,
}

impl NodeRun {
    /// The flags and accounts of the node.
    #[must_use]
    pub fn marks(&self) -> NodeMarks {
        NodeMarks {
            losses: self.losses,
            silent: self.silent,
            stopping: self.stopping,
            held_back: self.held_back.clone(),
            approved: self.approved,
            taken: self.taken,
            resumes: self.resumes,
            checkpoint: self.checkpoint.clone(),
            choice: self.choice.clone(),
            spent: self.spent,
            outside: self.outside.clone(),
        }
    }
}

/// What was used, as far as agents tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Spent {
    /// Tokens in and out, cached ones included.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub tokens: u64,
    /// Millionths of a United States dollar.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub cost_micros: u64,
}

impl Spent {
    /// Whether nothing was used.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
        }
    }

    /// What was used since it was `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(earlier.tokens),
            cost_micros: self.cost_micros.saturating_sub(earlier.cost_micros),
        }
    }

    /// Why this is more than `budget` allows, if it is.
    #[must_use]
    pub fn beyond(self, budget: &Budget) -> Option<String> {
        if let Some(tokens) = budget.tokens.filter(|&tokens| self.tokens > tokens) {
            return Some(format!("{} of {tokens} tokens", self.tokens));
        }
        let cost = self.cost_micros as f64 / 1e6;
        budget
            .cost_usd
            .filter(|&limit| cost > limit)
            .map(|limit| format_cost_of_limit(cost, limit))
    }
}

impl Default for NodeRun {
    fn default() -> Self {
        Self {
            state: NodeState::Pending,
            attempt: Attempt(0),
            session: None,
            own_failures: 0,
            started_at: None,
            ended_at: None,
            stale: false,
            unverified: false,
            outside: Vec::new(),
            losses: 0,
            silent: false,
            stopping: None,
            held_back: None,
            approved: false,
            taken: None,
            resumes: None,
            continuation: None,
            checkpoint: None,
            choice: None,
            asking: None,
            choice_before: None,
            failed_agents: Vec::new(),
            ignores_limits: false,
            spent: Spent::default(),
            decided: None,
            spent_before: Spent::default(),
            outdated: false,
            spent_at_reset: Spent::default(),
            session_before: None,
            resume_next: false,
            questions: Vec::new(),
            answers: BTreeMap::new(),
        }
    }
}
