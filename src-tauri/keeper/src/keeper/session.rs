//! A session while its program runs: waits for events and handles them.

use std::collections::HashSet;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixListener;
use std::time::Instant;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::client::Client;
use super::output::Output;
use super::peer_policy::PeerPolicy;
use super::stdin_writer::StdinWriter;
use super::termination::{Termination, TerminationAction, TerminationEvent};
use super::{DISK_WAIT_VARIABLE, End, LINGER_VARIABLE};
use crate::exit::{Cause, Ending};
use crate::folder;
use crate::input::Input;
use crate::launch::Launch;
use crate::protocol::{Event, Refusal, Request, SignalName, StallReason};
use crate::quote::{Quote, Quoted};
use crate::unix::platform::{Notice, Signals};
use crate::unix::process_tree;

/// How long to wait for space on a full disk, in milliseconds.
const DISK_WAIT_MS: u64 = 30_000;

/// When the socket is created, in milliseconds. The app that started the session has a connection
/// already, and a shorter session avoids creating and deleting the socket file, its most expensive
/// one.
const LISTEN_DELAY_MS: u64 = 20;

/// Accepts late connections while the exit record is written.
#[derive(Debug)]
pub(super) struct LateListener(UnixListener, PeerPolicy);

/// A session while its program runs.
#[derive(Debug)]
pub(super) struct Session {
    began: Instant,
    disk_wait: u64,
    mark: String,
    pid: Pid,
    spawned: Instant,
    worked_ms: Option<u64>,
    ending: Option<Ending>,
    childless: bool,
    termination: Termination,
    output: Output,
    stdin: StdinWriter,
    signals: Signals,
    listener: Option<UnixListener>,
    peer_policy: PeerPolicy,
    listen_due: Option<u64>,
    clients: Vec<Client>,
    left_behind: HashSet<(i32, u64)>,
    survivors: u32,
}

/// A source of events for `poll`.
#[derive(Debug, Clone, Copy)]
enum Source {
    Signals,
    Listener,
    Output(usize),
    Stdin,
    Client(usize),
}

impl Session {
    /// Takes over a program that was started just after `spawned`.
    pub(super) fn new(
        launch: &Launch,
        (pid, spawned): (Pid, Instant),
        (output, stdin): (Output, StdinWriter),
        signals: Signals,
        (app, peer_policy): (Option<Client>, PeerPolicy),
    ) -> Self {
        let overridden = |variable| {
            std::env::var(variable)
                .ok()
                .and_then(|text| text.parse().ok())
        };
        let mut termination = Termination::new(launch.timeout_ms, launch.grace_ms);
        if let Some(linger) = overridden(LINGER_VARIABLE) {
            termination = termination.with_linger(linger);
        }
        let mut session = Session {
            began: Instant::now(),
            disk_wait: overridden(DISK_WAIT_VARIABLE).unwrap_or(DISK_WAIT_MS),
            mark: launch.mark.clone(),
            pid,
            spawned,
            worked_ms: None,
            ending: None,
            childless: false,
            termination,
            output,
            stdin,
            signals,
            listener: None,
            peer_policy,
            listen_due: Some(LISTEN_DELAY_MS),
            clients: Vec::new(),
            left_behind: HashSet::new(),
            survivors: 0,
        };
        app.into_iter()
            .for_each(|client| session.add_client(client));
        for input in &launch.first_input {
            // No client waits for an answer, but a refusal is reported so that the message can be
            // sent again.
            if let refused @ Event::Refused { .. } = session.write_stdin(input.clone()) {
                session
                    .clients
                    .iter_mut()
                    .for_each(|client| client.send(&refused));
            }
        }
        session
    }

    /// Waits until the session is over.
    pub(super) fn run(&mut self) {
        while !self.termination.is_over() {
            for source in self.wait() {
                self.handle_source(source);
            }
            self.clients.retain(|client| !client.is_gone());
            self.tick();
        }
    }

