//! Work that Baton does by itself from time to time: removing plans that were deleted long ago, and
//! applying the rules of retention.
//!
//! Only long-running processes do it, each on one thread. The store gives a task to one of them. In
//! addition, the process that executed a run applies its plan's rule when the run ends.

use std::collections::BTreeSet;
use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use baton_model::{PlanId, RunId};
use baton_planning::retention;
use baton_store::{Change, HousekeepingTask};

use crate::app::WeakApp;
use crate::housekeeping_thread::{Wake, Wakes};
use crate::{ApiError, App, plan_deletion};

const HOUR_MS: u64 = 60 * 60 * 1000;
const DAY_MS: u64 = 24 * HOUR_MS;
/// How long to wait for an event before the tasks are looked at. Short, because timers don't count
/// the time that a laptop sleeps.
const INTERVAL: Duration = Duration::from_millis(HOUR_MS);

/// Starts the thread. It also ends when Baton is dropped without being closed.
pub(crate) fn start(app: &App) -> io::Result<()> {
    let work = Housekeeping {
        app: app.downgrade(),
    };
    let wake = app.housekeeping.start(move |wakes| work.run(wakes))?;
    app.store.listen(move |change| match *change {
        Change::RunChanged {
            run,
            plan,
            whole: true,
            ..
        } => wake.send(Wake::Run { run, plan }).is_ok(),
        _ => true,
    });
    Ok(())
}

struct Housekeeping {
    app: WeakApp,
}

impl Housekeeping {
    fn run(&self, wakes: &Wakes) {
        self.perform_tasks(wakes);
        loop {
            match wakes.received.recv_timeout(INTERVAL) {
                Ok(Wake::Run { run, plan }) => {
                    let mut changed = BTreeSet::from([(plan, run)]);
                    for wake in wakes.received.try_iter() {
                        match wake {
                            Wake::Run { run, plan } => changed.insert((plan, run)),
                            Wake::Close => return,
                        };
                    }
                    self.runs_changed(&changed, wakes);
                }
                Err(RecvTimeoutError::Timeout) => self.perform_tasks(wakes),
                Ok(Wake::Close) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn perform_tasks(&self, wakes: &Wakes) {
        let Some(app) = self.app.upgrade() else {
            return;
        };
        if let Err(error) = purge_plans(&app) {
            tracing::warn!(%error, "couldn't remove plans that were deleted long ago");
        }
        if let Err(error) = apply_all_rules(&app, wakes) {
            tracing::warn!(%error, "couldn't apply the rules of retention");
        }
    }

    /// Applies the rules of the plans whose runs ended here.
    fn runs_changed(&self, changed: &BTreeSet<(PlanId, RunId)>, wakes: &Wakes) {
        let Some(app) = self.app.upgrade() else {
            return;
        };
        let ended = changed.iter().filter(|(_, run)| ended_here(&app, *run));
        let plans: BTreeSet<PlanId> = ended.map(|(plan, _)| *plan).collect();
        for plan in plans {
            if let Err(error) = apply_rules(&app, Some(plan), wakes) {
                tracing::warn!(%plan, %error, "couldn't apply the plan's rule of retention");
            }
        }
    }
}

fn purge_plans(app: &App) -> Result<(), ApiError> {
    let task = HousekeepingTask::PurgePlans;
    if app.store.claim_housekeeping(task, app.now(), HOUR_MS)? {
        plan_deletion::purge_due(app)?;
    }
    Ok(())
}

fn apply_all_rules(app: &App, wakes: &Wakes) -> Result<(), ApiError> {
    let task = HousekeepingTask::ApplyRetention;
    if app.store.claim_housekeeping(task, app.now(), DAY_MS)? {
        apply_rules(app, None, wakes)?;
    }
    Ok(())
}

fn apply_rules(app: &App, plan: Option<PlanId>, wakes: &Wakes) -> Result<(), ApiError> {
    let done = retention::apply(app.context(), plan, || wakes.is_closing())?;
    if !done.deleted.is_empty() || !done.archived.is_empty() {
        let (runs, plans) = (done.deleted.len(), done.archived.len());
        tracing::info!(
            runs,
            plans,
            "rules of retention deleted runs or archived plans"
        );
    }
    Ok(())
}

/// Whether the run has ended and this process executed it last.
fn ended_here(app: &App, run: RunId) -> bool {
    let row = app.store.runs().get(run);
    row.is_ok_and(|row| row.ended_at.is_some() && row.executor == app.engine.executor())
}
