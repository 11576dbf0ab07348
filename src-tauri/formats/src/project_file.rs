//! A plan as a file in its project: `.baton/plans/PLAN-<id>.md` or `.yaml`.
//!
//! The store is the truth for a plan's state, the file for what a person wrote into it. A file
//! carries the plan's id and version, and a hash of its own text. So it says by itself whether
//! somebody has edited it since Baton wrote it, and which version that edit began with, also after
//! `git checkout` has brought back an older one.
//!
//! What belongs to one machine or to the canvas is not in the file: the directory, where the plan
//! came from (but its models), and positions.

mod clash_text;
mod edit;
mod file_facts;
mod next_step;
mod stamp;
#[cfg(test)]
mod tests;

use std::fmt;

use baton_model::plan::{ContextArtifact, Origin, PlanContext};
use baton_model::{Plan, PlanId};
use serde::{Deserialize, Serialize};

use crate::plan_file::{self, DocumentHeader, Format};
pub use clash_text::clash_text;
pub use edit::{FileEdit, merge_edit};
use file_facts::iso;
pub use file_facts::{FileFacts, LastRun};
pub use next_step::{Coverage, FileState, NextStep, next_step};
pub use stamp::{Stamp, read_stamp, text_hash};

/// The folder of plan files, below the project's directory.
pub const FOLDER: &str = ".baton/plans";
/// The folder of plans that are archived, below [`FOLDER`].
pub const ARCHIVE: &str = "archive";
/// The folder of contexts that are too large for a file, below [`FOLDER`].
pub const ARTIFACTS: &str = "artifacts";
/// The largest context in a plan file, in bytes of JSON.
pub const CONTEXT_LIMIT: usize = 50 * 1024;

/// The syntax of the plan files of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ProjectFileFormat {
    #[default]
    Markdown,
    Yaml,
}

impl ProjectFileFormat {
    /// The syntax of a file with this name; `None` for files that Baton leaves alone.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        if !name.starts_with("PLAN-") {
            return None;
        }
        match name.rsplit_once('.')?.1 {
            "md" => Some(Self::Markdown),
            "yaml" => Some(Self::Yaml),
            _ => None,
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Yaml => "yaml",
        }
    }

    fn format(self) -> Format {
        match self {
            Self::Markdown => Format::Markdown,
            Self::Yaml => Format::Yaml,
        }
    }
}

impl fmt::Display for ProjectFileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.format().fmt(f)
    }
}

/// The name of a plan's file without its extension, and of its folder of artifacts. The end of an
/// id is random, its beginning is a time.
#[must_use]
pub fn file_stem(plan: PlanId) -> String {
    let id = plan.0.simple().to_string();
    format!("PLAN-{}", &id[id.len() - 8..])
}

/// The name of a plan's file.
#[must_use]
pub fn file_name(plan: PlanId, format: ProjectFileFormat) -> String {
    format!("{}.{}", file_stem(plan), format.extension())
}

/// Writes the file of `plan` at `version`.
#[must_use]
pub fn write(plan: &Plan, version: u32, facts: &FileFacts, format: ProjectFileFormat) -> String {
    let shared = shared_part(plan);
    let id = format!("PLAN-{}", plan.id);
    let last_run = facts.last_run.as_ref();
    let text = match format {
        ProjectFileFormat::Markdown => {
            let header = DocumentHeader {
                id: Some(id),
                status: None,
                version: Some(version.into()),
                created_at: facts.created_at.map(iso),
                updated_at: facts.updated_at.map(iso),
                execution_session: last_run.map(LastRun::session),
                execution_started_at: last_run.and_then(|run| run.started_at).map(iso),
                execution_ended_at: last_run.and_then(|run| run.ended_at).map(iso),
                result_summary: last_run.map(LastRun::summary),
            };
            plan_file::write_document(&shared, &[], &header)
        }
        ProjectFileFormat::Yaml => {
            let last_run = last_run.map(|run| format!("# Last run: {}\n", run.summary()));
            let plan = plan_file::write(&shared, Format::Yaml);
            let last_run = last_run.unwrap_or_default();
            format!("# id: {id}\n# version: {version}\n{last_run}{plan}")
        }
    };
    stamp::with_hash(&text, format)
}

/// The context of `plan` as JSON, if it is too large for the file and has its own one.
#[must_use]
pub fn large_context(plan: &Plan) -> Option<String> {
    let json = serde_json::to_string_pretty(&plan.context).unwrap_or_default();
    (json.len() > CONTEXT_LIMIT).then_some(json)
}

/// The part of a plan that its file holds.
fn shared_part(plan: &Plan) -> Plan {
    let mut shared = Plan {
        cwd: None,
        // Which models plan and execute is content.
        origin: Origin {
            planner_model: plan.origin.planner_model.clone(),
            executor_model: plan.origin.executor_model.clone(),
            ..Origin::default()
        },
        ..plan.clone()
    };
    for node in &mut shared.nodes {
        node.position = None;
        node.keeps_place = false;
    }
    if large_context(plan).is_some() {
        let path = format!("{FOLDER}/{ARTIFACTS}/{}/context.json", file_stem(plan.id));
        shared.context = PlanContext {
            artifacts: vec![ContextArtifact {
                name: "context.json".to_owned(),
                path: Some(path),
            }],
            ..PlanContext::default()
        };
    }
    shared
}
