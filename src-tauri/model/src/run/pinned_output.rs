//! Runs in which some nodes use an output that a person pinned in the plan, instead of running.
//!
//! Such a run is started with copies of the pinned outputs, so a later change of a pin does not
//! affect it. A pinned node is done from the start and stays done: nothing in the run starts a
//! session for it. Nodes that only pinned nodes need are left out.

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::{Refusal, Run};
use crate::{ArtifactId, Graph, NodeId, NodeKind, Plan, Timestamp};

/// A node that uses its pinned output, as a run is started with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PinnedNode {
    #[expect(missing_docs, reason = "the name says it")]
    pub node: NodeId,
    /// The ID of the copy of the pinned output in this run.
    pub artifact: ArtifactId,
    /// Where the output came from.
    pub origin: PinOrigin,
}

/// Who pinned an output, when, and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PinOrigin {
    /// The person who pinned it.
    pub by: String,
    /// When it was pinned.
    pub at: Timestamp,
    /// The number of the run whose handoff it is; `None` if it was typed.
    pub run: Option<u32>,
}

/// Which nodes a run with pinned outputs skips, in plan order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PinnedSelection {
    /// The nodes that use their pinned output.
    pub pinned: Vec<NodeId>,
    /// The nodes that are left out because only pinned nodes need them.
    pub left_out: Vec<NodeId>,
}

/// Whether an output of this kind of node can be pinned. Conditions take a branch, which a text can't
/// tell.
#[must_use]
pub fn can_pin_output(kind: &NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Condition(_) | NodeKind::Note(_) | NodeKind::Planning(_)
    )
}

impl PinnedSelection {
    /// What a run of `plan` does with outputs pinned for `pinned`. Pins of nodes that are missing,
    /// disabled, or of another kind now are not used.
    #[must_use]
    pub fn of(plan: &Plan, graph: &Graph, pinned: &[NodeId]) -> Self {
        let mut uses = vec![false; graph.len()];
        for node in pinned.iter().filter_map(|&id| plan.node(id)) {
            let usable = can_pin_output(&node.kind) && !node.disabled;
            if let Some(number) = graph.number(node.id).filter(|_| usable) {
                uses[number] = true;
            }
        }
        let left_out = only_needed_by(graph, &uses);
        let ids = |chosen: &[bool]| {
            let numbers = (0..graph.len()).filter(|&number| chosen[number]);
            numbers.map(|number| graph.id(number)).collect()
        };
        Self {
            pinned: ids(&uses),
            left_out: ids(&left_out),
        }
    }
}

/// The nodes that have dependents, all of which are pinned or such nodes themselves. A child that
/// only receives the handoff over a soft edge needs the node too.
fn only_needed_by(graph: &Graph, pinned: &[bool]) -> Vec<bool> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); graph.len()];
    for child in 0..graph.len() {
        for parent in graph.context_parents(child).chain(graph.parents(child)) {
            children[parent].push(child);
        }
    }
    let mut left_out = vec![false; graph.len()];
    for number in graph.reading_order().into_iter().rev() {
        left_out[number] = !pinned[number]
            && !children[number].is_empty()
            && children[number]
                .iter()
                .all(|&child| pinned[child] || left_out[child]);
    }
    left_out
}

impl Run {
    /// Whether the run was started with pinned outputs.
    #[must_use]
    pub fn uses_pinned_outputs(&self) -> bool {
        self.nodes.iter().any(|node| node.pinned.is_some())
    }

    /// The first events of a run after its start: what is pinned, and what is left out.
    pub(super) fn pin_events(&self, pinned: &[PinnedNode]) -> Vec<Event> {
        let ids: Vec<NodeId> = pinned.iter().map(|pin| pin.node).collect();
        let selection = PinnedSelection::of(&self.plan, &self.graph, &ids);
        let used = pinned
            .iter()
            .filter(|pin| selection.pinned.contains(&pin.node));
        let used = used.map(|pin| Event::NodePinned {
            node: pin.node,
            artifact: pin.artifact,
            origin: pin.origin.clone(),
        });
        let left_out = selection.left_out.into_iter();
        used.chain(left_out.map(|node| Event::NodeLeftOut { node }))
            .collect()
    }

    /// Refuses if the node uses its pinned output, so that it doesn't run in this run.
    pub(super) fn require_unpinned(&self, number: usize) -> Result<(), Refusal> {
        if self.is_pinned(number) {
            return Err(Refusal::UsesPinnedOutput {
                title: self.title(number).to_owned(),
            });
        }
        Ok(())
    }

    pub(super) fn is_pinned(&self, number: usize) -> bool {
        self.nodes[number].pinned.is_some()
    }

    /// The nodes whose input changes when the output of `number` changes: its dependents, but none
    /// that only a pinned node connects to it.
    pub(super) fn affected_by(&self, number: usize) -> Vec<usize> {
        let mut seen = vec![false; self.graph.len()];
        let mut open = vec![number];
        let mut found = Vec::new();
        while let Some(next) = open.pop() {
            for child in self.graph.children(next) {
                if !self.is_pinned(child) && !std::mem::replace(&mut seen[child], true) {
                    found.push(child);
                    open.push(child);
                }
            }
        }
        found.sort_unstable();
        found
    }
}
