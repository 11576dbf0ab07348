//! Parsing of one line of pi: an answer to Baton, or an event.

use baton_output::{RenderedText, render_text};
use std::borrow::Cow;

use baton_model::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::{DiffHunk, SessionEvent, ToolResult};
use crate::image::images_in;
use crate::json_text::summary;
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::pi::stop_reason::StopReason;
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;
use crate::service_error;
use crate::usage::Usage;

/// The content of a line.
#[derive(Debug)]
pub(super) enum ParsedLine {
    /// An event for people and perhaps for the driver.
    Event(SessionEvent),
    /// A message of the model is complete: its text, usage and stop reason.
    AssistantMessage {
        events: Vec<SessionEvent>,
        usage: Usage,
        stop: StopReason,
    },
    /// The model works again without a new prompt.
    Began,
    /// The model is done, unless pi retries. `usage` covers all its messages.
    Ended {
        usage: Usage,
        stop: Option<StopReason>,
        will_retry: bool,
    },
    /// The answer to a state request: whether pi is idle.
    State {
        id: String,
        started: SessionEvent,
        is_idle: bool,
    },
    /// One reason to continue is settled: no retry or compaction is left.
    Settled { note: Option<SessionEvent> },
    /// pi followed Baton's request to stop.
    Stopped,
    /// A request of Baton was refused.
    Refused { id: String, message: String },
    /// An extension asks a person something, and waits.
    Question { id: String, note: SessionEvent },
    /// A message without any use, see [`IGNORED`].
    Ignored,
    /// Not a JSON object.
    Plain,
    /// An unknown kind or shape.
    Unknown,
}

/// Event kinds that repeat what other messages report: pieces of messages that follow in full,
/// beginnings and ends of turns, screen states.
pub(crate) const IGNORED: &[&str] = &[
    "agent_settled",
    "entry_appended",
    "message_start",
    "message_update",
    "queue_update",
    "session_info_changed",
    "thinking_level_changed",
    "tool_execution_update",
    "turn_end",
    "turn_start",
];

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

pub(super) fn read(line: &[u8]) -> ParsedLine {
    if line.iter().all(u8::is_ascii_whitespace) {
        return ParsedLine::Ignored;
    }
    let Ok(head) = serde_json::from_slice::<Head<'_>>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return if is_object {
            ParsedLine::Unknown
        } else {
            ParsedLine::Plain
        };
    };
    parse_kind(&head.kind, line).unwrap_or(ParsedLine::Unknown)
}

/// One event of `pi --mode rpc` or `pi --mode json` per line.
pub const EVENTS_FORMAT: LogFormat = LogFormat::lines("pi events", record);

pub(crate) fn record(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| parse_record(line))
}

fn parse_record(line: &[u8]) -> Record<'_> {
    let parsed = read(line);
    let parts = match &parsed {
        ParsedLine::Plain => vec![RecordPart::Plain],
        ParsedLine::Unknown => vec![RecordPart::Unknown],
        parsed => parsed
            .events()
            .into_iter()
            .map(|event| RecordPart::Event(Box::new(event)))
            .collect(),
    };
    Record {
        at_ms: line_timestamp(&parsed, line),
        parent: None,
        parts,
    }
}

/// The beginning of a message, by pi's clock. Only messages have a time.
fn line_timestamp(parsed: &ParsedLine, line: &[u8]) -> Option<i64> {
    match parsed {
        ParsedLine::AssistantMessage { .. } | ParsedLine::Event(SessionEvent::Prompt { .. }) => {
            parse::<MessageLine<'_>>(line).and_then(|line| line.message.timestamp)
        }
        _ => None,
    }
}

