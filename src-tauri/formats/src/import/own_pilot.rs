//! OwnPilot: a stored plan with its steps, as its API answers it.
//!
//! The plan file's reader knows the plans and steps themselves. What is left to do here is to
//! unwrap the answer and to take away what a run has left in it.

use uuid::Uuid;

use super::fault::{ImportError, ImportFault};
use super::json;
use super::source_field::{self, IMPORT};
use super::status::SourceStatus;
use super::warning::{ImportWarning, ImportWarningKind};
use super::{ImportFormat, Imported, SourceFile};
use crate::plan_file::tree::{Entry, Located, ScalarKind, Value};
use crate::plan_file::{self, title_from_file_name};
use baton_model::plan::Source;

/// What a run has left in a plan.
const PLAN_STATE: [&str; 14] = [
    "id",
    "userId",
    "status",
    "currentStep",
    "totalSteps",
    "progress",
    "retryCount",
    "checkpoint",
    "error",
    "createdAt",
    "updatedAt",
    "startedAt",
    "completedAt",
    "message",
];
/// What a run has left in a step.
const STEP_STATE: [&str; 10] = [
    "planId",
    "status",
    "result",
    "error",
    "retryCount",
    "startedAt",
    "completedAt",
    "durationMs",
    "createdAt",
    "updatedAt",
];

pub(super) fn import(
    files: &[SourceFile],
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Vec<Imported>, ImportError> {
    files.iter().map(|file| import_file(file, ids)).collect()
}

fn import_file(file: &SourceFile, ids: &mut dyn FnMut() -> Uuid) -> Result<Imported, ImportError> {
    let root = unwrapped(json::parse(file)?);
    let statuses = step_statuses(&root);
    let root = without_state(root);
    let read = plan_file::read_tree(&root, &title_from_file_name(&file.path), ids);
    let (mut plan, found) = read.map_err(|faults| ImportError {
        faults: faults
            .into_iter()
            .map(|fault| ImportFault::new(&file.path, Some(fault.at), fault.kind.into()))
            .collect(),
    })?;
    let mut warnings: Vec<ImportWarning> = found
        .iter()
        .map(|warning| {
            let what = warning.kind.to_string();
            let kind = ImportWarningKind::LeftOut { what };
            ImportWarning::at(&file.path, warning.at.line, kind)
        })
        .collect();
    plan.origin.source = Source::Import;
    let mut finished = 0;
    for node in &mut plan.nodes {
        let slug = node.slug.to_string();
        let status = statuses
            .iter()
            .find(|(name, _)| *name == slug || *name == node.title);
        let mut import = serde_json::Map::new();
        import.insert("format".to_owned(), ImportFormat::OwnPilot.as_str().into());
        import.insert("id".to_owned(), slug.into());
        if let Some((_, status)) = status {
            import.extend(status.word().map(|word| ("status".to_owned(), word.into())));
            if status.is_finished() {
                node.disabled = true;
                finished += 1;
            }
        }
        source_field::remember_node(&mut import, node);
        node.metadata.insert(IMPORT.to_owned(), import.into());
    }
    let edges: Vec<serde_json::Value> = plan
        .edges
        .iter()
        .filter_map(|edge| {
            let slug = |node| plan.node(node).map(|node| node.slug.as_str());
            Some(serde_json::json!([slug(edge.parent)?, slug(edge.child)?]))
        })
        .collect();
    let tasks: Vec<&str> = plan.nodes.iter().map(|node| node.slug.as_str()).collect();
    let mut import = serde_json::Map::new();
    import.insert("format".to_owned(), ImportFormat::OwnPilot.as_str().into());
    import.insert("edges".to_owned(), edges.into());
    import.insert("tasks".to_owned(), tasks.into());
    source_field::remember_plan(&mut import, &plan);
    plan.metadata.insert(IMPORT.to_owned(), import.into());
    if finished > 0 {
        let kind = ImportWarningKind::Finished { count: finished };
        warnings.push(ImportWarning::of_plan(kind));
    }
    Ok(Imported {
        name: String::new(),
        plan,
        warnings,
    })
}

/// The plan in `{"data": …}`, `{"plan": {…}, "steps": […]}`, or as it is.
fn unwrapped(mut root: Located) -> Located {
    if let Some(data) = take(&mut root, "data") {
        return unwrapped(data);
    }
    let Some(mut plan) = take(&mut root, "plan") else {
        return root;
    };
    let steps = take(&mut root, "steps");
    if let (Value::Map(entries), Some(steps)) = (&mut plan.value, steps)
        && !entries.iter().any(|entry| entry.key == "steps")
    {
        entries.push(Entry {
            key: "steps".to_owned(),
            at: steps.at,
            value: steps,
        });
    }
    plan
}

/// Takes the value of `key` out of a mapping, if it is a mapping or a list.
fn take(root: &mut Located, key: &str) -> Option<Located> {
    let Value::Map(entries) = &mut root.value else {
        return None;
    };
    let at = entries
        .iter()
        .position(|entry| entry.key == key && !matches!(entry.value.value, Value::Scalar(..)))?;
    Some(entries.remove(at).value)
}

fn steps(root: &Located) -> &[Located] {
    let Value::Map(entries) = &root.value else {
        return &[];
    };
    match entries.iter().find(|entry| entry.key == "steps") {
        Some(Entry {
            value:
                Located {
                    value: Value::List(items),
                    ..
                },
            ..
        }) => items,
        _ => &[],
    }
}

/// The status of each step that has one, by its id or name.
fn step_statuses(root: &Located) -> Vec<(String, SourceStatus)> {
    let text = |step: &Located, key: &str| {
        let Value::Map(entries) = &step.value else {
            return None;
        };
        let entry = entries.iter().find(|entry| entry.key == key)?;
        match &entry.value.value {
            Value::Scalar(text, ScalarKind::Text) => Some(text.clone()),
            _ => None,
        }
    };
    steps(root)
        .iter()
        .filter_map(|step| {
            let name = text(step, "id").or_else(|| text(step, "name"))?;
            Some((name, SourceStatus::from_word(&text(step, "status")?)))
        })
        .collect()
}

fn without_state(mut root: Located) -> Located {
    let Value::Map(entries) = &mut root.value else {
        return root;
    };
    entries.retain(|entry| !PLAN_STATE.contains(&entry.key.as_str()));
    for entry in entries.iter_mut().filter(|entry| entry.key == "steps") {
        let Value::List(steps) = &mut entry.value.value else {
            continue;
        };
        for step in steps {
            if let Value::Map(entries) = &mut step.value {
                entries.retain(|entry| !STEP_STATE.contains(&entry.key.as_str()));
            }
        }
    }
    root
}
