//! The parts of a line of an agent's output.

use serde_json::value::RawValue;

use crate::call_part::CallPart;
use crate::event::{SessionEvent, Stream, ToolResult};
use crate::json_text::{string, summary};
use crate::lenient_json;
use crate::notice::Notice;
use crate::permission::PermissionRequest;
use crate::plain_text::strip_terminal_codes;
use crate::role::{Role, text_event};
use crate::tool_result::ToolResultPart;

/// One part of a line.
#[derive(Debug)]
pub(crate) enum RecordPart<'a> {
    /// `raw` is a JSON string.
    Text {
        role: Role,
        raw: &'a RawValue,
    },
    /// A piece of a streamed text. The pieces of one message follow each other. `raw` is a JSON
    /// string.
    Chunk {
        role: Role,
        raw: &'a RawValue,
        message: Option<String>,
    },
    /// A partial report on a tool call.
    Call(CallPart<'a>),
    ToolCall {
        id: String,
        name: String,
        input: &'a RawValue,
    },
    ToolResult(ToolResultPart<'a>),
    PermissionAsked {
        request: String,
        tool: String,
        tool_use: Option<String>,
        input: &'a RawValue,
    },
    /// Baton's decision on a request, echoed by the agent. `None`: the answer neither allowed nor
    /// denied it.
    PermissionAnswered {
        request: String,
        allowed: Option<bool>,
    },
    Notice(Notice),
    /// A message whose meaning depends on several fields, decoded already.
    Event(Box<SessionEvent>),
    /// A line that is not a JSON object.
    Plain,
    /// A message of an unknown kind.
    Unknown,
}

impl RecordPart<'_> {
    /// The event of this part of `line`, decoded. `None` for parts that only matter to the
    /// protocol.
    pub(crate) fn event(&self, line: &[u8]) -> Option<SessionEvent> {
        Some(match self {
            Self::Text { role, raw } | Self::Chunk { role, raw, .. } => {
                text_event(*role, string(raw))
            }
            Self::Call(part) => part.event(),
            Self::ToolCall { id, name, input } => {
                let input = lenient_json::value(input);
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
            Self::PermissionAsked {
                request,
                tool,
                tool_use,
                input,
            } => {
                let input = lenient_json::value(input);
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
            Self::PermissionAnswered { request, allowed } => SessionEvent::PermissionAnswered {
                request: request.clone(),
                allowed: (*allowed)?,
            },
            Self::Notice(notice) => return notice.event(),
            Self::Event(event) => (**event).clone(),
            Self::Plain => SessionEvent::Output {
                stream: Stream::Stdout,
                text: strip_terminal_codes(line),
            },
            Self::Unknown => SessionEvent::Unknown {
                raw: String::from_utf8_lossy(line).into_owned(),
            },
        })
    }

    /// The id of the tool call that begins here.
    pub(crate) fn started_call(&self) -> Option<&str> {
        match self {
            Self::ToolCall { id, .. } => Some(id),
            Self::Event(event) => match &**event {
                SessionEvent::ToolStarted { id, .. } => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The id of the tool call that ends here, and whether it was denied.
    pub(crate) fn ended_call(&self) -> Option<(&str, bool)> {
        match self {
            Self::ToolResult(result) => Some((&result.id, result.denied)),
            Self::Event(event) => match &**event {
                SessionEvent::ToolEnded { id, result } => Some((id, result.denied)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The result of the tool call that ends here.
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

    /// The permission request made here, and the tool call it is about.
    pub(crate) fn permission_request(&self) -> Option<(&str, Option<&String>)> {
        match self {
            Self::PermissionAsked {
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

    /// The permission request that the agent withdraws here.
    pub(crate) fn withdrawn_request(&self) -> Option<&str> {
        match self {
            Self::Notice(Notice::Withdrawn { request }) => Some(request),
            Self::Event(event) => match &**event {
                SessionEvent::PermissionWithdrawn { request } => Some(request),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a turn begins here. The first turn begins the session.
    pub(crate) fn starts_session(&self) -> bool {
        match self {
            Self::Notice(Notice::Started { .. }) => true,
            Self::Event(event) => matches!(**event, SessionEvent::Started { .. }),
            _ => false,
        }
    }
}
