//! Gemini CLI's own stream: `gemini -o stream-json`, one event per line.
//!
//! Its exit code is the HTTP status of its service modulo 256, or one of a few other codes. It
//! refuses to start in an untrusted folder, and has no tools that would need permission.

use std::borrow::Cow;

use baton_model::outcome::Failure;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::acp::message::RpcError;
use crate::acp::turn_outcome;
use crate::driver::{ProcessEnd, Verdict};
use crate::event::TurnEnd;
use crate::json_text::string;
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::notice::Notice;
use crate::one_shot::{Dialect, StreamState};
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::tool_result::{ExitCodeSource, ToolResultPart};
use crate::usage::Usage;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    timestamp: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    session_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    role: Option<String>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    delta: bool,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_name: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_id: Option<String>,
    #[serde(borrow)]
    parameters: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: Option<String>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    stats: Option<Stats>,
}

#[derive(Deserialize)]
struct Stats {
    #[serde(default, deserialize_with = "lenient_json::field")]
    input_tokens: Option<u64>,
    /// Without cached tokens. Versions that do not report it report the sum.
    #[serde(default, deserialize_with = "lenient_json::field")]
    input: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cached: Option<u64>,
}

#[derive(Deserialize)]
struct ErrorBody<'a> {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: Option<String>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

/// One event of `gemini --output-format stream-json` per line.
pub const STREAM_FORMAT: LogFormat = LogFormat::lines("gemini stream", read);

pub(crate) fn read(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| read_line(line))
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    match serde_json::from_slice::<Line<'_>>(line) {
        Ok(line) => Record {
            at_ms: line.at_ms(),
            parts: line.parts().unwrap_or(vec![RecordPart::Unknown]),
            ..Record::default()
        },
        Err(_) => {
            let is_object =
                line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
            Record {
                parts: vec![if is_object {
                    RecordPart::Unknown
                } else {
                    RecordPart::Plain
                }],
                ..Record::default()
            }
        }
    }
}

impl<'a> Line<'a> {
    fn at_ms(&self) -> Option<i64> {
        let time = self.timestamp.as_ref()?.parse::<jiff::Timestamp>().ok()?;
        Some(time.as_millisecond())
    }

    fn parts(self) -> Option<Vec<RecordPart<'a>>> {
        let kind = self.kind.clone();
        Some(match &*kind {
            "init" => vec![RecordPart::Notice(Notice::Note(format!(
                "Session started with {}",
                self.model?
            )))],
            "message" if self.role.as_deref() == Some("user") => {
                vec![RecordPart::Text {
                    role: Role::Prompt,
                    raw: self.content?,
                }]
            }
            "message" if self.delta => vec![RecordPart::Chunk {
                role: Role::Answer,
                raw: self.content?,
                message: None,
            }],
            "message" => vec![RecordPart::Text {
                role: Role::Answer,
                raw: self.content?,
            }],
            "tool_use" => {
                vec![RecordPart::ToolCall {
                    id: self.tool_id?,
                    name: self.tool_name?,
                    input: self.parameters?,
                }]
            }
            "tool_result" => vec![self.result()?],
            "error" => vec![RecordPart::Text {
                role: Role::Error,
                raw: self.message?,
            }],
            "result" => self.end(),
            _ => return None,
        })
    }

    fn result(self) -> Option<RecordPart<'a>> {
        let error: Option<ErrorBody<'_>> = self
            .error
            .and_then(|error| serde_json::from_str(error.get()).ok());
        let kind = error.as_ref().and_then(|error| error.kind.as_deref());
        Some(RecordPart::ToolResult(ToolResultPart {
            denied: matches!(kind, Some("policy_violation" | "tool_not_registered")),
            id: self.tool_id?,
            content: self.output.or(error.and_then(|error| error.message)),
            is_error: self.status.as_deref() != Some("success"),
            detail: None,
            images: None,
            to_text: string,
            // A failed command is reported as a success of the tool.
            exit: ExitCodeSource::Unreported,
        }))
    }

    fn end(self) -> Vec<RecordPart<'a>> {
        let usage = self.stats.as_ref().map(Stats::usage).unwrap_or_default();
        let over = match (self.status.as_deref(), self.error) {
            // An unknown status without an error.
            (Some("success"), _) | (_, None) if self.status.as_deref() != Some("error") => {
                Notice::TurnFinished {
                    end: TurnEnd::Done,
                    text: String::new(),
                }
            }
            (_, error) => {
                let error =
                    error.and_then(|error| serde_json::from_str::<ErrorBody<'_>>(error.get()).ok());
                let message = error
                    .and_then(|error| error.message)
                    .map(string)
                    .unwrap_or_default();
                let end = classify_error(&message, None);
                Notice::TurnFinished {
                    end: end.end,
                    text: end.message,
                }
            }
        };
        vec![
            RecordPart::Notice(over),
            RecordPart::Notice(Notice::Usage(usage)),
        ]
    }
}

