//! Operations on plans.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_formats::layout::{self, Wish};
use baton_formats::plan_file::{self, Format};
use baton_model::{Plan, PlanId, Problem};
use baton_planning::problems::refuse_problems;
use baton_planning::{attendance, contents, preflight, replans};
use baton_store::{LastRun, PlanRecord, PlanRow, StoreError};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, admission, approvals, checkpoints, damage, exports, runs};

/// Lists all plans, the latest change first. Damaged ones come before all others, with what can be read of them.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<PlanSummary>, ApiError> {
    let listing = app.store.plans().list()?;
    let session = admission::own_session(app)?;
    let own = session
        .map(|session| app.store.runs().get(session.run))
        .transpose()?
        .map(|run| run.plan);
    let unreadable = listing
        .unreadable
        .iter()
        .filter(|row| row.table == "plans" && own.is_none());
    let damaged = unreadable.map(|row| damage::of_plan(app, row));
    let rows = listing
        .rows
        .into_iter()
        .filter(|row| own.is_none_or(|own| row.record.plan == own));
    let whole = rows.map(|row| listed(app, row));
    damaged.filter_map(Result::transpose).chain(whole).collect()
}

/// A plan in one line, also when its content or its last run is damaged.
fn listed(app: &App, row: PlanRow) -> Result<PlanSummary, ApiError> {
    let content = app.contents.damage(&app.store, &row.record)?;
    let damage = content.or_else(|| row.damage.clone());
    let without_run = PlanRow {
        last_run: None,
        ..row.clone()
    };
    let (summary, damage) = match summary(app, row) {
        Ok(summary) => (summary, damage),
        Err(error) if error.code == Code::Unavailable => {
            (summary(app, without_run)?, Some(error.message))
        }
        Err(error) => return Err(error),
    };
    Ok(PlanSummary { damage, ..summary })
}

fn summary(app: &App, row: PlanRow) -> Result<PlanSummary, ApiError> {
    let tally = row
        .last_run
        .as_ref()
        .map(|&LastRun { settled, total, .. }| Tally { settled, total });
    let last_run = row
        .last_run
        .map(|run| last_run(app, &row.record, &row.title, run))
        .transpose()?;
    Ok(PlanSummary {
        id: row.record.plan,
        title: row.title,
        description: row.summary,
        cwd: row.cwd,
        tags: row.tags,
        review: row.record.review,
        version: row.record.version,
        node_count: row.node_count,
        created_at: row.record.created_at,
        updated_at: row.record.updated_at,
        last_run,
        tally,
        damage: None,
    })
}

fn last_run(
    app: &App,
    record: &PlanRecord,
    title: &str,
    run: LastRun,
) -> Result<RunSummary, ApiError> {
    let attendance = if run.state.is_running() {
        attendance(app.context(), &app.store.runs().get(run.run)?)?
    } else {
        Attendance::None
    };
    Ok(RunSummary {
        id: run.run,
        plan: record.plan,
        title: title.to_owned(),
        version: run.version,
        goal: baton_model::Goal::All,
        started_at: run.started_at.unwrap_or(run.created_at),
        ended_at: run.ended_at,
        skipped_failures: runs::skipped_failures(app, run.run, &run.nodes)?,
        progress: run.nodes,
        damage: None,
        state: replans::current_state(app.context(), run.state)?,
        attendance,
    })
}

/// Shows a plan.
pub(crate) fn get(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    view(app, input.plan)
}

pub(crate) fn view(app: &App, plan: PlanId) -> Result<PlanView, ApiError> {
    let (record, content) = app.store.plans().current(plan)?;
    with_record(app, record, content)
}

fn with_record(app: &App, record: PlanRecord, plan: Plan) -> Result<PlanView, ApiError> {
    let latest = app
        .store
        .runs()
        .list(Some(record.plan), 1)?
        .rows
        .into_iter()
        .next();
    Ok(PlanView {
        last_run: latest.map(|row| runs::summary(app, row)).transpose()?,
        plan,
        version: record.version,
        revision: record.revision,
        review: record.review,
        approved_version: record.approved_version,
        approval: record
            .approved_version
            .map(|version| approvals::view(app, record.plan, version))
            .transpose()?
            .flatten(),
        agents_may_start: record.agents_may_start,
        created_at: record.created_at,
        updated_at: record.updated_at,
    })
}

