//! Gemini CLI's own stream: `gemini -o stream-json`, one event a line.
//!
//! Its exit code is the HTTP status of its service modulo 256, or one of a few of its own. In a folder that is not
//! trusted it does not begin, and tools that would need leave are not there.

use std::borrow::Cow;

use baton_model::outcome::Failure;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::acp::ending;
use crate::acp::message::RpcError;
use crate::driver::{ProcessEnd, Verdict};
use crate::event::TurnEnd;
use crate::json_text::string;
use crate::notice::Notice;
use crate::odd;
use crate::one_shot::{Dialect, Told};
use crate::part::Part;
use crate::record::{Record, noting_losses};
use crate::role::Role;
use crate::tool_result::{Exit, ToolResultPart};
use crate::usage::Usage;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "odd::field")]
    timestamp: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    session_id: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    model: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    role: Option<String>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "odd::field")]
    delta: bool,
    #[serde(default, deserialize_with = "odd::field")]
    tool_name: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    tool_id: Option<String>,
    #[serde(borrow)]
    parameters: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "odd::field")]
    status: Option<String>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "odd::field")]
    stats: Option<Stats>,
}

#[derive(Deserialize)]
struct Stats {
    #[serde(default, deserialize_with = "odd::field")]
    input_tokens: Option<u64>,
    /// Tokens read, those from the cache not counted. Versions that do not tell it tell the sum.
    #[serde(default, deserialize_with = "odd::field")]
    input: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cached: Option<u64>,
}

#[derive(Deserialize)]
struct ErrorBody<'a> {
    #[serde(rename = "type", default, deserialize_with = "odd::field")]
    kind: Option<String>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

