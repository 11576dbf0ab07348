//! beads: `issues.jsonl`, an issue a line. Newer versions keep issues in a database; `bd export`
//! writes the same lines.

use baton_model::node::TriggerRule;

use super::SourceFile;
use super::draft::{Dependency, DependencyKind, Draft, Task, criteria_from_lines};
use super::fault::ImportError;
use super::json::{self, Item, SourceFaults};
use super::status::SourceStatus;
use super::warning::{ImportWarning, ImportWarningKind};
use crate::plan_file::tree::Located;

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let mut draft = Draft {
        title: "Issues".to_owned(),
        ..Draft::default()
    };
    let mut faults = SourceFaults::default();
    let mut parents = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".jsonl")) {
        for (at, line) in file.text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match issue_line(file, at, line) {
                Ok(root) => {
                    let item = Item::new(&file.path, &root);
                    if let Some((task, parent)) = issue(item, &mut draft, &mut faults) {
                        draft.tasks.push(task);
                        parents.push(parent);
                    }
                }
                Err(error) => faults.extend(error),
            }
        }
    }
    faults.into_result(())?;
    draft.group_by_parent(&parents);
    Ok(vec![draft])
}

/// JSON is YAML, but its reader is stricter and faster. Only the line number has to be moved.
fn issue_line(file: &SourceFile, at: usize, line: &str) -> Result<Located, ImportError> {
    let alone = SourceFile {
        path: file.path.clone(),
        text: line.to_owned(),
    };
    let number = at + 1;
    match json::parse(&alone) {
        Ok(mut root) => {
            move_to_line(&mut root, number);
            Ok(root)
        }
        Err(mut error) => {
            for fault in &mut error.faults {
                if let Some(place) = &mut fault.at {
                    place.line = number;
                }
            }
            Err(error)
        }
    }
}

fn move_to_line(located: &mut Located, line: usize) {
    use crate::plan_file::tree::Value;
    located.at.line = line;
    match &mut located.value {
        Value::Scalar(..) => {}
        Value::List(items) => items.iter_mut().for_each(|item| move_to_line(item, line)),
        Value::Map(entries) => {
            for entry in entries {
                entry.at.line = line;
                move_to_line(&mut entry.value, line);
            }
        }
    }
}

/// The issue and the id of its parent. Deleted issues are left out.
fn issue(
    item: Item<'_>,
    draft: &mut Draft,
    faults: &mut SourceFaults,
) -> Option<(Task, Option<String>)> {
    if !item.is_map() {
        item.wrong_type("a line", "an issue with \"id\" and \"title\"", faults);
        return None;
    }
    let id = item.required("an issue", "id", faults)?;
    let title = item.required(&format!("issue {id}"), "title", faults)?;
    let status = item.text("status", faults);
    if status == "tombstone" {
        draft.finished_elsewhere.push(id);
        return None;
    }
    let mut task = Task {
        place: item.place(),
        title,
        prompt: item.text("description", faults),
        instructions: item.text("design", faults),
        criteria: criteria_from_lines(&item.text("acceptance_criteria", faults)),
        status: SourceStatus::from_word(&status),
        priority: priority(&item.text("priority", faults)),
        id,
        ..Task::default()
    };
    for key in ["issue_type", "estimated_minutes"] {
        let value = item.text(key, faults);
        if !value.is_empty() {
            task.remember(key, value);
        }
    }
    let labels = item.texts("labels", faults);
    if !labels.is_empty() {
        task.remember("labels", labels);
    }
    let parent = dependencies(item, &mut task, draft, faults);
    Some((task, parent))
}

/// From 0, the highest, to 4.
fn priority(word: &str) -> Option<u8> {
    let level: u8 = word.parse().ok().filter(|level| *level <= 4)?;
    Some([10, 8, 5, 3, 1][usize::from(level)])
}

fn dependencies(
    item: Item<'_>,
    task: &mut Task,
    draft: &mut Draft,
    faults: &mut SourceFaults,
) -> Option<String> {
    let mut parent = None;
    let mut rules = Vec::new();
    for dependency in item.list("dependencies", faults) {
        let Some(on) = dependency.required("a dependency", "depends_on_id", faults) else {
            continue;
        };
        let kind = dependency.text("type", faults);
        let rule = match kind.as_str() {
            "parent-child" => {
                parent = Some(on);
                continue;
            }
            "blocks" | "" => Some(TriggerRule::AllSuccess),
            "conditional-blocks" => Some(TriggerRule::OneFailed),
            "waits-for" => Some(TriggerRule::AllDone),
            _ => None,
        };
        let kind = match rule {
            Some(_) => DependencyKind::Stated,
            None => DependencyKind::Soft,
        };
        task.dependencies.push(Dependency { on, kind });
        rules.extend(rule);
    }
    rules.sort_unstable_by_key(|rule| *rule as u8);
    rules.dedup();
    task.trigger_rule = match rules[..] {
        [] | [TriggerRule::AllSuccess] => None,
        [rule] => Some(rule),
        _ => {
            let kind = ImportWarningKind::MixedRules {
                task: task.label(),
                rule: "all_success",
            };
            let place = &task.place;
            draft
                .warnings
                .push(ImportWarning::at(&place.path, place.line, kind));
            None
        }
    };
    parent
}