impl ParsedLine {
    /// The events for people.
    pub(super) fn events(&self) -> Vec<SessionEvent> {
        match self {
            Self::Event(event) | Self::Question { note: event, .. } => vec![event.clone()],
            Self::AssistantMessage { events, .. } => events.clone(),
            Self::Ended {
                usage,
                stop,
                will_retry,
            } => {
                let end =
                    stop.as_ref()
                        .filter(|_| !will_retry)
                        .map(|stop| SessionEvent::TurnEnded {
                            end: stop.turn_end(),
                            text: stop.message(),
                            unprompted: false,
                        });
                [Some(SessionEvent::Usage { usage: *usage }), end]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Self::State { id, started, .. } if id == "state" || id == "1" => vec![started.clone()],
            Self::Settled { note } => note.clone().into_iter().collect(),
            Self::Refused { message, .. } => vec![SessionEvent::Error {
                text: message.clone(),
            }],
            Self::State { .. }
            | Self::Began
            | Self::Stopped
            | Self::Ignored
            | Self::Plain
            | Self::Unknown => Vec::new(),
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Option<T> {
    serde_json::from_slice(line).ok()
}

fn note(text: impl Into<String>) -> SessionEvent {
    SessionEvent::Note { text: text.into() }
}

fn parse_kind(kind: &str, line: &[u8]) -> Option<ParsedLine> {
    Some(match kind {
        "session" => ParsedLine::Event(started(parse::<SessionLine>(line)?.id, String::new())),
        "response" => response(line)?,
        "agent_start" => ParsedLine::Began,
        "message_end" => message(line)?,
        "tool_execution_start" => {
            let call: CallLine = parse(line)?;
            let summary = summary(&call.args);
            ParsedLine::Event(SessionEvent::ToolStarted {
                id: call.tool_call_id,
                name: call.tool_name,
                summary,
                input: call.args,
            })
        }
        "tool_execution_end" => {
            let end: ResultLine = parse(line)?;
            ParsedLine::Event(SessionEvent::ToolEnded {
                id: end.tool_call_id.clone(),
                result: end.result(),
            })
        }
        "agent_end" => ended(line)?,
        "auto_retry_start" => {
            let retry: RetryLine = parse(line)?;
            let reason = retry.error_message.map_or_else(
                || "an error".to_owned(),
                |message| service_error::concise_message(&message),
            );
            let (attempt, max) = (retry.attempt, retry.max_attempts);
            ParsedLine::Event(SessionEvent::Retrying {
                attempt,
                max,
                delay_ms: retry.delay_ms,
                reason,
            })
        }
        "auto_retry_end" if parse::<RetryEndLine>(line)?.success != Some(false) => {
            ParsedLine::Ignored
        }
        "auto_retry_end" => ParsedLine::Settled { note: None },
        "compaction_start" => ParsedLine::Event(note("The conversation is being compacted.")),
        "compaction_end" => compacted(line)?,
        "extension_error" => ParsedLine::Event(note(format!(
            "An extension failed: {}",
            parse::<ErrorLine>(line)?.error
        ))),
        "extension_ui_request" => extension(line)?,
        kind if IGNORED.contains(&kind) => ParsedLine::Ignored,
        _ => return None,
    })
}

#[derive(Deserialize)]
struct SessionLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: String,
}

fn started(native_session: String, model: String) -> SessionEvent {
    let model = if model.is_empty() {
        "its default model".to_owned()
    } else {
        model
    };
    SessionEvent::Started {
        native_session,
        model,
        version: "pi".to_owned(),
    }
}

#[derive(Deserialize)]
struct ResponseLine<'a> {
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    command: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    success: Option<bool>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StateData {
    #[serde(default, deserialize_with = "lenient_json::field")]
    session_id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    model: Option<Value>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_streaming: bool,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_compacting: bool,
}

fn response(line: &[u8]) -> Option<ParsedLine> {
    let ResponseLine {
        id,
        command,
        success,
        error,
        data,
    } = parse(line)?;
    if !success.unwrap_or(error.is_none()) {
        return Some(ParsedLine::Refused {
            id,
            message: error.unwrap_or_else(|| format!("pi refused {command}")),
        });
    }
    Some(match command.as_str() {
        "get_state" => {
            let state: StateData = serde_json::from_str(data?.get()).ok()?;
            let model = state.model.map(|model| {
                let part = |name: &str| model[name].as_str().unwrap_or_default().to_owned();
                format!("{}/{}", part("provider"), part("id"))
            });
            let is_idle = !state.is_streaming && !state.is_compacting;
            ParsedLine::State {
                id,
                started: started(state.session_id, model.unwrap_or_default()),
                is_idle,
            }
        }
        "abort" => ParsedLine::Stopped,
        _ => ParsedLine::Ignored,
    })
}

#[derive(Deserialize)]
struct MessageLine<'a> {
    #[serde(borrow)]
    message: Message<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    usage: Option<Counts>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error_message: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    timestamp: Option<i64>,
}

/// A message at the end of a turn, reduced to its usage and stop reason.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReportedUsage {
    #[serde(default, deserialize_with = "lenient_json::field")]
    role: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    usage: Option<Counts>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error_message: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    timestamp: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    #[serde(default, deserialize_with = "lenient_json::field")]
    input: u64,
    #[serde(default, deserialize_with = "lenient_json::field")]
    output: u64,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cache_read: u64,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cache_write: u64,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Cost {
    #[serde(default, deserialize_with = "lenient_json::field")]
    total: f64,
}

impl Counts {
    /// All zeros mean that the service reported nothing. A cost of 0 means that pi does not know
    /// the price.
    fn usage(&self) -> Usage {
        if [self.input, self.output, self.cache_read, self.cache_write] == [0; 4] {
            return Usage::default();
        }
        Usage {
            input_tokens: Some(self.input),
            output_tokens: Some(self.output),
            cache_read_tokens: Some(self.cache_read),
            cache_write_tokens: Some(self.cache_write),
            usd: self
                .cost
                .as_ref()
                .map(|cost| cost.total)
                .filter(|&total| total > 0.0),
        }
    }
}

/// The sum of both. A count that neither knows stays unknown.
pub(super) fn sum(one: Usage, other: Usage) -> Usage {
    let both = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    };
    Usage {
        input_tokens: both(one.input_tokens, other.input_tokens),
        output_tokens: both(one.output_tokens, other.output_tokens),
        cache_read_tokens: both(one.cache_read_tokens, other.cache_read_tokens),
        cache_write_tokens: both(one.cache_write_tokens, other.cache_write_tokens),
        usd: match (one.usd, other.usd) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        },
    }
}

