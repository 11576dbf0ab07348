//! The description of a pull request, in Markdown.

use baton_model::count::format_quantity;
use baton_model::evidence::{Checker, CriterionCheck, Verdict};

use super::untrusted_markdown::{inline, quoted};
use super::{DESCRIPTION_LIMIT, NodeEnd, NodeFacts, RunFacts};

const GOAL_LIMIT: usize = 4_000;
const SUMMARY_LIMIT: usize = 6_000;
const LINE_LIMIT: usize = 300;
/// Maximum number of entries in each list.
const ENTRY_LIMIT: usize = 60;
/// Kept free for the last line, and for the note that something was left out.
const RESERVE: usize = 2_000;

/// Describes the work of a run: what was asked, what each node did, the checks and their results,
/// and what was not verified.
#[must_use]
pub fn describe(run: &RunFacts) -> String {
    let mut blocks = Blocks::default();
    if let Some(goal) = run.goal.as_deref().filter(|goal| !goal.trim().is_empty()) {
        blocks.add("## Goal".to_owned());
        blocks.add(quoted(goal, GOAL_LIMIT));
    }
    blocks.add("## What was done".to_owned());
    for node in &run.nodes {
        blocks.add(described(node));
    }
    blocks.add_list(
        "## Checks",
        run.nodes.iter().flat_map(check_lines).collect(),
    );
    blocks.add_list(
        "## Not verified",
        run.nodes.iter().flat_map(unverified_lines).collect(),
    );
    let title = inline(&run.title, LINE_LIMIT);
    blocks.finish(&format!("Run {} of {title} in Baton.", run.number))
}

fn described(node: &NodeFacts) -> String {
    let heading = format!("### {}", inline(&node.title, LINE_LIMIT));
    let state = match node.end {
        NodeEnd::Done => None,
        NodeEnd::MarkedDone => Some("A person marked this node as done."),
        NodeEnd::UsedPinnedOutput => {
            Some("This node did not run. A pinned output was used instead.")
        }
        NodeEnd::Failed => Some("This node failed."),
        NodeEnd::Skipped => Some("This node was skipped."),
        NodeEnd::Unfinished => Some("This node has not finished."),
    };
    let summary = node.summary.as_deref().map(str::trim);
    let summary = match summary.filter(|text| !text.is_empty()) {
        Some(text) => Some(quoted(text, SUMMARY_LIMIT)),
        None => (node.end == NodeEnd::Done).then(|| "Done, without a summary.".to_owned()),
    };
    let parts = [Some(heading), state.map(str::to_owned), summary];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn check_lines(node: &NodeFacts) -> Vec<String> {
    node.checks
        .iter()
        .filter(|check| check.verdict != Verdict::NotChecked)
        .map(|check| {
            format!(
                "- {}: {} ({})",
                verdict_label(check.verdict),
                inline(&check.criterion, LINE_LIMIT),
                checker_label(check)
            )
        })
        .collect()
}

fn unverified_lines(node: &NodeFacts) -> Vec<String> {
    let title = inline(&node.title, LINE_LIMIT);
    let unchecked = node
        .checks
        .iter()
        .filter(|check| matches!(check.verdict, Verdict::NotChecked | Verdict::Unknown))
        .map(|check| format!("- {title}: {}", inline(&check.criterion, LINE_LIMIT)));
    let doubt = node
        .doubt
        .iter()
        .map(|doubt| format!("- {title}: {}", inline(doubt, LINE_LIMIT)));
    let nothing = (node.end == NodeEnd::Done && node.checks.is_empty() && node.doubt.is_none())
        .then(|| format!("- {title}: no acceptance criteria"));
    unchecked.chain(doubt).chain(nothing).collect()
}

fn verdict_label(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Met => "Passed",
        Verdict::NotMet => "**Failed**",
        Verdict::Unknown => "Unknown",
        Verdict::NotChecked => "Not checked",
    }
}

fn checker_label(check: &CriterionCheck) -> String {
    match &check.by {
        Checker::Command { code: Some(code) } => format!("command, exit code {code}"),
        Checker::Command { code: None } => "command, no exit code".to_owned(),
        Checker::Reviewer { agent } => format!("reviewed by {}", inline(agent, LINE_LIMIT)),
        Checker::Nobody => "nobody".to_owned(),
    }
}

/// Blocks of Markdown, up to the maximum size.
#[derive(Default)]
struct Blocks {
    text: String,
    left_out: usize,
}

impl Blocks {
    fn add(&mut self, block: String) {
        if self.text.len() + block.len() + RESERVE > DESCRIPTION_LIMIT {
            self.left_out += 1;
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(&block);
    }

    fn add_list(&mut self, heading: &str, mut lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        let more = lines.len().saturating_sub(ENTRY_LIMIT);
        lines.truncate(ENTRY_LIMIT);
        if more > 0 {
            lines.push(format!("- and {more} more"));
        }
        self.add(heading.to_owned());
        self.add(lines.join("\n"));
    }

    fn finish(self, last: &str) -> String {
        let cut = match self.left_out {
            0 => String::new(),
            parts => format!(
                "\n\nThis description is cut: {} left out.",
                format_quantity(parts, "part", "parts")
            ),
        };
        format!("{}{cut}\n\n---\n{last}\n", self.text)
    }
}
