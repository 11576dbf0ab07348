//! How long a run waits before a retry.

/// The first and the longest wait after a failure, in milliseconds.
pub(super) const AFTER_FAILURE_MS: (u64, u64) = (1000, 30_000);

/// The wait before the next attempt in milliseconds, after `used` attempts. It doubles each time up
/// to the maximum. `chance` (0 to 1) reduces it by up to a quarter, so that several nodes don't
/// retry at once.
pub(super) fn backoff_ms(used: u32, (first, longest): (u64, u64), chance: f64) -> u64 {
    let delay = first
        .saturating_mul(2_u64.saturating_pow(used))
        .min(longest);
    let spread = (delay as f64 * 0.25 * chance) as u64;
    delay - spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_up_to_the_maximum_with_jitter() {
        let waits: Vec<u64> = (0..7)
            .map(|used| backoff_ms(used, AFTER_FAILURE_MS, 0.0))
            .collect();
        assert_eq!(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
        assert_eq!(backoff_ms(0, AFTER_FAILURE_MS, 1.0), 750);
        assert_eq!(backoff_ms(u32::MAX, AFTER_FAILURE_MS, 0.0), 30_000);
    }
}
