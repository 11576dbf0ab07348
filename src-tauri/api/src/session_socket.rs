//! The way by which processes inside of sessions reach Baton: a socket in the data directory, the only part of it that
//! sessions see besides their own.
//!
//! Who calls is told by the kernel, not by the caller: the session above the process at the other end. One JSON object
//! a line goes each way, see [`Request`] and [`Response`].

use std::collections::HashMap;
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use baton_keeper::Lineage;
use baton_model::RunId;
use baton_model::run::Command;
use baton_store::{Actor, Store};
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::app::WeakApp;
use crate::{ApiError, Code, operation, origin};

/// The folder of the sockets, in a data directory.
pub const SOCKETS_FOLDER: &str = "requests";
/// The longest request in bytes.
const LONGEST: u64 = 64 * 1024 * 1024;
/// How many connections a session has at once.
const CONNECTIONS_OF_SESSION: usize = 8;
/// How long a connection may be silent before its request.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a caller looks for a Baton that listens.
const PATIENCE: Duration = Duration::from_secs(10);
const RETRY: Duration = Duration::from_millis(20);

/// What a process of a session asks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// To carry out an operation.
    Operation { name: String, input: Value },
    /// To tell when a run that this connection has begun is at rest. The run is cancelled when the connection ends first.
    Rest { run: RunId },
}

/// What it is answered.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Response {
    /// The answer of the operation.
    Answer(Value),
    /// Why there is none.
    Error(ApiError),
}

/// Whether this process runs in a session of `data_directory`, so that only a [`Caller`] leads to Baton.
#[must_use]
pub fn within_session(data_directory: &Path) -> bool {
    origin::own_lineage(data_directory) != Lineage::Outside
}

/// The listening end, once it is open.
#[derive(Default)]
pub(crate) struct SessionSocket {
    opened: OnceLock<Option<PathBuf>>,
}

impl SessionSocket {
    /// Listens from now on, until the app is gone.
    pub(crate) fn open(&self, store: &Store, app: WeakApp) {
        self.opened.get_or_init(
            || match listen(&store.data_dir().join(SOCKETS_FOLDER), app) {
                Ok(socket) => Some(socket),
                Err(error) => {
                    tracing::error!(%error, "sessions cannot reach Baton");
                    None
                }
            },
        );
    }

    /// Takes the socket away.
    pub(crate) fn close(&self) {
        if let Some(Some(socket)) = self.opened.get() {
            drop(fs::remove_file(socket));
        }
    }
}

fn listen(folder: &Path, app: WeakApp) -> io::Result<PathBuf> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    remove_silent(folder)?;
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
                receive(stream, &app, &counts);
            }
        })?;
    Ok(folder.join(name))
}

/// Removes the sockets on which nobody listens any more.
fn remove_silent(folder: &Path) -> io::Result<()> {
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

/// A path that fits into the 107 bytes that a socket's may have, however long the folder's is.
fn short_path(folder: &File, name: &str) -> PathBuf {
    Path::new("/proc/self/fd")
        .join(folder.as_raw_fd().to_string())
        .join(name)
}

/// How many connections each session has.
#[derive(Clone, Default)]
struct ConnectionCounts(Arc<Mutex<HashMap<Actor, usize>>>);

impl ConnectionCounts {
    fn count(&self) -> MutexGuard<'_, HashMap<Actor, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, actor: &Actor) -> bool {
        let mut count = self.count();
        let open = count.entry(actor.clone()).or_default();
        let has_room = *open < CONNECTIONS_OF_SESSION;
        *open += usize::from(has_room);
        has_room
    }

    fn remove(&self, actor: &Actor) {
        let mut count = self.count();
        if let Some(open) = count.get_mut(actor) {
            *open -= 1;
        }
        count.retain(|_, open| *open > 0);
    }
}

/// Takes a connection of a session's process. One of anybody else ends here: a person needs no socket.
fn receive(stream: UnixStream, app: &WeakApp, counts: &ConnectionCounts) {
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

/// The session of the process at the other end.
fn session_of(stream: &UnixStream, data_directory: &Path) -> Option<Actor> {
    let peer = getsockopt(stream, PeerCredentials).ok()?;
    match origin::lineage_of(peer.pid(), data_directory) {
        Lineage::Within(folder) => Some(origin::session_actor(&folder)),
        Lineage::Outside | Lineage::Gone => None,
    }
}

fn serve(stream: UnixStream, app: &WeakApp, actor: &Actor) -> io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    let mut begun = None;
    loop {
        let mut line = Vec::new();
        reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Ok(());
        }
        let response = match serde_json::from_slice(&line) {
            Ok(Request::Operation { name, input }) => {
                carry_out(app, actor, &name, input, &mut begun)
            }
            Ok(Request::Rest { run }) if begun == Some(run) => await_rest(&mut reader, app, run)?,
            Ok(Request::Rest { .. }) => Response::Error(ApiError::new(
                Code::Forbidden,
                "this connection has not begun that run",
            )),
            Err(error) => Response::Error(ApiError::new(
                Code::BadInput,
                format!("this is no request: {error}"),
            )),
        };
        let mut text = serde_json::to_vec(&response)?;
        text.push(b'\n');
        writer.write_all(&text)?;
    }
}

