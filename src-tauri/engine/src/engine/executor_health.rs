//! Who executes a run: this process, another one and its health, or none.

use std::time::Duration;

use baton_model::{Epoch, ExecutorId, RunId};
use baton_store::{ExecutorRow, RunRow};

use super::{Engine, Inner, lock};
use crate::clocks::{booted_at, moment};
use crate::error::EngineError;
use crate::health::{Health, ProcessLiveness, health, heartbeat_age};
use crate::identity::{ProcessIdentity, boot, host, pid_namespace};

/// The executor of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunExecutor {
    /// Nobody: the run is idle, or its executor is gone.
    Nobody,
    /// This process executes the run.
    ThisProcess,
    /// Another process executes the run, and is alive.
    OtherProcess(OtherExecutor),
}

/// A process that executes a run, as seen from another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherExecutor {
    /// The row of the process in the store.
    pub executor: ExecutorRow,
    /// Its health; never [`Health::Gone`].
    pub health: Health,
    /// How long it has been silent.
    pub silence: Duration,
}

/// The executor that has the right to a run, other than this process.
pub(super) enum Holder {
    Other(OtherExecutor),
    /// The run may be taken over from this executor, as long as the epoch is unchanged.
    Nobody {
        /// The executor that the run names.
        executor: ExecutorId,
        /// The epoch that was judged.
        epoch: Epoch,
        /// Whether the run is unfinished, so that it was abandoned and is not idle.
        is_running: bool,
    },
}

impl Engine {
    /// The executor of the run in `row`.
    pub fn run_executor(&self, row: &RunRow) -> Result<RunExecutor, EngineError> {
        if self.is_executing(row.id) {
            return Ok(RunExecutor::ThisProcess);
        }
        if !row.state.is_running() || row.executor == self.inner.executor {
            return Ok(RunExecutor::Nobody);
        }
        let Ok(executor) = self.inner.store.executors().get(row.executor) else {
            return Ok(RunExecutor::Nobody);
        };
        let (health, silence) = self.executor_health(&executor);
        Ok(match health {
            Health::Gone => RunExecutor::Nobody,
            health => RunExecutor::OtherProcess(OtherExecutor {
                executor,
                health,
                silence,
            }),
        })
    }

    /// The health of an executor, and how long it has been silent.
    #[must_use]
    pub fn executor_health(&self, executor: &ExecutorRow) -> (Health, Duration) {
        self.inner.executor_health(executor)
    }

    /// Whether runs of stale executors may be taken over.
    #[must_use]
    pub fn may_displace_stale(&self) -> bool {
        (self.inner.may_displace)()
    }

    /// The other process that has the right to `run`; not one that has been silent so long that it
    /// may be displaced.
    pub(super) fn holder(&self, run: RunId) -> Result<Holder, EngineError> {
        let row = self.inner.store.runs().get(run)?;
        Ok(match self.run_executor(&row)? {
            RunExecutor::OtherProcess(other) if !self.may_displace(other.health) => {
                Holder::Other(other)
            }
            _ => Holder::Nobody {
                executor: row.executor,
                epoch: row.epoch,
                is_running: row.state.is_running(),
            },
        })
    }

    pub(super) fn may_displace(&self, health: Health) -> bool {
        match health {
            Health::Gone => true,
            Health::Stale => self.may_displace_stale(),
            Health::Healthy | Health::Unhealthy => false,
        }
    }
}

/// Returns whether the process of an executor exists.
pub(super) fn process_liveness(executor: &ExecutorRow) -> ProcessLiveness {
    if executor.ended_at.is_some() {
        return ProcessLiveness::Gone;
    }
    match process_of(executor) {
        Some(process) if process.is_alive() => ProcessLiveness::Alive,
        Some(_) => ProcessLiveness::Gone,
        None if is_from_before_this_boot(executor) => ProcessLiveness::Gone,
        None => ProcessLiveness::Unknown,
    }
}

/// The process of an executor, if it is visible from here: on the same machine, in the same boot,
/// and not in another container.
pub(super) fn process_of(executor: &ExecutorRow) -> Option<ProcessIdentity> {
    let is_seen = |theirs: &str, own: String| theirs.is_empty() || own.is_empty() || theirs == own;
    let is_here = executor.host == host()
        && executor.boot_id == boot()
        && is_seen(&executor.pid_namespace, pid_namespace());
    is_here.then(|| ProcessIdentity {
        pid: executor.pid,
        start: executor.process_start,
        boot: executor.boot_id.clone(),
    })
}

/// Returns whether this machine was rebooted since the executor's last heartbeat.
fn is_from_before_this_boot(executor: &ExecutorRow) -> bool {
    let started = booted_at();
    executor.host == host()
        && executor.boot_id != boot()
        && started.is_some_and(|at| executor.last_beat < at)
}

impl Inner {
    /// The health of an executor, and how long it has been silent.
    pub(super) fn executor_health(&self, executor: &ExecutorRow) -> (Health, Duration) {
        let now = moment();
        let silence = lock(&self.heartbeat_monitor)
            .known_silence(executor)
            .unwrap_or_else(|| heartbeat_age(executor, now));
        (
            health(&self.lease, silence, process_liveness(executor)),
            silence,
        )
    }
}

#[cfg(test)]
mod tests {
    use baton_model::Timestamp;
    use baton_store::ExecutorKind;

    use super::*;

    fn own() -> ExecutorRow {
        let process = ProcessIdentity::current();
        ExecutorRow {
            id: ExecutorId(uuid::Uuid::nil()),
            kind: ExecutorKind::Worker,
            pid: process.pid,
            process_start: process.start,
            boot_id: process.boot,
            pid_namespace: pid_namespace(),
            host: host(),
            started_at: Timestamp(1),
            last_beat: crate::clocks::now(),
            beat_awake_ms: 1,
            ended_at: None,
        }
    }

    #[test]
    fn process_is_checked_only_when_visible() {
        let own = own();
        let dead = ExecutorRow {
            process_start: own.process_start + 1,
            ..own.clone()
        };
        let elsewhere = |row: &ExecutorRow| {
            [
                ExecutorRow {
                    host: "another".to_owned(),
                    ..row.clone()
                },
                ExecutorRow {
                    pid_namespace: "pid:[1]".to_owned(),
                    ..row.clone()
                },
                ExecutorRow {
                    boot_id: "another".to_owned(),
                    host: "another".to_owned(),
                    ..row.clone()
                },
                ExecutorRow {
                    boot_id: "another".to_owned(),
                    ..row.clone()
                },
            ]
        };
        assert_eq!(
            (process_liveness(&own), process_liveness(&dead)),
            (ProcessLiveness::Alive, ProcessLiveness::Gone)
        );
        for row in elsewhere(&own).iter().chain(&elsewhere(&dead)) {
            assert_eq!(process_liveness(row), ProcessLiveness::Unknown, "{row:?}");
        }
        let left = ExecutorRow {
            ended_at: Some(Timestamp(2)),
            host: "another".to_owned(),
            ..own.clone()
        };
        assert_eq!(
            process_liveness(&left),
            ProcessLiveness::Gone,
            "it reported its shutdown"
        );
        let earlier = ExecutorRow {
            pid_namespace: String::new(),
            ..dead
        };
        assert_eq!(
            process_liveness(&earlier),
            ProcessLiveness::Gone,
            "stored by an earlier version"
        );
        let before_reboot = ExecutorRow {
            boot_id: "another".to_owned(),
            last_beat: Timestamp(3),
            ..own
        };
        assert_eq!(
            process_liveness(&before_reboot),
            ProcessLiveness::Gone,
            "the machine was rebooted since"
        );
    }
}
