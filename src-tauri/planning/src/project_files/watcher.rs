//! The thread that keeps files: it waits for saved plans, for changed files and for the switch.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use baton_formats::project_file::{FOLDER, ProjectFileFormat, read_stamp};
use baton_model::PlanId;
use baton_store::Change;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::sync::{self, Cause};
use crate::projects::{self, ProjectFilesSwitch};
use crate::{Context, WeakContext, project_disk};

/// How long a file must be quiet before it is read: editors write in several steps.
const QUIET: Duration = Duration::from_millis(150);
/// How many events are gathered at most before something is done about them.
const BATCH: usize = 10_000;

/// What may need work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Wake {
    Plan(PlanId),
    /// A run of this plan changed.
    Run(PlanId),
    File(PathBuf),
    /// A folder came or went.
    Folders,
    /// The switch of some project.
    Switches,
    /// Anything may have changed.
    All,
    /// Baton is being closed.
    Close,
}

/// Ends the thread when the store, which owns this, is closed.
struct CloseOnDrop(Sender<Wake>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ended = self.0.send(Wake::Close);
    }
}

/// Starts the thread. It ends when Baton is closed.
pub fn follow(context: &Context) -> io::Result<()> {
    let (sender, wakes) = channel();
    let store = CloseOnDrop(sender.clone());
    context.store.listen(move |change| {
        let wake = match change {
            Change::PlanChanged { plan, .. } => Wake::Plan(*plan),
            Change::RunChanged {
                plan, whole: true, ..
            } => Wake::Run(*plan),
            Change::SettingsChanged => Wake::Switches,
            Change::Everything => Wake::All,
            _ => return true,
        };
        store.0.send(wake).is_ok()
    });
    let weak = context.weak();
    std::thread::Builder::new()
        .name("plan-files".to_owned())
        .spawn(move || {
            if let Err(error) = run(&weak, sender, &wakes) {
                tracing::error!(%error, "couldn't watch plan files");
            }
        })?;
    Ok(())
}

fn run(weak: &WeakContext, sender: Sender<Wake>, wakes: &Receiver<Wake>) -> notify::Result<()> {
    let watcher = notify::recommended_watcher(move |event| forward(event, &sender))?;
    let mut folders = WatchedFolders {
        watcher,
        projects: Vec::new(),
        known: HashSet::new(),
    };
    if let Some(context) = weak.upgrade() {
        folders.update(&context);
    }
    while let Ok(first) = wakes.recv() {
        let batch = gather(first, wakes);
        let context = weak.upgrade().filter(|_| !batch.contains(&Wake::Close));
        let Some(context) = context else {
            return Ok(());
        };
        folders.handle(&context, &batch);
    }
    Ok(())
}

/// The events until it is quiet, each once.
fn gather(first: Wake, wakes: &Receiver<Wake>) -> BTreeSet<Wake> {
    let mut batch = BTreeSet::from([first]);
    let has_files = |batch: &BTreeSet<Wake>| {
        let is_store = |wake: &Wake| {
            matches!(
                wake,
                Wake::Plan(_) | Wake::Run(_) | Wake::Switches | Wake::Close
            )
        };
        !batch.iter().all(is_store)
    };
    while batch.len() < BATCH {
        let quiet = if has_files(&batch) {
            QUIET
        } else {
            Duration::ZERO
        };
        match wakes.recv_timeout(quiet) {
            Ok(wake) => batch.insert(wake),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        };
    }
    batch
}

fn forward(event: notify::Result<notify::Event>, sender: &Sender<Wake>) {
    let event = match event {
        Ok(event) if event.need_rescan() => {
            let _closing = sender.send(Wake::All);
            return;
        }
        Ok(event) if event.kind.is_access() => return,
        Ok(event) => event,
        Err(error) => {
            tracing::warn!(%error, "couldn't watch plan files");
            return;
        }
    };
    for path in event.paths {
        let name = path.file_name().and_then(|name| name.to_str());
        let wake = match name {
            Some(".baton" | "plans") => Wake::Folders,
            Some(name) if ProjectFileFormat::from_file_name(name).is_some() => Wake::File(path),
            _ => continue,
        };
        // Baton is being closed.
        let _closing = sender.send(wake);
    }
}

struct WatchedFolders {
    watcher: RecommendedWatcher,
    projects: Vec<ProjectFilesSwitch>,
    known: HashSet<PathBuf>,
}

impl WatchedFolders {
    fn handle(&mut self, context: &Context, batch: &BTreeSet<Wake>) {
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
    fn update(&mut self, context: &Context) {
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
