//! The slots of a run: as many concurrent sessions as the plan allows, and a queue of attempts that
//! wait for a slot.
//!
//! A free slot takes the next attempt immediately, without asking the dispatcher: the permission to
//! start is stored already.

mod verifier;

use baton_model::run::Answer;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use baton_model::run::Command;
use baton_model::{Attempt, Node, NodeId, Outcome, SessionId};

use crate::dispatcher::Input;
use crate::engine::{Engine, WeakEngine};
use crate::job::Job;
use crate::live_session::LiveSession;
use crate::nested;
use crate::pool::verifier::Verifier;
use crate::report::Report;
use crate::session;
use crate::session_folder::session_folder;
use crate::session_services::SessionServices;

type Key = (NodeId, Attempt);

/// The sessions of one run.
#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    services: Arc<SessionServices>,
    /// Used by nodes that execute other runs.
    engine: WeakEngine,
    limit: usize,
    /// Another executor may have reserved attempts of this run, and may still be about to start
    /// them.
    inherited: bool,
    state: Mutex<State>,
    outbox: Sender<Input>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    busy: usize,
    /// Sessions with a thread; `None` until the thread has registered the means to reach it.
    live: HashMap<Key, Option<Arc<LiveSession>>>,
    stop_when_reachable: HashSet<Key>,
    /// Sessions that were withdrawn here: later requests for them are ignored.
    withdrawn: HashSet<SessionId>,
    /// Nothing starts here anymore.
    closed: bool,
    /// Checks inherited work again before anything starts.
    verifier: Verifier,
}

impl Pool {
    /// A pool with `limit` slots that reports to `outbox`; `inherited` if another executor had the
    /// run before.
    pub(crate) fn new(
        services: Arc<SessionServices>,
        engine: WeakEngine,
        limit: u32,
        inherited: bool,
        outbox: Sender<Input>,
    ) -> Self {
        let limit = (limit as usize).max(1);
        Self {
            shared: Arc::new(Shared {
                services,
                engine,
                limit,
                inherited,
                state: Mutex::default(),
                outbox,
            }),
        }
    }

    pub(crate) fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Starts nothing more, and detaches from the running sessions: another executor has them, or
    /// soon will.
    pub(crate) fn close(&self) {
        let live: Vec<_> = {
            let mut state = self.shared.lock();
            state.closed = true;
            state.queue.clear();
            state
                .live
                .values()
                .flatten()
                .cloned()
                .chain(state.verifier.live())
                .collect()
        };
        live.iter().for_each(|live| live.detach());
    }

    /// Starts `job` when a slot is free, or attaches to its session if it runs already. Calling it
    /// twice has no effect.
    pub(crate) fn start(&self, job: Job) {
        let found = self.shared.has_begun(&job);
        let mut state = self.shared.lock();
        if state.closed
            || state.withdrawn.contains(&job.session)
            || state.live.contains_key(&job.key())
            || state.queue.iter().any(|other| other.key() == job.key())
        {
            return;
        }
        // A running session has its slot already, regardless of the limit.
        if state.busy < self.shared.limit || found {
            state.busy += 1;
            state.live.insert(job.key(), None);
            drop(state);
            self.spawn(job);
        } else {
            state.enqueue_by_priority(job);
        }
    }

    /// Stops the session of `job` with all its processes, or withdraws the attempt if it has not
    /// begun.
    pub(crate) fn stop(&self, job: Job) {
        if self.withdraw(job.clone()) {
            return;
        }
        let mut state = self.shared.lock();
        match state.live.get(&job.key()).cloned() {
            Some(Some(live)) => {
                drop(state);
                live.stop();
            }
            Some(None) => {
                state.stop_when_reachable.insert(job.key());
            }
            // Its end is already in the dispatcher's inbox.
            None => {}
        }
    }

    /// Withdraws the attempt if its session has not begun; returns whether it was withdrawn, now or
    /// before.
    pub(crate) fn withdraw(&self, job: Job) -> bool {
        {
            let mut state = self.shared.lock();
            if state.withdrawn.contains(&job.session) {
                return true;
            }
            if state.live.contains_key(&job.key()) {
                return false;
            }
            state.queue.retain(|other| other.key() != job.key());
        }
        if !self.shared.prevent_start(&job) {
            self.start(job);
            return false;
        }
        self.shared.lock().withdrawn.insert(job.session);
        let report = Report::plain(Command::SessionWithdrawn {
            node: job.node,
            attempt: job.attempt,
        });
        self.shared.report(job.session, report);
        true
    }

    /// Passes a person's answer to a session.
    pub(crate) fn answer(&self, node: NodeId, attempt: Attempt, request: &str, answer: &Answer) {
        let live = self
            .shared
            .lock()
            .live
            .get(&(node, attempt))
            .cloned()
            .flatten();
        if let Some(live) = live {
            live.answer(request, answer);
        }
    }

    /// Returns what a session is doing at the moment.
    pub(crate) fn activity(&self, node: NodeId, attempt: Attempt) -> Option<String> {
        let live = self
            .shared
            .lock()
            .live
            .get(&(node, attempt))
            .cloned()
            .flatten()?;
        live.query_driver(|driver| driver.activity())
    }