/// Makes an empty plan.
pub(crate) fn create(app: &App, input: PlanCreate) -> Result<PlanView, ApiError> {
    let mut plan = Plan::new(PlanId(Uuid::now_v7()), input.title.trim());
    plan.description = input.description;
    plan.cwd = input.cwd.as_deref().map(absolute).transpose()?;
    put(app, plan)
}

/// Stores a plan that is new.
pub(crate) fn put(app: &App, plan: Plan) -> Result<PlanView, ApiError> {
    refuse_problems(&plan)?;
    let record = app.store.plans().create(&plan, &app.actor(), app.now())?;
    with_record(app, record, plan)
}

/// Saves a changed plan as its next version, unless somebody else has changed it meanwhile.
pub(crate) fn save(app: &App, input: PlanSave) -> Result<PlanSaved, ApiError> {
    refuse_problems(&input.plan)?;
    let record =
        app.store
            .plans()
            .save(&input.plan, input.base_revision, &app.actor(), app.now())?;
    Ok(PlanSaved {
        version: record.version,
        revision: record.revision,
        review: record.review,
        updated_at: record.updated_at,
    })
}

/// Tells what keeps a plan from being saved.
pub(crate) fn check(_: &App, input: PlanCheck) -> Result<PlanProblems, ApiError> {
    let problems = input.plan.problems();
    let sentences = problems.iter().map(Problem::to_string).collect();
    Ok(PlanProblems {
        problems,
        sentences,
    })
}

/// Lets a plan run, as the person has seen it. One that cannot run as it is needs them to insist.
pub(crate) fn approve(app: &App, input: PlanApprove) -> Result<PlanView, ApiError> {
    let (record, plan) = app.store.plans().current(input.plan)?;
    // Else the digest of one content would be kept for another.
    if record.revision != input.revision {
        let (based_on, current) = (input.revision, record.revision);
        return Err(StoreError::Conflict {
            plan: plan.id,
            based_on,
            current,
        }
        .into());
    }
    if !input.anyway {
        preflight::require_of_itself(app.context(), &plan)?;
    }
    app.store.plans().approve(
        plan.id,
        record.revision,
        &baton_planning::approvals::of(app.context(), &plan)?,
    )?;
    view(app, input.plan)
}

/// Says whether sessions of agents may start the approved version without asking.
pub(crate) fn let_agents_start(app: &App, input: PlanAgentsMayStart) -> Result<PlanView, ApiError> {
    app.store
        .plans()
        .let_agents_start(input.plan, input.allowed)?;
    view(app, input.plan)
}

/// Deletes a plan with its runs, handoffs, sessions and the snapshots of files. Refused while it runs.
pub(crate) fn delete(app: &App, input: PlanRef) -> Result<Done, ApiError> {
    let runs = app.store.runs().list(Some(input.plan), u32::MAX)?.rows;
    // Also a run whose executor is dead: its sessions may live on, and nobody could find them any more.
    if let Some(run) = runs
        .iter()
        .find(|run| run.state.is_running() || app.executes(run.id))
    {
        let plan = input.plan;
        return Err(StoreError::PlanRuns {
            plan,
            runs: vec![run.id],
        }
        .into());
    }
    let mut folders = Vec::new();
    for run in &runs {
        let sessions = app.store.sessions().list(Some(run.id), u32::MAX)?.rows;
        folders.extend(
            sessions
                .into_iter()
                .map(|session| app.store.data_dir().join(session.folder)),
        );
    }
    let worked_in = checkpoints::directories(app, &runs);
    let ours = app.engine.executor();
    let lives =
        |executor: &baton_store::ExecutorRow| executor.id != ours && app.engine.may_work(executor);
    app.store.plans().delete(input.plan, lives)?;
    checkpoints::forget(app, &runs, &worked_in);
    for folder in folders {
        // What stays behind is only disk space; the plan is gone either way.
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(folder = %folder.display(), %error, "a session's folder could not be removed");
            }
            _ => {}
        }
    }
    Ok(Done {})
}

/// Makes a copy of a plan.
pub(crate) fn duplicate(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    let (_, plan) = app.store.plans().current(input.plan)?;
    let mut copy = renewed(&plan);
    copy.title = format!("Copy of {}", plan.title)
        .chars()
        .take(baton_model::plan::TITLE_LENGTH_LIMIT)
        .collect();
    put(app, copy)
}

/// The same plan under new identifiers.
pub(crate) fn renewed(plan: &Plan) -> Plan {
    let mut copy = plan.clone();
    copy.id = PlanId(Uuid::now_v7());
    let names = plan
        .nodes
        .iter()
        .map(|node| (node.id, baton_model::NodeId(Uuid::now_v7())));
    copy.rename_nodes(&names.collect());
    copy
}

