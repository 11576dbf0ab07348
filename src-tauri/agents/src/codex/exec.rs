//! The one-way stream of `codex exec --json`: read for timelines, and judged.
//!
//! Baton runs Codex by `app-server`; this stream is what scripts and other programs record. It has no prompts, no
//! pieces of messages and no requests, and nothing can be said to it.

use serde::Deserialize;
use serde_json::Value;

use crate::codex::item::Item;
use crate::codex::message::{Tokens, error_event};
use crate::codex::spending::{Spending, usage};
use crate::codex::trouble::Trouble;
use crate::complaint::Complaint;
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::odd;
use crate::part::Part;
use crate::record::{Record, noting_losses};
use crate::usage::Usage;

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "odd::field")]
    thread_id: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    item: Option<Item>,
    #[serde(default, deserialize_with = "odd::field")]
    message: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    usage: Option<Tokens>,
    #[serde(default, deserialize_with = "odd::field")]
    error: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default, deserialize_with = "odd::field")]
    message: String,
}

/// A line that tells nothing known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unread {
    /// No JSON object.
    Plain,
    /// Of a kind or shape that is not known.
    Unknown,
}

impl Unread {
    fn part<'a>(self) -> Part<'a> {
        match self {
            Self::Plain => Part::Plain,
            Self::Unknown => Part::Unknown,
        }
    }
}

/// What a line tells.
fn events(line: &[u8]) -> Result<Vec<SessionEvent>, Unread> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(Vec::new());
    }
    let Ok(line) = serde_json::from_slice::<Line>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return Err(if is_object {
            Unread::Unknown
        } else {
            Unread::Plain
        });
    };
    told(line).ok_or(Unread::Unknown)
}

fn told(line: Line) -> Option<Vec<SessionEvent>> {
    Some(match line.kind.as_str() {
        "thread.started" => vec![SessionEvent::Started {
            native_session: line.thread_id?,
            model: "its own choice of model".to_owned(),
            version: "Codex".to_owned(),
        }],
        "turn.started" => Vec::new(),
        "item.started" => line.item?.started().ok()?.into_iter().collect(),
        // Progress of an item that is told whole when it is complete.
        "item.updated" => line.item.map(|_| Vec::new())?,
        "item.completed" => line.item?.completed().ok()?.into_iter().collect(),
        "error" => vec![error_event(&line.message?, false)],
        "turn.completed" => {
            let used = line.usage.map(|tokens| SessionEvent::Usage {
                usage: usage(tokens),
            });
            used.into_iter()
                .chain([turn_ended(TurnEnd::Done, String::new())])
                .collect()
        }
        "turn.failed" => {
            let trouble = Trouble::of(&line.error?.message, &Value::Null);
            vec![turn_ended(trouble.end(None), trouble.words)]
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

/// One line for the timeline.
pub(crate) fn record(line: &[u8]) -> Record<'_> {
    noting_losses(|| record_of(line))
}

fn record_of(line: &[u8]) -> Record<'_> {
    let parts = match events(line) {
        Ok(events) => events
            .into_iter()
            .map(|event| Part::Event(Box::new(event)))
            .collect(),
        Err(unread) => vec![unread.part()],
    };
    Record {
        parts,
        ..Record::default()
    }
}

/// A session of `codex exec --json`.
#[derive(Debug, Default)]
pub struct ExecSession {
    session: Option<String>,
    spending: Spending,
    goes_on: bool,
    end: Option<(TurnEnd, String)>,
    last_words: Option<String>,
    activity: Option<String>,
    complaint: Complaint,
}

impl ExecSession {
    /// A session; `goes_on`: it resumes an earlier one, whose usage it tells with its own.
    ///
    /// This stream tells nothing but the sum of the conversation, so that of a resumed session stays unknown.
    #[must_use]
    pub fn new(goes_on: bool) -> Self {
        Self {
            goes_on,
            ..Self::default()
        }
    }

    fn observe(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Started { native_session, .. } => {
                self.session = Some(native_session.clone())
            }
            SessionEvent::Text { markdown } => self.last_words = Some(markdown.clone()),
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
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.complaint.hear(line)];
        }
        let line = &*odd::legible(line);
        let (read, is_odd) = odd::watch(|| events(line));
        match read {
            Ok(mut events) => {
                if let Ok(Line {
                    usage: Some(tokens),
                    ..
                }) = serde_json::from_slice(line)
                {
                    self.spending.take(tokens, tokens, true);
                }
                events.iter().for_each(|event| self.observe(event));
                events.extend(is_odd.then(|| Unread::Unknown.part().event(line)).flatten());
                events
            }
            Err(unread) => unread.part().event(line).into_iter().collect(),
        }
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match &self.end {
            None => self.complaint.verdict(exit, "before its turn did"),
            Some((TurnEnd::Done, _)) => Verdict::Succeeded,
            Some((_, words)) => Trouble::of(words, &Value::Null).verdict(None),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.last_words.as_deref()
    }

    fn usage(&self) -> Usage {
        if self.goes_on {
            Usage::default()
        } else {
            self.spending.session()
        }
    }

    fn native_session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn activity(&self) -> Option<String> {
        self.activity.clone()
    }
}