    /// The facts about the session, and the clients to notify.
    pub(super) fn end(mut self) -> (End, Vec<Client>, Option<LateListener>) {
        let now = self.now();
        self.output.finish(now);
        let end = End {
            ending: self.ending.unwrap_or(Ending::Survived),
            cause: self.termination.cause(),
            worked_ms: self.worked_ms,
            stored: self.output.stored(),
            left_behind: self.left_behind.len() as u32,
            survivors: self.survivors,
        };
        let peer_policy = self.peer_policy;
        (
            end,
            self.clients,
            self.listener
                .map(|listener| LateListener(listener, peer_policy)),
        )
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn wait(&self) -> Vec<Source> {
        let watched = self.watched();
        let mut polled: Vec<PollFd<'_>> = watched
            .iter()
            .map(|(_, fd, flags)| PollFd::new(*fd, *flags))
            .collect();
        if poll(&mut polled, self.poll_timeout()).is_err() {
            return Vec::new();
        }
        let ready = watched
            .iter()
            .zip(&polled)
            .filter(|(_, polled)| polled.any() == Some(true));
        ready.map(|((source, ..), _)| *source).collect()
    }

    fn watched(&self) -> Vec<(Source, BorrowedFd<'_>, PollFlags)> {
        let mut watched = vec![(Source::Signals, self.signals.as_fd(), PollFlags::POLLIN)];
        watched.extend(
            self.output
                .readable()
                .map(|(index, fd)| (Source::Output(index), fd, PollFlags::POLLIN)),
        );
        watched.extend(
            self.stdin
                .writable()
                .map(|fd| (Source::Stdin, fd, PollFlags::POLLOUT)),
        );
        for (index, client) in self.clients.iter().enumerate() {
            let out = if client.wants_to_write() {
                PollFlags::POLLOUT
            } else {
                PollFlags::empty()
            };
            watched.push((
                Source::Client(index),
                client.as_fd(),
                PollFlags::POLLIN | out,
            ));
        }
        // Last, so that earlier requests are read before a new connection is accepted.
        watched.extend(
            self.listener
                .iter()
                .map(|socket| (Source::Listener, socket.as_fd(), PollFlags::POLLIN)),
        );
        watched
    }

    fn poll_timeout(&self) -> PollTimeout {
        let clients = self.clients.iter().filter_map(Client::due);
        match clients
            .chain(self.output.due())
            .chain(self.termination_due())
            .chain(self.listen_due)
            .min()
        {
            None => PollTimeout::NONE,
            Some(due) => {
                PollTimeout::try_from(due.saturating_sub(self.now())).unwrap_or(PollTimeout::MAX)
            }
        }
    }

    /// No process is left while the last output waits for the disk, so termination waits as well.
    fn termination_due(&self) -> Option<u64> {
        let waits = self.childless && self.output.is_stalled();
        self.termination.due().filter(|_| !waits)
    }

    fn handle_source(&mut self, source: Source) {
        let now = self.now();
        match source {
            Source::Signals => self.handle_signals(),
            Source::Listener => self.accept(),
            Source::Output(index) => self.output.copy_pipe(index, now),
            Source::Stdin => self.stdin.write(),
            Source::Client(index) => {
                self.clients[index].write();
                for request in self.clients[index].read() {
                    self.handle_request(index, request.ok());
                }
            }
        }
    }

    fn handle_signals(&mut self) {
        while let Some(notice) = self.signals.next() {
            match notice {
                Notice::ChildEnded => self.reap(),
                Notice::Terminate => {
                    self.handle_termination_event(TerminationEvent::StopRequested(Cause::Cancelled))
                }
            }
        }
    }

    /// Waits for all children that have ended. If no child is left, no descendant is left: this
    /// process adopts every orphan below it. So an ordinary end needs no scan of `/proc`. The
    /// exception is a process that some other program started on request (a service manager, a
    /// container daemon): it never was a descendant, and is searched for only when a session is
    /// ended by force.
    fn reap(&mut self) {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => return,
                Ok(WaitStatus::Exited(pid, code)) => {
                    self.record_exit_status(pid, Ending::Exited { code })
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) => self.record_exit_status(
                    pid,
                    Ending::Signaled {
                        signal: signal as i32,
                    },
                ),
                Ok(_) => {}
                Err(_) => {
                    self.childless = true;
                    return;
                }
            }
        }
    }

    fn record_exit_status(&mut self, pid: Pid, ending: Ending) {
        if pid == self.pid && self.ending.is_none() {
            self.ending = Some(ending);
            self.worked_ms = Some(self.spawned.elapsed().as_millis() as u64);
            self.handle_termination_event(TerminationEvent::ProgramEnded);
        }
    }

    fn accept(&mut self) {
        let Some(listener) = &self.listener else {
            return;
        };
        let Ok((stream, _)) = listener.accept() else {
            return;
        };
        let is_admitted = self.peer_policy.admits(&stream);
        let Some(mut client) = Client::new(stream, false) else {
            return;
        };
        if is_admitted {
            self.add_client(client);
        } else {
            // It is disconnected immediately, and nothing that it sends is read.
            client.send(&Event::Refused {
                key: None,
                reason: Refusal::NotAllowed,
            });
        }
    }

    fn add_client(&mut self, mut client: Client) {
        let (stdout, stderr) = self.output.stored();
        client.send(&Event::Hello {
            pid: self.pid.as_raw(),
            stdout,
            stderr,
        });
        if let Some(detail) = self.output.reported_stall() {
            client.send(&Event::Trouble {
                kind: StallReason::DiskFull,
                detail,
            });
        }
        self.clients.push(client);
    }

    fn handle_request(&mut self, index: usize, request: Option<Request>) {
        let answer = match request {
            Some(Request::Input { key, text }) => Some(self.write_stdin(Input::Text { key, text })),
            Some(Request::Quote { key, quote }) => Some(self.quote(key, &quote)),
            Some(Request::CloseInput { key }) => Some(self.write_stdin(Input::Close { key })),
            Some(Request::Signal { signal }) => self.signal(signal),
            Some(Request::Cancel) => {
                self.handle_termination_event(TerminationEvent::StopRequested(Cause::Cancelled));
                None
            }
            Some(Request::Follow) => {
                self.clients[index].follow();
                None
            }
            None => Some(Event::Refused {
                key: None,
                reason: Refusal::Malformed,
            }),
        };
        if let Some(answer) = answer {
            self.clients[index].send(&answer);
        }
    }

    fn write_stdin(&mut self, input: Input) -> Event {
        let key = input.key().to_owned();
        match self.stdin.enqueue(&input) {
            Ok(()) => Event::Accepted { key },
            Err(reason) => Event::Refused {
                key: Some(key),
                reason,
            },
        }
    }

    /// Repeats the program's own output. A value that is no longer known is not guessed.
    fn quote(&mut self, key: String, quote: &Quote) -> Event {
        if self.stdin.has_accepted(&key) {
            return Event::Accepted { key };
        }
        let Some(Quoted { whole, masked }) = self.output.quoted(quote) else {
            return self.write_stdin(Input::Text {
                key,
                text: quote.otherwise.clone(),
            });
        };
        match self.stdin.enqueue_recorded_as(
            &Input::Text {
                key: key.clone(),
                text: masked,
            },
            &whole,
        ) {
            Ok(()) => Event::Accepted { key },
            Err(reason) => Event::Refused {
                key: Some(key),
                reason,
            },
        }
    }

    fn signal(&self, name: SignalName) -> Option<Event> {
        let signal = match name {
            SignalName::Int => Signal::SIGINT,
            SignalName::Term => Signal::SIGTERM,
            SignalName::Hup => Signal::SIGHUP,
            SignalName::Quit => Signal::SIGQUIT,
            SignalName::Usr1 => Signal::SIGUSR1,
            SignalName::Usr2 => Signal::SIGUSR2,
            SignalName::Stop => Signal::SIGSTOP,
            SignalName::Cont => Signal::SIGCONT,
        };
        // Before it is waited for, the program's id cannot be reused.
        let sent = self.ending.is_none() && kill(self.pid, signal).is_ok();
        (!sent).then_some(Event::Refused {
            key: None,
            reason: Refusal::ProgramOver,
        })
    }

    fn tick(&mut self) {
        let now = self.now();
        self.output.tick(now);
        if self.listen_due.is_some_and(|due| now >= due) {
            self.listen_due = None;
            // Without a socket (on a file system without sockets) the session still runs, for the
            // app that started it.
            let socket = UnixListener::bind(folder::SOCKET).ok();
            self.listener = socket.filter(|socket| socket.set_nonblocking(true).is_ok());
        }
        self.check_disk_stall(now);
        if self.childless && self.output.is_complete() {
            self.handle_termination_event(TerminationEvent::NoChildrenLeft);
        }
        if self.termination_due().is_some_and(|due| now >= due) {
            self.handle_termination_event(TerminationEvent::Tick);
        }
        let stored = self.output.stored();
        for client in &mut self.clients {
            client.note(stored, now);
            client.tick(stored, now);
        }
    }

    fn check_disk_stall(&mut self, now: u64) {
        // This is not a full disk: a file of the session was replaced; see `session_file`.
        if self.output.has_unexpected_file() {
            self.output.abandon();
            self.handle_termination_event(TerminationEvent::StopRequested(Cause::DiskFull));
        }
        if let Some(detail) = self.output.take_unreported_stall() {
            let trouble = Event::Trouble {
                kind: StallReason::DiskFull,
                detail,
            };
            self.clients
                .iter_mut()
                .for_each(|client| client.send(&trouble));
        }
        if self
            .output
            .stalled_for(now)
            .is_some_and(|waited| waited >= self.disk_wait)
        {
            self.output.abandon();
            self.handle_termination_event(TerminationEvent::StopRequested(Cause::DiskFull));
        }
    }

    fn handle_termination_event(&mut self, event: TerminationEvent) {
        let now = self.now();
        for action in self.termination.handle(event, now) {
            match action {
                TerminationAction::CloseInput => self.stdin.close(),
                TerminationAction::Terminate => self.signal_all_processes(Signal::SIGTERM),
                TerminationAction::Kill => self.signal_all_processes(Signal::SIGKILL),
                TerminationAction::Finish => {}
            }
        }
    }

    fn signal_all_processes(&mut self, signal: Signal) {
        let everybody = process_tree::session_processes(Some(Pid::this()), &self.mark);
        for process in &everybody {
            process_tree::send_signal(process, signal);
            if signal == Signal::SIGTERM {
                // A stopped process would not handle SIGTERM before it is killed.
                process_tree::send_signal(process, Signal::SIGCONT);
            }
            if self.ending.is_some() {
                self.left_behind.insert((process.pid, process.start_ticks));
            }
        }
        self.survivors = everybody.len() as u32;
        if everybody.is_empty() {
            self.reap();
            // A child that was created during the search is found by the next one.
            if self.childless {
                self.handle_termination_event(TerminationEvent::NoProcessesFound);
            }
        }
    }
}

impl LateListener {
    /// Accepts the connections that arrived meanwhile, and closes.
    pub(super) fn close(self) -> Vec<Client> {
        let latecomers =
            std::iter::from_fn(|| self.0.accept().ok()).filter(|(stream, _)| self.1.admits(stream));
        let latecomers = latecomers
            .filter_map(|(stream, _)| Client::new(stream, true))
            .collect();
        drop(std::fs::remove_file(folder::SOCKET));
        latecomers
    }
}
