//! Marks tasks as done in the files that a plan was imported from.
//!
//! Only the mark of a check box or the value of `status` changes. Everything else stays as it is,
//! byte for byte. Tasks that are done in the file and not in the plan stay done.

mod check_box;
mod front_matter_status;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};

use baton_model::{Node, NodeId, Plan};
use uuid::Uuid;

use super::draft::{Draft, Place};
use super::source_field::{self, SourceField};
use super::{ImportError, ImportFormat, SourceFile, detect, plan_builder, read};

/// A file with tasks that are marked as done now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedFile {
    /// The path as it was given.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// The lines that are different, by number.
    pub lines: Vec<MarkedLine>,
}

/// A line with a task that is marked as done now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedLine {
    /// Counted from 1.
    pub number: usize,
    /// The line before, without its end.
    pub before: String,
    /// The line after, without its end.
    pub after: String,
}

/// Why no task can be marked as done.
#[derive(Debug, thiserror::Error)]
pub enum StatusBackError {
    /// The plan has no tasks of a file.
    #[error("the plan was not imported from a task list")]
    NotImported,
    /// Files of this format are not changed.
    #[error("status can't be written into {format} files")]
    Unsupported {
        /// What the plan was imported from.
        format: ImportFormat,
    },
    /// The files can't be read as a task list.
    #[error(transparent)]
    Unreadable(#[from] ImportError),
    /// The files have other plans.
    #[error("the files don't have the task list that the plan was imported from")]
    OtherList,
    /// The files no longer have these tasks.
    #[error("the files no longer have {}", tasks.join(", "))]
    MissingTasks {
        /// Their ids in the source.
        tasks: Vec<String>,
    },
    /// These tasks are about something else than they were at the import.
    #[error("changed since the import: {}", tasks.join(", "))]
    ChangedTasks {
        /// Their ids in the source.
        tasks: Vec<String>,
    },
    /// A task has nowhere to write its status.
    #[error("{path} has no place for the status of {task}")]
    NoPlace {
        /// The path of the file.
        path: String,
        /// The id of the task in the source.
        task: String,
    },
}

/// Marks the tasks of the nodes in `done` as done in `files`. Returns the files that change.
///
/// # Errors
///
/// Nothing is marked if a task is missing, or if its title or text is another one than at the import.
pub fn mark_done(
    plan: &Plan,
    done: &HashSet<NodeId>,
    files: &[SourceFile],
) -> Result<Vec<MarkedFile>, StatusBackError> {
    let origin = source_field::remembered(&plan.metadata).ok_or(StatusBackError::NotImported)?;
    let text = |key: &str| origin.get(key).and_then(serde_json::Value::as_str);
    let format = text("format")
        .and_then(|name| {
            let mut formats = ImportFormat::ALL.into_iter();
            formats.find(|format| format.as_str() == name)
        })
        .ok_or(StatusBackError::NotImported)?;
    if !has_marks(format) {
        return Err(StatusBackError::Unsupported { format });
    }
    let drafts = read(format, &detect::select(format, files))?;
    let draft = choose(drafts, text("name").unwrap_or_default())?;
    let wanted = plan.nodes.iter().filter(|node| done.contains(&node.id));
    let places = places(draft, format, wanted)?;
    write(files, format, &places)
}

/// Whether a task of this format has a mark in a file that people read.
fn has_marks(format: ImportFormat) -> bool {
    match format {
        ImportFormat::SpecKit
        | ImportFormat::OpenSpec
        | ImportFormat::Kiro
        | ImportFormat::Backlog => true,
        ImportFormat::TaskMaster
        | ImportFormat::Beads
        | ImportFormat::GithubIssues
        | ImportFormat::ClaudeTasks
        | ImportFormat::TodoList
        | ImportFormat::Rawko
        | ImportFormat::OwnPilot => false,
    }
}

/// The list with this name. A list that is read alone has no name.
fn choose(mut drafts: Vec<Draft>, name: &str) -> Result<Draft, StatusBackError> {
    if let Some(at) = drafts.iter().position(|draft| draft.name == name) {
        return Ok(drafts.swap_remove(at));
    }
    match drafts.pop() {
        Some(only) if drafts.is_empty() => Ok(only),
        _ => Err(StatusBackError::OtherList),
    }
}

/// Where a task stands that is to be marked as done.
struct TaskPlace {
    id: String,
    place: Place,
}

/// The places of the tasks of these nodes, without those that are finished in the files already.
fn places<'n>(
    draft: Draft,
    format: ImportFormat,
    nodes: impl Iterator<Item = &'n Node>,
) -> Result<Vec<TaskPlace>, StatusBackError> {
    let known: HashMap<String, (Place, bool)> = draft
        .tasks
        .iter()
        .map(|task| {
            let is_finished = task.status.is_finished();
            (task.id.clone(), (task.place.clone(), is_finished))
        })
        .collect();
    let mut next = 0_u128;
    let mut ids = || {
        next += 1;
        Uuid::from_u128(next)
    };
    let now = plan_builder::build(draft, format, &mut ids)?.plan;
    let now: HashMap<&str, &Node> = now
        .nodes
        .iter()
        .filter_map(|node| Some((source_id(node)?, node)))
        .collect();
    let (mut found, mut missing, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for node in nodes {
        let Some(id) = source_id(node) else { continue };
        match (known.get(id), now.get(id)) {
            (Some((_, true)), _) => {}
            (Some(_), Some(current)) if has_changed(node, current) => changed.push(id.to_owned()),
            (Some((place, false)), Some(_)) => found.push(TaskPlace {
                id: id.to_owned(),
                place: place.clone(),
            }),
            _ => missing.push(id.to_owned()),
        }
    }
    if !missing.is_empty() {
        return Err(StatusBackError::MissingTasks { tasks: missing });
    }
    if !changed.is_empty() {
        return Err(StatusBackError::ChangedTasks { tasks: changed });
    }
    Ok(found)
}

/// The id in the source; `None` for nodes that no import made.
fn source_id(node: &Node) -> Option<&str> {
    source_field::remembered(&node.metadata)?
        .get("id")?
        .as_str()
}

/// Whether the task is about something else than at the import. Unknown counts as unchanged.
fn has_changed(node: &Node, current: &Node) -> bool {
    let fields = |node| {
        let import = source_field::remembered(node)?;
        source_field::remembered_fields(import)
    };
    let (Some(then), Some(now)) = (fields(&node.metadata), fields(&current.metadata)) else {
        return false;
    };
    let is_content = |field: &SourceField| matches!(field, SourceField::Title | SourceField::Task);
    SourceField::ALL
        .iter()
        .zip(then.iter().zip(&now))
        .any(|(field, (then, now))| is_content(field) && then != now)
}

fn write(
    files: &[SourceFile],
    format: ImportFormat,
    places: &[TaskPlace],
) -> Result<Vec<MarkedFile>, StatusBackError> {
    let mut by_file: BTreeMap<&str, Vec<&TaskPlace>> = BTreeMap::new();
    for task in places {
        by_file.entry(&task.place.path).or_default().push(task);
    }
    let changed = files
        .iter()
        .filter_map(|file| Some((file, by_file.get(file.path.as_str())?)));
    changed
        .map(|(file, tasks)| mark_file(file, format, tasks))
        .collect()
}

fn mark_file(
    file: &SourceFile,
    format: ImportFormat,
    tasks: &[&TaskPlace],
) -> Result<MarkedFile, StatusBackError> {
    let mut lines: Vec<String> = file.text.split_inclusive('\n').map(str::to_owned).collect();
    let mut marked = Vec::new();
    for task in tasks {
        let no_place = || StatusBackError::NoPlace {
            path: file.path.clone(),
            task: task.id.clone(),
        };
        let at = match format {
            ImportFormat::Backlog => front_matter_status::find(&lines),
            _ => task.place.line.checked_sub(1),
        };
        let (at, line) = at
            .and_then(|at| Some((at, lines.get(at)?)))
            .ok_or_else(no_place)?;
        let after = match format {
            ImportFormat::Backlog => front_matter_status::done(line),
            _ => check_box::done(line),
        };
        let after = after.ok_or_else(no_place)?;
        let before = std::mem::replace(&mut lines[at], after);
        marked.push(MarkedLine {
            number: at + 1,
            before: without_end(&before),
            after: without_end(&lines[at]),
        });
    }
    Ok(MarkedFile {
        path: file.path.clone(),
        text: lines.concat(),
        lines: marked,
    })
}

fn without_end(line: &str) -> String {
    line.trim_end_matches(['\n', '\r']).to_owned()
}
