//! Queries about a run that several operations share.

use std::collections::HashMap;
use std::sync::Arc;

use baton_model::{NodeId, Plan, RunId};
use baton_planning::plan_versions::plan_version;
use baton_store::NodeStateRow;

use crate::{ApiError, App};

/// The states of a run's nodes. Leaves out nodes to which nothing has happened yet.
pub(crate) fn node_states(
    app: &App,
    run: RunId,
) -> Result<HashMap<NodeId, NodeStateRow>, ApiError> {
    Ok(app
        .store
        .node_states()
        .list(run)?
        .into_iter()
        .map(|row| (row.node, row))
        .collect())
}

/// The plan content that a run executes.
pub(crate) fn plan_of_run(app: &App, run: RunId) -> Result<Arc<Plan>, ApiError> {
    let row = app.store.runs().get(run)?;
    Ok(plan_version(app.context(), row.plan, row.version)?)
}
