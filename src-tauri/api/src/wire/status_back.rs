//! Finished nodes as marks in the task lists that a plan came from.

use baton_model::PlanId;

use super::wire;

wire! {
    /// Marks the tasks of finished nodes as done in the files that the plan was imported from.
    pub struct PlanStatusBack {
        #[expect(missing_docs, reason = "the name says it")]
        pub plan: PlanId,
        /// The task list, or the folder that it is in; `None` for where the plan was imported from.
        #[serde(default)]
        pub path: Option<String>,
        /// Change no file, only show what would change.
        #[serde(default)]
        pub preview: bool,
    }
    /// What was marked as done, or would be.
    pub struct PlanStatusWritten {
        /// The files that are different. Empty if they already say what is done.
        pub files: Vec<MarkedFileView>,
        /// Nodes that are done but unverified. Their tasks stay open.
        pub unverified: u32,
    }
    /// A file of a task list.
    pub struct MarkedFileView {
        /// Its absolute path.
        pub path: String,
        /// The lines that are different.
        pub lines: Vec<MarkedLineView>,
    }
    /// A line with a task that is marked as done.
    pub struct MarkedLineView {
        /// Counted from 1.
        pub number: u32,
        /// The line before, without its end.
        pub before: String,
        /// The line after, without its end.
        pub after: String,
    }
}
