//! Named points at which a test may end this process as suddenly as a power cut would.
//!
//! `BATON_CRASH_AT=after append` ends it at the first passage of that point, `after append:3` at the third.
//! Release builds have no such points.

/// Every point, in the order in which a node's life passes them. One that is passed and is not in this list fails
/// every test that passes it, and the suite's test of crashes walks over this list: none can be forgotten.
pub const CRASH_POINTS: &[&str] = &[
    "before registration",
    "after registration",
    "before append",
    "after append",
    "before effects",
    "amid effects",
    "after effects",
    "before folder",
    "half a folder",
    "before snapshot",
    "after snapshot",
    "before spawn",
    "after spawn",
    "before nested run",
    "after nested run",
    "before beat",
    "after beat",
    "before answer",
    "after answer",
    "before stop",
    "after stop",
    "before report",
    "before append of a handoff",
    "after append of a handoff",
    "before facts",
    "after facts",
    "before leave",
    "after leave",
];

/// Ends this process when it was told to end here.
#[cfg(debug_assertions)]
pub(crate) fn crash_point(name: &str) {
    use std::sync::atomic::{AtomicU32, Ordering};

    static PASSED: AtomicU32 = AtomicU32::new(0);
    debug_assert!(CRASH_POINTS.contains(&name), "'{name}' is not in the list of crash points");
    let Ok(wanted) = std::env::var("BATON_CRASH_AT") else { return };
    let (wanted, passage) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    if wanted == name && (PASSED.fetch_add(1, Ordering::Relaxed) + 1).to_string() == passage {
        // No destructor, no exit handler and no other thread has its say: what is not on the disk is lost.
        std::process::abort();
    }
}

/// Ends this process when it was told to end here.
#[cfg(not(debug_assertions))]
pub(crate) fn crash_point(_name: &str) {}
