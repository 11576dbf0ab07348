//! The permit of a review for one of its agent's sessions, over all runs and executors.
//!
//! The session under review has ended by then. Its node's permits for other agents are released
//! before it waits, so that no two nodes wait for each other's reviewers; its locks are kept.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use baton_keeper::{Liveness, liveness};
use baton_model::{NodeId, RunId, Timestamp};
use baton_store::{Change, Permit, PermitAnswer, PermitClaim, StoreError};

use super::Session;
use super::acceptance::Interrupted;
use crate::clocks::now;
use crate::executor_handle::ExecutorHandle;
use crate::session_folder::CHECKS;

/// How often to check again: the death of an executor sends no event.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);
/// How often to check whether the session was stopped.
const NOTIFY_INTERVAL: Duration = Duration::from_millis(100);

/// The permit of a review, or its place in the waiting line. A session that outlives this process
/// keeps it.
pub(super) struct ReviewPermit {
    executor: Weak<dyn ExecutorHandle>,
    run: RunId,
    node: NodeId,
}

impl ReviewPermit {
    /// The review is over, or is not to begin.
    pub(super) fn release(self) {
        // Without an engine the process is shutting down; after a takeover, the permits are judged
        // by the state of the session.
        let Some(executor) = self.executor.upgrade() else {
            return;
        };
        let released =
            executor
                .store()
                .permits()
                .release_agent_permits(self.run, self.node, executor.id());
        if let Err(error) = released {
            tracing::warn!(run = %self.run, node = %self.node, %error, "couldn't release the permit of a review");
        }
    }
}

impl Session<'_> {
    /// Waits until a review by `agent` may begin; `None` when there is no limit. A review that has
    /// begun does not wait.
    pub(super) fn permit_for_review(
        &self,
        agent: &str,
    ) -> Result<Option<ReviewPermit>, Interrupted> {
        let limit = || self.services.agents.limits().get(agent).copied();
        let Some(executor) = self.services.executor().filter(|_| limit().is_some()) else {
            return Ok(None);
        };
        let changes = executor.store().subscribe();
        let permit = ReviewPermit {
            executor: Arc::downgrade(&executor),
            run: self.job.run.run,
            node: self.job.node,
        };
        // The engine could not shut down while a waiting session held it.
        drop(executor);
        let since = now();
        while let Some(limit) = limit() {
            if self.live.is_over() {
                return Err(Interrupted::Detached);
            }
            if self.live.stop_requested() {
                permit.release();
                return Err(Interrupted::Stopped);
            }
            let Some(executor) = permit.executor.upgrade() else {
                return Err(Interrupted::Detached);
            };
            match self.ask_for_room(executor.as_ref(), Permit::of_agent(agent, limit), since) {
                Ok(true) => break,
                Ok(false) if self.has_begun_review() => break,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(session = %self.job.session, %error, "couldn't request limits")
                }
            }
            drop(executor);
            self.wait_for_change(&changes);
        }
        Ok(Some(permit))
    }

    fn ask_for_room(
        &self,
        executor: &dyn ExecutorHandle,
        permit: Permit,
        since: Timestamp,
    ) -> Result<bool, StoreError> {
        let (permits, of) = (
            executor.store().permits(),
            (self.job.run.run, self.job.node),
        );
        let contenders = permits.contenders(&[permit.key.as_str()], of)?;
        let left: Vec<_> = contenders
            .into_iter()
            .filter(|rival| executor.has_left(rival))
            .collect();
        let request = PermitClaim {
            run: of.0,
            node: of.1,
            title: &self.node.title,
            executor: executor.id(),
            ancestors: &[],
            permits: &[permit],
            priority: self.job.run.plan.settings.priority,
            since,
        };
        Ok(
            permits.acquire_for_child_session(self.job.session, &request, &left)?
                == Some(PermitAnswer::Granted),
        )
    }

    /// Whether an earlier process has begun the review: it is running, or has ended.
    fn has_begun_review(&self) -> bool {
        let checks = std::fs::read_dir(self.folder.join(CHECKS))
            .into_iter()
            .flatten()
            .flatten();
        let reviews =
            checks.filter(|check| check.file_name().to_string_lossy().starts_with("review"));
        let has_begun =
            |liveness: Liveness| liveness.may_run() || matches!(liveness, Liveness::Ended(_));
        reviews
            .into_iter()
            .any(|review| liveness(&review.path()).is_ok_and(has_begun))
    }

    /// Waits until a permit was released, or the session is to end.
    fn wait_for_change(&self, changes: &Receiver<Change>) {
        let until = Instant::now() + RETRY_INTERVAL;
        while Instant::now() < until && !self.live.is_over() && !self.live.stop_requested() {
            match changes.recv_timeout(NOTIFY_INTERVAL) {
                Ok(
                    Change::PermitsFreed { .. }
                    | Change::ExecutorLeft
                    | Change::SettingsChanged
                    | Change::Everything,
                ) => {
                    return;
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                // The store is closed: the next check finds no engine.
                Err(RecvTimeoutError::Disconnected) => return std::thread::sleep(NOTIFY_INTERVAL),
            }
        }
    }
}
