//! Claude Code tasks: `~/.claude/tasks/<session>/<n>.json`, a task a file. Most sessions leave their
//! edges empty; then the order of the tasks is inferred.

use std::collections::HashMap;

use super::SourceFile;
use super::draft::{Dependency, Draft, Task};
use super::fault::ImportError;
use super::json::{self, Item, SourceFaults};
use super::status::SourceStatus;

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let mut faults = SourceFaults::default();
    let mut draft = Draft {
        title: "Claude Code tasks".to_owned(),
        ..Draft::default()
    };
    let mut blocks: Vec<(String, String)> = Vec::new();
    for file in files.iter().filter(|file| is_task_file(&file.path)) {
        let root = json::parse(file)?;
        let root = Item::new(&file.path, &root);
        match root.items() {
            Some(items) => items.for_each(|item| {
                draft.tasks.extend(task(item, &mut blocks, &mut faults));
            }),
            None => draft.tasks.extend(task(root, &mut blocks, &mut faults)),
        }
    }
    faults.into_result(())?;
    // Files are listed by name, in which 10 comes before 2.
    draft
        .tasks
        .sort_by_key(|task| task.id.parse::<u64>().unwrap_or(u64::MAX));
    let places: HashMap<String, usize> = draft
        .tasks
        .iter()
        .enumerate()
        .map(|(at, task)| (task.id.clone(), at))
        .collect();
    for (parent, child) in blocks {
        if let Some(&at) = places.get(&child) {
            let dependency = Dependency::stated(parent);
            if !draft.tasks[at].dependencies.contains(&dependency) {
                draft.tasks[at].dependencies.push(dependency);
            }
        }
    }
    infer_order(&mut draft);
    Ok(vec![draft])
}

/// Everything but hidden files, such as the lock beside the tasks.
fn is_task_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with(".json") && !name.starts_with('.')
}

fn task(
    item: Item<'_>,
    blocks: &mut Vec<(String, String)>,
    faults: &mut SourceFaults,
) -> Option<Task> {
    if !item.is_map() {
        item.wrong_type("a task", "a mapping with \"id\" and \"subject\"", faults);
        return None;
    }
    let id = item.required("a task", "id", faults)?;
    let title = item.required(&format!("task {id}"), "subject", faults)?;
    let status = item.text("status", faults);
    let children = item.texts("blocks", faults).into_iter();
    blocks.extend(children.map(|child| (id.clone(), child)));
    let parents = item.texts("blockedBy", faults).into_iter();
    (status != "deleted").then(|| Task {
        id,
        place: item.place(),
        title,
        prompt: item.text("description", faults),
        status: SourceStatus::from_word(&status),
        dependencies: parents.map(Dependency::stated).collect(),
        ..Task::default()
    })
}

/// Tasks without any stated dependency were written down in the order of work.
pub(super) fn infer_order(draft: &mut Draft) {
    if draft.tasks.iter().any(Task::states_dependencies) {
        return;
    }
    for at in 1..draft.tasks.len() {
        let before = Dependency::inferred(draft.tasks[at - 1].id.clone());
        draft.tasks[at].dependencies.push(before);
    }
}
