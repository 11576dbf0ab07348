//! A session's log as a person reads it.
//!
//! [`TimelineIndex`] is fed the bytes of a session's output as they come and keeps a small record for each
//! entry: where it stands in the log, never its text. [`TimelineIndex::page`] reads the few lines that a page
//! needs again, through [`ReadAt`]. So a log of 100 MB costs some megabytes of memory, and opening it does
//! not read it twice.
//!
//! Nothing here opens a file, and nothing asks a clock: entries carry the position where they stand in the
//! log, and the agent's own time where it tells one.

mod entry;
mod index;
mod page;

use crate::record::Record;
use crate::transcript;

pub use entry::{PermissionState, Position, TimelineEntry, TimelineKind};
pub use index::{Gap, TimelineIndex};
pub use page::{FULL_LIMIT, PAGE_LIMIT, ReadAt};

/// What a session's standard output is. Standard error is plain text for every agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for a terminal.
    Plain,
    /// Claude's stream-json: one message a line.
    ClaudeStream,
    /// The agent client protocol: one message a line, of which Baton's own are told with [`TimelineIndex::hear`].
    Acp,
    /// Gemini's own stream-json: one event a line.
    GeminiStream,
    /// opencode's own events, one a line.
    OpencodeStream,
    /// The calls of `baton-tool`: one event a line.
    ToolEvents,
    /// The answers and notifications of `codex app-server`: one JSON-RPC message a line.
    CodexAppServer,
    /// The events of `codex exec --json`: one a line.
    CodexExec,
    /// The events of `pi --mode rpc` and `pi --mode json`: one a line.
    PiEvents,
    /// Claude Code's own history.
    ClaudeTranscript,
    /// Codex's own history.
    CodexTranscript,
    /// Gemini's own history, laid out a message a line.
    GeminiTranscript,
    /// opencode's own history, laid out a part a line.
    OpencodeTranscript,
    /// pi's own history.
    PiTranscript,
}

impl LogFormat {
    /// Whether standard output is one message a line.
    fn has_messages(self) -> bool {
        self != Self::Plain
    }

    /// What one line of standard output tells.
    fn read(self, line: &[u8]) -> Record<'_> {
        match self {
            Self::GeminiStream => crate::gemini::stream::read(line),
            Self::OpencodeStream => crate::opencode::stream::read(line),
            Self::Acp => crate::acp::record::read(line),
            Self::ToolEvents => crate::tool::record::read(line),
            Self::CodexAppServer => crate::codex::message::record(line),
            Self::CodexExec => crate::codex::exec::record(line),
            Self::PiEvents => crate::pi::message::record(line),
            Self::ClaudeTranscript => crate::claude::transcript::read(line),
            Self::CodexTranscript => transcript::read(line, transcript::codex::tell),
            Self::GeminiTranscript => transcript::read(line, transcript::gemini::tell),
            Self::OpencodeTranscript => transcript::read(line, transcript::opencode::tell),
            Self::PiTranscript => transcript::read(line, transcript::pi::tell),
            Self::Plain | Self::ClaudeStream => crate::claude::line::read(line),
        }
    }
}
