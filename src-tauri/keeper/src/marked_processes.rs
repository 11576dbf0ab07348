//! Terminates the processes of a lost session. If a session's keeper is running, send it a request
//! instead.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::unix::process_tree::{send_signal, session_processes};

/// How long to repeat SIGKILL before the remaining processes count as unkillable.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Terminates every process with the mark, and its descendants: SIGTERM, `grace`, then SIGKILL
/// until none is left.
///
/// Blocks until they are gone, or for `grace` and five seconds. Returns the number of processes
/// that were signaled; those of other users are neither found nor terminated.
pub fn terminate_marked_processes(mark: &str, grace: Duration) -> usize {
    let mut signaled = HashSet::new();
    let started = Instant::now();
    let mut signal = Signal::SIGTERM;
    loop {
        let left = session_processes(None, mark);
        if left.is_empty() || started.elapsed() > grace + KILL_TIMEOUT {
            return signaled.len();
        }
        if started.elapsed() >= grace {
            signal = Signal::SIGKILL;
        }
        for process in left {
            // SIGTERM only once each: many programs skip their cleanup on a second one.
            if signaled.insert((process.pid, process.start_ticks)) || signal == Signal::SIGKILL {
                send_signal(&process, signal);
            }
        }
        sleep(POLL_INTERVAL);
    }
}
