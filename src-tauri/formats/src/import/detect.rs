//! Recognizes whose task lists files are, by their content.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fault::{ImportError, ImportFault, ImportFaultKind};
use super::{ImportFormat, SourceFile, markdown, todo_list};

/// The format of a source; `None` if it has no task list that Baton knows. Files of several formats
/// in one folder are a fault.
pub fn detect(files: &[SourceFile]) -> Result<Option<ImportFormat>, ImportError> {
    let found: BTreeSet<&'static str> = files
        .iter()
        .filter_map(|file| content_format(file, files))
        .map(ImportFormat::as_str)
        .collect();
    let formats: Vec<ImportFormat> = ImportFormat::ALL
        .into_iter()
        .filter(|format| found.contains(format.as_str()))
        .collect();
    match formats[..] {
        [] => Ok(None),
        [format] => Ok(Some(format)),
        _ => {
            let kind = ImportFaultKind::Ambiguous { formats };
            Err(ImportFault::new(folder(files), None, kind).into())
        }
    }
}

fn folder(files: &[SourceFile]) -> &str {
    let path = files.first().map_or("", |file| file.path.as_str());
    path.split('/').next().unwrap_or(path)
}

/// The files of a source that its reader needs. A file that doesn't fit is kept if its name says
/// that it belongs there, so that its fault is told.
pub(super) fn select(format: ImportFormat, files: &[SourceFile]) -> Vec<SourceFile> {
    if let [_] = files {
        return files.to_vec();
    }
    let belongs = |file: &&SourceFile| {
        content_format(file, files) == Some(format) || is_companion(format, &file.path)
    };
    files.iter().filter(belongs).cloned().collect()
}

fn is_companion(format: ImportFormat, path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    match format {
        ImportFormat::SpecKit | ImportFormat::Kiro => name.ends_with(".md"),
        ImportFormat::OpenSpec => name.ends_with(".md") || name == ".openspec.yaml",
        ImportFormat::Backlog => {
            let is_task = folders.rsplit('/').next() == Some("tasks") && name.ends_with(".md");
            is_task || matches!(name, "config.yml" | "config.yaml")
        }
        ImportFormat::GithubIssues => {
            matches!(name, "sub_issues.json" | "blocked_by.json")
        }
        ImportFormat::ClaudeTasks => {
            let number = name.strip_suffix(".json");
            number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
        }
        ImportFormat::TaskMaster
        | ImportFormat::Beads
        | ImportFormat::TodoList
        | ImportFormat::Rawko
        | ImportFormat::OwnPilot => false,
    }
}

/// The format of one of `files`.
pub(super) fn content_format(file: &SourceFile, files: &[SourceFile]) -> Option<ImportFormat> {
    let (_, extension) = file.path.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "json" => json_format(file),
        "jsonl" => jsonl_format(file),
        "md" | "markdown" => markdown_format(file, files),
        "yaml" | "yml" => rawko_format(file),
        _ => None,
    }
}

fn json_format(file: &SourceFile) -> Option<ImportFormat> {
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let first = match &value {
        Value::Array(items) => match items.first() {
            Some(Value::Array(page)) => page.first().unwrap_or(&Value::Null),
            Some(item) => item,
            None => &Value::Null,
        },
        value => value,
    };
    let has = |key: &str| first.get(key).is_some();
    if has("baton") || has("nodes") {
        return None;
    }
    let has_tasks = |value: &Value| value.get("tasks").is_some_and(Value::is_array);
    let is_tagged = || {
        let tags = value.as_object().into_iter().flat_map(|tags| tags.values());
        tags.into_iter().any(has_tasks)
    };
    if has("number") && has("title") {
        Some(ImportFormat::GithubIssues)
    } else if has("subject") && has("id") {
        Some(ImportFormat::ClaudeTasks)
    } else if is_own_pilot(&value) {
        Some(ImportFormat::OwnPilot)
    } else if todo_list::has_list(file) {
        Some(ImportFormat::TodoList)
    } else {
        (has_tasks(&value) || is_tagged()).then_some(ImportFormat::TaskMaster)
    }
}

