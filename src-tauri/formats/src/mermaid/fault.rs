//! Why a text is no flowchart that Baton can take in.

use std::fmt;

/// A text that cannot be taken in: every fault that was found, in the order of the lines.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Mistakes {
    /// The file's name as it was given.
    pub file: String,
    /// At least one.
    pub faults: Vec<Fault>,
}

impl fmt::Display for Mistakes {
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
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// No diagram, or none of this kind.
    #[error("a flowchart begins with \"flowchart LR\" or \"graph TD\"; this is {found}")]
    NoFlowchart {
        /// The beginning of what stands there.
        found: String,
    },
    /// Something else than a node or an edge.
    #[error("\"{rest}\" is not understood here; write nodes as id[\"Title\"] and edges as a --> b")]
    NotUnderstood {
        /// From where on.
        rest: String,
    },
    /// A bracket or quotation mark without its end.
    #[error("the {opened} that begins here is never closed")]
    NeverClosed {
        /// What was opened.
        opened: String,
    },
    /// An edge that leads nowhere.
    #[error("an edge leads nowhere here; name a node behind it")]
    NoEnd,
    /// `end` without `subgraph`.
    #[error("\"end\" closes a subgraph, and none is open")]
    NothingToEnd,
    /// A subgraph without `end`.
    #[error("this subgraph has no \"end\"")]
    NeverEnds,
    /// An edge of a subgraph that has no meaning: to what stands in it, or of an empty one.
    #[error(
        "\"{group}\" is a subgraph, and this edge leads nowhere outside of it; draw it from node to node"
    )]
    EdgeOfGroup {
        /// The subgraph.
        group: String,
    },
    /// Edges in a ring.
    #[error("this edge closes a cycle: {path}; what is done again and again is a loop node")]
    Cycle {
        /// The nodes of the ring.
        path: String,
    },
    /// Too much of it.
    #[error("a plan may have {limit} nodes, and this is one more")]
    TooMany {
        /// How many there may be.
        limit: usize,
    },
}

/// Something that was understood, and not kept whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Counted from 1.
    pub line: usize,
    /// What it is, for people.
    pub kind: NoticeKind,
}

/// What was not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeKind {
    /// A label on an edge that means nothing in a plan.
    #[error("the label \"{label}\" of an edge is left out: edges have none")]
    Label {
        /// The label.
        label: String,
    },
    /// A decision without an expression.
    #[error("\"{title}\" became an agent node: a condition needs an expression")]
    NoCondition {
        /// The node.
        title: String,
    },
    /// A subgraph in a subgraph.
    #[error(
        "the subgraph \"{title}\" stands in another one; groups do not, so its nodes belong to the outer one"
    )]
    GroupInGroup {
        /// The inner one.
        title: String,
    },
    /// An edge of a subgraph.
    #[error("the edges of the subgraph \"{group}\" lead to its first nodes and from its last ones")]
    EdgeOfGroup {
        /// The subgraph.
        group: String,
    },
}
