//! The chosen editor.

use serde::{Deserialize, Serialize};

use super::known_editor::KnownEditor;

/// What opens a file that a session mentions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum EditorSetting {
    /// The first known editor that is installed, otherwise the read-only view.
    #[default]
    Automatic,
    /// The read-only view.
    View,
    /// A known editor.
    Known {
        /// The editor.
        editor: KnownEditor,
    },
    /// The program in `VISUAL` or `EDITOR`. It must have a window of its own.
    Environment,
    /// Any program.
    Custom {
        /// The program and its arguments, with the placeholders `{path}`, `{line}` and `{column}`.
        argv: Vec<String>,
    },
}
