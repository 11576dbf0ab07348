//! The dialect of `OpenAI`'s Responses API, which `codex` uses.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::conversation::{Conversation, texts, working_directory};
use super::http;
use super::reply::{Block, LIMIT_ENDS, Message, Refusal, Stop};

/// Parses a request.
///
/// The client inserts its own reminders as user messages before the first real one; they start with
/// a tag. An answer of the model consists of several items, so that consecutive items are one step.
/// A user message directly after a tool result belongs to the current turn.
pub(super) fn conversation(body: &Value) -> Conversation {
    let items = body["input"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let (mut turn, mut step, mut prompt) = (0, 0, String::new());
    let (mut speaks, mut after_result) = (false, false);
    for item in items {
        let kind = item["type"].as_str().unwrap_or("message");
        let is_models =
            item["role"] == "assistant" || kind == "reasoning" || kind.ends_with("_call");
        if is_models && !speaks {
            step += 1;
        }
        speaks = is_models;
        if let (Some("user"), Some(text)) = (item["role"].as_str(), texts(&item["content"]))
            && !text.trim_start().starts_with('<')
            && !text.starts_with("# AGENTS.md")
            && !after_result
        {
            (turn, step, prompt) = (turn + 1, 0, text);
        }
        after_result = kind.ends_with("_output");
    }
    let tools = body["tools"].as_array().into_iter().flatten();
    Conversation {
        model: body["model"].as_str().unwrap_or("unknown").to_owned(),
        streamed: body["stream"].as_bool().unwrap_or(false),
        prompt,
        turn,
        step,
        cwd: working_directory(body),
        client: body["prompt_cache_key"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        salt: items.len(),
        tools: tools
            .filter_map(|tool| tool["name"].as_str().or(tool["type"].as_str()))
            .map(str::to_owned)
            .collect(),
    }
}

/// Converts a block to an item of the answer.
fn item(block: &Block, at: &Conversation, id: &str) -> Value {
    let function = |name: &str, arguments: Value| json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments.to_string()});
    let shell = |command: &str| {
        if at.offers("exec_command") {
            function("exec_command", json!({"cmd": command}))
        } else if at.offers("shell_command") {
            function("shell_command", json!({"command": command}))
        } else {
            function("shell", json!({"command": ["bash", "-lc", command]}))
        }
    };
    match block {
        Block::Text(text) => json!({
            "type": "message", "id": format!("msg_{id}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        Block::Thinking(text) => json!({
            "type": "reasoning", "id": format!("rs_{id}"), "summary": [{"type": "summary_text", "text": text}],
            "encrypted_content": "c2NyaXB0ZWQ=",
        }),
        Block::Write { path, content } if at.offers("apply_patch") => {
            let lines: String = content.lines().map(|line| format!("+{line}\n")).collect();
            let patch = format!("*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n");
            json!({"type": "custom_tool_call", "id": format!("ctc_{id}"), "call_id": id, "name": "apply_patch", "input": patch})
        }
        Block::Write { path, content } => {
            shell(&format!("cat > '{path}' <<'SCRIPTED'\n{content}SCRIPTED"))
        }
        Block::Bash { command, .. } => shell(command),
        Block::Tool { name, arguments } if at.offers(name) => function(name, arguments.clone()),
        // The client defers the tools of MCP servers, so the request doesn't list them.
        Block::Tool { name, arguments } => {
            let mut call = function(name, arguments.clone());
            call["namespace"] = "mcp__baton".into();
            call
        }
        Block::Helper { .. } => Value::Null,
    }
}

/// Sends an error in this API's format.
pub(super) fn refuse(stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
    let (status, kind, words) = refusal.to_http_error();
    let body = match refusal {
        Refusal::UsageLimit => {
            let resets_at: u64 = LIMIT_ENDS.parse().unwrap_or_default();
            json!({"error": {"type": "usage_limit_reached", "message": words, "plan_type": "plus", "resets_at": resets_at}})
        }
        _ => json!({"error": {"type": kind, "message": words, "code": kind}}),
    };
    let headers: &[_] = if refusal == Refusal::UsageLimit {
        &[
            ("x-codex-primary-used-percent", "100"),
            ("x-codex-primary-window-minutes", "300"),
            ("x-codex-primary-reset-at", LIMIT_ENDS),
        ]
    } else {
        &[]
    };
    http::write_json(stream, status, headers, &body)
}

/// Sends `message`. Clients of this API always stream.
pub(super) fn send(stream: &mut TcpStream, at: &Conversation, message: &Message) -> io::Result<()> {
    begin(stream, at)?;
    let mut output = Vec::new();
    for (index, block) in message.blocks.iter().enumerate() {
        let id = format!("call_scripted_{}_{}_{index}", at.turn, at.salt);
        let item = item(block, at, &id);
        http::write_event(
            stream,
            &json!({"type": "response.output_item.added", "output_index": index, "item": begun(&item)}),
        )?;
        if let Block::Text(text) = block {
            for word in text.split_inclusive(' ') {
                std::thread::sleep(Duration::from_millis(message.pause_ms));
                let delta = json!({"type": "response.output_text.delta", "item_id": item["id"], "output_index": index, "content_index": 0, "delta": word});
                http::write_event(stream, &delta)?;
            }
        }
        http::write_event(
            stream,
            &json!({"type": "response.output_item.done", "output_index": index, "item": item}),
        )?;
        output.push(item);
    }
    let mut whole = response(at);
    whole["output"] = json!(output);
    whole["usage"] = json!({
        "input_tokens": 6500, "input_tokens_details": {"cached_tokens": 5000}, "output_tokens": 42,
        "output_tokens_details": {"reasoning_tokens": 7}, "total_tokens": 6542,
    });
    let (kind, status) = match message.stop {
        Stop::Done | Stop::Tools => ("response.completed", "completed"),
        Stop::Refusal | Stop::OutOfTokens => ("response.incomplete", "incomplete"),
    };
    whole["status"] = json!(status);
    if status == "incomplete" {
        let reason = if message.stop == Stop::Refusal {
            "content_filter"
        } else {
            "max_output_tokens"
        };
        whole["incomplete_details"] = json!({"reason": reason});
    }
    http::write_event(stream, &json!({"type": kind, "response": whole}))
}

/// Returns an item without its content.
fn begun(item: &Value) -> Value {
    let mut begun = item.clone();
    for (key, empty) in [
        ("content", json!([])),
        ("arguments", json!("")),
        ("input", json!("")),
        ("summary", json!([])),
    ] {
        if begun.get(key).is_some() {
            begun[key] = empty;
        }
    }
    begun
}

/// Starts a streamed message and leaves it open.
pub(super) fn begin(stream: &mut TcpStream, at: &Conversation) -> io::Result<()> {
    http::begin_events(stream, &[])?;
    http::write_event(
        stream,
        &json!({"type": "response.created", "response": response(at)}),
    )
}

fn response(at: &Conversation) -> Value {
    json!({
        "id": format!("resp_scripted_{}_{}", at.turn, at.salt), "object": "response", "created_at": 1_700_000_000,
        "status": "in_progress", "model": at.model, "output": [],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_counts_from_the_last_user_message() {
        let text = |role: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]});
        let body = json!({"input": [
            text("developer", "be good"),
            text("user", "<environment_context>\n  <cwd>/home/a b</cwd>\n"),
            text("user", "one"),
            text("assistant", "x"),
            text("user", "two"),
            {"type": "reasoning", "summary": []},
            text("assistant", "y"),
            {"type": "function_call", "name": "shell"},
            {"type": "function_call", "name": "shell"},
            {"type": "function_call_output", "output": "r"},
            text("user", "aside"),
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
