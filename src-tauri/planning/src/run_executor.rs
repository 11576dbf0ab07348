//! The executor of a run and its health.

use baton_engine::{Health, RunExecutor};
use baton_store::{ExecutorKind, RunRow};
use serde::{Deserialize, Serialize};

use crate::{Context, PlanningError};

/// The health of an executor, by how long it has not responded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ExecutorHealth {
    Healthy,
    /// Not responding. Its runs are being watched.
    Unhealthy,
    /// Not responding for so long that others may take over its runs.
    Stale,
    /// Its process has ended.
    Gone,
}

/// The executor of a running run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "where",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum RunExecutorView {
    /// No executor. For a running run this means that its executor is gone.
    None,
    /// This process executes the run.
    Here,
    Elsewhere {
        /// Never [`ExecutorHealth::Gone`], which is reported as `None`.
        health: ExecutorHealth,
        pid: u32,
        kind: ExecutorKind,
        /// Milliseconds since its last heartbeat.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
}

/// Determines the executor of a run.
pub fn run_executor(context: &Context, row: &RunRow) -> Result<RunExecutorView, PlanningError> {
    Ok(match context.engine.run_executor(row)? {
        RunExecutor::Nobody => RunExecutorView::None,
        RunExecutor::ThisProcess => RunExecutorView::Here,
        RunExecutor::OtherProcess(attendant) => RunExecutorView::Elsewhere {
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
