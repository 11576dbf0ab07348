//! The model's replies, independent of an API.

use serde_json::Value;

/// A turn of the model.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) blocks: Vec<Block>,
    pub(super) stop: Stop,
    /// Also report that the account is close to its limit.
    pub(super) near_limit: bool,
    /// The pause before each piece of text, for scenarios about speed.
    pub(super) pause_ms: u64,
}

#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Thinking(String),
    /// Write a file, with the client's tool for that or a shell command.
    Write {
        path: String,
        content: String,
    },
    /// Run a shell command.
    Bash {
        command: String,
        in_background: bool,
    },
    /// Call a tool of an MCP server, by its name there.
    Tool {
        name: String,
        arguments: Value,
    },
    /// Start a subagent. Only supported by clients of the Messages API.
    Helper {
        prompt: String,
    },
}

/// The reason why a turn ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The answer is complete.
    Done,
    /// The client must run tools.
    Tools,
    /// The model refuses to answer.
    Refusal,
    /// The answer reached the token limit.
    OutOfTokens,
}

/// An error response of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    BadRequest,
    Login,
    TooMany,
    Broken,
    Overloaded,
    /// The account's usage limit, which resets on 2030-01-01.
    UsageLimit,
    /// The scenario doesn't exist.
    NoScenario,
}

/// When [`Refusal::UsageLimit`] resets, in seconds since 1970.
pub(super) const LIMIT_ENDS: &str = "1893456000";

impl Block {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn bash(command: &str) -> Self {
        Self::Bash {
            command: command.to_owned(),
            in_background: false,
        }
    }

    pub(super) fn is_tool(&self) -> bool {
        matches!(
            self,
            Self::Write { .. } | Self::Bash { .. } | Self::Tool { .. } | Self::Helper { .. }
        )
    }
}

impl Message {
    /// A turn that ends with a tool call if it contains one.
    pub(super) fn of(blocks: Vec<Block>) -> Self {
        let stop = if blocks.iter().any(Block::is_tool) {
            Stop::Tools
        } else {
            Stop::Done
        };
        Self {
            blocks,
            stop,
            near_limit: false,
            pause_ms: 0,
        }
    }
}

impl Refusal {
    /// Returns status, error type and message. The types of `OpenAI` and `Anthropic` are mostly the
    /// same.
    pub(super) fn to_http_error(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::BadRequest => (
                400,
                "invalid_request_error",
                "the request is wrong (scripted)",
            ),
            Self::Login => (401, "authentication_error", "invalid x-api-key (scripted)"),
            Self::TooMany => (429, "rate_limit_error", "rate limited (scripted)"),
            Self::Broken => (500, "api_error", "Internal server error (scripted)"),
            Self::Overloaded => (529, "overloaded_error", "Overloaded (scripted)"),
            Self::UsageLimit => (
                429,
                "rate_limit_error",
                "This request would exceed your account's rate limit.",
            ),
            Self::NoScenario => (404, "not_found_error", "no such scenario"),
        }
    }
}
