//! Ends what a lost session has left behind. For sessions whose keeper runs, ask the keeper instead.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::unix::process_tree::{send_signal, session_processes};

/// How long to go on sending SIGKILL before the rest is taken for unkillable.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Ends every process that carries the mark, and its descendants: SIGTERM, `grace`, SIGKILL until none is left.
///
/// Blocks until they are gone, or for `grace` and five seconds. Returns how many processes it signaled; those of other
/// users are neither found nor ended.
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
            // SIGTERM once each: programs take a second one for impatience and skip their tidying up.
            if signaled.insert((process.pid, process.start_ticks)) || signal == Signal::SIGKILL {
                send_signal(&process, signal);
            }
        }
        sleep(POLL_INTERVAL);
    }
}
