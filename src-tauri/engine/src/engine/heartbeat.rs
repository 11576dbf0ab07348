//! The heartbeat of this process, and how it notices that it has lost a run.

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

/// An observed silence, to be stored by the heartbeat thread, because a write may block.
pub(super) struct SilenceChange {
    pub(super) executor: ExecutorId,
    /// Whether the silence has begun or ended.
    pub(super) is_silent: bool,
    pub(super) at: Timestamp,
}

impl Engine {
    /// Starts the heartbeat thread; registration was the first heartbeat.
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
                            // The heartbeat may have to wait for the store, and nothing should wait
                            // for the heartbeat.
                            drop(closing);
                            // A process that was stopped for long wakes up here, with runs that may
                            // belong to another executor by now.
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
    /// Sends a heartbeat and returns its moment. If this process was silent for too long, watchers
    /// may have recorded that already.
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
            tracing::warn!(%error, "couldn't store the heartbeat");
        }
        crash_point("after beat");
        now
    }

    /// Stores the beginning and end of silences. What cannot be stored is retried.
    fn store_silences(&self) {
        let news = std::mem::take(&mut *lock(&self.pending_silences));
        let silences = self.store.silences();
        for one in news {
            let noted = match one.is_silent {
                true => silences.note(one.executor, one.at).map(drop),
                false => silences.end(one.executor, one.at).map(drop),
            };
            if let Err(error) = noted {
                tracing::warn!(%error, "couldn't store the silence of an executor");
                lock(&self.pending_silences).push(one);
            }
        }
    }

    /// Records a past silence of this process, and reports it to its remaining runs.
    fn record_own_silence(&self, since: Timestamp, silence: Duration, now: Timestamp) {
        let silence_ms = u64::try_from(silence.as_millis()).unwrap_or(u64::MAX);
        let silences = self.store.silences();
        let noted = silences
            .note(self.executor, now)
            .and_then(|_| silences.end(self.executor, now));
        if let Err(error) = noted {
            tracing::warn!(%error, "couldn't store the silence of this process");
        }
        for dispatched in self.runs().values() {
            // The dispatcher may have ended.
            let news = Input::Alarm(Command::ExecutorReturned { since, silence_ms });
            dispatched.inbox.send(news).unwrap_or_default();
        }
    }

    /// Notifies the dispatchers whose run another executor has now. They would notice it only at
    /// their next write; until then two executors would control their sessions.
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
                // The dispatcher may have ended.
                dispatched
                    .inbox
                    .send(Input::Displaced { epoch })
                    .unwrap_or_default();
            }
        }
    }
}
