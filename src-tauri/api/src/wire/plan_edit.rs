//! Changes to parts of a plan, for programs that don't save it as a whole.

use baton_model::{Node, PlanId};
use serde_json::{Map, Value};

use super::{PlanSaved, wire};

wire! {
    /// Adds a node to a plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeAdd {
        pub plan: PlanId,
        /// The keys of a node in a plan file. Without `id`, it is derived from the title.
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        pub node: Map<String, Value>,
        /// Its position in the list, from 1; by default the last.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub position: Option<u32>,
        /// Its number as a step of a flat list. Without `dependsOn`, it waits for the steps with
        /// the next lower number, and steps with the same number run in parallel.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub order_num: Option<u64>,
        /// Refuse the change unless the plan has this revision. By default, it is made to the
        /// current one.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// Changes keys of a node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeSave {
        pub plan: PlanId,
        /// The node's ID in the plan file, or its identifier.
        pub node: String,
        /// The keys of a node in a plan file that change; `null` for the default.
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        pub changes: Map<String, Value>,
        /// See [`NodeAdd`].
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// Removes a node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeRemove {
        pub plan: PlanId,
        /// The node's ID in the plan file, or its identifier.
        pub node: String,
        /// Whether its children then depend on its parents.
        #[serde(default)]
        pub heal: bool,
        /// See [`NodeAdd`].
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// Changes the order of the list, which runs don't follow.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodesReorder {
        pub plan: PlanId,
        /// Each node once, in the new order. Notes may be left out; they keep their positions.
        pub nodes: Vec<String>,
        /// See [`NodeAdd`].
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// Confirms edges that an import inferred from the order of tasks.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct EdgesConfirm {
        pub plan: PlanId,
        /// `None` for all of them.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub edges: Option<Vec<EdgeEnds>>,
        /// See [`NodeAdd`].
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// An edge by its nodes: their IDs in the plan file, or their identifiers.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct EdgeEnds {
        pub parent: String,
        pub child: String,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct EdgesConfirmed {
        /// How many edges were inferred before.
        pub confirmed: u32,
        pub saved: PlanSaved,
    }
    /// Changes keys of the plan itself.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanPatch {
        pub plan: PlanId,
        /// The keys of a plan file that change, without nodes and groups; `null` for the default.
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        pub changes: Map<String, Value>,
        /// See [`NodeAdd`].
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// A node that was added or changed, and what became of its plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeSaved {
        pub node: Node,
        /// Its position in the list, from 1.
        pub position: u32,
        /// The IDs of the nodes that it depends on.
        pub depends_on: Vec<String>,
        pub saved: PlanSaved,
    }
}
