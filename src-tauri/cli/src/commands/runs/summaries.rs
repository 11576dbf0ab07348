//! The summaries that the nodes of a run wrote.

use std::collections::HashMap;

use baton_api::wire::*;
use baton_model::NodeId;
use serde_json::json;

use crate::client::Client;
use crate::failure::Failure;
use crate::plan_output;
use crate::style::{self, Tone};

/// Prints the summary of each node's latest attempt, in the order of the table of nodes; nothing for
/// nodes without one.
pub(super) fn print(client: &Client<'_>, view: &RunView) -> Result<(), Failure> {
    let runs: HashMap<NodeId, &NodeRunView> =
        view.nodes.iter().map(|node| (node.node, node)).collect();
    let order = plan_output::topological_order(&view.plan);
    let started = order
        .iter()
        .filter_map(|node| runs.get(&node.id))
        .filter(|node| node.session.is_some());
    for node in started {
        let input = AttemptRef {
            run: view.summary.id,
            node: node.node,
            attempt: None,
        };
        let summary: SummaryView = client.ask("load a summary", "node_summary", &input)?;
        if !summary.markdown.is_empty() {
            print_one(client, view, node, &summary)?;
        }
    }
    Ok(())
}

fn print_one(
    client: &Client<'_>,
    view: &RunView,
    of: &NodeRunView,
    summary: &SummaryView,
) -> Result<(), Failure> {
    let output = client.output;
    if output.json {
        return output.json(&json!({ "node": of.node, "summary": summary }));
    }
    let title = view.plan.node(of.node).map(|node| node.title.as_str());
    let title = style::one_line(title.unwrap_or_default());
    output.line("")?;
    output.line(&output.paint(&format!("Summary of {title}"), Tone::Strong))?;
    output.line(style::lines(&summary.markdown).trim_end())
}
