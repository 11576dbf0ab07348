//! The nodes: first all of them in a table, then each one with its attempts.

use baton_model::NodeId;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use baton_model::visible_text::visible_line;

use super::attempt;
use super::html_writer::HtmlWriter;
use super::summary::{cost, tokens};
use super::{NodeFacts, RunFacts, UsageFacts};

const COLUMNS: [&str; 6] = ["Node", "State", "Attempts", "Worked", "Tokens", "Cost"];

/// The title of a node on one line.
pub(super) fn node_title(run: &RunFacts<'_>, id: NodeId) -> String {
    let Some(node) = run.plan.node(id) else {
        return id.to_string();
    };
    let title = visible_line(&node.title);
    if title.is_empty() {
        node.slug.to_string()
    } else {
        title
    }
}

pub(super) fn write(html: &mut HtmlWriter, run: &RunFacts<'_>) {
    html.open_section("nodes", "Nodes");
    html.open_table("All nodes", &COLUMNS);
    for node in &run.nodes {
        write_row(html, run, node);
    }
    html.close_table();
    for node in run.nodes.iter().filter(|node| !node.attempts.is_empty()) {
        html.open("article");
        html.element("h3", &node_title(run, node.node));
        write_commits(html, node);
        for attempt in &node.attempts {
            attempt::write(html, attempt);
        }
        html.close("article");
    }
    html.close("section");
}

fn write_row(html: &mut HtmlWriter, run: &RunFacts<'_>, node: &NodeFacts) {
    let used = node
        .attempts
        .iter()
        .fold(UsageFacts::default(), |sum, attempt| {
            sum.plus(attempt.usage)
        });
    let state = match node.unverified {
        true => format!("{}, unverified", node.state.as_str()),
        false => node.state.as_str().to_owned(),
    };
    let worked = node.worked_ms.filter(|_| !node.attempts.is_empty());
    html.row(&[
        &node_title(run, node.node),
        &state,
        &node.attempts.len().to_string(),
        &worked.map(format_elapsed).unwrap_or_default(),
        &tokens(used).unwrap_or_default(),
        &cost(used).unwrap_or_default(),
    ]);
}

fn write_commits(html: &mut HtmlWriter, node: &NodeFacts) {
    if let Some(commits) = &node.commits {
        html.facts(&[
            ("Commit before", Some(commits.base.clone())),
            ("Commit with its work", Some(commits.head.clone())),
        ]);
    }
}

/// A number of things that a list doesn't have; empty for 0.
pub(super) fn further(html: &mut HtmlWriter, count: u32, one: &str, many: &str) {
    if count > 0 {
        let count = format_quantity(count, one, many);
        html.element("p", &format!("{count} not listed."));
    }
}
