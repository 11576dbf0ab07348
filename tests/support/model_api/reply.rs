//! A message of the model on the wire: server-sent events, or one object when the client asks for that.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::conversation::Conversation;
use super::http;

/// One turn of the model.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) blocks: Vec<Block>,
    pub(super) stop_reason: &'static str,
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// The pause before each piece of text: the speed is what such a scenario is about.
    pub(super) pause_ms: u64,
}

/// A part of a message.
#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Thinking(String),
    Tool { name: &'static str, input: Value },
}

impl Block {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn tool(name: &'static str, input: Value) -> Self {
        Self::Tool { name, input }
    }

    fn whole(&self, id: &str) -> Value {
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::Thinking(text) => json!({"type": "thinking", "thinking": text, "signature": "c2lnbmVk"}),
            Self::Tool { name, input } => json!({"type": "tool_use", "id": id, "name": name, "input": input}),
        }
    }

    fn start(&self, id: &str) -> Value {
        match self {
            Self::Text(_) => json!({"type": "text", "text": ""}),
            Self::Thinking(_) => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Self::Tool { name, .. } => json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
        }
    }

    fn deltas(&self) -> Vec<Value> {
        match self {
            Self::Text(text) => {
                text.split_inclusive(' ').map(|word| json!({"type": "text_delta", "text": word})).collect()
            }
            Self::Thinking(text) => vec![
                json!({"type": "thinking_delta", "thinking": text}),
                json!({"type": "signature_delta", "signature": "c2lnbmVk"}),
            ],
            Self::Tool { input, .. } => vec![json!({"type": "input_json_delta", "partial_json": input.to_string()})],
        }
    }
}

impl Message {
    /// A turn that ends as its blocks suggest: with a tool to run, or finished.
    pub(super) fn of(blocks: Vec<Block>) -> Self {
        let runs_tool = blocks.iter().any(|block| matches!(block, Block::Tool { .. }));
        Self { blocks, stop_reason: if runs_tool { "tool_use" } else { "end_turn" }, headers: &[], pause_ms: 0 }
    }
}

/// The error object of the API.
pub(super) fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_scripted"})
}

/// Sends `message` in the form that the request asked for.
pub(super) fn send(stream: &mut TcpStream, at: &Conversation, message: &Message) -> io::Result<()> {
    if !at.streamed {
        let mut whole = head(at);
        whole["content"] = message.blocks.iter().enumerate().map(|(n, block)| block.whole(&tool_id(at, n))).collect();
        whole["stop_reason"] = message.stop_reason.into();
        whole["usage"]["output_tokens"] = 42.into();
        return http::write_json(stream, 200, message.headers, &whole);
    }
    http::begin_events(stream, message.headers)?;
    http::write_event(stream, &json!({"type": "message_start", "message": head(at)}))?;
    for (index, block) in message.blocks.iter().enumerate() {
        let start = block.start(&tool_id(at, index));
        http::write_event(stream, &json!({"type": "content_block_start", "index": index, "content_block": start}))?;
        for delta in block.deltas() {
            std::thread::sleep(Duration::from_millis(message.pause_ms));
            http::write_event(stream, &json!({"type": "content_block_delta", "index": index, "delta": delta}))?;
        }
        http::write_event(stream, &json!({"type": "content_block_stop", "index": index}))?;
    }
    let end = json!({"stop_reason": message.stop_reason, "stop_sequence": null});
    http::write_event(stream, &json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 42}}))?;
    http::write_event(stream, &json!({"type": "message_stop"}))
}

/// Begins a streamed message and leaves it open.
pub(super) fn begin(stream: &mut TcpStream, at: &Conversation) -> io::Result<()> {
    http::begin_events(stream, &[])?;
    http::write_event(stream, &json!({"type": "message_start", "message": head(at)}))
}

fn head(at: &Conversation) -> Value {
    json!({
        "id": format!("msg_scripted_{}_{}", at.turn, at.salt), "type": "message", "role": "assistant", "model": at.model, "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 1200, "cache_creation_input_tokens": 300, "cache_read_input_tokens": 5000, "output_tokens": 1},
    })
}

fn tool_id(at: &Conversation, index: usize) -> String {
    format!("toolu_scripted_{}_{}_{index}", at.turn, at.salt)
}
