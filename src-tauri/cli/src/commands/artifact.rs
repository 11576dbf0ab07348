//! `baton artifact`: shows handoffs.

use baton_api::wire::*;
use baton_model::ArtifactId;
use clap::Subcommand;

use super::node;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{refused_calls, style};

#[derive(Debug, Subcommand)]
pub(crate) enum ArtifactVerb {
    /// Show a node's handoff
    Show {
        /// The handoff's full ID, or a run followed by a node
        #[arg(value_name = "ARTIFACT|RUN")]
        first: String,
        /// The node: its ID in the plan file, or its title
        #[arg(value_name = "NODE")]
        node: Option<String>,
    },
}

pub(crate) fn artifact(client: &Client<'_>, verb: ArtifactVerb) -> Result<Exit, Failure> {
    let ArtifactVerb::Show { first, node } = verb;
    let artifact = match node {
        Some(node) => of_node(client, &first, &node)?,
        None => first.parse().map_err(|_| {
            Failure::Usage(format!(
                "'{first}' is not a handoff's full ID. Pass a full ID, or a run and a node"
            ))
        })?,
    };
    let view: ArtifactView = client.ask(
        "load the handoff",
        "artifact_get",
        &ArtifactRef { artifact },
    )?;
    if client.output.json {
        client.output.json(&view)?;
    } else {
        client
            .output
            .line(style::lines(&view.content.text).trim_end())?;
        refused_calls::print_count(
            client,
            AttemptRef {
                run: view.run,
                node: view.node,
                attempt: Some(view.attempt),
            },
        )?;
    }
    Ok(Exit::Done)
}

fn of_node(client: &Client<'_>, run: &str, name: &str) -> Result<ArtifactId, Failure> {
    let (view, node) = node::find_named(client, run, name)?;
    let artifact = view
        .nodes
        .iter()
        .find(|other| other.node == node)
        .and_then(|node| node.artifact);
    artifact.ok_or_else(|| Failure::Usage(format!("'{name}' has no handoff in this run yet")))
}
