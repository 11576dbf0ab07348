//! A client's end of a keeper's socket, blocking. For another runtime take the stream and the lines of
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

/// Why a conversation with a keeper broke off.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// The socket failed.
    #[error("talk to the keeper")]
    Io(#[from] io::Error),
    /// The keeper said something that is no event; it may be of another version.
    #[error("understand the keeper")]
    Event(#[from] serde_json::Error),
}

/// How long a keeper that runs may take until it listens: one that is not given the processor is still a keeper.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connects to the keeper of a session folder, however long its path is. Waits a moment for a keeper that has only just
/// started: it makes its socket when the session turns out not to be a very short one.
///
/// Fails with `NotFound` or `ConnectionRefused` when no keeper listens: [`crate::liveness()`] tells why.
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

/// Whether somebody listens on the socket of a session folder at this moment.
pub(crate) fn is_listening(folder: &Path) -> bool {
    let Ok(directory) = File::open(folder) else {
        return false;
    };
    UnixStream::connect(platform::path_in(
        directory.as_fd(),
        Path::new(crate::folder::SOCKET),
    ))
    .is_ok()
}

fn is_too_early(error: &io::Error, folder: &Path) -> bool {
    // Refused: the socket is bound, but nobody listens on it yet.
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused
    ) && matches!(liveness(folder), Ok(Liveness::Running(_)))
}

/// A client's connection to a keeper.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<UnixStream>,
    /// The beginning of an event whose rest had not come when patience ran out.
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

    /// Sends a request; does not wait for an answer.
    pub fn send(&mut self, request: &Request) -> io::Result<()> {
        self.stream.get_mut().write_all(&request.to_line())
    }

    /// Waits for the next event; `None` when the keeper has closed the connection.
    ///
    /// An error of the kind `WouldBlock` says that a timeout of [`Connection::set_read_timeout`] has passed;
    /// nothing is lost, and the next call goes on.
    pub fn receive(&mut self) -> Result<Option<Event>, ConnectionError> {
        let mut line = std::mem::take(&mut self.begun);
        match self.stream.read_until(b'\n', &mut line) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.begun = line;
                Err(error.into())
            }
            // A keeper that was killed, or that ended while we were in its queue, says so in this way.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(None),
            Err(error) => Err(error.into()),
            Ok(_) if line.last() != Some(&b'\n') => Ok(None),
            Ok(_) => Ok(Some(serde_json::from_slice(&line)?)),
        }
    }

    /// The stream itself, for a caller with its own way of reading. Events read but not yet received are lost.
    pub fn into_stream(self) -> UnixStream {
        self.stream.into_inner()
    }

    /// Limits how long [`Connection::receive`] waits; see [`UnixStream::set_read_timeout`].
    pub fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        self.stream.get_ref().set_read_timeout(timeout)
    }
}
