//! opencode's own stream: `opencode run --format json`, one event per line.
//!
//! A tool is reported when it is finished. There is no event for the end of the session; the stop
//! reason of the last step takes its place.

use std::borrow::Cow;

use baton_model::count::format_count;
use baton_model::outcome::Failure;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::acp::message::RpcError;
use crate::acp::turn_outcome;
use crate::driver::{ProcessEnd, Verdict};
use crate::event::DiffHunk;
use crate::json_text::string;
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::notice::Notice;
use crate::one_shot::{Dialect, StreamState};
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::text_diff::unified_hunks;
use crate::tool_result::{Detail, ExitCodeSource, ToolResultPart};
use crate::usage::Usage;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    timestamp: Option<i64>,
    #[serde(
        rename = "sessionID",
        default,
        deserialize_with = "lenient_json::field"
    )]
    session: Option<String>,
    #[serde(borrow)]
    part: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    synthetic: bool,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool: Option<String>,
    #[serde(rename = "callID", default, deserialize_with = "lenient_json::field")]
    call: Option<String>,
    #[serde(borrow)]
    state: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    reason: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tokens: Option<Tokens>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cost: Option<f64>,
}

#[derive(Deserialize)]
struct State<'a> {
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: Option<String>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
    #[serde(borrow)]
    attachments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Tokens {
    #[serde(default, deserialize_with = "lenient_json::field")]
    input: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    output: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cache: Option<Cache>,
}

#[derive(Deserialize)]
struct Cache {
    #[serde(default, deserialize_with = "lenient_json::field")]
    read: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    write: Option<u64>,
}

/// One event of `opencode run --format json` per line.
pub const STREAM_FORMAT: LogFormat = LogFormat::lines("opencode stream", read);

pub(crate) fn read(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| read_line(line))
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    match serde_json::from_slice::<Line<'_>>(line) {
        Ok(line) => Record {
            at_ms: line.timestamp,
            parts: parts(&line).unwrap_or(vec![RecordPart::Unknown]),
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

fn parts<'a>(line: &Line<'a>) -> Option<Vec<RecordPart<'a>>> {
    if line.kind == "error" {
        let message = line.error.map(error_message)?;
        let end = turn_outcome::from_error(&RpcError {
            code: 0,
            message,
            status: line.error.and_then(status),
        });
        return Some(vec![RecordPart::Notice(Notice::TurnFinished {
            end: end.end,
            text: end.message,
        })]);
    }
    let piece: Piece<'a> = serde_json::from_str(line.part?.get()).ok()?;
    Some(match &*line.kind {
        "step_start" => vec![RecordPart::Notice(Notice::Ignored)],
        "text" => vec![RecordPart::Text {
            role: if piece.synthetic {
                Role::Note
            } else {
                Role::Answer
            },
            raw: piece.text?,
        }],
        "reasoning" => vec![RecordPart::Text {
            role: Role::Thinking,
            raw: piece.text?,
        }],
        "tool_use" => tool(piece)?,
        "step_finish" => vec![RecordPart::Notice(Notice::Note(piece.step_summary()))],
        _ => return None,
    })
}

