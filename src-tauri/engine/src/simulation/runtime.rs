//! An executor's environment in the simulation: the world's clock and random numbers, the real
//! store with injected failures, and a worker pool on the simulated machine.
//!
//! Before and after each operation, other executors may advance at random, or the executor may die.

use baton_model::run::Answer;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use baton_model::run::Command;
use baton_model::{Attempt, Epoch, ExecutorId, NodeId, Plan, RunId, Timestamp};
use baton_store::{NewRun, PermitContender, RunWrite, Store, StoreError};
use uuid::Uuid;

use super::worker_pool::{SimulatedJob, WorkerPool};
use super::world::World;
use crate::dispatcher::Input;
use crate::dispatcher::runtime::{Clock, ExecutorContext, JobRunner, RunStore};
use crate::job::Job;
use crate::report::Report;
use crate::session::InheritedWork;

/// The runtime of one dispatcher of one executor.
pub(super) struct SimulatedRuntime {
    pub(super) world: Rc<World>,
    /// The index of the executor.
    pub(super) who: usize,
    /// The number of its dispatcher.
    pub(super) number: u32,
}

impl Clock for SimulatedRuntime {
    fn now(&self) -> Timestamp {
        Timestamp(self.world.state().now)
    }

    fn random(&self) -> f64 {
        let drawn = u32::try_from(self.world.state().rng.below(1000)).expect("fits in u32");
        f64::from(drawn) / 1000.0
    }

    fn new_id(&self) -> Uuid {
        self.world.state().new_id()
    }

    fn pause(&self, time: Duration) {
        self.world.state().now += i64::try_from(time.as_millis()).expect("fits in i64");
        self.world.interleave(self.who, "it waits for the store");
    }
}

impl RunStore for SimulatedRuntime {
    fn create(&self, new: &NewRun<'_>) -> Result<u64, StoreError> {
        self.write(new.run.epoch(), |store| store.runs().create(new))
    }

    fn append(&self, write: &RunWrite<'_>) -> Result<u64, StoreError> {
        self.write(write.epoch, |store| store.runs().append(write))
    }

    fn store(&self) -> &Store {
        &self.world.store
    }

    fn log_steps(&self, _run: RunId, _plan: &Plan) {}
}

impl ExecutorContext for SimulatedRuntime {
    fn executor(&self) -> ExecutorId {
        self.world.executor_of(self.who)
    }

    /// As in the engine: of a dead executor, everything that is not held by a session that runs or
    /// may start.
    fn has_left(&self, rival: &PermitContender) -> bool {
        let mut state = self.world.state();
        let lives = state
            .executors
            .iter()
            .any(|executor| executor.is(rival.executor));
        !lives
            && rival
                .session
                .is_none_or(|session| state.machine.is_over(session))
    }

    fn set_waiting(&self, waiting: bool) {
        self.world.state().executors[self.who].waiting = waiting;
    }
}

impl JobRunner for SimulatedRuntime {
    fn start(&self, job: Job) {
        self.world.interleave(self.who, "before a start");
        self.with_worker_pool(|pool, machine| pool.start(simulated_job(&job), machine));
    }

    fn stop(&self, job: Job) {
        self.world.interleave(self.who, "before a stop");
        if !self.give_up(&job) {
            self.with_worker_pool(|pool, _| pool.stop(simulated_job(&job)));
        }
    }

    fn withdraw(&self, job: Job) {
        self.world.interleave(self.who, "before a withdrawal");
        self.give_up(&job);
    }

    fn answer(&self, node: NodeId, attempt: Attempt, _: &str, answer: &Answer) {
        self.world
            .interleave(self.who, "before an answer is passed on");
        self.with_worker_pool(|pool, machine| pool.answer(node, attempt, answer.allows(), machine));
    }

    fn verify(&self, works: Vec<InheritedWork>, _: Duration) {
        self.world.interleave(self.who, "before checks");
        let checks = works
            .iter()
            .map(|work| (simulated_job(&work.job), work.epoch));
        self.with_worker_pool(|pool, _| pool.verify(checks));
    }

    fn stop_verifying(&self) {
        self.world.interleave(self.who, "before checks are stopped");
        self.with_worker_pool(|pool, _| pool.stop_verifying());
    }
}

impl SimulatedRuntime {
    fn write(
        &self,
        epoch: Epoch,
        act: impl Fn(&Store) -> Result<u64, StoreError>,
    ) -> Result<u64, StoreError> {
        self.world.interleave(self.who, "before a write");
        let path = || PathBuf::from("baton.db");
        let drawn = if self.world.is_calm() {
            1000
        } else {
            self.world.state().rng.below(1000)
        };
        let fault = match drawn {
            _ if self.world.state().disk_fails() => Some(StoreError::Io {
                path: path(),
                source: io::ErrorKind::Other.into(),
            }),
            0..10 => Some(StoreError::Locked { path: path() }),
            10..20 => Some(StoreError::Full { path: path() }),
            40..50 => {
                self.world.state().start_disk_failures();
                Some(StoreError::Full { path: path() })
            }
            20..30 => Some(StoreError::Io {
                path: path(),
                source: io::ErrorKind::Other.into(),
            }),
            _ => None,
        };
        if let Some(fault) = fault {
            self.world.log(|| format!("{}: {fault}", self.who));
            return Err(fault);
        }
        let written = act(&self.world.store);
        self.world
            .log(|| format!("{}: epoch {}: {written:?}", self.who, epoch.0));
        if written.is_ok() {
            self.world.accepted(epoch);
        }
        self.world.interleave(self.who, "after a write");
        match drawn {
            // The write is on the disk, but an error is reported.
            30..36 => Err(StoreError::Locked { path: path() }),
            36..40 => Err(StoreError::Io {
                path: path(),
                source: io::ErrorKind::Other.into(),
            }),
            _ => written,
        }
    }

    fn with_worker_pool<T: Default>(
        &self,
        act: impl FnOnce(&mut WorkerPool, &mut super::machine::Machine) -> T,
    ) -> T {
        let mut state = self.world.state();
        let state = &mut *state;
        let pools = &mut state.executors[self.who].pools;
        let pool = pools.iter_mut().find(|pool| pool.number == self.number);
        pool.map(|pool| act(pool, &mut state.machine))
            .unwrap_or_default()
    }

    fn give_up(&self, job: &Job) -> bool {
        let given_up =
            self.with_worker_pool(|pool, machine| pool.withdraw(simulated_job(job), machine));
        if given_up {
            let report = Report::plain(Command::SessionWithdrawn {
                node: job.node,
                attempt: job.attempt,
            });
            self.world.state().executors[self.who]
                .inbox
                .push_back(Input::Report {
                    session: job.session,
                    report: Box::new(report),
                });
        }
        given_up
    }
}

fn simulated_job(job: &Job) -> SimulatedJob {
    SimulatedJob {
        node: job.node,
        attempt: job.attempt,
        session: job.session,
    }
}
