//! Forwards changes to windows and event streams.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use baton_planning::LogUpdate;
use baton_store::Store;

use crate::wire::Change;

/// One frame at 60 per second. Nothing is displayed faster, so repeated changes within a frame are
/// merged.
const FRAME_DURATION: Duration = Duration::from_millis(16);
/// Above this number, a frame only says that everything may have changed.
const MAX_FRAME_CHANGES: usize = 200;

/// A subscription to changes.
pub struct Changes {
    receiver: Receiver<Change>,
}

impl Changes {
    /// Waits for the next change; `None` when the source is closed.
    pub fn recv(&self) -> Option<Change> {
        self.receiver.recv().ok()
    }

    /// Waits for the next change until the timeout, then returns `Ok(None)`; an error when the
    /// source is closed.
    pub fn recv_timeout(&self, time: Duration) -> Result<Option<Change>, Closed> {
        match self.receiver.recv_timeout(time) {
            Ok(change) => Ok(Some(change)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Closed),
        }
    }

    /// Waits for the next change, then collects more until the frame ends. Repeated changes and
    /// those of one run are merged. `None` when the source is closed.
    pub fn frame(&self) -> Option<Vec<Change>> {
        let mut frame = vec![self.recv()?];
        let end = Instant::now() + FRAME_DURATION;
        while let Ok(Some(change)) =
            self.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            // A full frame still drains the channel.
            if frame.len() <= MAX_FRAME_CHANGES {
                coalesce(&mut frame, change);
            }
        }
        Some(if frame.len() > MAX_FRAME_CHANGES {
            vec![Change::All]
        } else {
            frame
        })
    }

    /// The next change that is already available.
    pub fn try_recv(&self) -> Option<Change> {
        self.receiver.try_recv().ok()
    }
}

/// Adds a change to a frame and merges it with earlier ones.
fn coalesce(frame: &mut Vec<Change>, change: Change) {
    if let Change::Run {
        run,
        nodes: more,
        whole: of_run,
        ..
    } = &change
    {
        for known in frame.iter_mut() {
            if let Change::Run {
                run: same,
                nodes,
                whole,
                ..
            } = known
                && same == run
            {
                nodes.extend(
                    more.iter()
                        .filter(|node| !nodes.contains(node))
                        .copied()
                        .collect::<Vec<_>>(),
                );
                *whole |= of_run;
                return;
            }
        }
    }
    if let Change::Plan { plan, revision } = &change {
        for known in frame.iter_mut() {
            if let Change::Plan {
                plan: same,
                revision: before,
            } = known
                && same == plan
            {
                // The later revision covers the earlier one, unless one of them doesn't count as a
                // revision.
                *before = before
                    .zip(*revision)
                    .map(|(before, revision)| before.max(revision));
                return;
            }
        }
    }
    if !frame.contains(&change) {
        frame.push(change);
    }
}

/// The source of changes is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

#[derive(Clone, Default)]
pub(crate) struct ChangeSubscribers {
    senders: Arc<Mutex<Vec<Sender<Change>>>>,
}

impl ChangeSubscribers {
    pub(crate) fn subscribe(&self) -> Changes {
        let (sender, receiver) = channel();
        self.senders
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(sender);
        Changes { receiver }
    }

    pub(crate) fn send(&self, change: Change) {
        let mut senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| sender.send(change.clone()).is_ok());
    }

    /// Forwards changes of the store, made here or in other processes.
    pub(crate) fn forward_store_changes(&self, store: &Store) {
        let subscribers = self.clone();
        store.listen(move |change| {
            if let Some(change) = from_store_change(change) {
                subscribers.send(change);
            }
            true
        });
    }
}

impl From<LogUpdate> for Change {
    fn from(update: LogUpdate) -> Self {
        match update {
            LogUpdate::Session { session, run } => Self::Session { session, run },
            LogUpdate::Transcripts { ids } => Self::Transcripts { ids },
        }
    }
}

fn from_store_change(change: &baton_store::Change) -> Option<Change> {
    use baton_store::Change as Stored;
    Some(match change {
        Stored::PlanChanged { plan, revision } => Change::Plan {
            plan: *plan,
            revision: *revision,
        },
        Stored::PlanDeleted { plan } => Change::PlanDeleted { plan: *plan },
        Stored::RunsDeleted { plan, runs } => Change::RunDeleted {
            plan: *plan,
            runs: runs.clone(),
        },
        Stored::RunChanged {
            run,
            plan,
            nodes,
            whole,
            ..
        } => Change::Run {
            run: *run,
            plan: *plan,
            nodes: nodes.clone(),
            whole: *whole,
        },
        Stored::ProposalChanged { proposal } => Change::Proposal {
            proposal: *proposal,
        },
        Stored::SettingsChanged => Change::Settings,
        Stored::HeldCallChanged { .. } => Change::Requests,
        Stored::AppStateKept => Change::AppState,
        Stored::Everything => Change::All,
        Stored::RequestAdded { .. }
        | Stored::RequestAnswered { .. }
        | Stored::PermitsFreed { .. }
        | Stored::ExecutorLeft => return None,
    })
}

#[cfg(test)]
mod tests {
    use baton_model::{NodeId, PlanId, RunId, SessionId};
    use uuid::Uuid;

    use super::*;

    const PLAN: PlanId = PlanId(Uuid::from_u128(9));

    fn run(run: u128, nodes: &[u128], whole: bool) -> Change {
        let nodes = nodes
            .iter()
            .map(|&node| NodeId(Uuid::from_u128(node)))
            .collect();
        Change::Run {
            run: RunId(Uuid::from_u128(run)),
            plan: PLAN,
            nodes,
            whole,
        }
    }

    /// The frame that results from changes which are all available at its beginning.
    fn changes_of(changes: impl IntoIterator<Item = Change>) -> Option<Vec<Change>> {
        let subscribers = ChangeSubscribers::default();
        let here = subscribers.subscribe();
        changes
            .into_iter()
            .for_each(|change| subscribers.send(change));
        here.frame()
    }

    #[test]
    fn frame_coalesces_repeats_and_merges_run_nodes() {
        let crowd = [
            run(1, &[5], false),
            Change::Settings,
            run(2, &[6], false),
            run(1, &[7, 5], false),
            Change::Settings,
            run(1, &[], true),
        ];
        assert_eq!(
            changes_of(crowd),
            Some(vec![
                run(1, &[5, 7], true),
                Change::Settings,
                run(2, &[6], false)
            ])
        );
    }

    #[test]
    fn full_frame_becomes_all() {
        let nodes = changes_of((0..1_000).map(|node| run(1, &[node], false)));
        assert_eq!(
            nodes,
            Some(vec![run(1, &(0..1_000).collect::<Vec<_>>(), false)])
        );
        let session = |id| Change::Session {
            session: SessionId(Uuid::from_u128(id)),
            run: RunId(Uuid::nil()),
        };
        assert_eq!(changes_of((0..1_000).map(session)), Some(vec![Change::All]));
    }

    #[test]
    fn frame_is_none_without_a_source() {
        let subscribers = ChangeSubscribers::default();
        let here = subscribers.subscribe();
        drop(subscribers);
        assert_eq!(here.frame(), None);
    }
}