/// A plan with what a run has left in it. One without is a plan file.
fn is_own_pilot(value: &Value) -> bool {
    if let Some(data) = value.get("data") {
        return is_own_pilot(data) || data.get("steps").is_some_and(Value::is_array);
    }
    let plan = value.get("plan").filter(|plan| plan.is_object());
    let steps = value.get("steps").or_else(|| plan?.get("steps"));
    let is_stored = ["status", "currentStep", "userId", "totalSteps"]
        .iter()
        .any(|key| plan.unwrap_or(value).get(key).is_some());
    steps.is_some_and(Value::is_array)
        && (plan.is_some() || value.get("name").is_some() && is_stored)
}

fn jsonl_format(file: &SourceFile) -> Option<ImportFormat> {
    let first = file.text.lines().find(|line| !line.trim().is_empty())?;
    let value: Value = serde_json::from_str(first).ok()?;
    let has = |key: &str| value.get(key).is_some();
    // Issues of GitHub have an id as well.
    if has("number") && has("title") {
        return Some(ImportFormat::GithubIssues);
    }
    if has("id") && has("title") {
        return Some(ImportFormat::Beads);
    }
    todo_list::has_list(file).then_some(ImportFormat::TodoList)
}

/// Whether a document with front matter is a plan file, which may have `id` and `title` like a task
/// of Backlog.md. A person may have added steps to such a task as well.
fn is_plan_document(yaml: &str, body: &str) -> bool {
    let lines = markdown::lines(body, 1);
    let plain = lines.iter().filter(|line| !line.is_verbatim);
    let headings: Vec<&str> = plain
        .filter_map(|line| markdown::heading(line.text))
        .filter_map(|(level, text)| (level == 2).then_some(text))
        .collect();
    let has = |name: &str| headings.contains(&name);
    let is_task = has("Description") || has("Acceptance Criteria") || has("Implementation Plan");
    let begins = |start: &str| yaml.lines().any(|line| line.starts_with(start));
    begins("baton:") || has("Steps") && (begins("id: PLAN-") || !is_task)
}

fn markdown_format(file: &SourceFile, files: &[SourceFile]) -> Option<ImportFormat> {
    if let Some((yaml, body, _)) = markdown::front_matter(&file.text) {
        let has = |key: &str| yaml.lines().any(|line| line.starts_with(key));
        let is_task = has("id:") && has("title:") && !is_plan_document(yaml, body);
        return is_task.then_some(ImportFormat::Backlog);
    }
    let lines = markdown::lines(&file.text, 1);
    let plain = || lines.iter().filter(|line| !line.is_verbatim);
    let boxes: Vec<_> = plain()
        .filter_map(|line| markdown::checkbox(line.text))
        .collect();
    let number = |text: &str| {
        text.split(char::is_whitespace)
            .next()
            .unwrap_or("")
            .to_owned()
    };
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let is_spec_kit = |word: &str| word.strip_prefix('T').is_some_and(digits);
    if boxes
        .iter()
        .any(|found| is_spec_kit(number(found.text).trim_end_matches(':')))
    {
        return Some(ImportFormat::SpecKit);
    }
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    if name != "tasks.md" && files.len() > 1 {
        return None;
    }
    let is_top = |word: &str| word.strip_suffix('.').is_some_and(digits);
    let is_below = |word: &str| {
        word.split_once('.')
            .is_some_and(|(group, task)| digits(group) && digits(task))
    };
    let has_heading = plain().any(|line| {
        markdown::heading(line.text)
            .is_some_and(|(level, text)| level == 2 && is_top(&number(text)))
    });
    let has_proposal = files.iter().any(|other| {
        other
            .path
            .strip_suffix("proposal.md")
            .is_some_and(|above| above.trim_end_matches('/') == folder)
    });
    if !boxes.is_empty() && has_proposal
        || has_heading && boxes.iter().any(|found| is_below(&number(found.text)))
    {
        return Some(ImportFormat::OpenSpec);
    }
    let is_kiro = boxes.iter().any(|found| is_top(&number(found.text)));
    is_kiro.then_some(ImportFormat::Kiro)
}

fn rawko_format(file: &SourceFile) -> Option<ImportFormat> {
    let has = |key: &str| file.text.lines().any(|line| line.starts_with(key));
    (has("task:") && has("steps:") && !has("baton:")).then_some(ImportFormat::Rawko)
}
