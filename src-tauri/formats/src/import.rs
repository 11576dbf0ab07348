//! Plans from the task lists of other programs.
//!
//! [`import()`] reads the texts of one source: a file, or a folder with the files that belong
//! together. Each plan in it becomes an [`Imported`] plan whose nodes remember the ids of the
//! source, so that [`update()`] can apply a later import of the same source to a plan that a person
//! has edited meanwhile.
//!
//! No edge is invented. An edge that only follows from the order of tasks is inferred
//! ([`baton_model::Edge::inferred`]) and waits for confirmation. Nothing of a source becomes a
//! command.

mod backlog;
mod beads;
mod claude_tasks;
mod detect;
mod draft;
mod fault;
mod github;
mod json;
mod kiro;
mod markdown;
mod open_spec;
mod own_pilot;
mod plan_builder;
mod rawko;
mod source_field;
mod spec_kit;
mod status;
mod status_back;
mod task_group;
mod task_master;
#[cfg(test)]
mod tests;
mod todo_list;
mod update;
mod warning;

use std::fmt;

use baton_model::Plan;
use uuid::Uuid;

pub use detect::detect;
use draft::Draft;
pub use fault::{ImportError, ImportFault, ImportFaultKind};
pub use source_field::SourceField;
pub use status::UnknownStatus;
pub use status_back::{MarkedFile, MarkedLine, StatusBackError, mark_done};
pub use update::{Updated, update};
pub use warning::{ImportWarning, ImportWarningKind};

/// The maximum size of one file, in bytes.
pub const FILE_SIZE_LIMIT: usize = 10 * 1024 * 1024;
/// The maximum number of tasks of one plan.
pub const TASK_LIMIT: usize = 10_000;
/// The maximum number of edges of one plan. Dependencies between groups multiply.
pub const EDGE_LIMIT: usize = 50_000;

/// A file of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The path below the imported folder with `/` as separator, or the name of a single file.
    pub path: String,
    /// The content as UTF-8.
    pub text: String,
}

/// A program whose task lists can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImportFormat {
    /// `.taskmaster/tasks/tasks.json`
    TaskMaster,
    /// `specs/*/tasks.md`
    SpecKit,
    /// `openspec/changes/*/tasks.md`
    OpenSpec,
    /// `backlog/tasks/*.md`
    Backlog,
    /// `.beads/issues.jsonl`
    Beads,
    /// Answers of `gh api`, as JSON.
    GithubIssues,
    /// `~/.claude/tasks/<session>/<n>.json`
    ClaudeTasks,
    /// The todo list of a session: of `TodoWrite`, `update_plan` or `todo_list`.
    TodoList,
    /// `.kiro/specs/*/tasks.md`
    Kiro,
    /// `.rawko/plans/*.yaml`
    Rawko,
    /// A stored OwnPilot plan, as JSON.
    OwnPilot,
}

impl ImportFormat {
    /// All formats, in the order in which they are named to people.
    pub const ALL: [Self; 11] = [
        Self::TaskMaster,
        Self::SpecKit,
        Self::OpenSpec,
        Self::Backlog,
        Self::Beads,
        Self::GithubIssues,
        Self::ClaudeTasks,
        Self::TodoList,
        Self::Kiro,
        Self::Rawko,
        Self::OwnPilot,
    ];

