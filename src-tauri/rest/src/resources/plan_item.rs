//! A plan as lists show it.

use baton_api::wire::PlanSummary;
use baton_model::plan::Autonomy;
use baton_model::{PlanId, PlanStatus, ReviewState, RunId, Timestamp};

use super::plan::message;
use super::plan_status::{WaitsFor, counts, needs_person};
use crate::request::DEFAULT_USER;
use crate::schema::answers;

answers! {
    /// A plan as lists show it: what can be known without reading its nodes. The other fields are in
    /// the answer for the plan itself. Fields under two names have the same value.
    pub(crate) struct PlanItem {
        pub(crate) id: PlanId,
        /// Whose plan it is; `default` unless a program said something else.
        pub(crate) user_id: String,
        pub(crate) name: String,
        pub(crate) title: String,
        /// What should be true when it is done; at most the first 300 characters.
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
