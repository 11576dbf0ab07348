//! The socket through which processes in sessions reach Baton. It is the only part of the data
//! directory that sessions can access besides their own folder.
//!
//! The caller is identified by the kernel, not by what it claims: it is the session among the
//! ancestors of the process on the other end. Both directions use one JSON object per line; see
//! [`Request`] and [`Response`].

use std::collections::HashMap;
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use baton_keeper::Lineage;
use baton_model::RunId;
use baton_model::run::Command;
use baton_store::Actor;
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::app::{AppInner, WeakApp};
use crate::{ApiError, Code, caller_identity, operations};

/// Name of the folder with sockets in a data directory.
pub const SOCKETS_FOLDER: &str = "requests";
/// Maximum size of a request in bytes.
const MAX_REQUEST_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum number of simultaneous connections per session.
const MAX_CONNECTIONS_PER_SESSION: usize = 8;
/// How long a connection may stay silent before its request.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a client tries to find a listening Baton.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a request may wait for an event.
const MAX_EVENT_WAIT: Duration = Duration::from_secs(60);
const CONNECT_RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// A request from a process of a session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    Operation {
        name: String,
        input: Value,
    },
    /// Waits until a run started by this connection is idle or has ended. If the connection closes
    /// first, the run is canceled.
    Rest {
        run: RunId,
    },
    /// Waits until the last event of a run that the session may read is another one than `after`,
    /// or the time is over.
    RunEvent {
        run: RunId,
        after: u64,
        time_ms: u64,
    },
}

/// The response to a request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Response {
    /// The result of the operation.
    Answer(Value),
    /// Why the operation failed.
    Error(ApiError),
}

/// Returns whether this process runs in a session of `data_directory`, so that it can reach Baton
/// only through a [`SessionClient`].
#[must_use]
pub fn runs_inside_session(data_directory: &Path) -> bool {
    caller_identity::own_lineage(data_directory) != Lineage::Outside
}

impl AppInner {
    /// Starts accepting connections from sessions of this data directory.
    pub(crate) fn open_session_socket(&self) {
        self.session_socket.get_or_init(|| {
            match listen(
                &self.store.data_dir().join(SOCKETS_FOLDER),
                self.downgrade(),
            ) {
                Ok(socket) => Some(socket),
                Err(error) => {
                    tracing::error!(%error, "couldn't open the socket for sessions");
                    None
                }
            }
        });
    }

    pub(crate) fn close_session_socket(&self) {
        if let Some(Some(socket)) = self.session_socket.get() {
            drop(fs::remove_file(socket));
        }
    }

    /// Waits until this process has nothing more to do for `run`.
    pub fn wait_for_run(&self, run: RunId) -> Result<(), ApiError> {
        // The process that executes a run also serves its sessions.
        self.open_session_socket();
        self.engine.wait(run).map_err(ApiError::from)
    }
}

fn listen(folder: &Path, app: WeakApp) -> io::Result<PathBuf> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    remove_stale_sockets(folder)?;
    let name = format!("{}.sock", Uuid::new_v4());
    let listener = UnixListener::bind(short_path(&File::open(folder)?, &name))?;
    let counts = ConnectionCounts::default();
    thread::Builder::new()
        .name("session-socket".to_owned())
        .spawn(move || {
            for stream in listener.incoming() {
                let (Ok(stream), Some(_)) = (stream, app.upgrade()) else {
                    return;
                };
                accept_connection(stream, &app, &counts);
            }
        })?;
    Ok(folder.join(name))
}

/// Removes sockets on which no process listens any more.
fn remove_stale_sockets(folder: &Path) -> io::Result<()> {
    let directory = File::open(folder)?;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let connected = UnixStream::connect(short_path(&directory, &name.to_string_lossy()));
        if connected.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
            drop(fs::remove_file(folder.join(name)));
        }
    }
    Ok(())
}

/// A path within the limit of 107 bytes for a socket, however long the folder's own path is.
fn short_path(folder: &File, name: &str) -> PathBuf {
    Path::new("/proc/self/fd")
        .join(folder.as_raw_fd().to_string())
        .join(name)
}

/// The number of connections of each session.
#[derive(Clone, Default)]
struct ConnectionCounts(Arc<Mutex<HashMap<Actor, usize>>>);

