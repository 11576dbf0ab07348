//! A requested cancellation, which a second Ctrl+C withdraws.

use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A cancellation request that may still be in progress.
pub(super) struct Cancellation {
    request: JoinHandle<()>,
}

impl Cancellation {
    /// Sends the request in the background, so that a second Ctrl+C is still handled.
    pub(super) fn send(request: impl FnOnce() + Send + 'static) -> Self {
        Self {
            request: thread::spawn(request),
        }
    }

    /// Pauses the run instead. Returns whether `pause` succeeded within `timeout`.
    ///
    /// Calls `pause` only after the cancellation was answered. In the other order, the run would be
    /// paused and then canceled.
    pub(super) fn replace_with_pause(
        self,
        pause: impl FnOnce() -> bool + Send + 'static,
        timeout: Duration,
    ) -> bool {
        let (sender, answer) = channel();
        thread::spawn(move || {
            let is_paused = self.request.join().is_ok() && pause();
            // The receiver is gone after the timeout.
            sender.send(is_paused).unwrap_or_default();
        });
        answer.recv_timeout(timeout).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    const LONG_TIMEOUT: Duration = Duration::from_secs(60);

    fn note(log: &Sender<&'static str>, entry: &'static str) {
        log.send(entry).expect("the test listens");
    }

    #[test]
    fn pause_waits_for_a_slow_cancellation() {
        let (log, order) = channel();
        let (open_gate, gate) = channel::<()>();
        let (cancel_log, pause_log) = (log.clone(), log);
        let cancellation = Cancellation::send(move || {
            gate.recv().expect("the gate opens");
            note(&cancel_log, "canceled");
        });
        let pause = move || {
            note(&pause_log, "paused");
            true
        };
        assert!(
            !cancellation.replace_with_pause(pause, Duration::from_millis(50)),
            "the timeout applies"
        );
        open_gate.send(()).expect("the request waits");
        assert_eq!(order.recv_timeout(LONG_TIMEOUT), Ok("canceled"));
        assert_eq!(order.recv_timeout(LONG_TIMEOUT), Ok("paused"));
    }

    #[test]
    fn a_refused_pause_leaves_the_run_cancelled() {
        assert!(Cancellation::send(|| {}).replace_with_pause(|| true, LONG_TIMEOUT));
        assert!(!Cancellation::send(|| {}).replace_with_pause(|| false, LONG_TIMEOUT));
    }
}
