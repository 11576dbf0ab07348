//! Counts how often a run looks at a node, so that tests can hold what a large plan costs.

#[cfg(test)]
thread_local! {
    static LOOKS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// A node is looked at. Costs nothing outside tests.
#[inline]
pub(super) fn look() {
    #[cfg(test)]
    LOOKS.with(|looks| looks.set(looks.get() + 1));
}

/// How often nodes were looked at since this was last asked.
#[cfg(test)]
pub(super) fn take_looks() -> u64 {
    LOOKS.with(|looks| looks.take())
}
