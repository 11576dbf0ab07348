//! How a session comes to its end: facts go in, orders come out.
//!
//! Nothing here reads a clock or touches a process. Times are milliseconds since the keeper began.

use crate::exit::Cause;

/// Time for what the program left running to finish by itself, such as the `tee` behind a pipe.
const LINGER: u64 = 200;
/// Between two rounds of SIGKILL.
const ROUND: u64 = 20;
/// After so long the rest is taken for unkillable: another user's, or stuck in the kernel.
const STUBBORN: u64 = 10_000;

/// Where a session stands on its way to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The program runs.
    Running,
    /// The program is over; what it left may finish by itself.
    Lingering { until: u64 },
    /// SIGTERM was sent to everybody.
    Terminating { until: u64 },
    /// SIGKILL is sent to everybody, again and again.
    Killing { again: u64, give_up: u64 },
    /// Nothing is left to be done.
    Over,
}

/// A fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    /// The program has ended.
    ProgramEnded,
    /// The session is to be ended.
    StopAsked(Cause),
    /// No child is left and all output is stored.
    Alone,
    /// A search for processes to signal has found none, and no child is left.
    NobodyFound,
    /// Time has passed.
    Tick,
}

/// An order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Close the program's stdin.
    CloseInput,
    /// Send SIGTERM to all processes of the session.
    Terminate,
    /// Send SIGKILL to all processes of the session.
    Kill,
    /// Leave the exit record.
    Finish,
}

/// The state of the way to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ladder {
    stage: Stage,
    cause: Option<Cause>,
    timeout: Option<u64>,
    grace: u64,
    linger: u64,
}

impl Ladder {
    /// A session that has just begun.
    pub(super) fn new(timeout: Option<u64>, grace: u64) -> Ladder {
        Ladder {
            stage: Stage::Running,
            cause: None,
            timeout,
            grace,
            linger: LINGER,
        }
    }

    /// The same, with another time for what the program leaves running.
    pub(super) fn lingering(self, linger: u64) -> Ladder {
        Ladder { linger, ..self }
    }

    /// Why the session is being ended, if it is.
    pub(super) fn cause(&self) -> Option<Cause> {
        self.cause
    }

    /// Whether the exit record is due.
    pub(super) fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// When the next [`Fact::Tick`] matters.
    pub(super) fn due(&self) -> Option<u64> {
        match self.stage {
            Stage::Running => self.timeout,
            Stage::Lingering { until } | Stage::Terminating { until } => Some(until),
            Stage::Killing { again, .. } => Some(again),
            Stage::Over => None,
        }
    }

    /// Takes a fact and says what has to be done because of it. Facts that come late or twice are expected.
    pub(super) fn take(&mut self, fact: Fact, now: u64) -> &'static [Order] {
        use {Fact::*, Order::*, Stage::*};

