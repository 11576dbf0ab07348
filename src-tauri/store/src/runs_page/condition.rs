//! The conditions of a page, as SQL with parameters.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::{RunsPageFilter, search};
use crate::StoreError;

/// Conditions that follow another one, each beginning with `AND`.
pub(super) struct Conditions {
    pub(super) sql: String,
    pub(super) parameters: Vec<Value>,
}

impl Conditions {
    /// The conditions of `filter`.
    pub(super) fn new(
        connection: &Connection,
        filter: &RunsPageFilter,
    ) -> Result<Self, StoreError> {
        let mut conditions = Self {
            sql: " AND id NOT IN hidden_runs".to_owned(),
            parameters: Vec::new(),
        };
        if let Some(run) = filter.run {
            conditions.add(" AND id = ?", [Value::from(run.0.as_bytes().to_vec())]);
        }
        if let Some(plan) = filter.plan {
            conditions.add(" AND plan = ?", [Value::from(plan.0.as_bytes().to_vec())]);
        }
        if !filter.states.is_empty() {
            let places = placeholders(filter.states.len());
            let names = filter
                .states
                .iter()
                .map(|state| Value::from(state.as_str().to_owned()));
            conditions.add(&format!(" AND state_name IN ({places})"), names);
        }
        if let Some(by) = filter.started_by {
            conditions.add(" AND started_by = ?", [Value::from(by.as_str().to_owned())]);
        }
        if let Some(since) = filter.since {
            conditions.add(" AND created_at >= ?", [Value::from(since.0)]);
        }
        if let Some(until) = filter.until {
            conditions.add(" AND created_at < ?", [Value::from(until.0)]);
        }
        search::add(&mut conditions, connection, &filter.search)?;
        Ok(conditions)
    }

    pub(super) fn add(&mut self, sql: &str, parameters: impl IntoIterator<Item = Value>) {
        self.sql.push_str(sql);
        self.parameters.extend(parameters);
    }
}

/// `count` question marks.
pub(super) fn placeholders(count: usize) -> String {
    vec!["?"; count].join(", ")
}
