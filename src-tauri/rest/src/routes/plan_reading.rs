//! Reading a plan together with its latest run and its file.

use baton_agents::timeline::TimelineKind;
use baton_api::wire::{ArtifactView, FileText, PlanView, RunProgress, TimelinePage};
use baton_model::{Artifact, ArtifactId, NodeId, PlanId, RunId, SessionId};
use serde_json::{Value, json};

use crate::request::Operations;
use crate::resources::{NodeFacts, PlanResource, StepToolCall};
use crate::{ErrorCode, RestError};

/// How many entries of a timeline are read at once.
const TIMELINE_PAGE: usize = 1_000;
/// Sessions may be endless.
const MAX_TIMELINE_PAGES: usize = 20;
const MAX_TOOL_CALLS: usize = 1_000;

/// A plan and the progress of its latest run.
pub(super) struct PlanReading {
    pub(super) view: PlanView,
    pub(super) run: Option<RunProgress>,
}

impl PlanReading {
    pub(super) fn of(operations: &Operations, plan: PlanId) -> Result<Self, RestError> {
        let view: PlanView = operations.call("plan_get", &json!({ "plan": plan }))?;
        let run = view.last_run.as_ref().map(|run| run.id);
        let run = run.map(|run| progress(operations, run)).transpose()?;
        Ok(Self { view, run })
    }

    pub(super) fn resource(&self) -> PlanResource {
        PlanResource::new(&self.view, self.run.as_ref())
    }

    /// The nodes, with the keys that only their kind has.
    pub(super) fn nodes(&self, operations: &Operations) -> Result<Vec<NodeFacts<'_>>, RestError> {
        let input = json!({
            "plan": self.view.plan.id, "format": "json", "version": self.view.version, "alone": true
        });
        let file: FileText = operations.call("plan_export", &input)?;
        let file: Value = serde_json::from_str(&file.text).map_err(|error| {
            RestError::new(
                ErrorCode::Internal,
                format!("the plan can't be read: {error}"),
            )
        })?;
        Ok(NodeFacts::all(&self.view, self.run.as_ref(), &file))
    }

    /// The node with this name or identifier.
    pub(super) fn node_id(&self, name: &str) -> Result<NodeId, RestError> {
        let id: Option<NodeId> = name.parse().ok();
        let mut nodes = self.view.plan.nodes.iter();
        let found = nodes.find(|node| node.slug.as_str() == name || Some(node.id) == id);
        found.map(|node| node.id).ok_or_else(|| {
            RestError::new(
                ErrorCode::NotFound,
                format!("the plan has no node '{name}'"),
            )
            .with_fix("use a node's id, or its name in the plan file")
        })
    }

    /// The latest run, if it executes the plan's current version and no other run started it.
    pub(super) fn run_of_version(&self) -> Option<&RunProgress> {
        let is_current =
            |run: &&RunProgress| run.summary.version == self.view.version && run.parent.is_none();
        self.run.as_ref().filter(is_current)
    }

    /// The latest run.
    pub(super) fn latest_run(&self) -> Result<RunId, RestError> {
        let run = self.view.last_run.as_ref().map(|run| run.id);
        run.ok_or_else(|| {
            RestError::new(ErrorCode::Refused, "the plan has no run").with_fix("run the plan first")
        })
    }
}

pub(super) fn progress(operations: &Operations, run: RunId) -> Result<RunProgress, RestError> {
    operations.call("run_progress", &json!({ "run": run, "after": 0 }))
}

/// The handoff of a node in the latest run, if it left one.
pub(super) fn handoff(
    operations: &Operations,
    facts: &NodeFacts<'_>,
) -> Result<Option<Artifact>, RestError> {
    let read = |artifact: ArtifactId| {
        let view: ArtifactView =
            operations.call("artifact_get", &json!({ "artifact": artifact }))?;
        Ok(view.content)
    };
    facts.artifact().map(read).transpose()
}

/// The first calls of tools in a session. Not everything is there while its output is still read.
pub(super) fn tool_calls(
    operations: &Operations,
    session: SessionId,
) -> Result<Vec<StepToolCall>, RestError> {
    let mut calls = Vec::new();
    for page in 0..MAX_TIMELINE_PAGES {
        let input = json!({
            "session": session, "from": page * TIMELINE_PAGE, "limit": TIMELINE_PAGE, "since": null
        });
        let page: TimelinePage = operations.call("session_timeline", &input)?;
        let count = page.entries.len();
        calls.extend(
            page.entries
                .into_iter()
                .filter_map(|entry| tool_call(entry.kind)),
        );
        if count < TIMELINE_PAGE || calls.len() >= MAX_TOOL_CALLS {
            break;
        }
    }
    calls.truncate(MAX_TOOL_CALLS);
    Ok(calls)
}

fn tool_call(entry: TimelineKind) -> Option<StepToolCall> {
    match entry {
        TimelineKind::ToolCall {
            name,
            summary,
            result,
            ..
        } => Some(StepToolCall {
            tool_name: name,
            summary,
            ok: result.map(|result| result.ok),
        }),
        _ => None,
    }
}
