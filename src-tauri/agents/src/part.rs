//! One thing that a line of an agent's output tells.

use serde_json::value::RawValue;

use crate::acp::call::CallPart;
use crate::driver::PermissionRequest;
use crate::event::{SessionEvent, Stream, ToolResult};
use crate::json_text::{string, summary};
use crate::notice::Notice;
use crate::odd;
use crate::plain_text::plain;
use crate::role::{Role, text_event};
use crate::tool_result::ToolResultPart;

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
    /// The agent asks for permission.
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
