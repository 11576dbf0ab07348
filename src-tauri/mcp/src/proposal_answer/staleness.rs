//! What has changed since a draft was made, for its submitter.

use baton_api::wire::ProposalView;
use baton_model::planning::ProjectFreshness;
use serde::Serialize;

use crate::clip;

/// The most files or agents of one list.
const MAX_ITEMS: usize = 8;
/// The longest path or name, in bytes.
const ITEM_BYTES: usize = 80;

/// A short form of [`Freshness`](baton_api::wire::Freshness) of a stale draft.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Staleness {
    /// The newest version of the plan, if it isn't the one that the draft is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    /// The commit from which the draft was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// Files that the draft names and that changed since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_agents: Vec<String>,
}

/// `None` for a draft that is fresh.
pub(super) fn of_view(view: &ProposalView) -> Option<Staleness> {
    let freshness = view
        .freshness
        .as_ref()
        .filter(|freshness| freshness.stale)?;
    let project = match &freshness.project {
        ProjectFreshness::Compared(project) => Some(project),
        _ => None,
    };
    let base = freshness
        .base
        .filter(|base| base.current != Some(base.version));
    Some(Staleness {
        version: base.and_then(|base| base.current),
        commit: project.and_then(|project| project.commit.clone()),
        files: short(project.map_or(&[], |project| &project.named_files)),
        missing_agents: short(&freshness.missing_agents),
    })
}

fn short(items: &[String]) -> Vec<String> {
    let items = items.iter().take(MAX_ITEMS);
    items.map(|item| clip::line(item, ITEM_BYTES)).collect()
}

impl Staleness {
    pub(crate) fn line(&self) -> String {
        let version = self
            .version
            .map(|version| format!("plan version {version}"));
        let files = (!self.files.is_empty()).then(|| format!("changed {}", self.files.join(", ")));
        let agents = (!self.missing_agents.is_empty())
            .then(|| format!("missing agents {}", self.missing_agents.join(", ")));
        let parts: Vec<String> = [version, files, agents].into_iter().flatten().collect();
        parts.join("; ")
    }
}
