//! The keeper itself: one loop around `poll`, no threads. [`termination`] decides how a session
//! ends; this file and its other submodules carry that out.

mod client;
mod output;
mod peer_policy;
mod program;
mod session;
mod stdin_writer;
mod termination;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use baton_secrets::Secrets;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::stat::Mode;
use nix::sys::time::TimeValLike as _;
use nix::unistd::Pid;

use crate::claim::Claim;
use crate::exit::{Cause, Ending, Exit, NotStarted, ReservedExitRecord};
use crate::launch::{Launch, Stdin};
use crate::protocol::Event;
use crate::sandbox::Confinement;
use crate::umask;
use crate::unix::platform::{self, Signals};

use client::Client;
use output::{Output, unix_ms};
use peer_policy::PeerPolicy;
use program::{Ends, StartError};
use session::Session;
use stdin_writer::StdinWriter;

/// Overrides how long a keeper waits on a full disk (30,000 ms). For tests.
pub const DISK_WAIT_VARIABLE: &str = "BATON_KEEPER_DISK_WAIT_MS";
/// Overrides how long processes that a program left running may take to end (200 ms). For tests.
pub const LINGER_VARIABLE: &str = "BATON_KEEPER_LINGER_MS";

/// Why a keeper could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    /// Another keeper owns the session; this one has changed nothing.
    #[error("another keeper has claimed the session")]
    Claimed,
    /// Nothing was started, and the folder is unclaimed again: a retry is possible.
    #[error("the session couldn't be started")]
    NotBegun(#[source] io::Error),
    /// The session is over, but its record could not be written: it will count as lost.
    #[error("the end of the session couldn't be recorded")]
    Unrecorded(#[source] io::Error),
}

/// Runs the session of a folder from the claim to the exit record. Changes this process permanently
/// (current folder, signals, session id, umask), so it needs a process of its own: see
/// [`crate::spawn()`].
pub fn run_keeper(folder: &Path) -> Result<(), KeeperError> {
    let started_ms = unix_ms();
    let peer_policy = PeerPolicy::of(folder);
    // Only the user may access the keeper's own files and its socket.
    let mask = umask::for_program(nix::sys::stat::umask(Mode::S_IRWXG | Mode::S_IRWXO));
    let (signals, home) = prepare(folder).map_err(KeeperError::NotBegun)?;
    // Held until the record is written: other processes test the lock to see whether this one
    // lives.
    let _claim = Claim::take().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => KeeperError::Claimed,
        _ => KeeperError::NotBegun(error),
    })?;
    let reserve = ReservedExitRecord::take().map_err(give_up)?;
    let app = app();
    match begin(&home, mask) {
        Ok((launch, (pid, confinement, spawned), output, feed)) => {
            let mut session = Session::new(
                &launch,
                (pid, spawned),
                (output, feed),
                signals,
                (app, peer_policy),
            );
            session.run();
            let (end, clients, late_listener) = session.end();
            record_and_disconnect(
                reserve,
                Exit {
                    confinement,
                    ..record(end, pid, started_ms)
                },
                clients,
                late_listener,
            )
        }
        Err(StartFailure(reason, detail)) => {
            let end = End {
                ending: Ending::NotStarted { reason, detail },
                ..End::default()
            };
            record_and_disconnect(
                reserve,
                Exit {
                    pid: None,
                    ..record(end, Pid::from_raw(0), started_ms)
                },
                app.into_iter().collect(),
                None,
            )
        }
    }
}

/// The facts about a finished session.
#[derive(Debug)]
struct End {
    ending: Ending,
    cause: Option<Cause>,
    worked_ms: Option<u64>,
    stored: (u64, u64),
    left_behind: u32,
    survivors: u32,
}

impl Default for End {
    fn default() -> Self {
        End {
            ending: Ending::Survived,
            cause: None,
            worked_ms: None,
            stored: (0, 0),
            left_behind: 0,
            survivors: 0,
        }
    }
}

struct StartFailure(NotStarted, String);

impl From<StartError> for StartFailure {
    fn from(error: StartError) -> Self {
        StartFailure(error.reason(), program::detail(&error))
    }
}

impl From<io::Error> for StartFailure {
    fn from(error: io::Error) -> Self {
        StartFailure(NotStarted::Other, error.to_string())
    }
}

