//! Reading a plan together with its latest run and its file.

use baton_api::wire::{ArtifactView, FileText, PlanView, RunProgress};
use baton_model::{ArtifactId, NodeId, PlanId, RunId};
use serde_json::{Value, json};

use crate::request::Operations;
use crate::resources::{NodeFacts, PlanResource};
use crate::{ErrorCode, RestError};

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

/// The text of a handoff.
pub(super) fn handoff(
    operations: &Operations,
    artifact: Option<ArtifactId>,
) -> Result<Option<String>, RestError> {
    let read = |artifact| {
        let view: ArtifactView =
            operations.call("artifact_get", &json!({ "artifact": artifact }))?;
        Ok(view.content.text)
    };
    artifact.map(read).transpose()
}
