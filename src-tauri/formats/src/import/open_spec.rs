//! OpenSpec: a change folder with `proposal.md`, `design.md`, `tasks.md` and `specs/*/spec.md`.
//! A folder of changes gives a plan for each.

use std::collections::BTreeMap;

use baton_model::node::Criterion;

use super::SourceFile;
use super::draft::{Dependency, Draft, Place, Task};
use super::fault::ImportError;
use super::json::{self, Item, SourceFaults};
use super::markdown::{self, Line};
use super::task_group::TaskGroup;
use super::warning::{ImportWarning, ImportWarningKind};

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let mut changes: BTreeMap<&str, &SourceFile> = BTreeMap::new();
    for file in files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let is_archived = folder.split('/').any(|folder| folder == "archive");
        if (name == "tasks.md" || files.len() == 1) && !is_archived {
            changes.insert(folder, file);
        }
    }
    let several = changes.len() > 1;
    let changes = changes.into_iter();
    changes
        .map(|(folder, list)| {
            let mut draft = change(folder, list, files)?;
            if several {
                draft.name = last(folder).to_owned();
            }
            Ok(draft)
        })
        .collect()
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn change(folder: &str, list: &SourceFile, files: &[SourceFile]) -> Result<Draft, ImportError> {
    let mut draft = Draft {
        title: last(folder).to_owned(),
        ..Draft::default()
    };
    read_tasks(list, &mut draft);
    let mut criteria = Vec::new();
    let mut documents = Vec::new();
    for file in files {
        let rest = match folder {
            "" => Some(file.path.as_str()),
            folder => file
                .path
                .strip_prefix(folder)
                .and_then(|rest| rest.strip_prefix('/')),
        };
        match rest {
            Some("proposal.md") => {
                describe(file, &mut draft);
                documents.push(&file.path);
            }
            Some("design.md") => documents.push(&file.path),
            Some(".openspec.yaml") => read_metadata(file, &mut draft)?,
            Some(path) if path.starts_with("specs/") && path.ends_with("/spec.md") => {
                criteria.extend(scenarios(&file.text));
                documents.push(&file.path);
            }
            _ => {}
        }
    }
    if !documents.is_empty() {
        let named: Vec<_> = documents.iter().map(|path| format!("- {path}")).collect();
        let list = format!("Read these documents first:\n{}", named.join("\n"));
        draft.description = match draft.description.is_empty() {
            true => list,
            false => format!("{}\n\n{list}", draft.description),
        };
    }
    // The change as a whole must meet them, so they belong to its end.
    match draft
        .groups
        .iter_mut()
        .rev()
        .find(|group| !group.id.is_empty())
    {
        Some(group) => group.criteria.extend(criteria),
        None => {
            if let Some(task) = draft.tasks.last_mut() {
                task.criteria.extend(criteria);
            }
        }
    }
    Ok(draft)
}

fn read_tasks(file: &SourceFile, draft: &mut Draft) {
    let lines = markdown::lines(&file.text, 1);
    let mut in_group: Option<usize> = None;
    let mut last_group: Option<String> = None;
    let mut previous: Option<String> = None;
    for line in lines.iter().filter(|line| !line.is_verbatim) {
        if let Some((2, text)) = markdown::heading(line.text) {
            in_group = Some(draft.groups.len());
            previous = None;
            draft.groups.push(group(text, file, line));
        } else if let Some(found) = markdown::checkbox(line.text) {
            let mut task = task(found.text, file, line);
            task.status = found.status();
            task.group = in_group;
            if let Some(at) = in_group
                && previous.is_none()
            {
                let group = &mut draft.groups[at];
                let before = last_group.replace(group.id.clone());
                group.dependencies = before.into_iter().map(Dependency::inferred).collect();
            }
            let before = previous.replace(task.id.clone());
            task.dependencies = before.into_iter().map(Dependency::inferred).collect();
            draft.tasks.push(task);
        } else if let (Some(task), true) = (draft.tasks.last_mut(), line.text.starts_with("  ")) {
            task.prompt = format!("{}\n{}", task.prompt, line.text);
        }
    }
    // A heading without tasks is no group.
    let used: Vec<bool> = (0..draft.groups.len())
        .map(|at| draft.tasks.iter().any(|task| task.group == Some(at)))
        .collect();
    for (group, used) in draft.groups.iter_mut().zip(used) {
        if !used {
            group.id = String::new();
        }
    }
    let mut number = 0;
    let places: Vec<Option<usize>> = draft
        .groups
        .iter()
        .map(|group| {
            let place = (!group.id.is_empty()).then_some(number);
            number += usize::from(place.is_some());
            place
        })
        .collect();
    draft.groups.retain(|group| !group.id.is_empty());
    for task in &mut draft.tasks {
        task.group = task.group.and_then(|at| places[at]);
    }
}

