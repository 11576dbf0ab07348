//! The events of `claude -p --output-format stream-json`, from a program without further input.
//!
//! Other agents print the same kind of lines, for example Qwen Code (`qwen --output-format
//! stream-json`, seen in 0.24.4). For Claude itself the bidirectional mode is better, because
//! Baton can answer. In this mode, the agent's own settings decide what it may do.

use crate::acp::message::RpcError;
use crate::acp::turn_outcome::{self as acp_turn_outcome, TurnOutcome};
use crate::claude::line;
use crate::claude::turn_outcome;
use crate::driver::{ProcessEnd, Verdict};
use crate::event::TurnEnd;
use crate::notice::Notice;
use crate::one_shot::{Dialect, StreamState};
use crate::record::Record;
use crate::record_part::RecordPart;
use crate::turn_result::TurnResult;

const LOGIN_HINT: &str = "Log in with the agent's own command.";

/// The dialect for [`OneShot`](crate::one_shot::OneShot).
pub(crate) struct ClaudeStream;

impl Dialect for ClaudeStream {
    fn read<'a>(&self, line: &'a [u8]) -> Record<'a> {
        line::read(line)
    }

    fn update_state(&self, line: &[u8], state: &mut StreamState) {
        for part in line::read(line).parts {
            let RecordPart::Notice(notice) = part else {
                continue;
            };
            match notice {
                Notice::Started { session, .. } => state.session = Some(session),
                Notice::Usage(usage) => state.usage = usage,
                // The result that follows does not repeat the reset time.
                Notice::RateLimit {
                    rejected: true,
                    resets_at,
                    ..
                } => {
                    let end = TurnEnd::Limit {
                        reset_at: resets_at,
                    };
                    state.end = Some(TurnOutcome {
                        end,
                        message: String::new(),
                        needs_login: false,
                    });
                }
                Notice::TurnEnded { turn, .. } => {
                    state.end = Some(outcome(turn, state.end.as_ref()))
                }
                _ => {}
            }
        }
    }

    fn verdict(&self, state: &StreamState, exit: &ProcessEnd) -> Verdict {
        match &state.end {
            Some(end) => end.verdict(LOGIN_HINT),
            None => state.stderr_summary.verdict(exit, "without a result"),
        }
    }
}

/// The outcome of a result, after an earlier outcome `before`.
fn outcome(turn: TurnResult, before: Option<&TurnOutcome>) -> TurnOutcome {
    let reset_at = match before.map(|before| &before.end) {
        Some(TurnEnd::Limit { reset_at }) => *reset_at,
        _ => None,
    };
    let end = turn_outcome::turn_end(&turn, reset_at, false);
    let message = if turn.text.is_empty() {
        turn.subtype
    } else {
        turn.text
    };
    if end != TurnEnd::Failed {
        return TurnOutcome {
            end,
            message,
            needs_login: false,
        };
    }
    let status = turn
        .api_status
        .and_then(|status| u16::try_from(status).ok())
        .or_else(|| status_in(&message));
    acp_turn_outcome::from_error(&RpcError {
        code: 0,
        message,
        status,
    })
}

/// `[API Error: 401 invalid key]` → 401, from clients without a field for it.
fn status_in(message: &str) -> Option<u16> {
    let (_, detail) = message.split_once("API Error: ")?;
    let digits = detail.len()
        - detail
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    detail[..digits]
        .parse()
        .ok()
        .filter(|status| (400..600).contains(status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Driver as _;
    use crate::event::Stream;
    use crate::one_shot::OneShot;
    use crate::scope::ToolScope;
    use crate::stderr_summary::StderrSummary;

    fn verdict(lines: &[&str]) -> Verdict {
        let mut session = OneShot::new(ClaudeStream, ToolScope::default());
        for line in lines {
            session.handle_line(Stream::Stdout, line.as_bytes());
        }
        session.verdict(&ProcessEnd::Exited(1))
    }

    fn error(message: &str) -> String {
        serde_json::json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
            "error": {"message": message}})
        .to_string()
    }

    #[test]
    fn classifies_errors_by_message() {
        for (message, expected) in [
            ("[API Error: 429 slow down]", "Limit { reset_at: None"),
            ("[API Error: 503 later]", "Unavailable"),
            ("[API Error: Connection error.]", "Unavailable"),
            (
                "[API Error: 401 bad key]",
                "Failed(AgentError { detail: \"[API Error: 401 bad key]. Log in",
            ),
            (
                "[API Error: 99 bottles]",
                "Failed(AgentError { detail: \"[API Error: 99 bottles]\"",
            ),
            ("", "Failed(AgentError { detail: \"error_during_execution\""),
        ] {
            let actual = format!("{:?}", verdict(&[&error(message)]));
            assert!(actual.starts_with(expected), "{message}: {actual}");
        }
    }

    #[test]
    fn uses_reported_limit_reset_time() {
        let limit = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1893456000}}"#;
        let refused = r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"no"}"#;
        let done = r#"{"type":"result","subtype":"success","is_error":false,"result":"Done."}"#;
        let reset_at = Some(baton_model::Timestamp(1_893_456_000_000));
        assert_eq!(
            verdict(&[limit, refused]),
            Verdict::Limit {
                reset_at,
                detail: "no".to_owned()
            }
        );
        assert_eq!(
            verdict(&[limit, done]),
            Verdict::Succeeded,
            "another account or model continued"
        );
        assert_eq!(
            verdict(&[]),
            StderrSummary::default().verdict(&ProcessEnd::Exited(1), "without a result")
        );
    }
}
