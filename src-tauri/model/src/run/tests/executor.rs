//! A simulated executor: a queue of orders, sessions that live until a test ends them, and timers.

use std::collections::{BTreeMap, BTreeSet};

use super::scenario::started;
use crate::run::{Answer, Command, Effect};
use crate::{Attempt, NodeId, SessionId, Timestamp};

/// The session of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) node: NodeId,
    pub(super) attempt: Attempt,
    session: SessionId,
    /// The session that it resumes.
    resumes: Option<SessionId>,
    /// It was ordered to end.
    pub(super) stopped: bool,
    /// The IDs of unanswered questions.
    pub(super) asks: BTreeSet<String>,
    /// The answers that it received.
    answers: BTreeMap<String, Answer>,
    pub(super) tokens: u64,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Executor {
    /// Ordered, but not started.
    pub(super) queue: Vec<Session>,
    pub(super) live: Vec<Session>,
    /// Attempts that will not start, to be reported.
    pub(super) withdrawn: Vec<(NodeId, Attempt)>,
    alarms: BTreeSet<(Timestamp, Option<NodeId>)>,
}

impl Executor {
    /// Does what a real executor would do for this effect.
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::StartSession {
                node,
                attempt,
                session,
                resumes,
            } => self.order(node, attempt, session, resumes),
            Effect::StopSession { node, attempt } => match find(&mut self.live, node, attempt) {
                Some(live) => live.stopped = true,
                None => self.withdraw(node, attempt),
            },
            Effect::WithdrawSession { node, attempt } => {
                if find(&mut self.live, node, attempt).is_none() {
                    self.withdraw(node, attempt);
                }
            }
            Effect::Answer {
                node,
                attempt,
                request,
                answer,
            } => {
                let session =
                    find(&mut self.live, node, attempt).expect("only a live session is answered");
                let asked = session.asks.remove(&request);
                let repeated = session.answers.insert(request, answer.clone());
                assert!(
                    asked || repeated == Some(answer),
                    "the answer is to an open question, or repeats the earlier answer"
                );
            }
            Effect::VerifyInherited { .. } | Effect::StopVerifying => {
                panic!("random runs displace no executor")
            }
            Effect::WakeAt { node, at } => drop(self.alarms.insert((at, Some(node)))),
            Effect::AlarmAt { at } => drop(self.alarms.insert((at, None))),
        }
    }

    fn order(
        &mut self,
        node: NodeId,
        attempt: Attempt,
        session: SessionId,
        resumes: Option<SessionId>,
    ) {
        let of_node = |other: &&Session| other.node == node;
        if let Some(there) = self.queue.iter().chain(&self.live).find(of_node) {
            // Requesting a session twice has no effect. Requesting a second one for the same attempt
            // must not happen.
            let ordered = (attempt, session, resumes);
            assert_eq!(
                (there.attempt, there.session, there.resumes),
                ordered,
                "two attempts of one node at once"
            );
            return;
        }
        let (asks, answers) = (BTreeSet::new(), BTreeMap::new());
        self.queue.push(Session {
            node,
            attempt,
            session,
            resumes,
            stopped: false,
            asks,
            answers,
            tokens: 0,
        });
    }

    fn withdraw(&mut self, node: NodeId, attempt: Attempt) {
        self.queue
            .retain(|session| (session.node, session.attempt) != (node, attempt));
        if !self.withdrawn.contains(&(node, attempt)) {
            self.withdrawn.push((node, attempt));
        }
    }

    /// Starts an ordered session, if there is one and `limit` allows it.
    pub(super) fn start(&mut self, choice: usize, limit: u32) -> Option<usize> {
        if self.queue.is_empty() || self.live.len() >= limit as usize {
            return None;
        }
        let session = self.queue.remove(choice % self.queue.len());
        self.live.push(session);
        Some(self.live.len() - 1)
    }

    /// The report that a session is live.
    pub(super) fn report(&self, position: usize) -> Command {
        started(self.live[position].node, self.live[position].attempt)
    }

    /// The report of the timer that fires first.
    pub(super) fn ring(&mut self) -> Option<(Timestamp, Command)> {
        let (at, node) = self.alarms.pop_first()?;
        Some((
            at,
            node.map_or(Command::TimeUp, |node| Command::Due { node }),
        ))
    }

    /// Whether a timer for this node will fire.
    pub(super) fn will_ring(&self, at: Timestamp, node: Option<NodeId>) -> bool {
        self.alarms.contains(&(at, node))
    }

    /// The process dies: its own state is lost, sessions stay alive.
    pub(super) fn crash(&mut self) {
        self.queue.clear();
        self.withdrawn.clear();
        self.alarms.clear();
    }

    /// Whether nothing more will happen without a command.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
            && self.live.is_empty()
            && self.withdrawn.is_empty()
            && self.alarms.is_empty()
    }
}

fn find(sessions: &mut [Session], node: NodeId, attempt: Attempt) -> Option<&mut Session> {
    sessions
        .iter_mut()
        .find(|session| session.node == node && session.attempt == attempt)
}
