//! A proposal: an order to a planner, the tries that were made, and what came of them.

use serde::{Deserialize, Serialize};

use super::{Draft, ProposalState, Request};
use crate::{PlanId, ProposalId, RunId, Timestamp};

/// The most of an answer that is looked at, in bytes.
pub const ANSWER_LIMIT: usize = 8 * 1024 * 1024;
/// The named output of an answer that holds the agent's own name of its session, where the agent tells one.
pub const NATIVE_SESSION: &str = "session";
/// After so many rejections nothing is tried by itself any more.
pub const REJECTION_LIMIT: usize = 3;

/// A change to a plan, or a new plan, that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Its identifier.
    pub id: ProposalId,
    /// What was asked for.
    pub request: Request,
    /// Where it stands.
    pub state: ProposalState,
    /// The plan of one node whose runs are the planner's sessions; it is in no list.
    pub planning: PlanId,
    /// The tries, the first one first; never empty.
    pub rounds: Vec<Round>,
    /// How often a person has rejected it.
    pub rejections: usize,
    /// What persons said when they rejected, the earliest first.
    pub feedback: Vec<Feedback>,
    /// The latest usable answer. Stays when a later try fails.
    pub draft: Option<Draft>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When anything of it changed last.
    pub updated_at: Timestamp,
    /// When it expires unless somebody decides.
    pub expires_at: Timestamp,
    /// The run that was promised when it was accepted, until that run has begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<RunId>,
}

impl Proposal {
    /// Whether an agent, a person or Baton itself still has something to do.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.state.is_open() || self.promised.is_some()
    }
}

/// One try of a planner: one run of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    /// The run. It may not be there yet: it is named before it begins, so that it begins once.
    pub run: RunId,
    /// When it was ordered.
    pub at: Timestamp,
    /// What was wrong with the answer of the round before, which this one repairs; empty: it repairs nothing.
    pub faults: Vec<String>,
}

/// What a person said to a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Feedback {
    /// When.
    pub at: Timestamp,
    /// The words.
    pub text: String,
}
