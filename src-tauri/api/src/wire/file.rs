//! Files that a session's output mentions, and the editor that opens them.

use baton_agents::Stream;
use baton_model::SessionId;

pub use baton_planning::editors::EditorList;
pub use baton_planning::files::SessionFile;

use super::wire;

/// What to open on this machine.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum SessionFileTarget {
    /// A file that the session's output mentions.
    File {
        /// Absolute, or relative to the session's directory.
        path: String,
        /// Counted from 1.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional))]
        line: Option<u32>,
        /// Counted from 1.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional))]
        column: Option<u32>,
    },
    /// The raw output of the session.
    Output {
        /// Which of the two.
        stream: Stream,
    },
    /// The session's directory, in the file manager.
    Folder,
}

wire! {
    /// References a line of a file.
    pub struct SessionFileRef {
        /// The session whose output mentions the file.
        pub session: SessionId,
        /// Absolute, or relative to the session's directory.
        pub path: String,
        /// Counted from 1; the first line if unset.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub line: Option<u32>,
    }
    /// Asks to open something on this machine.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct SessionFileOpen {
        pub session: SessionId,
        pub target: SessionFileTarget,
    }
    /// What was opened.
    pub struct SessionFileOpened {
        /// The program that opened it; null if the read-only view is to show it, because no editor
        /// is chosen or installed.
        pub program: Option<String>,
    }
}
