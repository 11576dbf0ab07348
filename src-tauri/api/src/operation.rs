//! The description of an operation.

use baton_model::AccessLevel;

/// What an adapter needs to know about an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// The name that all adapters use.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The access level it needs.
    pub right: AccessLevel,
}

impl Operation {
    /// Whether the operation may change anything.
    #[must_use]
    pub fn kind(&self) -> OperationKind {
        if self.right == AccessLevel::Read {
            OperationKind::Query
        } else {
            OperationKind::Command
        }
    }
}

/// Whether an operation may change anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// Only reads, with writes to the store refused.
    Query,
    /// May change stored state.
    Command,
}
