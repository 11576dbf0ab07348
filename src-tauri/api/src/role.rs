//! Kinds of Baton processes.

/// The kind of this Baton process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The window. Resumes runs whose executor died.
    Window,
    /// The server behind a browser. Resumes runs whose executor died.
    Server,
    /// A shell command. Takes over a run only if asked to.
    Cli,
    /// A process that only executes runs. Resumes runs whose executor died.
    Worker,
}
