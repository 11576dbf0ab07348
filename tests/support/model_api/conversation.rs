//! What a request says about where its conversation stands.

use serde_json::Value;

/// A request's conversation, read for the script.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The model asked for.
    pub(super) model: String,
    /// Whether the client wants events or one JSON object.
    pub(super) streamed: bool,
    /// The last message of a person (or of the client on a person's behalf).
    pub(super) prompt: String,
    /// How many messages of a person there are, this one included.
    pub(super) turn: usize,
    /// The assistant's messages since then.
    pub(super) step: usize,
    /// Where the client works, as it tells the model.
    pub(super) cwd: String,
    /// Who asks: the client's own mark of its session.
    pub(super) client: String,
    /// A number that differs between requests, for ids that must not repeat within a session.
    pub(super) salt: usize,
}

impl Conversation {
    pub(super) fn of(body: &Value) -> Self {
        let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let (mut turn, mut step, mut prompt) = (0, 0, String::new());
        for message in messages {
            match (message["role"].as_str(), spoken(&message["content"])) {
                (Some("assistant"), _) => step += 1,
                (Some("user"), Some(text)) => (turn, step, prompt) = (turn + 1, 0, text),
                _ => {}
            }
        }
        Self {
            model: body["model"].as_str().unwrap_or("unknown").to_owned(),
            streamed: body["stream"].as_bool().unwrap_or(false),
            prompt,
            turn,
            step,
            cwd: working_directory(body),
            client: body["metadata"]["user_id"].as_str().unwrap_or_default().to_owned(),
            salt: messages.len(),
        }
    }
}

/// What a person said in this content; `None` for tool results and for reminders of the client alone.
fn spoken(content: &Value) -> Option<String> {
    let blocks = match content {
        Value::String(text) => return Some(text.clone()),
        Value::Array(blocks) => blocks,
        _ => return None,
    };
    if blocks.iter().any(|block| block["type"] == "tool_result") {
        return None;
    }
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str())
        .filter(|text| !text.trim_start().starts_with("<system-reminder>"))
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The client tells the model its directory in a line of prose; where exactly changes between versions.
fn working_directory(body: &Value) -> String {
    let text = body.to_string();
    let found = text.split("orking directory: ").nth(1).and_then(|rest| rest.split(['\\', '"']).next());
    found.unwrap_or("/tmp").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_step_counts_from_the_last_message_of_a_person() {
        let body = json!({"model": "m", "stream": true, "system": "Primary working directory: /home/a b\nmore", "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": []},
            {"role": "user", "content": [{"type": "text", "text": "<system-reminder>x"}, {"type": "text", "text": "two"}]},
            {"role": "assistant", "content": []},
            {"role": "user", "content": [{"type": "tool_result", "content": "r"}, {"type": "text", "text": "aside"}]},
        ]});
        let conversation = Conversation::of(&body);
        assert_eq!((conversation.turn, conversation.step), (2, 1));
        assert_eq!(conversation.prompt, "two");
        assert_eq!(conversation.cwd, "/home/a b");
    }
}
