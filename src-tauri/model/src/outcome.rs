//! How an attempt ended.
//!
//! A process that ends badly is a result, not an error in Baton. All ways to end are modeled, so
//! that people see the reason and retries are charged to the right account: own failures count
//! against `maxRetries`, lost attempts against a fixed allowance.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::duration::format_duration;

/// The end of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Outcome {
    Succeeded,
    Failed {
        failure: Failure,
    },
    /// A person or the run stopped it, regardless of the exit code.
    Cancelled,
    /// The attempt was lost in a crash or reboot. Its progress is unknown, so this is not a failure
    /// and uses no retry. Unless `after_crash` says otherwise, the node is interrupted and a person
    /// decides.
    Lost {
        /// What is known about it, for people.
        detail: String,
    },
    /// A message that Baton did not send, such as an answer to a question, reached the agent. The
    /// agent was stopped, and nothing it did since then counts as approved.
    Tampered {
        /// The ID of the message within the session.
        input: String,
    },
}

/// The message that people see for [`Outcome::Tampered`].
pub(crate) const TAMPERED_MESSAGE: &str = "the agent received an answer that Baton did not send, so it was stopped; check what it changed before you continue";

impl Outcome {
    /// Why an attempt was broken off, for people. `None` if it was not.
    #[must_use]
    pub fn interruption(&self) -> Option<&str> {
        match self {
            Outcome::Lost { detail } => Some(detail),
            Outcome::Tampered { .. } => Some(TAMPERED_MESSAGE),
            Outcome::Succeeded | Outcome::Failed { .. } | Outcome::Cancelled => None,
        }
    }
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "reason",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Failure {
    /// The process ended with a nonzero exit code.
    ExitCode { code: i32 },
    /// The process was terminated by a signal that Baton did not send.
    Signal { signal: i32 },
    /// The attempt exceeded its time limit.
    TimedOut {
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// The process could not be started: a missing program, directory or permission.
    NotStarted {
        /// What is missing, and what to do.
        detail: String,
    },
    /// The agent reported an error itself, regardless of the exit code.
    AgentError { detail: String },
    /// A tool that the node called reported an error, or the call was invalid.
    ToolError { detail: String },
    /// The prompt or command refers to something missing, such as an output that a node did not
    /// write.
    BadInput {
        /// What is missing and where.
        detail: String,
    },
    /// The agent's service could not be reached or was overloaded. Not the node's fault, so the
    /// retry is not charged to the node.
    Unavailable { detail: String },
    /// The account's usage limit is reached. The node waits until it resets.
    UsageLimit {
        /// When the limit resets, if the agent reports it.
        #[serde(default)]
        reset_at: Option<Timestamp>,
        detail: String,
    },
    /// The work used up its budget.
    BudgetSpent {
        /// Which budget, and how much was used.
        detail: String,
    },
    /// A command among the acceptance criteria failed, and the plan treats that as a failure.
    CriteriaFailed {
        /// Which criteria, and how they failed.
        detail: String,
    },
    /// Claims and evidence differ, and the plan treats that as a failure.
    Unverified {
        /// Why the work is unverified.
        detail: String,
    },
    /// A question was not answered in time.
    NoAnswer {
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// A person marked it as failed.
    ByHand,
    /// The run of the sub-plan did not complete.
    SubPlan {
        /// How its run ended.
        detail: String,
    },
    /// A session file was replaced by something else, such as a pipe or a link.
    SessionFiles {
        /// Which file, and what is there instead.
        detail: String,
    },
    /// The disk is full.
    DiskFull {
        /// The path on that disk.
        detail: String,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ExitCode { code } => write!(f, "ended with exit code {code}"),
            Self::Signal { signal } => write!(f, "was terminated by signal {signal}"),
            Self::TimedOut { limit_ms } => write!(
                f,
                "ran longer than its limit of {}",
                format_duration(*limit_ms)
            ),
            Self::NotStarted { detail } => write!(f, "couldn't be started: {detail}"),
            Self::AgentError { detail } => write!(f, "hit an agent error: {detail}"),
            Self::ToolError { detail } => write!(f, "failed: {detail}"),
            Self::BadInput { detail } => write!(f, "couldn't be prepared: {detail}"),
            Self::Unavailable { detail } => {
                write!(f, "couldn't reach the agent's service: {detail}")
            }
            Self::UsageLimit { detail, .. } => {
                write!(f, "reached the agent's usage limit: {detail}")
            }
            Self::BudgetSpent { detail } => {
                write!(f, "was stopped because its budget ran out: {detail}")
            }
            Self::CriteriaFailed { detail } => {
                write!(f, "does not meet its acceptance criteria: {detail}")
            }
            Self::Unverified { detail } => write!(f, "is unverified: {detail}"),
            Self::NoAnswer { limit_ms } => {
                write!(f, "got no answer within {}", format_duration(*limit_ms))
            }
            Self::ByHand => write!(f, "was marked as failed by a person"),
            Self::SubPlan { detail } => write!(f, "stopped because its plan {detail}"),
            Self::SessionFiles { detail } => {
                write!(f, "has tampered with its session's files: {detail}")
            }
            Self::DiskFull { detail } => {
                write!(f, "was stopped because the disk is full: {detail}")
            }
        }
    }
}
