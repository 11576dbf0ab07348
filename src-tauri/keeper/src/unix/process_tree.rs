//! The processes of a session: the descendants of its keeper, and those with its mark.

use std::collections::HashSet;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::platform::{self, Process};
use crate::launch::MARK_VARIABLE;

/// Finds all living processes that have the mark, that descend from `ancestor`, or that descend
/// from one of these.
///
/// The ancestor itself and the calling process are not included. A process that left the ancestor's
/// tree and also cleared its environment (for example one that a service manager started on
/// request) cannot be found.
pub(crate) fn session_processes(ancestor: Option<Pid>, mark: &str) -> Vec<Process> {
    let entry = format!("{MARK_VARIABLE}={mark}");
    let me = nix::unistd::getpid().as_raw();
    let everybody: Vec<Process> = platform::processes()
        .into_iter()
        .filter(|process| process.pid != me)
        .collect();

    let mut family: HashSet<i32> = ancestor.iter().map(|pid| pid.as_raw()).collect();
    gather_descendants(&mut family, &everybody);
    for process in &everybody {
        if !family.contains(&process.pid) && platform::started_with(process.pid, entry.as_bytes()) {
            family.insert(process.pid);
        }
    }
    gather_descendants(&mut family, &everybody);

    if let Some(ancestor) = ancestor {
        family.remove(&ancestor.as_raw());
    }
    everybody
        .into_iter()
        .filter(|process| family.contains(&process.pid) && !process.is_zombie)
        .collect()
}

/// Sends a signal; returns whether it could be sent. A process that is already gone counts as sent.
pub(crate) fn send_signal(process: &Process, signal: Signal) -> bool {
    // The process may have ended since it was found, and its id may have been reused: check again.
    // What remains is a window of microseconds, and ids are reused only after a full cycle.
    match platform::process(process.pid) {
        Some(now) if now.start_ticks == process.start_ticks => {
            matches!(
                kill(Pid::from_raw(process.pid), signal),
                Ok(()) | Err(Errno::ESRCH)
            )
        }
        _ => true,
    }
}

fn gather_descendants(family: &mut HashSet<i32>, everybody: &[Process]) {
    loop {
        let before = family.len();
        for process in everybody {
            if family.contains(&process.parent) {
                family.insert(process.pid);
            }
        }
        if family.len() == before {
            return;
        }
    }
}
