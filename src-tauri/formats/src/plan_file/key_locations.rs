//! Locations of keys in a plan file, for faults that are found later, outside of this module.

use std::collections::HashMap;

use super::tree::{Entry, SourceLocation};
use baton_model::NodeId;

/// The locations of the keys of a plan and of its nodes.
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

    /// The location of the value of `key`, in the plan or in one of its nodes; `None` if the file
    /// does not set it.
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

/// The keys of `entries` with the locations of their values.
pub(super) fn key_locations(entries: &[Entry]) -> Vec<(String, SourceLocation)> {
    entries
        .iter()
        .map(|entry| (entry.key.clone(), entry.value.at))
        .collect()
}
