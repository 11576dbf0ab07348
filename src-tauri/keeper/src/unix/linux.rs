//! Linux: subreaper, signalfd, `/proc`.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::time::{ClockId, clock_gettime};

/// Makes this process the parent of every descendant whose own parent ends.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(nix::sys::prctl::set_child_subreaper(true)?)
}

/// A signal to the keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    /// SIGCHLD: a child may have ended.
    ChildEnded,
    /// SIGTERM: end the session.
    Terminate,
}

/// The keeper's signals, blocked and readable from a file descriptor.
#[derive(Debug)]
pub(crate) struct Signals(SignalFd);

impl Signals {
    /// Blocks the signals that would end the keeper, and those that it reads.
    pub(crate) fn block() -> io::Result<Signals> {
        let heard = SigSet::from_iter([Signal::SIGCHLD, Signal::SIGTERM]);
        // SIGXFSZ: a file size limit should act like a full disk, not end the keeper.
        let silent = [
            Signal::SIGHUP,
            Signal::SIGINT,
            Signal::SIGQUIT,
            Signal::SIGXFSZ,
            Signal::SIGPIPE,
        ];
        let mut blocked = heard;
        blocked.extend(silent);
        blocked.thread_block()?;
        Ok(Signals(SignalFd::with_flags(
            &heard,
            SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK,
        )?))
    }

    /// Reads the next signal; `None` if there is none at the moment.
    pub(crate) fn next(&self) -> Option<Notice> {
        let info = self.0.read_signal().ok()??;
        Some(if info.ssi_signo == Signal::SIGTERM as u32 {
            Notice::Terminate
        } else {
            Notice::ChildEnded
        })
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A process according to `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    /// Clock ticks since boot; together with the pid it identifies a process until the next boot.
    pub(crate) start_ticks: u64,
    /// Ended, but not yet waited for by its parent.
    pub(crate) is_zombie: bool,
}

impl Process {
    /// Whether `other` is the same process, still with the same parent.
    pub(crate) fn is_same(&self, other: &Process) -> bool {
        (self.pid, self.parent, self.start_ticks) == (other.pid, other.parent, other.start_ticks)
    }
}

/// Reads one process; `None` if it does not exist.
pub(crate) fn process(pid: i32) -> Option<Process> {
    // The kernel returns such a small file in one piece, and another read would cost as much as the
    // first one.
    let mut text = [0; 1024];
    let length = File::open(format!("/proc/{pid}/stat"))
        .ok()?
        .read(&mut text)
        .ok()?;
    parse_stat(&text[..length])
}

/// Reads all processes. Costs some 10 µs each, so it is not used for the ordinary end of a session.
pub(crate) fn processes() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(process)
        .collect()
}

/// Whether the environment with which a process was started contains `entry`, a whole `NAME=value`.
///
/// False for processes of other users, and for one that has overwritten its own environment.
pub(crate) fn started_with(pid: i32, entry: &[u8]) -> bool {
    std::fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|environment| environment.split(|byte| *byte == 0).any(|one| one == entry))
}

/// The arguments of a process, program name first; empty when it has none or is gone.
pub(crate) fn arguments(pid: i32) -> Vec<PathBuf> {
    let text = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let text = text.strip_suffix(b"\0").unwrap_or(&text);
    if text.is_empty() {
        return Vec::new();
    }
    text.split(|byte| *byte == 0)
        .map(|argument| PathBuf::from(OsStr::from_bytes(argument)))
        .collect()
}

/// The id of the current boot.
pub(crate) fn boot_id() -> io::Result<String> {
    let mut text = [0; 64];
    let length = File::open("/proc/sys/kernel/random/boot_id")?.read(&mut text)?;
    Ok(String::from_utf8_lossy(&text[..length])
        .trim_end()
        .to_owned())
}

/// The name of this machine, or of this container; empty where the system does not report it.
pub(crate) fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map(|name| name.trim().to_owned())
        .unwrap_or_default()
}

/// The pid namespace, within which process ids are comparable; empty where the system does not
/// report it.
pub(crate) fn pid_namespace() -> String {
    std::fs::read_link("/proc/self/ns/pid")
        .map(|name| name.display().to_string())
        .unwrap_or_default()
}

/// The wall-clock time at which the machine booted.
pub(crate) fn booted_at() -> Option<SystemTime> {
    let up = clock_gettime(ClockId::CLOCK_BOOTTIME).ok()?;
    SystemTime::now().checked_sub(up.into())
}

/// A short path to a file in an open folder, for calls whose paths are limited to 107 bytes.
pub(crate) fn path_in(folder: BorrowedFd<'_>, name: &Path) -> PathBuf {
    use std::os::fd::AsRawFd as _;
    Path::new("/proc/self/fd")
        .join(folder.as_raw_fd().to_string())
        .join(name)
}

fn parse_stat(text: &[u8]) -> Option<Process> {
    // The second field is the program's name in parentheses and may itself contain spaces and
    // parentheses.
    let name_end = text.iter().rposition(|byte| *byte == b')')?;
    let head = std::str::from_utf8(&text[..text.iter().position(|byte| *byte == b' ')?]).ok()?;
    let mut tail = std::str::from_utf8(text.get(name_end + 2..)?)
        .ok()?
        .split(' ');
    let state = tail.next()?;
    Some(Process {
        pid: head.parse().ok()?,
        parent: tail.next()?.parse().ok()?,
        // Field 22 of the line, counted from one; fields three to five were read above.
        start_ticks: tail.nth(17)?.parse().ok()?,
        is_zombie: matches!(state, "Z" | "X"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_parses_unusual_program_names() {
        let line = b"42 (a) R 1 (b) S 7 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 100 200";
        let process = parse_stat(line).unwrap();
        assert_eq!(
            process,
            Process {
                pid: 42,
                parent: 7,
                start_ticks: 987_654,
                is_zombie: false
            }
        );
        assert_eq!(parse_stat(b"garbage"), None);
    }

    #[test]
    fn this_process_is_found() {
        let pid = nix::unistd::getpid().as_raw();
        let seen = process(pid).unwrap();
        assert_eq!(
            (seen.pid, seen.parent),
            (pid, nix::unistd::getppid().as_raw())
        );
        assert!(processes().contains(&seen));
    }
}
