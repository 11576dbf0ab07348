//! Merges two changed copies of a plan over the version that both began with.
//!
//! What only one side changed is taken; what both changed alike is taken once. Where they differ,
//! the merged plan has the change of *ours* (the stored plan), and a [`MergeClash`] holds the one
//! of *theirs* (a file), so that nothing of either is lost. No node disappears that the other side
//! changed or uses.
//!
//! A node is one unit, except for its place on the canvas. Identifiers must agree;
//! [`adopt_identifiers`] makes those of a file do so.

mod edges;
mod frame;
mod identifiers;
mod nodes;
mod order;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::{Edge, Group, Node, Plan};
pub use identifiers::adopt_identifiers;

/// The result of a merge.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PlanMerge {
    pub plan: Plan,
    /// What both sides changed differently. Empty after a clean merge.
    pub clashes: Vec<MergeClash>,
}

/// Something that both sides changed differently. The merged plan has it as in ours.
#[derive(Debug, Clone, PartialEq)]
pub enum MergeClash {
    /// A node that both changed, or both added.
    Node {
        /// As in the merged plan.
        ours: Box<Node>,
        /// As in the file.
        theirs: Box<Node>,
    },
    /// A node that they added under a slug that we gave to another node. The merged plan has both,
    /// theirs under another slug.
    Slug {
        /// As in the file.
        theirs: Box<Node>,
    },
    /// A node that we removed, and that they changed or use. It stays.
    RemovedByUs {
        /// As in the merged plan.
        theirs: Box<Node>,
    },
    /// A node that they removed, and that we changed or use. It stays.
    RemovedByThem {
        /// As in the merged plan.
        ours: Box<Node>,
    },
    /// An edge; `None` is none.
    Edge {
        /// As in the merged plan.
        ours: Option<Edge>,
        /// As in the file.
        theirs: Option<Edge>,
    },
    /// A field of the plan, such as `["settings", "priority"]`; `None` is the default.
    Field {
        /// The keys that lead to it.
        path: Vec<String>,
        /// As in the merged plan.
        ours: Option<Value>,
        /// As in the file.
        theirs: Option<Value>,
    },
    /// The groups on the canvas.
    Groups {
        /// As in the file.
        theirs: Vec<Group>,
    },
    /// The order of the nodes in lists.
    Order,
}

/// Merges `ours` and `theirs`, which both began with `base`.
#[must_use]
pub fn merge_plans(base: &Plan, ours: &Plan, theirs: &Plan) -> PlanMerge {
    let unchanged = |plan: &Plan| PlanMerge {
        plan: plan.clone(),
        clashes: Vec::new(),
    };
    if theirs == base || theirs == ours {
        return unchanged(ours);
    }
    if ours == base {
        return unchanged(theirs);
    }
    let sides = Sides { base, ours, theirs };
    let mut clashes = Vec::new();
    let frame = frame::merge(&sides, &mut clashes);
    let nodes = nodes::merge(&sides, &mut clashes);
    let nodes = order::merge(&sides, nodes, &mut clashes);
    let groups = merge_groups(&sides, &mut clashes);
    let mut plan = Plan {
        nodes,
        groups,
        edges: Vec::new(),
        ..frame
    };
    edges::merge(&sides, &mut plan, &mut clashes);
    plan.prune_groups();
    PlanMerge { plan, clashes }
}

/// The three plans of a merge.
struct Sides<'p> {
    base: &'p Plan,
    ours: &'p Plan,
    theirs: &'p Plan,
}

/// What became of one value.
enum Merged<T> {
    Value(T),
    /// Both changed it differently.
    Clash,
}

/// The value that one side changed, or both alike.
fn merge_values<T: PartialEq>(base: &T, ours: T, theirs: T) -> Merged<T> {
    if ours == theirs || theirs == *base {
        Merged::Value(ours)
    } else if ours == *base {
        Merged::Value(theirs)
    } else {
        Merged::Clash
    }
}

fn merge_groups(sides: &Sides<'_>, clashes: &mut Vec<MergeClash>) -> Vec<Group> {
    let (ours, theirs) = (&sides.ours.groups, &sides.theirs.groups);
    match merge_values(&&sides.base.groups, ours, theirs) {
        Merged::Value(groups) => groups.clone(),
        Merged::Clash => {
            clashes.push(MergeClash::Groups {
                theirs: theirs.clone(),
            });
            ours.clone()
        }
    }
}
