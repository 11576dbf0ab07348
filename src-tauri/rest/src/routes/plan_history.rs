//! `/api/plans/{plan}/history`: what happened to a plan and in all of its runs.

use baton_api::wire::{Nothing, PlanHistoryPage};
use baton_model::PlanId;
use serde_json::json;

use super::runs::check_limit;
use crate::answer::Reply;
use crate::request::{Call, Operations};
use crate::resources::HistoryItem;
use crate::schema::{answers, inputs};
use crate::{ErrorCode, Method, RestError, Route};

/// How many entries are answered unless the request says it.
const DEFAULT_LIMIT: u32 = 50;
/// How many entries a plan is shown with.
pub(super) const RECENT: u32 = 20;

inputs! {
    /// Selects entries of a plan's history.
    pub(crate) struct PlanHistoryQuery {
        /// From 1 to 1,000; 50 by default.
        pub(crate) limit: Option<u32>,
        /// `nextCursor` of the page before, which has later entries.
        pub(crate) cursor: Option<String>,
    }
}

answers! {
    /// A part of a plan's history, latest entry first.
    pub(crate) struct PlanHistory {
        pub(crate) history: Vec<HistoryItem>,
        pub(crate) limit: u32,
        /// Continues with earlier entries; `null` at the beginning of the history.
        pub(crate) next_cursor: Option<String>,
    }
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Method::Get,
            "/api/plans/{plan}/history",
            "getPlanHistory",
            "shows what happened to a plan and in all of its runs, latest first",
            history,
        )
        .errors(&[ErrorCode::NotFound]),
    ]
}

fn history(call: &Call<PlanHistoryQuery, Nothing>) -> Result<Reply<PlanHistory>, RestError> {
    let limit = call.query.limit.unwrap_or(DEFAULT_LIMIT);
    check_limit(limit)?;
    let cursor = call.query.cursor.as_deref();
    let (history, next_cursor) = entries(&call.operations(), call.id("plan")?, limit, cursor)?;
    Ok(Reply::of(PlanHistory {
        history,
        limit,
        next_cursor,
    }))
}

/// The latest entries before `cursor`, and where to continue.
pub(super) fn entries(
    operations: &Operations,
    plan: PlanId,
    limit: u32,
    cursor: Option<&str>,
) -> Result<(Vec<HistoryItem>, Option<String>), RestError> {
    let input = json!({ "plan": plan, "limit": limit, "before": cursor });
    let page: PlanHistoryPage = operations.call("plan_history", &input)?;
    let items = page.rows.into_iter().map(HistoryItem::from);
    Ok((items.collect(), page.next))
}
