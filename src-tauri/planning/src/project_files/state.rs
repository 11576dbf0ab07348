//! What is in the folders of plan files, for people.

use std::collections::HashMap;
use std::path::Path;

use baton_formats::project_file::{ProjectFileFormat, file_name};
use baton_model::PlanId;

use super::file_state::{ProjectFileState, ProjectFileView, file};
use super::{location, sync};
use crate::project_rules::{self, ProjectRulesView};
use crate::projects::{self, ProjectFilesSwitch};
use crate::{Context, PlanningError, project_disk};

/// A project whose plans are files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFilesView {
    /// The project.
    pub switch: ProjectFilesSwitch,
    /// Why its folder can't be used; `None` if it can.
    pub fault: Option<String>,
    /// What it asks of its plans.
    pub rules: ProjectRulesView,
    /// Its files and the plans without one, by name.
    pub files: Vec<ProjectFileView>,
}

/// The projects whose plans are files, with the state of each file.
pub fn list(context: &Context) -> Result<Vec<ProjectFilesView>, PlanningError> {
    let switches = projects::all(&context.store)?;
    let mut plans: HashMap<String, HashMap<PlanId, u32>> = HashMap::new();
    for row in context.store.plans().list()?.rows {
        let project = projects::project_of(row.cwd.as_deref(), &switches);
        if let Some(switch) = project.filter(|_| row.record.archived_at.is_none()) {
            let of_project = plans.entry(switch.directory.clone()).or_default();
            of_project.insert(row.record.plan, row.record.version);
        }
    }
    let views = switches.into_iter().map(|switch| {
        let plans = plans.remove(&switch.directory).unwrap_or_default();
        project(context, switch, &plans)
    });
    views.collect()
}

fn project(
    context: &Context,
    switch: ProjectFilesSwitch,
    plans: &HashMap<PlanId, u32>,
) -> Result<ProjectFilesView, PlanningError> {
    let directory = Path::new(&switch.directory);
    let found = location::require_own_folder(directory).and_then(|()| {
        project_disk::names(&location::folder(directory)).map_err(sync::unavailable)
    });
    let (names, fault) = match found {
        Ok(names) => (names, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let mut files = Vec::new();
    for name in &names {
        if let Some(format) = ProjectFileFormat::from_file_name(name) {
            files.push(file(context, &switch, plans, name, format)?);
        }
    }
    let missing = plans.keys().filter(|plan| {
        let name = file_name(**plan, switch.format);
        !names.contains(&name)
    });
    files.extend(missing.map(|&plan| ProjectFileView {
        name: file_name(plan, switch.format),
        plan: Some(plan),
        state: ProjectFileState::Missing,
        faults: Vec::new(),
    }));
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(ProjectFilesView {
        rules: project_rules::of_project(&switch),
        switch,
        fault,
        files,
    })
}