impl Stats {
    fn usage(&self) -> Usage {
        Usage {
            input_tokens: self
                .input
                .or_else(|| Some(self.input_tokens?.saturating_sub(self.cached.unwrap_or(0)))),
            output_tokens: self.output_tokens,
            cache_read_tokens: self.cached,
            cache_write_tokens: None,
            usd: None,
        }
    }
}

/// Classifies an error. Its message quotes the service: `[API Error:
/// {"error":{"code":400,"message":…}}]`.
fn classify_error(message: &str, status: Option<u16>) -> turn_outcome::TurnOutcome {
    let quoted = message
        .find('{')
        .zip(message.rfind('}'))
        .and_then(|(start, end)| message.get(start..=end));
    let quoted: Option<Value> = quoted.and_then(|quoted| serde_json::from_str(quoted).ok());
    let inner = quoted.as_ref().and_then(|quoted| quoted.get("error"));
    let code = inner
        .and_then(|inner| inner["code"].as_u64())
        .and_then(|code| u16::try_from(code).ok());
    let message = inner
        .and_then(|inner| inner["message"].as_str())
        .unwrap_or(message);
    turn_outcome::from_error(&RpcError {
        code: 0,
        message: message.to_owned(),
        status: status.or(code),
    })
}

/// The dialect for [`OneShot`](crate::one_shot::OneShot).
pub(crate) struct GeminiStream;

impl Dialect for GeminiStream {
    fn read<'a>(&self, line: &'a [u8]) -> Record<'a> {
        read(line)
    }

    fn update_state(&self, line: &[u8], state: &mut StreamState) {
        let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
            return;
        };
        state.session = line.session_id.or(state.session.take());
        if let Some(stats) = line.stats {
            state.usage = stats.usage();
        }
    }

    fn verdict(&self, state: &StreamState, exit: &ProcessEnd) -> Verdict {
        if let Some(end) = &state.end {
            return classify_error(&end.message, http_status(exit)).verdict(super::LOGIN_HINT);
        }
        let failed = |detail: String| Verdict::Failed(Failure::AgentError { detail });
        let message = state
            .stderr_summary
            .text()
            .unwrap_or("it reported no reason");
        match exit {
            ProcessEnd::Exited(41) => failed(format!("it is not logged in. {}", super::LOGIN_HINT)),
            ProcessEnd::Exited(55) => failed(
                "it does not trust this folder. Trust it in `gemini`, or set GEMINI_CLI_TRUST_WORKSPACE=true"
                    .to_owned(),
            ),
            exit if http_status(exit).is_some() => classify_error(message, http_status(exit)).verdict(super::LOGIN_HINT),
            exit => state.stderr_summary.verdict(exit, "before finishing its turn"),
        }
    }
}

/// The HTTP status behind an exit code, if it is an error status.
fn http_status(exit: &ProcessEnd) -> Option<u16> {
    let ProcessEnd::Exited(code @ 0..=255) = exit else {
        return None;
    };
    // 400 becomes 144. Lower codes are the program's own or those of signals.
    [400, 401, 403, 404, 429, 500, 502, 503, 504, 529]
        .into_iter()
        .find(|status| i32::from(status & 0xFF) == *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_exit_codes_to_statuses() {
        let verdict =
            |code| GeminiStream.verdict(&StreamState::default(), &ProcessEnd::Exited(code));
        let detail = |code| match verdict(code) {
            Verdict::Failed(Failure::AgentError { detail }) => detail,
            other => panic!("a failure: {other:?}"),
        };
        assert!(detail(145).contains(super::super::LOGIN_HINT), "401");
        assert!(detail(41).contains("not logged in") && detail(55).contains("trust"));
        assert_eq!(
            verdict(173),
            Verdict::Limit {
                reset_at: None,
                detail: "it reported no reason".to_owned()
            },
            "429"
        );
        assert!(matches!(verdict(247), Verdict::Unavailable { .. }), "503");
        assert_eq!(
            verdict(143),
            Verdict::Failed(Failure::Signal { signal: 15 })
        );
        assert_eq!(detail(0), "it exited before finishing its turn");
    }
}
