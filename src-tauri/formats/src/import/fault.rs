//! Why a source can't be imported, each fault with its place.

use std::fmt;

use super::{EDGE_LIMIT, FILE_SIZE_LIMIT, ImportFormat, TASK_LIMIT};
use crate::plan_file::{self, SourceLocation};

/// All faults of a source, in the order in which they were found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ImportError {
    pub faults: Vec<ImportFault>,
}

/// One fault and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFault {
    /// The file, as in [`SourceFile::path`](super::SourceFile::path).
    pub path: String,
    /// `None` if the fault concerns the file as a whole.
    pub at: Option<SourceLocation>,
    /// The kind of fault, whose `Display` is a sentence for people.
    pub kind: ImportFaultKind,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ImportFaultKind {
    #[error(
        "this is no plan file and no task list that Baton knows; expected {}",
        all_expected()
    )]
    Unknown,
    /// Several formats in one folder.
    #[error("this folder has task lists of {}; name the format, or import one of the folders in it", join(.formats))]
    Ambiguous { formats: Vec<ImportFormat> },
    #[error(transparent)]
    Syntax(#[from] plan_file::FaultKind),
    #[error("{what} must be {expected}, not {found}")]
    WrongType {
        /// The value in a sentence: `"title" of task 3`.
        what: String,
        expected: &'static str,
        found: String,
    },
    #[error("{owner} has no \"{key}\"")]
    MissingKey { owner: String, key: &'static str },
    #[error("there is no task here; expected {}", .format.expected())]
    NoTasks { format: ImportFormat },
    #[error("the id {id} is already used on line {first}; give one of the two another id")]
    DuplicateId { id: String, first: usize },
    #[error("these tasks depend on each other: {}; remove one of the dependencies", .titles.join(" → "))]
    Cycle {
        /// Titles in order of dependency; the first is repeated at the end.
        titles: Vec<String>,
    },
    #[error("the file is larger than {} MB; import a part of it", FILE_SIZE_LIMIT / 1024 / 1024)]
    TooLarge,
    #[error("there are more than {TASK_LIMIT} tasks; import a part of them")]
    TooManyTasks,
    #[error(
        "the dependencies become more than {EDGE_LIMIT} edges; let fewer groups depend on each other"
    )]
    TooManyEdges,
    #[error("there is no plan \"{name}\" in it; it has {}", .known.join(", "))]
    UnknownPlan { name: String, known: Vec<String> },
}

fn all_expected() -> String {
    let expected = ImportFormat::ALL.map(|format| format!("{format} ({})", format.expected()));
    expected.join("; ")
}

fn join(formats: &[ImportFormat]) -> String {
    let names: Vec<_> = formats.iter().map(ImportFormat::to_string).collect();
    names.join(" and ")
}

impl ImportFault {
    pub(super) fn new(
        path: impl Into<String>,
        at: Option<SourceLocation>,
        kind: ImportFaultKind,
    ) -> Self {
        Self {
            path: path.into(),
            at,
            kind,
        }
    }
}

impl fmt::Display for ImportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match self.at {
            Some(at) => write!(f, "{path}:{at}: {}", self.kind),
            None => write!(f, "{path}: {}", self.kind),
        }
    }
}

impl From<ImportFault> for ImportError {
    fn from(fault: ImportFault) -> Self {
        Self {
            faults: vec![fault],
        }
    }
}

/// The maximum number of faults that [`ImportError`] prints; the rest are only counted.
const PRINTED_LIMIT: usize = 50;

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printed = self.faults.iter().take(PRINTED_LIMIT);
        let lines: Vec<String> = printed.map(ImportFault::to_string).collect();
        f.write_str(&lines.join("\n"))?;
        match self.faults.len().saturating_sub(PRINTED_LIMIT) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for ImportError {}
