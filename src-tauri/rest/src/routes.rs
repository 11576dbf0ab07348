//! The table of all routes.

mod documents;
mod events;
mod generation;
mod life;
mod node_runs;
mod nodes;
mod plan;
mod plan_history;
mod plan_lists;
mod plan_reading;
mod plan_review;
mod plans;
mod proposals;
mod runs;
mod sessions;
mod submissions;
mod versions;

use std::sync::LazyLock;

use crate::Route;
use crate::resources::{Nodes, Steps};

/// All routes, in the order of the document. Where two match, the one without a variable part is
/// meant.
#[must_use]
pub fn routes() -> &'static [Route] {
    static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
        let groups = [
            plans::routes(),
            plan_lists::routes(),
            events::routes(),
            plan::routes(),
            plan_history::routes(),
            plan_review::routes(),
            generation::routes(),
            life::routes(),
            nodes::routes::<Steps>(),
            node_runs::routes::<Steps>(),
            nodes::routes::<Nodes>(),
            node_runs::routes::<Nodes>(),
            versions::routes(),
            runs::routes(),
            proposals::routes(),
            submissions::routes(),
            documents::routes(),
            sessions::routes(),
        ];
        groups.into_iter().flatten().collect()
    });
    &ROUTES
}
