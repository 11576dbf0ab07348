//! The ends of turns and sessions of `claude`.
//!
//! Neither exit code 0 nor `subtype: success` means success. A refused login ends with `success`
//! and exit code 1, and an interrupted turn can end with exit code 0. `is_error` and
//! `terminal_reason` decide.

use baton_model::outcome::Failure;
use baton_model::time::Timestamp;

use crate::driver::Verdict;
use crate::event::TurnEnd;
use crate::service_error::{self, ServiceErrorKind};
use crate::turn_result::TurnResult;

/// The end of a turn from its result. `reset_at` comes from an earlier limit message. `stopped`
/// means that the agent confirmed an interrupt: old versions (2.1.37) give no reason for such an
/// end.
pub(super) fn turn_end(turn: &TurnResult, reset_at: Option<Timestamp>, stopped: bool) -> TurnEnd {
    if let Some(notice_reset_at) = limit_notice(&turn.text) {
        return TurnEnd::Limit {
            reset_at: reset_at.or(notice_reset_at),
        };
    }
    match turn.api_status {
        // An unreadable kind does not count as an error.
        _ if !turn.is_error && matches!(turn.subtype.as_str(), "success" | "") => TurnEnd::Done,
        _ if turn.reason.starts_with("aborted") => TurnEnd::Interrupted,
        None if stopped && turn.subtype == "error_during_execution" => TurnEnd::Interrupted,
        // Without a status and without this prefix, the work failed and the text is the model's
        // own.
        None if !turn.text.starts_with("API Error") => TurnEnd::Failed,
        status => match service_error::classify(status.map(u64::from), &turn.text) {
            ServiceErrorKind::Limit => TurnEnd::Limit { reset_at },
            ServiceErrorKind::Unavailable => TurnEnd::Unavailable,
            ServiceErrorKind::Login | ServiceErrorKind::Other => TurnEnd::Failed,
        },
    }
}

/// The reset time in a usage limit notice, which some versions send as a successful answer.
fn limit_notice(text: &str) -> Option<Option<Timestamp>> {
    if let Some(seconds) = text.strip_prefix("Claude AI usage limit reached|") {
        return Some(
            seconds
                .trim()
                .parse()
                .ok()
                .map(|seconds: i64| Timestamp(seconds.saturating_mul(1000))),
        );
    }
    let says_so =
        text.starts_with("You've hit your ") && text.contains(" limit") && text.contains("resets");
    (says_so && text.len() < 200).then_some(None)
}

/// The verdict on work whose last turn ended with `end` and this text.
pub(super) fn verdict(end: &TurnEnd, text: &str, api_status: Option<u32>) -> Verdict {
    let detail = text.to_owned();
    match end {
        TurnEnd::Done => Verdict::Succeeded,
        TurnEnd::Interrupted => Verdict::Cancelled,
        TurnEnd::Limit { reset_at } => Verdict::Limit {
            reset_at: *reset_at,
            detail,
        },
        TurnEnd::Unavailable => Verdict::Unavailable { detail },
        TurnEnd::Failed
            if matches!(api_status, Some(401 | 403)) || text.starts_with("Not logged in") =>
        {
            let login_hint = "Run `claude` in a terminal and log in, or set ANTHROPIC_API_KEY.";
            Verdict::Failed(Failure::AgentError {
                detail: format!("{detail}. {login_hint}"),
            })
        }
        TurnEnd::Failed => Verdict::Failed(Failure::AgentError { detail }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(is_error: bool, reason: &str, api_status: Option<u32>, text: &str) -> TurnEnd {
        let turn = TurnResult {
            is_error,
            subtype: "success".to_owned(),
            reason: reason.to_owned(),
            text: text.to_owned(),
            api_status,
            unprompted: false,
        };
        turn_end(&turn, None, false)
    }

    #[test]
    fn aborted_turn_is_interrupted_only_after_stop_request() {
        let turn = TurnResult {
            is_error: false,
            subtype: "error_during_execution".to_owned(),
            reason: String::new(),
            text: String::new(),
            api_status: None,
            unprompted: false,
        };
        assert_eq!(turn_end(&turn, None, true), TurnEnd::Interrupted);
        assert_eq!(turn_end(&turn, None, false), TurnEnd::Failed);
    }

    #[test]
    fn success_requires_absence_of_error_signs() {
        let limit = |reset_at| TurnEnd::Limit { reset_at };
        for (is_error, reason, status, text, expected) in [
            (false, "completed", None, "Done.", TurnEnd::Done),
            (
                true,
                "completed",
                Some(500),
                "API Error: 500",
                TurnEnd::Unavailable,
            ),
            (
                true,
                "api_error",
                Some(529),
                "API Error: 529 Overloaded",
                TurnEnd::Unavailable,
            ),
            (
                true,
                "api_error",
                None,
                "API Error: Connection refused — (ECONNREFUSED)",
                TurnEnd::Unavailable,
            ),
            (
                true,
                "api_error",
                Some(401),
                "Invalid API key",
                TurnEnd::Failed,
            ),
            (true, "aborted_tools", None, "", TurnEnd::Interrupted),
            (
                true,
                "api_error",
                Some(429),
                "API Error: Request rejected (429)",
                limit(None),
            ),
            (
                false,
                "completed",
                None,
                "Claude AI usage limit reached|1893456000",
                limit(Some(Timestamp(1_893_456_000_000))),
            ),
            (
                false,
                "completed",
                None,
                "You've hit your 5-hour limit · resets 3pm (UTC)",
                limit(None),
            ),
            (
                false,
                "completed",
                None,
                "I explained how the rate limit resets.",
                TurnEnd::Done,
            ),
        ] {
            assert_eq!(turn(is_error, reason, status, text), expected, "{text}");
        }
    }
}
