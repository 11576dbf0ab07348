//! Evaluates a planner's answer.

use std::collections::HashMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::extract::extract_plan;
use super::fault::AnswerFault;
use super::lint::lint_plan;
use super::splice::splice;
use crate::layout;
use crate::plan_file::{self, Format, WarningKind};
use baton_model::node::{CommandLine, NodeKind, ToolCall};
use baton_model::plan::{Origin, Source};
use baton_model::planning::{Draft, Remark, Request, Subject};
use baton_model::{Node, NodeId, Plan};

/// The maximum number of nodes in a plan, so that a person can review it.
pub const NODE_LIMIT: usize = 500;
/// The maximum number of nodes that one node can be split into.
pub const SPLIT_LIMIT: usize = 30;

/// Plan keys that planners may set; all others are reserved for people.
const PLAN_KEYS: [&str; 7] = [
    "title",
    "description",
    "tags",
    "complexity",
    "constraints",
    "concurrency",
    "risks",
];
/// Node keys that planners may not set.
const PERSON_ONLY_KEYS: [&str; 7] = [
    "position",
    "keepsPlace",
    "metadata",
    "toolScope",
    "session",
    "budget",
    "suggestedAgent",
];

/// The context in which an answer is evaluated.
pub struct AnswerContext<'a> {
    /// The request that the answer is for.
    pub request: &'a Request,
    /// The plan that the answer changes; `None` for a new one.
    pub base: Option<&'a Plan>,
    /// The agents that are installed on this machine.
    pub installed: &'a [String],
    /// Whether the default agent of nodes is installed.
    pub default_is_installed: bool,
    /// The faults of a tool call, a sentence each.
    pub call_faults: &'a dyn Fn(&ToolCall) -> Vec<String>,
    /// The unknown tools and plans that a node refers to, a sentence each without its subject.
    pub missing_references: &'a dyn Fn(&Node) -> Vec<String>,
}

/// The draft in `answer`, or all of its faults. `ids` provides new identifiers.
pub fn parse_answer(
    answer: &str,
    context: &AnswerContext<'_>,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Draft, Vec<AnswerFault>> {
    if matches!(context.request.subject, Subject::Explain { .. }) {
        return Ok(Draft::Text {
            text: answer.trim().to_owned(),
        });
    }
    let mut plan_json =
        extract_plan(answer).map_err(|reason| vec![AnswerFault::NoPlan { reason }])?;
    let reasoning = plan_json
        .get("reasoning")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
        .to_owned();
    if let Some(Value::Object(inner)) = plan_json.remove("plan") {
        plan_json = inner;
    }
    let mut left_out = Vec::new();
    let document = plan_document(plan_json, context, &mut left_out)?;
    let file = plan_file::read(&document.to_string(), Format::Json, "plan", ids)
        .map_err(plan_file_faults)?;
    let mut plan = apply_to_base(file.plan, context)?;
    let faults = plan_faults(&plan, context);
    if !faults.is_empty() {
        return Err(faults);
    }
    lay_out(&mut plan, context.base.is_none());
    let noticed = file
        .warnings
        .into_iter()
        .filter(|warning| !matches!(warning.kind, WarningKind::NoTask { .. }));
    let noticed = noticed.map(|warning| Remark::Noticed {
        sentence: warning.kind.to_string(),
    });
    let mut remarks = lint_plan(&plan);
    remarks.extend(
        left_out
            .into_iter()
            .map(|key| Remark::LeftOut { key })
            .chain(noticed),
    );
    Ok(Draft::Plan {
        plan: Box::new(plan),
        reasoning,
        remarks,
    })
}

fn plan_file_faults(error: plan_file::PlanFileError) -> Vec<AnswerFault> {
    error
        .faults
        .into_iter()
        .map(|fault| AnswerFault::File(fault.kind))
        .collect()
}

/// The answer as a plan file, without keys that planners may not set.
fn plan_document(
    mut plan_json: Map<String, Value>,
    context: &AnswerContext<'_>,
    left_out: &mut Vec<String>,
) -> Result<Value, Vec<AnswerFault>> {
    let nodes = match plan_json.remove("nodes") {
        Some(Value::Array(nodes)) => nodes,
        _ => Vec::new(),
    };
    let (found, limit) = (nodes.len(), NODE_LIMIT);
    if found > limit {
        return Err(vec![AnswerFault::TooManyNodes { found, limit }]);
    }
    if let (Subject::Split { .. }, limit) = (&context.request.subject, SPLIT_LIMIT)
        && !(2..=limit).contains(&found)
    {
        return Err(vec![AnswerFault::NotSplit { found, limit }]);
    }
    plan_json.remove("baton");
    plan_json.remove("reasoning");
    left_out.extend(
        plan_json
            .keys()
            .filter(|key| !PLAN_KEYS.contains(&key.as_str()))
            .cloned(),
    );
    plan_json.retain(|key, _| PLAN_KEYS.contains(&key.as_str()));
    let kept = context
        .base
        .filter(|_| keeps_nodes(&context.request.subject));
    plan_json.insert(
        "nodes".to_owned(),
        Value::Array(expand_kept_nodes(nodes, kept, left_out)?),
    );
    plan_json.insert("baton".to_owned(), 1.into());
    Ok(Value::Object(plan_json))
}

