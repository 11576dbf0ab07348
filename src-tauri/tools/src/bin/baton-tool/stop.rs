//! The end of the work before it is done, and the processes that have to end with it.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::sync::watch;

/// How long processes may take to end by themselves. Less than a keeper gives this program.
const GRACE: Duration = Duration::from_secs(2);

/// Why the work ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    Signal,
    /// Another call has failed.
    Failure,
}

/// Whether the work has to end, and the process groups that it has started.
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

/// A process group that ends when the work does. Dropped when all of it is gone.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    stop: Arc<Stop>,
    group: Pid,
}

impl Stop {
    /// Ends the work: nothing new starts, and what runs gets SIGTERM, and SIGKILL when that does not help.
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

    /// Why the work has to end, if it has to.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        *self.reason.borrow()
    }

    /// Waits until the work has to end.
    pub(crate) async fn stopped(&self) {
        // Fails only when the sender is gone, which is part of this.
        let _ = self.reason.subscribe().wait_for(Option::is_some).await;
    }

    /// Takes in a process group. One that comes too late is ended at once.
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
    /// Sends a signal to all of the group. Its leader must not have been waited for yet.
    pub(crate) fn signal(&self, signal: Signal) {
        // A group that is gone needs no signal.
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
