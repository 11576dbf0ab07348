//! What a program may not reach, and whether that could be enforced.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What is kept from a program, in namespaces of its own.
///
/// The hidden folder is empty for the program but for what is named here; everything outside of it stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sandbox {
    /// The data directory.
    pub hidden: PathBuf,
    /// A file below `hidden` that the program writes. It is made when it is not there.
    #[serde(default)]
    pub output: Option<PathBuf>,
    /// Files and folders below `hidden` that the program may read and change. What is not there is left out.
    #[serde(default)]
    pub writable: Vec<PathBuf>,
    /// Files and folders below `hidden` that the program may read; sockets in such a folder can be connected to. What
    /// is not there is left out.
    #[serde(default)]
    pub readable: Vec<PathBuf>,
    /// Folders of which the program may change nothing, such as a repository's hooks; where the folder above is there,
    /// one that is missing is made. The folder above can neither be renamed nor removed.
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
    /// The launch asked for none, or the keeper is of a version that knows none.
    #[default]
    NotAsked,
    /// It did.
    Held {
        /// Whether the program could signal only its own descendants. Kernels before 6.12 cannot hold it so.
        holds_signals: bool,
    },
    /// The system forbids it, so the program ran without.
    Forbidden {
        /// What was refused.
        step: SandboxStep,
        /// The system's words for it.
        detail: String,
    },
}

impl Confinement {
    /// Whether the program was kept from the rest.
    #[must_use]
    pub fn is_held(&self) -> bool {
        matches!(self, Confinement::Held { .. })
    }
}

/// A step on the way into a [`Sandbox`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SandboxStep {
    /// A user and a mount namespace.
    Namespaces,
    /// The users of the namespace.
    Users,
    /// An empty folder over the data directory.
    Hide,
    /// A file or folder that the program keeps.
    Keep,
    /// A folder of which the program may change nothing.
    ReadOnly,
    /// Giving up capabilities.
    Capabilities,
    /// Limits on signals.
    Signals,
    /// The folder in which the program starts.
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
