//! Handles a stopped process that holds the database's write lock.
//!
//! SQLite's write lock belongs to a process for as long as it lives. A process that was stopped in
//! the middle of a transaction blocks all writers, including takeovers of its runs, and it cannot
//! answer. When such a process is to be displaced anyway, it is killed: its transaction is rolled
//! back, and its sessions keep running.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use baton_store::ExecutorRow;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::executor_health::process_of;

/// The byte of the `-shm` file that a writer locks: <https://www.sqlite.org/walformat.html#locks>.
const WRITE_LOCK: u64 = 120;

/// Returns whether the process of `executor` is stopped while it holds the write lock.
pub(super) fn is_stuck_in_write(executor: &ExecutorRow, data_directory: &Path) -> bool {
    let Some(process) = process_of(executor) else {
        return false;
    };
    process.is_alive() && process.is_stopped() && holds(executor.pid, data_directory)
}

/// Kills the process of `executor` if it is stuck in a write; returns whether it did.
///
/// Only for an executor whose runs may be taken over.
pub(super) fn kill_lock_holder(executor: &ExecutorRow, data_directory: &Path) -> bool {
    if !is_stuck_in_write(executor, data_directory) {
        return false;
    }
    let pid = i32::try_from(executor.pid).map(Pid::from_raw);
    let ended = pid.is_ok_and(|pid| kill(pid, Signal::SIGKILL).is_ok());
    if ended {
        tracing::warn!(
            pid = executor.pid,
            "killed a stopped executor that blocked all writers"
        );
    }
    ended
}

fn holds(pid: u32, data_directory: &Path) -> bool {
    let Ok(index) = fs::metadata(data_directory.join("baton.db-shm")) else {
        return false;
    };
    // Opening the file itself would be wrong: closing it would drop SQLite's own locks of this
    // process.
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    locks
        .lines()
        .any(|line| is_write_lock(line, pid, index.ino()))
}

/// Parses a line of `/proc/locks` (proc(5)): `4: POSIX  ADVISORY  WRITE 568 00:2f:124698 120 120`.
/// A process that waits for a lock has an arrow before the kind.
fn is_write_lock(line: &str, pid: u32, inode: u64) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, "POSIX", _, "WRITE", holder, file, first, last] = words[..] else {
        return false;
    };
    let bytes = first.parse::<u64>().ok().zip(last.parse::<u64>().ok());
    holder.parse() == Ok(pid)
        && file.rsplit(':').next().and_then(|text| text.parse().ok()) == Some(inode)
        && bytes.is_some_and(|(first, last)| (first..=last).contains(&WRITE_LOCK))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::ProcessIdentity;

    #[test]
    fn write_lock_is_found_in_proc_locks() {
        let table = [
            ("4: POSIX  ADVISORY  WRITE 568 00:2f:124698 120 120", true),
            ("4: POSIX  ADVISORY  WRITE 568 00:2f:124698 120 EOF", false),
            (
                "4: -> POSIX  ADVISORY  WRITE 568 00:2f:124698 120 120",
                false,
            ),
            ("4: POSIX  ADVISORY  READ 568 00:2f:124698 123 123", false),
            ("4: POSIX  ADVISORY  WRITE 568 00:2f:124698 121 121", false),
            ("4: POSIX  ADVISORY  WRITE 569 00:2f:124698 120 120", false),
            ("4: POSIX  ADVISORY  WRITE 568 00:2f:124699 120 120", false),
            ("4: FLOCK  ADVISORY  WRITE 568 00:2f:124698 0 EOF", false),
            ("", false),
        ];
        for (line, expected) in table {
            assert_eq!(is_write_lock(line, 568, 124_698), expected, "{line}");
        }
    }

    #[test]
    fn running_process_is_never_killed() {
        let own = ProcessIdentity::current();
        assert!(own.is_alive() && !own.is_stopped());
    }
}
