//! Plan files as plans of the store.
//!
//! A file that comes again may be the same plan: it is known by its absolute path, which the import keeps as the
//! plan's source. Unchanged content gives the plan as it is, with its approval; changed content is saved as
//! its next version, where nodes keep their identity by their slug and their place on the canvas. Whatever
//! was edited elsewhere meanwhile stays in the plan's earlier versions.
//!
//! A file may name other plan files as plans that its nodes run. They are taken in with it, each always as the plan
//! that came from there before, and nothing is stored unless all of them are right.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use baton_formats::plan_file::{EmbeddedPlan, Format, Place, SubPlanPlaces};
use baton_model::node::{LoopBody, LoopTask, NodeKind, SubPlanTask};
use baton_model::plan::Source;
use baton_model::{Node, NodeId, Plan, PlanId};
use baton_store::{PlanRecord, PlanWrite};

use crate::drawings::Parsed;
use crate::wire::*;
use crate::{ApiError, App, Code, drawings, plans, unknown_names};

/// The largest plan file that is read, in bytes: 10,000 nodes need about 5 MB.
const SIZE_LIMIT: u64 = 64 * 1024 * 1024;

/// The most plans that may stand in one another, as in a run.
const DEPTH_LIMIT: usize = 20;

/// Takes in a plan file as a new plan. Nothing of it is stored unless all of it is right.
pub(crate) fn import(app: &App, input: PlanImport) -> Result<PlanImported, ApiError> {
    take_in(app, &input, false)
}

/// Takes in a plan file, or finds the plan that came from there before.
pub(crate) fn bring(app: &App, input: PlanImport) -> Result<PlanImported, ApiError> {
    take_in(app, &input, true)
}

/// Shows what bringing a plan file would do. Stores nothing, also of the files that it names.
pub(crate) fn look(app: &App, input: PlanImport) -> Result<PlanLook, ApiError> {
    let cwd = input.cwd.as_deref().map(plans::absolute).transpose()?;
    let mut family = Family {
        app,
        cwd,
        ..Family::of(app)
    };
    let id = family.read(&input.file_name, &input.text, true)?;
    let sub_plans = u32::try_from(family.sub_plans.len()).unwrap_or(u32::MAX);
    let found = family.writes.into_iter().find_map(|write| match write {
        PlanWrite::New(plan) if plan.id == id => Some((plan, FileFate::New)),
        PlanWrite::Changed { plan, .. } if plan.id == id => Some((plan, FileFate::Changed)),
        _ => None,
    });
    let (plan, fate) = match found {
        Some(found) => found,
        None => (app.store.plans().current(id)?.1, FileFate::Same),
    };
    Ok(PlanLook {
        plan,
        fate,
        warnings: family.warnings,
        sub_plans,
    })
}

fn take_in(app: &App, input: &PlanImport, again: bool) -> Result<PlanImported, ApiError> {
    // Of two that bring a new file at once, the second finds the first one's plan.
    let _turn = app.turn()?;
    let cwd = input.cwd.as_deref().map(plans::absolute).transpose()?;
    let mut family = Family {
        app,
        cwd,
        ..Family::of(app)
    };
    let plan = family.read(&input.file_name, &input.text, again)?;
    app.store
        .plans()
        .write_together(&family.writes, &app.actor(), app.now())?;
    Ok(PlanImported {
        plan: plans::view(app, plan)?,
        warnings: family.warnings,
        sub_plans: family.sub_plans,
    })
}

/// A plan file and those that it names, as far as they are read.
struct Family<'a> {
    app: &'a App,
    /// Where all of them shall run, whatever they say.
    cwd: Option<String>,
    /// The plan of each file that is read to its end.
    known: HashMap<PathBuf, PlanId>,
    /// The files whose reading is not at its end, with their titles, each named by the one before.
    open: Vec<(PathBuf, String)>,
    writes: Vec<PlanWrite>,
    sub_plans: Vec<PlanId>,
    warnings: Vec<String>,
}

