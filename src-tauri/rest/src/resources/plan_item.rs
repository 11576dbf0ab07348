//! A plan as lists show it.

use baton_api::wire::{NodeRunView, PlanSummary, PlanView, RunSummary};
use baton_model::plan::Autonomy;
use baton_model::{NodeState, PlanId, PlanStatus, ReviewState, RunId, RunState, Timestamp};

use super::plan_status::{WaitsFor, counts, needs_person, plan_status, waits_for_person};
use crate::request::DEFAULT_USER;
use crate::schema::answers;

answers! {
    /// A plan as lists show it. Fields under two names have the same value.
    pub(crate) struct PlanItem {
        pub(crate) id: PlanId,
        /// Whose plan it is; `default` unless a program said something else.
        pub(crate) user_id: String,
        pub(crate) name: String,
        pub(crate) title: String,
        /// What should be true when it is done; in lists, at most the first 300 characters.
        pub(crate) goal: String,
        pub(crate) description: String,
        pub(crate) status: PlanStatus,
        /// Whether a person approved this version.
        pub(crate) review: ReviewState,
        /// The latest run.
        pub(crate) run: Option<RunId>,
        /// The content's version. A new one has to be approved again.
        pub(crate) version: u32,
        /// Nodes that a run executes.
        pub(crate) total_steps: u32,
        /// Percent of the nodes that are done or skipped.
        pub(crate) progress: u8,
        /// From 1 to 10.
        pub(crate) priority: u8,
        pub(crate) trigger_id: Option<String>,
        pub(crate) goal_id: Option<String>,
        /// From 0 (asks before every node) to 4 (never asks); the default of the settings if `null`.
        pub(crate) autonomy_level: Option<Autonomy>,
        /// Why the latest run failed or can't continue, or why the plan can't be read.
        pub(crate) error: Option<String>,
        /// `person` if nothing can continue without one.
        pub(crate) waiting_for: Option<WaitsFor>,
        /// When the latest run started.
        pub(crate) started_at: Option<Timestamp>,
        /// When the latest run ended.
        pub(crate) completed_at: Option<Timestamp>,
        pub(crate) created_at: Timestamp,
        pub(crate) updated_at: Timestamp,
        /// Since when it is archived.
        pub(crate) archived_at: Option<Timestamp>,
        pub(crate) cwd: Option<String>,
        pub(crate) tags: Vec<String>,
    }
}

impl PlanItem {
    /// The same of a plan that was read whole. `counted` is its latest run, if that still says
    /// something about it, and `nodes` are those of that run.
    pub(super) fn of_view(
        view: &PlanView,
        counted: Option<&RunSummary>,
        nodes: &[NodeRunView],
    ) -> Self {
        let plan = &view.plan;
        let (settings, origin) = (&plan.settings, &plan.origin);
        let user = origin.user.clone();
        let is_stuck = counted.is_some_and(|run| matches!(run.state, RunState::Stalled { .. }));
        let waits = is_stuck || waits_for_person(nodes);
        let executable = plan.nodes.iter().filter(|node| node.is_executable());
        Self {
            id: plan.id,
            user_id: user.unwrap_or_else(|| DEFAULT_USER.to_owned()),
            name: plan.title.clone(),
            title: plan.title.clone(),
            goal: plan.description.clone(),
            description: plan.description.clone(),
            status: plan_status(view, nodes),
            review: view.review,
            run: view.last_run.as_ref().map(|run| run.id),
            version: view.version,
            total_steps: u32::try_from(executable.count()).unwrap_or(u32::MAX),
            progress: percent(nodes),
            priority: settings.priority,
            trigger_id: origin.trigger.clone(),
            goal_id: origin.goal.clone(),
            autonomy_level: settings.autonomy,
            error: counted.and_then(|run| message(&run.state)),
            waiting_for: waits.then_some(WaitsFor::Person),
            started_at: counted.map(|run| run.started_at),
            completed_at: counted.and_then(|run| run.ended_at),
            created_at: view.created_at,
            updated_at: view.updated_at,
            archived_at: view.archived_at,
            cwd: plan.cwd.clone(),
            tags: settings.tags.clone(),
        }
    }
}

impl From<PlanSummary> for PlanItem {
    fn from(plan: PlanSummary) -> Self {
        let last = plan.last_run.as_ref();
        let counted = last.filter(|run| counts(run, plan.version, plan.review));
        let tally = plan.tally.as_ref().filter(|_| counted.is_some());
        let settled =
            tally.map(|tally| u64::from(tally.settled) * 100 / u64::from(tally.total).max(1));
        let is_waiting = needs_person(plan.status, counted);
        Self {
            id: plan.id,
            user_id: plan.user.unwrap_or_else(|| DEFAULT_USER.to_owned()),
            name: plan.title.clone(),
            title: plan.title,
            goal: plan.description.clone(),
            description: plan.description,
            status: plan.status,
            review: plan.review,
            run: last.map(|run| run.id),
            version: plan.version,
            total_steps: plan.node_count,
            progress: u8::try_from(settled.unwrap_or(0)).unwrap_or(100),
            priority: plan.priority,
            trigger_id: plan.trigger,
            goal_id: plan.goal,
            autonomy_level: plan.autonomy,
            error: counted.and_then(|run| message(&run.state)).or(plan.damage),
            waiting_for: is_waiting.then_some(WaitsFor::Person),
            started_at: counted.map(|run| run.started_at),
            completed_at: counted.and_then(|run| run.ended_at),
            created_at: plan.created_at,
            updated_at: plan.updated_at,
            archived_at: plan.archived_at,
            cwd: plan.cwd,
            tags: plan.tags,
        }
    }
}

/// Why a run failed or is stuck.
fn message(state: &RunState) -> Option<String> {
    match state {
        RunState::Failed { message, .. } | RunState::Stalled { message } => Some(message.clone()),
        _ => None,
    }
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
