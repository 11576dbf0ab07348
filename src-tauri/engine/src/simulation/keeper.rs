//! The sessions of the simulated machine. They outlive executors, as keepers do, and a session's
//! folder is claimed once: of several starting keepers, one runs the program.

use baton_model::outcome::Failure;
use baton_model::{Attempt, NodeId, Outcome};

use super::rng::SeededRng;

/// One session's folder and its state.
pub(super) struct Keeper {
    pub(super) node: NodeId,
    pub(super) attempt: Attempt,
    is_fork: bool,
    /// Keepers that were started and have not claimed the folder yet.
    pub(super) on_their_way: u32,
    pub(super) life: Life,
    /// How often the program was run: the effect that must happen once.
    pub(super) runs: u32,
    pub(super) stop_requested: bool,
}

/// The state of a session.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Life {
    /// The folder is not claimed.
    NotBegun,
    /// An executor claimed the folder to prevent a start.
    Prevented,
    /// The program is running.
    Works {
        /// How it will end.
        fate: Fate,
    },
    /// The program waits for an answer.
    Asks,
    /// The keeper has left its record.
    Ended(Outcome),
    /// Keeper and program are gone without a record.
    Gone,
}

/// How an undisturbed program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Succeeds,
    Fails,
    Asks,
    /// Never, until it is stopped or times out.
    Hangs,
}

impl Keeper {
    pub(super) fn new(node: NodeId, attempt: Attempt, is_fork: bool) -> Self {
        Self {
            node,
            attempt,
            is_fork,
            on_their_way: 0,
            life: Life::NotBegun,
            runs: 0,
            stop_requested: false,
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        matches!(self.life, Life::Works { .. } | Life::Asks)
    }

    /// Whether anything will happen without a request.
    pub(super) fn can_progress(&self) -> bool {
        self.on_their_way > 0
            || self.is_alive() && self.stop_requested
            || matches!(self.life, Life::Works { fate } if fate != Fate::Hangs)
    }

    /// The branch that a condition took, if the session was one and succeeded.
    pub(super) fn taken(&self, rng: &mut SeededRng) -> Option<bool> {
        self.is_fork.then(|| rng.per_mille(500))
    }

    /// Advances by one step.
    pub(super) fn step(&mut self, rng: &mut SeededRng) {
        if self.on_their_way > 0 && (self.life == Life::NotBegun || rng.per_mille(500)) {
            self.on_their_way -= 1;
            if self.life == Life::NotBegun {
                self.runs += 1;
                self.life = Life::Works { fate: fate(rng) };
            }
            return;
        }
        if self.is_alive() && self.stop_requested {
            // A session that is about to end may end before the stop reaches it.
            let outcome = if rng.per_mille(150) {
                Outcome::Succeeded
            } else {
                Outcome::Cancelled
            };
            self.life = Life::Ended(outcome);
            return;
        }
        if let Life::Works { fate } = self.life {
            match fate {
                Fate::Succeeds => self.life = Life::Ended(Outcome::Succeeded),
                Fate::Fails => self.life = Life::Ended(failed(rng)),
                Fate::Asks => self.life = Life::Asks,
                Fate::Hangs => {}
            }
        }
    }

    /// Delivers a person's answer.
    pub(super) fn receive_answer(&mut self, allow: bool) {
        if self.life == Life::Asks {
            self.life = Life::Works {
                fate: if allow { Fate::Succeeds } else { Fate::Fails },
            };
        }
    }

    /// The attempt times out.
    pub(super) fn time_up(&mut self) {
        if self.is_alive() {
            self.life = Life::Ended(Outcome::Failed {
                failure: Failure::TimedOut { limit_ms: 60_000 },
            });
        }
    }

    /// Kills keeper and program.
    pub(super) fn kill(&mut self) {
        if self.is_alive() {
            self.life = Life::Gone;
        }
    }
}

fn fate(rng: &mut SeededRng) -> Fate {
    match rng.below(20) {
        0..3 => Fate::Fails,
        3..5 => Fate::Asks,
        5 => Fate::Hangs,
        _ => Fate::Succeeds,
    }
}

fn failed(rng: &mut SeededRng) -> Outcome {
    let failure = match rng.below(7) {
        0 => Failure::Unavailable {
            detail: "overloaded".to_owned(),
        },
        1 => Failure::UsageLimit {
            reset_at: None,
            detail: "come back later".to_owned(),
        },
        2 => Failure::NotStarted {
            detail: "no such program".to_owned(),
        },
        _ => Failure::ExitCode { code: 1 },
    };
    Outcome::Failed { failure }
}
