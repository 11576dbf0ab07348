//! Runs a program to its end, or until the job is stopped.

use std::io::{self, Write as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use crate::captured::CapturedOutput;
use crate::stop::Stop;

/// How long orphaned processes may keep the outputs open after each signal.
const ORPHAN_GRACE: Duration = Duration::from_secs(2);

/// The exit status and outputs of a program.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: CapturedOutput,
    pub(crate) stderr: CapturedOutput,
}

/// Reads an output in a thread.
struct OutputReader {
    captured: Arc<Mutex<CapturedOutput>>,
    /// Disconnected once the output is closed.
    open: Receiver<()>,
}

/// Runs `command` in its own process group, with `input` on its standard input, and captures
/// `limit` bytes of each output. When the program has exited, the rest of its group is ended.
pub(crate) fn run(
    mut command: Command,
    input: Option<Vec<u8>>,
    limit: usize,
    stop: &Arc<Stop>,
) -> io::Result<ProgramOutput> {
    use std::os::unix::process::CommandExt as _;

    let stdin = if input.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    command
        .process_group(0)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let group = Pid::from_raw(child.id().cast_signed());
    let group_guard = stop.register(group);
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        // A write error only means that the program doesn't read all of its input.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let outputs = [
        read_output(child.stdout.take(), limit),
        read_output(child.stderr.take(), limit),
    ];
    wait_for_end(group)?;
    // The program is not reaped yet, so that its process id can't have been reused.
    for signal in [Signal::SIGTERM, Signal::SIGKILL] {
        group_guard.signal(signal);
        let since = Instant::now();
        if outputs.iter().all(|output| output.is_closed(since)) {
            break;
        }
    }
    let status = child.wait()?;
    drop(group_guard);
    let [stdout, stderr] = outputs.map(|output| output.take_captured());
    Ok(ProgramOutput {
        status,
        stdout,
        stderr,
    })
}

/// Waits until a program has exited, without reaping it.
fn wait_for_end(program: Pid) -> io::Result<()> {
    loop {
        match waitid(
            Id::Pid(program),
            WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT,
        ) {
            Err(Errno::EINTR) => {}
            ended => return ended.map(|_| ()).map_err(io::Error::from),
        }
    }
}

fn read_output(from: Option<impl io::Read + Send + 'static>, limit: usize) -> OutputReader {
    let (sender, open) = channel();
    let captured = Arc::new(Mutex::new(CapturedOutput::default()));
    if let Some(mut from) = from {
        let captured = Arc::clone(&captured);
        thread::spawn(move || {
            let _open = sender;
            let mut buffer = [0; 16 * 1024];
            // Reads everything, so that the program never blocks on a full pipe.
            while let Some(count) = read(&mut from, &mut buffer) {
                captured
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .add(&buffer[..count], limit);
            }
        });
    }
    OutputReader { captured, open }
}

/// Reads the next chunk. Returns `None` at the end or on an error.
fn read(from: &mut impl io::Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match from.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read.ok().filter(|&count| count > 0),
        }
    }
}

impl OutputReader {
    /// Returns whether the output closes within the grace period.
    fn is_closed(&self, since: Instant) -> bool {
        use std::sync::mpsc::RecvTimeoutError::Disconnected;

        self.open
            .recv_timeout(ORPHAN_GRACE.saturating_sub(since.elapsed()))
            == Err(Disconnected)
    }

    /// Returns the output captured so far.
    fn take_captured(&self) -> CapturedOutput {
        std::mem::take(&mut self.captured.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
