//! spec-kit: `specs/<feature>/tasks.md`.
//!
//! `- [ ] T014 [P] [US1] Text in path (depends on T012, T013)` below `## Phase N: …`. Phases before
//! the first story block everything after them, stories are independent of each other, and what
//! follows the stories waits for all of them. In a phase, `[P]` tasks run side by side and the
//! others in their order. What a task says itself wins over all of that.

use std::collections::HashMap;

use baton_model::node::Criterion;

use super::draft::{Dependency, Draft, Place, Task};
use super::fault::ImportError;
use super::markdown::{self, Line};
use super::task_group::TaskGroup;
use super::{ImportFormat, SourceFile, detect};

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let is_list = |file: &&SourceFile| {
        files.len() == 1 || detect::content_format(file, files) == Some(ImportFormat::SpecKit)
    };
    let lists: Vec<&SourceFile> = files.iter().filter(is_list).collect();
    let several = lists.len() > 1;
    Ok(lists
        .into_iter()
        .map(|file| {
            let mut draft = draft(file);
            if several {
                draft.name = feature(&file.path);
            }
            draft.description = documents(file, files);
            draft
        })
        .collect())
}

const OTHER_DOCUMENTS: [&str; 6] = [
    "spec.md",
    "plan.md",
    "research.md",
    "data-model.md",
    "quickstart.md",
    "constitution.md",
];

fn feature(path: &str) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.rsplit('/').next().unwrap_or(folder).to_owned()
}

/// The specification stays in the project; agents read it there.
fn documents(list: &SourceFile, files: &[SourceFile]) -> String {
    let folder = list.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = files.iter().filter(|file| {
        let (other, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        other == folder && OTHER_DOCUMENTS.contains(&name)
    });
    let named: Vec<_> = beside.map(|file| format!("- {}", file.path)).collect();
    match named.is_empty() {
        true => String::new(),
        false => format!("Read these documents first:\n{}", named.join("\n")),
    }
}

fn draft(file: &SourceFile) -> Draft {
    let lines = markdown::lines(&file.text, 1);
    let mut draft = Draft {
        title: feature(&file.path),
        ..Draft::default()
    };
    let mut phases: Vec<Phase> = Vec::new();
    for line in lines.iter().filter(|line| !line.is_verbatim) {
        if let Some((level, text)) = markdown::heading(line.text) {
            match level {
                1 => draft.title = title(text),
                2 => phases.extend(begin_phase(text, file, line, &mut draft)),
                _ => {}
            }
        } else if let Some((task, is_parallel)) = task(file, line) {
            let phase = phases.last_mut();
            let at = draft.tasks.len();
            if let Some(phase) = phase {
                phase.add(at, is_parallel, &task);
            }
            draft.tasks.push(Task {
                group: phases.last().map(|phase| phase.group),
                ..task
            });
        } else if let Some(group) = phases.last().map(|phase| phase.group) {
            describe(line, &mut draft.groups[group]);
        }
    }
    order_tasks(&phases, &mut draft);
    order_phases(&phases, &mut draft);
    draft
}

fn title(heading: &str) -> String {
    let name = heading.strip_prefix("Tasks:").unwrap_or(heading);
    name.trim().to_owned()
}

/// A phase and the order in it.
struct Phase {
    group: usize,
    is_story: bool,
    /// Tasks that start together.
    steps: Vec<Vec<usize>>,
    last_is_parallel: bool,
}

impl Phase {
    fn add(&mut self, task: usize, is_parallel: bool, read: &Task) {
        self.is_story |= read.remembered.contains_key("story");
        match self.steps.last_mut() {
            Some(step) if is_parallel && self.last_is_parallel => step.push(task),
            _ => self.steps.push(vec![task]),
        }
        self.last_is_parallel = is_parallel;
    }
}

/// `None` for headings without tasks of their own, such as "Dependencies".
fn begin_phase(text: &str, file: &SourceFile, line: &Line<'_>, draft: &mut Draft) -> Option<Phase> {
    let group = draft.groups.len();
    let id = match phase_number(text) {
        Some(number) => format!("phase-{number}"),
        None => format!("phase-line-{}", line.number),
    };
    let taken = draft.groups.iter().any(|group| group.id == id);
    let id = if taken {
        format!("{id}-line-{}", line.number)
    } else {
        id
    };
    draft.groups.push(TaskGroup {
        id,
        place: Place::new(&file.path, line.number),
        title: text.to_owned(),
        ..TaskGroup::default()
    });
    Some(Phase {
        group,
        is_story: text.to_lowercase().contains("user story"),
        steps: Vec::new(),
        last_is_parallel: false,
    })
}

fn phase_number(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("Phase ")?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '.');
    let number = &rest[..end.unwrap_or(rest.len())];
    (!number.is_empty()).then_some(number)
}

