//! The thread that checks inherited work again, one check after the other, and how it is stopped.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use baton_model::run::{Command, InheritedCheck, NotRun};

use super::{Pool, Shared};
use crate::live_session::LiveSession;
use crate::report::Report;
use crate::session::{self, InheritedWork};

/// The state of the verifier thread.
#[derive(Default)]
pub(super) enum Verifier {
    #[default]
    Absent,
    /// A thread is running, and can be stopped once it has registered its check.
    AtWork {
        live: Option<Arc<LiveSession>>,
        /// Results are no longer needed.
        stopped: bool,
    },
}

impl Verifier {
    pub(super) fn live(&self) -> Option<Arc<LiveSession>> {
        match self {
            Self::Absent => None,
            Self::AtWork { live, .. } => live.clone(),
        }
    }

    fn is_stopped(&self) -> bool {
        matches!(self, Self::AtWork { stopped: true, .. })
    }
}

impl Pool {
    /// Checks the criteria of inherited nodes again, within `budget`, and reports each. Calling it
    /// twice has no effect.
    pub(crate) fn verify(&self, works: Vec<InheritedWork>, budget: Duration) {
        {
            let mut state = self.shared.lock();
            if state.closed || matches!(state.verifier, Verifier::AtWork { .. }) {
                return;
            }
            state.verifier = Verifier::AtWork {
                live: None,
                stopped: false,
            };
        }
        let shared = Arc::clone(&self.shared);
        let works = Arc::new(works);
        let kept = Arc::clone(&works);
        let thread = thread::Builder::new()
            .name("verifier".to_owned())
            .spawn(move || shared.verify(&works, budget));
        if let Err(error) = thread {
            let why = NotRun::Unknown {
                detail: format!("couldn't start a thread: {error}"),
            };
            kept.iter().for_each(|work| {
                self.shared
                    .report_inherited(work, session::not_run(work, &why), 0)
            });
            self.shared.lock().verifier = Verifier::Absent;
        }
    }

    /// Stops these checks; those without a result are reported as not run.
    pub(crate) fn stop_verifying(&self) {
        let live = {
            let mut state = self.shared.lock();
            if let Verifier::AtWork { stopped, .. } = &mut state.verifier {
                *stopped = true;
            }
            state.verifier.live()
        };
        live.iter().for_each(LiveSession::stop);
    }
}

impl Shared {
    fn verify(&self, works: &[InheritedWork], budget: Duration) {
        let deadline = Instant::now() + budget;
        for work in works {
            let began = Instant::now();
            let checks = match self.lock() {
                state if state.closed => return,
                state => state
                    .verifier
                    .is_stopped()
                    .then(|| session::not_run(work, &NotRun::Stopped)),
            };
            let register = |live: &Arc<LiveSession>| self.register_check(live);
            let checks =
                checks.or_else(|| session::verify(&self.services, work, deadline, &register));
            // A detached verifier leaves the rest to the run's new executor.
            let Some(checks) = checks else { return };
            let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.report_inherited(work, checks, took_ms);
        }
        self.lock().verifier = Verifier::Absent;
    }

    fn register_check(&self, live: &Arc<LiveSession>) {
        let (closed, stopped) = {
            let mut state = self.lock();
            let stopped = state.verifier.is_stopped();
            state.verifier = Verifier::AtWork {
                live: Some(Arc::clone(live)),
                stopped,
            };
            (state.closed, stopped)
        };
        if closed {
            live.detach();
        } else if stopped {
            live.stop();
        }
    }

    fn report_inherited(&self, work: &InheritedWork, checks: Vec<InheritedCheck>, took_ms: u64) {
        let (node, attempt, epoch) = (work.job.node, work.job.attempt, work.epoch);
        let command = Command::InheritedChecked {
            node,
            attempt,
            epoch,
            checks,
            took_ms,
        };
        self.report(work.job.session, Report::plain(command));
    }
}