impl ConnectionCounts {
    fn lock(&self) -> MutexGuard<'_, HashMap<Actor, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, actor: &Actor) -> bool {
        let mut count = self.lock();
        let open = count.entry(actor.clone()).or_default();
        let has_room = *open < MAX_CONNECTIONS_PER_SESSION;
        *open += usize::from(has_room);
        has_room
    }

    fn remove(&self, actor: &Actor) {
        let mut count = self.lock();
        if let Some(open) = count.get_mut(actor) {
            *open -= 1;
        }
        count.retain(|_, open| *open > 0);
    }
}

/// Handles a connection from a session's process. Other connections are closed: a person needs no
/// socket.
fn accept_connection(stream: UnixStream, app: &WeakApp, counts: &ConnectionCounts) {
    let Some(actor) = app
        .upgrade()
        .and_then(|app| session_of(&stream, app.data_directory()))
    else {
        return;
    };
    if !counts.add(&actor) {
        return;
    }
    let (app, counts_there, caller) = (app.clone(), counts.clone(), actor.clone());
    let served = thread::Builder::new()
        .name("session".to_owned())
        .spawn(move || {
            if let Err(error) = serve(stream, &app, &caller) {
                tracing::debug!(%error, actor = %caller, "a session's connection ended");
            }
            counts_there.remove(&caller);
        });
    if served.is_err() {
        counts.remove(&actor);
    }
}

/// The session of the process on the other end.
fn session_of(stream: &UnixStream, data_directory: &Path) -> Option<Actor> {
    let peer = getsockopt(stream, PeerCredentials).ok()?;
    match caller_identity::lineage_of(peer.pid(), data_directory) {
        Lineage::Within(folder) => Some(caller_identity::session_actor(&folder)),
        Lineage::Outside | Lineage::Gone => None,
    }
}

fn serve(stream: UnixStream, app: &WeakApp, actor: &Actor) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE_TIMEOUT))?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    let mut started_run = None;
    loop {
        let mut line = Vec::new();
        reader
            .by_ref()
            .take(MAX_REQUEST_BYTES)
            .read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Ok(());
        }
        let response = match serde_json::from_slice(&line) {
            Ok(Request::Operation { name, input }) => {
                execute_operation(app, actor, &name, input, &mut started_run)
            }
            Ok(Request::Rest { run }) if started_run == Some(run) => {
                wait_for_run_to_rest(&mut reader, app, run)?
            }
            Ok(Request::RunEvent {
                run,
                after,
                time_ms,
            }) => wait_for_run_event(app, actor, run, after, Duration::from_millis(time_ms)),
            Ok(Request::Rest { .. }) => Response::Error(ApiError::new(
                Code::Forbidden,
                "this connection didn't start that run",
            )),
            Err(error) => Response::Error(ApiError::new(
                Code::BadInput,
                format!("invalid request: {error}"),
            )),
        };
        let mut text = serde_json::to_vec(&response)?;
        text.push(b'\n');
        writer.write_all(&text)?;
    }
}

fn execute_operation(
    app: &WeakApp,
    actor: &Actor,
    name: &str,
    input: Value,
    started_run: &mut Option<RunId>,
) -> Response {
    let Some(app) = app.upgrade().map(|app| app.acting_as(actor.clone())) else {
        return Response::Error(has_exited());
    };
    match operations::call(&app, name, input) {
        Ok(answer) => {
            if name == "run_start" {
                *started_run = answer
                    .pointer("/summary/id")
                    .and_then(|id| RunId::deserialize(id).ok());
            }
            Response::Answer(answer)
        }
        Err(error) => Response::Error(error),
    }
}

fn wait_for_run_event(
    app: &WeakApp,
    actor: &Actor,
    run: RunId,
    after: u64,
    time: Duration,
) -> Response {
    let Some(app) = app.upgrade().map(|app| app.acting_as(actor.clone())) else {
        return Response::Error(has_exited());
    };
    let waited = app.wait_for_run_event(run, after, time.min(MAX_EVENT_WAIT));
    waited.map_or_else(Response::Error, |()| Response::Answer(Value::Null))
}

fn has_exited() -> ApiError {
    ApiError::new(Code::Unavailable, "Baton has just exited").with_fix("try again")
}

