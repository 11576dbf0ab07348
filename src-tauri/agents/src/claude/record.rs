//! One line of `claude`'s output, taken apart without decoding it.
//!
//! The parts borrow from the line. What only the index of a timeline needs (which parts there are, and the
//! ids of tool calls) costs no copy of texts that may be megabytes; a driver or a page decodes on top. So
//! there is one reading of the protocol for both.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::acp::call::CallPart;
use crate::claude::notice::Notice;
use crate::claude::{control, message, notice};
use crate::driver::PermissionRequest;
use crate::event::{SessionEvent, Stream, ToolResult};
use crate::json_text::{string, summary};
use crate::odd;
use crate::plain_text::plain;

/// A line that was understood, or not.
#[derive(Debug, Default)]
pub(crate) struct Record<'a> {
    /// The tool call whose helper agent speaks; `None` for the agent itself.
    pub(crate) parent: Option<String>,
    /// When, by the agent's clock, in milliseconds since 1970.
    pub(crate) at_ms: Option<i64>,
    /// What the line tells, in order.
    pub(crate) parts: Vec<Part<'a>>,
}

/// One thing that a line tells.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    /// Text in a role; `raw` is a JSON string.
    Text { role: Role, raw: &'a RawValue },
    /// A piece of a text in a role; pieces of one message follow each other. `raw` is a JSON string.
    Chunk {
        role: Role,
        raw: &'a RawValue,
        message: Option<String>,
    },
    /// A piece of what an agent tells of a tool call.
    Call(CallPart<'a>),
    /// A tool begins.
    ToolCall {
        id: String,
        name: String,
        input: &'a RawValue,
    },
    /// A tool ended.
    ToolResult(ToolResultPart<'a>),
    /// The agent asks for leave.
    Asked {
        request: String,
        tool: String,
        tool_use: Option<String>,
        input: &'a RawValue,
    },
    /// Baton's answer to a request, as the agent echoes it. `None`: an answer without leave given or refused.
    Answered {
        request: String,
        allowed: Option<bool>,
    },
    /// Everything that is short.
    Notice(Notice),
    /// What a protocol tells that has to be put together from several fields: decoded already.
    Event(Box<SessionEvent>),
    /// A line that is no JSON object.
    Plain,
    /// A message whose kind is not known.
    Unknown,
}

/// Whose words a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Prompt,
    Answer,
    Thinking,
    /// Said by the client in the person's name.
    Note,
    /// Said by the client in the model's name, because the model could not.
    Error,
}

/// A tool's result before it is decoded.
#[derive(Debug)]
pub(crate) struct ToolResultPart<'a> {
    pub(crate) id: String,
    pub(crate) content: Option<&'a RawValue>,
    pub(crate) is_error: bool,
    /// The tool did not run because somebody or some rule said no.
    pub(crate) denied: bool,
    /// The client's own description of the result, with the patch of an edit.
    pub(crate) detail: Option<&'a RawValue>,
    /// How the content is put into words.
    pub(crate) words: fn(&RawValue) -> String,
    /// What is known of the exit code, if this ran a command.
    pub(crate) exit: Exit,
}

/// What is known of the exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// An error tells it in its words, and what is no error went well.
    InWords,
    /// The agent tells it beside the words.
    Told(i32),
    /// The agent does not tell it.
    Untold,
}

impl Exit {
    /// The code, where it is told beside the words.
    pub(crate) fn code(self) -> Option<i32> {
        match self {
            Self::Told(code) => Some(code),
            Self::InWords | Self::Untold => None,
        }
    }
}

/// The keys of a line that say what it is. `type` may stand anywhere in it.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) subtype: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) parent_tool_use_id: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) timestamp: Option<String>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_use_result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_result_meta: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(rename = "isReplay", default, deserialize_with = "odd::field")]
    pub(super) is_replay: bool,
}

/// Reads one line without its newline.
pub(crate) fn read(line: &[u8]) -> Record<'_> {
    noting_losses(|| read_line(line))
}

