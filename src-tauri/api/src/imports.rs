//! Imports plan files.
//!
//! A file that is imported again may be the same plan. It is recognized by its absolute path, which
//! is stored as the plan's source. If the content is unchanged, the plan keeps its approval.
//! Otherwise, the content is saved as the next version, in which nodes keep their identity, by
//! slug, and their position. Edits made elsewhere in the meantime stay in the plan's earlier
//! versions.
//!
//! A file may reference other plan files that its nodes run. They are imported with it, each as the
//! plan previously imported from there. Nothing is stored unless all of them are valid.
//!
//! Task lists of other programs are in [`task_lists`].

pub(crate) mod folder;
mod reading_rights;
mod task_lists;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use baton_formats::plan_file::{EmbeddedPlan, Format, SourceLocation, SubPlanLocations};
use baton_model::node::{LoopBody, LoopTask, NodeKind, SubPlanTask};
use baton_model::plan::Source;
use baton_model::{Node, NodeId, Plan, PlanId};
use baton_store::{PlanRecord, PlanWrite};

use crate::plan_formats::Parsed;
use crate::wire::*;
use crate::{ApiError, App, Code, absolute_path, plan_formats, plans, unknown_names};

/// Maximum size of a plan file in bytes. 10,000 nodes need about 5 MB.
const SIZE_LIMIT: u64 = 64 * 1024 * 1024;

/// Maximum nesting depth of plans, as in a run.
const DEPTH_LIMIT: usize = 20;

/// Imports a plan file as a new plan. Stores nothing unless everything is valid.
pub(crate) fn import(app: &App, input: PlanImport) -> Result<PlanImported, ApiError> {
    import_file(app, &input, false)
}

/// Imports a plan file, or updates the plan previously imported from it.
pub(crate) fn import_or_update(app: &App, input: PlanImport) -> Result<PlanImported, ApiError> {
    import_file(app, &input, true)
}

/// Shows what importing a plan file would do. Stores nothing, including referenced files.
pub(crate) fn preview(app: &App, input: PlanImport) -> Result<PlanImportPreview, ApiError> {
    reading_rights::require(app, &input)?;
    if let Some(list) = task_lists::read(&input)? {
        return list.preview(app);
    }
    let cwd = input
        .cwd
        .as_deref()
        .map(absolute_path::absolute)
        .transpose()?;
    let mut files = PlanFileSet {
        app,
        cwd,
        ..PlanFileSet::new(app)
    };
    let id = files.read(&input.file_name, &input.text, true)?;
    let sub_plans = u32::try_from(files.sub_plans.len()).unwrap_or(u32::MAX);
    let found = files.writes.into_iter().find_map(|write| match write {
        PlanWrite::New(plan) if plan.id == id => Some((plan, PlanImportEffect::New)),
        PlanWrite::Changed { plan, .. } if plan.id == id => Some((plan, PlanImportEffect::Changed)),
        _ => None,
    });
    let (plan, fate) = match found {
        Some(found) => found,
        None => (app.store.plans().current(id)?.1, PlanImportEffect::Same),
    };
    Ok(PlanImportPreview {
        plan,
        fate,
        warnings: files.warnings,
        sub_plans,
        format: None,
        plans: Vec::new(),
    })
}

fn import_file(app: &App, input: &PlanImport, may_update: bool) -> Result<PlanImported, ApiError> {
    reading_rights::require(app, input)?;
    // If two callers import a new file at once, the second one finds the first one's plan.
    let lock = app.interprocess_lock()?;
    if let Some(list) = task_lists::read(input)? {
        let propose = input.propose || !reading_rights::may_read_files(app);
        let imported = list.import(app, may_update, propose)?;
        drop(lock);
        return imported.submit(app);
    }
    let cwd = input
        .cwd
        .as_deref()
        .map(absolute_path::absolute)
        .transpose()?;
    let mut files = PlanFileSet {
        app,
        cwd,
        ..PlanFileSet::new(app)
    };
    let plan = files.read(&input.file_name, &input.text, may_update)?;
    app.store
        .plans()
        .write_all(&files.writes, &app.actor(), app.now())?;
    Ok(PlanImported {
        plan: plans::view(app, plan)?,
        warnings: files.warnings,
        sub_plans: files.sub_plans,
        more: Vec::new(),
        proposals: Vec::new(),
    })
}

