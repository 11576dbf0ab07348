//! `GET /api/plans`: plans page by page, those that run or wait, and how many there are.

use baton_api::wire::{Nothing, PlansByStatus, PlansPage, PlansSort, PlansStats};
use baton_model::PlanStatus;
use serde_json::{Value, json};

use crate::answer::Reply;
use crate::request::Call;
use crate::resources::PlanItem;
use crate::schema::{answers, inputs};
use crate::{Method, RestError, Route};

/// How many plans are on a page unless the request says it.
const DEFAULT_LIMIT: u32 = 20;
/// The most that one page can have.
const MAX_LIMIT: u32 = 1000;

inputs! {
    /// Selects plans.
    pub(crate) struct PlansQuery {
        /// Only plans in this state.
        pub(crate) status: Option<PlanStatus>,
        /// Only plans that serve this goal.
        pub(crate) goal_id: Option<String>,
        /// Only plans that this trigger created.
        pub(crate) trigger_id: Option<String>,
        /// Only plans whose nodes work in this directory, an absolute path.
        pub(crate) cwd: Option<String>,
        /// Words of the title, the beginning of the goal or the tags.
        pub(crate) search: Option<String>,
        /// By default, the highest priority first, then the newest.
        pub(crate) sort: Option<PlansSort>,
        /// From 1 to 1,000; 20 by default.
        pub(crate) limit: Option<u32>,
        /// How many plans to leave out at the beginning.
        pub(crate) offset: Option<u32>,
        /// `nextCursor` of the page before, instead of `offset`.
        pub(crate) cursor: Option<String>,
    }
}

answers! {
    /// One page of plans.
    pub(crate) struct Plans {
        pub(crate) plans: Vec<PlanItem>,
        /// Number of plans on all pages.
        pub(crate) total: u32,
        pub(crate) limit: u32,
        /// The position of the first plan, from 0.
        pub(crate) offset: u32,
        /// Continues after this page; `null` on the last one.
        pub(crate) next_cursor: Option<String>,
    }
    /// Plans in some states.
    pub(crate) struct SomePlans {
        /// At most the first 1,000.
        pub(crate) plans: Vec<PlanItem>,
        /// Number of these plans.
        pub(crate) count: u32,
    }
    /// How many plans there are, and what they came to.
    pub(crate) struct PlanStatistics {
        pub(crate) total: u32,
        pub(crate) by_status: PlansByStatus,
        /// Percent of all plans that are completed.
        pub(crate) completion_rate: f64,
        pub(crate) avg_steps_per_plan: f64,
        /// How long the latest runs of completed plans took; `null` if none is.
        pub(crate) avg_duration_ms: Option<u64>,
    }
}

pub(super) fn routes() -> Vec<Route> {
    let get = Method::Get;
    vec![
        Route::new(get, "/api/plans", "listPlans", "lists plans", list),
        Route::new(
            get,
            "/api/plans/active",
            "listActivePlans",
            "lists the plans that are running or paused",
            active,
        ),
        Route::new(
            get,
            "/api/plans/pending",
            "listPendingPlans",
            "lists the plans that haven't run, in the order in which they are due",
            pending,
        ),
        Route::new(
            get,
            "/api/plans/stats",
            "getPlanStatistics",
            "counts plans by their state",
            statistics,
        ),
    ]
}

fn list(call: &Call<PlansQuery, Nothing>) -> Result<Reply<Plans>, RestError> {
    let query = &call.query;
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    let statuses: Vec<PlanStatus> = query.status.into_iter().collect();
    let page = page(
        call,
        &json!({
            "statuses": statuses, "user": call.user, "goal": query.goal_id,
            "trigger": query.trigger_id, "cwd": query.cwd,
            "search": query.search.as_deref().unwrap_or_default(),
            "sort": query.sort.unwrap_or_default(), "limit": limit,
            "offset": query.offset.unwrap_or(0), "cursor": query.cursor,
        }),
    )?;
    Ok(Reply::of(Plans {
        plans: items(page.plans),
        total: page.total,
        limit,
        offset: page.offset,
        next_cursor: page.next,
    }))
}

fn active(call: &Call<Nothing, Nothing>) -> Result<Reply<SomePlans>, RestError> {
    let statuses = [PlanStatus::Running, PlanStatus::Paused];
    some(call, &statuses, PlansSort::Priority)
}

fn pending(call: &Call<Nothing, Nothing>) -> Result<Reply<SomePlans>, RestError> {
    some(call, &[PlanStatus::Pending], PlansSort::Waiting)
}

fn some(
    call: &Call<Nothing, Nothing>,
    statuses: &[PlanStatus],
    sort: PlansSort,
) -> Result<Reply<SomePlans>, RestError> {
    let page = page(
        call,
        &json!({ "statuses": statuses, "user": call.user, "sort": sort, "limit": MAX_LIMIT }),
    )?;
    Ok(Reply::of(SomePlans {
        count: page.total,
        plans: items(page.plans),
    }))
}

fn page<Q>(call: &Call<Q, Nothing>, input: &Value) -> Result<PlansPage, RestError> {
    call.operations().call("plans_page", input)
}

fn items(plans: Vec<baton_api::wire::PlanSummary>) -> Vec<PlanItem> {
    plans.into_iter().map(PlanItem::from).collect()
}

fn statistics(call: &Call<Nothing, Nothing>) -> Result<Reply<PlanStatistics>, RestError> {
    let input = json!({ "user": call.user });
    let stats: PlansStats = call.operations().call("plans_stats", &input)?;
    Ok(Reply::of(PlanStatistics {
        total: stats.total,
        by_status: stats.by_status,
        completion_rate: stats.completed_percent,
        avg_steps_per_plan: stats.mean_nodes,
        avg_duration_ms: stats.mean_duration_ms,
    }))
}
