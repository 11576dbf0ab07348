//! Identifies this process, so that other processes can tell whether it still runs.

use std::fs;

/// A process, distinguished from a later one with the same pid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessIdentity {
    pub(crate) pid: u32,
    /// The start time in clock ticks since boot; 0 where the system does not report it.
    pub(crate) start: u64,
    /// The boot id; empty where the system does not report it.
    pub(crate) boot: String,
}

impl ProcessIdentity {
    pub(crate) fn current() -> Self {
        let pid = std::process::id();
        Self {
            pid,
            start: start_of(pid).unwrap_or(0),
            boot: boot(),
        }
    }

    /// Whether this process runs now, as far as processes can be seen from here.
    pub(crate) fn is_alive(&self) -> bool {
        self.boot == boot() && start_of(self.pid).is_some_and(|start| start == self.start)
    }

    /// Whether a signal or a debugger has stopped it.
    pub(crate) fn is_stopped(&self) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        let state = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().next());
        state.is_some_and(|state| state.eq_ignore_ascii_case("t"))
    }
}

/// Field 22 of `/proc/<pid>/stat`, counted after the command's closing parenthesis; the command may
/// contain anything.
fn start_of(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    // A zombie has ended; its parent has not waited for it yet.
    if state == "Z" || state == "X" {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

/// The name of this machine, or of this container.
pub(crate) fn host() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname")
        .map(|name| name.trim().to_owned())
        .unwrap_or_default()
}

/// The pid namespace, within which pids are comparable; empty where the system does not report it.
pub(crate) fn pid_namespace() -> String {
    fs::read_link("/proc/self/ns/pid")
        .map(|name| name.display().to_string())
        .unwrap_or_default()
}

/// The id of the current boot.
pub(crate) fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|text| text.trim().to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_identity_includes_start_time() {
        let own = ProcessIdentity::current();
        assert!(own.is_alive());
        assert!(
            !ProcessIdentity {
                start: own.start + 1,
                ..own.clone()
            }
            .is_alive(),
            "the pid was reused"
        );
        assert!(
            !ProcessIdentity {
                boot: "another".to_owned(),
                ..own
            }
            .is_alive(),
            "the machine was rebooted"
        );
    }
}
