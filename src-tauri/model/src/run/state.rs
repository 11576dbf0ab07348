//! The states of a run and its nodes. Every state carries its reason.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::continuation::Continuation;
use super::error_handler::HandlerState;
use super::merge::{Conflict, MergeDecision};
use super::permits::HeldBack;
use super::pinned_output::PinOrigin;
use super::replan::BeforeReplan;
use crate::arbiter::{AgentChoice, SelectionRequest};
use crate::count::format_count;
use crate::money::format_cost_of_limit;
use crate::node::{Budget, InputType};
use crate::outcome::Failure;
use crate::{Attempt, NodeId, ProposalId, SessionId, Timestamp};

use super::answer::{Answer, PermissionRequest, RequestedToolCall, UnlistedToolCall};
use super::stop::AfterStop;

/// The state of one execution of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum RunState {
    /// Nodes are running, or could run.
    Running {
        /// Set if nothing new starts and the run waits for running nodes.
        ending: Option<Ending>,
    },
    /// Nothing runs until a person resumes.
    Paused { reason: PauseReason },
    /// A new version of its plan is being created, or awaits a decision.
    Replanning {
        proposal: ProposalId,
        /// The state to return to unless the new version is accepted.
        before: BeforeReplan,
    },
    /// No node can continue without a person.
    Stalled {
        /// The nodes, and what they need.
        message: String,
    },
    /// Every wanted node is done or skipped.
    Completed,
    /// A node failed and its policy ended the run, or no other node could start.
    Failed {
        /// The nodes and reasons.
        message: String,
        /// The plan that runs after the failure, if the plan names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        handler: Option<HandlerState>,
    },
    /// A person canceled it, and all processes are gone.
    Cancelled,
}

impl RunState {
    /// The serialized name of the state.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
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

    /// The name of the state in messages: American spelling, unlike the serialized name.
    #[must_use]
    pub fn label(&self) -> &'static str {
        match self {
            Self::Cancelled => "canceled",
            other => other.as_str(),
        }
    }

    /// The predicate of a sentence about a run in this state: "is running", "has failed".
    #[must_use]
    pub(super) fn predicate(&self) -> &'static str {
        match self {
            Self::Running { .. } => "is running",
            Self::Paused { .. } => "is paused",
            Self::Replanning { .. } => "is replanning",
            Self::Stalled { .. } => "is stalled",
            Self::Completed => "is completed",
            Self::Failed { .. } => "has failed",
            Self::Cancelled => "is canceled",
        }
    }

    /// Whether the run is over, unless a person resumes it.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed { .. } | Self::Cancelled
        )
    }

    /// The state of a failed run's error handler.
    #[must_use]
    pub fn handler(&self) -> Option<&HandlerState> {
        match self {
            Self::Failed { handler, .. } => handler.as_ref(),
            _ => None,
        }
    }

    /// Whether the goal is reached and other nodes are left. Nothing needs to be done, and the next
    /// run of the plan continues.
    #[must_use]
    pub fn stopped_at_goal(&self) -> bool {
        matches!(
            self,
            Self::Paused {
                reason: PauseReason::GoalReached
            }
        )
    }

    /// Whether a person has to decide about the run after a takeover.
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

    /// Whether an executor has work to do for the run.
    #[must_use]
    pub fn is_running(&self) -> bool {
        matches!(self, Self::Running { .. })
    }
}

/// Why a running run starts nothing new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Ending {
    /// A person requested a pause.
    Pausing {
        /// Whether running nodes are stopped and start again on resume.
        stop_running: bool,
    },
    /// A person canceled the run.
    Cancelling,
    /// The run exceeded its time limit, and everything is being stopped.
    TimeUp {
        /// The time limit in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// The budget ran out, and everything is being stopped.
    BudgetSpent,
    /// After a takeover: inherited work is checked before anything starts.
    Verifying,
    /// After a takeover: a person decides whether the run resumes. Running nodes may finish.
    Reviewing,
    /// A node failed whose policy is to abort.
    Aborting {
        /// The first such node.
        node: NodeId,
    },
}

/// Why a run is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// It has no history yet. Such a run is never stored.
    NotBegun,
    /// A person requested it.
    Asked,
    /// The goal is reached, and other nodes are left.
    GoalReached,
    /// A person rolled the run back to a checkpoint.
    RolledBack,
    /// Another executor has taken over the run, and a person decides whether it resumes.
    TakenOver,
}

/// The state of one node in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum NodeState {
    /// Waits for its parents, or for its turn.
    Pending,
    /// Can't start unless the node that blocks it is retried.
    Blocked {
        /// The parent that prevents the start.
        by: NodeId,
    },
    /// Waits for something other than its parents.
    Waiting {
        #[serde(rename = "for")]
        what: WaitingFor,
    },
    /// A session is working on it.
    Running,
    /// It succeeded, or a person marked it as done.
    Done {
        /// Whether a person marked it as done without a session.
        by_hand: bool,
    },
    /// The last attempt failed.
    Failed {
        failure: Failure,
        /// Where the run continued, if the node's policy names a target. Then the failure is
        /// handled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        went_on_at: Option<NodeId>,
    },
    /// The attempt was lost in a crash or stopped by a person. Its progress is unknown.
    Interrupted {
        /// What is known about it.
        detail: String,
    },
    /// Will not run in this run.
    Skipped { reason: SkipReason },
}

