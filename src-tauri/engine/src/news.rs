//! Tells onlookers when to look again, at a pace that onlookers can stand.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use baton_model::{PlanId, RunId, SessionId};

/// The least time between two pieces of news of one session.
const PACE: Duration = Duration::from_millis(100);

/// Something that is not in the store and looks different now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// A session printed something, or does something else than before.
    Session {
        /// Which.
        session: SessionId,
        /// Its run.
        run: RunId,
    },
    /// Whoever executes a run elsewhere fell silent, or is back.
    Attendance {
        /// The run.
        run: RunId,
        /// Its plan.
        plan: PlanId,
    },
}

/// Where sessions leave their news. Cheap to call from a hot loop.
#[derive(Clone)]
pub(crate) struct NewsDesk {
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

impl NewsDesk {
    /// A desk that passes news to `tell`, from a thread of its own, which sleeps while there is none.
    pub(crate) fn open(tell: Box<dyn Fn(News) + Send>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            dirty: Mutex::default(),
            arrived: Condvar::new(),
        });
        let desk = Self {
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
                        tell(News::Attendance { run, plan });
                    }
                    for (session, run) in batch.sessions {
                        tell(News::Session { session, run });
                    }
                    thread::sleep(PACE);
                }
            })?;
        Ok(desk)
    }

    /// Notes that `session` looks different.
    pub(crate) fn session(&self, session: SessionId, run: RunId) {
        let mut dirty = self
            .shared
            .dirty
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if dirty.sessions.insert(session, run).is_none() {
            self.shared.arrived.notify_one();
        }
    }

    /// Notes that `run` is attended in another way than before.
    pub(crate) fn attendance(&self, run: RunId, plan: PlanId) {
        self.shared
            .dirty
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .runs
            .insert(run, plan);
        self.shared.arrived.notify_one();
    }
}
