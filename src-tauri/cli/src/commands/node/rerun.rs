//! `baton node rerun`, and what a rerun would run.

use baton_api::wire::*;
use baton_model::NodeId;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use clap::Args;

use super::{NodeArgs, find, on_node};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::{self, Cell};

#[derive(Debug, Args)]
pub(crate) struct RerunArgs {
    #[command(flatten)]
    node: NodeArgs,
    /// List what would rerun, with the time and cost of the last attempts, and start nothing
    #[arg(long)]
    preview: bool,
}

pub(super) fn rerun(client: &Client<'_>, args: &RerunArgs) -> Result<Exit, Failure> {
    if !args.preview {
        return on_node(client, &args.node, "rerun the node", "node_rerun");
    }
    let (view, node) = find(client, &args.node)?;
    print_preview(client, &view, vec![node], RerunScope::FromHere)
}

/// Prints the nodes that a rerun would reset, with the time and cost of their last attempts.
pub(crate) fn print_preview(
    client: &Client<'_>,
    view: &RunView,
    nodes: Vec<NodeId>,
    scope: RerunScope,
) -> Result<Exit, Failure> {
    let input = RerunPreview {
        run: view.summary.id,
        nodes,
        scope,
    };
    let preview: RerunPreviewView = client.ask("preview the rerun", "run_rerun_preview", &input)?;
    if client.output.json {
        client.output.json(&preview)?;
        return Ok(Exit::Done);
    }
    if preview.nodes.is_empty() {
        client.output.note("No node would rerun.");
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = preview.nodes.iter().map(row).collect();
    table::print(
        client.output,
        ["node", "kind", "last time", "last cost"],
        &rows,
    )?;
    client.output.line(&total(&preview))?;
    Ok(Exit::Done)
}

fn row(node: &RerunNodeView) -> [Cell; 4] {
    let time = node.last_ms.map(format_elapsed).unwrap_or_default();
    let cost = node.last_cost_usd.map(format_usd).unwrap_or_default();
    [
        Cell::from(&node.title),
        Cell::from(&node.kind),
        Cell::from(time),
        Cell::from(cost),
    ]
}

/// Formats the sums: `3 nodes, 4m 05s of work and $0.42 last time; the cost of 1 node is unknown`.
fn total(preview: &RerunPreviewView) -> String {
    let count = preview.nodes.len() as u64;
    let nodes = format_quantity(count, "node", "nodes");
    let time = format_elapsed(preview.total_ms);
    let cost = match preview.total_cost_usd {
        usd if usd > 0.0 => format!(" and {}", format_usd(usd)),
        _ => String::new(),
    };
    let unknown = match u64::from(preview.unknown_costs) {
        0 => String::new(),
        count => format!(
            "; the cost of {} is unknown",
            format_quantity(count, "node", "nodes")
        ),
    };
    format!("{nodes}, {time} of work{cost} last time{unknown}")
}

fn format_usd(usd: f64) -> String {
    if usd > 0.0 && usd < 0.005 {
        return "<$0.01".to_owned();
    }
    format!("${usd:.2}")
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn preview(costs: &[Option<f64>], unknown_costs: u32) -> RerunPreviewView {
        let node = |&last_cost_usd: &Option<f64>| RerunNodeView {
            node: NodeId(Uuid::nil()),
            title: "Review".to_owned(),
            kind: "agent".to_owned(),
            last_ms: Some(65_000),
            last_cost_usd,
            last_tokens: None,
        };
        RerunPreviewView {
            nodes: costs.iter().map(node).collect(),
            total_ms: 65_000 * costs.len() as u64,
            total_cost_usd: costs.iter().flatten().sum(),
            unknown_costs,
        }
    }

    #[test]
    fn total_names_known_and_unknown_costs() {
        for (costs, unknown, expected) in [
            (&[None][..], 0, "1 node, 1m 05s of work last time"),
            (
                &[Some(0.42), Some(0.1)],
                0,
                "2 nodes, 2m 10s of work and $0.52 last time",
            ),
            (
                &[Some(0.001), None],
                1,
                "2 nodes, 2m 10s of work and <$0.01 last time; the cost of 1 node is unknown",
            ),
        ] {
            assert_eq!(total(&preview(costs, unknown)), expected);
        }
    }
}