        let (stage, orders): (Stage, &'static [Order]) = match (self.stage, fact) {
            (Running, ProgramEnded) => (
                Lingering {
                    until: now + self.linger,
                },
                &[],
            ),
            (Running, StopAsked(cause)) => self.stop(cause, now),
            (Running, Tick) if self.timeout.is_some_and(|timeout| now >= timeout) => {
                self.stop(Cause::TimedOut, now)
            }

            (Lingering { .. }, Alone) => (Over, &[Finish]),
            (Lingering { .. }, StopAsked(Cause::DiskFull)) => self.stop(Cause::DiskFull, now),
            // The program ended on its own, so the wish to stop only hastens what it has left behind.
            (Lingering { .. }, StopAsked(_)) => (
                Terminating {
                    until: now + self.grace,
                },
                &[CloseInput, Terminate],
            ),
            (Lingering { until }, Tick) if now >= until => (
                Terminating {
                    until: now + self.grace / 3,
                },
                &[CloseInput, Terminate],
            ),

            // Nobody by kinship: look for the mark once more before believing it.
            (Terminating { .. } | Killing { .. }, Alone) => {
                (Self::killing(self.stage, now), &[Kill])
            }
            (Terminating { .. } | Killing { .. }, NobodyFound) => (Over, &[Finish]),
            (Terminating { until }, Tick) if now >= until => {
                (Self::killing(self.stage, now), &[Kill])
            }
            (Killing { give_up, .. }, Tick) if now >= give_up => (Over, &[Finish]),
            (Killing { again, .. }, Tick) if now >= again => {
                (Self::killing(self.stage, now), &[Kill])
            }

            (stage @ (Terminating { .. } | Killing { .. }), StopAsked(cause)) => {
                // Already on the way. But bytes that are lost from here on have to be owned up to.
                self.cause = self.cause.or((cause == Cause::DiskFull).then_some(cause));
                (stage, &[])
            }
            (stage, ProgramEnded | Alone | NobodyFound | Tick) | (stage @ Over, StopAsked(_)) => {
                (stage, &[])
            }
        };
        self.stage = stage;
        orders
    }

    fn stop(&mut self, cause: Cause, now: u64) -> (Stage, &'static [Order]) {
        self.cause = Some(cause);
        (
            Stage::Terminating {
                until: now + self.grace,
            },
            &[Order::CloseInput, Order::Terminate],
        )
    }

    fn killing(stage: Stage, now: u64) -> Stage {
        match stage {
            Stage::Killing { give_up, .. } => Stage::Killing {
                again: now + ROUND,
                give_up,
            },
            _ => Stage::Killing {
                again: now + ROUND,
                give_up: now + STUBBORN,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(facts: &[(Fact, u64)]) -> (Ladder, Vec<Order>) {
        let mut ladder = Ladder::new(Some(60_000), 3000);
        let orders = facts
            .iter()
            .flat_map(|(fact, now)| ladder.take(*fact, *now))
            .copied()
            .collect();
        (ladder, orders)
    }

    #[test]
    fn an_ordinary_end_needs_no_search() {
        let (ladder, orders) = after(&[(Fact::ProgramEnded, 5), (Fact::Alone, 5)]);
        assert_eq!(orders, [Order::Finish]);
        assert_eq!((ladder.is_over(), ladder.cause()), (true, None));
    }

    #[test]
    fn what_the_program_left_gets_a_moment_then_sigterm_then_sigkill() {
        let (ladder, orders) = after(&[
            (Fact::ProgramEnded, 5),
            (Fact::Tick, 5 + LINGER - 1),
            (Fact::Tick, 5 + LINGER),
            (Fact::Tick, 5 + LINGER + 999),
            (Fact::Tick, 5 + LINGER + 1000),
            (Fact::NobodyFound, 5 + LINGER + 1020),
        ]);
        assert_eq!(
            orders,
            [
                Order::CloseInput,
                Order::Terminate,
                Order::Kill,
                Order::Finish
            ]
        );
        assert_eq!(ladder.cause(), None);
    }

    #[test]
    fn a_cancelled_session_is_searched_for_the_mark_before_it_is_over() {
        let (ladder, orders) = after(&[
            (Fact::StopAsked(Cause::Cancelled), 100),
            (Fact::ProgramEnded, 110),
            (Fact::Alone, 110),
            (Fact::NobodyFound, 110),
        ]);
        assert_eq!(
            orders,
            [
                Order::CloseInput,
                Order::Terminate,
                Order::Kill,
                Order::Finish
            ]
        );
        assert_eq!(ladder.cause(), Some(Cause::Cancelled));
    }

    #[test]
    fn the_timeout_counts_only_while_the_program_runs() {
        let (ladder, orders) = after(&[(Fact::Tick, 59_999)]);
        assert_eq!((orders, ladder.due()), (vec![], Some(60_000)));
        let (ladder, orders) = after(&[(Fact::Tick, 60_000)]);
        assert_eq!(orders, [Order::CloseInput, Order::Terminate]);
        assert_eq!(ladder.cause(), Some(Cause::TimedOut));
        let (ladder, _) = after(&[(Fact::ProgramEnded, 59_999), (Fact::Tick, 60_000)]);
        assert_eq!(ladder.cause(), None);
    }

    #[test]
    fn a_second_wish_changes_neither_cause_nor_pace() {
        let (ladder, orders) = after(&[
            (Fact::StopAsked(Cause::Cancelled), 100),
            (Fact::StopAsked(Cause::TimedOut), 200),
            (Fact::StopAsked(Cause::Cancelled), 300),
        ]);
        assert_eq!(orders, [Order::CloseInput, Order::Terminate]);
        assert_eq!(
            (ladder.cause(), ladder.due()),
            (Some(Cause::Cancelled), Some(3100))
        );
    }

    #[test]
    fn the_unkillable_are_given_up() {
        let mut ladder = Ladder::new(None, 0);
        ladder.take(Fact::StopAsked(Cause::Cancelled), 0);
        let mut now = 0;
        let mut rounds = 0;
        while !ladder.is_over() {
            now = ladder.due().unwrap();
            rounds += ladder
                .take(Fact::Tick, now)
                .iter()
                .filter(|order| **order == Order::Kill)
                .count();
        }
        assert_eq!(now, STUBBORN);
        assert_eq!(rounds as u64, STUBBORN / ROUND);
    }

    #[test]
    fn wishes_after_the_program_ended_do_not_claim_its_end() {
        let (ladder, orders) = after(&[
            (Fact::ProgramEnded, 1),
            (Fact::StopAsked(Cause::Cancelled), 2),
        ]);
        assert_eq!(orders, [Order::CloseInput, Order::Terminate]);
        assert_eq!(ladder.cause(), None);
        let (ladder, _) = after(&[
            (Fact::ProgramEnded, 1),
            (Fact::StopAsked(Cause::DiskFull), 2),
        ]);
        assert_eq!(
            ladder.cause(),
            Some(Cause::DiskFull),
            "bytes were lost, whoever ended first"
        );
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let (mut ladder, _) = after(&[(Fact::ProgramEnded, 1), (Fact::Alone, 1)]);
        for fact in [
            Fact::ProgramEnded,
            Fact::StopAsked(Cause::Cancelled),
            Fact::Alone,
            Fact::NobodyFound,
            Fact::Tick,
        ] {
            assert_eq!(ladder.take(fact, 99_999), []);
        }
        assert_eq!(ladder.due(), None);
    }
}
