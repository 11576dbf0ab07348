//! The faults of a flowchart that Baton cannot read.

use std::fmt;

/// All faults of a text, ordered by line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub struct MermaidError {
    /// The file name as the caller gave it.
    pub file: String,
    pub faults: Vec<Fault>,
}

impl fmt::Display for MermaidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self
            .faults
            .iter()
            .map(|fault| format!("{}:{}:1: {}", self.file, fault.line, fault.kind));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

/// One fault and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line number, counted from 1.
    pub line: usize,
    /// The kind of fault, whose `Display` is a sentence for people.
    pub kind: FaultKind,
}

/// The kind of a fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FaultKind {
    #[error("a flowchart begins with \"flowchart LR\" or \"graph TD\"; this is {found}")]
    NoFlowchart { found: String },
    #[error("unexpected \"{rest}\"; write nodes as id[\"Title\"] and edges as a --> b")]
    NotUnderstood { rest: String },
    #[error("the {opened} that begins here is never closed")]
    NeverClosed { opened: String },
    #[error("this edge has no target; add a node after it")]
    NoEnd,
    #[error("\"end\" closes a subgraph, and none is open")]
    NothingToEnd,
    /// A subgraph without `end`.
    #[error("this subgraph has no \"end\"")]
    NeverEnds,
    /// An edge between a subgraph and its own member, or of an empty subgraph.
    #[error(
        "this edge does not connect the subgraph \"{group}\" with other nodes; connect nodes instead"
    )]
    EdgeOfGroup { group: String },
    #[error("this edge closes a cycle: {path}; use a loop node for repeated work")]
    Cycle {
        /// The titles in the cycle, joined by arrows.
        path: String,
    },
    #[error("too many nodes; a plan can have at most {limit}")]
    TooMany { limit: usize },
}

/// Something that was read but is not fully kept in the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The line number, counted from 1.
    pub line: usize,
    /// What was dropped, whose `Display` is a sentence for people.
    pub kind: NoticeKind,
}

/// The kind of a notice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeKind {
    #[error("the edge label \"{label}\" was dropped: edges have no labels")]
    Label { label: String },
    #[error("\"{title}\" became an agent node: a condition needs an expression")]
    NoCondition { title: String },
    #[error(
        "the subgraph \"{title}\" is inside another one; groups can't be nested, so its nodes belong to the outer one"
    )]
    GroupInGroup { title: String },
    /// An edge to or from a subgraph.
    #[error("edges of the subgraph \"{group}\" were connected to its first and last nodes")]
    EdgeOfGroup { group: String },
}
