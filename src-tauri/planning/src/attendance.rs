//! Who executes a run, and how that process is.

use baton_engine::{Attendance as Found, Health};
use baton_store::{ExecutorKind, RunRow};
use serde::{Deserialize, Serialize};

use crate::{Context, PlanningError};

/// How an executor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExecutorHealth {
    /// It beats.
    Healthy,
    /// It is silent; its runs are watched.
    Unhealthy,
    /// It is silent for so long that others may go on with its runs.
    Stale,
    /// Its process is no more.
    Gone,
}

/// Who executes a run that is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "where",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Attendance {
    /// Nobody. With a state of running this means that its executor is gone.
    None,
    /// The process that answers.
    Here,
    /// Another process.
    Elsewhere {
        /// How it is; never gone.
        health: ExecutorHealth,
        /// Its process id.
        pid: u32,
        /// What kind of process it is.
        kind: ExecutorKind,
        /// For how long it has said nothing, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
}

/// Who executes a run.
pub fn attendance(context: &Context, row: &RunRow) -> Result<Attendance, PlanningError> {
    Ok(match context.engine.attendance(row)? {
        Found::Nobody => Attendance::None,
        Found::Here => Attendance::Here,
        Found::Elsewhere(attendant) => Attendance::Elsewhere {
            health: attendant.health.into(),
            pid: attendant.executor.pid,
            kind: attendant.executor.kind,
            silence_ms: u64::try_from(attendant.silence.as_millis()).unwrap_or(u64::MAX),
        },
    })
}

impl From<Health> for ExecutorHealth {
    fn from(health: Health) -> Self {
        match health {
            Health::Healthy => Self::Healthy,
            Health::Unhealthy => Self::Unhealthy,
            Health::Stale => Self::Stale,
            Health::Gone => Self::Gone,
        }
    }
}
