//! Everything that can happen while a run is followed, in one queue.

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

/// The least time between two looks at the history: a run of many short nodes changes a thousand times in a second,
/// and to look costs as much as to run such a node.
const PACE: Duration = Duration::from_millis(50);

/// Something that happened.
pub(super) enum Message {
    /// The run's history may have grown.
    Changed,
    /// This process has nothing more to do for the run.
    Idle,
    /// The operating system passed something on.
    Signal(Signal),
    /// The wish to cancel was refused.
    NotCancelled(ApiError),
    /// A person typed a line.
    Said(String),
}

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// A person pressed Ctrl+C.
    Interrupt,
    /// The process shall end; also when its terminal is gone.
    Terminate,
}

/// The queue.
pub(super) struct Inbox {
    messages: Receiver<Message>,
    sender: Sender<Message>,
    listens_to_person: bool,
    waiting: Option<Message>,
    next_look: Instant,
}

impl Inbox {
    /// A queue that hears of changes of `run`, also of those below it where there are some, of its rest, and of signals.
    pub(super) fn open(app: Arc<App>, run: RunId, with_others: bool) -> Result<Self, Failure> {
        let (sender, messages) = channel();
        watch_signals(sender.clone()).map_err(|source| Failure::System {
            doing: "listen to Ctrl+C",
            source,
        })?;
        watch_changes(&app, run, with_others, sender.clone());
        watch_rest(app, run, sender.clone());
        Ok(Self::of(sender, messages))
    }

    fn of(sender: Sender<Message>, messages: Receiver<Message>) -> Self {
        Self {
            messages,
            sender,
            listens_to_person: false,
            waiting: None,
            next_look: Instant::now(),
        }
    }

    /// Waits for the next message. Several pieces of news that come at once, or soon after the last, are one; nothing
    /// else has to wait for them.
    pub(super) fn next(&mut self) -> Message {
        // The queue holds a sender itself, so the channel never closes.
        let first = self
            .waiting
            .take()
            .or_else(|| self.messages.recv().ok())
            .unwrap_or(Message::Idle);
        if matches!(first, Message::Changed) {
            self.gather_changes();
        }
        first
    }

    /// Waits so long for a signal. What else happens meanwhile is no news any more.
    pub(super) fn signal_within(&mut self, patience: Duration) -> Option<Signal> {
        let deadline = Instant::now() + patience;
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

    fn gather_changes(&mut self) {
        while self.waiting.is_none() {
            let patience = self.next_look.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(patience) {
                Ok(Message::Changed) => {}
                Ok(other) => self.waiting = Some(other),
                Err(_) => break,
            }
        }
        self.next_look = Instant::now() + PACE;
    }

    /// Begins to read lines from standard input.
    pub(super) fn listen_to_person(&mut self) {
        if std::mem::replace(&mut self.listens_to_person, true) {
            return;
        }
        let sender = self.sender.clone();
        thread::spawn(move || {
            for line in io::stdin().lines().map_while(Result::ok) {
                if sender.send(Message::Said(line)).is_err() {
                    return;
                }
            }
        });
    }

    /// Asks to cancel the run. A refusal arrives as a message.
    pub(super) fn cancel(&self, app: Arc<App>, run: RunId) -> Cancellation {
        let sender = self.sender.clone();
        Cancellation::send(move || {
            let cancelled: Result<RunSummary, ApiError> = ask(&app, "run_cancel", &RunRef { run });
            if let Err(error) = cancelled {
                // The follower may be gone: then nobody waits for this.
                sender
                    .send(Message::NotCancelled(error))
                    .unwrap_or_default();
            }
        })
    }
}

fn watch_changes(app: &App, run: RunId, with_others: bool, sender: Sender<Message>) {
    let changes = app.changes();
    thread::spawn(move || {
        while let Some(change) = changes.recv() {
            let concerns = match change {
                Change::Run { run: changed, .. } => with_others || changed == run,
                Change::All => true,
                _ => false,
            };
            if concerns && sender.send(Message::Changed).is_err() {
                return;
            }
        }
    });
}

fn watch_rest(app: Arc<App>, run: RunId, sender: Sender<Message>) {
    thread::spawn(move || {
        // Why the work ended is in the run's state, which the follower reads.
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

    fn inbox() -> (Sender<Message>, Inbox) {
        let (sender, messages) = channel();
        (sender.clone(), Inbox::of(sender, messages))
    }

    #[test]
    fn many_changes_are_one_and_what_comes_after_them_is_heard_after_them() {
        let (sender, mut inbox) = inbox();
        let messages = [
            Message::Changed,
            Message::Changed,
            Message::Idle,
            Message::Changed,
        ];
        messages
            .into_iter()
            .for_each(|message| sender.send(message).expect("the inbox is open"));
        assert!(matches!(inbox.next(), Message::Changed));
        assert!(matches!(inbox.next(), Message::Idle));
        assert!(
            matches!(inbox.next(), Message::Changed),
            "what changed after the rest is news again"
        );
    }

    #[test]
    fn a_signal_is_heard_among_news_and_otherwise_the_time_runs_out() {
        let (sender, mut inbox) = inbox();
        let messages = [
            Message::Changed,
            Message::Idle,
            Message::Signal(Signal::Terminate),
            Message::Changed,
        ];
        messages
            .into_iter()
            .for_each(|message| sender.send(message).expect("the inbox is open"));
        assert_eq!(
            inbox.signal_within(Duration::from_secs(60)),
            Some(Signal::Terminate)
        );
        assert_eq!(inbox.signal_within(Duration::ZERO), None);
    }

    #[test]
    fn a_second_change_waits_and_a_signal_ends_the_wait() {
        let (sender, mut inbox) = inbox();
        sender.send(Message::Changed).expect("the inbox is open");
        assert!(matches!(inbox.next(), Message::Changed));
        inbox.next_look = Instant::now() + Duration::from_secs(3600);
        sender.send(Message::Changed).expect("the inbox is open");
        sender
            .send(Message::Signal(Signal::Interrupt))
            .expect("the inbox is open");
        assert!(
            matches!(inbox.next(), Message::Changed),
            "the wait of an hour was cut short"
        );
        assert!(matches!(inbox.next(), Message::Signal(Signal::Interrupt)));
    }
}
