//! Stops a job early, together with the processes that it started.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::sync::watch;

/// How long processes may take to exit. Shorter than the grace period that a keeper gives this
/// program.
const GRACE: Duration = Duration::from_secs(2);

/// Why the job is stopping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    Signal,
    /// Another call failed.
    Failure,
}

/// The job's stop state and the process groups that it started.
#[derive(Debug)]
pub(crate) struct Stop {
    groups: Mutex<BTreeSet<Pid>>,
    changed: Condvar,
    reason: watch::Sender<Option<StopReason>>,
}

impl Default for Stop {
    fn default() -> Self {
        Self {
            groups: Mutex::default(),
            changed: Condvar::new(),
            reason: watch::channel(None).0,
        }
    }
}

/// A process group that ends with the job. Drop it once all of its processes are gone.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    stop: Arc<Stop>,
    group: Pid,
}

impl Stop {
    /// Stops the job: no new call starts, and running processes get SIGTERM, followed by SIGKILL if
    /// necessary.
    pub(crate) fn stop(self: &Arc<Self>, reason: StopReason) {
        let first = self
            .reason
            .send_if_modified(|known| known.is_none() && known.replace(reason).is_none());
        if !first {
            return;
        }
        signal_all(&self.groups(), Signal::SIGTERM);
        let own = Arc::clone(self);
        thread::spawn(move || {
            let wait = own
                .changed
                .wait_timeout_while(own.groups(), GRACE, |groups| !groups.is_empty());
            signal_all(
                &wait.unwrap_or_else(PoisonError::into_inner).0,
                Signal::SIGKILL,
            );
        });
    }

    /// Returns why the job is stopping, or `None` while it isn't.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        *self.reason.borrow()
    }

    /// Waits until the job is stopping.
    pub(crate) async fn stopped(&self) {
        // Fails only if the sender is gone, which `self` owns.
        let _ = self.reason.subscribe().wait_for(Option::is_some).await;
    }

    /// Registers a process group. If the job is already stopping, the group is killed immediately.
    pub(crate) fn register(self: &Arc<Self>, group: Pid) -> ProcessGroup {
        let mut groups = self.groups();
        groups.insert(group);
        if self.reason().is_some() {
            signal_all(&groups, Signal::SIGKILL);
        }
        drop(groups);
        ProcessGroup {
            stop: Arc::clone(self),
            group,
        }
    }

    fn groups(&self) -> MutexGuard<'_, BTreeSet<Pid>> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProcessGroup {
    /// Sends a signal to the whole group. Its leader must not have been reaped yet.
    pub(crate) fn signal(&self, signal: Signal) {
        // Fails if the group is already gone.
        let _ = killpg(self.group, signal);
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.stop.groups().remove(&self.group);
        self.stop.changed.notify_all();
    }
}

fn signal_all(groups: &BTreeSet<Pid>, signal: Signal) {
    for group in groups {
        let _ = killpg(*group, signal);
    }
}
