//! When a node resumes that reached the usage limit of its agent's account.
//!
//! If the limit has a reset time, the node is parked until then, any number of times. A limit
//! without a reset time, or with one in the past, counts as a loss, so that a wrong clock never
//! makes a run flood a service.

use crate::outcome::Failure;
use crate::{Outcome, Timestamp};

/// The first and the longest wait for a limit without a reset time, in milliseconds.
pub(super) const BACKOFF_MS: (u64, u64) = (60_000, 3_600_000);
/// A limit that resets sooner than this is treated as one without a reset time. In milliseconds.
const SOON_MS: u64 = 10_000;
/// Nodes of the same account resume within this time after the reset rather than all at once. In
/// milliseconds.
const SPREAD_MS: f64 = 10_000.0;

/// Whether an attempt ended because of a usage limit.
pub(super) fn is_usage_limit(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Failed {
            failure: Failure::UsageLimit { .. }
        }
    )
}

/// Returns when the limit that ended an attempt at `now` resets, if that is known and in the
/// future.
pub(super) fn known_reset(outcome: &Outcome, now: Timestamp) -> Option<Timestamp> {
    match outcome {
        Outcome::Failed {
            failure: Failure::UsageLimit { reset_at, .. },
        } => reset_at.filter(|&reset_at| reset_at >= now.plus_ms(SOON_MS)),
        _ => None,
    }
}

/// Returns when to resume after a limit that resets at `reset_at`. `chance` is from 0 to 1.
pub(super) fn resume_at(reset_at: Timestamp, chance: f64) -> Timestamp {
    reset_at.plus_ms(1000 + (SPREAD_MS * chance) as u64)
}
