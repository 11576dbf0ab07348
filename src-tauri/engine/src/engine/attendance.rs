//! Who executes a run: this process, another one and how that one is, or nobody (product E14).

use std::time::Duration;

use baton_model::{Epoch, ExecutorId, RunId};
use baton_store::{ExecutorRow, RunRow};

use super::{Engine, lock};
use crate::clocks::moment;
use crate::error::EngineError;
use crate::health::{Health, Life, health, silence};
use crate::identity::Process;

/// Who executes a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attendance {
    /// Nobody: it is at rest, or whoever executed it is gone.
    Nobody,
    /// This process.
    Here,
    /// Another process, which lives.
    Elsewhere(Attendant),
}

/// A process that executes a run, as another one sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attendant {
    /// The process.
    pub executor: ExecutorRow,
    /// How it is; never [`Health::Gone`].
    pub health: Health,
    /// For how long it has been silent.
    pub silence: Duration,
}

/// Who must be respected as the executor of a run, beside this process.
pub(super) enum Holder {
    /// Another process.
    Other(Attendant),
    /// Nobody: the run may be taken from this executor, as long as the epoch is still this one.
    Nobody {
        /// The executor that the run names.
        executor: ExecutorId,
        /// The epoch that was judged.
        epoch: Epoch,
        /// Somebody has left it, rather than brought it to rest.
        is_running: bool,
    },
}

impl Engine {
    /// Who executes the run of `row`.
    pub fn attendance(&self, row: &RunRow) -> Result<Attendance, EngineError> {
        if self.is_here(row.id) {
            return Ok(Attendance::Here);
        }
        if !row.state.is_running() || row.executor == self.inner.executor {
            return Ok(Attendance::Nobody);
        }
        let Ok(executor) = self.inner.store.executors().get(row.executor) else { return Ok(Attendance::Nobody) };
        let (health, silence) = self.examine(&executor);
        Ok(match health {
            Health::Gone => Attendance::Nobody,
            health => Attendance::Elsewhere(Attendant { executor, health, silence }),
        })
    }

    /// How an executor is, and for how long it has been silent.
    #[must_use]
    pub fn examine(&self, executor: &ExecutorRow) -> (Health, Duration) {
        let now = moment();
        let silence = lock(&self.inner.vigil).known(executor).unwrap_or_else(|| silence(executor, now));
        (health(&self.inner.lease, silence, life(executor)), silence)
    }

    /// Whether runs of stale executors may be taken over.
    #[must_use]
    pub fn may_displace_stale(&self) -> bool {
        (self.inner.may_displace)()
    }

    /// The other process that must be respected as the executor of `run`: not one that is so silent that it may be
    /// displaced.
    pub(super) fn holder(&self, run: RunId) -> Result<Holder, EngineError> {
        let row = self.inner.store.runs().get(run)?;
        Ok(match self.attendance(&row)? {
            Attendance::Elsewhere(attendant) if !self.may_displace(attendant.health) => Holder::Other(attendant),
            _ => Holder::Nobody { executor: row.executor, epoch: row.epoch, is_running: row.state.is_running() },
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

/// Whether the process of an executor is there.
pub(super) fn life(executor: &ExecutorRow) -> Life {
    let process = Process { pid: executor.pid, start: executor.process_start, boot: executor.boot_id.clone() };
    if executor.ended_at.is_none() && process.lives() { Life::Lives } else { Life::Gone }
}
