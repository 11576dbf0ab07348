//! Parsing of what Baton wrote to an agent. Agents do not repeat it, so a timeline needs both
//! sides.

use serde::Deserialize;
use serde_json::Value;

use crate::log_format::OutgoingMessage;

#[derive(Deserialize)]
struct Line {
    id: Option<Value>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
}

/// The prompts and permission answers in text that was written at once, in order. Other messages
/// are skipped.
pub(crate) fn parse_lines(text: &str) -> Vec<OutgoingMessage> {
    text.lines()
        .filter_map(|line| parse_line(serde_json::from_str(line).ok()?))
        .collect()
}

fn parse_line(line: Line) -> Option<OutgoingMessage> {
    let id = line.id?;
    if line.method.as_deref() == Some("session/prompt") {
        let blocks = line.params["prompt"].as_array()?;
        let texts: Vec<&str> = blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect();
        return Some(OutgoingMessage::Prompt {
            after: id.as_u64()?.checked_sub(1)?,
            text: texts.join("\n"),
        });
    }
    let option = line
        .result
        .pointer("/outcome/optionId")
        .and_then(Value::as_str);
    let outcome = line
        .result
        .pointer("/outcome/outcome")
        .and_then(Value::as_str)?;
    // Option ids are the agent's own, so Baton records their meaning next to them.
    let meant = line
        .result
        .pointer("/_meta/baton/allowed")
        .and_then(Value::as_bool);
    let allowed = meant.unwrap_or(
        outcome == "selected" && option.is_some_and(|option| !option.starts_with("reject")),
    );
    Some(OutgoingMessage::Answer {
        request: id.to_string(),
        allowed,
    })
}

/// The number of the request that a line from the agent answers.
pub(crate) fn answered_request(line: &[u8]) -> Option<u64> {
    match super::message::read(line)? {
        super::message::Message::Answer { id, .. } => Some(id),
        _ => None,
    }
}
