//! The events of `claude -p --output-format stream-json` from a program that is told everything at once.
//!
//! Other agents print the same kinds of lines, Qwen Code among them (`qwen --output-format stream-json`, seen in
//! 0.24.4). Claude itself is better run in its two-way mode, where it can be answered; what an agent may do
//! that is run so is for its own settings to say.

use crate::acp::ending::{self as acp_ending, End};
use crate::acp::message::RpcError;
use crate::claude::ending;
use crate::claude::line;
use crate::driver::{ProcessEnd, Verdict};
use crate::event::TurnEnd;
use crate::notice::Notice;
use crate::one_shot::{Dialect, Told};
use crate::part::Part;
use crate::record::Record;
use crate::turn_result::TurnResult;

const MEND: &str = "Log in with the agent's own means.";

/// The stream for [`OneShot`](crate::one_shot::OneShot).
pub(crate) struct ClaudeStream;

impl Dialect for ClaudeStream {
    fn read<'a>(&self, line: &'a [u8]) -> Record<'a> {
        line::read(line)
    }

    fn keep(&self, line: &[u8], told: &mut Told) {
        for part in line::read(line).parts {
            let Part::Notice(notice) = part else { continue };
            match notice {
                Notice::Started { session, .. } => told.session = Some(session),
                Notice::Usage(usage) => told.usage = usage,
                // The result that follows does not repeat when the limit ends.
                Notice::RateLimit {
                    rejected: true,
                    resets_at,
                    ..
                } => {
                    let end = TurnEnd::Limit {
                        reset_at: resets_at,
                    };
                    told.end = Some(End {
                        end,
                        words: String::new(),
                        wants_login: false,
                    });
                }
                Notice::TurnEnded { turn, .. } => told.end = Some(end(turn, told.end.as_ref())),
                _ => {}
            }
        }
    }

    fn verdict(&self, told: &Told, exit: &ProcessEnd) -> Verdict {
        match &told.end {
            Some(end) => end.verdict(MEND),
            None => told.complaint.verdict(exit, "without a result"),
        }
    }
}

/// What a result means after what was told `before`.
fn end(turn: TurnResult, before: Option<&End>) -> End {
    let reset_at = match before.map(|before| &before.end) {
        Some(TurnEnd::Limit { reset_at }) => *reset_at,
        _ => None,
    };
    let end = ending::end(&turn, reset_at, false);
    let words = if turn.text.is_empty() {
        turn.subtype
    } else {
        turn.text
    };
    if end != TurnEnd::Failed {
        return End {
            end,
            words,
            wants_login: false,
        };
    }
    let status = turn
        .api_status
        .and_then(|status| u16::try_from(status).ok())
        .or_else(|| status_in(&words));
    acp_ending::of_error(&RpcError {
        code: 0,
        words,
        status,
    })
}

/// `[API Error: 401 invalid key]` → 401, as clients say it that have no field for it.
fn status_in(words: &str) -> Option<u16> {
    let (_, said) = words.split_once("API Error: ")?;
    let digits = said.len() - said.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    said[..digits]
        .parse()
        .ok()
        .filter(|status| (400..600).contains(status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complaint::Complaint;
    use crate::driver::Driver as _;
    use crate::event::Stream;
    use crate::one_shot::OneShot;
    use crate::scope::ToolScope;

    fn verdict(lines: &[&str]) -> Verdict {
        let mut session = OneShot::new(ClaudeStream, ToolScope::default());
        for line in lines {
            session.line(Stream::Stdout, line.as_bytes());
        }
        session.verdict(&ProcessEnd::Exited(1))
    }

    fn error(words: &str) -> String {
        serde_json::json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
            "error": {"message": words}})
        .to_string()
    }

    #[test]
    fn whose_fault_an_error_is_stands_in_its_words() {
        for (words, expected) in [
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
            let told = format!("{:?}", verdict(&[&error(words)]));
            assert!(told.starts_with(expected), "{words}: {told}");
        }
    }

    #[test]
    fn a_limit_ends_when_it_was_said_to_end() {
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
            "another account, or another model, took over"
        );
        assert_eq!(
            verdict(&[]),
            Complaint::default().verdict(&ProcessEnd::Exited(1), "without a result")
        );
    }
}
