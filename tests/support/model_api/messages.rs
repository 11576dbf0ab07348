//! The dialect of Anthropic's Messages API, which `claude` uses.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::conversation::{Conversation, texts, working_directory};
use super::http;
use super::reply::{Block, LIMIT_ENDS, Message, Refusal, Stop};

const LIMIT_HEADERS: &[(&str, &str)] = &[
    ("anthropic-ratelimit-unified-status", "rejected"),
    ("anthropic-ratelimit-unified-reset", LIMIT_ENDS),
    (
        "anthropic-ratelimit-unified-representative-claim",
        "five_hour",
    ),
    ("retry-after", "1"),
];

const WARN_HEADERS: &[(&str, &str)] = &[
    ("anthropic-ratelimit-unified-status", "allowed_warning"),
    ("anthropic-ratelimit-unified-reset", LIMIT_ENDS),
    (
        "anthropic-ratelimit-unified-representative-claim",
        "five_hour",
    ),
    ("anthropic-ratelimit-unified-5h-utilization", "0.93"),
    ("anthropic-ratelimit-unified-5h-reset", LIMIT_ENDS),
    ("anthropic-ratelimit-unified-5h-surpassed-threshold", "0.9"),
];

/// Parses a request.
pub(super) fn conversation(body: &Value) -> Conversation {
    let messages = body["messages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let (mut turn, mut step, mut prompt) = (0, 0, String::new());
    for message in messages {
        match (message["role"].as_str(), spoken(&message["content"])) {
            (Some("assistant"), _) => step += 1,
            (Some("user"), Some(text)) => (turn, step, prompt) = (turn + 1, 0, text),
            _ => {}
        }
    }
    let tools = body["tools"].as_array().into_iter().flatten();
    Conversation {
        model: body["model"].as_str().unwrap_or("unknown").to_owned(),
        streamed: body["stream"].as_bool().unwrap_or(false),
        prompt,
        turn,
        step,
        cwd: working_directory(body),
        client: body["metadata"]["user_id"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        salt: messages.len(),
        tools: tools
            .filter_map(|tool| tool["name"].as_str())
            .map(str::to_owned)
            .collect(),
    }
}

/// Returns the user's text in this content, or `None` for tool results and for the client's
/// reminders.
fn spoken(content: &Value) -> Option<String> {
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    if blocks.iter().any(|block| block["type"] == "tool_result") {
        None
    } else {
        texts(content)
    }
}

impl Block {
    fn tool(&self, at: &Conversation) -> (String, Value) {
        let (name, input) = match self {
            Self::Write { path, content } => {
                ("Write", json!({"file_path": path, "content": content}))
            }
            Self::Bash {
                command,
                in_background: false,
            } => (
                "Bash",
                json!({"command": command, "description": "Run a command"}),
            ),
            Self::Bash {
                command,
                in_background: true,
            } => (
                "Bash",
                json!({"command": command, "description": "Run late", "run_in_background": true}),
            ),
            Self::Tool { name, arguments } if at.offers(name) => {
                return (name.clone(), arguments.clone());
            }
            // The client may defer the tools of MCP servers, so the request doesn't list them.
            Self::Tool { name, arguments } => {
                return (format!("mcp__baton__{name}"), arguments.clone());
            }
            Self::Helper { prompt } => (
                "Agent",
                json!({"description": "Help", "prompt": prompt, "subagent_type": "general-purpose"}),
            ),
            Self::Text(_) | Self::Thinking(_) => ("", Value::Null),
        };
        (name.to_owned(), input)
    }

    fn whole(&self, at: &Conversation, id: &str) -> Value {
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::Thinking(text) => {
                json!({"type": "thinking", "thinking": text, "signature": "c2lnbmVk"})
            }
            Self::Write { .. } | Self::Bash { .. } | Self::Tool { .. } | Self::Helper { .. } => {
                let (name, input) = self.tool(at);
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }
        }
    }

    fn start(&self, at: &Conversation, id: &str) -> Value {
        match self {
            Self::Text(_) => json!({"type": "text", "text": ""}),
            Self::Thinking(_) => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Self::Write { .. } | Self::Bash { .. } | Self::Tool { .. } | Self::Helper { .. } => {
                json!({"type": "tool_use", "id": id, "name": self.tool(at).0, "input": {}})
            }
        }
    }

    fn deltas(&self, at: &Conversation) -> Vec<Value> {
        match self {
            Self::Text(text) => text
                .split_inclusive(' ')
                .map(|word| json!({"type": "text_delta", "text": word}))
                .collect(),
            Self::Thinking(text) => vec![
                json!({"type": "thinking_delta", "thinking": text}),
                json!({"type": "signature_delta", "signature": "c2lnbmVk"}),
            ],
            Self::Write { .. } | Self::Bash { .. } | Self::Tool { .. } | Self::Helper { .. } => {
                vec![
                    json!({"type": "input_json_delta", "partial_json": self.tool(at).1.to_string()}),
                ]
            }
        }
    }
}

/// Sends an error in this API's format.
pub(super) fn refuse(stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
    let (status, kind, words) = refusal.to_http_error();
    let headers = if refusal == Refusal::UsageLimit {
        LIMIT_HEADERS
    } else {
        &[]
    };
    let body = json!({"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_scripted"});
    http::write_json(stream, status, headers, &body)
}

/// Sends `message`, streamed if the request asks for it.
pub(super) fn send(stream: &mut TcpStream, at: &Conversation, message: &Message) -> io::Result<()> {
    let headers = if message.near_limit {
        WARN_HEADERS
    } else {
        &[]
    };
    let stop_reason = match message.stop {
        Stop::Done => "end_turn",
        Stop::Tools => "tool_use",
        Stop::Refusal => "refusal",
        Stop::OutOfTokens => "max_tokens",
    };
    if !at.streamed {
        let mut whole = head(at);
        whole["content"] = message
            .blocks
            .iter()
            .enumerate()
            .map(|(n, block)| block.whole(at, &tool_id(at, n)))
            .collect();
        whole["stop_reason"] = stop_reason.into();
        whole["usage"]["output_tokens"] = 42.into();
        return http::write_json(stream, 200, headers, &whole);
    }
    http::begin_events(stream, headers)?;
    http::write_event(
        stream,
        &json!({"type": "message_start", "message": head(at)}),
    )?;
    for (index, block) in message.blocks.iter().enumerate() {
        let start = block.start(at, &tool_id(at, index));
        http::write_event(
            stream,
            &json!({"type": "content_block_start", "index": index, "content_block": start}),
        )?;
        for delta in block.deltas(at) {
            std::thread::sleep(Duration::from_millis(message.pause_ms));
            http::write_event(
                stream,
                &json!({"type": "content_block_delta", "index": index, "delta": delta}),
            )?;
        }
        http::write_event(
            stream,
            &json!({"type": "content_block_stop", "index": index}),
        )?;
    }
    let end = json!({"stop_reason": stop_reason, "stop_sequence": null});
    http::write_event(
        stream,
        &json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 42}}),
    )?;
    http::write_event(stream, &json!({"type": "message_stop"}))
}

/// Starts a streamed message and leaves it open.
pub(super) fn begin(stream: &mut TcpStream, at: &Conversation) -> io::Result<()> {
    http::begin_events(stream, &[])?;
    http::write_event(
        stream,
        &json!({"type": "message_start", "message": head(at)}),
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_counts_from_the_last_user_message() {
        let body = json!({"model": "m", "stream": true, "system": "Primary working directory: /home/a b\nmore", "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": []},
            {"role": "user", "content": [{"type": "text", "text": "<system-reminder>x"}, {"type": "text", "text": "two"}]},
            {"role": "assistant", "content": []},
            {"role": "user", "content": [{"type": "tool_result", "content": "r"}, {"type": "text", "text": "aside"}]},
        ]});
        let conversation = conversation(&body);
        assert_eq!((conversation.turn, conversation.step), (2, 1));
        assert_eq!(conversation.prompt, "two");
        assert_eq!(conversation.cwd, "/home/a b");
    }
}