impl NodeState {
    /// Whether the node failed and the plan continues without it.
    #[must_use]
    pub fn is_tolerated_failure(&self) -> bool {
        matches!(
            self,
            Self::Skipped {
                reason: SkipReason::AfterFailure { .. }
            }
        )
    }

    /// Whether the node has ended, so that its children can be evaluated.
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

    /// The predicate of a sentence about a node in this state: "is done", "has failed".
    #[must_use]
    pub(super) fn predicate(&self) -> &'static str {
        match self {
            Self::Pending => "is pending",
            Self::Blocked { .. } => "is blocked",
            Self::Waiting { .. } => "is waiting",
            Self::Running => "is running",
            Self::Done { .. } => "is done",
            Self::Failed { .. } => "has failed",
            Self::Interrupted { .. } => "is interrupted",
            Self::Skipped { .. } => "is skipped",
        }
    }

    /// The serialized name of the state.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
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
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum WaitingFor {
    /// A free slot. Its attempt is reserved and starts next.
    Slot,
    /// The time of its next attempt.
    RetryAt { at: Timestamp },
    /// The reset of its agent's usage limit.
    LimitUntil {
        /// When the limit resets.
        at: Timestamp,
    },
    /// A person's approval to start. Takes no slot.
    Approval {
        /// The question, for people.
        question: String,
    },
    /// A person's answer to its question. Takes no process and no slot.
    Input {
        /// The question, with templates expanded.
        question: String,
        input_type: InputType,
        /// The answers to choose from.
        options: Vec<String>,
        /// When the node fails without an answer.
        due: Option<Timestamp>,
    },
    /// A person's decision about a merge conflict between its parents. Takes no process and no
    /// slot.
    Merge { conflict: Conflict },
    /// A person's answer to a question of its session, which stays live.
    Person {
        /// The question, for people.
        question: String,
        /// The ID that the answer refers to.
        request: String,
        /// The call that the question is about.
        #[serde(default)]
        call: Option<RequestedToolCall>,
    },
}

/// Why a node is skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum SkipReason {
    /// A person skipped it.
    ByHand,
    /// The plan disables it.
    Disabled,
    /// It failed, and its policy is to continue without it.
    AfterFailure {
        /// The failure of its last attempt.
        failure: Failure,
    },
    /// A parent that this node's trigger rule needs was skipped.
    ParentSkipped {
        /// A parent that was skipped; there may be more.
        parent: NodeId,
    },
    /// A person was asked to approve its start, and rejected it.
    Refused,
    /// It belongs to a branch that was not taken, or handles a failure that did not happen.
    NotTaken {
        /// The node that took another path.
        by: NodeId,
    },
    /// The run uses pinned outputs, and only pinned nodes need this one.
    OnlyPinnedNeed,
    /// The run jumped to a later node.
    JumpedOver {
        /// The node that jumped.
        by: NodeId,
    },
    /// The trigger rule can't be satisfied any more, for example `none_failed` after a handled
    /// failure.
    RuleNotMet {
        /// The parent whose failure rules the node out; `None` if nothing failed, as with
        /// `one_failed` when all succeeded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        because: Option<NodeId>,
    },
}

impl SkipReason {
    /// Whether the run continues as if the node were done, because of a decision.
    ///
    /// Otherwise the skip spreads to children that need the node's success.
    #[must_use]
    pub fn lets_children_run(&self) -> bool {
        matches!(
            self,
            Self::ByHand | Self::Disabled | Self::AfterFailure { .. } | Self::OnlyPinnedNeed
        )
    }

    /// Whether the skip follows from the parents alone, so it is undone if they end differently.
    #[must_use]
    pub(super) fn follows_from_parents(&self) -> bool {
        matches!(
            self,
            Self::ParentSkipped { .. } | Self::NotTaken { .. } | Self::RuleNotMet { .. }
        )
    }
}

