//! Handoffs, under their own id and under the node that left them.

use baton_api::wire::{ArtifactView, Nothing};
use baton_model::{Artifact, ArtifactId, Attempt, NodeId, RunId, Timestamp};
use serde_json::json;

use super::plans::current;
use crate::answer::Reply;
use crate::request::Call;
use crate::schema::answers;
use crate::{ErrorCode, Method, RestError, Route};

answers! {
    /// A handoff, whole and by its parts. Fields under two names have the same value.
    pub(crate) struct HandoffResource {
        pub(crate) id: ArtifactId,
        pub(crate) run: RunId,
        pub(crate) node: NodeId,
        pub(crate) node_id: NodeId,
        pub(crate) attempt: Attempt,
        pub(crate) created_at: Timestamp,
        pub(crate) content: Artifact,
        /// What was done, by the word of its author.
        pub(crate) summary: String,
        /// The files that the text names as changed, and the named values as `name: value`.
        pub(crate) key_outputs: Vec<String>,
        /// The decisions that the text lists.
        pub(crate) decisions: Vec<String>,
    }
}

impl From<ArtifactView> for HandoffResource {
    fn from(view: ArtifactView) -> Self {
        let content = view.content;
        let values = content.outputs.iter();
        let values = values.map(|(name, value)| format!("{name}: {value}"));
        Self {
            id: view.id,
            run: view.run,
            node: view.node,
            node_id: view.node,
            attempt: view.attempt,
            created_at: view.created_at,
            summary: content.summary().to_owned(),
            key_outputs: content.files.iter().cloned().chain(values).collect(),
            decisions: content.decisions(),
            content,
        }
    }
}

pub(super) fn routes() -> Vec<Route> {
    let gone = [ErrorCode::NotFound];
    vec![
        Route::new(
            Method::Get,
            "/api/artifacts/{artifact}",
            "getArtifact",
            "shows a handoff",
            by_id,
        )
        .errors(&gone)
        .markdown(),
        Route::new(
            Method::Get,
            "/api/plans/{plan}/nodes/{node}/artifact",
            "getNodeArtifact",
            "shows the handoff that a node left in the latest run",
            of_node,
        )
        .errors(&gone)
        .markdown(),
    ]
}

fn by_id(call: &Call<Nothing, Nothing>) -> Result<Reply<HandoffResource>, RestError> {
    show(call, call.id("artifact")?)
}

fn of_node(call: &Call<Nothing, Nothing>) -> Result<Reply<HandoffResource>, RestError> {
    let reading = current(call)?;
    let node = reading.node_id(call.name("node"))?;
    let mut nodes = reading.run.iter().flat_map(|run| &run.nodes);
    let artifact = nodes
        .find(|row| row.node == node)
        .and_then(|row| row.artifact);
    show(
        call,
        artifact
            .ok_or_else(|| RestError::new(ErrorCode::NotFound, "the node has no handoff yet"))?,
    )
}

fn show(
    call: &Call<Nothing, Nothing>,
    artifact: ArtifactId,
) -> Result<Reply<HandoffResource>, RestError> {
    let input = json!({ "artifact": artifact });
    let view: ArtifactView = call.operations().call("artifact_get", &input)?;
    Ok(match call.conditions.markdown {
        true => Reply::markdown(view.content.text),
        false => Reply::of(view.into()),
    })
}
