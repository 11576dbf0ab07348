//! What an attempt asks of an agent, and what has to be started and written for it.

use uuid::Uuid;

use crate::scope::ToolScope;

/// What an attempt of an agent node asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The session's identity, chosen by Baton; agents that allow it use the same.
    pub session: Uuid,
    /// Where the agent works: an absolute path.
    pub cwd: String,
    /// The whole rendered prompt.
    pub prompt: String,
    /// The session to go on with; `None` begins a new one. Only for agents that [can](crate::Adapter::can_resume).
    pub resume: Option<Earlier>,
    /// The model to use; `None` leaves it to the agent's own settings.
    pub model: Option<String>,
    /// Which tools it may use, and who decides about the others.
    pub scope: ToolScope,
    /// What the agent is asked when the work is done, so that it leaves a handoff; empty asks nothing.
    pub handoff_prompt: String,
}

/// A session that was there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// The agent's own name of it.
    pub native: String,
    /// The new session begins as a copy, and the earlier one stays as it is. Only for agents that
    /// [can](crate::Adapter::can_fork); otherwise the earlier session itself goes on.
    pub fork: bool,
}

impl Earlier {
    /// The session itself goes on.
    #[must_use]
    pub fn itself(native: impl Into<String>) -> Self {
        Self {
            native: native.into(),
            fork: false,
        }
    }

    /// A copy of it goes on.
    #[must_use]
    pub fn copy_of(native: impl Into<String>) -> Self {
        Self {
            native: native.into(),
            fork: true,
        }
    }
}

/// How to start a session. The engine adds its own `BATON_*` variables and the login shell's `PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchPlan {
    /// Program and arguments. The program is a name to be found in `PATH`, or a path.
    pub argv: Vec<String>,
    /// Variables to add.
    pub env: Vec<(String, String)>,
    /// Variables to take away: exact names, or a prefix that ends in `*`.
    pub env_remove: Vec<String>,
    /// Where the session's standard input comes from.
    pub stdin: Stdin,
    /// What to write as soon as the process runs.
    pub first_inputs: Vec<Input>,
    /// Content of a file to write into the session's folder; its path replaces [`PROMPT_FILE`] in `argv`.
    pub prompt_file: Option<String>,
}

/// The placeholder in [`LaunchPlan::argv`] that stands for the path of the prompt file.
pub const PROMPT_FILE: &str = "{prompt_file}";

/// Where a session's standard input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// From Baton, which closes it with [`InputMessage::Close`].
    Piped,
    /// Nothing: `/dev/null`.
    Null,
}

/// Something to write to a session.
///
/// Keys are stable: when the whole output is fed to a new driver after a crash, the same inputs come out
/// with the same keys, and whoever writes them passes over keys that were written before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The identity of this input within its session.
    pub key: String,
    /// What to write.
    pub message: InputMessage,
}

/// The content of an [`Input`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputMessage {
    /// Text, its final newline included.
    Text(String),
    /// Text that gives the agent back what it said itself, which the driver has read with masks in it.
    Quote(Quote),
    /// The end of the input.
    Close,
}

/// Text with a value of the agent's own output in its middle, to the letter. Whoever writes it holds the output as it was
/// before secrets were taken out of it; the driver does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// What stands before the value.
    pub before: String,
    /// Where in the standard output the line begins, in bytes.
    pub line: u64,
    /// Where in the line the value stands, as a JSON pointer.
    pub pointer: String,
    /// What stands behind the value, the final newline included.
    pub after: String,
    /// What is written when the value cannot be had any more: a refusal.
    pub otherwise: String,
}

impl Input {
    /// Text under a key.
    #[must_use]
    pub fn text(key: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            message: InputMessage::Text(text.into()),
        }
    }

    /// The end of the input. There is one a session.
    #[must_use]
    pub fn close() -> Self {
        Self {
            key: "close".to_owned(),
            message: InputMessage::Close,
        }
    }
}
