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

use crate::captured::Captured;
use crate::stop::Stop;

/// How long what a program left behind may hold its output open after each signal.
const LEFTOVERS: Duration = Duration::from_secs(2);

/// How a program ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Captured,
    pub(crate) stderr: Captured,
}

/// An output that is being read.
struct Listening {
    captured: Arc<Mutex<Captured>>,
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
) -> io::Result<Finished> {
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
    let member = stop.take_in(group);
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        // A program that does not read its input to the end does not want it.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let outputs = [
        listen(child.stdout.take(), limit),
        listen(child.stderr.take(), limit),
    ];
    wait_for_end(group)?;
    // The ended program is not waited for yet, so its number still is that of its group and of nothing else.
    for signal in [Signal::SIGTERM, Signal::SIGKILL] {
        member.signal(signal);
        let since = Instant::now();
        if outputs.iter().all(|output| output.is_over(since)) {
            break;
        }
    }
    let status = child.wait()?;
    drop(member);
    let [stdout, stderr] = outputs.map(|output| output.heard());
    Ok(Finished {
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

fn listen(from: Option<impl io::Read + Send + 'static>, limit: usize) -> Listening {
    let (sender, open) = channel();
    let captured = Arc::new(Mutex::new(Captured::default()));
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
    Listening { captured, open }
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

impl Listening {
    /// Whether the output ends within what is left of its time.
    fn is_over(&self, since: Instant) -> bool {
        use std::sync::mpsc::RecvTimeoutError::Disconnected;

        self.open
            .recv_timeout(LEFTOVERS.saturating_sub(since.elapsed()))
            == Err(Disconnected)
    }

    /// What was heard so far.
    fn heard(&self) -> Captured {
        std::mem::take(&mut self.captured.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
