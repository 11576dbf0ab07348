//! A node as the values that its file holds.

use std::collections::HashMap;

use super::document::{Document, Entries};
use super::keys::{self, keyword_for};
use super::kind_reader::default_input_type;
use baton_model::node::{
    AgentTask, Budget, CommandLine, CommandTask, ConditionTask, Criterion, DecisionTask,
    EarlierSession, LoopBody, LoopTask, NodeKind, Note, NoteSize, OnFailure, ParallelTask,
    Position, Question, SubPlanTask, ToolCall,
};
use baton_model::{Edge, Node, NodeId, Slug};

/// The slugs of all nodes of the plan.
type Slugs<'p> = HashMap<NodeId, &'p Slug>;

/// Writes `node` with the dependencies in `edges`. Edges from unknown nodes are dropped.
pub(super) fn write(node: &Node, edges: &[&Edge], slugs: &Slugs<'_>) -> Document {
    let mut entries = Entries::default();
    entries.put("id", node.slug.as_str());
    entries.put_unless("title", node.title.as_str(), node.slug.as_str());
    entries.text("description", &node.description);
    put_kind(&node.kind, slugs, &mut entries);
    let dependencies: Vec<_> = edges
        .iter()
        .filter_map(|edge| dependency(edge, slugs))
        .collect();
    if !dependencies.is_empty() {
        entries.put("dependsOn", Document::List(dependencies));
    }
    let rule = |rule| keyword_for(keys::TRIGGER_RULES, &rule);
    entries.some("triggerRule", node.trigger_rule.map(rule));
    entries.text("instructions", &node.instructions);
    put_criteria(&node.acceptance_criteria, &mut entries);
    entries.texts("toolsRequired", &node.tools_required);
    entries.some("suggestedAgent", node.suggested_agent.as_deref());
    put_policies(node, slugs, &mut entries);
    entries.some("position", node.position.and_then(position_document));
    entries.put_unless("keepsPlace", node.keeps_place, false);
    entries.json("metadata", &node.metadata);
    Document::Map(entries.0)
}

fn dependency(edge: &Edge, slugs: &Slugs<'_>) -> Option<Document> {
    let parent = slugs.get(&edge.parent)?.as_str();
    if !edge.soft && !edge.inferred {
        return Some(parent.into());
    }
    let mut entries = Entries::default();
    entries.put("node", parent);
    entries.put_unless("soft", edge.soft, false);
    entries.put_unless("inferred", edge.inferred, false);
    Some(Document::Map(entries.0))
}

fn put_policies(node: &Node, slugs: &Slugs<'_>, entries: &mut Entries) {
    entries.put_unless("maxRetries", node.max_retries, 0);
    if !node.retry_exit_codes.is_empty() {
        let codes = node
            .retry_exit_codes
            .iter()
            .map(|&code| Document::Number(code.into()));
        entries.put("retryExitCodes", Document::List(codes.collect()));
    }
    let after = |after| keyword_for(keys::AFTER_CRASHES, &after);
    entries.put_unless(
        "afterCrash",
        after(node.after_crash),
        after(Default::default()),
    );
    entries.some("timeoutMs", node.timeout_ms);
    entries.some("silentAfterMs", node.silent_after_ms);
    put_budget(node.budget, entries);
    put_reference("onSuccess", node.on_success, slugs, entries);
    match node.on_failure {
        OnFailure::Abort => {}
        OnFailure::Skip => entries.put("onFailure", "skip"),
        OnFailure::Node(target) => put_reference("onFailure", Some(target), slugs, entries),
    }
    entries.some(
        "isolation",
        node.isolation
            .map(|isolation| keyword_for(keys::ISOLATIONS, &isolation)),
    );
    entries.some(
        "sandbox",
        node.sandbox
            .map(|mode| keyword_for(keys::SANDBOX_MODES, &mode)),
    );
    entries.texts("locks", &node.locks);
    entries.put_unless("priority", node.priority, Node::default_priority());
    entries.put_unless("disabled", node.disabled, false);
}

fn put_criteria(criteria: &[Criterion], entries: &mut Entries) {
    let written = |criterion: &Criterion| match criterion {
        Criterion::Sentence(words) => Document::from(words.as_str()),
        Criterion::Run {
            run,
            verify_on_takeover,
        } => {
            let mut entries = Entries::default();
            entries.put("run", run.as_str());
            entries.put_unless("verifyOnTakeover", *verify_on_takeover, true);
            Document::Map(entries.0)
        }
        Criterion::Ask { ask } => Document::Map(vec![("ask".to_owned(), ask.as_str().into())]),
    };
    if !criteria.is_empty() {
        entries.put(
            "acceptanceCriteria",
            Document::List(criteria.iter().map(written).collect()),
        );
    }
}

fn put_reference(key: &str, node: Option<NodeId>, slugs: &Slugs<'_>, entries: &mut Entries) {
    entries.some(
        key,
        node.and_then(|node| slugs.get(&node))
            .map(|slug| slug.as_str()),
    );
}

