//! The dialect of Google's Gemini API, which Gemini CLI uses. The path determines whether the
//! answer is streamed.
//!
//! Before each prompt, the client asks a small model for the prompt's complexity, using a schema.
//! Every request with a schema gets the same answer, and isn't counted as a turn.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::conversation::Conversation;
use super::http;
use super::reply::{Block, Message, Refusal, Stop};

/// The text before the client's directory in its prompt.
const FOLDER: &str = "Workspace Directories:**\n  - ";

/// Parses a request.
pub(super) fn conversation(streamed: bool, body: &Value) -> Conversation {
    let contents = body["contents"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let (mut turn, mut step, mut prompt, mut cwd) = (0, 0, String::new(), None);
    for content in contents {
        let parts = content["parts"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let texts: Vec<&str> = parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect();
        let folder = texts
            .iter()
            .find_map(|text| text.split(FOLDER).nth(1)?.lines().next());
        cwd = cwd.or_else(|| folder.map(str::to_owned));
        let spoken: Vec<&str> = texts
            .into_iter()
            .filter(|text| !text.starts_with("<session_context>"))
            .collect();
        let is_result = parts
            .iter()
            .any(|part| part.get("functionResponse").is_some());
        match content["role"].as_str() {
            Some("model") => step += 1,
            Some("user") if !is_result && !spoken.is_empty() => {
                (turn, step, prompt) = (turn + 1, 0, spoken.join("\n"))
            }
            _ => {}
        }
    }
    let tools = body["tools"].as_array().into_iter().flatten();
    let declared = tools.flat_map(|tool| {
        tool["functionDeclarations"]
            .as_array()
            .into_iter()
            .flatten()
    });
    Conversation {
        model: "gemini".to_owned(),
        streamed,
        client: prompt.clone(),
        prompt,
        turn,
        step,
        cwd: cwd.unwrap_or_else(|| "/tmp".to_owned()),
        salt: contents.len(),
        tools: declared
            .filter_map(|tool| tool["name"].as_str())
            .map(str::to_owned)
            .collect(),
    }
}

/// Returns whether the request has a response schema: the client makes it for its own purposes.
pub(super) fn is_side_request(body: &Value) -> bool {
    body["generationConfig"].get("responseJsonSchema").is_some()
}

/// Answers a request with a response schema.
pub(super) fn answer_side_request(stream: &mut TcpStream) -> io::Result<()> {
    let judged = json!({"complexity_reasoning": "scripted", "complexity_score": 5, "reasoning": "scripted",
        "model_choice": "flash", "next_speaker": "user"});
    http::write_json(
        stream,
        200,
        &[],
        &chunk(&[json!({"text": judged.to_string()})], Some("STOP")),
    )
}

/// Sends an error in this API's format.
pub(super) fn refuse(stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
    let (status, kind, words) = refusal.to_http_error();
    // The API's status for unknown keys.
    let status = if status == 401 { 400 } else { status };
    let error = json!({"code": status, "message": words, "status": kind.to_uppercase()});
    http::write_json(stream, status, &[], &json!({"error": error}))
}

/// Sends `message`, streamed if the request asks for it.
pub(super) fn send(stream: &mut TcpStream, at: &Conversation, message: &Message) -> io::Result<()> {
    let finish = match message.stop {
        Stop::Done | Stop::Tools => "STOP",
        Stop::Refusal => "SAFETY",
        Stop::OutOfTokens => "MAX_TOKENS",
    };
    let calls: Vec<Value> = message
        .blocks
        .iter()
        .filter_map(|block| call(block, at))
        .collect();
    if !at.streamed {
        let texts = message.blocks.iter().flat_map(parts);
        return http::write_json(
            stream,
            200,
            &[],
            &chunk(&texts.chain(calls).collect::<Vec<_>>(), Some(finish)),
        );
    }
    http::begin_events(stream, &[])?;
    for part in message.blocks.iter().flat_map(parts) {
        std::thread::sleep(Duration::from_millis(message.pause_ms));
        http::write_data(stream, &chunk(&[part], None))?;
    }
    http::write_data(stream, &chunk(&calls, Some(finish)))
}

/// Starts a streamed message and leaves it open.
pub(super) fn begin(stream: &mut TcpStream) -> io::Result<()> {
    http::begin_events(stream, &[])?;
    http::write_data(stream, &chunk(&[json!({"text": "I begin"})], None))
}

fn parts(block: &Block) -> Vec<Value> {
    match block {
        Block::Text(text) => text
            .split_inclusive(' ')
            .map(|word| json!({"text": word}))
            .collect(),
        Block::Thinking(text) => vec![json!({"text": text, "thought": true})],
        Block::Write { .. } | Block::Bash { .. } | Block::Tool { .. } | Block::Helper { .. } => {
            Vec::new()
        }
    }
}

fn call(block: &Block, at: &Conversation) -> Option<Value> {
    let (name, input) = match block {
        Block::Write { path, content } => {
            ("write_file", json!({"file_path": path, "content": content}))
        }
        Block::Bash { command, .. } => (
            "run_shell_command",
            json!({"command": command, "description": "Run a command"}),
        ),
        Block::Tool { name, arguments } => {
            let call = json!({"name": at.offered_name(name), "args": arguments});
            return Some(json!({"functionCall": call}));
        }
        Block::Text(_) | Block::Thinking(_) | Block::Helper { .. } => return None,
    };
    Some(json!({"functionCall": {"name": name, "args": input}}))
}

fn chunk(parts: &[Value], finish: Option<&str>) -> Value {
    json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}],
        "usageMetadata": {"promptTokenCount": 6500, "candidatesTokenCount": 42, "totalTokenCount": 6542,
            "cachedContentTokenCount": 5000},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_counts_from_the_last_user_message() {
        let context = "<session_context>\n- **Workspace Directories:**\n  - /home/a b\n- more";
        let body = json!({"contents": [
            {"role": "user", "parts": [{"text": context}, {"text": "one"}]},
            {"role": "model", "parts": [{"text": "x"}]},
            {"role": "user", "parts": [{"text": "two"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "write_file"}}]},
            {"role": "user", "parts": [{"functionResponse": {}}, {"text": "aside"}]},
        ]});
        let conversation = conversation(true, &body);
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