/// A plan file and the files it references, as far as they have been read.
struct PlanFileSet<'a> {
    app: &'a App,
    /// Working directory that overrides those in the files.
    cwd: Option<String>,
    /// The plans of files that have been read completely.
    known: HashMap<PathBuf, PlanId>,
    /// Files being read, with titles. Each is referenced by the one before it.
    open: Vec<(PathBuf, String)>,
    writes: Vec<PlanWrite>,
    sub_plans: Vec<PlanId>,
    warnings: Vec<String>,
}

impl<'a> PlanFileSet<'a> {
    fn new(app: &'a App) -> Self {
        let (known, open, writes, sub_plans, warnings) = Default::default();
        Self {
            app,
            cwd: None,
            known,
            open,
            writes,
            sub_plans,
            warnings,
        }
    }

    /// Reads a file and the files it references, and determines what to store.
    fn read(&mut self, file_name: &str, text: &str, may_update: bool) -> Result<PlanId, ApiError> {
        let Parsed {
            plan,
            plans,
            places,
            keys,
            warnings,
        } = read_file(file_name, text, self.cwd.as_deref())?;
        unknown_names::refuse(self.app, &plan, &keys, file_name)?;
        for embedded in &plans {
            unknown_names::refuse(self.app, &embedded.plan, &embedded.keys, file_name)?;
        }
        self.warnings.extend(warnings);
        let place = Path::new(file_name);
        let path = place.canonicalize().unwrap_or_else(|_| place.to_path_buf());
        let file = PlanFile {
            name: file_name,
            path,
            plans,
        };
        self.import_plan(&file, &file.path, plan, &places, may_update)
    }

    /// Imports a plan of `file` after the plans that its nodes run.
    fn import_plan(
        &mut self,
        file: &PlanFile<'_>,
        path: &Path,
        mut plan: Plan,
        places: &SubPlanLocations,
        may_update: bool,
    ) -> Result<PlanId, ApiError> {
        self.open.push((path.to_path_buf(), plan.title.clone()));
        for node in &mut plan.nodes {
            let (title, at) = (node.title.clone(), places.get(&node.id).copied());
            let Some(task) = sub_plan(node) else { continue };
            let name = task.sub_plan_id.trim().to_owned();
            let child = match file.plans.iter().find(|plan| plan.name == name) {
                Some(embedded) => Some(self.import_embedded(file, embedded, at, may_update)?),
                None => self.import_referenced(file, at, &name, &title)?,
            };
            if let Some(child) = child {
                task.sub_plan_id = child.to_string();
            }
        }
        self.open.pop();
        self.queue_write(plan, may_update)
    }

    /// Imports a plan embedded in a file. It is recognized by the file and its name in it.
    fn import_embedded(
        &mut self,
        file: &PlanFile<'_>,
        embedded: &EmbeddedPlan,
        at: Option<SourceLocation>,
        may_update: bool,
    ) -> Result<PlanId, ApiError> {
        let path = PathBuf::from(format!("{}#{}", file.path.display(), embedded.name));
        if let Some(&plan) = self.known.get(&path) {
            return Ok(plan);
        }
        self.check_depth(&path)
            .map_err(|reason| file.fault(at, &reason.to_string()))?;
        let mut plan = embedded.plan.clone();
        plan.cwd = run_directory(file.name, plan.cwd.as_deref(), self.cwd.as_deref());
        plan.origin.source = Source::Import;
        plan.origin.source_id = file
            .folder()
            .map(|_| format!("{}#{}", file.name, embedded.name));
        let plan = self.import_plan(file, &path, plan, &embedded.places, may_update)?;
        self.known.insert(path, plan);
        self.sub_plans.push(plan);
        Ok(plan)
    }

