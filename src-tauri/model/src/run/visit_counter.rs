//! Counts how often a run visits a node, so that tests can check the cost of large plans.

#[cfg(test)]
thread_local! {
    static VISITS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts one visit. Free outside of tests.
#[inline]
pub(super) fn count_visit() {
    #[cfg(test)]
    VISITS.with(|looks| looks.set(looks.get() + 1));
}

/// The number of visits since the last call.
#[cfg(test)]
pub(super) fn take_visit_count() -> u64 {
    VISITS.with(|looks| looks.take())
}
