//! A plan as this API answers it.

use baton_api::wire::{NodeRunView, PlanView, RunProgress};
use baton_model::plan::{Autonomy, Source};
use baton_model::{NodeState, PlanId, PlanStatus, ReviewState, RunId, RunState, Timestamp};
use serde_json::{Map, Value};

use super::node::{NodeItem, Step};
use super::plan_history::HistoryItem;
use super::plan_status::{WaitsFor, counted_run, plan_status, waits_for_person};
use crate::request::DEFAULT_USER;
use crate::schema::answers;

answers! {
    /// A plan. Fields under two names have the same value.
    pub(crate) struct PlanResource {
        pub(crate) id: PlanId,
        /// Whose plan it is; `default` unless a program said something else.
        pub(crate) user_id: String,
        pub(crate) name: String,
        pub(crate) title: String,
        /// What should be true when it is done.
        pub(crate) goal: String,
        pub(crate) description: String,
        pub(crate) status: PlanStatus,
        /// Whether a person approved this version.
        pub(crate) review: ReviewState,
        /// The latest run.
        pub(crate) run: Option<RunId>,
        /// The content's version. A new one has to be approved again.
        pub(crate) version: u32,
        /// Increases with every write; the same as in `ETag`.
        pub(crate) revision: u64,
        /// The position of the first running node, else of the last one that is done; 0 before the
        /// first.
        pub(crate) current_step: u32,
        /// Nodes that a run executes.
        pub(crate) total_steps: u32,
        /// Percent of the nodes that are done or skipped.
        pub(crate) progress: u8,
        /// From 1 to 10.
        pub(crate) priority: u8,
        pub(crate) source: Source,
        pub(crate) source_id: Option<String>,
        pub(crate) trigger_id: Option<String>,
        pub(crate) goal_id: Option<String>,
        /// From 0 (asks before every node) to 4 (never asks); the default of the settings if `null`.
        pub(crate) autonomy_level: Option<Autonomy>,
        /// How often a failed run is retried by itself.
        pub(crate) max_retries: u32,
        /// The limit of a whole run in milliseconds.
        pub(crate) timeout_ms: Option<u64>,
        /// Why the latest run failed or can't continue.
        pub(crate) error: Option<String>,
        /// `person` if nothing can continue without one.
        pub(crate) waiting_for: Option<WaitsFor>,
        /// When the latest run started.
        pub(crate) started_at: Option<Timestamp>,
        /// When the latest run ended.
        pub(crate) completed_at: Option<Timestamp>,
        pub(crate) created_at: Timestamp,
        pub(crate) updated_at: Timestamp,
        pub(crate) created_by: Option<String>,
        pub(crate) cwd: Option<String>,
        /// The name of a project.
        pub(crate) project_id: Option<String>,
        pub(crate) tags: Vec<String>,
        pub(crate) constraints: Vec<String>,
        pub(crate) complexity: Option<u8>,
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
        let status = plan_status(view, nodes);
        let is_stuck = counted.is_some_and(|run| matches!(run.state, RunState::Stalled { .. }));
        let waits = is_stuck || waits_for_person(nodes);
        let executable = plan.nodes.iter().filter(|node| node.is_executable());
        Self {
            id: plan.id,
            user_id: origin
                .user
                .clone()
                .unwrap_or_else(|| DEFAULT_USER.to_owned()),
            name: plan.title.clone(),
            title: plan.title.clone(),
            goal: plan.description.clone(),
            description: plan.description.clone(),
            status,
            review: view.review,
            run: view.last_run.as_ref().map(|run| run.id),
            version: view.version,
            revision: view.revision,
            current_step: current_step(view, nodes),
            total_steps: count(executable.count()),
            progress: percent(nodes),
            priority: settings.priority,
            source: origin.source,
            source_id: origin.source_id.clone(),
            trigger_id: origin.trigger.clone(),
            goal_id: origin.goal.clone(),
            autonomy_level: settings.autonomy,
            max_retries: settings.plan_retries,
            timeout_ms: settings.timeout_ms,
            error: counted.and_then(|run| message(&run.state)),
            waiting_for: waits.then_some(WaitsFor::Person),
            started_at: counted.map(|run| run.started_at),
            completed_at: counted.and_then(|run| run.ended_at),
            created_at: view.created_at,
            updated_at: view.updated_at,
            created_by: origin.created_by.clone(),
            cwd: plan.cwd.clone(),
            project_id: settings.project.clone(),
            tags: settings.tags.clone(),
            constraints: settings.constraints.clone(),
            complexity: settings.complexity,
            informed_by_memories: origin.informed_by.clone(),
            planner_model: origin.planner_model.clone(),
            executor_model: origin.executor_model.clone(),
            metadata: plan.metadata.clone(),
        }
    }
}

/// Why a run failed or is stuck.
pub(crate) fn message(state: &RunState) -> Option<String> {
    match state {
        RunState::Failed { message, .. } | RunState::Stalled { message } => Some(message.clone()),
        _ => None,
    }
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

fn percent(nodes: &[NodeRunView]) -> u8 {
    let is_settled = |node: &&NodeRunView| {
        matches!(
            node.state,
            NodeState::Done { .. } | NodeState::Skipped { .. }
        )
    };
    let settled = nodes.iter().filter(is_settled).count();
    u8::try_from((settled * 100).checked_div(nodes.len()).unwrap_or(0)).unwrap_or(100)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
