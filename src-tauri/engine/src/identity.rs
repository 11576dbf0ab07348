//! Which process this is, so that others can tell whether it still lives.

use std::fs;

/// A process, told apart from a later one with the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessIdentity {
    /// Its number.
    pub(crate) pid: u32,
    /// When it started, in clock ticks since boot; 0 where the system does not tell.
    pub(crate) start: u64,
    /// The boot it belongs to; empty where the system does not tell.
    pub(crate) boot: String,
}

impl ProcessIdentity {
    /// The present process.
    pub(crate) fn current() -> Self {
        let pid = std::process::id();
        Self {
            pid,
            start: start_of(pid).unwrap_or(0),
            boot: boot(),
        }
    }

    /// Whether this process runs now, of those that can be seen from here.
    pub(crate) fn is_alive(&self) -> bool {
        self.boot == boot() && start_of(self.pid).is_some_and(|start| start == self.start)
    }

    /// Whether it stands still, by a signal or a debugger.
    pub(crate) fn is_stopped(&self) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        let state = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().next());
        state.is_some_and(|state| state.eq_ignore_ascii_case("t"))
    }
}

/// Field 22 of `/proc/<pid>/stat`, counted behind the command's closing parenthesis, which may itself hold anything.
fn start_of(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    // A zombie has ended; only its parent has not looked yet.
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

/// Within which the numbers of processes mean the same; empty where the system does not tell.
pub(crate) fn pid_namespace() -> String {
    fs::read_link("/proc/self/ns/pid")
        .map(|name| name.display().to_string())
        .unwrap_or_default()
}

/// The present boot of this machine.
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
            "the number was given to somebody else"
        );
        assert!(
            !ProcessIdentity {
                boot: "another".to_owned(),
                ..own
            }
            .is_alive(),
            "the machine was started anew"
        );
    }
}
