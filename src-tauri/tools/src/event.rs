//! The events that `baton-tool` prints: one JSON object per line.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An event of a job. Unless the program is killed, the last one is [`Event::End`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Event {
    Call {
        /// Unique among the calls of this job.
        id: String,
        tool: String,
        args: Map<String, Value>,
        /// The iteration's number in a loop, starting at 1.
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
    /// A condition was evaluated.
    Condition {
        condition: String,
        holds: bool,
    },
    /// The job has ended.
    End {
        ok: bool,
        /// The result, which may be partial.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
        /// Why the job failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}
