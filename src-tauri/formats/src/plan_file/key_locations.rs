//! Where the keys of a plan file stand, for faults that only somebody finds who knows more than the file.

use std::collections::HashMap;

use super::tree::{Entry, SourceLocation};
use baton_model::NodeId;

/// The places of the keys of a plan and of its nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeyLocations {
    plan: Vec<(String, SourceLocation)>,
    nodes: HashMap<NodeId, Vec<(String, SourceLocation)>>,
}

impl KeyLocations {
    pub(super) fn new(entries: &[Entry]) -> Self {
        Self {
            plan: key_locations(entries),
            nodes: HashMap::new(),
        }
    }

    pub(super) fn put_node(&mut self, node: NodeId, keys: Vec<(String, SourceLocation)>) {
        self.nodes.insert(node, keys);
    }

    /// Where the value of `key` stands, of the plan or of one of its nodes; `None` when the file does not say it.
    #[must_use]
    pub fn get(&self, node: Option<NodeId>, key: &str) -> Option<SourceLocation> {
        let keys = match node {
            Some(node) => self.nodes.get(&node)?,
            None => &self.plan,
        };
        keys.iter()
            .find(|(other, _)| other == key)
            .map(|&(_, at)| at)
    }
}

/// The keys of `entries`, each with the place of its value.
pub(super) fn key_locations(entries: &[Entry]) -> Vec<(String, SourceLocation)> {
    entries
        .iter()
        .map(|entry| (entry.key.clone(), entry.value.at))
        .collect()
}