fn put_kind(kind: &NodeKind, slugs: &Slugs<'_>, entries: &mut Entries) {
    // Agent is the default kind.
    if !matches!(kind, NodeKind::Agent(_)) {
        entries.put("kind", kind.as_str());
    }
    match kind {
        NodeKind::Agent(AgentTask {
            agent,
            model,
            prompt,
            tool_scope,
            session,
        }) => {
            put_agent(agent, model, prompt, entries);
            entries.some(
                "toolScope",
                tool_scope.map(|mode| keyword_for(keys::TOOL_SCOPES, &mode)),
            );
            put_session(session.as_ref(), entries);
        }
        NodeKind::Command(task) => put_command(task, entries),
        NodeKind::ToolCall(call) => put_call(call, entries),
        NodeKind::LlmDecision(DecisionTask {
            agent,
            model,
            prompt,
            choices,
        }) => {
            put_agent(agent, model, prompt, entries);
            entries.texts("choices", choices);
        }
        NodeKind::UserInput(question) => put_question(question, entries),
        NodeKind::Condition(ConditionTask {
            condition,
            true_step,
            false_step,
        }) => {
            entries.put("condition", condition.as_str());
            put_reference("trueStep", *true_step, slugs, entries);
            put_reference("falseStep", *false_step, slugs, entries);
        }
        NodeKind::Parallel(task) => put_parallel(task, entries),
        NodeKind::Loop(task) => put_loop(task, entries),
        NodeKind::SubPlan(task) => put_sub_plan(task, entries),
        NodeKind::Note(note) => put_note(note, entries),
        // Plan files do not support this kind. It is written for display and cannot be read back.
        NodeKind::Planning(task) => entries.text("prompt", &task.prompt),
    }
}

fn put_agent(agent: &Option<String>, model: &Option<String>, prompt: &str, entries: &mut Entries) {
    entries.some("agent", agent.as_deref());
    entries.some("model", model.as_deref());
    entries.text("prompt", prompt);
}

fn put_session(session: Option<&EarlierSession>, entries: &mut Entries) {
    let Some(session) = session else { return };
    let mut written = Entries::default();
    written.put("id", session.id.as_str());
    written.put_unless("fork", session.fork, EarlierSession::default_fork());
    entries.put("session", Document::Map(written.0));
}

fn put_command(task: &CommandTask, entries: &mut Entries) {
    match &task.command {
        CommandLine::Shell(line) => entries.put("command", line.as_str()),
        CommandLine::Argv(argv) => entries.put("command", argv.as_slice()),
    }
    if !task.env.is_empty() {
        let variables = task
            .env
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().into()));
        entries.put("env", Document::Map(variables.collect()));
    }
    entries.some("cwd", task.cwd.as_deref());
}

fn put_call(call: &ToolCall, entries: &mut Entries) {
    entries.put("toolName", call.tool_name.as_str());
    entries.json("toolArgs", &call.tool_args);
}

fn put_question(question: &Question, entries: &mut Entries) {
    entries.text("question", &question.question);
    let word = |input_type| keyword_for(keys::INPUT_TYPES, &input_type);
    entries.put_unless(
        "inputType",
        word(question.input_type),
        word(default_input_type(&question.options)),
    );
    entries.texts("options", &question.options);
    entries.some("timeout", question.timeout);
}

fn put_parallel(task: &ParallelTask, entries: &mut Entries) {
    let step = |call: &ToolCall| {
        let mut step = Entries::default();
        put_call(call, &mut step);
        Document::Map(step.0)
    };
    entries.put(
        "steps",
        Document::List(task.steps.iter().map(step).collect()),
    );
    entries.put_unless("waitAll", task.wait_all, true);
    entries.put_unless(
        "maxConcurrent",
        task.max_concurrent,
        ParallelTask::default_limit(),
    );
}

fn put_loop(task: &LoopTask, entries: &mut Entries) {
    match &task.body {
        LoopBody::Tool(call) => put_call(call, entries),
        LoopBody::Plan(plan) => put_sub_plan(plan, entries),
    }
    entries.put_unless(
        "maxIterations",
        task.max_iterations,
        LoopTask::default_iterations(),
    );
    entries.some("loopCondition", task.loop_condition.as_deref());
}

fn put_sub_plan(task: &SubPlanTask, entries: &mut Entries) {
    entries.put("subPlanId", task.sub_plan_id.as_str());
    entries.text("prompt", &task.prompt);
}

fn put_note(note: &Note, entries: &mut Entries) {
    entries.text("text", &note.text);
    entries.some(
        "color",
        note.color.map(|color| keyword_for(keys::COLORS, &color)),
    );
    entries.some("size", note.size.map(size_document));
}

fn size_document(size: NoteSize) -> Document {
    Document::Map(vec![
        ("width".to_owned(), size.width.into()),
        ("height".to_owned(), size.height.into()),
    ])
}

fn position_document(position: Position) -> Option<Document> {
    let mut entries = Entries::default();
    entries.put("x", Document::number(position.x)?);
    entries.put("y", Document::number(position.y)?);
    Some(Document::Map(entries.0))
}

/// Limits that are not numbers are dropped.
pub(super) fn put_budget(budget: Budget, entries: &mut Entries) {
    let mut limits = Entries::default();
    limits.some("tokens", budget.tokens);
    limits.some("costUsd", budget.cost_usd.and_then(Document::number));
    if !limits.0.is_empty() {
        entries.put("budget", Document::Map(limits.0));
    }
}
