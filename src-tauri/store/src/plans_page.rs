//! One page of plans, by filter, search and sort order.
//!
//! A page is found by its position, because programs ask for it that way; the filter of a status
//! needs each plan's latest run.

use baton_model::{PlanId, PlanStatus};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde::{Deserialize, Serialize};

use crate::plans::{self, PlanRow};
use crate::{Listing, Plans, StoreError};

/// The order of plans on a page. Plans with the same value are sorted by their id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlansSort {
    /// Highest priority first, then newest first.
    #[default]
    Priority,
    /// Highest priority first, then oldest first: the order in which work is waiting.
    Waiting,
    /// Newest first.
    Created,
    /// Last changed first.
    Updated,
    /// By title.
    Title,
}

impl PlansSort {
    fn sql(self) -> &'static str {
        match self {
            Self::Priority => "priority DESC, created_at DESC, id DESC",
            Self::Waiting => "priority DESC, created_at, id",
            Self::Created => "created_at DESC, id DESC",
            Self::Updated => "updated_at DESC, id DESC",
            Self::Title => "title COLLATE NOCASE, id",
        }
    }
}

/// Selects the plans of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlansPageFilter {
    /// Only this plan.
    pub plan: Option<PlanId>,
    /// Only plans with one of these statuses; empty for all.
    pub statuses: Vec<PlanStatus>,
    /// Only plans of this person. A plan without one belongs to `default`.
    pub user: Option<String>,
    /// Only plans that serve this goal.
    pub goal: Option<String>,
    /// Only plans that this trigger created.
    pub trigger: Option<String>,
    /// Only plans that run in this directory.
    pub cwd: Option<String>,
    /// Each word must be in the title, the description's beginning or a tag.
    pub search: String,
}

/// A page of plans.
#[derive(Debug)]
pub struct PlansPageListing {
    /// The plans of the page, with those that can't be read.
    pub plans: Listing<PlanRow>,
    /// Number of plans on all pages.
    pub total: u32,
}

impl Plans<'_> {
    /// Reads the plans from position `offset`, counted from 0, at most `limit` of them. Leaves out
    /// deleted plans and planners' plans.
    pub fn page(
        &self,
        filter: &PlansPageFilter,
        sort: PlansSort,
        offset: u32,
        limit: u32,
    ) -> Result<PlansPageListing, StoreError> {
        self.store.read(|connection| {
            let condition = Condition::new(filter);
            let order = sort.sql();
            let query = format!(
                "SELECT * FROM plans WHERE {} ORDER BY {order} LIMIT ? OFFSET ?",
                condition.sql
            );
            let mut parameters = condition.parameters.clone();
            parameters.extend([Value::from(limit), Value::from(offset)]);
            let parameters = params_from_iter(parameters);
            Ok(PlansPageListing {
                plans: plans::list_with_runs(connection, &query, parameters)?,
                total: total(connection, condition)?,
            })
        })
    }
}

fn total(connection: &Connection, condition: Condition) -> Result<u32, StoreError> {
    let query = format!("SELECT COUNT(*) FROM plans WHERE {}", condition.sql);
    Ok(connection
        .prepare_cached(&query)?
        .query_row(params_from_iter(condition.parameters), |row| row.get(0))?)
}

/// The status of the plan in the current row, as [`PlanStatus::of`] says.
pub(crate) const STATUS: &str = "COALESCE((
    SELECT CASE
        WHEN review = '\"approved\"' AND runs.version <> plans.version THEN 'pending'
        WHEN state_name = 'running' AND waits_for_person THEN 'paused'
        WHEN state_name IN ('running', 'replanning') THEN 'running'
        WHEN state_name IN ('paused', 'stalled') THEN 'paused'
        ELSE state_name END
    FROM runs WHERE runs.plan = plans.id ORDER BY runs.created_at DESC, runs.id DESC LIMIT 1
), IIF(review IN ('\"rejected\"', '\"cancelled\"'), 'cancelled', 'pending'))";

struct Condition {
    sql: String,
    parameters: Vec<Value>,
}

impl Condition {
    fn new(filter: &PlansPageFilter) -> Self {
        let mut condition = Self {
            sql: "planner = 0 AND deleted_at IS NULL".to_owned(),
            parameters: Vec::new(),
        };
        condition.equals("COALESCE(user, 'default')", filter.user.as_deref());
        condition.equals("goal", filter.goal.as_deref());
        condition.equals("origin_trigger", filter.trigger.as_deref());
        condition.equals("cwd", filter.cwd.as_deref());
        if let Some(plan) = filter.plan {
            condition.sql.push_str(" AND id = ?");
            condition
                .parameters
                .push(Value::from(plan.0.as_bytes().to_vec()));
        }
        for word in filter.search.split_whitespace() {
            condition.add(
                "instr(lower(title || ' ' || summary || ' ' || tags), lower(?)) > 0",
                [word.to_owned()],
            );
        }
        if !filter.statuses.is_empty() {
            let marks = vec!["?"; filter.statuses.len()].join(", ");
            let words = filter
                .statuses
                .iter()
                .map(|status| status.as_str().to_owned());
            condition.add(&format!("{STATUS} IN ({marks})"), words);
        }
        condition
    }

    fn equals(&mut self, column: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.add(&format!("{column} = ?"), [value.to_owned()]);
        }
    }

    fn add(&mut self, sql: &str, parameters: impl IntoIterator<Item = String>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.parameters
            .extend(parameters.into_iter().map(Value::from));
    }
}
