//! A program that is run to its end, and ends with the work.

use std::io::{self, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use crate::captured::Captured;
use crate::stop::Stop;

/// How long what a program left behind may hold its output open.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// How a program ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Captured,
    pub(crate) stderr: Captured,
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

    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    command.process_group(0).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let group = Pid::from_raw(child.id().cast_signed());
    let member = stop.take_in(group);
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        // A program that does not read its input to the end does not want it.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let stdout = capture(child.stdout.take(), limit);
    let stderr = capture(child.stderr.take(), limit);
    // The ended program still holds the number of its group, so that no other process can have it.
    let ended = waitid(Id::Pid(group), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT);
    let mut outputs = [None, None];
    for signal in [Signal::SIGTERM, Signal::SIGKILL] {
        member.signal(signal);
        let since = Instant::now();
        for (output, from) in outputs.iter_mut().zip([&stdout, &stderr]) {
            *output = output.take().or_else(|| receive(from, since));
        }
        if outputs.iter().all(Option::is_some) {
            break;
        }
    }
    let status = wait(&mut child, ended)?;
    drop(member);
    let [stdout, stderr] = outputs.map(Option::unwrap_or_default);
    Ok(Finished { status, stdout, stderr })
}

fn wait(child: &mut Child, ended: nix::Result<nix::sys::wait::WaitStatus>) -> io::Result<ExitStatus> {
    let status = child.wait()?;
    ended.map(|_| status).map_err(io::Error::from)
}

fn capture(from: Option<impl io::Read + Send + 'static>, limit: usize) -> Receiver<Captured> {
    let (sender, receiver) = channel();
    if let Some(from) = from {
        // Nobody listens any more when a process outside of the group kept the output open.
        thread::spawn(move || drop(sender.send(Captured::read(from, limit))));
    }
    receiver
}

fn receive(from: &Receiver<Captured>, since: Instant) -> Option<Captured> {
    from.recv_timeout(LEFTOVERS.saturating_sub(since.elapsed())).ok()
}