impl<'a> Family<'a> {
    fn of(app: &'a App) -> Self {
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

    /// Reads a file and those that it names, and finds out what is to be stored.
    fn read(&mut self, file_name: &str, text: &str, again: bool) -> Result<PlanId, ApiError> {
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
        self.member(&file, &file.path, plan, &places, again)
    }

    /// Settles a plan of `file`, and before it those that its nodes run.
    fn member(
        &mut self,
        file: &PlanFile<'_>,
        path: &Path,
        mut plan: Plan,
        places: &SubPlanPlaces,
        again: bool,
    ) -> Result<PlanId, ApiError> {
        self.open.push((path.to_path_buf(), plan.title.clone()));
        for node in &mut plan.nodes {
            let (title, at) = (node.title.clone(), places.get(&node.id).copied());
            let Some(task) = sub_plan(node) else { continue };
            let name = task.sub_plan_id.trim().to_owned();
            let child = match file.plans.iter().find(|plan| plan.name == name) {
                Some(embedded) => Some(self.embedded(file, embedded, at, again)?),
                None => self.child(file, at, &name, &title)?,
            };
            if let Some(child) = child {
                task.sub_plan_id = child.to_string();
            }
        }
        self.open.pop();
        self.settle(plan, again)
    }

    /// The plan that a file brings along. It is known again by the file and its name there.
    fn embedded(
        &mut self,
        file: &PlanFile<'_>,
        embedded: &EmbeddedPlan,
        at: Option<Place>,
        again: bool,
    ) -> Result<PlanId, ApiError> {
        let path = PathBuf::from(format!("{}#{}", file.path.display(), embedded.name));
        if let Some(&plan) = self.known.get(&path) {
            return Ok(plan);
        }
        self.refuse_depth(&path)
            .map_err(|reason| file.fault(at, &reason.to_string()))?;
        let mut plan = embedded.plan.clone();
        plan.cwd = directory(file.name, plan.cwd.as_deref(), self.cwd.as_deref());
        plan.origin.source = Source::Import;
        plan.origin.source_id = file
            .folder()
            .map(|_| format!("{}#{}", file.name, embedded.name));
        let plan = self.member(file, &path, plan, &embedded.places, again)?;
        self.known.insert(path, plan);
        self.sub_plans.push(plan);
        Ok(plan)
    }

    /// The plan of the file called `name`; `None` when that is no file but an id or a title.
    fn child(
        &mut self,
        file: &PlanFile<'_>,
        at: Option<Place>,
        name: &str,
        node: &str,
    ) -> Result<Option<PlanId>, ApiError> {
        if Format::of_file_name(name).is_none() {
            return Ok(None);
        }
        let owner = self.open.last().map_or("", |(_, title)| title.as_str());
        let refused = |reason: String| {
            file.fault(at, &format!("'{node}' of '{owner}' runs {name}: {reason}"))
        };
        let Some(folder) = file.folder() else {
            let reason = "a file that is named here is looked for beside this one, which came without its folder: import \
                          it by its path";
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
                    "there is no such file in {folder}, and no plan of that title"
                )));
            }
            Err(error) => return Err(refused(error.to_string())),
        };
        if let Some(&plan) = self.known.get(&path) {
            return Ok(Some(plan));
        }
        self.refuse_depth(&path)
            .map_err(|reason| file.fault(at, &reason.to_string()))?;
        let text = read_text(&path).map_err(|error| refused(error.to_string()))?;
        let name = path
            .to_str()
            .ok_or_else(|| refused("its path is not UTF-8 text".to_owned()))?;
        let plan = self.read(name, &text, true)?;
        self.known.insert(path, plan);
        self.sub_plans.push(plan);
        Ok(Some(plan))
    }

    /// A plan that would run itself never comes to its end.
    fn refuse_depth(&self, path: &Path) -> Result<(), TooDeep> {
        let again = self.open.iter().position(|(open, _)| open == path);
        let titles = |from: usize| {
            self.open[from..]
                .iter()
                .map(|(_, title)| title.as_str())
                .collect::<Vec<_>>()
        };
        if let Some(first) = again {
            let mut titles = titles(first);
            titles.push(&self.open[first].1);
            let chain = titles.join(" → ");
            return Err(TooDeep::Ring { chain });
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

    /// Decides what is to be stored of `plan`, which nothing else is to be asked about.
    fn settle(&mut self, plan: Plan, again: bool) -> Result<PlanId, ApiError> {
        baton_planning::problems::refuse_problems(&plan)?;
        let earlier = if again { self.earlier(&plan)? } else { None };
        let Some((record, old)) = earlier else {
            let id = plan.id;
            self.writes.push(PlanWrite::New(plan));
            return Ok(id);
        };
        let plan = merged(&old, plan);
        if plan != old {
            self.writes.push(PlanWrite::Changed {
                plan,
                base_revision: record.revision,
            });
        }
        Ok(old.id)
    }

    /// The plan that came from the same file before.
    fn earlier(&self, plan: &Plan) -> Result<Option<(PlanRecord, Plan)>, ApiError> {
        let (Source::Import, Some(source)) = (plan.origin.source, &plan.origin.source_id) else {
            return Ok(None);
        };
        for row in self
            .app
            .store
            .plans()
            .list()?
            .rows
            .iter()
            .filter(|row| row.source == Source::Import)
        {
            let Some((record, old)) = baton_planning::contents::readable(
                self.app.store.plans().current(row.record.plan),
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
}

/// The plan of a file, where it shall run, and what the reader noticed.
fn read_file(file_name: &str, text: &str, cwd: Option<&str>) -> Result<Parsed, ApiError> {
    let mut parsed = drawings::parse(file_name, text)?;
    let plan = &mut parsed.plan;
    plan.cwd = directory(file_name, plan.cwd.as_deref(), cwd);
    if Path::new(file_name).is_absolute() && plan.origin.source_id.is_none() {
        plan.origin.source = Source::Import;
        plan.origin.source_id = Some(file_name.to_owned());
    }
    Ok(parsed)
}

/// Where a plan of a file works: as somebody chose, as it says, or beside the file.
fn directory(file_name: &str, written: Option<&str>, chosen: Option<&str>) -> Option<String> {
    let place = Path::new(file_name);
    let folder = place.parent().filter(|_| place.is_absolute());
    match (chosen, written, folder) {
        (Some(chosen), ..) => Some(chosen.to_owned()),
        (None, Some(written), Some(folder)) => Some(plans::tidy(&folder.join(written))),
        (None, Some(written), None) if Path::new(written).is_absolute() => Some(written.to_owned()),
        (None, None, Some(folder)) => Some(plans::tidy(folder)),
        (None, ..) => None,
    }
}

/// A plan file that is being taken in.
struct PlanFile<'a> {
    name: &'a str,
    path: PathBuf,
    /// Those that it brings along.
    plans: Vec<EmbeddedPlan>,
}

impl PlanFile<'_> {
    /// Where files are looked for that it names; `None` when it came without its folder.
    fn folder(&self) -> Option<&Path> {
        let place = Path::new(self.name);
        place.parent().filter(|_| place.is_absolute())
    }

    /// A fault of a plan that one of its nodes names at `at`.
    fn fault(&self, at: Option<Place>, reason: &str) -> ApiError {
        invalid(at.map_or_else(
            || reason.to_owned(),
            |at| format!("{}:{at}: {reason}", self.name),
        ))
    }
}

/// Why plans do not stand in one another as a file says: a sentence for people.
#[derive(Debug, thiserror::Error)]
enum TooDeep {
    #[error("a plan would run itself: {chain}; let one of them run another plan")]
    Ring { chain: String },
    #[error("plans may stand {DEPTH_LIMIT} deep in one another, not deeper: {chain} → …")]
    Deep { chain: String },
}

/// Where a node names the plan that it runs.
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

/// The content of `new` under the identity of `old`.
fn merged(old: &Plan, mut new: Plan) -> Plan {
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

/// Why a file is not taken in: a fragment for people.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("it may not be read")]
    Forbidden,
    #[error("it is a directory")]
    Directory,
    #[error("it is larger than {} MB, which no plan is", SIZE_LIMIT / (1024 * 1024))]
    TooLarge,
    #[error("it is not UTF-8 text; save it as UTF-8")]
    NoText,
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Forbidden,
            io::ErrorKind::IsADirectory => Self::Directory,
            _ => Self::Io(error),
        }
    }
}

fn read_text(path: &Path) -> Result<String, Unreadable> {
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(SIZE_LIMIT + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > SIZE_LIMIT {
        return Err(Unreadable::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| Unreadable::NoText)
}

fn invalid(message: String) -> ApiError {
    ApiError::of_faults(Code::Invalid, "", vec![message])
}

#[cfg(test)]
mod tests;
