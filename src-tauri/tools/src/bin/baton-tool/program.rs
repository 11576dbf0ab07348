//! A program that is run to its end, and ends with the work.

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

/// How long what a program left behind may hold its output open after each signal.
const ORPHAN_GRACE: Duration = Duration::from_secs(2);

/// How a program ended, and what it printed.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: CapturedOutput,
    pub(crate) stderr: CapturedOutput,
}

/// An output that is being read.
struct OutputReader {
    captured: Arc<Mutex<CapturedOutput>>,
    /// Closed when the output is.
    open: Receiver<()>,
}

/// Runs `command` in a process group of its own, with `input` on its standard input, and keeps `limit` bytes of each
/// output. Whatever of the group is left when the program has ended is ended too.
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
        // A program that does not read its input to the end does not want it.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let outputs = [
        read_output(child.stdout.take(), limit),
        read_output(child.stderr.take(), limit),
    ];
    wait_for_end(group)?;
    // The ended program is not waited for yet, so its number still is that of its group and of nothing else.
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

/// Waits until a program has ended, and leaves its record where it is.
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
            // Everything is read, so that no program waits for a reader.
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

/// The next piece, or `None` at the end. An output that cannot be read any more has ended.
fn read(from: &mut impl io::Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match from.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read.ok().filter(|&count| count > 0),
        }
    }
}

impl OutputReader {
    /// Whether the output ends within what is left of its time.
    fn is_closed(&self, since: Instant) -> bool {
        use std::sync::mpsc::RecvTimeoutError::Disconnected;

        self.open
            .recv_timeout(ORPHAN_GRACE.saturating_sub(since.elapsed()))
            == Err(Disconnected)
    }

    /// What was heard so far.
    fn take_captured(&self) -> CapturedOutput {
        std::mem::take(&mut self.captured.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
