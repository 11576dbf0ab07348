//! Backlog.md: a folder of task files with front matter.

use super::SourceFile;
use super::draft::{Dependency, Draft, Place, Task, criteria_from_lines};
use super::fault::{ImportError, ImportFault, ImportFaultKind};
use super::json::{self, Item, SourceFaults, priority_from_word};
use super::markdown;
use super::status::SourceStatus;
use crate::plan_file::SourceLocation;

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let mut draft = Draft {
        title: "Backlog".to_owned(),
        ..Draft::default()
    };
    let mut faults = SourceFaults::default();
    let mut read: Vec<(Option<f64>, Task, Option<String>)> = Vec::new();
    for file in files {
        if is_config(&file.path) {
            title_from_config(file, &mut draft);
            continue;
        }
        if !file.path.ends_with(".md") || is_other_document(&file.path) {
            continue;
        }
        match task(file, &mut faults) {
            Ok(Some(found)) if is_finished_folder(&file.path) => {
                draft.finished_elsewhere.push(found.1.id);
            }
            Ok(Some(found)) => read.push(found),
            Ok(None) => {}
            Err(error) => faults.extend(error),
        }
    }
    faults.into_result(())?;
    read.sort_by(|(one, ..), (other, ..)| {
        let order = |ordinal: &Option<f64>| ordinal.unwrap_or(f64::INFINITY);
        order(one).total_cmp(&order(other))
    });
    let parents: Vec<Option<String>> = read.iter().map(|(.., parent)| parent.clone()).collect();
    draft.tasks = read.into_iter().map(|(_, task, _)| task).collect();
    draft.group_by_parent(&parents);
    Ok(vec![draft])
}

fn is_config(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("config.yml" | "config.yaml"))
}

/// Folders of Backlog.md with documents that aren't tasks.
fn is_other_document(path: &str) -> bool {
    let others = ["docs", "decisions", "drafts", "milestones"];
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| others.contains(&folder))
}

fn is_finished_folder(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| matches!(folder, "completed" | "archive"))
}

fn title_from_config(file: &SourceFile, draft: &mut Draft) {
    // The configuration has nothing else that a plan needs, so its faults don't matter.
    if let Ok(root) = json::parse_yaml(&file.path, &file.text, 0)
        && let Some(name) = Item::new(&file.path, &root).get("project_name")
        && let Some(name) = name.scalar()
    {
        draft.title = name.to_owned();
    }
}

/// The task with its position and its parent; `None` for a document without front matter.
#[expect(clippy::type_complexity, reason = "named by the doc comment")]
fn task(
    file: &SourceFile,
    faults: &mut SourceFaults,
) -> Result<Option<(Option<f64>, Task, Option<String>)>, ImportError> {
    let Some((yaml, body, lines_before)) = markdown::front_matter(&file.text) else {
        let kind = ImportFaultKind::MissingKey {
            owner: "the task".to_owned(),
            key: "id",
        };
        let at = Some(SourceLocation::START);
        return Err(ImportFault::new(&file.path, at, kind).into());
    };
    let root = json::parse_yaml(&file.path, yaml, 1)?;
    let item = Item::new(&file.path, &root);
    let Some(id) = item.required("the task", "id", faults) else {
        return Ok(None);
    };
    let id = normalized(&id);
    let document = markdown::lines(body, lines_before + 1);
    let section = |name: &str| markdown::section(&document, name).unwrap_or_default();
    let mut criteria = criteria(&section("Acceptance Criteria"));
    criteria.extend(self::criteria(&section("Definition of Done")));
    let dependencies = item.texts("dependencies", faults).into_iter();
    let mut task = Task {
        place: Place::new(&file.path, 1),
        title: item
            .required(&format!("task {id}"), "title", faults)
            .unwrap_or_default(),
        prompt: section("Description"),
        instructions: section("Implementation Plan"),
        criteria,
        status: SourceStatus::from_word(&item.text("status", faults)),
        priority: priority_from_word(&item.text("priority", faults)),
        dependencies: dependencies
            .map(|on| Dependency::stated(normalized(&on)))
            .collect(),
        id,
        ..Task::default()
    };
    let labels = item.texts("labels", faults);
    if !labels.is_empty() {
        task.remember("labels", labels);
    }
    let ordinal = item.text("ordinal", faults).parse().ok();
    let parent = item.text("parent_task_id", faults);
    let parent = (!parent.is_empty()).then(|| normalized(&parent));
    Ok(Some((ordinal, task, parent)))
}

/// Ids are compared without case: files have `TASK-12` and `task-12`.
fn normalized(id: &str) -> String {
    id.trim().to_ascii_lowercase()
}

/// The boxes of a section, without their numbers: `- [ ] #1 text`.
fn criteria(section: &str) -> Vec<baton_model::node::Criterion> {
    let boxes = section.lines().filter_map(markdown::checkbox);
    let texts = boxes.map(|found| {
        let numbered = found.text.strip_prefix('#').and_then(|rest| {
            let (number, text) = rest.split_once(char::is_whitespace)?;
            number.chars().all(|c| c.is_ascii_digit()).then_some(text)
        });
        numbered.unwrap_or(found.text).trim().to_owned()
    });
    texts.flat_map(|text| criteria_from_lines(&text)).collect()
}