/// Reads one line without its newline.
pub(crate) fn read(line: &[u8]) -> Record<'_> {
    noting_losses(|| read_line(line))
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    match serde_json::from_slice::<Line<'_>>(line) {
        Ok(line) => Record {
            at_ms: line.at_ms(),
            parts: line.parts().unwrap_or(vec![Part::Unknown]),
            ..Record::default()
        },
        Err(_) => {
            let is_object =
                line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
            Record {
                parts: vec![if is_object {
                    Part::Unknown
                } else {
                    Part::Plain
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

    fn parts(self) -> Option<Vec<Part<'a>>> {
        let kind = self.kind.clone();
        Some(match &*kind {
            "init" => vec![Part::Notice(Notice::Words(format!(
                "Session started with {}",
                self.model?
            )))],
            "message" if self.role.as_deref() == Some("user") => {
                vec![Part::Text {
                    role: Role::Prompt,
                    raw: self.content?,
                }]
            }
            "message" if self.delta => vec![Part::Chunk {
                role: Role::Answer,
                raw: self.content?,
                message: None,
            }],
            "message" => vec![Part::Text {
                role: Role::Answer,
                raw: self.content?,
            }],
            "tool_use" => {
                vec![Part::ToolCall {
                    id: self.tool_id?,
                    name: self.tool_name?,
                    input: self.parameters?,
                }]
            }
            "tool_result" => vec![self.result()?],
            "error" => vec![Part::Text {
                role: Role::Error,
                raw: self.message?,
            }],
            "result" => self.end(),
            _ => return None,
        })
    }

    fn result(self) -> Option<Part<'a>> {
        let error: Option<ErrorBody<'_>> = self
            .error
            .and_then(|error| serde_json::from_str(error.get()).ok());
        let kind = error.as_ref().and_then(|error| error.kind.as_deref());
        Some(Part::ToolResult(ToolResultPart {
            denied: matches!(kind, Some("policy_violation" | "tool_not_registered")),
            id: self.tool_id?,
            content: self.output.or(error.and_then(|error| error.message)),
            is_error: self.status.as_deref() != Some("success"),
            detail: None,
            words: string,
            // A command that failed is told as a success of the tool.
            exit: Exit::Untold,
        }))
    }

    fn end(self) -> Vec<Part<'a>> {
        let usage = self.stats.as_ref().map(Stats::usage).unwrap_or_default();
        let over = match (self.status.as_deref(), self.error) {
            // A word that is not known came without an error.
            (Some("success"), _) | (_, None) if self.status.as_deref() != Some("error") => {
                Notice::Over {
                    end: TurnEnd::Done,
                    text: String::new(),
                }
            }
            (_, error) => {
                let error =
                    error.and_then(|error| serde_json::from_str::<ErrorBody<'_>>(error.get()).ok());
                let words = error
                    .and_then(|error| error.message)
                    .map(string)
                    .unwrap_or_default();
                let end = judged(&words, None);
                Notice::Over {
                    end: end.end,
                    text: end.words,
                }
            }
        };
        vec![Part::Notice(over), Part::Notice(Notice::Usage(usage))]
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

/// What an error means. The words quote what the service said: `[API Error: {"error":{"code":400,"message":…}}]`.
fn judged(words: &str, status: Option<u16>) -> ending::End {
    let quoted = words
        .find('{')
        .zip(words.rfind('}'))
        .and_then(|(start, end)| words.get(start..=end));
    let quoted: Option<Value> = quoted.and_then(|quoted| serde_json::from_str(quoted).ok());
    let inner = quoted.as_ref().and_then(|quoted| quoted.get("error"));
    let code = inner
        .and_then(|inner| inner["code"].as_u64())
        .and_then(|code| u16::try_from(code).ok());
    let words = inner
        .and_then(|inner| inner["message"].as_str())
        .unwrap_or(words);
    ending::of_error(&RpcError {
        code: 0,
        words: words.to_owned(),
        status: status.or(code),
    })
}

/// The stream for [`OneShot`](crate::one_shot::OneShot).
pub(crate) struct GeminiStream;

impl Dialect for GeminiStream {
    fn read<'a>(&self, line: &'a [u8]) -> Record<'a> {
        read(line)
    }

    fn keep(&self, line: &[u8], told: &mut Told) {
        let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
            return;
        };
        told.session = line.session_id.or(told.session.take());
        if let Some(stats) = line.stats {
            told.usage = stats.usage();
        }
    }

    fn verdict(&self, told: &Told, exit: &ProcessEnd) -> Verdict {
        if let Some(end) = &told.end {
            return judged(&end.words, status_of(exit)).verdict(super::MEND);
        }
        let failed = |detail: String| Verdict::Failed(Failure::AgentError { detail });
        let words = told.complaint.words().unwrap_or("it said no more");
        match exit {
            ProcessEnd::Exited(41) => failed(format!("it is not logged in. {}", super::MEND)),
            ProcessEnd::Exited(55) => failed(
                "it does not trust this folder. Trust it in `gemini`, or set GEMINI_CLI_TRUST_WORKSPACE=true"
                    .to_owned(),
            ),
            exit if status_of(exit).is_some() => judged(words, status_of(exit)).verdict(super::MEND),
            exit => told.complaint.verdict(exit, "before its turn was over"),
        }
    }
}

/// The HTTP status behind an exit code, for statuses that mean an error.
fn status_of(exit: &ProcessEnd) -> Option<u16> {
    let ProcessEnd::Exited(code @ 0..=255) = exit else {
        return None;
    };
    // 400 is 144: below stand the program's own codes, and those of signals.
    [400, 401, 403, 404, 429, 500, 502, 503, 504, 529]
        .into_iter()
        .find(|status| i32::from(status & 0xFF) == *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_statuses_or_its_own() {
        let verdict = |code| GeminiStream.verdict(&Told::default(), &ProcessEnd::Exited(code));
        let detail = |code| match verdict(code) {
            Verdict::Failed(Failure::AgentError { detail }) => detail,
            other => panic!("a failure: {other:?}"),
        };
        assert!(detail(145).contains(super::super::MEND), "401");
        assert!(detail(41).contains("not logged in") && detail(55).contains("trust"));
        assert_eq!(
            verdict(173),
            Verdict::Limit {
                reset_at: None,
                detail: "it said no more".to_owned()
            },
            "429"
        );
        assert!(matches!(verdict(247), Verdict::Unavailable { .. }), "503");
        assert_eq!(
            verdict(143),
            Verdict::Failed(Failure::Signal { signal: 15 })
        );
        assert_eq!(detail(0), "it ended before its turn was over");
    }
}
