//! The one-way stream of `codex exec --json`, read for timelines and verdicts.
//!
//! Baton runs Codex through `app-server`. This stream is what scripts and other programs record.
//! It has no prompts, no streamed text and no requests, and accepts no input.

use serde::Deserialize;
use serde_json::Value;

use crate::codex::error::CodexError;
use crate::codex::item::Item;
use crate::codex::message::error_event;
use crate::codex::tokens::Tokens;
use crate::codex::usage_tracker::UsageTracker;
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;
use crate::stderr_summary::StderrSummary;
use crate::usage::Usage;

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    thread_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    item: Option<Item>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    usage: Option<Tokens>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: String,
}

/// A line without known content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnparsedLine {
    /// Not a JSON object.
    Plain,
    /// An unknown kind or shape.
    Unknown,
}

impl UnparsedLine {
    fn part<'a>(self) -> RecordPart<'a> {
        match self {
            Self::Plain => RecordPart::Plain,
            Self::Unknown => RecordPart::Unknown,
        }
    }
}

/// The events of a line.
fn events(line: &[u8]) -> Result<Vec<SessionEvent>, UnparsedLine> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(Vec::new());
    }
    let Ok(line) = serde_json::from_slice::<Line>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return Err(if is_object {
            UnparsedLine::Unknown
        } else {
            UnparsedLine::Plain
        });
    };
    line_events(line).ok_or(UnparsedLine::Unknown)
}

fn line_events(line: Line) -> Option<Vec<SessionEvent>> {
    Some(match line.kind.as_str() {
        "thread.started" => vec![SessionEvent::Started {
            native_session: line.thread_id?,
            model: "its default model".to_owned(),
            version: "Codex".to_owned(),
        }],
        "turn.started" => Vec::new(),
        "item.started" => line.item?.started().ok()?.into_iter().collect(),
        // Progress of an item that is reported in full when it is complete.
        "item.updated" => line.item.map(|_| Vec::new())?,
        "item.completed" => line.item?.completed().ok()?.into_iter().collect(),
        "error" => vec![error_event(&line.message?, false)],
        "turn.completed" => {
            let used = line.usage.map(|tokens| SessionEvent::Usage {
                usage: tokens.usage(),
            });
            used.into_iter()
                .chain([turn_ended(TurnEnd::Done, String::new())])
                .collect()
        }
        "turn.failed" => {
            let codex_error = CodexError::from_message(&line.error?.message, &Value::Null);
            vec![turn_ended(codex_error.end(None), codex_error.message)]
        }
        _ => return None,
    })
}

fn turn_ended(end: TurnEnd, text: String) -> SessionEvent {
    SessionEvent::TurnEnded {
        end,
        text,
        unprompted: false,
    }
}

/// One event of `codex exec --json` per line.
pub const EXEC_FORMAT: LogFormat = LogFormat::lines("codex exec", record);

pub(crate) fn record(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| parse_record(line))
}

fn parse_record(line: &[u8]) -> Record<'_> {
    let parts = match events(line) {
        Ok(events) => events
            .into_iter()
            .map(|event| RecordPart::Event(Box::new(event)))
            .collect(),
        Err(unread) => vec![unread.part()],
    };
    Record {
        parts,
        ..Record::default()
    }
}

/// The driver of a `codex exec --json` session.
#[derive(Debug, Default)]
pub struct ExecSession {
    session: Option<String>,
    usage_tracker: UsageTracker,
    resumes: bool,
    end: Option<(TurnEnd, String)>,
    last_message: Option<String>,
    activity: Option<String>,
    stderr_summary: StderrSummary,
}

impl ExecSession {
    /// A new session. `resumes` says that it resumes an earlier one, whose usage is included in
    /// its own.
    ///
    /// This stream reports only the sum of the conversation, so the usage of a resumed session
    /// stays unknown.
    #[must_use]
    pub fn new(resumes: bool) -> Self {
        Self {
            resumes,
            ..Self::default()
        }
    }

    fn observe(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Started { native_session, .. } => {
                self.session = Some(native_session.clone())
            }
            SessionEvent::Text { markdown } => self.last_message = Some(markdown.clone()),
            SessionEvent::ToolStarted { name, summary, .. } => {
                self.activity = Some(format!("{name}: {summary}"))
            }
            SessionEvent::ToolEnded { .. } => self.activity = None,
            SessionEvent::Retrying { reason, .. } => {
                self.activity = Some(format!("retrying after {reason}"))
            }
            SessionEvent::TurnEnded { end, text, .. } => {
                self.activity = None;
                self.end = Some((end.clone(), text.clone()));
            }
            _ => {}
        }
    }
}

impl Driver for ExecSession {
    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.stderr_summary.add_line(line)];
        }
        let line = &*lenient_json::sanitize_line(line);
        let (read, has_losses) = lenient_json::detect_losses(|| events(line));
        match read {
            Ok(mut events) => {
                if let Ok(Line {
                    usage: Some(tokens),
                    ..
                }) = serde_json::from_slice(line)
                {
                    self.usage_tracker.update(tokens, tokens, true);
                }
                events.iter().for_each(|event| self.observe(event));
                events.extend(
                    has_losses
                        .then(|| UnparsedLine::Unknown.part().event(line))
                        .flatten(),
                );
                events
            }
            Err(unread) => unread.part().event(line).into_iter().collect(),
        }
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match &self.end {
            None => self
                .stderr_summary
                .verdict(exit, "before finishing its turn"),
            Some((TurnEnd::Done, _)) => Verdict::Succeeded,
            Some((_, words)) => CodexError::from_message(words, &Value::Null).verdict(None),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.last_message.as_deref()
    }

    fn usage(&self) -> Usage {
        if self.resumes {
            Usage::default()
        } else {
            self.usage_tracker.session()
        }
    }

    fn native_session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn activity(&self) -> Option<String> {
        self.activity.clone()
    }
}
