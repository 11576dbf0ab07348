//! Kiro: `.kiro/specs/<name>/tasks.md`.
//!
//! `- [ ] 1. Title` with subtasks `- [ ] 1.1 Title`, details as bullets below them, and sometimes a
//! JSON block with `waves`: lists of ids that run together. Subtasks may be missing from the waves.

use std::collections::HashSet;

use serde_json::Value;

use super::draft::{Dependency, Draft, Place, Task};
use super::fault::ImportError;
use super::markdown::{self, Line};
use super::{ImportFormat, SourceFile, detect};

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let lists: Vec<&SourceFile> = files
        .iter()
        .filter(|file| {
            files.len() == 1 || detect::content_format(file, files) == Some(ImportFormat::Kiro)
        })
        .collect();
    let several = lists.len() > 1;
    let named = |file: &&SourceFile| {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.rsplit('/').next().unwrap_or(folder).to_owned()
    };
    let mut drafts = Vec::new();
    for file in lists {
        let mut draft = draft(file, named(&file));
        let beside = files.iter().filter(|other| {
            let folder = file.path.strip_suffix("tasks.md").unwrap_or_default();
            ["requirements.md", "design.md"]
                .iter()
                .any(|name| other.path == format!("{folder}{name}"))
        });
        let documents: Vec<_> = beside.map(|other| format!("- {}", other.path)).collect();
        if !documents.is_empty() {
            draft.description = format!("Read these documents first:\n{}", documents.join("\n"));
        }
        if several {
            draft.name = named(&file);
        }
        drafts.push(draft);
    }
    Ok(drafts)
}

fn draft(file: &SourceFile, folder: String) -> Draft {
    let lines = markdown::lines(&file.text, 1);
    let title = match folder.as_str() {
        "" => "Kiro tasks".to_owned(),
        _ => folder,
    };
    let mut draft = Draft {
        title,
        ..Draft::default()
    };
    for line in lines.iter().filter(|line| !line.is_verbatim) {
        match (numbered(file, line), draft.tasks.last_mut()) {
            (Some(task), _) => draft.tasks.push(task),
            (None, Some(task)) if line.text.starts_with([' ', '\t']) => add_detail(line, task),
            _ => {}
        }
    }
    let order = order(&lines);
    let parents: Vec<Option<String>> = draft
        .tasks
        .iter()
        .map(|task| {
            task.id
                .rsplit_once('.')
                .map(|(parent, _)| parent.to_owned())
        })
        .collect();
    draft.group_by_parent(&parents);
    match order {
        Some(waves) => apply_waves(&waves, &mut draft),
        None => apply_order(&HashSet::new(), &mut draft),
    }
    draft
}

/// `- [ ] 1. Title` or `- [ ] 1.1 Title`
fn numbered(file: &SourceFile, line: &Line<'_>) -> Option<Task> {
    let found = markdown::checkbox(line.text)?;
    let (number, title) = found.text.split_once(char::is_whitespace)?;
    let number = number.trim_end_matches('.');
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_number.then(|| Task {
        id: number.to_owned(),
        place: Place::new(&file.path, line.number),
        title: title.trim().to_owned(),
        prompt: title.trim().to_owned(),
        status: found.status(),
        ..Task::default()
    })
}

fn add_detail(line: &Line<'_>, task: &mut Task) {
    let text = line.text.trim();
    let bare = text.trim_start_matches(['-', '*', ' ']).trim_matches('_');
    match bare.strip_prefix("Requirements:") {
        Some(requirements) => {
            let named: Vec<&str> = requirements
                .split(',')
                .map(|name| name.trim().trim_matches('_'))
                .filter(|name| !name.is_empty())
                .collect();
            task.remember("requirements", named);
        }
        None if !text.is_empty() => task.prompt = format!("{}\n{text}", task.prompt),
        None => {}
    }
}

/// The waves of the JSON block, if there is one.
fn order(lines: &[Line<'_>]) -> Option<Vec<Vec<String>>> {
    let mut block: Option<String> = None;
    for line in lines {
        let is_fence = line.text.trim_start().starts_with("```");
        match &mut block {
            None if is_fence => block = Some(String::new()),
            Some(text) if is_fence => {
                if let Some(waves) = waves(text) {
                    return Some(waves);
                }
                block = None;
            }
            Some(text) => {
                text.push_str(line.text);
                text.push('\n');
            }
            None => {}
        }
    }
    None
}

fn waves(text: &str) -> Option<Vec<Vec<String>>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let id = |id: &Value| match id {
        Value::String(id) => Some(id.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let wave = |wave: &Value| {
        wave.as_array()
            .map(|ids| ids.iter().filter_map(id).collect())
    };
    value.get("waves")?.as_array()?.iter().map(wave).collect()
}

/// The file states the order of waves. What they leave out follows its neighbors.
fn apply_waves(waves: &[Vec<String>], draft: &mut Draft) {
    let named: HashSet<String> = waves.iter().flatten().cloned().collect();
    for pair in waves.windows(2) {
        let before: Vec<Dependency> = pair[0].iter().map(Dependency::stated).collect();
        for id in &pair[1] {
            if let Some(task) = draft.task_mut(id) {
                task.dependencies.extend(before.iter().cloned());
            } else if let Some(group) = draft.groups.iter_mut().find(|group| group.id == *id) {
                group.dependencies.extend(before.iter().cloned());
            }
        }
    }
    apply_order(&named, draft);
}

/// Tasks that `named` leaves out follow the task before them: subtasks in their group, others among
/// the tasks at the top.
fn apply_order(named: &HashSet<String>, draft: &mut Draft) {
    let siblings = |one: &str, other: &str| {
        let above = |id: &str| id.rsplit_once('.').map(|(above, _)| above.to_owned());
        above(one) == above(other)
    };
    let mut all: Vec<(usize, String)> = draft
        .tasks
        .iter()
        .map(|task| (task.place.line, task.id.clone()))
        .chain(
            draft
                .groups
                .iter()
                .map(|group| (group.place.line, group.id.clone())),
        )
        .collect();
    all.sort_unstable();
    for at in 0..all.len() {
        let id = &all[at].1;
        let before = all[..at]
            .iter()
            .rev()
            .find(|(_, other)| siblings(id, other));
        let Some((_, before)) = before.filter(|_| !named.contains(id)) else {
            continue;
        };
        let dependency = Dependency::inferred(before);
        if let Some(task) = draft.task_mut(id) {
            task.dependencies.push(dependency);
        } else if let Some(group) = draft.groups.iter_mut().find(|group| group.id == *id) {
            group.dependencies.push(dependency);
        }
    }
}