/// A task, and whether it may run beside its neighbors.
fn task(file: &SourceFile, line: &Line<'_>) -> Option<(Task, bool)> {
    let found = markdown::checkbox(line.text)?;
    let (id, mut rest) = found.text.split_once(char::is_whitespace)?;
    let id = id.trim_end_matches([':', '.']);
    let digits = id.strip_prefix('T')?;
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let mut task = Task {
        id: id.to_owned(),
        place: Place::new(&file.path, line.number),
        status: found.status(),
        ..Task::default()
    };
    let mut is_parallel = false;
    while let Some((mark, after)) = mark(rest) {
        match mark {
            "P" => is_parallel = true,
            mark => task.remember("story", mark),
        }
        rest = after;
    }
    rest = rest.trim();
    task.dependencies = explicit(rest);
    task.title = rest.to_owned();
    task.prompt = rest.to_owned();
    let files = markdown::file_paths(rest);
    if !files.is_empty() {
        task.remember("files", files);
    }
    Some((task, is_parallel))
}

/// A leading `[P]` or `[US1]`.
fn mark(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim_start().strip_prefix('[')?;
    let (mark, after) = inner.split_once(']')?;
    let is_mark = mark == "P" || mark.starts_with("US") && mark.len() < 8;
    is_mark.then_some((mark, after))
}

/// The ids in `(depends on T012, T013)`.
fn explicit(text: &str) -> Vec<Dependency> {
    let lower = text.to_ascii_lowercase();
    let Some(start) = lower.find("depends on ") else {
        return Vec::new();
    };
    let rest = text.get(start + "depends on ".len()..).unwrap_or_default();
    let words = rest.split([')', '.', ';']).next().unwrap_or_default();
    let words = words.split(|c: char| !c.is_ascii_alphanumeric());
    let is_id = |word: &&str| {
        word.strip_prefix('T')
            .is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
    };
    words.filter(is_id).map(Dependency::stated).collect()
}

fn describe(line: &Line<'_>, group: &mut TaskGroup) {
    let after = |label: &str| {
        let rest = line.text.trim().strip_prefix(label)?;
        Some(rest.trim_start_matches([':', '*', ' ']).trim().to_owned())
    };
    if let Some(goal) = after("**Goal") {
        group.context = format!("Goal of this phase: {goal}");
    } else if let Some(test) = after("**Independent Test").or_else(|| after("**Checkpoint"))
        && !test.is_empty()
    {
        group.criteria.push(Criterion::Sentence(test));
    }
}

fn order_tasks(phases: &[Phase], draft: &mut Draft) {
    for phase in phases {
        for pair in phase.steps.windows(2) {
            let before: Vec<String> = pair[0]
                .iter()
                .map(|&at| draft.tasks[at].id.clone())
                .collect();
            for &at in &pair[1] {
                let task = &mut draft.tasks[at];
                if !task.states_dependencies() {
                    task.dependencies
                        .extend(before.iter().cloned().map(Dependency::inferred));
                }
            }
        }
    }
}

/// Phases without tasks have no place in the order.
fn order_phases(phases: &[Phase], draft: &mut Draft) {
    let phases: Vec<&Phase> = phases
        .iter()
        .filter(|phase| !phase.steps.is_empty())
        .collect();
    let ids: HashMap<usize, String> = phases
        .iter()
        .map(|phase| (phase.group, draft.groups[phase.group].id.clone()))
        .collect();
    let last_story = phases.iter().rposition(|phase| phase.is_story);
    let mut before: Vec<usize> = Vec::new();
    let mut stories: Vec<usize> = Vec::new();
    for (at, phase) in phases.iter().enumerate() {
        let waits_for: &[usize] = &before;
        let dependencies = waits_for
            .iter()
            .map(|group| Dependency::inferred(&ids[group]));
        draft.groups[phase.group].dependencies = dependencies.collect();
        let is_among_stories = phase.is_story && last_story.is_some_and(|last| at <= last);
        if is_among_stories {
            stories.push(phase.group);
            if Some(at) == last_story {
                before = std::mem::take(&mut stories);
            }
        } else {
            before = vec![phase.group];
        }
    }
}
