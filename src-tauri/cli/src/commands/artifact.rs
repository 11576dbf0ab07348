//! `baton artifact`.

use baton_api::wire::*;
use baton_model::ArtifactId;
use clap::Subcommand;

use super::node;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{refused_calls, style};

/// What can be done with handoffs.
#[derive(Debug, Subcommand)]
pub(crate) enum ArtifactVerb {
    /// Show the handoff that a node left.
    Show {
        /// The handoff by its whole id; or a run, followed by a node of it.
        #[arg(value_name = "ARTIFACT|RUN")]
        first: String,
        /// The node by its id in the plan file, or by its title.
        #[arg(value_name = "NODE")]
        node: Option<String>,
    },
}

/// Carries out a verb on handoffs.
pub(crate) fn artifact(client: &Client<'_>, verb: ArtifactVerb) -> Result<Exit, Failure> {
    let ArtifactVerb::Show { first, node } = verb;
    let artifact = match node {
        Some(node) => of_node(client, &first, &node)?,
        None => first.parse().map_err(|_| {
            Failure::Usage(format!(
                "'{first}' is no handoff's id: give one whole, or a run and a node of it"
            ))
        })?,
    };
    let view: ArtifactView = client.ask(
        "show the handoff",
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
    artifact.ok_or_else(|| Failure::Usage(format!("'{name}' has left no handoff in this run yet")))
}
