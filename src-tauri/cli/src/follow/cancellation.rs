//! A cancellation that a person asked for, and may take back.

use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A request to cancel that was sent, and may not be answered yet.
pub(super) struct Cancellation {
    request: JoinHandle<()>,
}

impl Cancellation {
    /// Sends the request. Does not wait for the answer, so that a second Ctrl+C is heard.
    pub(super) fn send(request: impl FnOnce() + Send + 'static) -> Self {
        Self {
            request: thread::spawn(request),
        }
    }

    /// Whether `pause` put the run on hold instead, within `patience`.
    ///
    /// It starts only after the request was answered. If it came first, the run would be paused and then cancelled.
    pub(super) fn replace_with_pause(
        self,
        pause: impl FnOnce() -> bool + Send + 'static,
        patience: Duration,
    ) -> bool {
        let (sender, answer) = channel();
        thread::spawn(move || {
            let is_paused = self.request.join().is_ok() && pause();
            // Nobody waits for an answer that comes too late.
            sender.send(is_paused).unwrap_or_default();
        });
        answer.recv_timeout(patience).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    const LONG_TIMEOUT: Duration = Duration::from_secs(60);

    fn note(log: &Sender<&'static str>, word: &'static str) {
        log.send(word).expect("the test listens");
    }

    #[test]
    fn pause_waits_for_a_slow_cancellation() {
        let (log, order) = channel();
        let (open_gate, gate) = channel::<()>();
        let (cancel_log, pause_log) = (log.clone(), log);
        let cancellation = Cancellation::send(move || {
            gate.recv().expect("the gate opens");
            note(&cancel_log, "cancelled");
        });
        let pause = move || {
            note(&pause_log, "paused");
            true
        };
        assert!(
            !cancellation.replace_with_pause(pause, Duration::from_millis(50)),
            "nobody waits longer"
        );
        open_gate.send(()).expect("the request waits");
        assert_eq!(order.recv_timeout(LONG_TIMEOUT), Ok("cancelled"));
        assert_eq!(order.recv_timeout(LONG_TIMEOUT), Ok("paused"));
    }

    #[test]
    fn a_refused_pause_leaves_the_run_cancelled() {
        assert!(Cancellation::send(|| {}).replace_with_pause(|| true, LONG_TIMEOUT));
        assert!(!Cancellation::send(|| {}).replace_with_pause(|| false, LONG_TIMEOUT));
    }
}