    fn spawn(&self, job: Job) {
        let shared = Arc::clone(&self.shared);
        let ((node, attempt), session) = (job.key(), job.session);
        let thread = thread::Builder::new()
            .name("session".to_owned())
            .spawn(move || shared.run_jobs(job));
        if let Err(error) = thread {
            let mut state = self.shared.lock();
            state.busy -= 1;
            state.live.remove(&(node, attempt));
            drop(state);
            let detail = format!("couldn't start a thread: {error}");
            let failure = baton_model::outcome::Failure::NotStarted { detail };
            let outcome = Outcome::Failed { failure };
            let (artifact, taken, doubt) = (None, None, None);
            let command = Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact,
                taken,
                doubt,
            };
            self.shared.report(session, Report::plain(command));
        }
    }
}

impl State {
    /// Inserts `job` after those of its own priority and before those of a lower one.
    fn enqueue_by_priority(&mut self, job: Job) {
        let at = self
            .queue
            .iter()
            .position(|other| other.priority() < job.priority())
            .unwrap_or(self.queue.len());
        self.queue.insert(at, job);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a keeper was ever started for this attempt, perhaps by a process that is
    /// dead now.
    fn has_begun(&self, job: &Job) -> bool {
        self.folder(job).join(baton_keeper::CLAIM).exists()
            || self.is_nested_run(job)
            || session::is_question_open(&self.services.data_directory, job)
    }

    /// Returns whether the attempt is a run of another plan that has started.
    fn is_nested_run(&self, job: &Job) -> bool {
        let stands_for_one = job
            .definition()
            .is_some_and(|node| node.kind.sub_plan().is_some());
        let begun = |engine: Engine| nested::has_begun(&engine, job);
        stands_for_one && self.engine.upgrade().is_some_and(begun)
    }

    fn folder(&self, job: &Job) -> PathBuf {
        session_folder(&self.services.data_directory, job.session)
    }

    /// Makes sure that no session of this attempt can start anymore; false when one has begun.
    ///
    /// A dead process may have started a keeper that is still coming up: it will find the folder
    /// claimed. A live process may even be about to create the folder, so an inherited attempt gets
    /// one here.
    fn prevent_start(&self, job: &Job) -> bool {
        let folder = self.folder(job);
        if !self.inherited && !folder.join(baton_keeper::LAUNCH).exists() {
            return !self.has_begun(job);
        }
        if self.is_nested_run(job) || session::is_question_open(&self.services.data_directory, job)
        {
            return false;
        }
        let claimed = fs::create_dir_all(&folder)
            .and_then(|()| File::create_new(folder.join(baton_keeper::CLAIM)));
        match claimed {
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
            Err(error) => {
                tracing::warn!(folder = %folder.display(), %error, "couldn't claim a session's folder");
                !self.has_begun(job)
            }
        }
    }

    /// Follows a session. If it cannot be started here, the run's previous executor cannot start it
    /// either.
    fn follow(&self, job: &Job) -> Option<Report> {
        let (key, report) = (job.key(), |report| self.report(job.session, report));
        loop {
            let register = |live: &Arc<LiveSession>| self.register_session(key, live);
            let end = match job
                .definition()
                .filter(|node| node.kind.sub_plan().is_some())
            {
                Some(node) => self.follow_run(job, node, register, &report),
                None => session::follow(&self.services, job, register, &report),
            };
            // For a selection question, only the answer is known by now; the session itself is
            // still to come.
            let asked = job.asks.is_some();
            if end.is_none()
                || asked
                || !self.inherited
                || self.has_begun(job)
                || self.prevent_start(job)
            {
                return end;
            }
        }
    }

    /// Follows the run that `node` executes.
    fn follow_run(
        &self,
        job: &Job,
        node: &Node,
        register: impl FnOnce(&Arc<LiveSession>),
        report: &dyn Fn(Report),
    ) -> Option<Report> {
        match self.engine.upgrade() {
            Some(engine) => nested::follow(&engine, job, node, register, report),
            None => Some(session::ended_report(
                job,
                Outcome::Lost {
                    detail: "Baton was shutting down".to_owned(),
                },
            )),
        }
    }

    /// Follows sessions one after the other until none is left.
    fn run_jobs(&self, first: Job) {
        let mut next = Some(first);
        while let Some(job) = next {
            let (key, session) = (job.key(), job.session);
            let end = self.follow(&job);
            let mut state = self.lock();
            state.live.remove(&key);
            state.stop_when_reachable.remove(&key);
            next = if state.busy <= self.limit {
                state.queue.pop_front()
            } else {
                None
            };
            match &next {
                Some(job) => {
                    state.live.insert(job.key(), None);
                }
                None => state.busy -= 1,
            }
            drop(state);
            end.map(|end| self.report(session, end)).unwrap_or_default();
        }
    }

    fn register_session(&self, key: Key, live: &Arc<LiveSession>) {
        let (stop, closed) = {
            let mut state = self.lock();
            state.live.insert(key, Some(Arc::clone(live)));
            (state.stop_when_reachable.remove(&key), state.closed)
        };
        if closed {
            live.detach();
        } else if stop {
            live.stop();
        }
    }

    fn report(&self, session: SessionId, report: Report) {
        // Without a dispatcher the report isn't needed: the next one reads the keeper's folder.
        let _ = self.outbox.send(Input::Report {
            session,
            report: Box::new(report),
        });
    }
}

impl Job {
    fn key(&self) -> Key {
        (self.node, self.attempt)
    }

    fn priority(&self) -> u8 {
        self.definition()
            .map_or_else(Node::default_priority, |node| node.priority)
    }
}
