//! The lock of the database in the hands of a process that stands still.
//!
//! SQLite's lock for writing belongs to a process for as long as that lives. One that was stopped in the middle of a
//! transaction keeps everybody from writing, also from taking its runs over, and it cannot be asked. When such a
//! process is to be displaced anyway, it is ended: its transaction never happened, and its sessions live on.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use baton_store::ExecutorRow;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::executor_health::process_of;

/// The byte of the `-shm` file that a writer locks: <https://www.sqlite.org/walformat.html#locks>.
const WRITE_LOCK: u64 = 120;

/// Whether the process of `executor` stands still with the lock for writing in its hands.
pub(super) fn is_stuck_in_write(executor: &ExecutorRow, data_directory: &Path) -> bool {
    let Some(process) = process_of(executor) else {
        return false;
    };
    process.is_alive() && process.is_stopped() && holds(executor.pid, data_directory)
}

/// Ends the process of `executor` if it is stuck in a write; whether it was ended.
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
            "a stopped executor that kept everybody from writing was ended"
        );
    }
    ended
}

fn holds(pid: u32, data_directory: &Path) -> bool {
    let Ok(index) = fs::metadata(data_directory.join("baton.db-shm")) else {
        return false;
    };
    // To open the file itself would be wrong: closing it again would drop SQLite's own locks of this process.
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    locks
        .lines()
        .any(|line| is_write_lock(line, pid, index.ino()))
}

/// Reads a line of `/proc/locks` (proc(5)): `4: POSIX  ADVISORY  WRITE 568 00:2f:124698 120 120`. One that only waits
/// for a lock has an arrow before its kind.
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
