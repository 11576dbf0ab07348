//! One line of pi: an answer to Baton, or an event.

use std::borrow::Cow;

use baton_model::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::{DiffHunk, SessionEvent, ToolResult};
use crate::json_text::summary;
use crate::odd;
use crate::part::Part;
use crate::pi::ending::Stop;
use crate::plain_text::plain;
use crate::record::{Record, noting_losses};
use crate::service;
use crate::usage::Usage;

/// What a line tells.
#[derive(Debug)]
pub(super) enum Said {
    /// Something for people, and perhaps for the driver.
    Event(SessionEvent),
    /// A message of the model is complete: its words, its bill, and how it stopped.
    Spoke {
        events: Vec<SessionEvent>,
        usage: Usage,
        stop: Stop,
    },
    /// The model works again, by itself.
    Began,
    /// The model is done, unless pi tries again. `usage` is the bill of all its messages.
    Ended {
        usage: Usage,
        stop: Option<Stop>,
        will_retry: bool,
    },
    /// The state that was asked for: whether pi is at rest.
    State {
        id: String,
        started: SessionEvent,
        at_rest: bool,
    },
    /// Nothing is left to be tried or made room for, as far as this one goes.
    Settled { note: Option<SessionEvent> },
    /// Baton's wish to stop was followed.
    Stopped,
    /// A request of Baton's was refused.
    Refused { id: String, words: String },
    /// An extension asks a person something, and waits.
    Question { id: String, note: SessionEvent },
    /// Nothing that anybody needs: see [`IGNORED`].
    Nothing,
    /// A line that is no JSON object.
    Plain,
    /// A message of a kind or shape that is not known.
    Unknown,
}

/// Kinds of events that say nothing beyond what others say: pieces of messages that follow whole, the frames of
/// turns, states for screens.
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

/// Reads one line without its newline.
pub(super) fn read(line: &[u8]) -> Said {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Said::Nothing;
    }
    let Ok(head) = serde_json::from_slice::<Head<'_>>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return if is_object {
            Said::Unknown
        } else {
            Said::Plain
        };
    };
    told(&head.kind, line).unwrap_or(Said::Unknown)
}

/// One line for the timeline.
pub(crate) fn record(line: &[u8]) -> Record<'_> {
    noting_losses(|| record_of(line))
}

fn record_of(line: &[u8]) -> Record<'_> {
    let said = read(line);
    let parts = match &said {
        Said::Plain => vec![Part::Plain],
        Said::Unknown => vec![Part::Unknown],
        said => said
            .events()
            .into_iter()
            .map(|event| Part::Event(Box::new(event)))
            .collect(),
    };
    Record {
        at_ms: said_at(&said, line),
        parent: None,
        parts,
    }
}

/// When a message was begun, by pi's clock. Only messages tell.
fn said_at(said: &Said, line: &[u8]) -> Option<i64> {
    match said {
        Said::Spoke { .. } | Said::Event(SessionEvent::Prompt { .. }) => {
            parse::<MessageLine<'_>>(line).and_then(|line| line.message.timestamp)
        }
        _ => None,
    }
}

