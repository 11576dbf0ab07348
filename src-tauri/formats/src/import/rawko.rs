//! rawko: `.rawko/plans/<id>.yaml`, a task with steps that depend on each other by index.

use baton_model::node::Criterion;
use serde_json::Value;

use super::SourceFile;
use super::draft::{Dependency, Draft, Task};
use super::fault::ImportError;
use super::json::{self, Item, SourceFaults};
use super::status::SourceStatus;

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let mut drafts = Vec::new();
    for file in files {
        let is_plan = file.path.ends_with(".yaml") || file.path.ends_with(".yml");
        let is_current = file.path.ends_with("current-task.yaml");
        if !is_plan || is_current {
            continue;
        }
        let root = json::parse_yaml(&file.path, &file.text, 0)?;
        let mut faults = SourceFaults::default();
        let mut draft = draft(Item::new(&file.path, &root), &mut faults);
        faults.into_result(())?;
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        draft.name = name.split('.').next().unwrap_or(name).to_owned();
        drafts.push(draft);
    }
    if let [only] = &mut drafts[..] {
        only.name = String::new();
    }
    Ok(drafts)
}

fn draft(root: Item<'_>, faults: &mut SourceFaults) -> Draft {
    let mut draft = Draft {
        title: root
            .required("the plan", "task", faults)
            .unwrap_or_default(),
        ..Draft::default()
    };
    let created_by = root.text("createdBy", faults);
    draft.created_by = (!created_by.is_empty()).then_some(created_by);
    if let Some(metadata) = root.get("metadata") {
        let complexity = metadata.text("complexity", faults).parse().ok();
        draft.settings.complexity = complexity.filter(|level| (1..=10).contains(level));
        draft.settings.tags = metadata.texts("tags", faults);
        draft.settings.constraints = metadata.texts("constraints", faults);
        draft.informed_by = metadata.texts("informedByMemories", faults);
    }
    for (at, item) in root.list("steps", faults).into_iter().enumerate() {
        draft.tasks.extend(step(item, at, faults));
    }
    // A list without any dependency is worked on from its beginning to its end.
    let states_order = draft.tasks.iter().any(Task::states_dependencies);
    if !states_order {
        for at in 1..draft.tasks.len() {
            let before = Dependency::inferred(draft.tasks[at - 1].id.clone());
            draft.tasks[at].dependencies.push(before);
        }
    }
    draft
}

fn step(item: Item<'_>, at: usize, faults: &mut SourceFaults) -> Option<Task> {
    if !item.is_map() {
        item.wrong_type("a step", "a mapping with \"description\"", faults);
        return None;
    }
    let index = match item.text("index", faults) {
        index if index.is_empty() => at.to_string(),
        index => index,
    };
    let description = item.required(&format!("step {index}"), "description", faults)?;
    let dependencies = item.texts("dependsOn", faults).into_iter();
    let criteria = item.texts("acceptanceCriteria", faults).into_iter();
    let agent = item.text("suggestedAgent", faults);
    let mut task = Task {
        id: format!("step-{index}"),
        place: item.place(),
        title: description.clone(),
        prompt: description,
        instructions: item.text("instructions", faults),
        criteria: criteria.map(Criterion::Sentence).collect(),
        status: SourceStatus::from_word(&item.text("status", faults)),
        suggested_agent: (!agent.is_empty()).then_some(agent),
        dependencies: dependencies
            .map(|on| Dependency::stated(format!("step-{on}")))
            .collect(),
        ..Task::default()
    };
    let files = item.texts("affectedFiles", faults);
    if !files.is_empty() {
        task.remember("files", files);
    }
    for key in ["executedBy", "output", "error"] {
        let value = item.text(key, faults);
        if !value.is_empty() {
            task.remember(key, Value::from(value));
        }
    }
    Some(task)
}
