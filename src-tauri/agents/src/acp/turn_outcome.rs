//! The meaning of stop reasons and errors.
//!
//! The protocol has five stop reasons and one form of error. The cause of an error follows from
//! the HTTP status of the model's service if the agent reports it, and from its message
//! otherwise.

use baton_model::outcome::Failure;

use crate::acp::message::RpcError;
use crate::driver::Verdict;
use crate::event::TurnEnd;
use crate::service_error::{self, ServiceErrorKind};

/// The protocol's code for an agent without a login.
const AUTH_REQUIRED: i64 = -32000;

/// How a turn ended, with the message for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnOutcome {
    pub(crate) end: TurnEnd,
    pub(crate) message: String,
    /// A login would fix it.
    pub(crate) needs_login: bool,
}

/// The outcome for a stop reason.
pub(crate) fn from_stop_reason(reason: Option<&str>) -> TurnOutcome {
    let (end, message) = match reason {
        Some("end_turn") => (TurnEnd::Done, ""),
        Some("cancelled") => (TurnEnd::Interrupted, ""),
        Some("refusal") => (TurnEnd::Failed, "the model refused to continue"),
        Some("max_tokens") => (
            TurnEnd::Failed,
            "the model's answer reached its token limit",
        ),
        Some("max_turn_requests") => (
            TurnEnd::Failed,
            "the agent reached its request limit for one turn",
        ),
        // An unknown or unreadable reason is still part of an answer and not an error.
        _ => (TurnEnd::Done, ""),
    };
    TurnOutcome {
        end,
        message: message.to_owned(),
        needs_login: false,
    }
}

/// The outcome for an error.
pub(crate) fn from_error(error: &RpcError) -> TurnOutcome {
    let fault = service_error::classify(error.status.map(u64::from), &error.message);
    let end = match fault {
        ServiceErrorKind::Limit => TurnEnd::Limit { reset_at: None },
        ServiceErrorKind::Unavailable => TurnEnd::Unavailable,
        ServiceErrorKind::Login | ServiceErrorKind::Other => TurnEnd::Failed,
    };
    let message = error.message.to_lowercase();
    let names_key = ["api key", "api-key"]
        .iter()
        .any(|sign| message.contains(sign));
    let needs_login = fault == ServiceErrorKind::Login || error.code == AUTH_REQUIRED || names_key;
    TurnOutcome {
        needs_login: needs_login && end == TurnEnd::Failed,
        end,
        message: error.message.clone(),
    }
}

impl TurnOutcome {
    /// The verdict on work that ended this way. `login_hint` says how to fix a missing login.
    pub(crate) fn verdict(&self, login_hint: &str) -> Verdict {
        let detail = self.message.clone();
        match &self.end {
            TurnEnd::Done => Verdict::Succeeded,
            TurnEnd::Interrupted => Verdict::Cancelled,
            TurnEnd::Limit { reset_at } => Verdict::Limit {
                reset_at: *reset_at,
                detail,
            },
            TurnEnd::Unavailable => Verdict::Unavailable { detail },
            TurnEnd::Failed if self.needs_login && !login_hint.is_empty() => {
                Verdict::Failed(Failure::AgentError {
                    detail: format!("{detail}. {login_hint}"),
                })
            }
            TurnEnd::Failed => Verdict::Failed(Failure::AgentError { detail }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: i64, status: Option<u16>, message: &str) -> TurnOutcome {
        from_error(&RpcError {
            code,
            message: message.to_owned(),
            status,
        })
    }

    #[test]
    fn classifies_errors_by_status_and_message() {
        let limit = || TurnEnd::Limit { reset_at: None };
        for (status, message, end) in [
            (Some(429), "slow down", limit()),
            (Some(503), "later", TurnEnd::Unavailable),
            (Some(400), "the connection is too long", TurnEnd::Failed),
            (None, "You exceeded your current quota", limit()),
            (None, "RESOURCE_EXHAUSTED", limit()),
            (None, "fetch failed", TurnEnd::Unavailable),
            (
                None,
                "connect ECONNREFUSED 127.0.0.1:1",
                TurnEnd::Unavailable,
            ),
            (None, "Model not found", TurnEnd::Failed),
        ] {
            assert_eq!(
                error(-32603, status, message).end,
                end,
                "{status:?} {message}"
            );
        }
    }

    #[test]
    fn missing_login_includes_login_hint() {
        let detail = |end: TurnOutcome| match end.verdict("Log in.") {
            Verdict::Failed(Failure::AgentError { detail }) => detail,
            other => panic!("a failure: {other:?}"),
        };
        assert_eq!(
            detail(error(-32000, None, "Authentication required")),
            "Authentication required. Log in."
        );
        assert_eq!(
            detail(error(-32603, Some(401), "bad key")),
            "bad key. Log in."
        );
        assert_eq!(
            detail(error(-32603, None, "Internal error: x")),
            "Internal error: x"
        );
        assert_eq!(
            detail(from_stop_reason(Some("refusal"))),
            "the model refused to continue"
        );
    }
}
