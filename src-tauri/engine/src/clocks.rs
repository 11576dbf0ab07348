//! The clocks of this machine, read.

use std::time::Duration;

use baton_model::Timestamp;
use nix::time::{ClockId, clock_gettime};

use crate::health::Moment;

/// The present moment.
pub(crate) fn moment() -> Moment {
    Moment {
        wall: now(),
        awake: awake(),
    }
}

/// When the machine was started, by the time of day.
pub(crate) fn booted_at() -> Option<Timestamp> {
    let up = Duration::from(clock_gettime(ClockId::CLOCK_BOOTTIME).ok()?);
    let up = i64::try_from(up.as_millis()).ok()?;
    Some(Timestamp(now().0 - up))
}

/// How long the machine has been awake since boot. On Linux `CLOCK_MONOTONIC` is one for all processes and stands
/// still during sleep (clock_gettime(2)).
fn awake() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_MONOTONIC)
        .ok()
        .map(Duration::from)
}

/// The time, as everybody in this process tells it.
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
