//! A message for the program's stdin, in the format of `stdin.jsonl`, `launch.json` and requests.

use serde::{Deserialize, Serialize};

/// A keyed message for the program's stdin.
///
/// The key makes sending idempotent: a key that was accepted before is accepted again without
/// effect, so an app that does not know whether its last message arrived can repeat it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
pub enum Input {
    /// Writes `text` as it is; no newline is added.
    Text {
        /// Unique within the session.
        key: String,
        /// The text for the program's stdin.
        text: String,
    },
    /// Closes stdin once everything before has been written.
    Close {
        /// Unique within the session.
        key: String,
    },
}

impl Input {
    /// The key of the message, unique within the session.
    pub fn key(&self) -> &str {
        match self {
            Input::Text { key, .. } | Input::Close { key } => key,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Wire {
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    close: bool,
}

impl From<Input> for Wire {
    fn from(input: Input) -> Self {
        match input {
            Input::Text { key, text } => Wire {
                key,
                text: Some(text),
                close: false,
            },
            Input::Close { key } => Wire {
                key,
                text: None,
                close: true,
            },
        }
    }
}

impl TryFrom<Wire> for Input {
    type Error = NeitherTextNorClose;

    fn try_from(wire: Wire) -> Result<Self, Self::Error> {
        match wire {
            Wire {
                key,
                text: Some(text),
                close: false,
            } => Ok(Input::Text { key, text }),
            Wire {
                key,
                text: None,
                close: true,
            } => Ok(Input::Close { key }),
            _ => Err(NeitherTextNorClose),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a message must have either text or close")]
struct NeitherTextNorClose;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_has_either_text_or_close() {
        let text = Input::Text {
            key: "a".into(),
            text: "hi\n".into(),
        };
        let close = Input::Close { key: "b".into() };
        assert_eq!(
            serde_json::to_string(&text).unwrap(),
            r#"{"key":"a","text":"hi\n"}"#
        );
        assert_eq!(
            serde_json::to_string(&close).unwrap(),
            r#"{"key":"b","close":true}"#
        );
        assert_eq!(
            serde_json::from_str::<Input>(r#"{"key":"b","close":true}"#).unwrap(),
            close
        );
        assert!(serde_json::from_str::<Input>(r#"{"key":"b"}"#).is_err());
        assert!(serde_json::from_str::<Input>(r#"{"key":"b","text":"x","close":true}"#).is_err());
    }
}