    /// Imports the plan file `name`; `None` if it is an id or a title instead.
    fn import_referenced(
        &mut self,
        file: &PlanFile<'_>,
        at: Option<SourceLocation>,
        name: &str,
        node: &str,
    ) -> Result<Option<PlanId>, ApiError> {
        if Format::from_file_name(name).is_none() {
            return Ok(None);
        }
        let owner = self.open.last().map_or("", |(_, title)| title.as_str());
        let refused = |reason: String| {
            file.fault(at, &format!("'{node}' of '{owner}' runs {name}: {reason}"))
        };
        if !reading_rights::may_read_files(self.app) {
            return match self.is_title(name)? {
                true => Ok(None),
                false => Err(reading_rights::refusal(&format!("the plan file {name}"))),
            };
        }
        let Some(folder) = file.folder() else {
            let reason = "a plan file is looked up relative to this one, but this one was imported without its folder: \
                          import it by path";
            return if self.is_title(name)? {
                Ok(None)
            } else {
                Err(refused(reason.to_owned()))
            };
        };
        let path = match folder.join(name).canonicalize() {
            Ok(path) => path,
            Err(_) if self.is_title(name)? => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = folder.display();
                return Err(refused(format!(
                    "there is no such file in {folder}, and no plan with that title"
                )));
            }
            Err(error) => return Err(refused(error.to_string())),
        };
        if let Some(&plan) = self.known.get(&path) {
            return Ok(Some(plan));
        }
        self.check_depth(&path)
            .map_err(|reason| file.fault(at, &reason.to_string()))?;
        let text = read_text(&path).map_err(|error| refused(error.to_string()))?;
        let name = path
            .to_str()
            .ok_or_else(|| refused("its path isn't valid UTF-8".to_owned()))?;
        let plan = self.read(name, &text, true)?;
        self.known.insert(path, plan);
        self.sub_plans.push(plan);
        Ok(Some(plan))
    }

    /// Rejects recursion: a plan that runs itself would never end.
    fn check_depth(&self, path: &Path) -> Result<(), TooDeep> {
        let cycle_start = self.open.iter().position(|(open, _)| open == path);
        let titles = |from: usize| {
            self.open[from..]
                .iter()
                .map(|(_, title)| title.as_str())
                .collect::<Vec<_>>()
        };
        if let Some(first) = cycle_start {
            let mut titles = titles(first);
            titles.push(&self.open[first].1);
            let chain = titles.join(" → ");
            return Err(TooDeep::Cycle { chain });
        }
        if self.open.len() >= DEPTH_LIMIT {
            let chain = titles(0).join(" → ");
            return Err(TooDeep::Deep { chain });
        }
        Ok(())
    }

    fn is_title(&self, name: &str) -> Result<bool, ApiError> {
        Ok(self
            .app
            .store
            .plans()
            .list()?
            .rows
            .iter()
            .any(|plan| plan.title == name))
    }

    /// Determines what to store for `plan`, once its references are resolved.
    fn queue_write(&mut self, plan: Plan, may_update: bool) -> Result<PlanId, ApiError> {
        baton_planning::problems::refuse_unsavable(&plan)?;
        let earlier = if may_update {
            find_previous_import(self.app, &plan)?
        } else {
            None
        };
        let Some((record, old)) = earlier else {
            let id = plan.id;
            self.writes.push(PlanWrite::New(plan));
            return Ok(id);
        };
        let plan = merge_into_existing(&old, plan);
        if plan != old {
            self.writes.push(PlanWrite::Changed {
                plan,
                base_revision: record.revision,
            });
        }
        Ok(old.id)
    }
}

/// The plan previously imported from the same file.
fn find_previous_import(app: &App, plan: &Plan) -> Result<Option<(PlanRecord, Plan)>, ApiError> {
    let (Source::Import, Some(source)) = (plan.origin.source, &plan.origin.source_id) else {
        return Ok(None);
    };
    for row in app
        .store
        .plans()
        .list()?
        .rows
        .iter()
        .filter(|row| row.source == Source::Import)
    {
        let Some((record, old)) = baton_planning::plan_versions::skip_unreadable(
            app.store.plans().current(row.record.plan),
        )?
        else {
            continue;
        };
        if old.origin.source_id.as_ref() == Some(source) {
            return Ok(Some((record, old)));
        }
    }
    Ok(None)
}

/// Parses a file. Returns its plan, the working directory, and the parser's warnings.
fn read_file(file_name: &str, text: &str, cwd: Option<&str>) -> Result<Parsed, ApiError> {
    let mut parsed = plan_formats::parse(file_name, text)?;
    let plan = &mut parsed.plan;
    plan.cwd = run_directory(file_name, plan.cwd.as_deref(), cwd);
    if Path::new(file_name).is_absolute() && plan.origin.source_id.is_none() {
        plan.origin.source = Source::Import;
        plan.origin.source_id = Some(file_name.to_owned());
    }
    Ok(parsed)
}