fn carry_out(
    app: &WeakApp,
    actor: &Actor,
    name: &str,
    input: Value,
    begun: &mut Option<RunId>,
) -> Response {
    let Some(app) = app.upgrade().map(|app| app.acting_as(actor.clone())) else {
        return Response::Error(
            ApiError::new(Code::Unavailable, "Baton has just ended").with_fix("ask again"),
        );
    };
    match operation::call(&app, name, input) {
        Ok(answer) => {
            if name == "run_start" {
                *begun = answer
                    .pointer("/summary/id")
                    .and_then(|id| RunId::deserialize(id).ok());
            }
            Response::Answer(answer)
        }
        Err(error) => Response::Error(error),
    }
}

/// Waits until a run is at rest. A caller that goes away first, because its session was stopped, takes the run with it.
fn await_rest(
    reader: &mut BufReader<UnixStream>,
    app: &WeakApp,
    run: RunId,
) -> io::Result<Response> {
    let Some(here) = app.upgrade() else {
        return Ok(Response::Error(
            ApiError::new(Code::Unavailable, "Baton has just ended").with_fix("ask again"),
        ));
    };
    let stream = reader.get_ref().try_clone()?;
    stream.set_read_timeout(None)?;
    let has_rested = Arc::new(AtomicBool::new(false));
    let (canceler, is_over) = (app.clone(), Arc::clone(&has_rested));
    thread::Builder::new()
        .name("session-rest".to_owned())
        .spawn(move || {
            // The caller says nothing while it waits, so that anything read is its end, or ours below.
            let gone = matches!((&stream).read(&mut [0]), Ok(0));
            if let (true, false, Some(app)) =
                (gone, is_over.load(Ordering::SeqCst), canceler.upgrade())
                && let Err(error) = app.engine.command(run, Command::Cancel, Actor::Baton)
            {
                tracing::warn!(%run, %error, "a run outlives the session that began it");
            }
        })?;
    let rested = here.wait_for_run(run);
    has_rested.store(true, Ordering::SeqCst);
    // Ends the thread above, and with it this connection.
    reader.get_ref().shutdown(std::net::Shutdown::Read)?;
    Ok(rested.map_or_else(Response::Error, |()| Response::Answer(Value::Null)))
}

/// The way of a process in a session to Baton.
pub struct Caller {
    data_directory: PathBuf,
    /// The connection that began a run, until that is at rest.
    connection: Option<BufReader<UnixStream>>,
}

impl Caller {
    /// A caller in a session of `data_directory`.
    #[must_use]
    pub fn new(data_directory: PathBuf) -> Self {
        Self {
            data_directory,
            connection: None,
        }
    }

    /// Carries out the operation `name` as far as this session may.
    pub fn call(&mut self, name: &str, input: Value) -> Result<Value, ApiError> {
        self.connection = Some(self.connect()?);
        self.send(&Request::Operation {
            name: name.to_owned(),
            input,
        })
    }

    /// Waits until a run that the last call began is at rest.
    pub fn wait_for_run(&mut self, run: RunId) -> Result<(), ApiError> {
        self.send(&Request::Rest { run }).map(|_| ())
    }

    fn send(&mut self, request: &Request) -> Result<Value, ApiError> {
        let broken = |error: io::Error| unreachable(&error);
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

    /// Connects to any Baton that listens; the one that executes this session may only just be starting again.
    fn connect(&self) -> Result<BufReader<UnixStream>, ApiError> {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.try_each() {
                Ok(stream) => return Ok(BufReader::new(stream)),
                Err(error) if Instant::now() >= end => return Err(unreachable(&error)),
                Err(_) => thread::sleep(RETRY),
            }
        }
    }

    fn try_each(&self) -> io::Result<UnixStream> {
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

fn unreachable(error: &io::Error) -> ApiError {
    let message = format!("no Baton can be reached from inside this session: {error}");
    ApiError::new(Code::Unavailable, message)
}
