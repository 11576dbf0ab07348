//! What a rerun would run, before a person confirms it.

use baton_model::{NodeId, RunId};

pub use baton_model::run::RerunScope;

use super::wire;

wire! {
    /// Asks what a rerun would run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RerunPreview {
        pub run: RunId,
        /// Where the rerun starts. Ignored for scopes that cover the whole run.
        pub nodes: Vec<NodeId>,
        pub scope: RerunScope,
    }
    /// What a rerun would run, with the time and cost of the last attempts.
    pub struct RerunPreviewView {
        /// In plan order.
        pub nodes: Vec<RerunNodeView>,
        /// Sum of the known times in milliseconds. Nodes that run in parallel are added up too.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub total_ms: u64,
        /// Sum of the known costs in US dollars.
        pub total_cost_usd: f64,
        /// Number of nodes that may use an agent and whose cost is unknown.
        pub unknown_costs: u32,
    }
    /// A node that a rerun would run, and its last attempt.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RerunNodeView {
        pub node: NodeId,
        pub title: String,
        /// The kind's name in plan files, such as `agent`.
        pub kind: String,
        /// How long its last attempt took, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub last_ms: Option<u64>,
        /// The agent's own cost estimate in US dollars.
        pub last_cost_usd: Option<f64>,
        /// Tokens read and written, with cached ones.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub last_tokens: Option<u64>,
    }
}
