//! Task Master: `tasks.json`, with tags or without.
//!
//! Each tag becomes a plan. A task with subtasks becomes a group of them. Task ids are numbers or
//! texts; inside of a task, a number is a sibling first, and `"5.2"` is subtask 2 of task 5.

use std::collections::HashSet;

use baton_model::node::Criterion;

use super::SourceFile;
use super::draft::{Dependency, Draft, Task};
use super::fault::{ImportError, ImportFaultKind};
use super::json::{self, Item, SourceFaults, priority_from_word};
use super::status::SourceStatus;
use super::task_group::TaskGroup;

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let mut drafts = Vec::new();
    for file in files {
        let root = json::parse(file)?;
        let root = Item::new(&file.path, &root);
        let mut faults = SourceFaults::default();
        match root
            .get("tasks")
            .is_some_and(|tasks| tasks.items().is_some())
        {
            true => drafts.push(draft("", root, root, &mut faults)),
            false => drafts.extend(tags(root, &mut faults)),
        }
        faults.into_result(())?;
    }
    Ok(drafts)
}

fn tags(root: Item<'_>, faults: &mut SourceFaults) -> Vec<Draft> {
    if !root.is_map() {
        root.wrong_type("the file", "a mapping with \"tasks\" or with tags", faults);
    }
    let tags = root.entries().iter().map(|entry| entry.key.as_str());
    let tags = tags.filter_map(|tag| Some((tag, root.get(tag)?)));
    tags.filter(|(_, item)| item.is_map() && item.has("tasks"))
        .map(|(tag, item)| draft(tag, item, item, faults))
        .collect()
}

fn draft(tag: &str, of: Item<'_>, root: Item<'_>, faults: &mut SourceFaults) -> Draft {
    let metadata = of.get("metadata").or_else(|| root.get("meta"));
    let described = |key: &str, faults: &mut SourceFaults| {
        metadata.map_or_else(String::new, |metadata| metadata.text(key, faults))
    };
    let project = described("projectName", faults);
    let title = match (tag, project.as_str()) {
        ("", "") => "Task Master".to_owned(),
        ("", project) => project.to_owned(),
        ("master", "") => "Task Master".to_owned(),
        (tag, _) => tag.to_owned(),
    };
    let mut draft = Draft {
        name: tag.to_owned(),
        title,
        description: described("description", faults),
        ..Draft::default()
    };
    for item in of.list("tasks", faults) {
        read_task(item, &mut draft, faults);
    }
    draft
}

fn read_task(item: Item<'_>, draft: &mut Draft, faults: &mut SourceFaults) {
    let Some(task) = task(item, "", faults) else {
        return;
    };
    let subtasks = item.list("subtasks", faults);
    let mut task = task;
    let dependencies = item.list("dependencies", faults).into_iter();
    task.dependencies = dependencies
        .filter_map(|dependency| Some(Dependency::stated(reference(dependency, faults)?)))
        .collect();
    if subtasks.is_empty() {
        draft.tasks.push(task);
        return;
    }
    let parent = task.id.clone();
    let siblings: HashSet<&str> = subtasks
        .iter()
        .filter_map(|subtask| subtask.get("id")?.scalar())
        .map(local_id)
        .collect();
    let group = draft.groups.len();
    draft.groups.push(TaskGroup::from_task(task, None));
    for subtask in subtasks {
        let Some(mut task) = self::task(subtask, &parent, faults) else {
            continue;
        };
        task.group = Some(group);
        let dependencies = subtask.list("dependencies", faults).into_iter();
        task.dependencies = dependencies
            .filter_map(|dependency| {
                let on = reference(dependency, faults)?;
                // A text with a dot names its task; everything else is a sibling first.
                let is_sibling = !on.contains('.') && siblings.contains(on.as_str());
                Some(Dependency::stated(match is_sibling {
                    true => format!("{parent}.{on}"),
                    false => on,
                }))
            })
            .collect();
        draft.tasks.push(task);
    }
}

fn task(item: Item<'_>, parent: &str, faults: &mut SourceFaults) -> Option<Task> {
    if !item.is_map() {
        item.wrong_type("a task", "a mapping with \"id\" and \"title\"", faults);
        return None;
    }
    let own = item.required("a task", "id", faults)?;
    let id = match parent {
        "" => own,
        parent => format!("{parent}.{}", local_id(&own)),
    };
    let title = item.required(&format!("task {id}"), "title", faults)?;
    let test = item.text("testStrategy", faults);
    let criteria = match test.trim() {
        "" => Vec::new(),
        test => vec![Criterion::Sentence(test.to_owned())],
    };
    let mut task = Task {
        place: item.place(),
        title,
        description: item.text("description", faults),
        prompt: item.text("details", faults),
        criteria,
        status: SourceStatus::from_word(&item.text("status", faults)),
        priority: priority_from_word(&item.text("priority", faults)),
        id,
        ..Task::default()
    };
    if let Some(complexity) = item.get("complexity").and_then(Item::scalar) {
        task.remember("complexity", complexity);
    }
    Some(task)
}

/// A subtask's id within its task: old files have `"5.2"` there too.
fn local_id(id: &str) -> &str {
    id.rsplit('.').next().unwrap_or(id)
}

fn reference(item: Item<'_>, faults: &mut SourceFaults) -> Option<String> {
    // Newer files have mappings with more about the dependency.
    let found = item.get("id").unwrap_or(item).scalar();
    if found.is_none() {
        let kind = ImportFaultKind::WrongType {
            what: "a dependency".to_owned(),
            expected: "the id of a task",
            found: item.value.description(),
        };
        item.fault(kind, faults);
    }
    found.map(|id| id.trim().to_owned())
}
