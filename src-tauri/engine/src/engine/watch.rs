//! The watcher observes runs that other processes execute, and takes over those that are abandoned.
//!
//! It sleeps while every unfinished run is executed here. It wakes up on changes, and periodically
//! while others execute: a process that dies or falls silent sends no event.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use baton_model::{ExecutorId, RunId};
use baton_store::{ActiveRun, Change};

use super::executor_health::process_liveness;
use super::heartbeat::SilenceChange;
use super::{Engine, POLL_INTERVAL, lock};
use crate::clocks::moment;
use crate::error::EngineError;
use crate::health::{Health, health};

/// A watcher's state between checks.
#[derive(Default)]
struct Watcher {
    /// The unfinished runs of others, with the reported health.
    watched: HashMap<RunId, Health>,
    /// The executors that are silent.
    silent: HashSet<ExecutorId>,
    /// Runs that could not be taken over, and when to try again; `None` if the error is permanent.
    set_aside: HashMap<RunId, Option<Instant>>,
}

impl Watcher {
    /// Ignores the run for `pause`, or for good after a permanent error.
    fn set_aside(&mut self, run: RunId, error: &EngineError, pause: Duration) {
        self.set_aside
            .insert(run, error.is_transient().then(|| Instant::now() + pause));
    }

    fn is_set_aside(&self, run: RunId) -> bool {
        self.set_aside
            .get(&run)
            .is_some_and(|again| again.is_none_or(|again| Instant::now() < again))
    }
}

impl Engine {
    /// Starts watching the runs of others; `adopts` takes over abandoned ones. Call it once.
    pub fn watch(&self, adopts: bool) -> Result<(), EngineError> {
        let changes = self.inner.store.subscribe();
        // A strong reference would keep the store open forever; with a weak one, the events end
        // with the store.
        let engine = Arc::downgrade(&self.inner);
        thread::Builder::new()
            .name("watcher".to_owned())
            .spawn(move || {
                let mut watcher = Watcher::default();
                loop {
                    let (pace, idle) = {
                        let Some(inner) = engine.upgrade() else {
                            return;
                        };
                        let engine = Self { inner };
                        if *lock(&engine.inner.closing) {
                            return;
                        }
                        engine.check_runs(&mut watcher, adopts);
                        // A process that stops between a commit and its notification has not
                        // notified anyone; by the time this is noticed, it has been silent for a
                        // while.
                        (engine.pace(), engine.inner.lease.unhealthy / 2)
                    };
                    let until = Instant::now()
                        + if watcher.watched.is_empty() {
                            idle
                        } else {
                            pace
                        };
                    let concerns = |run| {
                        let here = || {
                            engine
                                .upgrade()
                                .is_some_and(|inner| inner.runs().contains_key(&run))
                        };
                        !watcher.watched.contains_key(&run) && !watcher.is_set_aside(run) && !here()
                    };
                    if !sleep(&changes, until, concerns) {
                        return;
                    }
                }
            })?;
        Ok(())
    }

    /// The interval between two checks.
    fn pace(&self) -> Duration {
        self.inner.lease.beat.min(POLL_INTERVAL)
    }

    fn check_runs(&self, watcher: &mut Watcher, adopts: bool) {
        let running = match self.inner.store.executors().active_runs() {
            Ok(running) => running.rows,
            Err(error) => {
                return tracing::warn!(%error, "couldn't check the runs of other executors");
            }
        };
        if adopts {
            running.iter().for_each(|run| self.try_again(run));
        }
        let others: Vec<_> = running
            .into_iter()
            .filter(|run| run.executor != self.inner.executor && !self.is_executing(run.run))
            .map(|run| (self.assess_health(&run), run))
            .collect();
        lock(&self.inner.heartbeat_monitor).end_round();
        let executors: Vec<_> = others
            .iter()
            .map(|(health, run)| (*health, run.executor))
            .collect();
        let before = std::mem::take(&mut watcher.watched);
        for (health, ActiveRun { run, plan, .. }) in others {
            if before.get(&run).copied().unwrap_or(Health::Healthy) != health {
                self.inner
                    .services
                    .events
                    .executor_health_changed(run, plan);
                if adopts {
                    note(run, health);
                }
            }
            let may_displace = self.may_displace(health) && !watcher.is_set_aside(run);
            if adopts && may_displace && (health != Health::Stale || self.plan_allows(run)) {
                self.try_take_over(run, watcher);
            }
            if !self.is_executing(run) {
                watcher.watched.insert(run, health);
            }
        }
        self.report_silences(watcher, &executors);
    }