/// Whether an answer may name nodes of the plan to keep them.
fn keeps_nodes(subject: &Subject) -> bool {
    matches!(subject, Subject::Replan { .. } | Subject::Fill { .. })
}

/// Replaces `"keep": true` by the nodes of `base`.
fn expand_kept_nodes(
    nodes: Vec<Value>,
    base: Option<&Plan>,
    left_out: &mut Vec<String>,
) -> Result<Vec<Value>, Vec<AnswerFault>> {
    let known = base.map(node_objects_by_id).unwrap_or_default();
    let mut faults = Vec::new();
    let mut all = Vec::with_capacity(nodes.len());
    for node in nodes {
        let Value::Object(mut node_json) = node else {
            all.push(node);
            continue;
        };
        for key in PERSON_ONLY_KEYS {
            if node_json.remove(key).is_some()
                && base.is_none()
                && !left_out.iter().any(|other| other == key)
            {
                left_out.push(key.to_owned());
            }
        }
        if node_json.remove("keep") == Some(Value::Bool(true)) {
            let name = node_json
                .get("id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let Some(kept) = known.get(name) else {
                faults.push(AnswerFault::NothingToKeep {
                    node: name.to_owned(),
                });
                continue;
            };
            let mut kept = kept.clone();
            kept.append(&mut node_json);
            node_json = kept;
        }
        all.push(Value::Object(node_json));
    }
    if faults.is_empty() {
        Ok(all)
    } else {
        Err(faults)
    }
}

/// The nodes of `plan` as JSON objects, by their ids.
fn node_objects_by_id(plan: &Plan) -> HashMap<String, Map<String, Value>> {
    let file = plan_file::write(plan, Format::Json);
    let Ok(Value::Object(mut document)) = serde_json::from_str(&file) else {
        return HashMap::new();
    };
    let Some(Value::Array(nodes)) = document.remove("nodes") else {
        return HashMap::new();
    };
    let named = nodes.into_iter().filter_map(|node| match node {
        Value::Object(mut node) => {
            PERSON_ONLY_KEYS
                .iter()
                .for_each(|key| drop(node.remove(*key)));
            Some((node.get("id")?.as_str()?.to_owned(), node))
        }
        _ => None,
    });
    named.collect()
}

/// Applies the plan in the answer to the plan that it changes.
fn apply_to_base(mut read: Plan, context: &AnswerContext<'_>) -> Result<Plan, Vec<AnswerFault>> {
    let request = context.request;
    let Some(base) = context.base else {
        read.description.clone_from(&request.wish);
        read.cwd = Some(request.cwd.clone());
        let constraints = std::mem::take(&mut read.settings.constraints);
        read.settings.constraints.clone_from(&request.constraints);
        read.settings.constraints.extend(
            constraints
                .into_iter()
                .filter(|words| !request.constraints.contains(words)),
        );
        read.origin = Origin {
            source: Source::Agent,
            created_by: Some(request.agent.clone()),
            planner_model: request.model.clone(),
            informed_by: informed_by(request),
            ..Origin::default()
        };
        return Ok(read);
    };
    read.nodes.retain(Node::is_executable);
    restore_existing_ids(&mut read, base);
    let plan = match request.subject {
        Subject::Split { node, .. } => splice(base, node, read),
        _ => {
            let (mut nodes, edges) = (read.nodes, read.edges);
            let risks = match read.risks.is_empty() {
                true => base.risks.clone(),
                false => read.risks,
            };
            // Planners do not change notes.
            nodes.extend(
                base.nodes
                    .iter()
                    .filter(|node| !node.is_executable())
                    .cloned(),
            );
            let mut plan = Plan {
                nodes,
                edges,
                risks,
                ..base.clone()
            };
            add_given_context(&mut plan, request);
            plan.prune_groups();
            plan
        }
    };
    // What a person hasn't finished elsewhere is not the planner's fault.
    let known = base.problems();
    let mut problems = plan.problems();
    problems.retain(|problem| problem.prevents_saving() || !known.contains(problem));
    if problems.is_empty() {
        Ok(plan)
    } else {
        Err(problems.into_iter().map(AnswerFault::Plan).collect())
    }
}

