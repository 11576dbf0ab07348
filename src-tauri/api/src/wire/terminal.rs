//! Terminals of a person.

use baton_model::{PlanId, TerminalId};
use uuid::Uuid;

pub use baton_planning::work_place::WorkPlace;

use super::wire;

/// Whether the caller may use terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TerminalAccess {
    /// All operations on terminals.
    Allowed,
    /// The caller is not the window, and no person has turned terminals over HTTP on.
    OffOverHttp,
}

/// How the shell of a terminal ended.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TerminalEnd {
    Exited { code: u32 },
    Killed { signal: String },
    Unknown,
}

/// What opens a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum DirectoryProgram {
    FileManager,
    Editor,
}

wire! {
    /// The terminals of this process.
    pub struct TerminalsView {
        /// Whether the caller may open them.
        pub access: TerminalAccess,
        /// In the order in which they were opened; empty without access.
        pub terminals: Vec<TerminalView>,
    }
    /// A terminal that was not closed.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TerminalView {
        pub id: TerminalId,
        pub place: WorkPlace,
        /// The plan that the place belongs to.
        pub plan: PlanId,
        /// Where its shell began.
        pub directory: String,
        /// The path of the shell.
        pub shell: String,
        /// The program that the shell runs; null if it waits for a command.
        pub program: Option<String>,
        /// How the shell ended; null while it runs.
        pub end: Option<TerminalEnd>,
    }
    /// Asks for the terminal of a place.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TerminalOpen {
        pub place: WorkPlace,
        pub columns: u16,
        pub rows: u16,
    }
    /// References a terminal.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TerminalRef {
        pub terminal: TerminalId,
    }
    /// Asks for output.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TerminalOutputAfter {
        pub terminal: TerminalId,
        /// The position after the output that the caller has.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub after: u64,
    }
    /// A part of a terminal's output.
    pub struct TerminalOutput {
        /// The position of its first byte. Greater than the one that was asked for if the output in
        /// between is not kept any more.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub from: u64,
        /// The bytes, in base64: they may end within a character.
        pub base64: String,
        /// The position after all output so far. There is more if the part ends before it.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub end: u64,
        /// How many of the bytes some page has read before. The queries in them were answered.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub already_read: usize,
    }
    /// What a person typed or pasted.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TerminalInput {
        pub terminal: TerminalId,
        /// A random id of the page.
        #[cfg_attr(feature = "bindings", ts(type = "string"))]
        pub writer: Uuid,
        /// Grows with each input of the page. One that arrives twice is written once.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub sequence: u64,
        /// At most 64 KiB, in base64.
        pub base64: String,
    }
    /// What became of an input.
    pub struct TerminalInputResult {
        /// False if it arrived before, or after a later one.
        pub written: bool,
    }
    /// A new size.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TerminalResize {
        pub terminal: TerminalId,
        pub columns: u16,
        pub rows: u16,
    }
    /// Asks to open the directory of a place on this machine.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct DirectoryOpen {
        pub place: WorkPlace,
        pub program: DirectoryProgram,
    }
    /// What opened the directory.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct DirectoryOpened {
        pub directory: String,
        pub program: String,
    }
}
