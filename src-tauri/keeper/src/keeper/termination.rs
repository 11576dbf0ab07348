//! How a session ends: a state machine with events in and actions out.
//!
//! It reads no clock and touches no process. Times are milliseconds since the keeper started.

use crate::exit::Cause;

/// How long processes that the program left running may take to end, such as the `tee` of a pipe.
const DEFAULT_LINGER_MS: u64 = 200;
/// The time between two rounds of SIGKILL.
const KILL_INTERVAL_MS: u64 = 20;
/// After this time the remaining processes count as unkillable: another user's, or stuck in the
/// kernel.
const KILL_TIMEOUT_MS: u64 = 10_000;

/// A stage of the session's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Running,
    /// The program has ended; processes that it left may end by themselves.
    Lingering {
        until: u64,
    },
    /// SIGTERM was sent to all processes.
    Terminating {
        until: u64,
    },
    /// SIGKILL is sent to all processes repeatedly.
    Killing {
        again: u64,
        give_up: u64,
    },
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TerminationEvent {
    ProgramEnded,
    StopRequested(Cause),
    /// No child is left and all output is stored.
    NoChildrenLeft,
    /// A search for processes to signal has found none, and no child is left.
    NoProcessesFound,
    /// The time that [`Termination::due`] returned is reached.
    Tick,
}

/// What the session has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TerminationAction {
    /// Close the program's stdin.
    CloseInput,
    /// Send SIGTERM to all processes of the session.
    Terminate,
    /// Send SIGKILL to all processes of the session.
    Kill,
    /// Write the exit record.
    Finish,
}

/// The state of the session's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Termination {
    stage: Stage,
    cause: Option<Cause>,
    timeout: Option<u64>,
    grace: u64,
    linger: u64,
}

impl Termination {
    /// A session that has just started.
    pub(super) fn new(timeout: Option<u64>, grace: u64) -> Termination {
        Termination {
            stage: Stage::Running,
            cause: None,
            timeout,
            grace,
            linger: DEFAULT_LINGER_MS,
        }
    }

    /// Overrides the time for processes that the program leaves running.
    pub(super) fn with_linger(self, linger: u64) -> Termination {
        Termination { linger, ..self }
    }

    /// Why the session is being ended, if it is.
    pub(super) fn cause(&self) -> Option<Cause> {
        self.cause
    }

    /// Whether the exit record should be written.
    pub(super) fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// When the next [`TerminationEvent::Tick`] is needed.
    pub(super) fn due(&self) -> Option<u64> {
        match self.stage {
            Stage::Running => self.timeout,
            Stage::Lingering { until } | Stage::Terminating { until } => Some(until),
            Stage::Killing { again, .. } => Some(again),
            Stage::Over => None,
        }
    }

    /// Handles an event and returns the resulting actions. Late and duplicate events are expected.
    pub(super) fn handle(
        &mut self,
        event: TerminationEvent,
        now: u64,
    ) -> &'static [TerminationAction] {
        use {Stage::*, TerminationAction::*, TerminationEvent::*};

        let (stage, actions): (Stage, &'static [TerminationAction]) = match (self.stage, event) {
            (Running, ProgramEnded) => (
                Lingering {
                    until: now + self.linger,
                },
                &[],
            ),
            (Running, StopRequested(cause)) => self.stop(cause, now),
            (Running, Tick) if self.timeout.is_some_and(|timeout| now >= timeout) => {
                self.stop(Cause::TimedOut, now)
            }

            (Lingering { .. }, NoChildrenLeft) => (Over, &[Finish]),
            (Lingering { .. }, StopRequested(Cause::DiskFull)) => self.stop(Cause::DiskFull, now),
            // The program ended by itself, so the stop only affects the processes that it has left.
            (Lingering { .. }, StopRequested(_)) => (
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

            // There are no descendants; search for the mark again to be sure.
            (Terminating { .. } | Killing { .. }, NoChildrenLeft) => {
                (Self::killing(self.stage, now), &[Kill])
            }
            (Terminating { .. } | Killing { .. }, NoProcessesFound) => (Over, &[Finish]),
            (Terminating { until }, Tick) if now >= until => {
                (Self::killing(self.stage, now), &[Kill])
            }
            (Killing { give_up, .. }, Tick) if now >= give_up => (Over, &[Finish]),
            (Killing { again, .. }, Tick) if now >= again => {
                (Self::killing(self.stage, now), &[Kill])
            }

            (stage @ (Terminating { .. } | Killing { .. }), StopRequested(cause)) => {
                // The session is ending already, but bytes that are lost from now on must be
                // reported.
                self.cause = self.cause.or((cause == Cause::DiskFull).then_some(cause));
                (stage, &[])
            }
            (stage, ProgramEnded | NoChildrenLeft | NoProcessesFound | Tick)
            | (stage @ Over, StopRequested(_)) => (stage, &[]),
        };
        self.stage = stage;
        actions
    }

    fn stop(&mut self, cause: Cause, now: u64) -> (Stage, &'static [TerminationAction]) {
        self.cause = Some(cause);
        (
            Stage::Terminating {
                until: now + self.grace,
            },
            &[TerminationAction::CloseInput, TerminationAction::Terminate],
        )
    }

