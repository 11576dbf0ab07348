//! Passes on what changes, to windows and event streams.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use baton_planning::Growth;
use baton_store::Store;

use crate::wire::Change;

/// One frame at 60 a second: no page shows more often, and what repeats meanwhile is said once.
const FRAME: Duration = Duration::from_millis(16);
/// So much in one frame is not told one by one.
const MOST: usize = 200;

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

    /// Waits for the next change, and until the frame is over for more: each once, those of a run as one, and everything
    /// when it is too much. `None` when there will be none.
    pub fn frame(&self) -> Option<Vec<Change>> {
        let mut frame = vec![self.recv()?];
        let end = Instant::now() + FRAME;
        while let Ok(Some(change)) =
            self.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            // A frame that is full already still swallows what comes.
            if frame.len() <= MOST {
                join(&mut frame, change);
            }
        }
        Some(if frame.len() > MOST {
            vec![Change::All]
        } else {
            frame
        })
    }

    /// The next change that is there already.
    pub fn try_recv(&self) -> Option<Change> {
        self.receiver.try_recv().ok()
    }
}

/// Adds a change to those that are told together with it.
fn join(frame: &mut Vec<Change>, change: Change) {
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
                // Whoever has the later revision lacks nothing, unless some of it is counted by none.
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
        self.senders
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(sender);
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

impl From<Growth> for Change {
    fn from(growth: Growth) -> Self {
        match growth {
            Growth::Session { session, run } => Self::Session { session, run },
            Growth::Transcripts { ids } => Self::Transcripts { ids },
        }
    }
}

fn translated(change: &baton_store::Change) -> Option<Change> {
    use baton_store::Change as Stored;
    Some(match change {
        Stored::PlanChanged { plan, revision } => Change::Plan {
            plan: *plan,
            revision: *revision,
        },
        Stored::PlanDeleted { plan } => Change::PlanDeleted { plan: *plan },
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

    /// What is told in one frame of changes that are all there when it begins.
    fn told(changes: impl IntoIterator<Item = Change>) -> Option<Vec<Change>> {
        let onlookers = Onlookers::default();
        let here = onlookers.subscribe();
        changes
            .into_iter()
            .for_each(|change| onlookers.tell(change));
        here.frame()
    }

    #[test]
    fn what_repeats_in_a_frame_is_told_once_and_a_run_with_all_of_its_nodes() {
        let crowd = [
            run(1, &[5], false),
            Change::Settings,
            run(2, &[6], false),
            run(1, &[7, 5], false),
            Change::Settings,
            run(1, &[], true),
        ];
        assert_eq!(
            told(crowd),
            Some(vec![
                run(1, &[5, 7], true),
                Change::Settings,
                run(2, &[6], false)
            ])
        );
    }

    #[test]
    fn a_thousand_nodes_are_one_change_and_a_thousand_sessions_are_everything() {
        let nodes = told((0..1_000).map(|node| run(1, &[node], false)));
        assert_eq!(
            nodes,
            Some(vec![run(1, &(0..1_000).collect::<Vec<_>>(), false)])
        );
        let session = |id| Change::Session {
            session: SessionId(Uuid::from_u128(id)),
            run: RunId(Uuid::nil()),
        };
        assert_eq!(told((0..1_000).map(session)), Some(vec![Change::All]));
    }

    #[test]
    fn without_a_source_there_is_no_frame() {
        let onlookers = Onlookers::default();
        let here = onlookers.subscribe();
        drop(onlookers);
        assert_eq!(here.frame(), None);
    }
}