fn tool(piece: Piece<'_>) -> Option<Vec<RecordPart<'_>>> {
    let state: State<'_> = serde_json::from_str(piece.state?.get()).ok()?;
    let (id, name) = (piece.call?, piece.tool?);
    let is_error = state.status.as_deref() != Some("completed");
    let refused = state
        .error
        .is_some_and(|error| error.get().contains("rejected permission"));
    let result = ToolResultPart {
        id: id.clone(),
        content: state.error.or(state.output),
        is_error,
        denied: refused,
        detail: state.metadata.map(|raw| Detail { raw, diff }),
        images: state.attachments,
        to_text: string,
        exit: state
            .metadata
            .and_then(exit_code)
            .map_or(ExitCodeSource::Unreported, ExitCodeSource::Reported),
    };
    Some(vec![
        RecordPart::ToolCall {
            id,
            name,
            input: state.input?,
        },
        RecordPart::ToolResult(result),
    ])
}

/// The change to a file in the metadata of an edit.
fn diff(metadata: &RawValue) -> Option<Vec<DiffHunk>> {
    // Most metadata has other fields, and parsing a long one just to find that out is expensive.
    if !metadata.get().contains("\"diff\"") {
        return None;
    }
    let metadata: Value = serde_json::from_str(metadata.get()).ok()?;
    let hunks = unified_hunks(metadata.get("diff")?.as_str()?);
    Some(hunks).filter(|hunks| !hunks.is_empty())
}

/// The exit code in a shell's metadata.
fn exit_code(metadata: &RawValue) -> Option<i32> {
    let metadata: Value = serde_json::from_str(metadata.get()).ok()?;
    i32::try_from(metadata.get("exit")?.as_i64()?).ok()
}

/// The message of an error: `{"name":…,"data":{"message":…,"statusCode":…}}`.
fn error_message(error: &RawValue) -> String {
    let value: Value = serde_json::from_str(error.get()).unwrap_or_default();
    let reported = value
        .pointer("/data/message")
        .or_else(|| value.get("name"))
        .and_then(Value::as_str);
    reported.map_or_else(|| error.get().to_owned(), str::to_owned)
}

fn status(error: &RawValue) -> Option<u16> {
    let value: Value = serde_json::from_str(error.get()).ok()?;
    u16::try_from(value.pointer("/data/statusCode")?.as_u64()?).ok()
}

impl Piece<'_> {
    fn usage(&self) -> Usage {
        let tokens = self.tokens.as_ref();
        let cache = tokens.and_then(|tokens| tokens.cache.as_ref());
        Usage {
            input_tokens: tokens.and_then(|tokens| tokens.input),
            output_tokens: tokens.and_then(|tokens| tokens.output),
            cache_read_tokens: cache.and_then(|cache| cache.read),
            cache_write_tokens: cache.and_then(|cache| cache.write),
            usd: self.cost,
        }
    }

    fn step_summary(&self) -> String {
        let usage = self.usage();
        let read =
            usage.input_tokens.unwrap_or_default() + usage.cache_read_tokens.unwrap_or_default();
        format!(
            "Step: {} input tokens, {} output",
            format_count(read),
            format_count(usage.output_tokens.unwrap_or_default())
        )
    }
}

/// The dialect for [`OneShot`](crate::one_shot::OneShot).
pub(crate) struct OpencodeStream;

impl Dialect for OpencodeStream {
    fn read<'a>(&self, line: &'a [u8]) -> Record<'a> {
        read(line)
    }

    fn update_state(&self, line: &[u8], state: &mut StreamState) {
        let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
            return;
        };
        state.session = line.session.or(state.session.take());
        let piece = line
            .part
            .and_then(|part| serde_json::from_str::<Piece<'_>>(part.get()).ok());
        let Some(piece) = piece.filter(|_| line.kind == "step_finish") else {
            return;
        };
        // A finished step supersedes earlier errors.
        state.end = None;
        state.usage = state.usage.plus(piece.usage());
        state.last_stop = piece.reason;
        state.has_finished = true;
    }

    fn verdict(&self, state: &StreamState, exit: &ProcessEnd) -> Verdict {
        if let Some(end) = &state.end {
            return end.verdict(super::LOGIN_HINT);
        }
        match (state.last_stop.as_deref(), exit) {
            (Some("stop"), ProcessEnd::Exited(0)) => Verdict::Succeeded,
            (Some("tool-calls"), ProcessEnd::Exited(0)) => Verdict::Failed(Failure::AgentError {
                detail: "it stopped at a tool call that was denied".to_owned(),
            }),
            (Some(reason @ ("length" | "content-filter" | "error")), ProcessEnd::Exited(0)) => {
                Verdict::Failed(Failure::AgentError {
                    detail: format!("the model stopped: {reason}"),
                })
            }
            // An unknown or unreadable reason: the step ended without an error.
            (_, ProcessEnd::Exited(0)) if state.has_finished => Verdict::Succeeded,
            (_, exit) => state
                .stderr_summary
                .verdict(exit, "before finishing its turn"),
        }
    }
}