/// One node of a run, with everything the run knows about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NodeRun {
    pub state: NodeState,
    /// The latest attempt; 0 before the first.
    pub attempt: Attempt,
    /// The session of the latest attempt.
    pub session: Option<SessionId>,
    /// Attempts that failed for the node's own reasons since its last reset.
    pub own_failures: u32,
    /// Attempts that were lost or failed for external reasons since its last reset.
    pub losses: u32,
    /// When the latest attempt started.
    pub started_at: Option<Timestamp>,
    /// When the node last ended.
    pub ended_at: Option<Timestamp>,
    /// A dependency ran again after this node was done.
    pub stale: bool,
    /// Claims and evidence differ.
    pub unverified: bool,
    /// The latest attempt has produced no output for too long.
    pub silent: bool,
    /// A person stopped its session; what happens to the node afterwards.
    pub stopping: Option<AfterStop>,
    /// It is next, but waits for permits held by others.
    pub held_back: Option<HeldBack>,
    /// Where its pinned output came from, if the run uses that instead of running the node.
    pub pinned: Option<PinOrigin>,
    /// A person approved its start.
    pub approved: bool,
    /// The branch that a condition took.
    pub taken: Option<bool>,
    /// The session that the latest attempt resumes, if any.
    pub resumes: Option<SessionId>,
    /// A person's message to its session, until an attempt has finished with it.
    pub continuation: Option<Continuation>,
    /// The ID of the snapshot of the files before the latest attempt.
    pub checkpoint: Option<String>,
    /// The agent of the latest attempt, and the reason for it.
    pub choice: Option<AgentChoice>,
    /// The usage of all its attempts.
    pub spent: BudgetUsage,
    /// A person's decision about the latest merge conflict between its parents.
    pub decided: Option<MergeDecision>,
    /// Its calls of tools outside of its list, oldest first; at most 100.
    pub outside: Vec<UnlistedToolCall>,
    /// The pending request to choose the latest attempt's agent.
    pub(super) selection_request: Option<SelectionRequest>,
    /// The agent of the previous attempt.
    pub(super) choice_before: Option<AgentChoice>,
    /// The agents whose attempts failed since the node was last done, the most recent last.
    pub(super) failed_agents: Vec<String>,
    /// A person retried the node, so the next attempt ignores known usage limits.
    pub(super) ignores_limits: bool,
    /// The usage of earlier attempts.
    pub(super) spent_before: BudgetUsage,
    /// A dependency ran again, or its handoff changed, since the latest attempt began.
    pub(super) outdated: bool,
    /// The session of the previous attempt.
    pub(super) session_before: Option<SessionId>,
    /// The usage when a person last reset the node's budget.
    pub(super) spent_at_reset: BudgetUsage,
    /// The next attempt resumes the session of the last one.
    pub(super) resume_next: bool,
    /// Unanswered questions of the live session, oldest first.
    pub(super) questions: Vec<PermissionRequest>,
    /// Answers to its questions. A reattached session may ask again.
    pub(super) answers: BTreeMap<String, Answer>,
}

/// What a run knows about a node besides its state: flags and counters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct NodeMarks {
    /// Attempts that were lost or failed for external reasons since its last reset.
    pub losses: u32,
    /// The latest attempt has produced no output for too long.
    pub silent: bool,
    /// A person stopped its session; what happens to the node afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub stopping: Option<AfterStop>,
    /// It is next, but waits for permits held by others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub held_back: Option<HeldBack>,
    /// Where its pinned output came from, if the run uses that instead of running the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub pinned_output: Option<PinOrigin>,
    /// A person approved its start.
    pub approved: bool,
    /// The branch that a condition took.
    pub taken: Option<bool>,
    /// The session that the latest attempt resumes, if any.
    pub resumes: Option<SessionId>,
    /// The ID of the snapshot of the files before the latest attempt.
    pub checkpoint: Option<String>,
    /// The agent of the latest attempt, and the reason for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub choice: Option<AgentChoice>,
    /// The usage of all its attempts, if a budget requires it.
    pub spent: BudgetUsage,
    /// Its calls of tools outside of its list, oldest first; at most 100.
    pub outside: Vec<UnlistedToolCall>,
}

impl NodeRun {
    /// The flags and counters of the node.
    #[must_use]
    pub fn marks(&self) -> NodeMarks {
        NodeMarks {
            losses: self.losses,
            silent: self.silent,
            stopping: self.stopping,
            held_back: self.held_back.clone(),
            pinned_output: self.pinned.clone(),
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

/// Usage, as far as agents report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BudgetUsage {
    /// Input and output tokens, including cached ones.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub tokens: u64,
    /// In millionths of a US dollar.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub cost_micros: u64,
}

impl BudgetUsage {
    /// Whether nothing was used.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
        }
    }

    /// The usage since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(earlier.tokens),
            cost_micros: self.cost_micros.saturating_sub(earlier.cost_micros),
        }
    }

    /// By how much this exceeds `budget`, if it does.
    #[must_use]
    pub fn describe_excess(self, budget: &Budget) -> Option<String> {
        if let Some(tokens) = budget.tokens.filter(|&tokens| self.tokens > tokens) {
            return Some(format!(
                "{} of {} tokens",
                format_count(self.tokens),
                format_count(tokens)
            ));
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
            pinned: None,
            approved: false,
            taken: None,
            resumes: None,
            continuation: None,
            checkpoint: None,
            choice: None,
            selection_request: None,
            choice_before: None,
            failed_agents: Vec::new(),
            ignores_limits: false,
            spent: BudgetUsage::default(),
            decided: None,
            spent_before: BudgetUsage::default(),
            outdated: false,
            spent_at_reset: BudgetUsage::default(),
            session_before: None,
            resume_next: false,
            questions: Vec::new(),
            answers: BTreeMap::new(),
        }
    }
}
