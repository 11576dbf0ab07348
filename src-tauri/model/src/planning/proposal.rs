//! A proposal: a request to a planner, the attempts, and their result.

use serde::{Deserialize, Serialize};

use super::{Comment, Draft, ProposalState, Request};
use crate::review::RejectionReason;
use crate::{PlanId, ProposalId, RunId, Timestamp};

/// How much of an answer is read, in bytes.
pub const ANSWER_LIMIT: usize = 8 * 1024 * 1024;
/// The named output of an answer that holds the agent's own session ID, if the agent reports it.
pub const NATIVE_SESSION: &str = "session";
/// After this many rejections there are no further automatic attempts.
pub const REJECTION_LIMIT: usize = 3;

/// A new plan, or a change to a plan, that awaits a decision.
///
/// That of a planner owns a plan with a single node (`NodeKind::Planning`) that is not listed. The
/// runs of that plan are the planner's attempts, and the node's handoff is the answer. So every
/// process derives the same state after a crash. One that an agent or a program submitted complete
/// has neither; it is `Working` while its submitter revises it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Proposal {
    pub id: ProposalId,
    pub request: Request,
    pub state: ProposalState,
    /// The internal plan with one node whose runs are the planner's sessions; `None` if it was
    /// submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planning: Option<PlanId>,
    /// Who submitted it complete; `None` for that of a planner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<Submission>,
    /// The planner's attempts, oldest first; empty if it was submitted.
    pub rounds: Vec<Round>,
    /// How often a person has rejected it.
    pub rejections: usize,
    /// Comments that people left when rejecting, oldest first.
    pub feedback: Vec<Feedback>,
    /// The latest usable answer. Kept even if a later attempt fails.
    pub draft: Option<Draft>,
    /// The draft to which a person's last words apply: the last rejection or comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<Draft>,
    /// Comments at places in the draft, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When anything in it last changed.
    pub updated_at: Timestamp,
    /// When it expires if there is no decision.
    pub expires_at: Timestamp,
    /// The run promised on acceptance, until that run has started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<RunId>,
}

impl Proposal {
    /// Whether an agent, a person or Baton still has something to do.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.state.is_open() || self.promised.is_some()
    }
}

/// What is known of a proposal that an agent or a program submitted complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// Who submitted it, as the store writes actors.
    pub by: String,
    /// Why the submitter wants it; may be empty.
    pub reason: String,
    /// How many drafts it has had, from 1.
    pub round: u32,
}

/// One attempt of a planner: one run with one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    /// The run. It may not exist yet: its ID is stored before it starts, so that it starts only
    /// once.
    pub run: RunId,
    /// When it was requested.
    pub at: Timestamp,
    /// Faults in the previous round's answer that this one should fix; empty if it fixes none.
    pub faults: Vec<String>,
}

/// A person's comment on a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Feedback {
    pub at: Timestamp,
    pub text: String,
    /// What is wrong with the draft, from a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub reason: Option<RejectionReason>,
}