fn message(line: &[u8]) -> Option<ParsedLine> {
    let message = parse::<MessageLine<'_>>(line)?.message;
    match &*message.role {
        "user" => Some(ParsedLine::Event(SessionEvent::Prompt {
            text: texts(&content(message.content)),
        })),
        "assistant" => Some(assistant_message(message)),
        // The system prompt, results that their tool has reported, and the internal data of
        // extensions.
        _ => Some(ParsedLine::Ignored),
    }
}

fn content(raw: Option<&RawValue>) -> Value {
    raw.map(lenient_json::value).unwrap_or_default()
}

fn assistant_message(message: Message<'_>) -> ParsedLine {
    let stop = StopReason::parse(
        message.stop_reason.as_deref().unwrap_or_default(),
        message.error_message.as_deref(),
        message.timestamp.map(Timestamp),
    );
    let blocks = content(message.content);
    let block_event = |block: &Value| {
        let text = |name: &str| {
            block[name]
                .as_str()
                .filter(|text| !text.trim().is_empty())
                .map(str::to_owned)
        };
        match block["type"].as_str()? {
            "text" => Some(SessionEvent::Text {
                markdown: text("text")?,
            }),
            "thinking" => Some(SessionEvent::Thinking {
                text: text("thinking")?,
            }),
            _ => None,
        }
    };
    let mut events: Vec<_> = blocks
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(block_event)
        .collect();
    if !matches!(stop, StopReason::Done | StopReason::Aborted) {
        events.push(SessionEvent::Error {
            text: stop.message(),
        });
    }
    ParsedLine::AssistantMessage {
        events,
        usage: message
            .usage
            .map(|counts| counts.usage())
            .unwrap_or_default(),
        stop,
    }
}