/// Writes a plan out as a file.
pub(crate) fn export(app: &App, input: PlanExport) -> Result<FileText, ApiError> {
    let plan = match input.version {
        Some(version) => app.store.plan_versions().content(input.plan, version)?,
        None => app.store.plans().current(input.plan)?.1,
    };
    let ending = match input.format {
        Format::Yaml => "baton.yaml",
        Format::Json => "baton.json",
    };
    let name = baton_model::Slug::from_title(&plan.title);
    let text = match input.alone {
        true => plan_file::write(&plan, input.format),
        false => exports::file(app, &plan, input.format)?,
    };
    Ok(FileText {
        file_name: format!("{name}.{ending}"),
        text,
    })
}

/// Lays a plan out without saving it.
pub(crate) fn arrange(_: &App, input: PlanArrange) -> Result<Vec<Placement>, ApiError> {
    let places = if input.missing_only {
        layout::place_missing(&input.plan, input.direction)
    } else {
        let collapsed = input.collapsed.into_iter().flatten().collect();
        let wish = Wish::with_collapsed(&input.plan, input.direction, &collapsed);
        layout::arrange_as(
            &input.plan,
            &Wish {
                only: input.only.map(|only| only.into_iter().collect()),
                ..wish
            },
        )
    };
    Ok(places
        .into_iter()
        .map(|(node, position)| Placement { node, position })
        .collect())
}

/// Lists the versions of a plan, the newest first.
pub(crate) fn versions(app: &App, input: PlanRef) -> Result<Vec<PlanVersionRow>, ApiError> {
    app.store.plans().record(input.plan)?;
    let rows = app.store.plan_versions().list(input.plan)?;
    let approvals = app.store.approvals().list(input.plan)?;
    let row = |row: baton_store::VersionRow| PlanVersionRow {
        version: row.version,
        author: row.author.to_string(),
        at: row.at,
        approval: approvals::newest(&approvals, row.version),
    };
    Ok(rows.into_iter().map(row).collect())
}

/// Shows an earlier version of a plan.
pub(crate) fn version(app: &App, input: PlanVersionRef) -> Result<Plan, ApiError> {
    Ok(app
        .store
        .plan_versions()
        .content(input.plan, input.version)?)
}

/// Compares two versions of a plan.
pub(crate) fn compare(app: &App, input: PlanCompare) -> Result<baton_model::PlanDiff, ApiError> {
    let versions = app.store.plan_versions();
    let (from, to) = (
        versions.content(input.plan, input.from)?,
        versions.content(input.plan, input.to)?,
    );
    Ok(baton_model::PlanDiff::between(&from, &to))
}

/// Tells what a directory is.
pub(crate) fn directory(_: &App, input: DirectoryCheck) -> Result<DirectoryView, ApiError> {
    let path = PathBuf::from(absolute(&input.path)?);
    let git = baton_engine::work_tree_above(&path).is_some();
    Ok(DirectoryView {
        exists: path.is_dir(),
        git,
        path: path.display().to_string(),
    })
}

/// An absolute path as a person may write it; `~` is their home.
pub(crate) fn absolute(path: &str) -> Result<String, ApiError> {
    let path = path.trim();
    let home = || directories::BaseDirs::new().map(|base| base.home_dir().to_path_buf());
    let expanded = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => home().map_or_else(
            || PathBuf::from(path),
            |home| home.join(rest.trim_start_matches('/')),
        ),
        _ => PathBuf::from(path),
    };
    if expanded.is_absolute() {
        return Ok(tidy(&expanded));
    }
    let message = format!("'{path}' is not an absolute path");
    Err(ApiError::new(Code::BadInput, message).with_fix("begin with / or ~"))
}

/// The path without `.` and `x/..`, as text. Symbolic links are not looked at.
pub(crate) fn tidy(path: &Path) -> String {
    let mut parts: Vec<std::path::Component<'_>> = Vec::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir
                if matches!(parts.last(), Some(std::path::Component::Normal(_))) =>
            {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.into_iter().collect::<PathBuf>().display().to_string()
}

/// The plan version that a run executes.
pub(crate) fn content(app: &App, plan: PlanId, version: u32) -> Result<Arc<Plan>, ApiError> {
    Ok(contents::content(app.context(), plan, version)?)
}
