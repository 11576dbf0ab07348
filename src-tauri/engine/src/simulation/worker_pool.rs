//! The slots of one dispatcher in the simulation, and the followers of its sessions. It keeps the
//! contract of the real pool: an attempt starts once, a free slot takes the next attempt without
//! being asked, and both continue after their dispatcher has ended.

use std::collections::VecDeque;

use baton_model::run::{CheckEnd, Command, InheritedCheck, NotRun, RecheckResult};
use baton_model::{Artifact, Attempt, Epoch, NodeId, Outcome, SessionId};

use super::keeper::{Keeper, Life};
use super::machine::Machine;
use super::rng::SeededRng;
use crate::report::Report;

/// The slots of one dispatcher.
pub(super) struct WorkerPool {
    /// The number of its dispatcher.
    pub(super) number: u32,
    limit: usize,
    queue: VecDeque<SimulatedJob>,
    followers: Vec<Follower>,
    /// Inherited work to verify, one after the other.
    checks: VecDeque<(SimulatedJob, Epoch)>,
    checks_stopped: bool,
}

/// An attempt and its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SimulatedJob {
    pub(super) node: NodeId,
    pub(super) attempt: Attempt,
    pub(super) session: SessionId,
}

struct Follower {
    job: SimulatedJob,
    stage: Stage,
    stop_requested: bool,
    question_reported: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It has not checked the folder yet.
    Begins,
    /// The session's files exist, and the keeper was not started.
    Prepared,
    /// It follows the session.
    Listens,
}

impl WorkerPool {
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
            .any(|follower| follower.job.session == session)
    }

    pub(super) fn start(&mut self, job: SimulatedJob, machine: &mut Machine) {
        if self.follows(job.session) || self.queue.contains(&job) {
            return;
        }
        let found = machine.keeper(job).life != Life::NotBegun;
        if self.followers.len() < self.limit || found {
            self.follow(job);
        } else {
            self.queue.push_back(job);
        }
    }

    /// Withdraws the attempt if it has not begun; returns whether it did.
    pub(super) fn withdraw(&mut self, job: SimulatedJob, machine: &mut Machine) -> bool {
        if self.follows(job.session) {
            return false;
        }
        self.queue.retain(|waiting| *waiting != job);
        let keeper = machine.keeper(job);
        match keeper.life {
            Life::NotBegun => keeper.life = Life::Prevented,
            Life::Prevented => {}
            _ => {
                self.start(job, machine);
                return false;
            }
        }
        true
    }

    /// Stops the session of an attempt that has begun.
    pub(super) fn stop(&mut self, job: SimulatedJob) {
        if let Some(follower) = self
            .followers
            .iter_mut()
            .find(|follower| follower.job == job)
        {
            follower.stop_requested = true;
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
            (follower.job.node, follower.job.attempt) == (node, attempt)
                && follower.stage == Stage::Listens
        };
        if let Some(follower) = self.followers.iter().find(listens) {
            machine.keeper(follower.job).receive_answer(allow);
        }
    }

    /// Verifies inherited work. Calling it twice has no effect.
    pub(super) fn verify(&mut self, checks: impl Iterator<Item = (SimulatedJob, Epoch)>) {
        if self.checks.is_empty() {
            self.checks.extend(checks);
            self.checks_stopped = false;
        }
    }

    pub(super) fn stop_verifying(&mut self) {
        self.checks_stopped = true;
    }

    /// The result of the next check.
    fn check(&mut self, rng: &mut SeededRng) -> Option<(SessionId, Report)> {
        let (
            SimulatedJob {
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
        let now = match rng.below(3) {
            _ if self.checks_stopped => RecheckResult::NotRun {
                why: NotRun::Stopped,
            },
            0 => RecheckResult::Held { end },
            1 => RecheckResult::Broken {
                end: CheckEnd {
                    code: Some(1),
                    ..end
                },
                detail: String::new(),
            },
            _ => RecheckResult::NotRun {
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

    /// Returns whether a step would change anything.
    pub(super) fn can_progress(&self, machine: &Machine) -> bool {
        !self.checks.is_empty()
            || self
                .followers
                .iter()
                .any(|follower| follower.can_progress(machine))
    }

    /// Advances one follower that has something to do; returns its report.
    pub(super) fn step(
        &mut self,
        machine: &mut Machine,
        rng: &mut SeededRng,
    ) -> Vec<(SessionId, Report)> {
        if !self.checks.is_empty() && rng.per_mille(400) {
            return self.check(rng).into_iter().collect();
        }
        let busy: Vec<usize> = (0..self.followers.len())
            .filter(|&at| self.followers[at].can_progress(machine))
            .collect();
        let Some(&at) = rng.pick(&busy) else {
            return self.check(rng).into_iter().collect();
        };
        let session = self.followers[at].job.session;
        let reports = self.followers[at].step(machine, rng);
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

    fn follow(&mut self, job: SimulatedJob) {
        let stage = Stage::Begins;
        self.followers.push(Follower {
            job,
            stage,
            stop_requested: false,
            question_reported: false,
        });
    }
}

impl Follower {
    fn can_progress(&self, machine: &Machine) -> bool {
        let Some(keeper) = machine.known(self.job.session) else {
            return true;
        };
        self.stage != Stage::Listens
            || self.stop_requested && keeper.is_alive() && !keeper.stop_requested
            || matches!(keeper.life, Life::Ended(_) | Life::Gone | Life::Prevented)
            || keeper.life == Life::Asks && !self.question_reported
            // A keeper that ended before it started the program is noticed after a while.
            || keeper.life == Life::NotBegun && keeper.on_their_way == 0
    }

    fn step(&mut self, machine: &mut Machine, rng: &mut SeededRng) -> Vec<Report> {
        let SimulatedJob { node, attempt, .. } = self.job;
        let keeper = machine.keeper(self.job);
        let started = || {
            Report::plain(Command::SessionStarted {
                node,
                attempt,
                checkpoint: None,
            })
        };
        match (&keeper.life, self.stage) {
            (Life::Ended(outcome), _) => vec![self.ended(outcome.clone(), keeper.taken(rng))],
            (Life::Gone | Life::Prevented, _) => {
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
            (Life::Works { .. } | Life::Asks, _)
                if self.stop_requested && !keeper.stop_requested =>
            {
                keeper.stop_requested = true;
                Vec::new()
            }
            (Life::Asks, _) if !self.question_reported => {
                self.question_reported = true;
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
        let SimulatedJob { node, attempt, .. } = self.job;
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

/// The id of the only question of a session.
fn request(keeper: &Keeper) -> String {
    format!("{} {}", keeper.node, keeper.attempt)
}