    /// The name as in JSON and on a command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TaskMaster => "task_master",
            Self::SpecKit => "spec_kit",
            Self::OpenSpec => "open_spec",
            Self::Backlog => "backlog",
            Self::Beads => "beads",
            Self::GithubIssues => "github_issues",
            Self::ClaudeTasks => "claude_tasks",
            Self::TodoList => "todo_list",
            Self::Kiro => "kiro",
            Self::Rawko => "rawko",
            Self::OwnPilot => "own_pilot",
        }
    }

    /// What a source in this format consists of, for messages.
    #[must_use]
    pub fn expected(self) -> &'static str {
        match self {
            Self::TaskMaster => "a tasks.json with \"tasks\", or with tags that have \"tasks\"",
            Self::SpecKit => "a tasks.md with lines like \"- [ ] T001 Create the project\"",
            Self::OpenSpec => {
                "a change folder with tasks.md and lines like \"- [ ] 1.1 Add a table\""
            }
            Self::Backlog => "task files with \"id\" and \"title\" in their front matter",
            Self::Beads => "an issues.jsonl with one issue with \"id\" and \"title\" a line",
            Self::GithubIssues => "a JSON list of issues with \"number\" and \"title\"",
            Self::ClaudeTasks => "JSON files with \"id\" and \"subject\"",
            Self::TodoList => {
                "a todo list with \"todos\", \"plan\" or \"items\", or a session that has one"
            }
            Self::Kiro => "a tasks.md with lines like \"- [ ] 1. Set up the project\"",
            Self::Rawko => "a YAML file with \"task\" and \"steps\"",
            Self::OwnPilot => "a JSON plan with \"name\" and \"steps\"",
        }
    }
}

impl fmt::Display for ImportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TaskMaster => "Task Master",
            Self::SpecKit => "spec-kit",
            Self::OpenSpec => "OpenSpec",
            Self::Backlog => "Backlog.md",
            Self::Beads => "beads",
            Self::GithubIssues => "GitHub issues",
            Self::ClaudeTasks => "Claude Code tasks",
            Self::TodoList => "todo list",
            Self::Kiro => "Kiro",
            Self::Rawko => "rawko",
            Self::OwnPilot => "OwnPilot",
        })
    }
}

/// One plan of a source.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The plan's name within its source, such as a tag; empty if the source has only one plan.
    pub name: String,
    /// The plan with new identifiers. It can be saved.
    pub plan: Plan,
    /// What a person should know before using the plan.
    pub warnings: Vec<ImportWarning>,
}

/// Reads all plans of a source, in its order.
///
/// `ids` provides the identifiers of plans, nodes and groups.
pub fn import(
    format: ImportFormat,
    files: &[SourceFile],
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Vec<Imported>, ImportError> {
    refuse_large(files)?;
    let first = files.first().map_or("", |file| file.path.as_str());
    let files = &detect::select(format, files)[..];
    if format == ImportFormat::OwnPilot {
        return own_pilot::import(files, ids);
    }
    let drafts = read(format, files)?;
    if drafts.iter().all(|draft| draft.tasks.is_empty()) {
        // Of the files that were given, none may be one that the format reads.
        let path = files.first().map_or(first, |file| file.path.as_str());
        return Err(ImportFault::new(path, None, ImportFaultKind::NoTasks { format }).into());
    }
    drafts
        .into_iter()
        .filter(|draft| !draft.tasks.is_empty())
        .map(|draft| plan_builder::build(draft, format, ids))
        .collect()
}

fn read(format: ImportFormat, files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    match format {
        ImportFormat::TaskMaster => task_master::read(files),
        ImportFormat::SpecKit => spec_kit::read(files),
        ImportFormat::OpenSpec => open_spec::read(files),
        ImportFormat::Backlog => backlog::read(files),
        ImportFormat::Beads => beads::read(files),
        ImportFormat::GithubIssues => github::read(files),
        ImportFormat::ClaudeTasks => claude_tasks::read(files),
        ImportFormat::TodoList => todo_list::read(files),
        ImportFormat::Kiro => kiro::read(files),
        ImportFormat::Rawko => rawko::read(files),
        ImportFormat::OwnPilot => Ok(Vec::new()),
    }
}

fn refuse_large(files: &[SourceFile]) -> Result<(), ImportError> {
    match files.iter().find(|file| file.text.len() > FILE_SIZE_LIMIT) {
        Some(file) => Err(ImportFault::new(&file.path, None, ImportFaultKind::TooLarge).into()),
        None => Ok(()),
    }
}
