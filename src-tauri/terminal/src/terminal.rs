//! One terminal: a shell, its output and its end.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use baton_keeper::umask;
use baton_model::TerminalId;
use nix::sys::signal::Signal;
use portable_pty::{Child, MasterPty, PtyPair, native_pty_system};

use crate::error::TerminalError;
use crate::input_order::{InputMark, InputOrder};
use crate::output_buffer::{OutputBuffer, OutputPart};
use crate::session_processes::{SessionProcesses, program_name};
use crate::shell::Shell;
use crate::size::TerminalSize;

/// How much one read returns: a page shows it in a few frames.
const MAX_PART: usize = 256 * 1024;
/// The limit for one input. A page splits what is pasted.
const MAX_INPUT: usize = 64 * 1024;
/// How many inputs wait for a program that doesn't read.
const MAX_WAITING_INPUTS: usize = 64;
/// Above this much unread output the program has to wait for a page that is reading, as in any
/// terminal.
const MAX_UNREAD: u64 = 512 * 1024;
/// A page that hasn't read for this long isn't reading.
const READER_SILENCE: Duration = Duration::from_secs(1);
/// How long programs may take to end by themselves.
const HANGUP_GRACE: Duration = Duration::from_millis(500);
/// How long the system may take to end a killed process. It takes longer only if a disk hangs.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// Something that pages have to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalEvent {
    /// There is output that nobody has been told of.
    Output(TerminalId),
    /// The shell has ended.
    Ended(TerminalId),
}

/// Receives the events of a terminal, on one of its threads.
pub type TerminalListener = Arc<dyn Fn(TerminalEvent) + Send + Sync>;

/// How a shell ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalEnd {
    /// With this exit code.
    Exited(u32),
    /// By the signal with this name.
    Killed(String),
    /// The system didn't say.
    Unknown,
}

/// A running or ended shell. Dropping it ends it.
pub struct Terminal {
    id: TerminalId,
    shell_id: i32,
    master: Mutex<Box<dyn MasterPty + Send>>,
    input: SyncSender<Vec<u8>>,
    order: Mutex<InputOrder>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    output: OutputBuffer,
    /// Whether pages know that there is output to read.
    announced: bool,
    last_read: Option<Instant>,
    end: Option<TerminalEnd>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the shell has ended; `false` if it hasn't in time.
    fn wait_for_end(&self, timeout: Duration) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(self.state(), timeout, |state| state.end.is_none());
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.end.is_some()
    }
}

impl Terminal {
    /// Starts `shell` on a new pseudo terminal.
    pub fn open(
        id: TerminalId,
        shell: &Shell,
        size: TerminalSize,
        listener: TerminalListener,
    ) -> Result<Self, TerminalError> {
        let failed = |error: &dyn std::fmt::Display| TerminalError::NotStarted {
            program: shell.program().to_owned(),
            reason: error.to_string(),
        };
        if !shell.directory().is_dir() {
            // It would start in the home directory, where a command may do something else.
            return Err(failed(&"its directory was removed"));
        }
        let PtyPair { master, slave } = native_pty_system()
            .openpty(size.in_cells())
            .map_err(|error| failed(&error))?;
        let reader = master.try_clone_reader().map_err(|error| failed(&error))?;
        let writer = master.take_writer().map_err(|error| failed(&error))?;
        // Taken apart, because a slave can't be shared with the thread that has the original umask.
        let command = shell.command();
        let start = Mutex::new(Some((slave, command)));
        let started = umask::with_original(|| {
            let taken = start.lock().unwrap_or_else(PoisonError::into_inner).take();
            taken.map(|(slave, command)| slave.spawn_command(command))
        });
        let child = match started {
            Some(Ok(child)) => child,
            Some(Err(error)) => return Err(failed(&error)),
            None => return Err(failed(&"it was started twice")),
        };
        let shell_id = child
            .process_id()
            .and_then(|pid| i32::try_from(pid).ok())
            .ok_or_else(|| failed(&"it has no process id"))?;
        let shared = Arc::new(Shared::default());
        let (input, waiting) = sync_channel(MAX_WAITING_INPUTS);
        let terminal = Self {
            id,
            shell_id,
            master: Mutex::new(master),
            input,
            order: Mutex::default(),
            shared: Arc::clone(&shared),
        };
        let reports = Arc::clone(&listener);
        let keeps = Arc::clone(&shared);
        start_thread(move || keep_output(id, reader, &keeps, &reports))?;
        start_thread(move || write_input(writer, &waiting))?;
        start_thread(move || await_end(id, child, &shared, &listener))?;
        Ok(terminal)
    }

    /// The terminal's id.
    #[must_use]
    pub fn id(&self) -> TerminalId {
        self.id
    }

    /// Writes `bytes` as if they were typed; `false` if they were written before.
    pub fn input(&self, mark: InputMark, bytes: Vec<u8>) -> Result<bool, TerminalError> {
        if bytes.len() > MAX_INPUT {
            return Err(TerminalError::InputTooLong(MAX_INPUT));
        }
        if self.end().is_some() {
            return Err(TerminalError::Ended);
        }
        // Held until the input is queued, so that inputs are written in their order.
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if !order.accept(mark) {
            return Ok(false);
        }
        self.input.try_send(bytes).map_err(|error| match error {
            TrySendError::Full(_) => TerminalError::InputFull,
            TrySendError::Disconnected(_) => TerminalError::Ended,
        })?;
        Ok(true)
    }

