//! Passes on what changes, to windows and event streams.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use baton_store::Store;

use crate::wire::Change;

/// What changes from the moment of subscription on.
pub struct Changes {
    receiver: Receiver<Change>,
}

impl Changes {
    /// Waits for the next change; `None` when there will be none.
    pub fn recv(&self) -> Option<Change> {
        self.receiver.recv().ok()
    }

    /// Waits for the next change for at most so long: `Ok(None)` when the time is up, an error when there will be none.
    pub fn recv_timeout(&self, time: Duration) -> Result<Option<Change>, Closed> {
        match self.receiver.recv_timeout(time) {
            Ok(change) => Ok(Some(change)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Closed),
        }
    }

    /// The next change that is there already.
    pub fn try_recv(&self) -> Option<Change> {
        self.receiver.try_recv().ok()
    }
}

/// The source of changes is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

/// All who look on.
#[derive(Clone, Default)]
pub(crate) struct Onlookers {
    senders: Arc<Mutex<Vec<Sender<Change>>>>,
}

impl Onlookers {
    pub(crate) fn subscribe(&self) -> Changes {
        let (sender, receiver) = channel();
        self.senders.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
        Changes { receiver }
    }

    pub(crate) fn tell(&self, change: Change) {
        let mut senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| sender.send(change.clone()).is_ok());
    }

    /// Passes on what changes in the store, here or by other processes.
    pub(crate) fn listen_to(&self, store: &Store) {
        let onlookers = self.clone();
        store.listen(move |change| {
            if let Some(change) = translated(change) {
                onlookers.tell(change);
            }
            true
        });
    }
}

fn translated(change: &baton_store::Change) -> Option<Change> {
    use baton_store::Change as Stored;
    Some(match change {
        Stored::PlanChanged { plan } => Change::Plan { plan: *plan },
        Stored::PlanDeleted { plan } => Change::PlanDeleted { plan: *plan },
        Stored::RunChanged { run, plan, nodes, .. } => Change::Run { run: *run, plan: *plan, nodes: nodes.clone() },
        Stored::ProposalChanged { proposal } => Change::Proposal { proposal: *proposal },
        Stored::SettingsChanged => Change::Settings,
        Stored::AppStateKept => Change::AppState,
        Stored::Everything => Change::All,
        Stored::RequestAdded { .. } | Stored::RequestAnswered { .. } | Stored::ExecutorLeft => return None,
    })
}
