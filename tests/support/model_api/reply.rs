//! What the model says, in no API's words. The dialects put it on the wire.

/// One turn of the model.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) blocks: Vec<Block>,
    pub(super) stop: Stop,
    /// The answer also says that the account's limit is near.
    pub(super) near_limit: bool,
    /// The pause before each piece of text: the speed is what such a scenario is about.
    pub(super) pause_ms: u64,
}

/// A part of a message.
#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Thinking(String),
    /// Write a file with the tool for that, or else by a command.
    Write {
        path: String,
        content: String,
    },
    /// Run a command line.
    Bash {
        command: String,
        in_background: bool,
    },
    /// Hand work on to a helper. Only said to clients of the Messages API; no other has one.
    Helper {
        prompt: String,
    },
}

/// Why the model stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It is finished.
    Done,
    /// Tools have to run.
    Tools,
    /// It will not answer.
    Refusal,
    /// Its answer is as long as it may be.
    OutOfTokens,
}

/// Why the API does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    BadRequest,
    Login,
    TooMany,
    Broken,
    Overloaded,
    /// The account's limit, until 2030-01-01.
    UsageLimit,
    /// There is no such scenario.
    NoScenario,
}

/// When [`Refusal::UsageLimit`] ends, in seconds since 1970.
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
            Self::Write { .. } | Self::Bash { .. } | Self::Helper { .. }
        )
    }
}

impl Message {
    /// A turn that ends as its blocks suggest: with a tool to run, or finished.
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
    /// The status on the wire, the kind of the error, and its words. `OpenAI`'s and `Anthropic`'s kinds agree mostly.
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
