//! A node as this API answers it, in the two vocabularies that programs use: steps and nodes.

use std::collections::HashMap;

use baton_api::wire::{NodeRunView, PlanView, RunProgress};
use baton_model::node::OnFailure;
use baton_model::{ArtifactId, Node, NodeId, NodeState, PlanId, SessionId, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};

use super::plan_status::{WaitsFor, is_for_person};
use super::step_result::{Handoff, StepResult};
use crate::schema::{Described, answers, words};

words! {
    /// The state of a step.
    pub(crate) enum StepStatus {
        Pending,
        Running,
        Completed,
        Failed,
        Skipped,
        /// A node that it depends on prevents it from starting.
        Blocked,
        /// It waits for a person, a free slot, or its next attempt.
        Waiting,
    }
    /// The state of a node.
    pub(crate) enum NodeStatus {
        Pending,
        Running,
        Done,
        Failed,
        Skipped,
        /// A node that it depends on prevents it from starting.
        Blocked,
        /// It waits for a person, a free slot, or its next attempt.
        Waiting,
    }
}

answers! {
    /// A node of a plan in the words of `/steps`.
    pub(crate) struct Step {
        pub(crate) id: NodeId,
        /// The name in plan files and templates; it can stand for the id in every path.
        pub(crate) slug: String,
        pub(crate) plan_id: PlanId,
        /// The position in the list, from 1.
        pub(crate) order_num: u32,
        /// What it does: `agent`, `command`, `tool_call` …
        #[serde(rename = "type")]
        pub(crate) kind: String,
        pub(crate) name: String,
        pub(crate) description: String,
        /// What only its type has, by the keys of a plan file.
        pub(crate) config: Map<String, Value>,
        pub(crate) status: StepStatus,
        /// The steps that it waits for.
        pub(crate) dependencies: Vec<NodeId>,
        /// What it came to; only if one step is asked for.
        pub(crate) result: Option<StepResult>,
        /// Why it failed.
        pub(crate) error: Option<String>,
        /// Attempts after the first.
        pub(crate) retry_count: u32,
        pub(crate) max_retries: u32,
        pub(crate) timeout_ms: Option<u64>,
        pub(crate) waiting_for: Option<WaitsFor>,
        pub(crate) started_at: Option<Timestamp>,
        pub(crate) completed_at: Option<Timestamp>,
        pub(crate) duration_ms: Option<u64>,
        /// Where the run continues after a success.
        pub(crate) on_success: Option<NodeId>,
        /// `abort`, `skip`, or the step where the run continues.
        pub(crate) on_failure: String,
        pub(crate) metadata: Map<String, Value>,
    }
    /// A node of a plan in the words of `/nodes`.
    pub(crate) struct NodeItem {
        pub(crate) id: NodeId,
        /// The name in plan files and templates; it can stand for the id in every path.
        pub(crate) slug: String,
        pub(crate) plan_id: PlanId,
        /// The position in the list, from 1.
        pub(crate) seq: u32,
        /// What it does: `agent`, `command`, `tool_call` …
        pub(crate) kind: String,
        pub(crate) title: String,
        pub(crate) description: String,
        /// What an agent is asked to do.
        pub(crate) prompt: Option<String>,
        /// What only its kind has, by the keys of a plan file.
        pub(crate) config: Map<String, Value>,
        pub(crate) instructions: String,
        pub(crate) tools_required: Vec<String>,
        pub(crate) suggested_agent: Option<String>,
        pub(crate) status: NodeStatus,
        /// The nodes that it waits for.
        pub(crate) depends_on: Vec<NodeId>,
        /// The session of its latest attempt.
        pub(crate) session_id: Option<SessionId>,
        /// The handoff's id.
        pub(crate) artifact_id: Option<ArtifactId>,
        /// The handoff, in Markdown; only if one node is asked for.
        pub(crate) output: Option<String>,
        /// Why it failed.
        pub(crate) error: Option<String>,
        pub(crate) attempt: u32,
        pub(crate) max_retries: u32,
        pub(crate) timeout_ms: Option<u64>,
        pub(crate) waiting_for: Option<WaitsFor>,
        pub(crate) started_at: Option<Timestamp>,
        pub(crate) completed_at: Option<Timestamp>,
        pub(crate) duration_ms: Option<u64>,
        pub(crate) on_success: Option<NodeId>,
        pub(crate) on_failure: String,
        pub(crate) metadata: Map<String, Value>,
    }
}

