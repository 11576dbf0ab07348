//! The clocks of this machine, read.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use crate::dispatcher::now;
use crate::health::Moment;

/// The present moment.
pub(crate) fn moment() -> Moment {
    Moment { wall: now(), awake: awake() }
}

/// How long the machine has been awake since boot. On Linux `CLOCK_MONOTONIC` is one for all processes and stands
/// still during sleep (clock_gettime(2)).
fn awake() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_MONOTONIC).ok().map(Duration::from)
}
