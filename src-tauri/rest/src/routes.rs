//! The table of all routes.

mod documents;
mod life;
mod nodes;
mod plan;
mod plan_reading;
mod plans;
mod proposals;
mod runs;
mod sessions;
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
            plan::routes(),
            life::routes(),
            nodes::routes::<Steps>(),
            nodes::routes::<Nodes>(),
            versions::routes(),
            runs::routes(),
            proposals::routes(),
            documents::routes(),
            sessions::routes(),
        ];
        groups.into_iter().flatten().collect()
    });
    &ROUTES
}
