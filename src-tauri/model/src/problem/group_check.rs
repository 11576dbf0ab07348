//! Validates the groups of a plan.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::Problem;
use crate::plan::TITLE_LENGTH_LIMIT;
use crate::{Group, NodeId, Plan};

/// Why a group is invalid, as a fragment that follows its title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "fault",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum GroupFault {
    /// Another group has the same ID.
    #[error("has the same ID as another group; change one of them")]
    SameId,
    /// The title is blank or too long.
    #[error("needs a title of 1 to 500 characters, not {length}")]
    TitleLength {
        /// Its length in characters.
        length: usize,
    },
    /// A member is not a node of the plan.
    #[error("contains a node that is not in the plan; remove it")]
    UnknownNode { node: NodeId },
    /// A node is in the group twice.
    #[error("contains '{title}' twice; remove one")]
    Twice { node: NodeId, title: String },
    /// A node is already in another group.
    #[error(
        "contains '{title}', which is already in group '{other}'; a node can be in only one group"
    )]
    Shared {
        node: NodeId,
        title: String,
        /// The title of that group.
        other: String,
    },
}

/// All problems with the groups of `plan`, in their order.
pub(super) fn check_groups(plan: &Plan) -> Vec<Problem> {
    let (mut ids, mut taken) = (HashSet::new(), HashMap::new());
    let nodes = if plan.groups.is_empty() {
        HashMap::new()
    } else {
        plan.nodes_by_id()
    };
    let mut problems = Vec::new();
    for group in &plan.groups {
        let mut add = |fault| problems.push(group_problem(group, fault));
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

fn group_problem(group: &Group, fault: GroupFault) -> Problem {
    Problem::Group {
        group: group.id,
        title: group.title.clone(),
        fault,
    }
}
