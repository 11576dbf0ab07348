//! The rules of a project: `.baton/plans.json` in its own directory, so a copy in a worktree means
//! nothing. They are read when a run begins and when a proposal gets its time, and only make the
//! person's settings stricter. A damaged file stops nothing, and is named to people.

use std::path::Path;

use baton_formats::plan_file::{Fault, read_project_rules};
use baton_model::ProjectRules;
use baton_store::{Store, StoreError};

use crate::project_disk;
use crate::projects::{self, ProjectFilesSwitch};

/// The file, below the project's directory.
const FILE: &str = ".baton/plans.json";
/// The largest file that is read, in bytes.
const SIZE_LIMIT: u64 = 64 * 1024;

/// What is known of a project's rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectRulesView {
    /// The rules that count.
    pub rules: ProjectRules,
    /// What is wrong with the file, each with its path and, where there is one, its key.
    pub faults: Vec<String>,
}

/// The rules for plans with the directory `cwd`: those of the innermost project with plan files.
pub fn of_directory(store: &Store, cwd: Option<&str>) -> Result<ProjectRulesView, StoreError> {
    let switches = projects::all(store)?;
    let project = projects::project_of(cwd, &switches);
    Ok(project.map(of_project).unwrap_or_default())
}

pub(crate) fn of_project(project: &ProjectFilesSwitch) -> ProjectRulesView {
    let directory = Path::new(&project.directory);
    let path = directory.join(FILE);
    if !project_disk::has_own_folders(directory, Path::new(FILE)) {
        return faulty(format!("{} leads out of the project", path.display()));
    }
    match project_disk::read_up_to(&path, SIZE_LIMIT) {
        Ok(None) => ProjectRulesView::default(),
        Ok(Some(text)) => read(&path, &text),
        Err(error) => faulty(error.to_string()),
    }
}

fn read(path: &Path, text: &str) -> ProjectRulesView {
    let (rules, faults) = read_project_rules(text);
    let place = |fault: &Fault| format!("{}:{}: {}", path.display(), fault.at, fault.kind);
    ProjectRulesView {
        rules,
        faults: faults.iter().map(place).collect(),
    }
}

fn faulty(fault: String) -> ProjectRulesView {
    ProjectRulesView {
        rules: ProjectRules::default(),
        faults: vec![fault],
    }
}