/// What `read` makes of a line, with a last part that shows the whole of it when not all of it could be read.
pub(crate) fn noting_losses<'a>(read: impl FnOnce() -> Record<'a>) -> Record<'a> {
    let (mut record, is_odd) = odd::watch(read);
    if is_odd && !matches!(record.parts.last(), Some(Part::Unknown)) {
        record.parts.push(Part::Unknown);
    }
    record
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let Ok(head) = serde_json::from_slice::<Head<'_>>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return Record {
            parts: vec![if is_object {
                Part::Unknown
            } else {
                Part::Plain
            }],
            ..Record::default()
        };
    };
    let parts = match (&*head.kind, head.subtype.as_deref()) {
        ("assistant" | "user", _) => message::parts(&head),
        ("control_response", _) => control::answered(line),
        ("control_request", _) => control::asked(line),
        (kind, subtype) => notice::parts(kind, subtype, line),
    };
    Record {
        at_ms: head
            .timestamp
            .and_then(|time| time.parse::<jiff::Timestamp>().ok())
            .map(|time| time.as_millisecond()),
        parent: head.parent_tool_use_id,
        parts,
    }
}

impl Part<'_> {
    /// What this part of `line` says, decoded; `None` where it says nothing beyond the protocol.
    pub(crate) fn event(&self, line: &[u8]) -> Option<SessionEvent> {
        Some(match self {
            Self::Text { role, raw } | Self::Chunk { role, raw, .. } => {
                text_event(*role, string(raw))
            }
            Self::Call(part) => part.event(),
            Self::ToolCall { id, name, input } => {
                let input = odd::value(input);
                SessionEvent::ToolStarted {
                    id: id.clone(),
                    name: name.clone(),
                    summary: summary(&input),
                    input,
                }
            }
            Self::ToolResult(result) => SessionEvent::ToolEnded {
                id: result.id.clone(),
                result: result.decode(),
            },
            Self::Asked {
                request,
                tool,
                tool_use,
                input,
            } => {
                let input = odd::value(input);
                SessionEvent::PermissionAsked {
                    request: PermissionRequest {
                        request: request.clone(),
                        tool: tool.clone(),
                        summary: summary(&input),
                        input,
                        tool_use: tool_use.clone(),
                    },
                }
            }
            Self::Answered { request, allowed } => SessionEvent::PermissionAnswered {
                request: request.clone(),
                allowed: (*allowed)?,
            },
            Self::Notice(notice) => return notice.event(),
            Self::Event(event) => (**event).clone(),
            Self::Plain => SessionEvent::Output {
                stream: Stream::Stdout,
                text: plain(line),
            },
            Self::Unknown => SessionEvent::Unknown {
                raw: String::from_utf8_lossy(line).into_owned(),
            },
        })
    }
}

pub(crate) fn text_event(role: Role, text: String) -> SessionEvent {
    match role {
        Role::Prompt => SessionEvent::Prompt { text },
        Role::Answer => SessionEvent::Text { markdown: text },
        Role::Thinking => SessionEvent::Thinking { text },
        Role::Note => SessionEvent::Note { text },
        Role::Error => SessionEvent::Error { text },
    }
}

impl Part<'_> {
    /// The tool call that begins here.
    pub(crate) fn begins_call(&self) -> Option<&str> {
        match self {
            Self::ToolCall { id, .. } => Some(id),
            Self::Event(event) => match &**event {
                SessionEvent::ToolStarted { id, .. } => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The tool call that ends here, and whether it was refused.
    pub(crate) fn ends_call(&self) -> Option<(&str, bool)> {
        match self {
            Self::ToolResult(result) => Some((&result.id, result.denied)),
            Self::Event(event) => match &**event {
                SessionEvent::ToolEnded { id, result } => Some((id, result.denied)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What came of the tool call that ends here.
    pub(crate) fn result(&self) -> Option<ToolResult> {
        match self {
            Self::ToolResult(result) => Some(result.decode()),
            Self::Event(event) => match &**event {
                SessionEvent::ToolEnded { result, .. } => Some(result.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The request for leave that is made here, and the tool call it is about.
    pub(crate) fn asks(&self) -> Option<(&str, Option<&String>)> {
        match self {
            Self::Asked {
                request, tool_use, ..
            } => Some((request, tool_use.as_ref())),
            Self::Event(event) => match &**event {
                SessionEvent::PermissionAsked { request } => {
                    Some((&request.request, request.tool_use.as_ref()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The request that the client takes back, if that is what this says.
    pub(crate) fn is_withdrawal(&self) -> Option<&str> {
        match self {
            Self::Notice(Notice::Withdrawn { request }) => Some(request),
            Self::Event(event) => match &**event {
                SessionEvent::PermissionWithdrawn { request } => Some(request),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether this begins a turn. The first one begins the session.
    pub(crate) fn starts_session(&self) -> bool {
        match self {
            Self::Notice(Notice::Started { .. }) => true,
            Self::Event(event) => matches!(**event, SessionEvent::Started { .. }),
            _ => false,
        }
    }
}
