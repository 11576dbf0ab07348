//! All events that matter while following a run, in one queue.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::{io, thread};

use baton_api::wire::{Change, RunRef, RunSummary};
use baton_api::{ApiError, App};
use baton_model::RunId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::cancellation::Cancellation;
use crate::client::ask;
use crate::failure::Failure;

/// Minimum time between two change messages. A run with many short nodes can change a thousand
/// times per second, and reading the history costs as much as running such a node.
const MIN_CHANGE_INTERVAL: Duration = Duration::from_millis(50);

pub(super) enum Message {
    /// The run's history may have grown.
    Changed,
    /// This process has nothing left to do for the run.
    Idle,
    /// This process received a signal.
    Signal(Signal),
    /// The cancellation was refused.
    CancelFailed(ApiError),
    /// A line from standard input.
    Line(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// SIGINT: a person pressed Ctrl+C.
    Interrupt,
    /// SIGTERM, or SIGHUP after the terminal closed.
    Terminate,
}

pub(super) struct MessageQueue {
    messages: Receiver<Message>,
    sender: Sender<Message>,
    is_reading_stdin: bool,
    waiting: Option<Message>,
    next_change_at: Instant,
}

impl MessageQueue {
    /// Opens a queue for changes of `run` and, if `with_sub_plans`, of all runs; for its end in
    /// this process; and for signals.
    pub(super) fn open(app: Arc<App>, run: RunId, with_sub_plans: bool) -> Result<Self, Failure> {
        let (sender, messages) = channel();
        watch_signals(sender.clone()).map_err(|source| Failure::System {
            doing: "listen for Ctrl+C",
            source,
        })?;
        watch_changes(&app, run, with_sub_plans, sender.clone());
        watch_idle(app, run, sender.clone());
        Ok(Self::new(sender, messages))
    }

    fn new(sender: Sender<Message>, messages: Receiver<Message>) -> Self {
        Self {
            messages,
            sender,
            is_reading_stdin: false,
            waiting: None,
            next_change_at: Instant::now(),
        }
    }

    /// Waits for the next message. Changes in quick succession become one message; other messages
    /// are not delayed.
    pub(super) fn next(&mut self) -> Message {
        // The queue holds a sender itself, so the channel never closes.
        let first = self
            .waiting
            .take()
            .or_else(|| self.messages.recv().ok())
            .unwrap_or(Message::Idle);
        if matches!(first, Message::Changed) {
            self.coalesce_changes();
        }
        first
    }

    /// Waits up to `timeout` for a signal and discards other messages.
    pub(super) fn signal_within(&mut self, timeout: Duration) -> Option<Signal> {
        let deadline = Instant::now() + timeout;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let next = self
                .waiting
                .take()
                .or_else(|| self.messages.recv_timeout(left).ok())?;
            if let Message::Signal(signal) = next {
                return Some(signal);
            }
        }
    }

    fn coalesce_changes(&mut self) {
        while self.waiting.is_none() {
            let timeout = self
                .next_change_at
                .saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(timeout) {
                Ok(Message::Changed) => {}
                Ok(other) => self.waiting = Some(other),
                Err(_) => break,
            }
        }
        self.next_change_at = Instant::now() + MIN_CHANGE_INTERVAL;
    }

    /// Starts to read lines from standard input, once.
    pub(super) fn read_answers(&mut self) {
        if std::mem::replace(&mut self.is_reading_stdin, true) {
            return;
        }
        let sender = self.sender.clone();
        thread::spawn(move || {
            for line in io::stdin().lines().map_while(Result::ok) {
                if sender.send(Message::Line(line)).is_err() {
                    return;
                }
            }
        });
    }

    /// Requests cancellation of the run. A refusal arrives as [`Message::CancelFailed`].
    pub(super) fn cancel(&self, app: Arc<App>, run: RunId) -> Cancellation {
        let sender = self.sender.clone();
        Cancellation::send(move || {
            let cancelled: Result<RunSummary, ApiError> = ask(&app, "run_cancel", &RunRef { run });
            if let Err(error) = cancelled {
                // The receiver may be gone.
                sender
                    .send(Message::CancelFailed(error))
                    .unwrap_or_default();
            }
        })
    }
}

fn watch_changes(app: &App, run: RunId, with_sub_plans: bool, sender: Sender<Message>) {
    let changes = app.changes();
    thread::spawn(move || {
        while let Some(change) = changes.recv() {
            let concerns = match change {
                Change::Run { run: changed, .. } => with_sub_plans || changed == run,
                Change::All => true,
                _ => false,
            };
            if concerns && sender.send(Message::Changed).is_err() {
                return;
            }
        }
    });
}

fn watch_idle(app: Arc<App>, run: RunId, sender: Sender<Message>) {
    thread::spawn(move || {
        // An error is also part of the run's state, which the follower reads.
        drop(app.wait_for_run(run));
        sender.send(Message::Idle).unwrap_or_default();
    });
}

fn watch_signals(sender: Sender<Message>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for number in &mut signals {
            let signal = if number == SIGINT {
                Signal::Interrupt
            } else {
                Signal::Terminate
            };
            if sender.send(Message::Signal(signal)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> (Sender<Message>, MessageQueue) {
        let (sender, messages) = channel();
        (sender.clone(), MessageQueue::new(sender, messages))
    }

    #[test]
    fn changes_are_coalesced_in_order() {
        let (sender, mut queue) = queue();
        let messages = [
            Message::Changed,
            Message::Changed,
            Message::Idle,
            Message::Changed,
        ];
        messages
            .into_iter()
            .for_each(|message| sender.send(message).expect("the queue is open"));
        assert!(matches!(queue.next(), Message::Changed));
        assert!(matches!(queue.next(), Message::Idle));
        assert!(
            matches!(queue.next(), Message::Changed),
            "a change after the end is reported separately"
        );
    }

    #[test]
    fn signal_is_found_among_changes_or_times_out() {
        let (sender, mut queue) = queue();
        let messages = [
            Message::Changed,
            Message::Idle,
            Message::Signal(Signal::Terminate),
            Message::Changed,
        ];
        messages
            .into_iter()
            .for_each(|message| sender.send(message).expect("the queue is open"));
        assert_eq!(
            queue.signal_within(Duration::from_secs(60)),
            Some(Signal::Terminate)
        );
        assert_eq!(queue.signal_within(Duration::ZERO), None);
    }

    #[test]
    fn change_is_delayed_but_a_signal_is_not() {
        let (sender, mut queue) = queue();
        sender.send(Message::Changed).expect("the queue is open");
        assert!(matches!(queue.next(), Message::Changed));
        queue.next_change_at = Instant::now() + Duration::from_secs(3600);
        sender.send(Message::Changed).expect("the queue is open");
        sender
            .send(Message::Signal(Signal::Interrupt))
            .expect("the queue is open");
        assert!(
            matches!(queue.next(), Message::Changed),
            "the delay of an hour was interrupted"
        );
        assert!(matches!(queue.next(), Message::Signal(Signal::Interrupt)));
    }
}
