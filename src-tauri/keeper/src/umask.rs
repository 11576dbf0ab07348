//! The umask: private for Baton's own files, the person's for everything made in their name.
//!
//! Each program calls [`restrict`] first. What belongs to the person (worktrees, exported files, agents, git, browsers)
//! is made within [`with_original`], and a keeper gives its program the original mask.

use std::sync::OnceLock;

use nix::sched::{CloneFlags, unshare};
use nix::sys::stat::{Mode, umask};

/// Tells a keeper the mask of its program, in octal. Not in the program's environment: that is the launch's alone.
pub(crate) const VARIABLE: &str = "BATON_UMASK";

static ORIGINAL: OnceLock<Mode> = OnceLock::new();

/// From here on files of this process are readable by this user only. Call it before there are other threads.
pub fn restrict() {
    let before = umask(Mode::S_IRWXG | Mode::S_IRWXO);
    // A second call must not take the private mask for the person's.
    ORIGINAL.get_or_init(|| before);
}

/// Carries out `work` with the umask that this process was started with, on a thread of its own.
///
/// Processes that `work` starts have that mask, too.
pub fn with_original<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let Some(original) = ORIGINAL.get().copied() else {
        return work();
    };
    let with_own_mask = || {
        // Linux keeps the mask beside the working directory, and a thread can have both for itself. Where that is
        // forbidden (the seccomp profiles of some containers), the whole process goes back to the person's mask. Then
        // the data directory, which nobody else may enter, keeps its files private.
        let _ = unshare(CloneFlags::CLONE_FS);
        umask(original);
        work()
    };
    std::thread::scope(|scope| match scope.spawn(with_own_mask).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// The original mask as [`VARIABLE`] holds it; `None` where [`restrict`] was never called.
pub(crate) fn original_in_octal() -> Option<String> {
    ORIGINAL.get().map(|mode| format!("{:o}", mode.bits()))
}

/// The mask for a keeper's program: as the caller of [`crate::spawn()`] says, or the one that the keeper came with.
pub(crate) fn for_program(own: Mode) -> Mode {
    let said = std::env::var(VARIABLE)
        .ok()
        .and_then(|text| u32::from_str_radix(&text, 8).ok());
    said.map_or(own, Mode::from_bits_truncate)
}