/// Waits until a run is idle or has ended. If the caller disconnects first, because its session was
/// stopped, the run is canceled.
fn wait_for_run_to_rest(
    reader: &mut BufReader<UnixStream>,
    app: &WeakApp,
    run: RunId,
) -> io::Result<Response> {
    let Some(here) = app.upgrade() else {
        return Ok(Response::Error(has_exited()));
    };
    let stream = reader.get_ref().try_clone()?;
    stream.set_read_timeout(None)?;
    let at_rest = Arc::new(AtomicBool::new(false));
    let (canceler, is_over) = (app.clone(), Arc::clone(&at_rest));
    thread::Builder::new()
        .name("session-rest".to_owned())
        .spawn(move || {
            // The caller sends nothing while it waits, so a read returns only when the caller, or
            // the code below, closes the connection.
            let gone = matches!((&stream).read(&mut [0]), Ok(0));
            if let (true, false, Some(app)) =
                (gone, is_over.load(Ordering::SeqCst), canceler.upgrade())
                && let Err(error) = app.engine.command(run, Command::Cancel, Actor::Baton)
            {
                tracing::warn!(%run, %error, "couldn't cancel a run whose session ended");
            }
        })?;
    let rested = here.wait_for_run(run);
    at_rest.store(true, Ordering::SeqCst);
    // Ends the thread above, and with it this connection.
    reader.get_ref().shutdown(std::net::Shutdown::Read)?;
    Ok(rested.map_or_else(Response::Error, |()| Response::Answer(Value::Null)))
}

/// A client for processes in a session.
pub struct SessionClient {
    data_directory: PathBuf,
    /// The connection that started a run, kept until the run is idle or has ended.
    connection: Option<BufReader<UnixStream>>,
}

impl SessionClient {
    /// Creates a client in a session of `data_directory`.
    #[must_use]
    pub fn new(data_directory: PathBuf) -> Self {
        Self {
            data_directory,
            connection: None,
        }
    }

    /// Runs the operation `name`, if this session may.
    pub fn call(&mut self, name: &str, input: Value) -> Result<Value, ApiError> {
        self.connection = Some(self.connect()?);
        self.send(&Request::Operation {
            name: name.to_owned(),
            input,
        })
    }

    /// Waits until a run started by the last call is idle or has ended.
    pub fn wait_for_run(&mut self, run: RunId) -> Result<(), ApiError> {
        self.send(&Request::Rest { run }).map(|_| ())
    }

    /// Waits until the last event of `run` is another one than `after`, or `timeout` is over: at
    /// most a minute.
    pub fn wait_for_run_event(
        &mut self,
        run: RunId,
        after: u64,
        timeout: Duration,
    ) -> Result<(), ApiError> {
        self.connection = Some(self.connect()?);
        let time_ms = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        self.send(&Request::RunEvent {
            run,
            after,
            time_ms,
        })
        .map(|_| ())
    }

    fn send(&mut self, request: &Request) -> Result<Value, ApiError> {
        let broken = |error: io::Error| unreachable_error(&error);
        let mut text = serde_json::to_vec(request).map_err(|error| broken(error.into()))?;
        text.push(b'\n');
        let connection = self
            .connection
            .as_mut()
            .ok_or_else(|| broken(io::ErrorKind::NotConnected.into()))?;
        connection.get_mut().write_all(&text).map_err(broken)?;
        let mut line = Vec::new();
        connection.read_until(b'\n', &mut line).map_err(broken)?;
        match serde_json::from_slice(&line).map_err(|error| broken(error.into()))? {
            Response::Answer(answer) => Ok(answer),
            Response::Error(error) => Err(error),
        }
    }

    /// Connects to any listening Baton. Retries, because the one that executes this session may be
    /// restarting.
    fn connect(&self) -> Result<BufReader<UnixStream>, ApiError> {
        let end = Instant::now() + CONNECT_TIMEOUT;
        loop {
            match self.connect_to_any() {
                Ok(stream) => return Ok(BufReader::new(stream)),
                Err(error) if Instant::now() >= end => return Err(unreachable_error(&error)),
                Err(_) => thread::sleep(CONNECT_RETRY_INTERVAL),
            }
        }
    }

    fn connect_to_any(&self) -> io::Result<UnixStream> {
        let folder = self.data_directory.join(SOCKETS_FOLDER);
        let directory = File::open(&folder)?;
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for entry in fs::read_dir(&folder)? {
            match UnixStream::connect(short_path(
                &directory,
                &entry?.file_name().to_string_lossy(),
            )) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

fn unreachable_error(error: &io::Error) -> ApiError {
    let message = format!("can't connect to Baton from this session: {error}");
    ApiError::new(Code::Unavailable, message)
}