impl Said {
    /// What this is for people.
    pub(super) fn events(&self) -> Vec<SessionEvent> {
        match self {
            Self::Event(event) | Self::Question { note: event, .. } => vec![event.clone()],
            Self::Spoke { events, .. } => events.clone(),
            Self::Ended {
                usage,
                stop,
                will_retry,
            } => {
                let end =
                    stop.as_ref()
                        .filter(|_| !will_retry)
                        .map(|stop| SessionEvent::TurnEnded {
                            end: stop.end(),
                            text: stop.words(),
                            unprompted: false,
                        });
                [Some(SessionEvent::Usage { usage: *usage }), end]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Self::State { id, started, .. } if id == "state" || id == "1" => vec![started.clone()],
            Self::Settled { note } => note.clone().into_iter().collect(),
            Self::Refused { words, .. } => vec![SessionEvent::Error {
                text: words.clone(),
            }],
            Self::State { .. }
            | Self::Began
            | Self::Stopped
            | Self::Nothing
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

fn told(kind: &str, line: &[u8]) -> Option<Said> {
    Some(match kind {
        "session" => Said::Event(started(parse::<SessionLine>(line)?.id, String::new())),
        "response" => response(line)?,
        "agent_start" => Said::Began,
        "message_end" => message(line)?,
        "tool_execution_start" => {
            let call: CallLine = parse(line)?;
            let summary = summary(&call.args);
            Said::Event(SessionEvent::ToolStarted {
                id: call.tool_call_id,
                name: call.tool_name,
                summary,
                input: call.args,
            })
        }
        "tool_execution_end" => {
            let end: ResultLine = parse(line)?;
            Said::Event(SessionEvent::ToolEnded {
                id: end.tool_call_id.clone(),
                result: end.result(),
            })
        }
        "agent_end" => ended(line)?,
        "auto_retry_start" => {
            let retry: RetryLine = parse(line)?;
            let reason = retry.error_message.map_or_else(
                || "an error".to_owned(),
                |words| service::meaningful(&words),
            );
            let (attempt, max) = (retry.attempt, retry.max_attempts);
            Said::Event(SessionEvent::Retrying {
                attempt,
                max,
                delay_ms: retry.delay_ms,
                reason,
            })
        }
        "auto_retry_end" if parse::<RetryEndLine>(line)?.success != Some(false) => Said::Nothing,
        "auto_retry_end" => Said::Settled { note: None },
        "compaction_start" => {
            Said::Event(note("The conversation is being summarized to make room."))
        }
        "compaction_end" => compacted(line)?,
        "extension_error" => Said::Event(note(format!(
            "An extension failed: {}",
            parse::<ErrorLine>(line)?.error
        ))),
        "extension_ui_request" => extension(line)?,
        kind if IGNORED.contains(&kind) => Said::Nothing,
        _ => return None,
    })
}

#[derive(Deserialize)]
struct SessionLine {
    #[serde(default, deserialize_with = "odd::field")]
    id: String,
}

fn started(native_session: String, model: String) -> SessionEvent {
    let model = if model.is_empty() {
        "its own choice of model".to_owned()
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
    #[serde(default, deserialize_with = "odd::field")]
    id: String,
    #[serde(default, deserialize_with = "odd::field")]
    command: String,
    #[serde(default, deserialize_with = "odd::field")]
    success: Option<bool>,
    #[serde(default, deserialize_with = "odd::field")]
    error: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StateData {
    #[serde(default, deserialize_with = "odd::field")]
    session_id: String,
    #[serde(default, deserialize_with = "odd::field")]
    model: Option<Value>,
    #[serde(default, deserialize_with = "odd::field")]
    is_streaming: bool,
    #[serde(default, deserialize_with = "odd::field")]
    is_compacting: bool,
}

fn response(line: &[u8]) -> Option<Said> {
    let ResponseLine {
        id,
        command,
        success,
        error,
        data,
    } = parse(line)?;
    if !success.unwrap_or(error.is_none()) {
        return Some(Said::Refused {
            id,
            words: error.unwrap_or_else(|| format!("pi refused {command}")),
        });
    }
    Some(match command.as_str() {
        "get_state" => {
            let state: StateData = serde_json::from_str(data?.get()).ok()?;
            let model = state.model.map(|model| {
                let part = |name: &str| model[name].as_str().unwrap_or_default().to_owned();
                format!("{}/{}", part("provider"), part("id"))
            });
            let at_rest = !state.is_streaming && !state.is_compacting;
            Said::State {
                id,
                started: started(state.session_id, model.unwrap_or_default()),
                at_rest,
            }
        }
        "abort" => Said::Stopped,
        _ => Said::Nothing,
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
    #[serde(default, deserialize_with = "odd::field")]
    usage: Option<Counts>,
    #[serde(default, deserialize_with = "odd::field")]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    error_message: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    timestamp: Option<i64>,
}

/// A message at the end of a turn, of which only its bill and its end matter.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Billed {
    #[serde(default, deserialize_with = "odd::field")]
    role: String,
    #[serde(default, deserialize_with = "odd::field")]
    usage: Option<Counts>,
    #[serde(default, deserialize_with = "odd::field")]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    error_message: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    timestamp: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    #[serde(default, deserialize_with = "odd::field")]
    input: u64,
    #[serde(default, deserialize_with = "odd::field")]
    output: u64,
    #[serde(default, deserialize_with = "odd::field")]
    cache_read: u64,
    #[serde(default, deserialize_with = "odd::field")]
    cache_write: u64,
    #[serde(default, deserialize_with = "odd::field")]
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Cost {
    #[serde(default, deserialize_with = "odd::field")]
    total: f64,
}

impl Counts {
    /// All zeros mean that the service told nothing; a price of 0, that pi knows none.
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

/// The sum of two bills. What neither tells stays unknown.
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

fn message(line: &[u8]) -> Option<Said> {
    let message = parse::<MessageLine<'_>>(line)?.message;
    match &*message.role {
        "user" => Some(Said::Event(SessionEvent::Prompt {
            text: texts(&content(message.content)),
        })),
        "assistant" => Some(spoke(message)),
        // The system prompt, results that their tool told, and what extensions keep for themselves.
        _ => Some(Said::Nothing),
    }
}

fn content(raw: Option<&RawValue>) -> Value {
    raw.map(odd::value).unwrap_or_default()
}

fn spoke(message: Message<'_>) -> Said {
    let stop = Stop::of(
        message.stop_reason.as_deref().unwrap_or_default(),
        message.error_message.as_deref(),
        message.timestamp.map(Timestamp),
    );
    let blocks = content(message.content);
    let said = |block: &Value| {
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
        .filter_map(said)
        .collect();
    if !matches!(stop, Stop::Done | Stop::Aborted) {
        events.push(SessionEvent::Error { text: stop.words() });
    }
    Said::Spoke {
        events,
        usage: message
            .usage
            .map(|counts| counts.usage())
            .unwrap_or_default(),
        stop,
    }
}

/// The texts of a content, which is a string or a list of blocks.
fn texts(content: &Value) -> String {
    let Some(blocks) = content.as_array() else {
        return content.as_str().unwrap_or_default().to_owned();
    };
    let words = blocks
        .iter()
        .map(|block| match (&block["text"], &block["type"]) {
            (Value::String(text), _) => text.clone(),
            (_, Value::String(kind)) => format!("[{kind}]"),
            _ => block.to_string(),
        });
    words.collect::<Vec<_>>().join("\n")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallLine {
    #[serde(default, deserialize_with = "odd::field")]
    tool_call_id: String,
    #[serde(default, deserialize_with = "odd::field")]
    tool_name: String,
    #[serde(default, deserialize_with = "odd::any")]
    args: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResultLine {
    #[serde(default, deserialize_with = "odd::field")]
    tool_call_id: String,
    #[serde(default, deserialize_with = "odd::field")]
    result: ResultBody,
    #[serde(default, deserialize_with = "odd::field")]
    is_error: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResultBody {
    #[serde(deserialize_with = "odd::any")]
    content: Value,
    #[serde(deserialize_with = "odd::any")]
    details: Value,
}

impl ResultLine {
    fn result(&self) -> ToolResult {
        let text = plain(texts(&self.result.content).as_bytes());
        ToolResult {
            ok: !self.is_error,
            denied: false,
            exit_code: exit_code(&text).filter(|_| self.is_error),
            text,
            truncated_bytes: 0,
            end_unknown: false,
            diff: self.result.details["diff"]
                .as_str()
                .map(numbered_diff)
                .filter(|hunks| !hunks.is_empty()),
        }
    }
}

/// The exit code in the last line of a shell's result, where pi tells those that are not 0.
fn exit_code(text: &str) -> Option<i32> {
    text.lines()
        .last()?
        .strip_prefix("Command exited with code ")?
        .trim()
        .parse()
        .ok()
}

/// The hunks of a diff whose lines carry their numbers: `+12 new`, `-12 old`, ` 11 same`, and `...` in gaps.
fn numbered_diff(text: &str) -> Vec<DiffHunk> {
    let mut hunks: Vec<DiffHunk> = Vec::new();
    // How many more lines there are after the change than before, up to here.
    let (mut grown, mut open) = (0_i64, false);
    for line in text.lines() {
        let Some((sign, number, rest)) = numbered(line) else {
            open = false;
            continue;
        };
        if !open {
            let (old, new) = match sign {
                '+' => (i64::from(number) - grown, i64::from(number)),
                _ => (i64::from(number), i64::from(number) + grown),
            };
            let start = |line: i64| u32::try_from(line).unwrap_or_default();
            hunks.push(DiffHunk {
                old_start: start(old),
                new_start: start(new),
                lines: Vec::new(),
            });
            open = true;
        }
        grown += i64::from(sign == '+') - i64::from(sign == '-');
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
    #[serde(default, deserialize_with = "odd::field")]
    messages: Vec<Billed>,
    #[serde(default, deserialize_with = "odd::field")]
    will_retry: bool,
}

fn ended(line: &[u8]) -> Option<Said> {
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
        Stop::of(
            reason,
            last.error_message.as_deref(),
            last.timestamp.map(Timestamp),
        )
    });
    Some(Said::Ended {
        usage,
        stop,
        will_retry,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RetryLine {
    #[serde(default, deserialize_with = "odd::field")]
    attempt: u32,
    #[serde(default, deserialize_with = "odd::field")]
    max_attempts: u32,
    #[serde(default, deserialize_with = "odd::field")]
    delay_ms: u64,
    #[serde(default, deserialize_with = "odd::field")]
    error_message: Option<String>,
}

#[derive(Deserialize)]
struct RetryEndLine {
    #[serde(default, deserialize_with = "odd::field")]
    success: Option<bool>,
}

#[derive(Deserialize)]
struct ErrorLine {
    #[serde(default, deserialize_with = "odd::field")]
    error: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompactionLine {
    #[serde(default, deserialize_with = "odd::field")]
    error_message: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    will_retry: bool,
}

/// After some summaries the model goes on by itself.
fn compacted(line: &[u8]) -> Option<Said> {
    let CompactionLine {
        error_message,
        will_retry,
    } = parse(line)?;
    let note = error_message
        .map(|error| note(format!("The conversation could not be summarized: {error}")));
    Some(match (note, will_retry) {
        (note, false) => Said::Settled { note },
        (Some(note), true) => Said::Event(note),
        (None, true) => Said::Began,
    })
}

#[derive(Deserialize)]
struct ExtensionLine {
    id: String,
    method: String,
    #[serde(default, deserialize_with = "odd::field")]
    title: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    message: Option<String>,
}

/// What an extension wants to show or to ask.
fn extension(line: &[u8]) -> Option<Said> {
    let ExtensionLine {
        id,
        method,
        title,
        message,
    } = parse(line)?;
    let words = || {
        [title.clone(), message.clone()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(": ")
    };
    Some(match method.as_str() {
        "select" | "confirm" | "input" | "editor" => {
            let note = note(format!(
                "An extension asked, and nobody can answer here: {}",
                words()
            ));
            Said::Question { id, note }
        }
        "notify" => Said::Event(note(words())),
        _ => Said::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbered_diff_becomes_hunks() {
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
    fn zeros_are_no_bill() {
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
