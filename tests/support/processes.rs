//! Finds and controls the processes of a Baton's sessions.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use baton_keeper::MARK_VARIABLE;

use crate::test_environment::WAIT_TIMEOUT;

/// Returns the processes with the mark of a session in the data directory `data`, and its keepers.
#[must_use]
pub fn session_processes(data: &Path) -> Vec<String> {
    let sessions = fs::read_dir(data.join("sessions"))
        .into_iter()
        .flatten()
        .flatten();
    let sessions: HashSet<String> = sessions
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let folder = data.join("sessions").display().to_string();
    let processes = fs::read_dir("/proc").expect("Linux has it").flatten();
    let found = processes.filter_map(|entry| {
        let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
        let command_line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command_line = String::from_utf8_lossy(&command_line).replace('\0', " ");
        let is_keeper = command_line.contains("baton-keeper") && command_line.contains(&folder);
        (is_keeper || has_session_mark(&environ, &sessions))
            .then(|| format!("{}: {command_line}", entry.file_name().display()))
    });
    found.collect()
}

fn has_session_mark(environ: &[u8], sessions: &HashSet<String>) -> bool {
    environ.split(|&byte| byte == 0).any(|variable| {
        let variable = String::from_utf8_lossy(variable);
        variable
            .split_once('=')
            .is_some_and(|(name, value)| name == MARK_VARIABLE && sessions.contains(value))
    })
}

/// Waits until no process of a session is left. A session that has reported its end may still need
/// a moment.
pub fn wait_for_none(data: &Path) {
    wait("a session's process is left", || {
        let left = session_processes(data);
        if left.is_empty() {
            Ok(())
        } else {
            Err(left.join("\n"))
        }
    });
}

/// Sends a signal, such as `-STOP`, to `pid`.
pub fn signal(name: &str, pid: u32) {
    let sent = Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(
        sent.expect("kill is installed").success(),
        "{name} reaches {pid}"
    );
}

/// Stops the process at a moment when it holds, or doesn't hold, the database's write lock.
///
/// Otherwise this would be random. A process stopped during a write blocks all other writers.
pub fn stop_at_write(pid: u32, data: &Path, in_a_write: bool) {
    wait("stopped at the right moment", || {
        signal("-STOP", pid);
        wait("stopped", || {
            if is_stopped(pid) {
                Ok(())
            } else {
                Err("still running".to_owned())
            }
        });
        if holds_write_lock(pid, data) == in_a_write {
            return Ok(());
        }
        signal("-CONT", pid);
        Err(format!("in a write: {}", !in_a_write))
    });
}

/// Returns whether the process is stopped, from the third field of its `stat`.
#[must_use]
pub fn is_stopped(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| rest.trim_start().starts_with('T'))
}

/// Returns whether the process holds the lock on byte 120 of the WAL index:
/// <https://www.sqlite.org/walformat.html#locks>.
fn holds_write_lock(pid: u32, data: &Path) -> bool {
    let index = fs::metadata(data.join("baton.db-shm")).expect("the database is open");
    let locks = fs::read_to_string("/proc/locks").expect("Linux has it");
    let (holder, file) = (
        format!(" WRITE {pid} "),
        format!(":{} 120 120", index.ino()),
    );
    locks
        .lines()
        .any(|line| line.contains(&holder) && line.contains(&file) && !line.contains("->"))
}

/// Polls until `check` succeeds. On a timeout, panics with the last reason.
pub fn wait<T>(what: &str, mut check: impl FnMut() -> Result<T, String>) -> T {
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        match check() {
            Ok(found) => return found,
            Err(reason) => assert!(Instant::now() < deadline, "{what}: {reason}"),
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Returns the peak memory of this process, in bytes.
#[must_use]
pub fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("Linux reports VmHWM");
    let kilobytes: u64 = line
        .trim()
        .trim_end_matches("kB")
        .trim()
        .parse()
        .expect("a number");
    kilobytes * 1024
}

/// Returns the process ids of the keepers of sessions in the data directory `data`.
#[must_use]
pub fn keepers(data: &Path) -> Vec<u32> {
    let processes = session_processes(data)
        .into_iter()
        .filter(|command_line| command_line.contains("baton-keeper"));
    processes
        .filter_map(|command_line| command_line.split(':').next()?.parse().ok())
        .collect()
}
