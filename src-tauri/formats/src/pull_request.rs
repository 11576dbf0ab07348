//! The branch, title and description of a pull request for the work of a run.
//!
//! Titles, goals, summaries and criteria may come from agents. A description is public and is read
//! by machines, so none of them can mention anyone, close an issue, give a command to the forge or
//! become HTML.

mod description;
#[cfg(test)]
mod tests;
mod untrusted_markdown;

use baton_model::Slug;
use baton_model::evidence::CriterionCheck;
use baton_model::visible_text::visible_line;

pub use description::describe;
pub(crate) use untrusted_markdown::defused;
use untrusted_markdown::truncated;

/// Maximum number of bytes of a description. GitHub accepts 65 536 characters.
pub const DESCRIPTION_LIMIT: usize = 60_000;
/// Maximum number of characters of a title.
pub const TITLE_LIMIT: usize = 200;

/// What is known about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    /// The title of the plan.
    pub title: String,
    /// What the plan is for.
    pub goal: Option<String>,
    /// The number of the run among those of its plan.
    pub number: u32,
    /// The nodes that did something, in plan order.
    pub nodes: Vec<NodeFacts>,
}

/// What is known about one node of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeFacts {
    /// The title of the node.
    pub title: String,
    /// How it ended.
    pub end: NodeEnd,
    /// The summary that it wrote for people, in Markdown.
    pub summary: Option<String>,
    /// The results of its acceptance criteria.
    pub checks: Vec<CriterionCheck>,
    /// Why its work is in doubt.
    pub doubt: Option<String>,
}

/// How a node ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeEnd {
    /// It succeeded.
    Done,
    /// A person marked it as done without running it.
    MarkedDone,
    /// Its pinned output was used instead of running it.
    UsedPinnedOutput,
    /// Its last attempt failed or was interrupted.
    Failed,
    /// It was skipped.
    Skipped,
    /// It has not ended.
    Unfinished,
}

/// The branch for the work of a run, such as `baton/fix-the-login-3`.
#[must_use]
pub fn branch_name(title: &str, number: u32) -> String {
    format!("baton/{}-{number}", Slug::from_title(title))
}

/// The title of the pull request, on one line.
#[must_use]
pub fn pull_request_title(title: &str) -> String {
    let line = visible_line(title);
    if line.is_empty() {
        "Work of a run".to_owned()
    } else {
        truncated(&line, TITLE_LIMIT)
    }
}
