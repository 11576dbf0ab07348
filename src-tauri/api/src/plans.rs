//! Operations on plans.

use std::path::PathBuf;

use baton_formats::layout::{self, LayoutOptions};
use baton_formats::plan_file::{self, Format};
use baton_model::plan_status::LatestRun;
use baton_model::{Plan, PlanId, PlanStatus};
use baton_planning::problems::{refuse_problems, refuse_unsavable};
use baton_planning::{preflight, proposals, run_executor};
use baton_store::{LastRun, PlanRecord, PlanRow, StoreError};
use uuid::Uuid;

use crate::wire::*;
use crate::{
    ApiError, App, Code, absolute_path, admission, approvals, damage, exports, run_summary,
};

/// Lists all plans, latest change first. Damaged ones come first, with the fields that can be read.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<PlanSummary>, ApiError> {
    let listing = app.store.plans().list()?;
    let session = admission::calling_session(app)?;
    let own = session
        .map(|session| app.store.runs().get(session.run))
        .transpose()?
        .map(|run| run.plan);
    let unreadable = listing
        .unreadable
        .iter()
        .filter(|row| row.table == "plans" && own.is_none());
    let damaged = unreadable.map(|row| damage::plan_summary(app, row));
    let rows = listing
        .rows
        .into_iter()
        .filter(|row| own.is_none_or(|own| row.record.plan == own));
    let whole = rows.map(|row| summary_or_damage(app, row));
    damaged.filter_map(Result::transpose).chain(whole).collect()
}

/// A plan's summary, even if its content or last run is damaged.
pub(crate) fn summary_or_damage(app: &App, row: PlanRow) -> Result<PlanSummary, ApiError> {
    let content = app.plan_cache.damage(&app.store, &row.record)?;
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
        .map(|&LastRun { settled, total, .. }| NodeProgress { settled, total });
    let latest = row.last_run.as_ref().map(|run| LatestRun {
        state: &run.state,
        waits_for_person: run.waits_for_person,
        is_current: run.version == row.record.version,
    });
    let status = PlanStatus::of(row.record.review, latest.as_ref());
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
        status,
        priority: row.priority,
        autonomy: row.autonomy,
        user: row.user,
        goal: row.goal,
        trigger: row.trigger,
        review: row.record.review,
        version: row.record.version,
        node_count: row.node_count,
        created_at: row.record.created_at,
        updated_at: row.record.updated_at,
        archived_at: row.record.archived_at,
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
        run_executor(app.context(), &app.store.runs().get(run.run)?)?
    } else {
        RunExecutorView::None
    };
    Ok(RunSummary {
        id: run.run,
        plan: record.plan,
        number: run.number,
        title: title.to_owned(),
        version: run.version,
        goal: baton_model::Goal::All,
        started_at: run.started_at.unwrap_or(run.created_at),
        ended_at: run.ended_at,
        skipped_failures: run_summary::skipped_failures(app, run.run, &run.nodes)?,
        progress: run.nodes,
        damage: None,
        pinned_nodes: Some(run.pinned_nodes).filter(|count| *count > 0),
        state: proposals::current_run_state(app.context(), run.state)?,
        attendance,
    })
}

pub(crate) fn get(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    view(app, input.plan)
}

pub(crate) fn view(app: &App, plan: PlanId) -> Result<PlanView, ApiError> {
    let (record, content) = app.store.plans().current(plan)?;
    build_view(app, record, content)
}

fn build_view(app: &App, record: PlanRecord, plan: Plan) -> Result<PlanView, ApiError> {
    let latest = app
        .store
        .runs()
        .list(Some(record.plan), 1)?
        .rows
        .into_iter()
        .next();
    Ok(PlanView {
        last_run: latest
            .map(|row| run_summary::summary(app, row))
            .transpose()?,
        problems: problems(&plan),
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
        retention: record.retention,
        archived_at: record.archived_at,
    })
}

/// Archives a plan. Refused while one of its runs hasn't ended.
pub(crate) fn archive(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    app.store.plans().archive(input.plan, app.now())?;
    view(app, input.plan)
}

/// Ends the archiving of a plan.
pub(crate) fn unarchive(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    app.store.plans().unarchive(input.plan)?;
    view(app, input.plan)
}

/// Sets which runs of a plan are kept.
pub(crate) fn save_retention(app: &App, input: PlanRetentionSave) -> Result<PlanView, ApiError> {
    if let Some(retention) = &input.retention {
        check_retention(retention)?;
    }
    app.store
        .plans()
        .set_retention(input.plan, input.retention)?;
    view(app, input.plan)
}

/// Checks the limits of a rule.
pub(crate) fn check_retention(retention: &Retention) -> Result<(), ApiError> {
    retention.check().map_err(|invalid| {
        ApiError::new(Code::BadInput, invalid.to_string()).with_fix("choose a number in that range")
    })
}

/// Creates an empty plan.
pub(crate) fn create(app: &App, input: PlanCreate) -> Result<PlanView, ApiError> {
    let mut plan = Plan::new(PlanId(Uuid::now_v7()), input.title.trim());
    plan.description = input.description;
    plan.cwd = input
        .cwd
        .as_deref()
        .map(absolute_path::absolute)
        .transpose()?;
    create_from(app, plan)
}

