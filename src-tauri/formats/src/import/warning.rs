//! What a person should know about an imported plan.

use std::fmt;

use super::source_field::SourceField;
use super::status::UnknownStatus;

/// Something that was imported differently than it stands in the source, or needs a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportWarning {
    /// The file and the line, counted from 1; `None` if it concerns the plan as a whole.
    pub at: Option<(String, usize)>,
    /// The kind of warning, whose `Display` is a sentence for people.
    pub kind: ImportWarningKind,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ImportWarningKind {
    #[error("{task} depends on {on}, which is not in the source; the dependency is left out")]
    UnknownDependency { task: String, on: String },
    #[error("{task} depends on {on}, which is done; the dependency is left out")]
    FinishedDependency { task: String, on: String },
    #[error("{task} depends on itself or on its own group; the dependency is left out")]
    OwnDependency { task: String },
    /// Tasks that are not to be done, so their nodes are disabled.
    #[error("{} done or canceled in the source; their nodes are disabled and will be skipped", tasks(*.count, "is", "are"))]
    Finished { count: usize },
    #[error("{} in progress in the source; the run starts such work from the beginning", tasks(*.count, "is", "are"))]
    Started { count: usize },
    #[error("{task} has the unknown status \"{status}\"; it counts as open")]
    UnknownStatus { task: String, status: UnknownStatus },
    #[error("{} inferred from the order of tasks; confirm or remove them before approving the plan", edges(*.count))]
    Inferred { count: usize },
    #[error("{} left out, because together with the stated dependencies they would form a cycle", edges(*.count))]
    ContradictingOrder { count: usize },
    #[error(
        "group \"{title}\" is inside another one; groups can't be nested, so its tasks belong to the outer one"
    )]
    NestedGroup { title: String },
    #[error(
        "{task} contains braces that Baton would read as an expression; they are escaped, so they stay text"
    )]
    Expression { task: String },
    #[error("{task} has blocks of several kinds; \"{rule}\" applies to all of its parents")]
    MixedRules { task: String, rule: &'static str },
    #[error("{what}")]
    LeftOut { what: String },
    #[error("this change depends on the change \"{on}\"; run the plan of that one first")]
    OtherPlan { on: String },
    /// Only of a second import.
    #[error(
        "{} of '{title}' changed in Baton and in the source; yours stays, and the node's metadata has the other",
        join(.fields)
    )]
    ChangedTwice {
        title: String,
        fields: Vec<SourceField>,
    },
    /// Only of a second import.
    #[error("{} in the source, but you removed the nodes in Baton; they stay removed", tasks(*.count, "is", "are"))]
    StaysRemoved { count: usize },
    /// Only of a second import.
    #[error("'{title}' is no longer in the source, but you changed it in Baton; its node stays")]
    GoneButEdited { title: String },
    /// Only of a second import.
    #[error("{} no longer in the source; their nodes are removed", tasks(*.count, "is", "are"))]
    Gone { count: usize },
}

fn join(fields: &[SourceField]) -> String {
    let names: Vec<String> = fields.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn tasks(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 task {one}"),
        _ => format!("{count} tasks {many}"),
    }
}

fn edges(count: usize) -> String {
    match count {
        1 => "1 edge is".to_owned(),
        _ => format!("{count} edges are"),
    }
}

impl ImportWarning {
    /// A warning about the plan as a whole.
    pub(super) fn of_plan(kind: ImportWarningKind) -> Self {
        Self { at: None, kind }
    }

    pub(super) fn at(path: &str, line: usize, kind: ImportWarningKind) -> Self {
        Self {
            at: Some((path.to_owned(), line)),
            kind,
        }
    }
}

impl fmt::Display for ImportWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some((path, line)) => write!(f, "{path}:{line}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}
