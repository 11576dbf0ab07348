//! What can be wrong with the groups of a plan.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::Problem;
use crate::plan::TITLE_LENGTH_LIMIT;
use crate::{Group, NodeId, Plan};

/// Why a group cannot be one: a fragment that follows its title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "fault",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum GroupFault {
    /// Another group has the same id.
    #[error("has the id of another group; give it one of its own")]
    SameId,
    /// A title is blank or too long.
    #[error("needs a title of 1 to 500 characters, not {length}")]
    TitleLength {
        /// How many characters it has.
        length: usize,
    },
    /// A member that is no node of the plan.
    #[error("holds a node that is not in the plan; take it out")]
    UnknownNode {
        /// The member.
        node: NodeId,
    },
    /// A node is in it twice.
    #[error("holds '{title}' twice; keep it once")]
    Twice {
        /// The member.
        node: NodeId,
        /// Its title.
        title: String,
    },
    /// A node is in another group already.
    #[error("holds '{title}', which is in group '{other}' already; a node is in one group at most")]
    Shared {
        /// The member.
        node: NodeId,
        /// Its title.
        title: String,
        /// The title of the group before.
        other: String,
    },
}

/// Everything wrong with the groups of `plan`, in their order.
pub(super) fn find(plan: &Plan) -> Vec<Problem> {
    let (mut ids, mut taken) = (HashSet::new(), HashMap::new());
    let nodes = if plan.groups.is_empty() {
        HashMap::new()
    } else {
        plan.nodes_by_id()
    };
    let mut problems = Vec::new();
    for group in &plan.groups {
        let mut add = |fault| problems.push(of(group, fault));
        if !ids.insert(group.id) {
            add(GroupFault::SameId);
        }
        let length = group.title.chars().count();
        if group.title.trim().is_empty() || length > TITLE_LENGTH_LIMIT {
            add(GroupFault::TitleLength { length });
        }
        for &node in &group.nodes {
            let title = || {
                nodes
                    .get(&node)
                    .map(|node| node.title.clone())
                    .unwrap_or_default()
            };
            match taken.insert(node, group) {
                _ if !nodes.contains_key(&node) => add(GroupFault::UnknownNode { node }),
                None => {}
                Some(before) if before.id == group.id => add(GroupFault::Twice {
                    node,
                    title: title(),
                }),
                Some(before) => add(GroupFault::Shared {
                    node,
                    title: title(),
                    other: before.title.clone(),
                }),
            }
        }
    }
    problems
}

fn of(group: &Group, fault: GroupFault) -> Problem {
    Problem::Group {
        group: group.id,
        title: group.title.clone(),
        fault,
    }
}
