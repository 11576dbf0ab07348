//! One connection to the keeper. Never blocks, and its end changes nothing.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::protocol::{Event, Request};

/// Between two [`Event::Grew`], in milliseconds.
const GROWTH_INTERVAL_MS: u64 = 10;
/// Growth is told a little late, so that a program which prints once and ends makes one event instead of two.
const GROWTH_DELAY_MS: u64 = 2;
/// A line longer than this is no request of ours.
const MAX_REQUEST_LINE: usize = 64 * 1024 * 1024;
/// A client that leaves so much unread is not reading.
const MAX_UNREAD: usize = 1024 * 1024;
/// How long the keeper stays to hand over its last event.
const LAST_EVENT_TIMEOUT: Duration = Duration::from_secs(1);

/// One connection to the keeper.
#[derive(Debug)]
pub(super) struct Client {
    stream: UnixStream,
    inbox: Vec<u8>,
    outbox: Vec<u8>,
    follows: bool,
    told: (u64, u64),
    told_at: u64,
    grown_at: Option<u64>,
    gone: bool,
}

impl Client {
    /// Takes over a connection; `None` when it cannot be made non-blocking.
    pub(super) fn new(stream: UnixStream, follows: bool) -> Option<Client> {
        stream.set_nonblocking(true).ok()?;
        Some(Client {
            stream,
            inbox: Vec::new(),
            outbox: Vec::new(),
            follows,
            told: (0, 0),
            told_at: 0,
            grown_at: None,
            gone: false,
        })
    }

    /// Whether the other end has left.
    pub(super) fn is_gone(&self) -> bool {
        self.gone
    }

    /// Whether events wait for room.
    pub(super) fn wants_to_write(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Starts telling about growth.
    pub(super) fn follow(&mut self) {
        self.follows = true;
    }

    /// Sends an event, now or when there is room.
    pub(super) fn send(&mut self, event: &Event) {
        if let Event::Hello { stdout, stderr, .. } = event {
            self.told = (*stdout, *stderr);
        }
        self.outbox.extend_from_slice(&event.to_line());
        self.write();
    }

    /// Notes how much output there is.
    pub(super) fn note(&mut self, stored: (u64, u64), now: u64) {
        if self.follows && stored != self.told {
            self.grown_at.get_or_insert(now);
        }
    }

    /// When [`Client::tick`] matters next.
    pub(super) fn due(&self) -> Option<u64> {
        let grown_at = self.grown_at.filter(|_| self.outbox.is_empty())?;
        Some((grown_at + GROWTH_DELAY_MS).max(self.told_at + GROWTH_INTERVAL_MS))
    }

    /// Tells about growth if that is due.
    pub(super) fn tick(&mut self, stored: (u64, u64), now: u64) {
        if self.due().is_some_and(|due| now >= due) {
            (self.told, self.told_at, self.grown_at) = (stored, now, None);
            self.send(&Event::Grew {
                stdout: stored.0,
                stderr: stored.1,
            });
        }
    }

    /// Reads what has come, and returns its whole lines; an `Err` stands for a line that is no request.
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

    /// Sends what waits.
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

    /// Sends the last event. A client that does not read it soon finds it in `exit.json`.
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
