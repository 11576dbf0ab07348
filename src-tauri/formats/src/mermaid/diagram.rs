//! The content of a flowchart, before it becomes a plan.

use std::collections::HashMap;

use baton_model::Direction;

#[derive(Debug, Default)]
pub(super) struct Diagram {
    pub(super) title: Option<String>,
    pub(super) direction: Option<Direction>,
    pub(super) nodes: Vec<DiagramNode>,
    pub(super) number_of: HashMap<String, usize>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) groups: Vec<Subgraph>,
    /// The nodes in each subgraph by its id, including those in nested ones.
    pub(super) members: HashMap<String, Vec<usize>>,
}

#[derive(Debug)]
pub(super) struct DiagramNode {
    pub(super) id: String,
    pub(super) title: Option<String>,
    pub(super) is_decision: bool,
    pub(super) condition: Option<String>,
    pub(super) line: usize,
}

/// One edge, between nodes by index.
#[derive(Debug, Clone)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) soft: bool,
    pub(super) label: Option<String>,
    pub(super) line: usize,
}

#[derive(Debug)]
pub(super) struct Subgraph {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) nodes: Vec<usize>,
    pub(super) line: usize,
}