    /// The output after position `after`.
    #[must_use]
    pub fn output(&self, after: u64) -> OutputPart {
        let mut state = self.shared.state();
        let part = state.output.read(after, MAX_PART);
        if part.from + part.bytes.len() as u64 == part.end {
            // Whoever reads later is told of what is printed later.
            state.announced = false;
        }
        state.last_read = Some(Instant::now());
        self.shared.changed.notify_all();
        part
    }

    /// Tells the programs a new size.
    pub fn resize(&self, size: TerminalSize) -> Result<(), TerminalError> {
        self.master()
            .resize(size.in_cells())
            .map_err(|error| TerminalError::NotResized(error.to_string()))
    }

    /// How the shell ended; `None` while it runs.
    #[must_use]
    pub fn end(&self) -> Option<TerminalEnd> {
        self.shared.state().end.clone()
    }

    /// The program that the shell is running; `None` if the shell waits for a command.
    #[must_use]
    pub fn running_program(&self) -> Option<String> {
        if self.end().is_some() {
            return None;
        }
        let foreground = self.master().process_group_leader()?;
        (foreground != self.shell_id)
            .then(|| program_name(foreground).unwrap_or_else(|| "a program".to_owned()))
    }

    /// Ends the shell and everything that was started in it: first as if the window of the terminal
    /// was closed, then by force. Returns when the shell is gone.
    pub fn close(&self) {
        let foreground = self.master().process_group_leader();
        let processes = {
            // While this is held, an end is not recorded: the shell's id is still its own.
            let state = self.shared.state();
            if state.end.is_some() {
                return;
            }
            let processes = SessionProcesses::of(self.shell_id, foreground);
            processes.signal_groups(Signal::SIGHUP);
            processes
        };
        processes.signal(Signal::SIGHUP);
        // A stopped program gets the signal before only when it continues.
        processes.signal(Signal::SIGCONT);
        let ended = self.shared.wait_for_end(HANGUP_GRACE);
        processes.signal(Signal::SIGKILL);
        if !ended {
            processes.signal_groups(Signal::SIGKILL);
            self.shared.wait_for_end(KILL_GRACE);
        }
    }

    fn master(&self) -> MutexGuard<'_, Box<dyn MasterPty + Send>> {
        self.master.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Terminal {
    /// The writer of a pseudo terminal sends a line break when it is dropped, which would carry out
    /// a half-typed command. So the shell has to be gone first.
    fn drop(&mut self) {
        self.close();
    }
}

fn start_thread(work: impl FnOnce() + Send + 'static) -> Result<(), TerminalError> {
    let thread = thread::Builder::new().name("terminal".to_owned());
    thread.spawn(work).map(drop).map_err(TerminalError::from)
}

/// Keeps what is printed until no process has the terminal open.
fn keep_output(
    id: TerminalId,
    mut reader: Box<dyn Read + Send>,
    shared: &Shared,
    listener: &TerminalListener,
) {
    let mut chunk = [0; 16 * 1024];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                let is_news = push(shared, &chunk[..length]);
                if is_news {
                    listener(TerminalEvent::Output(id));
                }
                wait_for_reader(shared);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return tracing::debug!(%error, "a terminal can't be read any more"),
        }
    }
}

/// Adds output; returns whether pages have to be told.
fn push(shared: &Shared, bytes: &[u8]) -> bool {
    let mut state = shared.state();
    state.output.push(bytes);
    !std::mem::replace(&mut state.announced, true)
}

/// Waits while a page reads slower than a program prints.
fn wait_for_reader(shared: &Shared) {
    let mut state = shared.state();
    loop {
        let is_reading = state
            .last_read
            .is_some_and(|read| read.elapsed() < READER_SILENCE);
        if !is_reading || state.end.is_some() || state.output.unread() < MAX_UNREAD {
            return;
        }
        let waited = shared.changed.wait_timeout(state, READER_SILENCE);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// Writes on a thread of its own, because a program that doesn't read blocks the writer.
fn write_input(mut writer: Box<dyn Write + Send>, waiting: &Receiver<Vec<u8>>) {
    while let Ok(bytes) = waiting.recv() {
        if let Err(error) = writer.write_all(&bytes) {
            return tracing::debug!(%error, "a terminal can't be written any more");
        }
    }
}

fn await_end(
    id: TerminalId,
    mut child: Box<dyn Child + Send + Sync>,
    shared: &Shared,
    listener: &TerminalListener,
) {
    let end = match child.wait() {
        Ok(status) => match status.signal() {
            Some(signal) => TerminalEnd::Killed(signal.to_owned()),
            None => TerminalEnd::Exited(status.exit_code()),
        },
        Err(_) => TerminalEnd::Unknown,
    };
    shared.state().end = Some(end);
    shared.changed.notify_all();
    listener(TerminalEvent::Ended(id));
}

#[cfg(test)]
mod tests;