/// The texts of a content: a string or a list of blocks.
fn texts(content: &Value) -> String {
    let Some(blocks) = content.as_array() else {
        return content.as_str().unwrap_or_default().to_owned();
    };
    let texts = blocks
        .iter()
        .map(|block| match (&block["text"], &block["type"]) {
            (Value::String(text), _) => text.clone(),
            (_, Value::String(kind)) => format!("[{kind}]"),
            _ => block.to_string(),
        });
    texts.collect::<Vec<_>>().join("\n")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_call_id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_name: String,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    args: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResultLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_call_id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    result: ResultBody,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_error: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResultBody {
    #[serde(deserialize_with = "lenient_json::any_value")]
    content: Value,
    #[serde(deserialize_with = "lenient_json::any_value")]
    details: Value,
}

impl ResultLine {
    fn result(&self) -> ToolResult {
        let RenderedText { text, styles } = render_text(&texts(&self.result.content));
        ToolResult {
            ok: !self.is_error,
            denied: false,
            exit_code: exit_code(&text).filter(|_| self.is_error),
            text,
            styles,
            truncated_bytes: 0,
            end_unknown: false,
            diff: self.result.details["diff"]
                .as_str()
                .map(numbered_diff)
                .filter(|hunks| !hunks.is_empty()),
            images: images_in(&self.result.content),
        }
    }
}

/// The exit code in the last line of a shell's result. pi reports only codes other than 0.
fn exit_code(text: &str) -> Option<i32> {
    text.lines()
        .last()?
        .strip_prefix("Command exited with code ")?
        .trim()
        .parse()
        .ok()
}

/// The hunks of a diff with numbered lines: `+12 new`, `-12 old`, ` 11 same`, and `...` for gaps.
fn numbered_diff(text: &str) -> Vec<DiffHunk> {
    let mut hunks: Vec<DiffHunk> = Vec::new();
    // The number of lines added so far, minus the number removed.
    let (mut line_shift, mut open) = (0_i64, false);
    for line in text.lines() {
        let Some((sign, number, rest)) = numbered(line) else {
            open = false;
            continue;
        };
        if !open {
            let (old, new) = match sign {
                '+' => (i64::from(number) - line_shift, i64::from(number)),
                _ => (i64::from(number), i64::from(number) + line_shift),
            };
            let start = |line: i64| u32::try_from(line).unwrap_or_default();
            hunks.push(DiffHunk {
                old_start: start(old),
                new_start: start(new),
                lines: Vec::new(),
            });
            open = true;
        }
        line_shift += i64::from(sign == '+') - i64::from(sign == '-');
        if let Some(hunk) = hunks.last_mut() {
            hunk.lines.push(format!("{sign}{rest}"));
        }
    }
    hunks
}

fn numbered(line: &str) -> Option<(char, u32, &str)> {
    let sign = line
        .chars()
        .next()
        .filter(|sign| [' ', '+', '-'].contains(sign))?;
    let rest = line[1..].trim_start_matches(' ');
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    Some((
        sign,
        number,
        rest[digits..].strip_prefix(' ').unwrap_or(&rest[digits..]),
    ))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EndLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    messages: Vec<ReportedUsage>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    will_retry: bool,
}

fn ended(line: &[u8]) -> Option<ParsedLine> {
    let EndLine {
        messages,
        will_retry,
    } = parse(line)?;
    let spoken = || {
        messages
            .iter()
            .filter(|message| message.role == "assistant")
    };
    let usage = spoken()
        .filter_map(|message| message.usage.as_ref())
        .map(Counts::usage)
        .fold(Usage::default(), sum);
    let stop = spoken().next_back().map(|last| {
        let reason = last.stop_reason.as_deref().unwrap_or_default();
        StopReason::parse(
            reason,
            last.error_message.as_deref(),
            last.timestamp.map(Timestamp),
        )
    });
    Some(ParsedLine::Ended {
        usage,
        stop,
        will_retry,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RetryLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    attempt: u32,
    #[serde(default, deserialize_with = "lenient_json::field")]
    max_attempts: u32,
    #[serde(default, deserialize_with = "lenient_json::field")]
    delay_ms: u64,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error_message: Option<String>,
}

#[derive(Deserialize)]
struct RetryEndLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    success: Option<bool>,
}

#[derive(Deserialize)]
struct ErrorLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompactionLine {
    #[serde(default, deserialize_with = "lenient_json::field")]
    error_message: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    will_retry: bool,
}

/// After some compactions the model continues without a prompt.
fn compacted(line: &[u8]) -> Option<ParsedLine> {
    let CompactionLine {
        error_message,
        will_retry,
    } = parse(line)?;
    let note =
        error_message.map(|error| note(format!("The conversation couldn't be compacted: {error}")));
    Some(match (note, will_retry) {
        (note, false) => ParsedLine::Settled { note },
        (Some(note), true) => ParsedLine::Event(note),
        (None, true) => ParsedLine::Began,
    })
}

#[derive(Deserialize)]
struct ExtensionLine {
    id: String,
    method: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<String>,
}

/// The message or question of an extension.
fn extension(line: &[u8]) -> Option<ParsedLine> {
    let ExtensionLine {
        id,
        method,
        title,
        message,
    } = parse(line)?;
    let message_text = || {
        [title.clone(), message.clone()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(": ")
    };
    Some(match method.as_str() {
        "select" | "confirm" | "input" | "editor" => {
            let note = note(format!(
                "An extension asked a question that can't be answered here: {}",
                message_text()
            ));
            ParsedLine::Question { id, note }
        }
        "notify" => ParsedLine::Event(note(message_text())),
        _ => ParsedLine::Ignored,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_numbered_diff() {
        let text = " 1 a\n-2 b\n+2 c\n+3 d\n 3 e\n   ...\n 20 x\n-21 y\n";
        let hunks = numbered_diff(text);
        assert_eq!(
            hunks
                .iter()
                .map(|hunk| (hunk.old_start, hunk.new_start))
                .collect::<Vec<_>>(),
            [(1, 1), (20, 21)]
        );
        assert_eq!(hunks[0].lines, [" a", "-b", "+c", "+d", " e"]);
        assert_eq!(hunks[1].lines, [" x", "-y"]);
        assert_eq!(numbered_diff("nothing\nof this"), []);
    }

    #[test]
    fn zero_usage_is_unknown() {
        let counts = |output, total| Counts {
            input: 0,
            output,
            cache_read: 0,
            cache_write: 0,
            cost: Some(Cost { total }),
        };
        assert_eq!(counts(0, 0.0).usage(), Usage::default());
        assert_eq!(
            (
                counts(5, 0.0).usage().output_tokens,
                counts(5, 0.0).usage().usd
            ),
            (Some(5), None)
        );
        assert_eq!(counts(5, 0.5).usage().usd, Some(0.5));
    }
}
