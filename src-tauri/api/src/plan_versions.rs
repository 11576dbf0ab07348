//! Versions of a plan: what each changed, names, and restoring one.

use std::collections::HashMap;

use baton_model::{Plan, PlanDiff, PlanId, VersionChange};
use baton_planning::problems::refuse_unsavable;
use baton_store::{VersionRow, VersionRun};

use crate::wire::*;
use crate::{ApiError, App, Code, approvals, plans};

/// Maximum length of a version's name in characters.
const NAME_LENGTH_LIMIT: usize = 80;
/// How many runs of a version a row names. The count says how many there are.
const MAX_NAMED_RUNS: usize = 3;
/// How many versions of older databases are compared for one list, because each reads two contents.
const MAX_COMPARED: usize = 50;

/// Lists the versions of a plan, newest first.
pub(crate) fn list(app: &App, input: PlanRef) -> Result<Vec<PlanVersionRow>, ApiError> {
    app.store.plans().record(input.plan)?;
    let rows = app.store.plan_versions().list(input.plan)?;
    let approvals = app.store.approvals().list(input.plan)?;
    let mut runs: HashMap<u32, Vec<VersionRun>> = HashMap::new();
    for run in app.store.plan_versions().runs(input.plan)? {
        runs.entry(run.version).or_default().push(run);
    }
    let mut comparisons = 0;
    let row = |row: VersionRow| {
        let of_version = runs.remove(&row.version).unwrap_or_default();
        PlanVersionRow {
            version: row.version,
            author: row.author.to_string(),
            at: row.at,
            approval: approvals::newest(&approvals, row.version),
            changes: changes(app, input.plan, &row, &mut comparisons),
            name: row.name,
            run_count: u32::try_from(of_version.len()).unwrap_or(u32::MAX),
            runs: of_version
                .iter()
                .take(MAX_NAMED_RUNS)
                .map(version_run)
                .collect(),
        }
    };
    Ok(rows.into_iter().map(row).collect())
}

fn version_run(run: &VersionRun) -> PlanVersionRun {
    PlanVersionRun {
        run: run.run,
        number: run.number,
    }
}

/// What a version changed. Compares the contents if an older Baton stored the version.
fn changes(
    app: &App,
    plan: PlanId,
    row: &VersionRow,
    comparisons: &mut usize,
) -> Option<Vec<VersionChange>> {
    if row.changes.is_some() || *comparisons >= MAX_COMPARED {
        return row.changes.clone();
    }
    *comparisons += 1;
    let content = |version| app.store.plan_versions().content(plan, version).ok();
    // A damaged version is listed all the same.
    let (earlier, later) = content(row.previous?).zip(content(row.version))?;
    Some(VersionChange::between(&earlier, &later))
}

/// Returns a version of a plan.
pub(crate) fn get(app: &App, input: PlanVersionRef) -> Result<Plan, ApiError> {
    app.store.plans().record(input.plan)?;
    let versions = app.store.plan_versions();
    Ok(versions.content(input.plan, input.version)?)
}

/// Compares two versions of a plan.
pub(crate) fn compare(app: &App, input: PlanCompare) -> Result<PlanDiff, ApiError> {
    app.store.plans().record(input.plan)?;
    let versions = app.store.plan_versions();
    let (from, to) = (
        versions.content(input.plan, input.from)?,
        versions.content(input.plan, input.to)?,
    );
    Ok(PlanDiff::between(&from, &to))
}

/// Names a version. A blank name removes it.
pub(crate) fn name(app: &App, input: PlanVersionName) -> Result<Vec<PlanVersionRow>, ApiError> {
    let name = input.name.as_deref().map(str::trim).unwrap_or_default();
    if name.chars().count() > NAME_LENGTH_LIMIT {
        let message = format!("the name is longer than {NAME_LENGTH_LIMIT} characters");
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a shorter name"));
    }
    let name = (!name.is_empty()).then_some(name);
    app.store
        .plan_versions()
        .set_name(input.plan, input.version, name)?;
    list(app, PlanRef { plan: input.plan })
}

/// Makes the content of a version the newest version, in draft.
pub(crate) fn restore(app: &App, input: PlanVersionRestore) -> Result<PlanSaved, ApiError> {
    let version = PlanVersionRef {
        plan: input.plan,
        version: input.version,
    };
    let content = get(app, version)?;
    refuse_unsavable(&content)?;
    let record = app.store.plans().restore_version(
        input.plan,
        input.version,
        input.base_revision,
        &app.actor(),
        app.now(),
    )?;
    Ok(plans::saved(record, &content))
}
