//! When a node goes on that ran into the usage limit of its agent's account.
//!
//! Waiting for a limit that says when it ends costs nothing: the node is parked until then, however often that happens,
//! as each time takes its own time. A limit that does not say so, or that was to have ended already, is charged to the
//! account of losses, so that a clock that is wrong never makes a run hammer a service.

use crate::outcome::Failure;
use crate::{Outcome, Timestamp};

/// The first and the longest wait for a limit that does not say when it ends, in milliseconds.
pub(super) const BACKOFF_MS: (u64, u64) = (60_000, 3_600_000);
/// A limit that ends sooner than this is like one that does not say, in milliseconds.
const SOON_MS: u64 = 10_000;
/// Nodes of one account go on within this time after the limit ends, in milliseconds, not all in one moment.
const SPREAD_MS: f64 = 10_000.0;

/// Whether an attempt ended at a usage limit.
pub(super) fn is_one(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Failed {
            failure: Failure::UsageLimit { .. }
        }
    )
}

/// When the limit ends that ended an attempt at `now`, if it says so and that is still to come.
pub(super) fn lifted_at(outcome: &Outcome, now: Timestamp) -> Option<Timestamp> {
    match outcome {
        Outcome::Failed {
            failure: Failure::UsageLimit { reset_at, .. },
        } => reset_at.filter(|&reset_at| reset_at >= now.plus_ms(SOON_MS)),
        _ => None,
    }
}

/// When an attempt is due whose limit ends at `reset_at`; `chance` is from 0 up to 1.
pub(super) fn goes_on_at(reset_at: Timestamp, chance: f64) -> Timestamp {
    reset_at.plus_ms(1000 + (SPREAD_MS * chance) as u64)
}
