//! Named points at which a test can kill this process as suddenly as a power cut, or stop it to
//! simulate a very slow machine.
//!
//! `BATON_CRASH_AT=after append` kills it the first time it passes that point, `after append:3` the
//! third time. `BATON_STOP_AT` stops it there with SIGSTOP in the same way, until SIGCONT. Release
//! builds have no such points.

/// Every point, in the order in which a node passes them. Passing a point that is not in this list
/// fails the test, and the crash suite iterates over the list, so no point can be forgotten.
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
    "before handler",
    "after handler",
];

/// Kills or stops this process if the environment asks for it at this point.
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
        // No destructor, exit handler or other thread runs: what is not on the disk is lost.
        std::process::abort();
    }
    if is_passage("BATON_STOP_AT", name, &STOPS) {
        // Every thread stops with this one; the test notices if it did not.
        raise(Signal::SIGSTOP).unwrap_or_default();
    }
}

/// Returns whether `variable` names this passage of the point `name`.
#[cfg(debug_assertions)]
fn is_passage(variable: &str, name: &str, passed: &std::sync::atomic::AtomicU32) -> bool {
    let Ok(wanted) = std::env::var(variable) else {
        return false;
    };
    let (wanted, passage) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    let passages = || passed.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
    wanted == name && passages().to_string() == passage
}

/// Does nothing in release builds.
#[cfg(not(debug_assertions))]
pub fn crash_point(_name: &str) {}
