//! `plan_get`: a plan as an outline, as a plan file, or single nodes of it.

use std::collections::HashMap;
use std::fmt::Write as _;

use baton_api::ApiError;
use baton_api::wire::{FileText, PlanExport, PlanRef, PlanVersionRef, PlanView};
use baton_formats::plan_file::Format;
use baton_model::{Node, NodeId, Plan, PlanId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answer::{Answer, plan_url};
use crate::caller_error::{bad_input, not_found};
use crate::clip;
use crate::operations::ask;
use crate::page::Page;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

/// The longest line of an outline, in bytes.
const LINE_BYTES: usize = 140;
/// The longest goal in an answer, in bytes.
const GOAL_BYTES: usize = 600;
/// The largest part of a plan file in one answer, in bytes.
const YAML_BYTES: usize = 7_000;
/// The most nodes that can be named.
const MAX_NODES: usize = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PlanGetArguments {
    #[schemars(with = "String")]
    #[serde(alias = "plan_id")]
    plan: PlanId,
    /// Default: the current one.
    version: Option<u32>,
    /// outline: a line per node; nodes: those named, in full; yaml: the plan file.
    #[serde(default)]
    detail: Detail,
    /// IDs of nodes, with detail nodes.
    #[serde(default)]
    nodes: Vec<String>,
    limit: Option<usize>,
    cursor: Option<String>,
    /// With detail yaml: nextOffset of the last answer.
    offset: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Detail {
    #[default]
    Outline,
    Nodes,
    Yaml,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlanDetails {
    #[schemars(with = "String")]
    plan: PlanId,
    title: String,
    version: u32,
    current_version: u32,
    /// draft, proposed, approved, rejected, needs_review, cancelled
    #[schemars(with = "String")]
    review: baton_model::ReviewState,
    goal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    url: String,
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    last_run: Option<baton_model::RunId>,
    /// Number of nodes.
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    outline: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    yaml: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

impl Answer for PlanDetails {
    fn text(&self) -> String {
        if let Some(yaml) = &self.yaml {
            let rest = self
                .next_offset
                .map(|at| format!("# more with offset {at}\n"));
            return format!("{yaml}{}", rest.unwrap_or_default());
        }
        if let Some(nodes) = &self.nodes {
            return nodes.iter().fold(String::new(), |mut text, node| {
                let _ = writeln!(text, "{node}");
                text
            });
        }
        let mut text = format!(
            "{} (version {}, {} nodes)\n{}\n",
            self.title, self.version, self.total, self.goal
        );
        for line in self.outline.iter().flatten() {
            let _ = writeln!(text, "{line}");
        }
        if let Some(cursor) = &self.next_cursor {
            let _ = writeln!(text, "more with cursor {cursor}");
        }
        text
    }
}

pub(crate) fn tool() -> ToolDefinition {
    tool_named("plan_get")
}

/// The tool under another name.
pub(crate) fn tool_named(name: &'static str) -> ToolDefinition {
    let text = ToolText {
        name,
        title: "Read a plan",
        description: "Shows a plan. The outline is enough for most purposes; name nodes to see their \
            prompts.",
    };
    ToolDefinition::new(text, Effect::Read, plan_get)
}

fn plan_get(context: &ToolContext, input: PlanGetArguments) -> Result<PlanDetails, ApiError> {
    let page = Page::new(input.limit, input.cursor.as_deref())?;
    let operations = &*context.operations;
    let id = input.plan;
    let view: PlanView = ask(operations, "plan_get", PlanRef { plan: id })?;
    let version = input.version.unwrap_or(view.version);
    let plan: Plan = if version == view.version {
        view.plan
    } else {
        ask(
            operations,
            "plan_version_get",
            PlanVersionRef { plan: id, version },
        )?
    };
    let mut details = PlanDetails {
        plan: id,
        title: clip::line(&plan.title, LINE_BYTES),
        version,
        current_version: view.version,
        review: view.review,
        goal: clip::line(&plan.description, GOAL_BYTES),
        cwd: plan.cwd.clone(),
        url: plan_url(id),
        last_run: view.last_run.map(|run| run.id),
        total: plan.nodes.len(),
        outline: None,
        nodes: None,
        yaml: None,
        next_cursor: None,
        next_offset: None,
    };
    match input.detail {
        Detail::Outline => {
            (details.outline, details.next_cursor) = {
                let (rows, next) = page.cut(outline(&plan));
                (Some(rows), next)
            }
        }
        Detail::Nodes => details.nodes = Some(nodes(context, &plan, version, &input.nodes)?),
        Detail::Yaml => {
            let file = export(context, id, version, Format::Yaml)?;
            let part = clip::part(&file.text, input.offset.unwrap_or_default(), YAML_BYTES);
            details.yaml = Some(part.text.to_owned());
            details.next_offset = part.next;
        }
    }
    Ok(details)
}

/// A line per node: its ID, kind, title, and the nodes that it waits for.
fn outline(plan: &Plan) -> Vec<String> {
    let slugs: HashMap<NodeId, &str> = plan
        .nodes
        .iter()
        .map(|node| (node.id, node.slug.as_str()))
        .collect();
    let mut parents: HashMap<NodeId, Vec<&str>> = HashMap::new();
    for edge in &plan.edges {
        parents
            .entry(edge.child)
            .or_default()
            .extend(slugs.get(&edge.parent));
    }
    let line = |node: &Node| {
        let after = parents.get(&node.id).map(|parents| parents.join(", "));
        let after = after.map_or_else(String::new, |after| format!(" <- {after}"));
        let text = format!(
            "{} [{}] {}{after}",
            node.slug,
            node.kind.as_str(),
            node.title
        );
        clip::line(&text, LINE_BYTES)
    };
    plan.nodes.iter().map(line).collect()
}

/// The named nodes with all their keys, as in a plan file.
fn nodes(
    context: &ToolContext,
    plan: &Plan,
    version: u32,
    names: &[String],
) -> Result<Vec<Value>, ApiError> {
    if names.is_empty() || names.len() > MAX_NODES {
        return Err(bad_input(
            format!("name 1 to {MAX_NODES} nodes"),
            "the outline lists their IDs",
        ));
    }
    let file = export(context, plan.id, version, Format::Json)?;
    let document: Map<String, Value> = serde_json::from_str(&file.text)
        .map_err(|error| ApiError::new(baton_api::Code::Internal, error.to_string()))?;
    let all = document.get("nodes").and_then(Value::as_array);
    let find = |name: &String| {
        let found = all
            .into_iter()
            .flatten()
            .find(|node| node.get("id").and_then(Value::as_str) == Some(name));
        found.cloned().ok_or_else(|| {
            not_found(
                format!("the plan has no node '{name}'"),
                "the outline lists the IDs",
            )
        })
    };
    names.iter().map(find).collect()
}

fn export(
    context: &ToolContext,
    plan: PlanId,
    version: u32,
    format: Format,
) -> Result<FileText, ApiError> {
    let input = PlanExport {
        plan,
        format,
        version: Some(version),
        alone: true,
    };
    ask(&*context.operations, "plan_export", input)
}
