//! `baton plan confirm-edges`: accepts the order that an import inferred.

use baton_api::wire::*;
use baton_model::count::format_quantity;
use clap::Args;

use crate::client::Client;
use crate::failure::Failure;
use crate::id_lookup;

/// Confirm edges that an import inferred from the order of tasks
///
/// A plan with inferred edges can't be approved. `baton plan show` lists them. Remove a wrong one
/// with `baton plan set-node`.
#[derive(Debug, Args)]
pub(crate) struct ConfirmEdgesArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// The edges to confirm, as in `design:build`; without any, all of them
    #[arg(value_name = "PARENT:CHILD", value_parser = edge_ends)]
    edges: Vec<EdgeEnds>,
}

pub(super) fn confirm_edges(client: &Client<'_>, args: ConfirmEdgesArgs) -> Result<(), Failure> {
    let input = EdgesConfirm {
        plan: id_lookup::find_plan(client, &args.plan)?,
        edges: (!args.edges.is_empty()).then_some(args.edges),
        base_revision: None,
    };
    let confirmed: EdgesConfirmed = client.ask("confirm the edges", "edges_confirm", &input)?;
    if client.output.json {
        return client.output.json(&confirmed);
    }
    let edges = format_quantity(confirmed.confirmed as usize, "edge", "edges");
    let version = confirmed.saved.version;
    client
        .output
        .line(&format!("{edges} confirmed, version {version} of the plan"))
}

fn edge_ends(text: &str) -> Result<EdgeEnds, &'static str> {
    let (parent, child) = text
        .split_once(':')
        .ok_or("write the ids of two nodes with a colon between them")?;
    Ok(EdgeEnds {
        parent: parent.to_owned(),
        child: child.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_two_ids_with_a_colon() {
        let edge = edge_ends("design:build").expect("an edge");
        assert_eq!(
            (edge.parent.as_str(), edge.child.as_str()),
            ("design", "build")
        );
        assert!(edge_ends("design").is_err());
    }
}
