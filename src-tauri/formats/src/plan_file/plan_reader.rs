//! Reads the content of a plan: settings, origin, nodes and groups.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::check::PlanLocations;
use super::fault::Faults;
use super::fields::{Fields, text, whole_number, wrong_type};
use super::keys::{
    DIRECTIONS, ISOLATIONS, ON_FAILED_CRITERION, ON_TAKEOVER, ON_UNVERIFIED, REPLANS,
    SANDBOX_MODES, SESSION_TOOLS, SOURCES, TOOL_SCOPES,
};
use super::tree::{Entry, quoted};
use super::{
    KeyLocations, SubPlanLocations, Warning, WarningKind, check, context_reader, dependencies,
    group_reader, loop_step, node_reader, own_pilot_order, references,
};
use baton_model::node::Review;
use baton_model::plan::{Autonomy, Origin, PlanSettings};
use baton_model::problem::{CONCURRENCY_LIMIT, NodeField, RETRIES_LIMIT};
use baton_model::{Plan, PlanId};

pub(super) const PLAN_LABEL: &str = "the plan";

/// A plan, the locations of the names of plans that its nodes run, and the locations of its keys.
pub(super) type ReadPlan = (Plan, SubPlanLocations, KeyLocations);

/// Reads a plan from `fields`, either of a file itself or embedded.
pub(super) fn content(
    fields: &Fields<'_>,
    default_title: &str,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> ReadPlan {
    let mut plan = Plan::new(PlanId(ids()), "");
    plan.title = node_reader::title(fields, faults).unwrap_or_else(|| default_title.to_owned());
    plan.description = description(fields, faults);
    plan.cwd = fields.text("cwd", faults);
    plan.settings = settings(fields, faults);
    plan.origin = origin(fields, faults);
    plan.context = context_reader::context(fields, faults);
    plan.risks = context_reader::risks(fields, faults);
    plan.metadata = fields.json("metadata", faults);
    plan.direction = fields
        .keyword("direction", DIRECTIONS, faults)
        .unwrap_or_default();
    let mut keys = KeyLocations::new(fields.entries);
    let places = read_nodes(fields, &mut plan, &mut keys, ids, faults, warnings);
    (plan, places, keys)
}

/// The goal and description of the plan. OwnPilot has separate keys for them.
fn description(fields: &Fields<'_>, faults: &mut Faults) -> String {
    let texts = ["goal", "description"].map(|key| fields.text(key, faults).unwrap_or_default());
    let [goal, description] = texts.each_ref().map(|text| text.trim());
    match (goal.is_empty(), description.is_empty()) {
        (true, _) => texts[1].clone(),
        (false, true) => texts[0].clone(),
        (false, false) if description.contains(goal) => texts[1].clone(),
        (false, false) => format!("{goal}\n\n{description}"),
    }
}

/// Refuses blank names, because they guard nothing although their author believes they do.
pub(super) fn guarded_tools(fields: &Fields<'_>, faults: &mut Faults) -> Vec<String> {
    let name = format!("an item of {}", fields.describe_key("guardedTools"));
    let items = fields.list("guardedTools", faults);
    let mut tools = Vec::with_capacity(items.len());
    for item in items {
        match text(item, &name, faults) {
            Some(tool) if tool.trim().is_empty() => {
                wrong_type(item, &name, "the name of a tool", faults)
            }
            tool => tools.extend(tool),
        }
    }
    tools
}

fn settings(fields: &Fields<'_>, faults: &mut Faults) -> PlanSettings {
    let default = PlanSettings::default();
    let autonomy = fields.whole_number::<u8>("autonomy", 0..=4, faults);
    PlanSettings {
        autonomy: autonomy.and_then(|level| Autonomy::try_from(level).ok()),
        tool_scope: fields
            .keyword("toolScope", TOOL_SCOPES, faults)
            .unwrap_or_default(),
        guarded_tools: guarded_tools(fields, faults),
        tools_required: fields.texts("toolsRequired", faults),
        concurrency: fields.whole_number("concurrency", 1..=CONCURRENCY_LIMIT.into(), faults),
        priority: fields
            .whole_number("priority", 1..=10, faults)
            .unwrap_or(default.priority),
        plan_retries: fields
            .whole_number("planRetries", 0..=RETRIES_LIMIT.into(), faults)
            .unwrap_or_default(),
        max_retries: fields
            .whole_number("maxRetries", 0..=u32::MAX.into(), faults)
            .unwrap_or(default.max_retries),
        replan: fields
            .keyword("replan", REPLANS, faults)
            .unwrap_or_default(),
        on_failure: fields.text("onFailure", faults),
        timeout_ms: fields.whole_number("timeoutMs", 0..=u64::MAX, faults),
        agent_timeout_ms: fields.whole_number("agentTimeoutMs", 0..=u64::MAX, faults),
        command_timeout_ms: fields.whole_number("commandTimeoutMs", 0..=u64::MAX, faults),
        budget: node_reader::budget(fields, faults),
        agent: fields.text("agent", faults),
        agent_concurrency: agent_concurrency(fields, faults),
        review: review(fields, faults),
        on_failed_criterion: fields
            .keyword("onFailedCriterion", ON_FAILED_CRITERION, faults)
            .unwrap_or_default(),
        on_unverified: fields
            .keyword("onUnverified", ON_UNVERIFIED, faults)
            .unwrap_or_default(),
        takeover_allowed: fields
            .flag("takeoverAllowed", faults)
            .unwrap_or(default.takeover_allowed),
        on_takeover: fields
            .keyword("onTakeover", ON_TAKEOVER, faults)
            .unwrap_or_default(),
        isolation: fields
            .keyword("isolation", ISOLATIONS, faults)
            .unwrap_or_default(),
        sandbox: fields
            .keyword("sandbox", SANDBOX_MODES, faults)
            .unwrap_or_default(),
        session_tools: fields
            .keyword("sessionTools", SESSION_TOOLS, faults)
            .unwrap_or_default(),
        worktree_setup: fields.text("worktreeSetup", faults),
        project: fields.text("project", faults),
        tags: fields.texts("tags", faults),
        complexity: fields.whole_number("complexity", 1..=10, faults),
        constraints: fields.texts("constraints", faults),
    }
}

fn review(fields: &Fields<'_>, faults: &mut Faults) -> Option<Review> {
    let entries = fields.map("review", faults)?;
    let name = fields.describe_key("review");
    let inner = Fields {
        owner: &name,
        entries,
    };
    inner.refuse_unknown(&["agent", "model"], faults);
    Some(Review {
        agent: inner.text("agent", faults),
        model: inner.text("model", faults),
    })
}

fn agent_concurrency(fields: &Fields<'_>, faults: &mut Faults) -> BTreeMap<String, u32> {
    const KEY: &str = "agentConcurrency";
    let entries = fields.map(KEY, faults).unwrap_or_default();
    let limit = |entry: &Entry| {
        let owner = format!("{}, for agent {}", fields.owner, quoted(&entry.key));
        let limit = whole_number(
            &entry.value,
            KEY,
            &owner,
            1..=CONCURRENCY_LIMIT.into(),
            faults,
        )?;
        Some((entry.key.clone(), limit))
    };
    entries.iter().filter_map(limit).collect()
}

fn origin(fields: &Fields<'_>, faults: &mut Faults) -> Origin {
    Origin {
        source: fields
            .keyword("source", SOURCES, faults)
            .unwrap_or_default(),
        source_id: fields.text("sourceId", faults),
        user: fields.text("user", faults),
        created_by: fields.text("createdBy", faults),
        planner_model: fields.text("plannerModel", faults),
        executor_model: fields.text("executorModel", faults),
        informed_by: fields.texts("informedBy", faults),
        goal: fields.text("goalId", faults),
        trigger: fields.text("trigger", faults),
    }
}

fn read_nodes(
    fields: &Fields<'_>,
    plan: &mut Plan,
    keys: &mut KeyLocations,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> SubPlanLocations {
    let items = fields.list("nodes", faults);
    if items.is_empty() {
        let at = fields
            .get("nodes")
            .map_or_else(|| fields.start(), |nodes| nodes.at);
        warnings.push(Warning {
            at,
            kind: WarningKind::NoNodes,
        });
    }
    let mut drafts: Vec<_> = items
        .iter()
        .zip(1..)
        .filter_map(|(item, number)| node_reader::read(item, number, ids(), faults, warnings))
        .collect();
    own_pilot_order::assign_slugs(&mut drafts);
    own_pilot_order::apply_order(&mut drafts, warnings);
    loop_step::inline_steps(&mut drafts, faults, warnings);
    let by_slug = dependencies::by_slug(&drafts, faults);
    let places = dependencies::add_edges(&drafts, &by_slug, plan, faults);
    let found = references::resolve(&drafts, &by_slug, faults);
    references::warn_ambiguous_keywords(&drafts, &by_slug, warnings);
    check::report_unknown_names(&drafts, &by_slug, faults);
    check::report_unknown_context(&drafts, &plan.context, faults);
    let (groups, members) = group_reader::read(
        fields.list("groups", faults),
        &drafts,
        &by_slug,
        ids,
        faults,
    );
    plan.groups = groups;
    references::apply(found, &mut drafts);
    plan.nodes = drafts.iter().map(|draft| draft.node.clone()).collect();
    check::report(
        plan,
        &drafts,
        &PlanLocations {
            edges: places,
            members,
        },
        faults,
    );
    for draft in &mut drafts {
        keys.put_node(draft.node.id, std::mem::take(&mut draft.keys));
    }
    drafts
        .iter()
        .filter(|draft| draft.node.kind.sub_plan().is_some())
        .map(|draft| (draft.node.id, draft.field_location(NodeField::SubPlanId)))
        .collect()
}
