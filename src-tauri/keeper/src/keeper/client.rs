//! One connection to the keeper. Never blocks, and the session does not depend on it.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::protocol::{Event, Request};

/// The milliseconds between two [`Event::Grew`].
const GROWTH_INTERVAL_MS: u64 = 10;
/// A short delay, so that a program which prints once and exits causes one event instead of two.
const GROWTH_DELAY_MS: u64 = 2;
/// A longer line cannot be a valid request.
const MAX_REQUEST_LINE: usize = 64 * 1024 * 1024;
/// A client with this many unread bytes has stopped reading.
const MAX_UNREAD: usize = 1024 * 1024;
/// How long the keeper waits to deliver its last event.
const LAST_EVENT_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Client {
    stream: UnixStream,
    inbox: Vec<u8>,
    outbox: Vec<u8>,
    follows: bool,
    reported: (u64, u64),
    reported_at: u64,
    grown_at: Option<u64>,
    gone: bool,
}

impl Client {
    /// Wraps a connection; `None` if it cannot be made non-blocking.
    pub(super) fn new(stream: UnixStream, follows: bool) -> Option<Client> {
        stream.set_nonblocking(true).ok()?;
        Some(Client {
            stream,
            inbox: Vec::new(),
            outbox: Vec::new(),
            follows,
            reported: (0, 0),
            reported_at: 0,
            grown_at: None,
            gone: false,
        })
    }

    /// Whether the client has disconnected.
    pub(super) fn is_gone(&self) -> bool {
        self.gone
    }

    /// Whether events wait to be sent.
    pub(super) fn wants_to_write(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Starts sending growth events.
    pub(super) fn follow(&mut self) {
        self.follows = true;
    }

    /// Sends an event now, or when the socket is writable.
    pub(super) fn send(&mut self, event: &Event) {
        if let Event::Hello { stdout, stderr, .. } = event {
            self.reported = (*stdout, *stderr);
        }
        self.outbox.extend_from_slice(&event.to_line());
        self.write();
    }

    /// Records the current length of the output.
    pub(super) fn note(&mut self, stored: (u64, u64), now: u64) {
        if self.follows && stored != self.reported {
            self.grown_at.get_or_insert(now);
        }
    }

    /// When [`Client::tick`] has to be called next.
    pub(super) fn due(&self) -> Option<u64> {
        let grown_at = self.grown_at.filter(|_| self.outbox.is_empty())?;
        Some((grown_at + GROWTH_DELAY_MS).max(self.reported_at + GROWTH_INTERVAL_MS))
    }

    /// Sends a growth event if one is due.
    pub(super) fn tick(&mut self, stored: (u64, u64), now: u64) {
        if self.due().is_some_and(|due| now >= due) {
            (self.reported, self.reported_at, self.grown_at) = (stored, now, None);
            self.send(&Event::Grew {
                stdout: stored.0,
                stderr: stored.1,
            });
        }
    }

    /// Reads what is available, and returns the complete lines; `Err` for a line that is not a
    /// request.
    pub(super) fn read(&mut self) -> Vec<Result<Request, serde_json::Error>> {
        let mut chunk = [0; 4 * 1024];
        let seen = self.inbox.len();
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => self.gone = true,
                Ok(length) => {
                    self.inbox.extend_from_slice(&chunk[..length]);
                    if length == chunk.len() && self.inbox.len() < MAX_REQUEST_LINE {
                        continue;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => self.gone = true,
            }
            break;
        }
        let end = self.inbox[seen..].iter().rposition(|byte| *byte == b'\n');
        let lines = end.map_or(0, |end| seen + end + 1);
        let whole: Vec<u8> = self.inbox.drain(..lines).collect();
        self.gone |= self.inbox.len() >= MAX_REQUEST_LINE;
        let lines = whole
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        lines.map(serde_json::from_slice).collect()
    }

    /// Sends queued events as far as the socket accepts them.
    pub(super) fn write(&mut self) {
        while !self.outbox.is_empty() && !self.gone {
            match self.stream.write(&self.outbox) {
                Ok(length) => drop(self.outbox.drain(..length)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.gone = true,
            }
        }
        self.gone |= self.outbox.len() > MAX_UNREAD;
    }

    /// Sends the last event. A client that does not read it soon finds the same in `exit.json`.
    pub(super) fn send_last(mut self, event: &Event) {
        if self.outbox.is_empty() {
            self.send(event);
        } else {
            self.outbox.extend_from_slice(&event.to_line());
        }
        if self.outbox.is_empty() || self.gone {
            return;
        }
        let patient = self
            .stream
            .set_nonblocking(false)
            .and_then(|()| self.stream.set_write_timeout(Some(LAST_EVENT_TIMEOUT)));
        if patient.is_ok() {
            drop(self.stream.write_all(&self.outbox));
        }
    }
}

impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
