//! The plan itself: version, settings, origin, and the nodes put together.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::check::Places;
use super::fault::{FaultKind, Faults};
use super::fields::{Fields, text, whole_number, wrong_type};
use super::keys::{
    DIRECTIONS, ISOLATIONS, ON_FAILED_CRITERION, ON_TAKEOVER, ON_UNVERIFIED, PLAN_KEYS, REPLANS,
    SANDBOX_MODES, SOURCES, TOOL_SCOPES,
};
use super::tree::{Entry, Located, Place, ScalarKind, Value, quoted};
use super::{
    EmbeddedPlan, KeyPlaces, Scope, SubPlanPlaces, Warning, WarningKind, check, core_schema,
    dependencies, embedded, entries, group_reader, loop_step, node_reader, references, step_shape,
};
use baton_model::node::Review;
use baton_model::plan::{Autonomy, Origin, PlanSettings};
use baton_model::problem::{CONCURRENCY_LIMIT, NodeField, RETRIES_LIMIT};
use baton_model::{Node, Plan, PlanId};

const OF: &str = "the plan";

/// A plan, where its nodes name the plans that they run, and where its keys stand.
pub(super) type ReadPlan = (Plan, SubPlanPlaces, KeyPlaces);

/// The plan at `root` with those that it embeds. Whether they may be used depends on `faults`.
pub(super) fn read(
    root: &Located,
    default_title: &str,
    scope: Scope,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> Option<(ReadPlan, Vec<EmbeddedPlan>)> {
    let nodes_alone;
    let entries = match &root.value {
        Value::Map(entries) => entries,
        Value::List(_) if scope == Scope::Part => {
            nodes_alone = vec![Entry {
                key: "nodes".to_owned(),
                at: root.at,
                value: root.clone(),
            }];
            &nodes_alone
        }
        _ => {
            wrong_type(
                root,
                "a plan file",
                "a mapping that begins with \"baton: 1\"",
                faults,
            );
            return None;
        }
    };
    let is_own_pilots = entries::is_own_pilots(entries);
    let entries = entries::of_plan(entries, faults);
    let fields = Fields {
        of: OF,
        entries: &entries,
    };
    let needs_format = scope == Scope::File && !is_own_pilots;
    let has_format = needs_format || fields.get("baton").is_some();
    if has_format && is_newer(&fields, root.at, faults) {
        return None;
    }
    fields.refuse_unknown(PLAN_KEYS, faults);
    let own = content(&fields, default_title, ids, faults, warnings);
    let embedded = embedded::read(&fields, &own.0, ids, faults, warnings);
    Some((own, embedded))
}

/// What `fields` say of a plan, whether it is a file's own or one that is embedded.
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
    plan.metadata = fields.json("metadata", faults);
    plan.direction = fields
        .word("direction", DIRECTIONS, faults)
        .unwrap_or_default();
    let mut keys = KeyPlaces::new(fields.entries);
    let places = read_nodes(fields, &mut plan, &mut keys, ids, faults, warnings);
    (plan, places, keys)
}

/// What the plan is for: OwnPilot keeps the goal apart from what else there is to say.
fn description(fields: &Fields<'_>, faults: &mut Faults) -> String {
    let said = ["goal", "description"].map(|key| fields.text(key, faults).unwrap_or_default());
    let [goal, description] = said.each_ref().map(|text| text.trim());
    match (goal.is_empty(), description.is_empty()) {
        (true, _) => said[1].clone(),
        (false, true) => said[0].clone(),
        (false, false) if description.contains(goal) => said[1].clone(),
        (false, false) => format!("{goal}\n\n{description}"),
    }
}

/// Whether the file is of a later format, in which all else may mean something else.
fn is_newer(fields: &Fields<'_>, start: Place, faults: &mut Faults) -> bool {
    let Some(located) = fields.get("baton") else {
        let mend = "begin the file with \"baton: 1\"";
        faults.add(
            start,
            FaultKind::MissingKey {
                key: "baton",
                of: OF.to_owned(),
                mend,
            },
        );
        return false;
    };
    let number = match &located.value {
        Value::Scalar(text, ScalarKind::Integer) => {
            core_schema::integer(text).and_then(|n| u64::try_from(n).ok())
        }
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
            .word("toolScope", TOOL_SCOPES, faults)
            .unwrap_or_default(),
        guarded_tools: guarded_tools(fields, faults),
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
        replan: fields.word("replan", REPLANS, faults).unwrap_or_default(),
        timeout_ms: fields.whole_number("timeoutMs", 0..=u64::MAX, faults),
        agent_timeout_ms: fields.whole_number("agentTimeoutMs", 0..=u64::MAX, faults),
        command_timeout_ms: fields.whole_number("commandTimeoutMs", 0..=u64::MAX, faults),
        budget: node_reader::budget(fields, faults),
        agent: fields.text("agent", faults),
        agent_concurrency: agent_concurrency(fields, faults),
        review: review(fields, faults),
        on_failed_criterion: fields
            .word("onFailedCriterion", ON_FAILED_CRITERION, faults)
            .unwrap_or_default(),
        on_unverified: fields
            .word("onUnverified", ON_UNVERIFIED, faults)
            .unwrap_or_default(),
        takeover_allowed: fields
            .flag("takeoverAllowed", faults)
            .unwrap_or(default.takeover_allowed),
        on_takeover: fields
            .word("onTakeover", ON_TAKEOVER, faults)
            .unwrap_or_default(),
        isolation: fields
            .word("isolation", ISOLATIONS, faults)
            .unwrap_or_default(),
        sandbox: fields
            .word("sandbox", SANDBOX_MODES, faults)
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
    let name = fields.name("review");
    let inner = Fields { of: &name, entries };
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
        let of = format!("{}, for agent {}", fields.of, quoted(&entry.key));
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
        goal: fields.text("goalId", faults),
        trigger: fields.text("trigger", faults),
    }
}

fn read_nodes(
    fields: &Fields<'_>,
    plan: &mut Plan,
    keys: &mut KeyPlaces,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> SubPlanPlaces {
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
    step_shape::name(&mut drafts);
    step_shape::arrange(&mut drafts, warnings);
    loop_step::take_in(&mut drafts, faults, warnings);
    let by_slug = dependencies::by_slug(&drafts, faults);
    let places = dependencies::settle(&drafts, &by_slug, plan, faults);
    let found = references::find(&drafts, &by_slug, faults);
    references::warn_of_words(&drafts, &by_slug, warnings);
    check::report_unknown_names(&drafts, &by_slug, faults);
    let (groups, members) = group_reader::read(
        fields.list("groups", faults),
        &drafts,
        &by_slug,
        ids,
        faults,
    );
    plan.groups = groups;
    references::settle(found, &mut drafts);
    plan.nodes = drafts
        .iter()
        .filter_map(|draft| draft.node.clone())
        .collect();
    check::report(
        plan,
        &drafts,
        &Places {
            edges: places,
            members,
        },
        faults,
    );
    for draft in &mut drafts {
        if let Some(node) = &draft.node {
            keys.put_node(node.id, std::mem::take(&mut draft.keys));
        }
    }
    let runs_a_plan = |node: &Node| node.kind.sub_plan().is_some();
    let named = drafts.iter().filter_map(|draft| {
        Some((
            draft.node.as_ref().filter(|node| runs_a_plan(node))?.id,
            draft,
        ))
    });
    named
        .map(|(node, draft)| (node, draft.place(NodeField::SubPlanId)))
        .collect()
}
