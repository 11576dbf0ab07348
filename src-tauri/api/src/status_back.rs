//! Marks the tasks of finished nodes as done in the files that a plan was imported from.
//!
//! Only files below the plan's directory are changed, each in one step, and only if it is still as
//! it was read. A link that leads out of the directory is refused.

mod list_file;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use baton_formats::import::{MarkedFile, MarkedLine, SourceFile, StatusBackError, mark_done};
use baton_model::{NodeId, NodeState, Plan};

use crate::imports::folder::{self, project_of};
use crate::wire::*;
use crate::{ApiError, App, Code, absolute_path, run_lookup};

/// Writes the status, or shows what would be written.
pub(crate) fn write(app: &App, input: PlanStatusBack) -> Result<PlanStatusWritten, ApiError> {
    let (_, plan) = app.store.plans().current(input.plan)?;
    let root = directory(&plan)?;
    let list = TaskListFiles::read(&list_path(&plan, input.path.as_deref())?, &root)?;
    let (done, unverified) = finished(app, &plan)?;
    let marked = mark_done(&plan, &done, &list.files).map_err(refusal)?;
    let files: Vec<(PathBuf, &MarkedFile)> = marked
        .iter()
        .map(|file| {
            Ok((
                list_file::within(&list.project.join(&file.path), &root)?,
                file,
            ))
        })
        .collect::<Result<_, ApiError>>()?;
    if !input.preview {
        for (path, file) in &files {
            list_file::replace(path, list.text_of(file), &file.text)?;
        }
    }
    Ok(PlanStatusWritten {
        files: files.into_iter().map(view).collect(),
        unverified,
    })
}

/// The directory that the plan runs in, without links.
fn directory(plan: &Plan) -> Result<PathBuf, ApiError> {
    let Some(directory) = &plan.cwd else {
        return Err(ApiError::new(Code::Refused, "the plan has no directory")
            .with_fix("set the directory that the plan runs in"));
    };
    Path::new(directory).canonicalize().map_err(|error| {
        let message = format!("the directory {directory} can't be read: {error}");
        ApiError::new(Code::Unavailable, message)
    })
}

/// The task list that the caller names, or the one that the plan was imported from.
fn list_path(plan: &Plan, given: Option<&str>) -> Result<PathBuf, ApiError> {
    if let Some(given) = given {
        return Ok(PathBuf::from(absolute_path::absolute(given)?));
    }
    let source = plan.origin.source_id.as_deref().ok_or_else(|| {
        ApiError::new(Code::BadInput, "where the plan's task list is isn't known")
            .with_fix("name the task list or the folder that it is in")
    })?;
    let whole = Path::new(source);
    // The name of the plan in its list follows the path.
    let file = source.rsplit_once('#').map_or(source, |(file, _)| file);
    Ok(match whole.exists() {
        true => whole.to_path_buf(),
        false => PathBuf::from(file),
    })
}

/// The files of a task list, with paths relative to their project.
struct TaskListFiles {
    project: PathBuf,
    files: Vec<SourceFile>,
}

impl TaskListFiles {
    fn read(path: &Path, root: &Path) -> Result<Self, ApiError> {
        let path = list_file::within(path, root)?;
        let project = project_of(&path, path.is_dir());
        let files = match path.is_dir() {
            true => folder::read(&path, &project).map_err(|error| {
                let message = format!("the folder can't be read: {error}");
                ApiError::new(Code::Unavailable, message)
            })?,
            false => vec![SourceFile {
                path: below(&path, &project),
                text: list_file::read(&path)?,
            }],
        };
        Ok(Self { project, files })
    }

    fn text_of(&self, marked: &MarkedFile) -> &str {
        let mut files = self.files.iter();
        let found = files.find(|file| file.path == marked.path);
        found.map_or("", |file| &file.text)
    }
}

fn below(path: &Path, project: &Path) -> String {
    let parts = path.strip_prefix(project).unwrap_or(path).iter();
    let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// The nodes that are done in the plan's last run, and how many more are done but unverified.
fn finished(app: &App, plan: &Plan) -> Result<(HashSet<NodeId>, u32), ApiError> {
    let runs = app.store.runs().list(Some(plan.id), 1)?.rows;
    let Some(run) = runs.first() else {
        return Err(
            ApiError::new(Code::Refused, "the plan has no run").with_fix("run the plan first")
        );
    };
    let (mut done, mut unverified) = (HashSet::new(), 0);
    for (node, row) in run_lookup::node_states(app, run.id)? {
        match row.state {
            NodeState::Done { .. } if row.unverified => unverified += 1,
            NodeState::Done { .. } if !row.stale => _ = done.insert(node),
            _ => {}
        }
    }
    Ok((done, unverified))
}

fn refusal(error: StatusBackError) -> ApiError {
    let message = error.to_string();
    match error {
        StatusBackError::Unreadable(_) => {
            let faults = message.lines().map(str::to_owned).collect();
            ApiError::from_faults(Code::Invalid, "", faults)
        }
        StatusBackError::MissingTasks { .. } | StatusBackError::ChangedTasks { .. } => {
            ApiError::new(Code::Conflict, message)
                .with_fix("import the list again with `baton plan import --update`")
        }
        StatusBackError::NotImported | StatusBackError::Unsupported { .. } => {
            ApiError::new(Code::Refused, message)
                .with_fix("use it for plans from spec-kit, OpenSpec, Kiro or Backlog.md")
        }
        StatusBackError::OtherList => ApiError::new(Code::Refused, message)
            .with_fix("name the task list that the plan was imported from"),
        StatusBackError::NoPlace { .. } => ApiError::new(Code::Refused, message)
            .with_fix("add a status to the task, then try again"),
    }
}

fn view((path, file): (PathBuf, &MarkedFile)) -> MarkedFileView {
    let line = |line: &MarkedLine| MarkedLineView {
        number: u32::try_from(line.number).unwrap_or(u32::MAX),
        before: line.before.clone(),
        after: line.after.clone(),
    };
    MarkedFileView {
        path: path.display().to_string(),
        lines: file.lines.iter().map(line).collect(),
    }
}