/// The words of a route: which shape it answers, and what nodes are called.
pub(crate) trait Vocabulary: 'static {
    type Item: Serialize + Described + 'static;
    /// The part of the path.
    const PATH: &'static str;
    /// The singular in identifiers of routes.
    const NAME: &'static str;
    /// How often a new node is retried unless the request says it.
    const MAX_RETRIES: u32;
    /// Whether an item shows which tools its session called.
    const HAS_TOOL_CALLS: bool;

    fn item(facts: NodeFacts<'_>) -> Self::Item;
}

/// The words of `/steps`.
pub(crate) struct Steps;
/// The words of `/nodes`.
pub(crate) struct Nodes;

/// A node and what its plan's latest run knows about it.
pub(crate) struct NodeFacts<'a> {
    plan: PlanId,
    position: u32,
    node: &'a Node,
    parents: Vec<NodeId>,
    config: Map<String, Value>,
    run: Option<&'a NodeRunView>,
    handoff: Option<Handoff>,
}

/// Keys that every kind of node has.
const COMMON_KEYS: [&str; 26] = [
    "id",
    "title",
    "description",
    "kind",
    "dependsOn",
    "triggerRule",
    "instructions",
    "acceptanceCriteria",
    "toolsRequired",
    "suggestedAgent",
    "maxRetries",
    "retryExitCodes",
    "afterCrash",
    "timeoutMs",
    "silentAfterMs",
    "budget",
    "onSuccess",
    "onFailure",
    "isolation",
    "sandbox",
    "locks",
    "priority",
    "disabled",
    "position",
    "keepsPlace",
    "metadata",
];

