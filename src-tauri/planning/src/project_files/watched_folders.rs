//! The folders that are watched, and what is done when something changes in them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use baton_formats::project_file::{FOLDER, ProjectFileFormat, read_stamp};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::sync::{self, Cause};
use super::wake::Wake;
use crate::projects::{self, ProjectFilesSwitch};
use crate::{Context, project_disk};

/// The folders of all projects with plan files.
pub(super) struct WatchedFolders {
    watcher: RecommendedWatcher,
    projects: Vec<ProjectFilesSwitch>,
    known: HashSet<PathBuf>,
}

impl WatchedFolders {
    pub(super) fn new(watcher: RecommendedWatcher) -> Self {
        Self {
            watcher,
            projects: Vec::new(),
            known: HashSet::new(),
        }
    }

    pub(super) fn handle(&mut self, context: &Context, batch: &BTreeSet<Wake>) {
        if batch.contains(&Wake::Switches) || batch.contains(&Wake::All) {
            self.update(context);
        }
        if batch.contains(&Wake::Folders) || batch.contains(&Wake::All) {
            self.watch_again();
            self.files_changed(context);
        }
        if batch.contains(&Wake::All) {
            self.projects
                .iter()
                .for_each(|switch| project(context, switch));
        }
        for wake in batch {
            match wake {
                Wake::Plan(plan) => sync::plan_logged(context, *plan, Cause::Plan),
                Wake::Run(plan) => sync::plan_logged(context, *plan, Cause::Run),
                Wake::File(path) => file_changed(context, path),
                Wake::Folders | Wake::Switches | Wake::All | Wake::Close => {}
            }
        }
    }

    /// Follows the switch: projects that are new are brought together with their files.
    pub(super) fn update(&mut self, context: &Context) {
        let switches = match projects::all(&context.store) {
            Ok(switches) => switches,
            Err(error) => {
                tracing::warn!(%error, "couldn't read which projects have plan files");
                return;
            }
        };
        let before = std::mem::replace(&mut self.projects, switches);
        if before == self.projects {
            return;
        }
        self.watch_again();
        let is_new = |switch: &&ProjectFilesSwitch| !before.contains(switch);
        let new = self.projects.iter().filter(is_new);
        new.for_each(|switch| project(context, switch));
        self.files_changed(context);
    }

    /// Watches what is there now. A folder that was replaced is a new one to the system.
    fn watch_again(&mut self) {
        for folder in std::mem::take(&mut self.known) {
            // It may be gone.
            let _gone = self.watcher.unwatch(&folder);
        }
        for switch in &self.projects {
            // The folders above show when the folder comes or goes.
            let project = Path::new(&switch.directory);
            for part in ["", ".baton", FOLDER] {
                let folder = project.join(part);
                if folder.is_dir() && watch(&mut self.watcher, &folder) {
                    self.known.insert(folder);
                }
            }
        }
    }

    fn files_changed(&self, context: &Context) {
        for switch in &self.projects {
            let folder = Path::new(&switch.directory).join(FOLDER);
            for name in project_disk::names(&folder).unwrap_or_default() {
                if ProjectFileFormat::from_file_name(&name).is_some() {
                    file_changed(context, &folder.join(name));
                }
            }
        }
    }
}

fn project(context: &Context, switch: &ProjectFilesSwitch) {
    if let Err(error) = sync::project(context, switch) {
        tracing::warn!(%error, "couldn't write the plan files of a project");
    }
}

fn watch(watcher: &mut RecommendedWatcher, folder: &Path) -> bool {
    match watcher.watch(folder, RecursiveMode::NonRecursive) {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(folder = %folder.display(), %error, "couldn't watch plan files");
            false
        }
    }
}

fn file_changed(context: &Context, path: &Path) {
    // A file that is gone or can't be read changes nothing; the project's state names it.
    if let Ok(Some(text)) = project_disk::read(path)
        && let Some(stamp) = read_stamp(&text)
    {
        sync::plan_logged(context, stamp.plan, Cause::File);
    }
}
