//! Detection of duplicate keys in a mapping.

use std::collections::HashMap;

use super::fault::{FaultKind, Faults};
use super::tree::{Entry, SourceLocation};

/// Keeps the first entry of each key, and reports the others.
pub(super) fn without_duplicates(mut entries: Vec<Entry>, faults: &mut Faults) -> Vec<Entry> {
    let mut seen: HashMap<String, SourceLocation> = HashMap::with_capacity(entries.len());
    entries.retain(|entry| match seen.get(&entry.key) {
        Some(&first) => {
            faults.add(
                entry.at,
                FaultKind::DuplicateKey {
                    key: entry.key.clone(),
                    first,
                },
            );
            false
        }
        None => {
            seen.insert(entry.key.clone(), entry.at);
            true
        }
    });
    entries
}
