//! A blocking client for a keeper's socket. For async code use the stream with the lines of
//! [`Request::to_line`] and [`Event`].

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::liveness::{Liveness, liveness};
use crate::protocol::{Event, Request};
use crate::session_file;
use crate::unix::platform;

/// Why the communication with a keeper failed.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// Reading from the socket failed.
    #[error("the connection to the keeper failed")]
    Io(#[from] io::Error),
    /// The keeper sent a line that is not an event; it may be of another version.
    #[error("the keeper sent an invalid message")]
    Event(#[from] serde_json::Error),
}

/// How long a running keeper may take until it listens; on a busy machine it may not get the
/// processor for a while.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connects to the keeper of a session folder, however long its path is. Waits a moment for a
/// keeper that has only just started: it creates its socket only if the session outlasts the first
/// milliseconds.
///
/// Fails with `NotFound` or `ConnectionRefused` when no keeper listens; use [`crate::liveness()`]
/// to find out why.
pub fn connect(folder: &Path) -> io::Result<UnixStream> {
    let directory = File::open(folder)?;
    let socket = platform::path_in(directory.as_fd(), Path::new(crate::folder::SOCKET));
    let patience = Instant::now() + CONNECT_TIMEOUT;
    loop {
        match UnixStream::connect(&socket) {
            Err(error) => {
                match session_file::find_non_socket(&folder.join(crate::folder::SOCKET)) {
                    Some(other) => return Err(io::Error::other(other)),
                    None if is_too_early(&error, folder) && Instant::now() < patience => {
                        sleep(Duration::from_millis(5))
                    }
                    None => return Err(error),
                }
            }
            outcome => return outcome,
        }
    }
}

fn is_too_early(error: &io::Error, folder: &Path) -> bool {
    // Refused: the socket is bound, but the keeper no longer listens on it yet.
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused
    ) && matches!(liveness(folder), Ok(Liveness::Running(_)))
}

/// A client's connection to a keeper.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<UnixStream>,
    /// The start of an event that was incomplete at the last timeout.
    begun: Vec<u8>,
}

impl Connection {
    /// Connects to the keeper of a session folder; see [`connect`].
    pub fn open(folder: &Path) -> io::Result<Connection> {
        Ok(Connection::new(connect(folder)?))
    }

    /// Uses a stream that is already connected, such as the one of [`crate::spawn()`].
    pub fn new(stream: UnixStream) -> Connection {
        Connection {
            stream: BufReader::new(stream),
            begun: Vec::new(),
        }
    }

    /// Sends a request without waiting for an answer.
    pub fn send(&mut self, request: &Request) -> io::Result<()> {
        self.stream.get_mut().write_all(&request.to_line())
    }

    /// Waits for the next event; `None` when the keeper has closed the connection.
    ///
    /// An error of kind `WouldBlock` means that the timeout of [`Connection::set_read_timeout`] has
    /// passed; nothing is lost, and the next call continues.
    pub fn receive(&mut self) -> Result<Option<Event>, ConnectionError> {
        let mut line = std::mem::take(&mut self.begun);
        match self.stream.read_until(b'\n', &mut line) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.begun = line;
                Err(error.into())
            }
            // The result when the keeper was killed, or ended while this connection was in its
            // queue.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(None),
            Err(error) => Err(error.into()),
            Ok(_) if line.last() != Some(&b'\n') => Ok(None),
            Ok(_) => Ok(Some(serde_json::from_slice(&line)?)),
        }
    }

    /// The underlying stream. Events that were read but not yet received are lost.
    pub fn into_stream(self) -> UnixStream {
        self.stream.into_inner()
    }

    /// Limits how long [`Connection::receive`] waits; see [`UnixStream::set_read_timeout`].
    pub fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        self.stream.get_ref().set_read_timeout(timeout)
    }
}