/// Stores a new plan.
pub(crate) fn create_from(app: &App, plan: Plan) -> Result<PlanView, ApiError> {
    refuse_unsavable(&plan)?;
    let record = app.store.plans().create(&plan, &app.actor(), app.now())?;
    build_view(app, record, plan)
}

/// Saves a changed plan as its next version, unless someone else changed it in the meantime.
pub(crate) fn save(app: &App, input: PlanSave) -> Result<PlanSaved, ApiError> {
    refuse_unsavable(&input.plan)?;
    let record =
        app.store
            .plans()
            .save(&input.plan, input.base_revision, &app.actor(), app.now())?;
    Ok(saved(record, &input.plan))
}

pub(crate) fn saved(record: PlanRecord, content: &Plan) -> PlanSaved {
    PlanSaved {
        problems: problems(content),
        version: record.version,
        revision: record.revision,
        review: record.review,
        updated_at: record.updated_at,
    }
}

/// Returns the problems of content that isn't stored.
pub(crate) fn check(_: &App, input: PlanCheck) -> Result<Vec<PlanProblem>, ApiError> {
    Ok(problems(&input.plan))
}

fn problems(plan: &Plan) -> Vec<PlanProblem> {
    let problems = plan.problems().into_iter();
    problems
        .map(|problem| PlanProblem {
            sentence: problem.to_string(),
            prevents_saving: problem.prevents_saving(),
            problem,
        })
        .collect()
}

/// Approves a plan in the revision that the person saw. If the plan can't run as it is, the person
/// must confirm.
pub(crate) fn approve(app: &App, input: PlanApprove) -> Result<PlanView, ApiError> {
    let (record, plan) = app.store.plans().current(input.plan)?;
    // Otherwise the digest of one content would be stored for another.
    if record.revision != input.revision {
        let (based_on, current) = (input.revision, record.revision);
        return Err(StoreError::Conflict {
            plan: plan.id,
            based_on,
            current,
        }
        .into());
    }
    refuse_problems("the plan can't be approved", &plan)?;
    if !input.anyway {
        preflight::require_runnable(app.context(), &plan)?;
    }
    app.store.plans().approve(
        plan.id,
        record.revision,
        &baton_planning::approvals::create_approval(app.context(), &plan)?,
    )?;
    view(app, input.plan)
}

/// Sets whether agent sessions may start the approved version without asking.
pub(crate) fn set_agents_may_start(
    app: &App,
    input: PlanAgentsMayStart,
) -> Result<PlanView, ApiError> {
    app.store
        .plans()
        .set_agents_may_start(input.plan, input.allowed)?;
    view(app, input.plan)
}

/// Creates a copy of a plan.
pub(crate) fn duplicate(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    let (_, plan) = app.store.plans().current(input.plan)?;
    let mut copy = with_new_ids(&plan);
    copy.title = format!("Copy of {}", plan.title)
        .chars()
        .take(baton_model::plan::TITLE_LENGTH_LIMIT)
        .collect();
    create_from(app, copy)
}

/// Stores content as a new plan. The plan that it came from needn't exist any more.
pub(crate) fn save_copy(app: &App, input: PlanCopy) -> Result<PlanView, ApiError> {
    create_from(app, with_new_ids(&input.plan))
}

/// The same plan with new ids.
pub(crate) fn with_new_ids(plan: &Plan) -> Plan {
    let mut copy = plan.clone();
    copy.id = PlanId(Uuid::now_v7());
    let names = plan
        .nodes
        .iter()
        .map(|node| (node.id, baton_model::NodeId(Uuid::now_v7())));
    copy.rename_nodes(&names.collect());
    copy
}

/// Exports a plan as a file.
pub(crate) fn export(app: &App, input: PlanExport) -> Result<FileText, ApiError> {
    let plan = match input.version {
        Some(version) => app.store.plan_versions().content(input.plan, version)?,
        None => app.store.plans().current(input.plan)?.1,
    };
    let ending = match input.format {
        Format::Yaml => "baton.yaml",
        Format::Json => "baton.json",
        Format::Markdown => "md",
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

/// Computes a layout without saving it.
pub(crate) fn arrange(_: &App, input: PlanArrange) -> Result<Vec<NodePlacement>, ApiError> {
    let places = if input.missing_only {
        layout::place_missing(&input.plan, input.direction)
    } else {
        let collapsed = input.collapsed.into_iter().flatten().collect();
        let options = LayoutOptions::with_collapsed(&input.plan, input.direction, &collapsed);
        layout::arrange_with(
            &input.plan,
            &LayoutOptions {
                only: input.only.map(|only| only.into_iter().collect()),
                ..options
            },
        )
    };
    Ok(places
        .into_iter()
        .map(|(node, position)| NodePlacement { node, position })
        .collect())
}

/// Returns facts about a directory.
pub(crate) fn directory(_: &App, input: DirectoryCheck) -> Result<DirectoryView, ApiError> {
    let path = PathBuf::from(absolute_path::absolute(&input.path)?);
    let git = baton_engine::work_tree_above(&path).is_some();
    Ok(DirectoryView {
        exists: path.is_dir(),
        git,
        path: path.display().to_string(),
    })
}
