//! The tasks of a source, before they become a plan.

use baton_model::node::{Criterion, TriggerRule};
use baton_model::plan::PlanSettings;
use serde_json::{Map, Value};

use super::status::SourceStatus;
use super::task_group::TaskGroup;
use super::warning::ImportWarning;

/// One plan of a source.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Its name within the source; empty if the source has only one plan.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) settings: PlanSettings,
    pub(super) created_by: Option<String>,
    pub(super) informed_by: Vec<String>,
    pub(super) tasks: Vec<Task>,
    pub(super) groups: Vec<TaskGroup>,
    pub(super) warnings: Vec<ImportWarning>,
    /// Ids of finished tasks that are not part of the plan.
    pub(super) finished_elsewhere: Vec<String>,
}

/// A task of a source, which becomes a node.
#[derive(Debug, Default)]
pub(super) struct Task {
    /// Its id in the source, unique in the plan. Groups share the namespace.
    pub(super) id: String,
    pub(super) place: Place,
    pub(super) title: String,
    pub(super) description: String,
    /// What to do; the title if empty.
    pub(super) prompt: String,
    pub(super) instructions: String,
    pub(super) criteria: Vec<Criterion>,
    pub(super) status: SourceStatus,
    pub(super) priority: Option<u8>,
    /// The index of its group.
    pub(super) group: Option<usize>,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) trigger_rule: Option<TriggerRule>,
    pub(super) suggested_agent: Option<String>,
    /// More to remember in `metadata.import`.
    pub(super) remembered: Map<String, Value>,
}

/// Where a task stands in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) line: usize,
}

impl Place {
    pub(super) fn new(path: &str, line: usize) -> Self {
        Self {
            path: path.to_owned(),
            line,
        }
    }
}

/// A dependency on a task or a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dependency {
    /// The id of the task or group.
    pub(super) on: String,
    pub(super) kind: DependencyKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DependencyKind {
    /// The source says so.
    Stated,
    /// It only follows from the order of tasks.
    Inferred,
    /// Related, but nothing to wait for.
    Soft,
}

impl Dependency {
    pub(super) fn stated(on: impl Into<String>) -> Self {
        Self {
            on: on.into(),
            kind: DependencyKind::Stated,
        }
    }

    pub(super) fn inferred(on: impl Into<String>) -> Self {
        Self {
            on: on.into(),
            kind: DependencyKind::Inferred,
        }
    }
}

impl Task {
    /// The task in messages.
    pub(super) fn label(&self) -> String {
        format!("task {}", self.id)
    }

    pub(super) fn states_dependencies(&self) -> bool {
        self.dependencies
            .iter()
            .any(|dependency| dependency.kind == DependencyKind::Stated)
    }

    pub(super) fn remember(&mut self, key: &str, value: impl Into<Value>) {
        self.remembered.insert(key.to_owned(), value.into());
    }
}

impl Draft {
    pub(super) fn task_mut(&mut self, id: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.id == id)
    }
}

/// Lines of a text that become one criterion each, without their bullets.
pub(super) fn criteria_from_lines(text: &str) -> Vec<Criterion> {
    text.lines()
        .map(|line| {
            let line = line.trim();
            let line = line.strip_prefix(['-', '*', '+']).unwrap_or(line).trim();
            let unboxed = ["[ ]", "[x]", "[X]"];
            let line = unboxed
                .iter()
                .find_map(|mark| line.strip_prefix(mark))
                .unwrap_or(line);
            line.trim().to_owned()
        })
        .filter(|line| !line.is_empty())
        .map(Criterion::Sentence)
        .collect()
}
