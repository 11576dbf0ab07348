//! What Baton wrote to an agent of this protocol. Agents do not repeat it, so a timeline needs it told.

use serde::Deserialize;
use serde_json::Value;

/// Something that Baton said and a person wants to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// A prompt. The agent heard it after it had answered the question before, of number `after`.
    Prompt { after: u64, text: String },
    /// Leave given or refused to the request of this name.
    Answer { request: String, allowed: bool },
}

#[derive(Deserialize)]
struct Line {
    id: Option<Value>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
}

/// What the lines that were written at once say, one after the other. The rest of the protocol is left out.
pub(crate) fn read(text: &str) -> Vec<Said> {
    text.lines()
        .filter_map(|line| said(serde_json::from_str(line).ok()?))
        .collect()
}

fn said(line: Line) -> Option<Said> {
    let id = line.id?;
    if line.method.as_deref() == Some("session/prompt") {
        let blocks = line.params["prompt"].as_array()?;
        let texts: Vec<&str> = blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect();
        return Some(Said::Prompt {
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
    // Options have names of the agent's own; Baton says beside them what they mean.
    let meant = line
        .result
        .pointer("/_meta/baton/allowed")
        .and_then(Value::as_bool);
    let allowed = meant.unwrap_or(
        outcome == "selected" && option.is_some_and(|option| !option.starts_with("reject")),
    );
    Some(Said::Answer {
        request: id.to_string(),
        allowed,
    })
}

/// The number of the question that this line of the agent answers, if it answers one.
pub(crate) fn answered(line: &[u8]) -> Option<u64> {
    match super::message::read(line)? {
        super::message::Message::Answer { id, .. } => Some(id),
        _ => None,
    }
}
