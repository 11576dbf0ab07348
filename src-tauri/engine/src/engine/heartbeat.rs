//! The heartbeat of this process, and the moment at which it finds out that it has lost a run.

use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;

use baton_model::run::Command;
use baton_model::{ExecutorId, RunId, Timestamp};

use super::{Engine, Inner, lock};
use crate::clocks::moment;
use crate::crash_point::crash_point;
use crate::dispatcher::Input;
use crate::error::EngineError;
use crate::health::Moment;

/// What a watcher found out about an executor, to be noted by the thread that beats: that one may wait for a write.
pub(super) struct SilenceChange {
    pub(super) executor: ExecutorId,
    /// It is silent, or back.
    pub(super) is_silent: bool,
    pub(super) at: Timestamp,
}

impl Engine {
    /// Beats from now on; registration was the first beat.
    pub(super) fn start_heartbeat(&self) -> Result<(), EngineError> {
        let inner = Arc::clone(&self.inner);
        let heartbeat_thread =
            thread::Builder::new()
                .name("heartbeat".to_owned())
                .spawn(move || {
                    let mut last = moment();
                    let mut closing = lock(&inner.closing);
                    while !*closing {
                        let woken = inner
                            .close
                            .wait_timeout(closing, inner.lease.beat)
                            .unwrap_or_else(PoisonError::into_inner);
                        closing = woken.0;
                        if woken.1.timed_out() {
                            // A beat may have to wait for the store, and nobody else for the beat.
                            drop(closing);
                            // A process that was stopped for long wakes here, with runs that may be somebody else's by now.
                            inner.notify_displaced_dispatchers();
                            last = inner.send_heartbeat(last);
                            inner.store_silences();
                            inner.release_abandoned_permits();
                            closing = lock(&inner.closing);
                        }
                    }
                })?;
        *lock(&self.inner.heartbeat_thread) = Some(heartbeat_thread);
        Ok(())
    }
}

impl Inner {
    /// Beats; the moment of it. Of a process that had not for too long, those who watch may have noted that already.
    fn send_heartbeat(&self, last: Moment) -> Moment {
        crash_point("before beat");
        let now = moment();
        let silence = now.since(last);
        if silence >= self.lease.unhealthy {
            self.record_own_silence(last.wall, silence, now.wall);
        }
        if let Err(error) =
            self.store
                .executors()
                .record_heartbeat(self.executor, now.wall, now.awake_ms())
        {
            tracing::warn!(%error, "the heartbeat could not be noted");
        }
        crash_point("after beat");
        now
    }

    /// Stores since when executors are silent, and that they are back. What cannot be stored is tried again.
    fn store_silences(&self) {
        let news = std::mem::take(&mut *lock(&self.pending_silences));
        let silences = self.store.silences();
        for one in news {
            let noted = match one.is_silent {
                true => silences.note(one.executor, one.at).map(drop),
                false => silences.end(one.executor, one.at).map(drop),
            };
            if let Err(error) = noted {
                tracing::warn!(%error, "the silence of an executor could not be noted");
                lock(&self.pending_silences).push(one);
            }
        }
    }

    /// Notes a silence of this process that is over, and tells the runs that it still has.
    fn record_own_silence(&self, since: Timestamp, silence: Duration, now: Timestamp) {
        let silence_ms = u64::try_from(silence.as_millis()).unwrap_or(u64::MAX);
        let silences = self.store.silences();
        let noted = silences
            .note(self.executor, now)
            .and_then(|_| silences.end(self.executor, now));
        if let Err(error) = noted {
            tracing::warn!(%error, "the silence of this process could not be noted");
        }
        for dispatched in self.runs().values() {
            // A dispatcher that is gone needs no telling.
            let news = Input::Alarm(Command::ExecutorReturned { since, silence_ms });
            dispatched.inbox.send(news).unwrap_or_default();
        }
    }

    /// Tells the dispatchers whose run another executor has now. They would find out with their next write; until
    /// then their sessions would be reached from two sides.
    fn notify_displaced_dispatchers(&self) {
        let here: Vec<RunId> = self.runs().keys().copied().collect();
        for run in here {
            // A run that is not stored yet has no other executor.
            let Ok(Some((owner, epoch))) = self.store.executors().of_run(run) else {
                continue;
            };
            if owner != self.executor
                && let Some(dispatched) = self.runs().get(&run)
            {
                // A dispatcher that is gone needs no telling.
                dispatched
                    .inbox
                    .send(Input::Displaced { epoch })
                    .unwrap_or_default();
            }
        }
    }
}
