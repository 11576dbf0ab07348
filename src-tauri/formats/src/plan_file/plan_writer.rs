//! A plan as the values that its file holds, in the order of the keys and without defaults.

use std::collections::HashMap;

use super::document::{Document, Entries};
use super::keys::{self, keyword_for};
use super::node_writer::put_budget;
use super::{context_writer, group_writer, node_writer};
use baton_model::Direction;
use baton_model::node::{OnFailedCriterion, OnUnverified};
use baton_model::plan::{OnTakeover, Origin, PlanSettings};
use baton_model::{Edge, Node, NodeId, Plan, Slug};

/// The whole file with its embedded plans.
pub(super) fn from_plan(plan: &Plan, plans: &[(String, Plan)]) -> Document {
    let mut entries = Entries::default();
    entries.put("baton", 1_u64);
    put_plan(plan, &mut entries);
    if !plans.is_empty() {
        let embedded = plans.iter().map(|(name, plan)| {
            let mut entries = Entries::default();
            put_plan(plan, &mut entries);
            (name.clone(), Document::Map(entries.0))
        });
        entries.put("plans", Document::Map(embedded.collect()));
    }
    Document::Map(entries.0)
}

fn put_plan(plan: &Plan, entries: &mut Entries) {
    entries.put("title", plan.title.as_str());
    entries.text("description", &plan.description);
    entries.some("cwd", plan.cwd.as_deref());
    put_settings(&plan.settings, entries);
    context_writer::put_context(&plan.context, entries);
    context_writer::put_risks(&plan.risks, entries);
    entries.json("metadata", &plan.metadata);
    put_origin(&plan.origin, entries);
    let word = |direction| keyword_for(keys::DIRECTIONS, &direction);
    entries.put_unless(
        "direction",
        word(plan.direction),
        word(Direction::default()),
    );
    let slugs: HashMap<NodeId, &Slug> = plan
        .nodes
        .iter()
        .map(|node| (node.id, &node.slug))
        .collect();
    let mut edges: HashMap<NodeId, Vec<&Edge>> = HashMap::new();
    for edge in &plan.edges {
        edges.entry(edge.child).or_default().push(edge);
    }
    let node_of = |node: &Node| {
        let edges = edges.get(&node.id).map(Vec::as_slice).unwrap_or_default();
        node_writer::write(node, edges, &slugs)
    };
    entries.put(
        "nodes",
        Document::Blocks(plan.nodes.iter().map(node_of).collect()),
    );
    if !plan.groups.is_empty() {
        let groups = plan
            .groups
            .iter()
            .map(|group| group_writer::write(group, &slugs));
        entries.put("groups", Document::Blocks(groups.collect()));
    }
}

fn put_settings(settings: &PlanSettings, entries: &mut Entries) {
    let default = PlanSettings::default();
    entries.some("project", settings.project.as_deref());
    entries.some("autonomy", settings.autonomy.map(u8::from));
    let scope = |mode| keyword_for(keys::TOOL_SCOPES, mode);
    entries.put_unless(
        "toolScope",
        scope(&settings.tool_scope),
        scope(&default.tool_scope),
    );
    entries.texts("guardedTools", &settings.guarded_tools);
    entries.texts("toolsRequired", &settings.tools_required);
    entries.some("concurrency", settings.concurrency);
    entries.put_unless("priority", settings.priority, default.priority);
    entries.some("timeoutMs", settings.timeout_ms);
    entries.some("agentTimeoutMs", settings.agent_timeout_ms);
    entries.some("commandTimeoutMs", settings.command_timeout_ms);
    entries.put_unless("planRetries", settings.plan_retries, default.plan_retries);
    entries.put_unless("maxRetries", settings.max_retries, default.max_retries);
    let replan = |mode| keyword_for(keys::REPLANS, mode);
    entries.put_unless("replan", replan(&settings.replan), replan(&default.replan));
    entries.some("onFailure", settings.on_failure.as_deref());
    put_budget(settings.budget, entries);
    entries.some("agent", settings.agent.as_deref());
    if !settings.agent_concurrency.is_empty() {
        let limits = settings
            .agent_concurrency
            .iter()
            .map(|(agent, limit)| (agent.clone(), (*limit).into()));
        entries.put("agentConcurrency", Document::Map(limits.collect()));
    }
    if let Some(review) = &settings.review {
        let mut reviewer = Entries::default();
        reviewer.some("agent", review.agent.as_deref());
        reviewer.some("model", review.model.as_deref());
        entries.put("review", Document::Map(reviewer.0));
    }
    let word = |on: &OnFailedCriterion| keyword_for(keys::ON_FAILED_CRITERION, on);
    entries.put_unless(
        "onFailedCriterion",
        word(&settings.on_failed_criterion),
        word(&default.on_failed_criterion),
    );
    let word = |on: &OnUnverified| keyword_for(keys::ON_UNVERIFIED, on);
    entries.put_unless(
        "onUnverified",
        word(&settings.on_unverified),
        word(&default.on_unverified),
    );
    entries.put_unless(
        "takeoverAllowed",
        settings.takeover_allowed,
        default.takeover_allowed,
    );
    let word = |on: &OnTakeover| keyword_for(keys::ON_TAKEOVER, on);
    entries.put_unless(
        "onTakeover",
        word(&settings.on_takeover),
        word(&default.on_takeover),
    );
    let word = |isolation| keyword_for(keys::ISOLATIONS, &isolation);
    entries.put_unless(
        "isolation",
        word(settings.isolation),
        word(default.isolation),
    );
    let word = |mode| keyword_for(keys::SANDBOX_MODES, &mode);
    entries.put_unless("sandbox", word(settings.sandbox), word(default.sandbox));
    let word = |mode| keyword_for(keys::SESSION_TOOLS, &mode);
    entries.put_unless(
        "sessionTools",
        word(settings.session_tools),
        word(default.session_tools),
    );
    entries.some("worktreeSetup", settings.worktree_setup.as_deref());
    entries.texts("tags", &settings.tags);
    entries.some("complexity", settings.complexity);
    entries.texts("constraints", &settings.constraints);
}

fn put_origin(origin: &Origin, entries: &mut Entries) {
    entries.put_unless(
        "source",
        keyword_for(keys::SOURCES, &origin.source),
        keyword_for(keys::SOURCES, &Default::default()),
    );
    entries.some("sourceId", origin.source_id.as_deref());
    entries.some("user", origin.user.as_deref());
    entries.some("createdBy", origin.created_by.as_deref());
    entries.some("plannerModel", origin.planner_model.as_deref());
    entries.some("executorModel", origin.executor_model.as_deref());
    entries.texts("informedBy", &origin.informed_by);
    entries.some("goalId", origin.goal.as_deref());
    entries.some("trigger", origin.trigger.as_deref());
}
