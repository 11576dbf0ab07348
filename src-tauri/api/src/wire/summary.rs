//! Summaries that nodes write for people.

use baton_model::{Attempt, NodeId};

use super::wire;

wire! {
    /// The summary that an attempt wrote to the file in `BATON_SUMMARY`.
    pub struct SummaryView {
        /// The attempt that was looked up.
        pub attempt: Attempt,
        /// Untrusted Markdown, without secrets; at most 1 MiB. Empty if there is none, or while the
        /// attempt runs.
        pub markdown: String,
        /// The size of what was written.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes: u64,
        /// Whether `markdown` is only the beginning.
        pub cut: bool,
    }    /// The summaries of a run.
    pub struct RunSummariesView {
        /// Those of the latest attempts that wrote one, each after those of the nodes before it.
        pub summaries: Vec<NodeSummaryView>,
        /// Number of further nodes with a summary.
        pub left_out: u32,
    }
    /// The summary of a node's latest attempt, or its beginning.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeSummaryView {
        pub node: NodeId,
        pub attempt: Attempt,
        /// Untrusted Markdown, without secrets; at most 16 KiB.
        pub markdown: String,
        /// Whether `markdown` is only the beginning.
        pub cut: bool,
    }
}
