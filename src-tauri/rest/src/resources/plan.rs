//! A plan as this API answers it.

use baton_api::wire::{LastCheckpoint, NodeRunView, PlanView, RunProgress};
use baton_model::NodeState;
use baton_model::plan::Source;
use serde_json::{Map, Value, json};

use super::node::{NodeItem, Step};
use super::plan_history::HistoryItem;
use super::plan_item::PlanItem;
use super::plan_status::counted_run;
use crate::iso_json::iso;
use crate::schema::answers;

answers! {
    /// A plan: what lists show, and more.
    pub(crate) struct PlanResource {
        #[serde(flatten)]
        pub(crate) item: PlanItem,
        /// Increases with every write; the same as in `ETag`.
        pub(crate) revision: u64,
        /// The position of the first running node, else of the last one that is done; 0 before the
        /// first.
        pub(crate) current_step: u32,
        pub(crate) source: Source,
        pub(crate) source_id: Option<String>,
        /// How often a failed run is retried by itself.
        pub(crate) max_retries: u32,
        /// How often the latest run was retried by itself.
        pub(crate) retry_count: u32,
        /// The last checkpoint of the latest run as JSON text: an object with `timestamp` and `data`.
        pub(crate) checkpoint: Option<String>,
        /// The limit of a whole run in milliseconds.
        pub(crate) timeout_ms: Option<u64>,
        pub(crate) created_by: Option<String>,
        /// The name of a project.
        pub(crate) project_id: Option<String>,
        pub(crate) constraints: Vec<String>,
        pub(crate) complexity: Option<u8>,
        /// The tools of agent nodes that list none themselves.
        pub(crate) tools_required: Vec<String>,
        pub(crate) informed_by_memories: Vec<String>,
        pub(crate) planner_model: Option<String>,
        pub(crate) executor_model: Option<String>,
        /// Any data of other programs, unchanged.
        pub(crate) metadata: Map<String, Value>,
    }
    /// A plan with its nodes, under both words.
    pub(crate) struct PlanWithSteps {
        #[serde(flatten)]
        pub(crate) plan: PlanResource,
        pub(crate) steps: Vec<Step>,
        pub(crate) nodes: Vec<NodeItem>,
        /// The 20 latest entries of its history, latest first.
        pub(crate) recent_history: Vec<HistoryItem>,
    }
    /// A plan that a request made or changed.
    pub(crate) struct ChangedPlan {
        pub(crate) plan: PlanResource,
        /// What happened, as a sentence.
        pub(crate) message: String,
    }
}

impl PlanResource {
    /// A plan, with the progress of its latest run.
    pub(crate) fn new(view: &PlanView, run: Option<&RunProgress>) -> Self {
        let counted = counted_run(view);
        let nodes = run
            .filter(|_| counted.is_some())
            .map_or(&[][..], |run| &run.nodes);
        let plan = &view.plan;
        let (settings, origin) = (&plan.settings, &plan.origin);
        Self {
            item: PlanItem::of_view(view, counted, nodes),
            revision: view.revision,
            current_step: current_step(view, nodes),
            source: origin.source,
            source_id: origin.source_id.clone(),
            max_retries: settings.plan_retries,
            retry_count: run.and_then(|run| run.retries).unwrap_or(0),
            checkpoint: run.and_then(|run| run.checkpoint.as_ref()).map(json_text),
            timeout_ms: settings.timeout_ms,
            created_by: origin.created_by.clone(),
            project_id: settings.project.clone(),
            constraints: settings.constraints.clone(),
            complexity: settings.complexity,
            tools_required: settings.tools_required.clone(),
            informed_by_memories: origin.informed_by.clone(),
            planner_model: origin.planner_model.clone(),
            executor_model: origin.executor_model.clone(),
            metadata: plan.metadata.clone(),
        }
    }
}

fn json_text(checkpoint: &LastCheckpoint) -> String {
    json!({"timestamp": iso(checkpoint.at), "data": checkpoint.data}).to_string()
}

fn current_step(view: &PlanView, nodes: &[NodeRunView]) -> u32 {
    let state_of = |id| {
        nodes
            .iter()
            .find(|node| node.node == id)
            .map(|node| &node.state)
    };
    let mut done = 0;
    for (number, node) in (1..).zip(&view.plan.nodes) {
        match state_of(node.id) {
            Some(NodeState::Running) => return number,
            Some(NodeState::Done { .. }) => done = number,
            _ => {}
        }
    }
    done
}
