//! The dialect of `OpenAI`'s Chat Completions API, which `pi` and many others use.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::conversation::{Conversation, texts, working_directory};
use super::http;
use super::reply::{Block, Message, Refusal, Stop};

/// Parses a request.
pub(super) fn conversation(body: &Value) -> Conversation {
    let messages = body["messages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let (mut turn, mut step, mut prompt) = (0, 0, String::new());
    for message in messages {
        match (message["role"].as_str(), texts(&message["content"])) {
            (Some("assistant"), _) => step += 1,
            (Some("user"), Some(text)) => (turn, step, prompt) = (turn + 1, 0, text),
            _ => {}
        }
    }
    let tools = body["tools"].as_array().into_iter().flatten();
    Conversation {
        model: body["model"].as_str().unwrap_or("unknown").to_owned(),
        streamed: body["stream"].as_bool().unwrap_or(false),
        client: body["user"]
            .as_str()
            .map_or_else(|| prompt.clone(), str::to_owned),
        prompt,
        turn,
        step,
        cwd: working_directory(body),
        salt: messages.len(),
        tools: tools
            .filter_map(|tool| tool["function"]["name"].as_str())
            .map(str::to_owned)
            .collect(),
    }
}

/// Returns the tool call for a block, using the client's tool names.
fn call(block: &Block, at: &Conversation) -> Option<(String, Value)> {
    let (name, input) = match block {
        Block::Text(_) | Block::Thinking(_) | Block::Helper { .. } => return None,
        Block::Tool { name, arguments } => return Some((at.offered_name(name), arguments.clone())),
        Block::Write { path, content } if at.offers("write_file") => (
            "write_file",
            json!({"file_path": path, "path": path, "content": content}),
        ),
        // Two spellings of the same argument: the client uses the one that its tool declares.
        Block::Write { path, content } => (
            "write",
            json!({"path": path, "filePath": path, "content": content}),
        ),
        Block::Bash { command, .. } if at.offers("run_shell_command") => (
            "run_shell_command",
            json!({"command": command, "description": "Run a command"}),
        ),
        Block::Bash { command, .. } => (
            "bash",
            json!({"command": command, "description": "Run a command"}),
        ),
    };
    Some((name.to_owned(), input))
}

/// Sends an error in this API's format.
pub(super) fn refuse(stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
    let (status, kind, words) = refusal.to_http_error();
    http::write_json(
        stream,
        status,
        &[],
        &json!({"error": {"type": kind, "message": words, "code": kind}}),
    )
}

/// Sends `message`, streamed if the request asks for it.
pub(super) fn send(stream: &mut TcpStream, at: &Conversation, message: &Message) -> io::Result<()> {
    let finish = match message.stop {
        Stop::Done => "stop",
        Stop::Tools => "tool_calls",
        Stop::Refusal => "content_filter",
        Stop::OutOfTokens => "length",
    };
    let calls: Vec<Value> = message
        .blocks
        .iter()
        .filter_map(|block| call(block, at))
        .enumerate()
        .map(tool_call(at))
        .collect();
    if !at.streamed {
        let words: Vec<&str> = message.blocks.iter().filter_map(said).collect();
        let mut said = json!({"role": "assistant", "content": words.concat()});
        if !calls.is_empty() {
            said["tool_calls"] = json!(calls);
        }
        let mut whole = chunk(at, &json!({}), Some(finish));
        whole["object"] = json!("chat.completion");
        whole["choices"] = json!([{"index": 0, "message": said, "finish_reason": finish}]);
        whole["usage"] = usage();
        return http::write_json(stream, 200, &[], &whole);
    }
    begin(stream, at)?;
    for block in &message.blocks {
        let (name, text) = match block {
            Block::Text(text) => ("content", text),
            Block::Thinking(text) => ("reasoning_content", text),
            Block::Write { .. }
            | Block::Bash { .. }
            | Block::Tool { .. }
            | Block::Helper { .. } => {
                continue;
            }
        };
        for word in text.split_inclusive(' ') {
            std::thread::sleep(Duration::from_millis(message.pause_ms));
            http::write_data(stream, &chunk(at, &json!({name: word}), None))?;
        }
    }
    if !calls.is_empty() {
        http::write_data(stream, &chunk(at, &json!({"tool_calls": calls}), None))?;
    }
    http::write_data(stream, &chunk(at, &json!({}), Some(finish)))?;
    let mut bill = chunk(at, &json!({}), None);
    bill["choices"] = json!([]);
    bill["usage"] = usage();
    http::write_data(stream, &bill)?;
    http::write_end(stream)
}

/// Starts a streamed message and leaves it open.
pub(super) fn begin(stream: &mut TcpStream, at: &Conversation) -> io::Result<()> {
    http::begin_events(stream, &[])?;
    http::write_data(
        stream,
        &chunk(at, &json!({"role": "assistant", "content": ""}), None),
    )
}

fn said(block: &Block) -> Option<&str> {
    match block {
        Block::Text(text) => Some(text),
        _ => None,
    }
}

fn tool_call(at: &Conversation) -> impl Fn((usize, (String, Value))) -> Value {
    let id = format!("call_scripted_{}_{}", at.turn, at.salt);
    move |(index, (name, input))| {
        let function = json!({"name": name, "arguments": input.to_string()});
        json!({"index": index, "id": format!("{id}_{index}"), "type": "function", "function": function})
    }
}

fn chunk(at: &Conversation, delta: &Value, finish: Option<&str>) -> Value {
    json!({
        "id": format!("chatcmpl_scripted_{}_{}", at.turn, at.salt), "object": "chat.completion.chunk", "created": 1_700_000_000,
        "model": at.model, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    })
}

fn usage() -> Value {
    json!({"prompt_tokens": 6500, "completion_tokens": 42, "total_tokens": 6542, "prompt_tokens_details": {"cached_tokens": 5000}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_counts_from_the_last_user_message() {
        let body = json!({"messages": [
            {"role": "system", "content": "Current working directory: /home/a b\nmore"},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "x"},
            {"role": "user", "content": [{"type": "text", "text": "two"}]},
            {"role": "assistant", "content": null, "tool_calls": []},
            {"role": "tool", "tool_call_id": "c", "content": "r"},
        ]});
        let conversation = conversation(&body);
        assert_eq!(
            (
                conversation.turn,
                conversation.step,
                conversation.prompt.as_str()
            ),
            (2, 1, "two")
        );
        assert_eq!(conversation.cwd, "/home/a b");
    }
}