fn informed_by(request: &Request) -> Vec<String> {
    match &request.subject {
        Subject::Session { session } => vec![session.to_string()],
        Subject::Transcript { transcript } => vec![transcript.clone()],
        _ => request.memories.clone(),
    }
}

/// Keeps in an existing plan what was given with its goal.
fn add_given_context(plan: &mut Plan, request: &Request) {
    if !matches!(request.subject, Subject::Fill { .. }) {
        return;
    }
    for (kept, given) in [
        (&mut plan.settings.constraints, &request.constraints),
        (&mut plan.origin.informed_by, &request.memories),
    ] {
        let new: Vec<String> = given
            .iter()
            .filter(|text| !kept.contains(text))
            .cloned()
            .collect();
        kept.extend(new);
    }
}

/// Nodes with the id of a node in `base` replace it, and keep what only people may set.
fn restore_existing_ids(read: &mut Plan, base: &Plan) {
    let known: HashMap<_, &Node> = base.nodes.iter().map(|node| (&node.slug, node)).collect();
    let pairs = read
        .nodes
        .iter()
        .filter_map(|node| Some((node.id, known.get(&node.slug)?.id)));
    let names: HashMap<NodeId, NodeId> = pairs.collect();
    read.rename_nodes(&names);
    for node in &mut read.nodes {
        let Some(old) = known.get(&node.slug) else {
            continue;
        };
        node.position = old.position;
        node.keeps_place = old.keeps_place;
        node.metadata.clone_from(&old.metadata);
        node.budget = old.budget;
        node.suggested_agent.clone_from(&old.suggested_agent);
        if let (NodeKind::Agent(new), NodeKind::Agent(old)) = (&mut node.kind, &old.kind) {
            new.tool_scope = old.tool_scope;
            // Another agent does not know the session.
            new.session = old.session.clone().filter(|_| new.agent == old.agent);
        }
    }
}

/// Faults that depend on the machine, or that plan files allow.
fn plan_faults(plan: &Plan, context: &AnswerContext<'_>) -> Vec<AnswerFault> {
    let nothing = !plan.nodes.iter().any(Node::is_executable);
    let is_old = |node: &&Node| {
        context
            .base
            .is_some_and(|base| base.node(node.id) == Some(*node))
    };
    let new = plan.nodes.iter().filter(|node| !is_old(node));
    nothing
        .then_some(AnswerFault::NoNodes)
        .into_iter()
        .chain(new.flat_map(|node| node_faults(node, context)))
        .collect()
}

fn node_faults(node: &Node, context: &AnswerContext<'_>) -> Vec<AnswerFault> {
    let title = || node.title.clone();
    let is_blank = |text: &String| text.trim().is_empty();
    let mut faults = Vec::new();
    match &node.kind {
        NodeKind::Agent(task) if is_blank(&task.prompt) && is_blank(&node.description) => {
            faults.push(AnswerFault::NoPrompt { title: title() });
        }
        NodeKind::Command(task) => {
            let empty = match &task.command {
                CommandLine::Shell(line) => is_blank(line),
                CommandLine::Argv(words) => words.first().is_none_or(is_blank),
            };
            faults.extend(empty.then(|| AnswerFault::NoCommand { title: title() }));
        }
        _ => {}
    }
    if let Some(Some(agent)) = node.kind.agent()
        && !context.installed.iter().any(|installed| installed == agent)
    {
        let (agent, installed) = (agent.to_owned(), context.installed.to_vec());
        faults.push(AnswerFault::AgentNotInstalled {
            title: title(),
            agent,
            installed,
        });
    }
    if node.kind.agent() == Some(None) && !context.default_is_installed {
        faults.push(AnswerFault::NoAgent {
            title: title(),
            installed: context.installed.to_vec(),
        });
    }
    let sentences = (context.missing_references)(node).into_iter();
    faults.extend(sentences.map(|sentence| AnswerFault::MissingReference {
        title: title(),
        sentence,
    }));
    let calls = node
        .kind
        .tool_calls()
        .iter()
        .flat_map(|call| (context.call_faults)(call));
    faults.extend(calls.map(|reason| AnswerFault::BadCall {
        title: title(),
        reason,
    }));
    faults
}

fn lay_out(plan: &mut Plan, is_new: bool) {
    let arrange = if is_new {
        layout::arrange
    } else {
        layout::place_missing
    };
    let places: HashMap<_, _> = arrange(plan, plan.direction).into_iter().collect();
    for node in &mut plan.nodes {
        node.position = places.get(&node.id).copied().or(node.position);
    }
}
