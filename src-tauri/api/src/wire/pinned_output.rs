//! Outputs of nodes that people pinned in a plan.

use std::collections::BTreeMap;

use baton_model::plan::OutputRead;
use baton_model::{NodeId, PlanId, RunId, Timestamp};

use super::wire;

wire! {
    /// Pins an output of a node: the handoff of a run, an edited one, or a typed text.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeOutputPin {
        pub plan: PlanId,
        pub node: NodeId,
        /// The run whose handoff is pinned; `None` for a typed text.
        pub run: Option<RunId>,
        /// The text in Markdown; `None` for the handoff as it is.
        pub text: Option<String>,
        /// The named outputs, instead of those of the run's handoff; `None` to keep these.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub outputs: Option<Vec<TypedOutput>>,
    }
    /// A named output as a person typed it.
    pub struct TypedOutput {
        /// As in `{{nodes.<slug>.outputs.<name>}}`.
        pub name: String,
        #[expect(missing_docs, reason = "the name says it")]
        pub value: String,
    }
    /// References a node of a plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanNodeRef {
        pub plan: PlanId,
        pub node: NodeId,
    }
    /// Starts a run in which nodes use their pinned outputs.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunStartPinned {
        pub plan: PlanId,
        /// Maximum number of parallel nodes; `None` for the plan's own limit.
        pub limit: Option<u32>,
    }
    /// The pinned outputs of a plan, and what a run with them would do.
    pub struct PinnedOutputsView {
        /// The pinned outputs of the plan's nodes, in plan order.
        pub outputs: Vec<PinnedOutputView>,
        /// The nodes that would run.
        pub runs: Vec<NodeId>,
        /// The nodes that would be left out, because only pinned nodes need them.
        pub left_out: Vec<NodeId>,
        /// The named outputs that nodes of the plan read, in plan order.
        pub reads: Vec<OutputRead>,
    }
    /// An output that a person pinned.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PinnedOutputView {
        pub node: NodeId,
        /// Markdown.
        pub text: String,
        /// The named outputs.
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, string>"))]
        pub outputs: BTreeMap<String, String>,
        /// Who pinned it.
        pub by: String,
        pub at: Timestamp,
        /// The number of the run that it comes from; `None` if it was typed.
        pub run: Option<u32>,
        /// Whether a run with pinned outputs would use it. It isn't used while the node is disabled.
        pub used: bool,
    }
}
