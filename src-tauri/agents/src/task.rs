//! The task of an attempt for an agent, and how to start its session.

use uuid::Uuid;

use crate::scope::ToolScope;
use crate::tool_server::ToolServer;

/// The work of one attempt of an agent node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The session's id, chosen by Baton. Agents that accept an id use the same one.
    pub session: Uuid,
    /// The agent's working directory, as an absolute path.
    pub cwd: String,
    /// The prompt, with its templates filled in.
    pub prompt: String,
    /// The session to resume; `None` starts a new one. Only for agents that [support
    /// it](crate::Adapter::can_resume).
    pub resume: Option<PriorSession>,
    /// The model to use; `None` leaves the choice to the agent's own settings.
    pub model: Option<String>,
    /// Which tools the session may use, and who decides about the others.
    pub scope: ToolScope,
    /// Baton's own tools for the session. Only for agents that [accept
    /// them](crate::Adapter::tool_server_support).
    pub tool_server: Option<ToolServer>,
    /// The prompt that asks for the handoff when the work is done. Empty: no handoff is asked
    /// for.
    pub handoff_prompt: String,
}

/// An earlier session of the same agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriorSession {
    /// The agent's own id for it.
    pub native_id: String,
    /// The new session starts as a copy, and the earlier one stays unchanged. Only for agents
    /// that [support it](crate::Adapter::can_fork); otherwise the earlier session itself resumes.
    pub fork: bool,
}

impl PriorSession {
    /// Resumes the session itself.
    #[must_use]
    pub fn resume(native_id: impl Into<String>) -> Self {
        Self {
            native_id: native_id.into(),
            fork: false,
        }
    }

    /// Starts from a copy of the session.
    #[must_use]
    pub fn fork(native_id: impl Into<String>) -> Self {
        Self {
            native_id: native_id.into(),
            fork: true,
        }
    }
}

/// How to start a session. The engine adds its own `BATON_*` variables and the login shell's
/// `PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LaunchPlan {
    /// Program and arguments. The program is a path or a name in `PATH`.
    pub argv: Vec<String>,
    /// Environment variables to add.
    pub env: Vec<(String, String)>,
    /// Environment variables to remove: exact names, or prefixes that end in `*`.
    pub env_remove: Vec<String>,
    pub stdin: Stdin,
    /// What to write as soon as the process runs.
    pub first_inputs: Vec<Input>,
    /// The content of a file in the session's folder. Its path replaces [`PROMPT_FILE`] in
    /// `argv`.
    pub prompt_file: Option<String>,
}

/// Replaced by the path of the prompt file in [`LaunchPlan::argv`].
pub const PROMPT_FILE: &str = "{prompt_file}";

/// The source of a session's standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// A pipe from Baton, which closes it with [`InputMessage::Close`].
    Piped,
    /// `/dev/null`: the session gets no input.
    Null,
}

/// Something to write to a session.
///
/// Keys are stable. When the whole output is fed to a new driver after a crash, the same inputs
/// come out with the same keys, and inputs whose keys were written before are skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Input {
    /// Unique within the session.
    pub key: String,
    pub message: InputMessage,
}

/// The content of an [`Input`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputMessage {
    /// Text with its final newline.
    Text(String),
    /// Text that repeats part of the agent's own output. The driver has read that part with
    /// secrets masked.
    Quote(Quote),
    /// Closes the session's standard input.
    Close,
}

/// Text around a value from the agent's own output, which must be repeated exactly. The writer
/// has the output before secrets were masked; the driver does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The text before the value.
    pub before: String,
    /// The byte offset in standard output at which the line begins.
    pub line: u64,
    /// The place of the value in the line, as a JSON pointer.
    pub pointer: String,
    /// The text after the value, with the final newline.
    pub after: String,
    /// Written when the original value is no longer available: a refusal.
    pub otherwise: String,
}

impl Input {
    /// Text under a stable key.
    #[must_use]
    pub fn text(key: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            message: InputMessage::Text(text.into()),
        }
    }

    /// Closes standard input. A session has one such input.
    #[must_use]
    pub fn close() -> Self {
        Self {
            key: "close".to_owned(),
            message: InputMessage::Close,
        }
    }
}
