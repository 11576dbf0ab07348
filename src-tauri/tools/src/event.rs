//! What `baton-tool` prints while it works: one JSON object a line.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Something that happened. The last line of a work that came to its end is [`Event::End`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Event {
    Call {
        /// Its name among the calls of this work.
        id: String,
        tool: String,
        args: Map<String, Value>,
        /// Its number in a loop, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        iteration: Option<u32>,
    },
    Result {
        id: String,
        value: Value,
    },
    Error {
        id: String,
        message: String,
    },
    /// A condition has its answer.
    Condition {
        condition: String,
        holds: bool,
    },
    /// The work is over.
    End {
        ok: bool,
        /// What it gave, also in part.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
        /// Why it was not done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}
