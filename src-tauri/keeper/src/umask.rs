//! The umask: private for Baton's own files, the person's usual one for everything created on their
//! behalf.
//!
//! Each program calls [`restrict`] first. Files of the person (worktrees, exported files, agents,
//! git, browsers) are created within [`with_original`], and a keeper gives its program the original
//! mask.

use std::sync::OnceLock;

use nix::sched::{CloneFlags, unshare};
use nix::sys::stat::{Mode, umask};

/// Passes the program's umask to a keeper, in octal. It is not in the program's environment, which
/// the launch defines completely.
pub(crate) const VARIABLE: &str = "BATON_UMASK";

static ORIGINAL: OnceLock<Mode> = OnceLock::new();

/// Makes files that this process creates private to the user. Call it before there are other
/// threads.
pub fn restrict() {
    let before = umask(Mode::S_IRWXG | Mode::S_IRWXO);
    // A second call must not store the private mask as the original.
    ORIGINAL.get_or_init(|| before);
}

/// Runs `work` with the umask that this process was started with, on a separate thread.
///
/// Processes that `work` starts have that mask too.
pub fn with_original<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let Some(original) = ORIGINAL.get().copied() else {
        return work();
    };
    let with_own_mask = || {
        // On Linux the umask is shared like the working directory, and a thread can unshare both.
        // If that is forbidden (the seccomp profiles of some containers), the whole process returns
        // to the person's umask. Then the data directory, which only its owner may enter, keeps its
        // files private.
        let _ = unshare(CloneFlags::CLONE_FS);
        umask(original);
        work()
    };
    std::thread::scope(|scope| match scope.spawn(with_own_mask).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// The original mask in the format of [`VARIABLE`]; `None` if [`restrict`] was never called.
pub(crate) fn original_in_octal() -> Option<String> {
    ORIGINAL.get().map(|mode| format!("{:o}", mode.bits()))
}

/// The umask for a keeper's program: set by the caller of [`crate::spawn()`], or the keeper's
/// inherited one.
pub(crate) fn for_program(own: Mode) -> Mode {
    let said = std::env::var(VARIABLE)
        .ok()
        .and_then(|text| u32::from_str_radix(&text, 8).ok());
    said.map_or(own, Mode::from_bits_truncate)
}