    fn killing(stage: Stage, now: u64) -> Stage {
        match stage {
            Stage::Killing { give_up, .. } => Stage::Killing {
                again: now + KILL_INTERVAL_MS,
                give_up,
            },
            _ => Stage::Killing {
                again: now + KILL_INTERVAL_MS,
                give_up: now + KILL_TIMEOUT_MS,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(events: &[(TerminationEvent, u64)]) -> (Termination, Vec<TerminationAction>) {
        let mut termination = Termination::new(Some(60_000), 3000);
        let actions = events
            .iter()
            .flat_map(|(event, now)| termination.handle(*event, *now))
            .copied()
            .collect();
        (termination, actions)
    }

    #[test]
    fn normal_exit_needs_no_process_search() {
        let (termination, actions) = after(&[
            (TerminationEvent::ProgramEnded, 5),
            (TerminationEvent::NoChildrenLeft, 5),
        ]);
        assert_eq!(actions, [TerminationAction::Finish]);
        assert_eq!((termination.is_over(), termination.cause()), (true, None));
    }

    #[test]
    fn leftover_processes_get_linger_sigterm_sigkill() {
        let (termination, actions) = after(&[
            (TerminationEvent::ProgramEnded, 5),
            (TerminationEvent::Tick, 5 + DEFAULT_LINGER_MS - 1),
            (TerminationEvent::Tick, 5 + DEFAULT_LINGER_MS),
            (TerminationEvent::Tick, 5 + DEFAULT_LINGER_MS + 999),
            (TerminationEvent::Tick, 5 + DEFAULT_LINGER_MS + 1000),
            (
                TerminationEvent::NoProcessesFound,
                5 + DEFAULT_LINGER_MS + 1020,
            ),
        ]);
        assert_eq!(
            actions,
            [
                TerminationAction::CloseInput,
                TerminationAction::Terminate,
                TerminationAction::Kill,
                TerminationAction::Finish
            ]
        );
        assert_eq!(termination.cause(), None);
    }

    #[test]
    fn cancelled_session_searches_for_marked_processes() {
        let (termination, actions) = after(&[
            (TerminationEvent::StopRequested(Cause::Cancelled), 100),
            (TerminationEvent::ProgramEnded, 110),
            (TerminationEvent::NoChildrenLeft, 110),
            (TerminationEvent::NoProcessesFound, 110),
        ]);
        assert_eq!(
            actions,
            [
                TerminationAction::CloseInput,
                TerminationAction::Terminate,
                TerminationAction::Kill,
                TerminationAction::Finish
            ]
        );
        assert_eq!(termination.cause(), Some(Cause::Cancelled));
    }

    #[test]
    fn timeout_applies_only_while_the_program_runs() {
        let (termination, actions) = after(&[(TerminationEvent::Tick, 59_999)]);
        assert_eq!((actions, termination.due()), (vec![], Some(60_000)));
        let (termination, actions) = after(&[(TerminationEvent::Tick, 60_000)]);
        assert_eq!(
            actions,
            [TerminationAction::CloseInput, TerminationAction::Terminate]
        );
        assert_eq!(termination.cause(), Some(Cause::TimedOut));
        let (termination, _) = after(&[
            (TerminationEvent::ProgramEnded, 59_999),
            (TerminationEvent::Tick, 60_000),
        ]);
        assert_eq!(termination.cause(), None);
    }

    #[test]
    fn second_stop_request_has_no_effect() {
        let (termination, actions) = after(&[
            (TerminationEvent::StopRequested(Cause::Cancelled), 100),
            (TerminationEvent::StopRequested(Cause::TimedOut), 200),
            (TerminationEvent::StopRequested(Cause::Cancelled), 300),
        ]);
        assert_eq!(
            actions,
            [TerminationAction::CloseInput, TerminationAction::Terminate]
        );
        assert_eq!(
            (termination.cause(), termination.due()),
            (Some(Cause::Cancelled), Some(3100))
        );
    }

    #[test]
    fn unkillable_processes_are_abandoned() {
        let mut termination = Termination::new(None, 0);
        termination.handle(TerminationEvent::StopRequested(Cause::Cancelled), 0);
        let mut now = 0;
        let mut rounds = 0;
        while !termination.is_over() {
            now = termination.due().unwrap();
            rounds += termination
                .handle(TerminationEvent::Tick, now)
                .iter()
                .filter(|order| **order == TerminationAction::Kill)
                .count();
        }
        assert_eq!(now, KILL_TIMEOUT_MS);
        assert_eq!(rounds as u64, KILL_TIMEOUT_MS / KILL_INTERVAL_MS);
    }

    #[test]
    fn stop_after_exit_does_not_change_the_cause() {
        let (termination, actions) = after(&[
            (TerminationEvent::ProgramEnded, 1),
            (TerminationEvent::StopRequested(Cause::Cancelled), 2),
        ]);
        assert_eq!(
            actions,
            [TerminationAction::CloseInput, TerminationAction::Terminate]
        );
        assert_eq!(termination.cause(), None);
        let (termination, _) = after(&[
            (TerminationEvent::ProgramEnded, 1),
            (TerminationEvent::StopRequested(Cause::DiskFull), 2),
        ]);
        assert_eq!(
            termination.cause(),
            Some(Cause::DiskFull),
            "bytes were lost, whoever ended first"
        );
    }

    #[test]
    fn events_after_the_end_are_ignored() {
        let (mut termination, _) = after(&[
            (TerminationEvent::ProgramEnded, 1),
            (TerminationEvent::NoChildrenLeft, 1),
        ]);
        for event in [
            TerminationEvent::ProgramEnded,
            TerminationEvent::StopRequested(Cause::Cancelled),
            TerminationEvent::NoChildrenLeft,
            TerminationEvent::NoProcessesFound,
            TerminationEvent::Tick,
        ] {
            assert_eq!(termination.handle(event, 99_999), []);
        }
        assert_eq!(termination.due(), None);
    }
}
