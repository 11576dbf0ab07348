//! Measures the silence of other executors, as observed by one watcher while it was awake.
//!
//! A watcher that was stopped, or whose whole container was frozen, must not mistake its own
//! absence for the silence of others: of the time since its last check, at most the planned
//! interval counts.

use std::collections::HashMap;
use std::time::Duration;

use baton_model::ExecutorId;
use baton_store::ExecutorRow;

use crate::health::{Moment, heartbeat_age};

/// The observations of one watcher.
#[derive(Debug, Default)]
pub(crate) struct HeartbeatMonitor {
    last_check: Option<Duration>,
    since_last_check: Option<Duration>,
    previous: HashMap<ExecutorId, Seen>,
    seen: HashMap<ExecutorId, Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    beat: (i64, u64),
    silence: Duration,
}

impl HeartbeatMonitor {
    /// Observes `executor` at `now`; the watcher's next check is planned after `pace`. Returns how
    /// long the executor has been silent, summed over all checks.
    pub(crate) fn observe(
        &mut self,
        executor: &ExecutorRow,
        now: Moment,
        pace: Duration,
    ) -> Duration {
        let since_last_check = *self.since_last_check.get_or_insert_with(|| {
            let since = self
                .last_check
                .zip(now.awake)
                .map(|(then, awake)| awake.saturating_sub(then));
            self.last_check = now.awake;
            // Twice the pace: a busy machine may be late without being suspended.
            since.unwrap_or(pace).min(pace * 2)
        });
        let beat = beat_of(executor);
        let age = heartbeat_age(executor, now);
        let silence = match self.previous.get(&executor.id) {
            Some(before) if before.beat == beat => before.silence + since_last_check,
            // It has sent a heartbeat since the last check.
            Some(_) => age.min(since_last_check),
            None => age,
        };
        self.seen.insert(executor.id, Seen { beat, silence });
        silence
    }

    /// Ends a round of checks; executors that were not checked are forgotten.
    pub(crate) fn end_round(&mut self) {
        self.since_last_check = None;
        self.previous = std::mem::take(&mut self.seen);
    }

    /// The observed silence of `executor`, if it is watched and its last heartbeat is the known
    /// one.
    pub(crate) fn known_silence(&self, executor: &ExecutorRow) -> Option<Duration> {
        let seen = self
            .seen
            .get(&executor.id)
            .or_else(|| self.previous.get(&executor.id))?;
        (seen.beat == beat_of(executor)).then_some(seen.silence)
    }
}

fn beat_of(executor: &ExecutorRow) -> (i64, u64) {
    (executor.last_beat.0, executor.beat_awake_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use baton_model::Timestamp;
    use baton_store::ExecutorKind;
    use uuid::Uuid;

    const PACE: Duration = Duration::from_secs(1);

    fn beaten(wall: i64, awake_ms: u64) -> ExecutorRow {
        ExecutorRow {
            id: ExecutorId(Uuid::nil()),
            kind: ExecutorKind::App,
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

    fn at(wall_s: i64, awake_s: u64) -> Moment {
        Moment {
            wall: Timestamp(wall_s * 1000),
            awake: Some(Duration::from_secs(awake_s)),
        }
    }

    fn check_silence(
        heartbeat_monitor: &mut HeartbeatMonitor,
        now: Moment,
        executor: &ExecutorRow,
    ) -> u64 {
        let silence = heartbeat_monitor.observe(executor, now, PACE);
        heartbeat_monitor.end_round();
        silence.as_secs()
    }

    #[test]
    fn silence_accumulates_until_a_heartbeat() {
        let mut heartbeat_monitor = HeartbeatMonitor::default();
        let silent = beaten(1_000_000, 100_000);
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(1003, 103), &silent),
            3,
            "earlier silence counts"
        );
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(1004, 104), &silent),
            4
        );
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(1005, 105), &silent),
            5
        );
        assert_eq!(
            check_silence(
                &mut heartbeat_monitor,
                at(1006, 106),
                &beaten(1_006_000, 106_000)
            ),
            0
        );
    }

    #[test]
    fn suspended_watcher_does_not_count_its_own_pause() {
        let mut heartbeat_monitor = HeartbeatMonitor::default();
        let silent = beaten(1_000_000, 100_000);
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(1001, 101), &silent),
            1
        );
        // Everything was frozen for an hour while the clocks advanced; the watcher is the first to
        // wake up.
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(4601, 3701), &silent),
            3,
            "only the planned interval counts"
        );
        // The other executor sends a heartbeat a moment later.
        assert_eq!(
            check_silence(
                &mut heartbeat_monitor,
                at(4602, 3702),
                &beaten(4_601_500, 3_701_500)
            ),
            0
        );
    }

    #[test]
    fn suspend_and_clock_steps_are_not_silence() {
        let mut heartbeat_monitor = HeartbeatMonitor::default();
        let silent = beaten(1_000_000, 100_000);
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(1001, 101), &silent),
            1
        );
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(1001 + 8 * 3600, 102), &silent),
            2,
            "asleep for 8 h"
        );
        assert_eq!(
            check_silence(&mut heartbeat_monitor, at(1002 - 3600, 103), &silent),
            3,
            "set back by 1 h"
        );
    }

    #[test]
    fn checks_are_counted_without_a_monotonic_clock() {
        let mut heartbeat_monitor = HeartbeatMonitor::default();
        let silent = beaten(1_000_000, 0);
        let moment = |wall_s: i64| Moment {
            wall: Timestamp(wall_s * 1000),
            awake: None,
        };
        assert_eq!(
            check_silence(&mut heartbeat_monitor, moment(1001), &silent),
            1
        );
        assert_eq!(
            check_silence(&mut heartbeat_monitor, moment(9001), &silent),
            2,
            "one more interval, regardless of the wall clock"
        );
    }

    #[test]
    fn unobserved_executors_are_forgotten() {
        let mut heartbeat_monitor = HeartbeatMonitor::default();
        let silent = beaten(1_000_000, 100_000);
        check_silence(&mut heartbeat_monitor, at(1001, 101), &silent);
        assert_eq!(
            heartbeat_monitor.known_silence(&silent),
            Some(Duration::from_secs(1))
        );
        assert_eq!(
            heartbeat_monitor.known_silence(&beaten(1_002_000, 102_000)),
            None,
            "that heartbeat was not observed"
        );
        heartbeat_monitor.end_round();
        assert_eq!(heartbeat_monitor.known_silence(&silent), None);
    }
}
