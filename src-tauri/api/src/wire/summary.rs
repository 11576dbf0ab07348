//! Summaries that nodes write for people.

use baton_model::Attempt;

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
    }
}