    /// Has the heartbeat thread store the beginning and end of silences. The watcher never blocks
    /// on a write itself: a process that is stopped in the middle of a write blocks all writers
    /// until it is displaced.
    fn report_silences(&self, watcher: &mut Watcher, executors: &[(Health, ExecutorId)]) {
        let now = moment().wall;
        for &(health, executor) in executors
            .iter()
            .filter(|(health, _)| *health != Health::Gone)
        {
            let is_silent = health != Health::Healthy;
            let is_news = match is_silent {
                true => watcher.silent.insert(executor),
                false => watcher.silent.remove(&executor),
            };
            if is_news {
                lock(&self.inner.pending_silences).push(SilenceChange {
                    executor,
                    is_silent,
                    at: now,
                });
            }
        }
    }

    /// Retries a run that this process gave up because the store could not be written.
    fn try_again(&self, run: &ActiveRun) {
        let is_worth_it = lock(&self.inner.gave_up)
            .get(&run.run)
            .is_some_and(EngineError::is_transient);
        let given_up = run.executor == self.inner.executor && is_worth_it;
        if given_up && !self.is_executing(run.run) {
            match self.adopt(run.run) {
                Ok(_) => tracing::info!(run = %run.run, "run resumed after an error"),
                Err(error) => {
                    tracing::warn!(run = %run.run, %error, "couldn't resume a run after an error")
                }
            }
        }
    }

    /// Returns whether the plan of a run allows others to displace a silent executor.
    fn plan_allows(&self, run: RunId) -> bool {
        let replayed = self.inner.store.runs().replay(run);
        replayed.is_ok_and(|(run, _)| run.plan().settings.takeover_allowed)
    }

    fn assess_health(&self, run: &ActiveRun) -> Health {
        let Some(executor) = &run.row else {
            return Health::Gone;
        };
        let silence = lock(&self.inner.heartbeat_monitor).observe(executor, moment(), self.pace());
        health(&self.inner.lease, silence, process_liveness(executor))
    }

    fn try_take_over(&self, run: RunId, watcher: &mut Watcher) {
        match self.adopt(run) {
            Ok(true) => tracing::info!(%run, "taken over"),
            Ok(false) => {}
            // Another watcher was quicker, or the executor has come back.
            Err(EngineError::Attended { .. } | EngineError::Moved { .. }) => {}
            Err(error) => {
                tracing::error!(%run, %error, "couldn't take over a run");
                watcher.set_aside(run, &error, self.inner.lease.unhealthy);
            }
        }
    }
}

fn note(run: RunId, health: Health) {
    match health {
        Health::Healthy => tracing::info!(%run, "its executor is back"),
        Health::Unhealthy => tracing::warn!(%run, "its executor is silent; the run is watched"),
        Health::Stale => tracing::warn!(%run, "its executor has been silent for too long"),
        Health::Gone => tracing::info!(%run, "its executor is gone"),
    }
}

/// Sleeps until the next check; false when there will be none.
fn sleep(changes: &Receiver<Change>, until: Instant, concerns: impl Fn(RunId) -> bool) -> bool {
    loop {
        match changes.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Change::RunChanged { run, .. }) if concerns(run) => return true,
            Ok(Change::ExecutorLeft | Change::Everything) => return true,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use baton_model::run::{Event, IllegalTransition};
    use uuid::Uuid;

    use super::*;

    /// A disk that was full for a moment must not prevent a takeover.
    #[test]
    fn takeover_is_retried_after_transient_errors() {
        let run = RunId(Uuid::from_u128(1));
        let full = EngineError::Io(io::Error::other("no space left on device"));
        let gave_up = EngineError::GaveUp {
            run,
            reason: "the store is locked".to_owned(),
        };
        let no_keeper = EngineError::NoKeeper {
            path: "/nowhere".into(),
        };
        let illegal = EngineError::Illegal(IllegalTransition {
            run,
            sequence: 1,
            event: Box::new(Event::Resumed),
            state: "paused",
            node: None,
        });
        for (error, pause, left_alone) in [
            (&full, Duration::ZERO, false),
            (&gave_up, Duration::ZERO, false),
            (&full, Duration::from_secs(3600), true),
            (&no_keeper, Duration::ZERO, true),
            (&illegal, Duration::ZERO, true),
        ] {
            let mut watcher = Watcher::default();
            assert!(!watcher.is_set_aside(run));
            watcher.set_aside(run, error, pause);
            assert_eq!(watcher.is_set_aside(run), left_alone, "{error} {pause:?}");
        }
    }
}
