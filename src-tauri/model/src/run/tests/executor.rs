//! An executor without a world: a queue of orders, sessions that live until a test ends them, and alarms.

use crate::run::{Command, Effect};
use crate::{Attempt, NodeId, SessionId, Timestamp};

/// A session of an attempt, as the world has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) node: NodeId,
    pub(super) attempt: Attempt,
    pub(super) session: SessionId,
    /// The run knows that it lives.
    pub(super) reported: bool,
    /// It has been told to end.
    pub(super) stopped: bool,
    /// What it waits to be answered.
    pub(super) asks: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Executor {
    /// Ordered, not started.
    pub(super) queue: Vec<Session>,
    pub(super) live: Vec<Session>,
    /// Attempts that will not start, to be reported.
    pub(super) withdrawn: Vec<(NodeId, Attempt)>,
    pub(super) alarms: Vec<(Timestamp, NodeId)>,
}

impl Executor {
    /// Carries out one order.
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::StartSession { node, attempt, session } => self.order(node, attempt, session),
            Effect::StopSession { node, attempt } => match find(&mut self.live, node, attempt) {
                Some(live) => live.stopped = true,
                None => self.withdraw(node, attempt),
            },
            Effect::WithdrawSession { node, attempt } => {
                if find(&mut self.live, node, attempt).is_none() {
                    self.withdraw(node, attempt);
                }
            }
            Effect::Answer { node, attempt, request, .. } => {
                let session = find(&mut self.live, node, attempt).expect("only a living session is answered");
                assert_eq!(session.asks.take(), Some(request), "the answer is to what was asked");
            }
            Effect::WakeAt { node, at } => self.alarms.push((at, node)),
            // The plans of these tests have no limit.
            Effect::AlarmAt { .. } => {}
        }
    }

    fn order(&mut self, node: NodeId, attempt: Attempt, session: SessionId) {
        let of_node = |other: &&Session| other.node == node;
        if let Some(there) = self.queue.iter().chain(&self.live).find(of_node) {
            // Ordering a session a second time does nothing; ordering another one beside it must not happen.
            assert_eq!((there.attempt, there.session), (attempt, session), "two attempts of one node at once");
            return;
        }
        self.queue.push(Session { node, attempt, session, reported: false, stopped: false, asks: None });
    }

    fn withdraw(&mut self, node: NodeId, attempt: Attempt) {
        self.queue.retain(|session| (session.node, session.attempt) != (node, attempt));
        if !self.withdrawn.contains(&(node, attempt)) {
            self.withdrawn.push((node, attempt));
        }
    }

    /// Starts an ordered session, if there is one and `limit` allows.
    pub(super) fn start(&mut self, choice: usize, limit: u32) -> Option<usize> {
        if self.queue.is_empty() || self.live.len() >= limit as usize {
            return None;
        }
        let session = self.queue.remove(choice % self.queue.len());
        self.live.push(session);
        Some(self.live.len() - 1)
    }

    /// The report that a session lives.
    pub(super) fn report(&mut self, position: usize) -> Command {
        let session = &mut self.live[position];
        session.reported = true;
        Command::SessionStarted { node: session.node, attempt: session.attempt }
    }

    /// The report of the alarm that rings first.
    pub(super) fn ring(&mut self) -> Option<(Timestamp, Command)> {
        self.alarms.sort();
        if self.alarms.is_empty() {
            return None;
        }
        let (at, node) = self.alarms.remove(0);
        Some((at, Command::RetryDue { node }))
    }

    /// The process dies: what only it knew is gone, sessions live on.
    pub(super) fn crash(&mut self) {
        self.queue.clear();
        self.withdrawn.clear();
        self.alarms.clear();
    }

    /// Whether nothing will happen by itself any more.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.live.is_empty() && self.withdrawn.is_empty() && self.alarms.is_empty()
    }
}

fn find(sessions: &mut [Session], node: NodeId, attempt: Attempt) -> Option<&mut Session> {
    sessions.iter_mut().find(|session| session.node == node && session.attempt == attempt)
}
