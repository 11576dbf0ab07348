//! What a program must not access, and whether that could be enforced.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Restrictions for a program, enforced with namespaces.
///
/// The hidden folder looks empty to the program except for what is listed here; everything outside
/// of it is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sandbox {
    /// The folder to hide: Baton's data directory.
    pub hidden: PathBuf,
    /// A file below `hidden` that the program writes. It is created if missing.
    #[serde(default)]
    pub output: Option<PathBuf>,
    /// Files and folders below `hidden` that the program may read and change. Missing ones are
    /// skipped.
    #[serde(default)]
    pub writable: Vec<PathBuf>,
    /// Files and folders below `hidden` that the program may read; it may connect to sockets in
    /// such a folder. Missing ones are skipped.
    #[serde(default)]
    pub readable: Vec<PathBuf>,
    /// Folders that the program must not change, such as a repository's hooks; a missing one is
    /// created if its parent exists. The parent can neither be renamed nor removed.
    #[serde(default)]
    pub read_only: Vec<PathBuf>,
}

/// Whether a program ran in its [`Sandbox`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Confinement {
    /// The launch has no sandbox, or the keeper is of a version without sandboxes.
    #[default]
    NotAsked,
    /// The sandbox was in effect.
    Held {
        /// Whether the program could signal only its own descendants. Kernels before 6.12 do not
        /// support that.
        holds_signals: bool,
    },
    /// The system does not allow it, so the program ran without a sandbox.
    Forbidden {
        /// The step that was refused.
        step: SandboxStep,
        /// The system's error message.
        detail: String,
    },
}

impl Confinement {
    /// Whether the sandbox was in effect.
    #[must_use]
    pub fn is_held(&self) -> bool {
        matches!(self, Confinement::Held { .. })
    }
}

/// A step of setting up a [`Sandbox`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SandboxStep {
    /// Creating the user and mount namespaces.
    Namespaces,
    /// Mapping the users of the namespace.
    Users,
    /// Mounting an empty folder over the data directory.
    Hide,
    /// Preserving a file or folder for the program.
    Keep,
    /// Making a folder read-only.
    ReadOnly,
    /// Dropping the program's capabilities.
    Capabilities,
    /// Restricting which processes the program can signal.
    Signals,
    /// Changing to the program's working directory.
    Enter,
}

impl std::fmt::Display for SandboxStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SandboxStep::Namespaces => "create a user and mount namespace",
            SandboxStep::Users => "map the user into the namespace",
            SandboxStep::Hide => "hide the data directory",
            SandboxStep::Keep => "keep the session's own files",
            SandboxStep::ReadOnly => "make the git hooks read-only",
            SandboxStep::Capabilities => "drop capabilities",
            SandboxStep::Signals => "limit signals",
            SandboxStep::Enter => "enter the working directory",
        })
    }
}