fn prepare(folder: &Path) -> io::Result<(Signals, File)> {
    let signals = Signals::block()?;
    // Fails for a process group leader, as under a shell: then a new session is not needed, since
    // the terminal's signals are blocked.
    let _ = nix::unistd::setsid();
    platform::adopt_orphans()?;
    std::env::set_current_dir(folder)?;
    Ok((signals, File::open(".")?))
}

fn give_up(error: io::Error) -> KeeperError {
    drop(std::fs::remove_file(crate::folder::EXIT_TEMP));
    Claim::release();
    KeeperError::NotBegun(error)
}

/// The connection that the app passed as the keeper's stdin.
fn app() -> Option<Client> {
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    let stream = UnixStream::from(stdin);
    stream.local_addr().ok()?;
    Client::new(stream, true)
}

/// A program that was started, and when: just before the spawn.
type Started = (Pid, Confinement, Instant);

fn begin(home: &File, mask: Mode) -> Result<(Launch, Started, Output, StdinWriter), StartFailure> {
    let launch = Launch::read(Path::new(".")).map_err(|error| {
        let why = std::error::Error::source(&error)
            .map(ToString::to_string)
            .unwrap_or_default();
        StartFailure(NotStarted::LaunchUnreadable, format!("{error}: {why}"))
    })?;
    let (stdout, stdout_end) = io::pipe()?;
    let (stderr, stderr_end) = io::pipe()?;
    let (stdin_end, feed) = match launch.stdin {
        Stdin::Null => (
            OwnedFd::from(File::open("/dev/null")?),
            StdinWriter::new(None),
        ),
        Stdin::Pipe => {
            let (end, stdin) = io::pipe()?;
            never_block(&stdin)?;
            (OwnedFd::from(end), StdinWriter::new(Some(stdin)))
        }
    };
    never_block(&stdout)?;
    never_block(&stderr)?;
    let secrets = Secrets::from_environment(
        launch
            .env
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str())),
    );
    let output = Output::new(stdout, stderr, &secrets, launch.stdin == Stdin::Pipe);
    let ends = Ends {
        stdin: stdin_end.as_fd(),
        stdout: stdout_end.as_fd(),
        stderr: stderr_end.as_fd(),
    };
    let own_mask = nix::sys::stat::umask(mask);
    // Before the spawn, so that the measured time is never shorter than the program's own.
    let spawned = Instant::now();
    let started = program::start(&launch, &ends, home);
    nix::sys::stat::umask(own_mask);
    let (pid, confinement) = started?;
    // The program has its environment by now, so the secrets can be removed from the disk. A full
    // disk keeps them.
    drop(launch.redact(&secrets));
    Ok((launch, (pid, confinement, spawned), output, feed))
}

/// Makes the keeper's end of a pipe non-blocking; the program's end has its own flag and does not
/// change.
fn never_block(end: &impl std::os::fd::AsFd) -> io::Result<()> {
    fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

fn record(end: End, pid: Pid, started_ms: u64) -> Exit {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok();
    let cpu = usage.map(|usage| (usage.user_time() + usage.system_time()).num_milliseconds());
    Exit {
        ending: end.ending,
        cause: end.cause,
        pid: Some(pid.as_raw()),
        started_ms,
        ended_ms: unix_ms(),
        worked_ms: end.worked_ms,
        stdout_bytes: end.stored.0,
        stderr_bytes: end.stored.1,
        left_behind: end.left_behind,
        survivors: end.survivors,
        max_rss_kb: usage.map_or(0, |usage| usage.max_rss().unsigned_abs()),
        cpu_ms: cpu.map_or(0, i64::unsigned_abs),
        confinement: Confinement::NotAsked,
    }
}

/// Writes the record first, and notifies clients then: a client that learns of the end, or finds no
/// socket, finds the record.
fn record_and_disconnect(
    reserve: ReservedExitRecord,
    exit: Exit,
    clients: Vec<Client>,
    late_listener: Option<session::LateListener>,
) -> Result<(), KeeperError> {
    reserve.fill(&exit).map_err(KeeperError::Unrecorded)?;
    let latecomers = late_listener
        .map(session::LateListener::close)
        .unwrap_or_default();
    let event = Event::Exited { exit };
    for client in clients.into_iter().chain(latecomers) {
        client.send_last(&event);
    }
    Ok(())
}
