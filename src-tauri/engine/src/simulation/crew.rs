//! The places of one dispatcher in the simulation, and those who follow its sessions. Keeps the contract of the
//! real pool: an attempt starts once, a place that becomes free takes the next attempt by itself, and both go on
//! when their dispatcher has left.

use std::collections::VecDeque;

use baton_model::run::{CheckEnd, Command, InheritedCheck, NotRun, Recheck};
use baton_model::{Artifact, Attempt, Epoch, NodeId, Outcome, SessionId};

use super::chance::Chance;
use super::keeper::{Keeper, Life};
use super::machine::Machine;
use crate::report::Report;

/// The places of one dispatcher.
pub(super) struct Crew {
    /// Which dispatcher of its executor it works for.
    pub(super) number: u32,
    limit: usize,
    queue: VecDeque<Errand>,
    followers: Vec<Follower>,
    /// Inherited work that is looked at again, one after the other.
    checks: VecDeque<(Errand, Epoch)>,
    checks_stopped: bool,
}

/// An attempt and its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Errand {
    pub(super) node: NodeId,
    pub(super) attempt: Attempt,
    pub(super) session: SessionId,
}

struct Follower {
    errand: Errand,
    stage: Stage,
    stop_asked: bool,
    told_question: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It has not looked yet.
    Begins,
    /// The session's files are there, and the keeper has not been started.
    Prepared,
    /// It hears what the session does.
    Listens,
}

impl Crew {
    pub(super) fn new(number: u32, limit: u32) -> Self {
        let limit = (limit as usize).max(1);
        Self {
            number,
            limit,
            queue: VecDeque::new(),
            followers: Vec::new(),
            checks: VecDeque::new(),
            checks_stopped: false,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.followers.is_empty()
    }

    pub(super) fn follows(&self, session: SessionId) -> bool {
        self.followers
            .iter()
            .any(|follower| follower.errand.session == session)
    }

    pub(super) fn start(&mut self, errand: Errand, machine: &mut Machine) {
        if self.follows(errand.session) || self.queue.contains(&errand) {
            return;
        }
        let found = machine.keeper(errand).life != Life::NotBegun;
        if self.followers.len() < self.limit || found {
            self.follow(errand);
        } else {
            self.queue.push_back(errand);
        }
    }

    /// Gives the attempt up if it has not begun; whether it did.
    pub(super) fn withdraw(&mut self, errand: Errand, machine: &mut Machine) -> bool {
        if self.follows(errand.session) {
            return false;
        }
        self.queue.retain(|waiting| *waiting != errand);
        let keeper = machine.keeper(errand);
        match keeper.life {
            Life::NotBegun => keeper.life = Life::Forestalled,
            Life::Forestalled => {}
            _ => {
                self.start(errand, machine);
                return false;
            }
        }
        true
    }

    /// Ends the session of an attempt that has begun.
    pub(super) fn stop(&mut self, errand: Errand) {
        if let Some(follower) = self
            .followers
            .iter_mut()
            .find(|follower| follower.errand == errand)
        {
            follower.stop_asked = true;
        }
    }

    pub(super) fn answer(
        &mut self,
        node: NodeId,
        attempt: Attempt,
        allow: bool,
        machine: &mut Machine,
    ) {
        let listens = |follower: &&Follower| {
            (follower.errand.node, follower.errand.attempt) == (node, attempt)
                && follower.stage == Stage::Listens
        };
        if let Some(follower) = self.followers.iter().find(listens) {
            machine.keeper(follower.errand).hear(allow);
        }
    }

    /// Looks again at inherited work. Asking twice does nothing.
    pub(super) fn verify(&mut self, checks: impl Iterator<Item = (Errand, Epoch)>) {
        if self.checks.is_empty() {
            self.checks.extend(checks);
            self.checks_stopped = false;
        }
    }

    pub(super) fn stop_verifying(&mut self) {
        self.checks_stopped = true;
    }

    /// The result of the next check.
    fn check(&mut self, chance: &mut Chance) -> Option<(SessionId, Report)> {
        let (
            Errand {
                node,
                attempt,
                session,
            },
            epoch,
        ) = self.checks.pop_front()?;
        let end = CheckEnd {
            code: Some(0),
            took_ms: 5,
        };
        let now = match chance.below(3) {
            _ if self.checks_stopped => Recheck::NotRun {
                why: NotRun::Stopped,
            },
            0 => Recheck::Held { end },
            1 => Recheck::Broken {
                end: CheckEnd {
                    code: Some(1),
                    ..end
                },
                detail: String::new(),
            },
            _ => Recheck::NotRun {
                why: NotRun::Unchanged,
            },
        };
        let checks = vec![InheritedCheck {
            criterion: "true".to_owned(),
            then: Some(end),
            now,
        }];
        Some((
            session,
            Report::plain(Command::InheritedChecked {
                node,
                attempt,
                epoch,
                checks,
                took_ms: 5,
            }),
        ))
    }

    /// Whether a step would change anything.
    pub(super) fn moves(&self, machine: &Machine) -> bool {
        !self.checks.is_empty()
            || self
                .followers
                .iter()
                .any(|follower| follower.moves(machine))
    }

    /// Lets one follower that has something to do go on; what it reports.
    pub(super) fn step(
        &mut self,
        machine: &mut Machine,
        chance: &mut Chance,
    ) -> Vec<(SessionId, Report)> {
        if !self.checks.is_empty() && chance.per_mille(400) {
            return self.check(chance).into_iter().collect();
        }
        let busy: Vec<usize> = (0..self.followers.len())
            .filter(|&at| self.followers[at].moves(machine))
            .collect();
        let Some(&at) = chance.of(&busy) else {
            return self.check(chance).into_iter().collect();
        };
        let session = self.followers[at].errand.session;
        let reports = self.followers[at].step(machine, chance);
        if reports
            .iter()
            .any(|report| matches!(report.command, Command::SessionEnded { .. }))
        {
            self.followers.remove(at);
            if self.followers.len() < self.limit
                && let Some(next) = self.queue.pop_front()
            {
                self.follow(next);
            }
        }
        reports
            .into_iter()
            .map(|report| (session, report))
            .collect()
    }

    fn follow(&mut self, errand: Errand) {
        let stage = Stage::Begins;
        self.followers.push(Follower {
            errand,
            stage,
            stop_asked: false,
            told_question: false,
        });
    }
}

impl Follower {
    fn moves(&self, machine: &Machine) -> bool {
        let Some(keeper) = machine.known(self.errand.session) else {
            return true;
        };
        self.stage != Stage::Listens
            || self.stop_asked && keeper.is_alive() && !keeper.stop_asked
            || matches!(keeper.life, Life::Ended(_) | Life::Gone | Life::Forestalled)
            || keeper.life == Life::Asks && !self.told_question
            // A keeper that ended before it had begun is missed after a while.
            || keeper.life == Life::NotBegun && keeper.on_their_way == 0
    }

