//! How an attempt ended.
//!
//! A process that ends badly is a result, not an error of Baton; the whole space of endings is modeled so
//! that a person reads why, and so that the budgets of retries are charged to the right account.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::duration::format_duration;

/// The end of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Outcome {
    /// The work was done.
    Succeeded,
    /// The work was not done.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// Somebody asked for the end; whatever the exit code said.
    Cancelled,
    /// The attempt was lost to a crash or a reboot; nobody knows how far it came.
    Lost {
        /// What is known, for a person.
        detail: String,
    },
    /// Somebody other than Baton wrote to the agent, such as an answer to its question; it was stopped, and nothing that
    /// it did since can be taken for what was approved.
    Tampered {
        /// The name of the message within the session.
        input: String,
    },
}

/// What [`Outcome::Tampered`] says to a person.
pub(crate) const TAMPERED: &str = "the agent received an answer that Baton did not send, so it was stopped; check what it changed before you go on";

impl Outcome {
    /// What there is to say of an attempt that was broken off, for a person.
    #[must_use]
    pub fn interruption(&self) -> Option<&str> {
        match self {
            Outcome::Lost { detail } => Some(detail),
            Outcome::Tampered { .. } => Some(TAMPERED),
            Outcome::Succeeded | Outcome::Failed { .. } | Outcome::Cancelled => None,
        }
    }
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "reason",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Failure {
    /// The process ended with an exit code that is not 0.
    ExitCode {
        /// The code.
        code: i32,
    },
    /// A signal that Baton did not send ended the process.
    Signal {
        /// Its number.
        signal: i32,
    },
    /// The attempt ran longer than it may.
    TimedOut {
        /// The limit, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// The process could not be started: a missing program, directory or permission.
    NotStarted {
        /// What was missing, with what to do about it.
        detail: String,
    },
    /// The agent's own terminal event reports an error, whatever its exit code.
    AgentError {
        /// The agent's words.
        detail: String,
    },
    /// A tool that the node called reports an error, or the call was none that it takes.
    ToolError {
        /// The tool's words.
        detail: String,
    },
    /// The prompt or the command names something that is not there, for instance an output of a node that wrote none.
    BadInput {
        /// What is missing and where.
        detail: String,
    },
    /// The agent's service could not be reached or was overloaded. Not the node's fault: it is tried again on
    /// another account.
    Unavailable {
        /// The agent's words.
        detail: String,
    },
    /// The account's usage limit is reached. The node waits until it is lifted.
    UsageLimit {
        /// When the limit is lifted, as far as the agent tells.
        #[serde(default)]
        reset_at: Option<Timestamp>,
        /// The agent's words.
        detail: String,
    },
    /// The work used up what the plan gives it.
    BudgetSpent {
        /// Which budget, and how much.
        detail: String,
    },
    /// A command among the acceptance criteria failed, and the plan does not go on with such work.
    CriteriaFailed {
        /// Which, and how.
        detail: String,
    },
    /// Claim and evidence differ, and the plan does not go on with such work.
    Unverified {
        /// What speaks against the work.
        detail: String,
    },
    /// Nobody answered in time.
    NoAnswer {
        /// The limit, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// A person said that it failed.
    ByHand,
    /// The run of another plan, which this node stands for, did not complete.
    SubPlan {
        /// How it ended.
        detail: String,
    },
    /// Something else lies where a file of its session belongs, such as a pipe or a link.
    SessionFiles {
        /// Which file, and what lies there.
        detail: String,
    },
    /// The disk had no room for the output.
    DiskFull {
        /// The path that is full.
        detail: String,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ExitCode { code } => write!(f, "ended with exit code {code}"),
            Self::Signal { signal } => write!(f, "was ended by signal {signal}"),
            Self::TimedOut { limit_ms } => write!(
                f,
                "ran longer than its limit of {}",
                format_duration(*limit_ms)
            ),
            Self::NotStarted { detail } => write!(f, "could not be started: {detail}"),
            Self::AgentError { detail } => write!(f, "the agent reports: {detail}"),
            Self::ToolError { detail } => write!(f, "failed: {detail}"),
            Self::BadInput { detail } => write!(f, "could not be prepared: {detail}"),
            Self::Unavailable { detail } => {
                write!(f, "the agent's service is not available: {detail}")
            }
            Self::UsageLimit { detail, .. } => {
                write!(f, "the agent's usage limit is reached: {detail}")
            }
            Self::BudgetSpent { detail } => {
                write!(f, "was stopped because its budget is spent: {detail}")
            }
            Self::CriteriaFailed { detail } => {
                write!(f, "does not meet its acceptance criteria: {detail}")
            }
            Self::Unverified { detail } => write!(f, "is not verified: {detail}"),
            Self::NoAnswer { limit_ms } => {
                write!(f, "got no answer within {}", format_duration(*limit_ms))
            }
            Self::ByHand => write!(f, "was marked as failed by a person"),
            Self::SubPlan { detail } => write!(f, "its plan {detail}"),
            Self::SessionFiles { detail } => {
                write!(f, "has tampered with its session's files: {detail}")
            }
            Self::DiskFull { detail } => {
                write!(f, "was stopped because the disk is full: {detail}")
            }
        }
    }
}
