//! `plan_find`: the plans of a project, as short rows.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use baton_api::ApiError;
use baton_api::wire::{Nothing, PlanSummary};
use baton_model::{PlanId, ReviewState, RunId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::caller_error::bad_input;
use crate::clip;
use crate::operations::ask;
use crate::page::Page;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

/// The longest title in a row, in bytes.
const TITLE_BYTES: usize = 48;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PlanFindArguments {
    /// Text in title, goal or tags.
    query: Option<String>,
    /// Project directory; "/" for all plans. Default: the current project.
    cwd: Option<String>,
    status: Option<PlanWord>,
    /// 1-50, default 20.
    limit: Option<usize>,
    cursor: Option<String>,
}

/// What became of a plan so far, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub(super) enum PlanWord {
    Draft,
    Proposed,
    Approved,
    Rejected,
    Running,
    Paused,
    Completed,
    Failed,
    Cancelled,
}

impl PlanWord {
    fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Proposed => "proposed",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlanPage {
    plans: Vec<PlanRow>,
    total: usize,
    /// The directory that was searched.
    cwd: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlanRow {
    #[schemars(with = "String")]
    plan: PlanId,
    title: String,
    version: u32,
    status: PlanWord,
    nodes: u32,
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    last_run: Option<RunId>,
}

impl Answer for PlanPage {
    fn text(&self) -> String {
        let shown = self.plans.len();
        let mut text = format!("{shown} of {} plans in {}\n", self.total, self.cwd);
        for row in &self.plans {
            let (plan, title, version) = (row.plan, &row.title, row.version);
            let (status, nodes) = (row.status.as_str(), row.nodes);
            // Writing to a string can't fail.
            let _ = writeln!(text, "{plan} {status} v{version}, {nodes} nodes: {title}");
        }
        if let Some(cursor) = &self.next_cursor {
            let _ = writeln!(text, "more with cursor {cursor}");
        }
        text
    }
}

pub(crate) fn tool() -> ToolDefinition {
    tool_named("plan_find")
}

/// The tool under another name.
pub(crate) fn tool_named(name: &'static str) -> ToolDefinition {
    let text = ToolText {
        name,
        title: "Find plans",
        description: "Lists plans of the project, latest change first. Look here before proposing a \
            new plan.",
    };
    ToolDefinition::new(text, Effect::Read, plan_find)
}

fn plan_find(context: &ToolContext, input: PlanFindArguments) -> Result<PlanPage, ApiError> {
    let page = Page::new(input.limit, input.cursor.as_deref())?;
    let directory = project(context, input.cwd.as_deref())?;
    let query = input.query.unwrap_or_default().to_lowercase();
    let plans: Vec<PlanSummary> = ask(&*context.operations, "plans_list", Nothing {})?;
    let rows: Vec<_> = plans
        .into_iter()
        .filter(|plan| plan.archived_at.is_none())
        .filter(|plan| is_in_project(plan, &directory) && matches(plan, &query))
        .map(row)
        .filter(|row| input.status.is_none_or(|status| status == row.status))
        .collect();
    let total = rows.len();
    let (plans, next_cursor) = page.cut(rows);
    Ok(PlanPage {
        plans,
        total,
        cwd: directory.display().to_string(),
        next_cursor,
    })
}

/// The project of a call: its argument, or that of the server.
fn project(context: &ToolContext, given: Option<&str>) -> Result<PathBuf, ApiError> {
    let fix = "pass cwd as an absolute path";
    match given.map(Path::new) {
        Some(path) if path.is_absolute() => Ok(path.components().collect()),
        Some(_) => Err(bad_input("cwd must be an absolute path", fix)),
        None => context
            .project
            .clone()
            .ok_or_else(|| bad_input("the project isn't known", fix)),
    }
}

/// Whether a plan works in the project, below it, or in a directory that contains it. The root
/// directory stands for all plans, also those without a directory.
fn is_in_project(plan: &PlanSummary, project: &Path) -> bool {
    if project.parent().is_none() {
        return true;
    }
    plan.cwd.as_deref().map(Path::new).is_some_and(|cwd| {
        cwd.starts_with(project) || (cwd.parent().is_some() && project.starts_with(cwd))
    })
}

fn matches(plan: &PlanSummary, query: &str) -> bool {
    let contains = |text: &str| text.to_lowercase().contains(query);
    contains(&plan.title)
        || contains(&plan.description)
        || plan.tags.iter().any(|tag| contains(tag))
}

fn row(plan: PlanSummary) -> PlanRow {
    PlanRow {
        status: word(&plan),
        plan: plan.id,
        title: clip::line(&plan.title, TITLE_BYTES),
        version: plan.version,
        nodes: plan.node_count,
        last_run: plan.last_run.map(|run| run.id),
    }
}

/// A run of an older version counts only while the new one isn't approved.
fn word(plan: &PlanSummary) -> PlanWord {
    use baton_model::RunState;
    let is_approved = plan.review == ReviewState::Approved;
    let counted = plan
        .last_run
        .as_ref()
        .filter(|run| run.version == plan.version || !is_approved);
    match counted.map(|run| &run.state) {
        Some(RunState::Running { .. } | RunState::Replanning { .. }) => PlanWord::Running,
        Some(RunState::Paused { .. } | RunState::Stalled { .. }) => PlanWord::Paused,
        Some(RunState::Completed) => PlanWord::Completed,
        Some(RunState::Failed { .. }) => PlanWord::Failed,
        Some(RunState::Cancelled) => PlanWord::Cancelled,
        None => match plan.review {
            ReviewState::Draft => PlanWord::Draft,
            ReviewState::Proposed | ReviewState::NeedsReview => PlanWord::Proposed,
            ReviewState::Approved => PlanWord::Approved,
            ReviewState::Rejected => PlanWord::Rejected,
            ReviewState::Cancelled => PlanWord::Cancelled,
        },
    }
}