impl<'a> NodeFacts<'a> {
    /// All nodes of a plan in their order. `file` is the plan's file.
    pub(crate) fn all(view: &'a PlanView, run: Option<&'a RunProgress>, file: &Value) -> Vec<Self> {
        let entries = file["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        let mut configs: HashMap<&str, Map<String, Value>> = entries
            .iter()
            .filter_map(|entry| Some((entry["id"].as_str()?, config(entry.as_object()?))))
            .collect();
        let states: HashMap<NodeId, &NodeRunView> = run
            .into_iter()
            .flat_map(|run| run.nodes.iter().map(|node| (node.node, node)))
            .collect();
        let mut parents: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for edge in &view.plan.edges {
            parents.entry(edge.child).or_default().push(edge.parent);
        }
        let facts = |(position, node): (u32, &'a Node)| Self {
            plan: view.plan.id,
            position,
            node,
            parents: parents.remove(&node.id).unwrap_or_default(),
            config: configs.remove(node.slug.as_str()).unwrap_or_default(),
            run: states.get(&node.id).copied(),
            handoff: None,
        };
        (1..).zip(&view.plan.nodes).map(facts).collect()
    }

    /// The same with its handoff.
    pub(crate) fn with_handoff(self, handoff: Option<Handoff>) -> Self {
        Self { handoff, ..self }
    }

    pub(crate) fn id(&self) -> NodeId {
        self.node.id
    }

    pub(crate) fn artifact(&self) -> Option<ArtifactId> {
        self.run.and_then(|run| run.artifact)
    }

    /// The session of its latest attempt.
    pub(crate) fn session(&self) -> Option<SessionId> {
        self.run.and_then(|run| run.session)
    }

    fn status(&self) -> StepStatus {
        match self.run.map(|run| &run.state) {
            None | Some(NodeState::Pending) => StepStatus::Pending,
            Some(NodeState::Blocked { .. }) => StepStatus::Blocked,
            // An interrupted node waits for a person's decision.
            Some(NodeState::Waiting { .. } | NodeState::Interrupted { .. }) => StepStatus::Waiting,
            Some(NodeState::Running) => StepStatus::Running,
            Some(NodeState::Done { .. }) => StepStatus::Completed,
            Some(NodeState::Failed { .. }) => StepStatus::Failed,
            Some(NodeState::Skipped { .. }) => StepStatus::Skipped,
        }
    }

    fn waiting_for(&self) -> Option<WaitsFor> {
        let waits = self.run.is_some_and(|run| is_for_person(&run.state));
        waits.then_some(WaitsFor::Person)
    }

    fn error(&self) -> Option<String> {
        match &self.run?.state {
            NodeState::Failed { failure, .. } => Some(failure.to_string()),
            NodeState::Interrupted { detail } => Some(detail.clone()),
            _ => None,
        }
    }

    fn attempt(&self) -> u32 {
        self.run.map_or(0, |run| run.attempt.0)
    }

    fn completed_at(&self) -> Option<Timestamp> {
        self.run.and_then(|run| run.ended_at)
    }

    fn started_at(&self) -> Option<Timestamp> {
        self.run.and_then(|run| run.started_at)
    }

    fn duration_ms(&self) -> Option<u64> {
        Some(self.completed_at()?.ms_since(self.started_at()?))
    }

    fn on_failure(&self) -> String {
        match self.node.on_failure {
            OnFailure::Abort => "abort".to_owned(),
            OnFailure::Skip => "skip".to_owned(),
            OnFailure::Node(node) => node.to_string(),
        }
    }
}

/// What only the node's kind has.
fn config(entry: &Map<String, Value>) -> Map<String, Value> {
    let own = entry
        .iter()
        .filter(|(key, _)| !COMMON_KEYS.contains(&key.as_str()));
    own.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

impl Vocabulary for Steps {
    type Item = Step;
    const PATH: &'static str = "steps";
    const NAME: &'static str = "Step";
    const MAX_RETRIES: u32 = 3;
    const HAS_TOOL_CALLS: bool = true;

    fn item(facts: NodeFacts<'_>) -> Step {
        Step {
            id: facts.node.id,
            slug: facts.node.slug.to_string(),
            plan_id: facts.plan,
            order_num: facts.position,
            kind: facts.node.kind.as_str().to_owned(),
            name: facts.node.title.clone(),
            description: facts.node.description.clone(),
            status: facts.status(),
            error: facts.error(),
            retry_count: facts.attempt().saturating_sub(1),
            max_retries: facts.node.max_retries,
            timeout_ms: facts.node.timeout_ms,
            waiting_for: facts.waiting_for(),
            started_at: facts.started_at(),
            completed_at: facts.completed_at(),
            duration_ms: facts.duration_ms(),
            on_success: facts.node.on_success,
            on_failure: facts.on_failure(),
            metadata: facts.node.metadata.clone(),
            dependencies: facts.parents,
            config: facts.config,
            result: facts
                .handoff
                .map(|handoff| StepResult::new(facts.node, handoff)),
        }
    }
}

impl Vocabulary for Nodes {
    type Item = NodeItem;
    const PATH: &'static str = "nodes";
    const NAME: &'static str = "Node";
    const MAX_RETRIES: u32 = 0;
    const HAS_TOOL_CALLS: bool = false;

    fn item(facts: NodeFacts<'_>) -> NodeItem {
        let status = match facts.status() {
            StepStatus::Pending => NodeStatus::Pending,
            StepStatus::Running => NodeStatus::Running,
            StepStatus::Completed => NodeStatus::Done,
            StepStatus::Failed => NodeStatus::Failed,
            StepStatus::Skipped => NodeStatus::Skipped,
            StepStatus::Blocked => NodeStatus::Blocked,
            StepStatus::Waiting => NodeStatus::Waiting,
        };
        let prompt = facts.config.get("prompt").and_then(Value::as_str);
        NodeItem {
            id: facts.node.id,
            slug: facts.node.slug.to_string(),
            plan_id: facts.plan,
            seq: facts.position,
            kind: facts.node.kind.as_str().to_owned(),
            title: facts.node.title.clone(),
            description: facts.node.description.clone(),
            prompt: prompt.map(str::to_owned),
            instructions: facts.node.instructions.clone(),
            tools_required: facts.node.tools_required.clone(),
            suggested_agent: facts.node.suggested_agent.clone(),
            status,
            session_id: facts.session(),
            artifact_id: facts.artifact(),
            error: facts.error(),
            attempt: facts.attempt(),
            max_retries: facts.node.max_retries,
            timeout_ms: facts.node.timeout_ms,
            waiting_for: facts.waiting_for(),
            started_at: facts.started_at(),
            completed_at: facts.completed_at(),
            duration_ms: facts.duration_ms(),
            on_success: facts.node.on_success,
            on_failure: facts.on_failure(),
            metadata: facts.node.metadata.clone(),
            depends_on: facts.parents,
            config: facts.config,
            output: facts.handoff.map(|handoff| handoff.content.text),
        }
    }
}
