//! A plan file, for people: where it stands, and what is wrong with it.

use std::collections::HashMap;
use std::path::Path;

use baton_formats::plan_file::{Format, read_draft};
use baton_formats::project_file::{ProjectFileFormat, Stamp, file_name, read_stamp};
use baton_model::PlanId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{capture, location};
use crate::projects::ProjectFilesSwitch;
use crate::{Context, PlanningError, project_disk};

/// A file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFileView {
    /// Its name in the folder.
    pub name: String,
    /// The plan, if it is known.
    pub plan: Option<PlanId>,
    /// Where file and plan stand.
    pub state: ProjectFileState,
    /// What is wrong with the file, with lines.
    pub faults: Vec<String>,
}

/// Where a plan and its file stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProjectFileState {
    /// The file has the plan's version.
    Current,
    /// The file has an earlier version, as Baton wrote it.
    Earlier,
    /// The file was edited, and a proposal with the edit waits for a person.
    Proposed,
    /// The file was edited, and no proposal waits.
    Edited,
    /// The plan has no file yet.
    Missing,
    /// The file can't be read. Baton leaves it as it is.
    Unreadable,
    /// The file is of a plan that this Baton or this project doesn't have.
    OtherPlan,
}

/// `plans` are those of the project, with their versions.
pub(super) fn file(
    context: &Context,
    switch: &ProjectFilesSwitch,
    plans: &HashMap<PlanId, u32>,
    name: &str,
    format: ProjectFileFormat,
) -> Result<ProjectFileView, PlanningError> {
    let path = location::folder(Path::new(&switch.directory)).join(name);
    let view = |plan, state, faults| ProjectFileView {
        name: name.to_owned(),
        plan,
        state,
        faults,
    };
    let text = match project_disk::read(&path) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(view(None, ProjectFileState::Missing, Vec::new())),
        Err(error) => {
            let faults = vec![error.to_string()];
            return Ok(view(None, ProjectFileState::Unreadable, faults));
        }
    };
    let Some(stamp) = read_stamp(&text) else {
        let fault =
            format!("{name}:1: there is no \"id\" and \"version\" of a plan in its first lines");
        return Ok(view(None, ProjectFileState::Unreadable, vec![fault]));
    };
    let version = plans.get(&stamp.plan);
    let Some(&version) = version.filter(|_| file_name(stamp.plan, switch.format) == name) else {
        return Ok(view(None, ProjectFileState::OtherPlan, Vec::new()));
    };
    let plan = Some(stamp.plan);
    if stamp.is_untouched {
        let state = untouched(stamp, version);
        return Ok(view(plan, state, Vec::new()));
    }
    let faults = faults(&text, format, name);
    if !faults.is_empty() {
        return Ok(view(plan, ProjectFileState::Unreadable, faults));
    }
    let waits = capture::waiting(context, stamp.plan)?;
    let state = match waits {
        Some(_) => ProjectFileState::Proposed,
        None => ProjectFileState::Edited,
    };
    Ok(view(plan, state, Vec::new()))
}

fn untouched(stamp: Stamp, version: u32) -> ProjectFileState {
    match stamp.version == version {
        true => ProjectFileState::Current,
        false => ProjectFileState::Earlier,
    }
}

fn faults(text: &str, format: ProjectFileFormat, name: &str) -> Vec<String> {
    let format = match format {
        ProjectFileFormat::Markdown => Format::Markdown,
        ProjectFileFormat::Yaml => Format::Yaml,
    };
    match read_draft(text, format, name, &mut Uuid::now_v7) {
        Ok(_) => Vec::new(),
        Err(error) => error.to_string().lines().map(str::to_owned).collect(),
    }
}
