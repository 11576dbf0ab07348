//! Locks and limits across executors: notifications when a permit is free, and permits of executors
//! that are gone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use baton_keeper::{Liveness, liveness, terminate_marked_processes};
use baton_model::{ExecutorId, SessionId};
use baton_store::{Change, PermitContender, Store};

use super::{Engine, Inner};
use crate::dispatcher::Input;
use crate::error::EngineError;
use crate::executor_handle::ExecutorHandle;
use crate::health::Health;
use crate::nested;
use crate::session_folder::{ARBITER, CHECKS, session_folder};

/// How long the remaining processes of a lost session may take to end on their own.
const GRACE: Duration = Duration::from_secs(2);

impl Engine {
    /// Notifies the runs of this process when a permit is released, here or elsewhere.
    pub(super) fn pass_on_permits(&self) -> Result<(), EngineError> {
        let changes = self.inner.store.subscribe();
        // A strong reference would keep the store open forever; with a weak one, the events end
        // with the store.
        let engine = Arc::downgrade(&self.inner);
        thread::Builder::new()
            .name("permits".to_owned())
            .spawn(move || {
                for change in changes {
                    let is_about_permits = matches!(
                        change,
                        Change::PermitsFreed { .. } | Change::ExecutorLeft | Change::Everything
                    );
                    if is_about_permits {
                        let Some(inner) = engine.upgrade() else {
                            return;
                        };
                        inner.release_abandoned_permits();
                    }
                }
            })?;
        Ok(())
    }

    /// Makes runs that wait for an agent's limit ask again, after the limits have changed.
    pub fn limits_changed(&self) {
        self.inner.release_abandoned_permits();
    }

    /// Returns whether permits that `rival` holds, or waits for, may be taken from it.
    pub(crate) fn has_left(&self, rival: &PermitContender) -> bool {
        self.inner.has_left(rival)
    }
}

/// Returns whether a session below this one is running: the agent selection, a check, or a review.
fn has_living_below(folder: &Path) -> bool {
    let checks = fs::read_dir(folder.join(CHECKS))
        .into_iter()
        .flatten()
        .flatten()
        .map(|check| check.path());
    let may_run = |folder: PathBuf| liveness(&folder).is_ok_and(|liveness| liveness.may_run());
    checks.chain([folder.join(ARBITER)]).any(may_run)
}

impl ExecutorHandle for Inner {
    fn store(&self) -> &Store {
        &self.store
    }

    fn id(&self) -> ExecutorId {
        self.executor
    }

    /// Nothing is taken from an executor that sends heartbeats. If it is gone, a session that runs
    /// under its keeper keeps its permits. If it is only silent, it may wake up: then only permits
    /// of ended sessions are taken.
    fn has_left(&self, rival: &PermitContender) -> bool {
        if rival.executor == self.executor {
            return false;
        }
        let executor = self.store.executors().get(rival.executor);
        let health = executor.map_or(Health::Gone, |executor| self.executor_health(&executor).0);
        match health {
            Health::Healthy | Health::Unhealthy => false,
            _ if !rival.holds => true,
            Health::Gone => rival.session.is_none_or(|session| self.is_over(session)),
            Health::Stale => {
                rival.has_started && rival.session.is_some_and(|session| self.is_over(session))
            }
        }
    }
}

impl Inner {
    /// Returns whether nothing of a session runs whose executor is gone. A session that is about to
    /// begin is prevented from starting; what a killed keeper has left behind is terminated.
    fn is_over(&self, session: SessionId) -> bool {
        let folder = session_folder(self.store.data_dir(), session);
        if has_living_below(&folder) {
            return false;
        }
        match liveness(&folder) {
            Ok(Liveness::Running(_) | Liveness::OutOfSight(_)) | Err(_) => false,
            Ok(Liveness::Ended(_)) => true,
            Ok(Liveness::Lost) => {
                terminate_marked_processes(&session.to_string(), GRACE);
                true
            }
            // Without a launch file no keeper is starting.
            Ok(Liveness::NotStarted) if !folder.join(baton_keeper::LAUNCH).exists() => {
                !self.is_nested(session)
            }
            Ok(Liveness::NotStarted) => File::create_new(folder.join(baton_keeper::CLAIM)).is_ok(),
        }
    }

    /// Returns whether the attempt is a run of another plan with an unfinished iteration.
    fn is_nested(&self, session: SessionId) -> bool {
        let turns = (1..).map_while(|turn| {
            self.store
                .runs()
                .get(nested::nested_run_id(session, turn))
                .ok()
        });
        turns.into_iter().any(|run| !run.state.has_ended())
    }

    /// Makes waiting runs ask again. The death of a process sends no event, so this is called
    /// periodically.
    pub(super) fn release_abandoned_permits(&self) {
        for run in self
            .runs()
            .values()
            .filter(|run| run.waiting.load(Ordering::Relaxed))
        {
            // A dispatcher that has ended waits for nothing.
            run.inbox.send(Input::PermitsFreed).unwrap_or_default();
        }
    }
}
