//! Registers this process as an executor.
//!
//! This is the first write of a process, so a Baton that is stopped in the middle of its own write
//! is noticed here. A process that runs already kills it when it takes over its runs; if none runs,
//! this one must.

use baton_model::ExecutorId;
use baton_store::{ExecutorKind, ExecutorRow, StoreError};

use super::executor_health::process_liveness;
use super::{EngineConfig, lock};
use crate::clocks::moment;
use crate::error::EngineError;
use crate::health::{Health, health, heartbeat_age};
use crate::identity::{ProcessIdentity, host, pid_namespace};

/// Registers this process as `executor`.
///
/// A stopped executor that holds the database lock is killed first, if it has been silent for so
/// long that its runs may be taken over. Before that, the error names its process.
pub(super) fn register(setup: &EngineConfig, executor: ExecutorId) -> Result<(), EngineError> {
    let executors = setup.store.executors();
    match executors.register(&row(executor, setup.kind)) {
        Err(locked @ StoreError::Locked { .. }) => {
            free_the_lock(setup, locked)?;
            Ok(executors.register(&row(executor, setup.kind))?)
        }
        done => Ok(done?),
    }
}

/// Kills the process that is stuck with the lock; `locked` if no known executor is.
fn free_the_lock(setup: &EngineConfig, locked: StoreError) -> Result<(), EngineError> {
    let folder = setup.store.data_dir();
    let present = setup.store.executors().list_active()?.rows;
    let Some(stuck) = present
        .into_iter()
        .find(|executor| lock::is_stuck_in_write(executor, folder))
    else {
        return Err(locked.into());
    };
    let health = health(
        &setup.lease,
        heartbeat_age(&stuck, moment()),
        process_liveness(&stuck),
    );
    let may_be_displaced =
        health == Health::Stale && (setup.may_displace)() && plans_allow_takeover(setup, &stuck)?;
    if may_be_displaced && lock::kill_lock_holder(&stuck, folder) {
        Ok(())
    } else {
        Err(EngineError::Stuck { pid: stuck.pid })
    }
}

fn plans_allow_takeover(setup: &EngineConfig, stuck: &ExecutorRow) -> Result<bool, EngineError> {
    let running = setup.store.executors().active_runs()?.rows;
    for active in running.iter().filter(|active| active.executor == stuck.id) {
        let (run, _) = setup.store.runs().replay(active.run)?;
        if !run.plan().settings.takeover_allowed {
            return Ok(false);
        }
    }
    Ok(true)
}

fn row(id: ExecutorId, kind: ExecutorKind) -> ExecutorRow {
    let (process, now) = (ProcessIdentity::current(), moment());
    ExecutorRow {
        id,
        kind,
        pid: process.pid,
        process_start: process.start,
        boot_id: process.boot,
        pid_namespace: pid_namespace(),
        host: host(),
        started_at: now.wall,
        last_beat: now.wall,
        beat_awake_ms: now.awake_ms(),
        ended_at: None,
    }
}
