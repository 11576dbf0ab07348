//! The health of other executors: whether their process is alive, and how long they have been
//! silent.
//!
//! Everything here is a pure function of what was read and when. Observing, and acting on the
//! result, is in `watch`.

use std::time::Duration;

use baton_model::Timestamp;
use baton_store::ExecutorRow;

use crate::identity::boot;
use crate::lease::Lease;

/// The health of an executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// Its heartbeats arrive on time.
    Healthy,
    /// It has been silent too long. Its runs are watched.
    Unhealthy,
    /// It has been silent so long that other executors may take over its runs.
    Stale,
    /// It has shut down, or its process is provably gone: other executors take over immediately.
    Gone,
}

/// Whether an executor's process is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessLiveness {
    /// The process exists; it may be stopped.
    Alive,
    /// It has shut down, or no process matches its pid, start time and boot.
    Gone,
    /// It runs on another machine or in another container, where this process cannot check.
    Unknown,
}

/// A moment, by the clocks of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The wall-clock time, which a person or the network may set.
    pub wall: Timestamp,
    /// How long the machine has been awake since boot, the same for all its processes; `None` where
    /// the system does not report it.
    pub awake: Option<Duration>,
}

impl Moment {
    /// The time since `earlier`, not counting the time that the machine slept.
    pub(crate) fn since(self, earlier: Self) -> Duration {
        match (self.awake, earlier.awake) {
            (Some(now), Some(then)) => now.saturating_sub(then),
            _ => Duration::from_millis(self.wall.ms_since(earlier.wall)),
        }
    }

    /// The awake time in milliseconds, as heartbeats store it; 0 where the system does not report
    /// it.
    pub(crate) fn awake_ms(self) -> u64 {
        self.awake.map_or(0, |awake| {
            u64::try_from(awake.as_millis()).unwrap_or(u64::MAX)
        })
    }
}

/// The health of an executor that has been silent for `silence`.
#[must_use]
pub fn health(lease: &Lease, silence: Duration, process: ProcessLiveness) -> Health {
    match process {
        ProcessLiveness::Gone => Health::Gone,
        ProcessLiveness::Alive | ProcessLiveness::Unknown if silence < lease.unhealthy => {
            Health::Healthy
        }
        ProcessLiveness::Alive | ProcessLiveness::Unknown if silence <= lease.stale => {
            Health::Unhealthy
        }
        ProcessLiveness::Alive | ProcessLiveness::Unknown => Health::Stale,
    }
}

/// Returns how long `executor` has been silent at `now`.
///
/// Measured by the clock that does not advance during sleep, so that neither a night nor a changed
/// clock looks like silence. A heartbeat without that time, or from another machine, is measured by
/// wall-clock time; one in the future counts as new.
#[must_use]
pub fn heartbeat_age(executor: &ExecutorRow, now: Moment) -> Duration {
    match now.awake {
        Some(awake) if executor.beat_awake_ms > 0 && executor.boot_id == boot() => {
            awake.saturating_sub(Duration::from_millis(executor.beat_awake_ms))
        }
        _ => Duration::from_millis(now.wall.ms_since(executor.last_beat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baton_model::ExecutorId;
    use baton_store::ExecutorKind;
    use uuid::Uuid;

    const SECOND: u64 = 1000;
    const HOUR: i64 = 3_600_000;
    const NOON: i64 = 1_800_000_000_000;

    fn beaten(wall: i64, awake_ms: u64) -> ExecutorRow {
        ExecutorRow {
            id: ExecutorId(Uuid::nil()),
            kind: ExecutorKind::Worker,
            pid: 7,
            process_start: 1,
            boot_id: crate::identity::boot(),
            pid_namespace: String::new(),
            host: "host".to_owned(),
            started_at: Timestamp(wall),
            last_beat: Timestamp(wall),
            beat_awake_ms: awake_ms,
            ended_at: None,
        }
    }

    #[test]
    fn silent_executor_becomes_unhealthy_then_stale() {
        use Health::{Gone, Healthy, Stale, Unhealthy};
        let table = [
            (0, Healthy),
            (59_999, Healthy),
            (60_000, Unhealthy),
            (120_000, Unhealthy),
            (120_001, Stale),
        ];
        for (ms, expected) in table {
            assert_eq!(
                health(
                    &Lease::default(),
                    Duration::from_millis(ms),
                    ProcessLiveness::Alive
                ),
                expected,
                "{ms} ms"
            );
            assert_eq!(
                health(
                    &Lease::default(),
                    Duration::from_millis(ms),
                    ProcessLiveness::Gone
                ),
                Gone,
                "a dead process is gone regardless of silence"
            );
        }
    }

    #[test]
    fn invisible_executor_is_judged_by_heartbeats_only() {
        use Health::{Healthy, Stale, Unhealthy};
        for (ms, expected) in [(59_999, Healthy), (60_000, Unhealthy), (120_001, Stale)] {
            assert_eq!(
                health(
                    &Lease::default(),
                    Duration::from_millis(ms),
                    ProcessLiveness::Unknown
                ),
                expected,
                "{ms} ms"
            );
        }
    }

    #[test]
    fn foreign_clock_is_ignored() {
        let elsewhere = ExecutorRow {
            boot_id: "another".to_owned(),
            ..beaten(NOON, 900 * SECOND)
        };
        let moment = Moment {
            wall: Timestamp(NOON + 130_000),
            awake: Some(Duration::from_secs(50)),
        };
        assert_eq!(heartbeat_age(&elsewhere, moment), Duration::from_secs(130));
    }

    #[test]
    fn clock_jumps_are_not_silence() {
        // The heartbeat by both clocks, the clocks at the time of the check, and the expected
        // seconds of silence.
        let table = [
            (
                "an ordinary check",
                (NOON, 50 * SECOND),
                (NOON + 3000, Some(53 * SECOND)),
                3,
            ),
            (
                "the machine slept for 8 h",
                (NOON, 50 * SECOND),
                (NOON + 8 * HOUR, Some(53 * SECOND)),
                3,
            ),
            (
                "the clock was set back by 1 h",
                (NOON, 50 * SECOND),
                (NOON - HOUR, Some(180 * SECOND)),
                130,
            ),
            (
                "the clock was set forward by 1 h",
                (NOON, 50 * SECOND),
                (NOON + HOUR, Some(51 * SECOND)),
                1,
            ),
            (
                "the heartbeat is newer than the check",
                (NOON + 5, 51 * SECOND),
                (NOON, Some(50 * SECOND)),
                0,
            ),
            (
                "no awake time in the check",
                (NOON, 50 * SECOND),
                (NOON + 130_000, None),
                130,
            ),
            (
                "no awake time in the heartbeat",
                (NOON, 0),
                (NOON + 130_000, Some(SECOND)),
                130,
            ),
            (
                "a heartbeat in the future and no awake time",
                (NOON + HOUR, 0),
                (NOON, None),
                0,
            ),
        ];
        for (case, (wall, awake), (now, now_awake), seconds) in table {
            let moment = Moment {
                wall: Timestamp(now),
                awake: now_awake.map(Duration::from_millis),
            };
            assert_eq!(
                heartbeat_age(&beaten(wall, awake), moment),
                Duration::from_secs(seconds),
                "{case}"
            );
        }
    }
}