/// The working directory of a plan: the caller's choice, the one in the file, or the file's folder.
fn run_directory(file_name: &str, written: Option<&str>, chosen: Option<&str>) -> Option<String> {
    let place = Path::new(file_name);
    let folder = place.parent().filter(|_| place.is_absolute());
    match (chosen, written, folder) {
        (Some(chosen), ..) => Some(chosen.to_owned()),
        (None, Some(written), Some(folder)) => {
            Some(absolute_path::normalize_path(&folder.join(written)))
        }
        (None, Some(written), None) if Path::new(written).is_absolute() => Some(written.to_owned()),
        (None, None, Some(folder)) => Some(absolute_path::normalize_path(folder)),
        (None, ..) => None,
    }
}

/// A plan file that is being imported.
struct PlanFile<'a> {
    name: &'a str,
    path: PathBuf,
    /// The plans embedded in the file.
    plans: Vec<EmbeddedPlan>,
}

impl PlanFile<'_> {
    /// The folder for resolving referenced files; `None` if the file came without one.
    fn folder(&self) -> Option<&Path> {
        let place = Path::new(self.name);
        place.parent().filter(|_| place.is_absolute())
    }

    /// A problem with a plan that is referenced at `at`.
    fn fault(&self, at: Option<SourceLocation>, reason: &str) -> ApiError {
        invalid(at.map_or_else(
            || reason.to_owned(),
            |at| format!("{}:{at}: {reason}", self.name),
        ))
    }
}

/// Why nested plans can't be imported, as a sentence to show to people.
#[derive(Debug, thiserror::Error)]
enum TooDeep {
    #[error("a plan would run itself: {chain}; change one of them to run another plan")]
    Cycle { chain: String },
    #[error("plans may be nested at most {DEPTH_LIMIT} levels deep: {chain} → …")]
    Deep { chain: String },
}

/// The field in which a node references the plan that it runs.
fn sub_plan(node: &mut Node) -> Option<&mut SubPlanTask> {
    match &mut node.kind {
        NodeKind::SubPlan(task)
        | NodeKind::Loop(LoopTask {
            body: LoopBody::Plan(task),
            ..
        }) => Some(task),
        _ => None,
    }
}

/// The content of `new` with the identity of `old`.
pub(crate) fn merge_into_existing(old: &Plan, mut new: Plan) -> Plan {
    let known: HashMap<&str, &Node> = old
        .nodes
        .iter()
        .map(|node| (node.slug.as_str(), node))
        .collect();
    let mut names: HashMap<NodeId, NodeId> = HashMap::new();
    for node in &mut new.nodes {
        if let Some(known) = known.get(node.slug.as_str()) {
            names.insert(node.id, known.id);
            node.position = known.position;
        }
    }
    new.rename_nodes(&names);
    let mut known: Vec<_> = old.groups.iter().collect();
    for group in &mut new.groups {
        if let Some(place) = known.iter().position(|known| known.title == group.title) {
            group.id = known.remove(place).id;
        }
    }
    Plan { id: old.id, ..new }
}

/// Why a file can't be imported, as a fragment to show to people.
#[derive(Debug, thiserror::Error)]
enum FileReadError {
    #[error("permission to read it was denied")]
    Forbidden,
    #[error("it is a directory")]
    Directory,
    #[error("it is larger than the limit of {} MB", SIZE_LIMIT / (1024 * 1024))]
    TooLarge,
    #[error("it isn't UTF-8 text; save it as UTF-8")]
    NoText,
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for FileReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Forbidden,
            io::ErrorKind::IsADirectory => Self::Directory,
            _ => Self::Io(error),
        }
    }
}

fn read_text(path: &Path) -> Result<String, FileReadError> {
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(SIZE_LIMIT + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > SIZE_LIMIT {
        return Err(FileReadError::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| FileReadError::NoText)
}

fn invalid(message: String) -> ApiError {
    ApiError::from_faults(Code::Invalid, "", vec![message])
}

#[cfg(test)]
mod tests;
