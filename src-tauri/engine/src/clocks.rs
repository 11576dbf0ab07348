//! Reads the clocks of this machine.

use std::time::Duration;

use baton_model::Timestamp;
use nix::time::{ClockId, clock_gettime};

use crate::health::Moment;

pub(crate) fn moment() -> Moment {
    Moment {
        wall: now(),
        awake: awake(),
    }
}

/// The wall-clock time at which the machine booted.
pub(crate) fn booted_at() -> Option<Timestamp> {
    let up = Duration::from(clock_gettime(ClockId::CLOCK_BOOTTIME).ok()?);
    let up = i64::try_from(up.as_millis()).ok()?;
    Some(Timestamp(now().0 - up))
}

/// Returns how long the machine has been awake since boot. On Linux, `CLOCK_MONOTONIC` is the same
/// for all processes and does not advance during sleep (clock_gettime(2)).
fn awake() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_MONOTONIC)
        .ok()
        .map(Duration::from)
}

/// The current wall-clock time.
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
