//! Operations on handoffs.

use baton_store::ArtifactRow;

use crate::wire::*;
use crate::{ApiError, App};

pub(crate) fn get(app: &App, input: ArtifactRef) -> Result<ArtifactView, ApiError> {
    Ok(view(app.store.artifacts().get(input.artifact)?))
}

/// Lists the latest handoff of each node of a run.
pub(crate) fn list(app: &App, input: RunRef) -> Result<Vec<ArtifactView>, ApiError> {
    app.store.runs().get(input.run)?;
    Ok(app
        .store
        .artifacts()
        .latest_for_run(input.run)?
        .rows
        .into_iter()
        .map(view)
        .collect())
}

/// Lists the nodes whose handoffs differ between two runs.
pub(crate) fn compare(app: &App, input: HandoffsCompare) -> Result<HandoffsCompared, ApiError> {
    let HandoffsCompare { a, b } = input;
    for run in [a, b] {
        app.store.runs().get(run)?;
    }
    let different = app.store.artifacts().nodes_that_differ(a, b)?;
    Ok(HandoffsCompared { different })
}

fn view(row: ArtifactRow) -> ArtifactView {
    ArtifactView {
        id: row.id,
        run: row.run,
        node: row.node,
        attempt: row.attempt,
        created_at: row.created_at,
        content: row.content,
    }
}
