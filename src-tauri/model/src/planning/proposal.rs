//! A proposal: a request to a planner, the attempts, and their result.

use serde::{Deserialize, Serialize};

use super::{Draft, ProposalState, Request};
use crate::{PlanId, ProposalId, RunId, Timestamp};

/// How much of an answer is read, in bytes.
pub const ANSWER_LIMIT: usize = 8 * 1024 * 1024;
/// The named output of an answer that holds the agent's own session ID, if the agent reports it.
pub const NATIVE_SESSION: &str = "session";
/// After this many rejections there are no further automatic attempts.
pub const REJECTION_LIMIT: usize = 3;

/// A new plan, or a change to a plan, that awaits a decision.
///
/// It owns a plan with a single node (`NodeKind::Planning`) that is not listed. The runs of that
/// plan are the planner's attempts, and the node's handoff is the answer. So every process derives
/// the same state after a crash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Proposal {
    pub id: ProposalId,
    pub request: Request,
    pub state: ProposalState,
    /// The internal plan with one node whose runs are the planner's sessions.
    pub planning: PlanId,
    /// The attempts, oldest first; never empty.
    pub rounds: Vec<Round>,
    /// How often a person has rejected it.
    pub rejections: usize,
    /// Comments that people left when rejecting, oldest first.
    pub feedback: Vec<Feedback>,
    /// The latest usable answer. Kept even if a later attempt fails.
    pub draft: Option<Draft>,
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
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Feedback {
    pub at: Timestamp,
    pub text: String,
}
