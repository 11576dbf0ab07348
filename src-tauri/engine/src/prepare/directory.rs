//! The working directory of a node's session.

use std::path::{Path, PathBuf};

use baton_model::Plan;
use baton_model::node::Node;
use baton_model::outcome::Failure;

use crate::checkout::{self, CheckoutError};
use crate::job::Job;
use crate::session_services::SessionServices;

/// The working directory of the node's sessions: the plan's directory, or the same place within the
/// node's worktree, which need not exist yet.
pub(super) fn directory(
    job: &Job,
    node: &Node,
    services: &SessionServices,
    own: Option<&str>,
) -> Result<PathBuf, Failure> {
    let plan = &job.run.plan;
    if !checkout::is_isolated(job, node) {
        return shared_directory(plan, own);
    }
    let base = shared_directory(plan, None)?;
    let apart = checkout::directory_of(&services.data_directory, job.run.run, node, &base, own);
    apart.ok_or_else(|| {
        let detail = CheckoutError::NoRepository { directory: base }.to_string();
        Failure::NotStarted { detail }
    })
}

/// The plan's directory, or one relative to it.
pub(super) fn shared_directory(plan: &Plan, own: Option<&str>) -> Result<PathBuf, Failure> {
    let base = plan.cwd.as_deref().map(PathBuf::from);
    let directory = match (base, own) {
        (Some(base), Some(own)) => base.join(own),
        (Some(base), None) => base,
        (None, Some(own)) if Path::new(own).is_absolute() => PathBuf::from(own),
        (None, _) => {
            let detail =
                "the plan has no working directory: choose one in the plan's settings".to_owned();
            return Err(Failure::NotStarted { detail });
        }
    };
    if directory.is_dir() {
        return Ok(directory);
    }
    let detail = format!(
        "the directory {} doesn't exist: create it, or choose another in the plan's settings",
        directory.display()
    );
    Err(Failure::NotStarted { detail })
}
