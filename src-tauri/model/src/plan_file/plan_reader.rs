//! The plan itself: version, settings, origin, and the nodes put together.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::check::Places;
use super::fault::{FaultKind, Faults};
use super::fields::{Fields, text, whole_number, wrong_type};
use super::keys::{
    DIRECTIONS, ISOLATIONS, ON_FAILED_CRITERION, ON_TAKEOVER, ON_UNVERIFIED, PLAN_KEYS, REPLANS, SOURCES, TOOL_SCOPES,
};
use super::tree::{Entry, Located, Place, ScalarKind, Value, quoted};
use super::{
    Warning, WarningKind, check, core_schema, dependencies, entries, group_reader, loop_step, node_reader, references,
};
use crate::node::Review;
use crate::plan::{Autonomy, Origin, PlanSettings};
use crate::problem::CONCURRENCY_LIMIT;
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
    let entries = entries::of_plan(entries, faults);
    let fields = Fields { of: OF, entries: &entries };
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
    plan.direction = fields.word("direction", DIRECTIONS, faults).unwrap_or_default();
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

/// A name of nothing guards nothing, and whoever wrote it believes that it does.
fn guarded_tools(fields: &Fields<'_>, faults: &mut Faults) -> Vec<String> {
    let name = format!("an item of {}", fields.name("guardedTools"));
    let items = fields.list("guardedTools", faults);
    let mut tools = Vec::with_capacity(items.len());
    for item in items {
        match text(item, &name, faults) {
            Some(tool) if tool.trim().is_empty() => wrong_type(item, &name, "the name of a tool", faults),
            tool => tools.extend(tool),
        }
    }
    tools
}

fn settings(fields: &Fields<'_>, faults: &mut Faults) -> PlanSettings {
    let default = PlanSettings::default();
    let autonomy = fields.whole_number::<u8>("autonomy", 0..=4, faults);
    PlanSettings {
        autonomy: autonomy.and_then(|level| Autonomy::try_from(level).ok()).unwrap_or_default(),
        tool_scope: fields.word("toolScope", TOOL_SCOPES, faults).unwrap_or_default(),
        guarded_tools: guarded_tools(fields, faults),
        concurrency: fields
            .whole_number("concurrency", 1..=CONCURRENCY_LIMIT.into(), faults)
            .unwrap_or(default.concurrency),
        priority: fields.whole_number("priority", 1..=10, faults).unwrap_or(default.priority),
        max_retries: fields.whole_number("maxRetries", 0..=u32::MAX.into(), faults).unwrap_or(default.max_retries),
        replan: fields.word("replan", REPLANS, faults).unwrap_or_default(),
        timeout_ms: fields.whole_number("timeoutMs", 0..=u64::MAX, faults),
        budget: node_reader::budget(fields, faults),
        agent: fields.text("agent", faults),
        agent_concurrency: agent_concurrency(fields, faults),
        review: review(fields, faults),
        on_failed_criterion: fields.word("onFailedCriterion", ON_FAILED_CRITERION, faults).unwrap_or_default(),
        on_unverified: fields.word("onUnverified", ON_UNVERIFIED, faults).unwrap_or_default(),
        takeover_allowed: fields.flag("takeoverAllowed", faults).unwrap_or(default.takeover_allowed),
        on_takeover: fields.word("onTakeover", ON_TAKEOVER, faults).unwrap_or_default(),
        isolation: fields.word("isolation", ISOLATIONS, faults).unwrap_or_default(),
        worktree_setup: fields.text("worktreeSetup", faults),
        project: fields.text("project", faults),
        tags: fields.texts("tags", faults),
        complexity: fields.whole_number("complexity", 1..=10, faults),
        constraints: fields.texts("constraints", faults),
    }
}

fn review(fields: &Fields<'_>, faults: &mut Faults) -> Option<Review> {
    let entries = fields.map("review", faults)?;
    let name = fields.name("review");
    let inner = Fields { of: &name, entries };
    inner.refuse_unknown(&["agent", "model"], faults);
    Some(Review { agent: inner.text("agent", faults), model: inner.text("model", faults) })
}

fn agent_concurrency(fields: &Fields<'_>, faults: &mut Faults) -> BTreeMap<String, u32> {
    const KEY: &str = "agentConcurrency";
    let entries = fields.map(KEY, faults).unwrap_or_default();
    let limit = |entry: &Entry| {
        let of = format!("{OF}, for agent {}", quoted(&entry.key));
        let limit = whole_number(&entry.value, KEY, &of, 1..=CONCURRENCY_LIMIT.into(), faults)?;
        Some((entry.key.clone(), limit))
    };
    entries.iter().filter_map(limit).collect()
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
    let mut drafts: Vec<_> = items
        .iter()
        .zip(1..)
        .filter_map(|(item, number)| node_reader::read(item, number, ids(), faults, warnings))
        .collect();
    loop_step::take_in(&mut drafts, faults, warnings);
    let by_slug = dependencies::by_slug(&drafts, faults);
    let places = dependencies::settle(&drafts, &by_slug, plan, faults);
    let found = references::find(&drafts, &by_slug, faults);
    references::warn_of_words(&drafts, &by_slug, warnings);
    let (groups, members) = group_reader::read(fields.list("groups", faults), &drafts, &by_slug, ids, faults);
    plan.groups = groups;
    references::settle(found, &mut drafts);
    plan.nodes = drafts.iter().filter_map(|draft| draft.node.clone()).collect();
    check::report(plan, &drafts, &Places { edges: places, members }, faults);
}
