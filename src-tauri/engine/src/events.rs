//! Notifies observers that something changed, at a limited rate.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use baton_model::{PlanId, RunId, SessionId};

/// The least time between two events of one session.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// A change of something that is not in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineEvent {
    /// A session printed something, or its activity changed.
    Session {
        /// The session with new output or activity.
        session: SessionId,
        /// The run of `session`.
        run: RunId,
    },
    /// The executor of a run in another process fell silent, or is back.
    ExecutorHealth {
        /// The run whose executor changed its health.
        run: RunId,
        /// The plan of `run`.
        plan: PlanId,
    },
}

/// Collects events of sessions. Cheap to call from a hot loop.
#[derive(Clone)]
pub(crate) struct EventNotifier {
    shared: Arc<Shared>,
}

struct Shared {
    dirty: Mutex<Dirty>,
    arrived: Condvar,
}

#[derive(Default)]
struct Dirty {
    sessions: HashMap<SessionId, RunId>,
    runs: HashMap<RunId, PlanId>,
}

impl Dirty {
    fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.runs.is_empty()
    }
}

impl EventNotifier {
    /// A notifier that passes events to `tell` from its own thread, which sleeps while there are
    /// none.
    pub(crate) fn open(tell: Box<dyn Fn(EngineEvent) + Send>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            dirty: Mutex::default(),
            arrived: Condvar::new(),
        });
        let notifier = Self {
            shared: Arc::clone(&shared),
        };
        thread::Builder::new()
            .name("news".to_owned())
            .spawn(move || {
                loop {
                    let batch = {
                        let mut dirty = shared.dirty.lock().unwrap_or_else(PoisonError::into_inner);
                        while dirty.is_empty() {
                            dirty = shared
                                .arrived
                                .wait(dirty)
                                .unwrap_or_else(PoisonError::into_inner);
                        }
                        std::mem::take(&mut *dirty)
                    };
                    for (run, plan) in batch.runs {
                        tell(EngineEvent::ExecutorHealth { run, plan });
                    }
                    for (session, run) in batch.sessions {
                        tell(EngineEvent::Session { session, run });
                    }
                    thread::sleep(MIN_INTERVAL);
                }
            })?;
        Ok(notifier)
    }

    /// Notes that `session` changed.
    pub(crate) fn session_changed(&self, session: SessionId, run: RunId) {
        let mut dirty = self
            .shared
            .dirty
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if dirty.sessions.insert(session, run).is_none() {
            self.shared.arrived.notify_one();
        }
    }

    /// Notes that the executor health of `run` changed.
    pub(crate) fn executor_health_changed(&self, run: RunId, plan: PlanId) {
        self.shared
            .dirty
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .runs
            .insert(run, plan);
        self.shared.arrived.notify_one();
    }
}
