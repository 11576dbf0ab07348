//! The supported APIs, selected by the request's path.

use std::io;
use std::net::TcpStream;

use serde_json::Value;

use super::conversation::Conversation;
use super::reply::{Message, Refusal};
use super::{chat, gemini, messages, responses};

/// A supported API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `v1/messages`
    Messages,
    /// `v1/responses`
    Responses,
    /// `v1/chat/completions`
    Chat,
    /// `v1beta/models/<model>:streamGenerateContent` and `:generateContent`
    Gemini {
        /// Whether it is `:streamGenerateContent`.
        streamed: bool,
    },
}

impl Dialect {
    /// Returns the API at this path, if any.
    pub(super) fn at(path: &str) -> Option<Self> {
        match path.split('?').next().unwrap_or_default() {
            "v1/messages" => Some(Self::Messages),
            "v1/responses" => Some(Self::Responses),
            "v1/chat/completions" => Some(Self::Chat),
            path if path.ends_with(":streamGenerateContent") => {
                Some(Self::Gemini { streamed: true })
            }
            path if path.ends_with(":generateContent") => Some(Self::Gemini { streamed: false }),
            _ => None,
        }
    }

    /// Answers a request that the client makes for its own purposes. Returns whether it was one.
    pub(super) fn answer_side_request(
        self,
        stream: &mut TcpStream,
        body: &Value,
    ) -> io::Result<bool> {
        match self {
            Self::Gemini { .. } if gemini::is_side_request(body) => {
                gemini::answer_side_request(stream).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Parses a request.
    pub(super) fn conversation(self, body: &Value) -> Conversation {
        match self {
            Self::Messages => messages::conversation(body),
            Self::Responses => responses::conversation(body),
            Self::Chat => chat::conversation(body),
            Self::Gemini { streamed } => gemini::conversation(streamed, body),
        }
    }

    /// Sends a turn of the model.
    pub(super) fn send(
        self,
        stream: &mut TcpStream,
        at: &Conversation,
        message: &Message,
    ) -> io::Result<()> {
        match self {
            Self::Messages => messages::send(stream, at, message),
            Self::Responses => responses::send(stream, at, message),
            Self::Chat => chat::send(stream, at, message),
            Self::Gemini { .. } => gemini::send(stream, at, message),
        }
    }

    /// Starts an answer and leaves it open.
    pub(super) fn begin(self, stream: &mut TcpStream, at: &Conversation) -> io::Result<()> {
        match self {
            Self::Messages => messages::begin(stream, at),
            Self::Responses => responses::begin(stream, at),
            Self::Chat => chat::begin(stream, at),
            Self::Gemini { .. } => gemini::begin(stream),
        }
    }

    /// Sends an error.
    pub(super) fn refuse(self, stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
        match self {
            Self::Messages => messages::refuse(stream, refusal),
            Self::Responses => responses::refuse(stream, refusal),
            Self::Chat => chat::refuse(stream, refusal),
            Self::Gemini { .. } => gemini::refuse(stream, refusal),
        }
    }
}