/// `## 1. Database`
fn group(text: &str, file: &SourceFile, line: &Line<'_>) -> TaskGroup {
    let number = text.split_once('.').map(|(number, _)| number.trim());
    let number = number.filter(|number| number.chars().all(|c| c.is_ascii_digit()));
    TaskGroup {
        id: match number {
            Some(number) if !number.is_empty() => format!("group-{number}"),
            _ => format!("group-line-{}", line.number),
        },
        place: Place::new(&file.path, line.number),
        title: text.to_owned(),
        ..TaskGroup::default()
    }
}

/// `1.1 Add a table`; a task without a number is named by its line.
fn task(text: &str, file: &SourceFile, line: &Line<'_>) -> Task {
    let (number, rest) = text.split_once(char::is_whitespace).unwrap_or(("", text));
    let number = number.trim_end_matches('.');
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let (id, title) = match is_number {
        true => (number.to_owned(), rest.trim()),
        false => (format!("line-{}", line.number), text),
    };
    let mut task = Task {
        id,
        place: Place::new(&file.path, line.number),
        title: title.to_owned(),
        prompt: title.to_owned(),
        ..Task::default()
    };
    let files = markdown::file_paths(title);
    if !files.is_empty() {
        task.remember("files", files);
    }
    task
}

fn describe(file: &SourceFile, draft: &mut Draft) {
    let lines = markdown::lines(&file.text, 1);
    let title = lines
        .iter()
        .find_map(|line| match markdown::heading(line.text) {
            Some((1, text)) if !line.is_verbatim => Some(text),
            _ => None,
        });
    if let Some(title) = title {
        let name = ["Proposal:", "Change:"]
            .into_iter()
            .find_map(|label| title.strip_prefix(label))
            .unwrap_or(title);
        if !["proposal", "change"].contains(&name.trim().to_lowercase().as_str()) {
            draft.title = name.trim().to_owned();
        }
    }
    draft.description = markdown::section(&lines, "Why").unwrap_or_default();
}

fn read_metadata(file: &SourceFile, draft: &mut Draft) -> Result<(), ImportError> {
    let root = json::parse_yaml(&file.path, &file.text, 0)?;
    let item = Item::new(&file.path, &root);
    let mut faults = SourceFaults::default();
    for on in item.texts("dependsOn", &mut faults) {
        let kind = ImportWarningKind::OtherPlan { on };
        draft.warnings.push(ImportWarning::at(&file.path, 1, kind));
    }
    faults.into_result(())
}

/// Each scenario of each requirement that is added or changed, as a sentence.
fn scenarios(text: &str) -> Vec<Criterion> {
    let mut requirement = String::new();
    let mut is_removed = false;
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in markdown::lines(text, 1) {
        match markdown::heading(line.text).filter(|_| !line.is_verbatim) {
            Some((2, heading)) => is_removed = heading.to_uppercase().starts_with("REMOVED"),
            Some((3, heading)) => {
                requirement = heading.trim_start_matches("Requirement:").trim().to_owned();
            }
            Some((4, heading)) if !is_removed => {
                let scenario = heading.trim_start_matches("Scenario:").trim();
                found.push((format!("{requirement}, {scenario}"), Vec::new()));
            }
            Some(_) => {}
            None if is_removed => {}
            None => {
                let step = line.text.trim().trim_start_matches(['-', '*', ' ']);
                let step = step.replace("**", "");
                let is_step = ["WHEN", "THEN", "AND", "GIVEN"]
                    .iter()
                    .any(|word| step.starts_with(word));
                if let Some((_, steps)) = found.last_mut().filter(|_| is_step) {
                    steps.push(step);
                }
            }
        }
    }
    found
        .into_iter()
        .filter(|(_, steps)| !steps.is_empty())
        .map(|(name, steps)| Criterion::Sentence(format!("{name}: {}", steps.join(" "))))
        .collect()
}
