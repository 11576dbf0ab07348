//! Named points at which a test may end this process as suddenly as a power cut would, or stop it as a machine that
//! is out of breath does.
//!
//! `BATON_CRASH_AT=after append` ends it at the first passage of that point, `after append:3` at the third.
//! `BATON_STOP_AT` stops it there in the same way, with SIGSTOP: somebody has to wake it. Release builds have no such
//! points.

/// Every point, in the order in which a node's life passes them. One that is passed and is not in this list fails
/// every test that passes it, and the suite's test of crashes walks over this list: none can be forgotten.
pub const CRASH_POINTS: &[&str] = &[
    "before registration",
    "after registration",
    "before choice",
    "before append",
    "after append",
    "before effects",
    "amid effects",
    "after effects",
    "before worktree",
    "half a worktree",
    "after worktree",
    "before fan-in",
    "after fan-in",
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
    "before keep",
    "after keep",
    "before report",
    "before append of a handoff",
    "after append of a handoff",
    "before facts",
    "after facts",
    "before inherited check",
    "after inherited check",
    "before leave",
    "after leave",
    "before homecoming",
    "after homecoming",
    "before replan",
    "after replan",
    "after planner",
    "after acceptance",
    "after promised run",
];

/// Ends or stops this process when it was told so.
#[cfg(debug_assertions)]
pub fn crash_point(name: &str) {
    use std::sync::atomic::AtomicU32;

    use nix::sys::signal::{Signal, raise};

    static CRASHES: AtomicU32 = AtomicU32::new(0);
    static STOPS: AtomicU32 = AtomicU32::new(0);
    debug_assert!(
        CRASH_POINTS.contains(&name),
        "'{name}' is not in the list of crash points"
    );
    if is_passage("BATON_CRASH_AT", name, &CRASHES) {
        // No destructor, no exit handler and no other thread has its say: what is not on the disk is lost.
        std::process::abort();
    }
    if is_passage("BATON_STOP_AT", name, &STOPS) {
        // Every thread stands still with this one; the test sees whether it worked.
        raise(Signal::SIGSTOP).unwrap_or_default();
    }
}

/// Whether `variable` asks for this passage of the point `name`.
#[cfg(debug_assertions)]
fn is_passage(variable: &str, name: &str, passed: &std::sync::atomic::AtomicU32) -> bool {
    let Ok(wanted) = std::env::var(variable) else {
        return false;
    };
    let (wanted, passage) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    let passages = || passed.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
    wanted == name && passages().to_string() == passage
}

/// Ends or stops this process when it was told so.
#[cfg(not(debug_assertions))]
pub fn crash_point(_name: &str) {}