    fn step(&mut self, machine: &mut Machine, chance: &mut Chance) -> Vec<Report> {
        let Errand { node, attempt, .. } = self.errand;
        let keeper = machine.keeper(self.errand);
        let started = || {
            Report::plain(Command::SessionStarted {
                node,
                attempt,
                checkpoint: None,
            })
        };
        match (&keeper.life, self.stage) {
            (Life::Ended(outcome), _) => vec![self.ended(outcome.clone(), keeper.taken(chance))],
            (Life::Gone | Life::Forestalled, _) => {
                vec![self.ended(
                    Outcome::Lost {
                        detail: "its keeper was killed".to_owned(),
                    },
                    None,
                )]
            }
            (Life::NotBegun, Stage::Begins) => {
                self.stage = Stage::Prepared;
                Vec::new()
            }
            (Life::NotBegun, _) => {
                keeper.on_their_way += 1;
                self.stage = Stage::Listens;
                vec![started()]
            }
            (Life::Works { .. } | Life::Asks, stage) if stage != Stage::Listens => {
                self.stage = Stage::Listens;
                vec![started()]
            }
            (Life::Works { .. } | Life::Asks, _) if self.stop_asked && !keeper.stop_asked => {
                keeper.stop_asked = true;
                Vec::new()
            }
            (Life::Asks, _) if !self.told_question => {
                self.told_question = true;
                let (question, request) = ("May I?".to_owned(), request(keeper));
                vec![Report::plain(Command::SessionAsked {
                    node,
                    attempt,
                    question,
                    request,
                    call: None,
                })]
            }
            (Life::Works { .. } | Life::Asks, _) => Vec::new(),
        }
    }

    fn ended(&self, outcome: Outcome, taken: Option<bool>) -> Report {
        let Errand { node, attempt, .. } = self.errand;
        let artifact = (outcome == Outcome::Succeeded).then(|| Artifact {
            text: format!("**What was done:**\n{attempt}"),
            ..Artifact::default()
        });
        let taken = taken.filter(|_| outcome == Outcome::Succeeded);
        let command = Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact: None,
            taken,
            doubt: None,
        };
        Report {
            command,
            artifact,
            evidence: None,
            facts: None,
        }
    }
}

/// The name of the only question that a session has.
fn request(keeper: &Keeper) -> String {
    format!("{} {}", keeper.node, keeper.attempt)
}
