//! Handoffs, under their own id and under the node that left them.

use baton_api::wire::{ArtifactView, Nothing};
use baton_model::ArtifactId;
use serde_json::json;

use super::plans::current;
use crate::answer::Reply;
use crate::request::Call;
use crate::{ErrorCode, Method, RestError, Route};

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

fn by_id(call: &Call<Nothing, Nothing>) -> Result<Reply<ArtifactView>, RestError> {
    show(call, call.id("artifact")?)
}

fn of_node(call: &Call<Nothing, Nothing>) -> Result<Reply<ArtifactView>, RestError> {
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
) -> Result<Reply<ArtifactView>, RestError> {
    let input = json!({ "artifact": artifact });
    let view: ArtifactView = call.operations().call("artifact_get", &input)?;
    Ok(match call.conditions.markdown {
        true => Reply::markdown(view.content.text),
        false => Reply::of(view),
    })
}
