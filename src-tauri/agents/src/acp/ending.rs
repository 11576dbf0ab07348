//! What the ends of turns mean, and what errors mean.
//!
//! The protocol has five reasons for an end and one shape for errors; whose fault an error is follows from the
//! HTTP status of the model's service where the agent tells it, and from its words where not.

use baton_model::outcome::Failure;

use crate::acp::message::RpcError;
use crate::driver::Verdict;
use crate::event::TurnEnd;
use crate::service::{self, Fault};

/// The protocol's number for an agent that nobody has logged in.
const AUTH_REQUIRED: i64 = -32000;

/// What ended, with the words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) end: TurnEnd,
    pub(crate) words: String,
    /// A login would mend it.
    pub(crate) wants_login: bool,
}

/// What a turn's reason to stop means.
pub(crate) fn of_reason(reason: Option<&str>) -> End {
    let (end, words) = match reason {
        Some("end_turn") => (TurnEnd::Done, ""),
        Some("cancelled") => (TurnEnd::Interrupted, ""),
        Some("refusal") => (TurnEnd::Failed, "the model refused to go on"),
        Some("max_tokens") => (
            TurnEnd::Failed,
            "the model's answer was cut at its limit of tokens",
        ),
        Some("max_turn_requests") => (
            TurnEnd::Failed,
            "the agent reached its limit of requests in one turn",
        ),
        // A word that is not known, or could not be read, came in an answer and not in an error.
        _ => (TurnEnd::Done, ""),
    };
    End {
        end,
        words: words.to_owned(),
        wants_login: false,
    }
}

/// What an error instead of an answer means.
pub(crate) fn of_error(error: &RpcError) -> End {
    let fault = service::fault(error.status.map(u64::from), &error.words);
    let end = match fault {
        Fault::Limit => TurnEnd::Limit { reset_at: None },
        Fault::Unavailable => TurnEnd::Unavailable,
        Fault::Login | Fault::Other => TurnEnd::Failed,
    };
    let words = error.words.to_lowercase();
    let names_key = ["api key", "api-key"]
        .iter()
        .any(|sign| words.contains(sign));
    let wants_login = fault == Fault::Login || error.code == AUTH_REQUIRED || names_key;
    End {
        wants_login: wants_login && end == TurnEnd::Failed,
        end,
        words: error.words.clone(),
    }
}

impl End {
    /// The verdict on work that ended so. `mend` says how the login of `agent` is repaired.
    pub(crate) fn verdict(&self, mend: &str) -> Verdict {
        let detail = self.words.clone();
        match &self.end {
            TurnEnd::Done => Verdict::Succeeded,
            TurnEnd::Interrupted => Verdict::Cancelled,
            TurnEnd::Limit { reset_at } => Verdict::Limit {
                reset_at: *reset_at,
                detail,
            },
            TurnEnd::Unavailable => Verdict::Unavailable { detail },
            TurnEnd::Failed if self.wants_login && !mend.is_empty() => {
                Verdict::Failed(Failure::AgentError {
                    detail: format!("{detail}. {mend}"),
                })
            }
            TurnEnd::Failed => Verdict::Failed(Failure::AgentError { detail }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: i64, status: Option<u16>, words: &str) -> End {
        of_error(&RpcError {
            code,
            words: words.to_owned(),
            status,
        })
    }

    #[test]
    fn whose_fault_an_error_is_follows_from_status_and_words() {
        let limit = || TurnEnd::Limit { reset_at: None };
        for (status, words, end) in [
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
            assert_eq!(error(-32603, status, words).end, end, "{status:?} {words}");
        }
    }

    #[test]
    fn a_missing_login_is_told_with_its_mend() {
        let detail = |end: End| match end.verdict("Log in.") {
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
            detail(of_reason(Some("refusal"))),
            "the model refused to go on"
        );
    }
}
