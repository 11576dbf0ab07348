//! The plan itself: version, settings, origin, and the nodes put together.

use uuid::Uuid;

use super::fault::{FaultKind, Faults};
use super::fields::{Fields, wrong_type};
use super::keys::{PLAN_KEYS, SOURCES};
use super::tree::{Located, Place, ScalarKind, Value};
use super::{Warning, WarningKind, core_schema, dependencies, node_reader};
use crate::plan::{Autonomy, Origin, PlanSettings};
use crate::{Plan, PlanId};

const OF: &str = "the plan";

/// The plan at `root`. Whether it may be used depends on `faults`.
pub(super) fn read(
    root: &Located,
    default_title: &str,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> Option<Plan> {
    let Value::Map(entries) = &root.value else {
        wrong_type(root, "a plan file", "a mapping that begins with \"baton: 1\"", faults);
        return None;
    };
    let fields = Fields { of: OF, entries };
    if is_newer(&fields, root.at, faults) {
        return None;
    }
    fields.refuse_unknown(PLAN_KEYS, faults);
    let mut plan = Plan::new(PlanId(ids()), "");
    plan.title = node_reader::title(&fields, faults).unwrap_or_else(|| default_title.to_owned());
    plan.description = fields.text("description", faults).unwrap_or_default();
    plan.cwd = fields.text("cwd", faults);
    plan.settings = settings(&fields, faults);
    plan.origin = origin(&fields, faults);
    plan.metadata = fields.json("metadata", faults);
    read_nodes(&fields, &mut plan, ids, faults, warnings);
    Some(plan)
}

/// Whether the file is of a later format, in which all else may mean something else.
fn is_newer(fields: &Fields<'_>, start: Place, faults: &mut Faults) -> bool {
    let Some(located) = fields.get("baton") else {
        let mend = "begin the file with \"baton: 1\"";
        faults.add(start, FaultKind::MissingKey { key: "baton", of: OF.to_owned(), mend });
        return false;
    };
    let number = match &located.value {
        Value::Scalar(text, ScalarKind::Integer) => core_schema::integer(text).and_then(|n| u64::try_from(n).ok()),
        _ => None,
    };
    match number {
        Some(1) => false,
        Some(found @ 2..) => {
            faults.add(located.at, FaultKind::NewerFormat { found });
            true
        }
        Some(0) | None => {
            wrong_type(located, &fields.name("baton"), "1", faults);
            false
        }
    }
}

fn settings(fields: &Fields<'_>, faults: &mut Faults) -> PlanSettings {
    let default = PlanSettings::default();
    let autonomy = fields.whole_number::<u8>("autonomy", 0..=4, faults);
    PlanSettings {
        autonomy: autonomy.and_then(|level| Autonomy::try_from(level).ok()).unwrap_or_default(),
        concurrency: fields.whole_number("concurrency", 1..=1000, faults).unwrap_or(default.concurrency),
        priority: fields.whole_number("priority", 1..=10, faults).unwrap_or(default.priority),
        max_retries: fields.whole_number("maxRetries", 0..=u32::MAX.into(), faults).unwrap_or(default.max_retries),
        timeout_ms: fields.whole_number("timeoutMs", 0..=u64::MAX, faults),
        project: fields.text("project", faults),
        tags: fields.texts("tags", faults),
        complexity: fields.whole_number("complexity", 1..=10, faults),
        constraints: fields.texts("constraints", faults),
        ..default
    }
}

fn origin(fields: &Fields<'_>, faults: &mut Faults) -> Origin {
    Origin {
        source: fields.word("source", SOURCES, faults).unwrap_or_default(),
        source_id: fields.text("sourceId", faults),
        user: fields.text("user", faults),
        created_by: fields.text("createdBy", faults),
        planner_model: fields.text("plannerModel", faults),
        executor_model: fields.text("executorModel", faults),
        informed_by: fields.texts("informedBy", faults),
        goal: fields.text("goal", faults),
        trigger: fields.text("trigger", faults),
    }
}

fn read_nodes(
    fields: &Fields<'_>,
    plan: &mut Plan,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) {
    let items = fields.list("nodes", faults);
    if items.is_empty() {
        let at = fields.get("nodes").map_or(Place::START, |nodes| nodes.at);
        warnings.push(Warning { at, kind: WarningKind::NoNodes });
    }
    let drafts = items
        .iter()
        .zip(1..)
        .filter_map(|(item, number)| node_reader::read(item, number, ids(), faults, warnings))
        .collect();
    let places = dependencies::settle(drafts, plan, faults);
    dependencies::report_cycle(plan, &places, faults);
}
