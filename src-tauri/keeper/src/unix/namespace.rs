//! Linux: starting a program in a new user and mount namespace.
//!
//! One user namespace is enough. A program without capabilities in it cannot change its mounts, and
//! in a namespace that the program creates below it, the kernel locks the copied mounts together.
//! So nothing is nested here, which saves a second copy of all mounts.

mod confine;
mod privileges;
mod user_mapping;

use std::ffi::{CStr, CString};
use std::io::{self, PipeReader, Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::CloneFlags;
use nix::sys::signal::Signal;
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, execve, setpgid};
use serde::{Deserialize, Serialize};

use self::user_mapping::UserMapping;
use crate::sandbox::{Sandbox, SandboxStep};

/// The program to start.
pub(crate) struct Program<'a> {
    pub(crate) path: &'a Path,
    pub(crate) arguments: &'a [CString],
    pub(crate) environment: &'a [CString],
    /// File descriptors 0, 1 and 2 of the program.
    pub(crate) ends: [BorrowedFd<'a>; 3],
    pub(crate) cwd: &'a Path,
}

/// Why the program did not run.
#[derive(Debug)]
pub(crate) enum SandboxStartError {
    /// The system does not allow this user, or anyone, to create such namespaces.
    Forbidden(SandboxStep, Errno),
    /// Another step of creating the sandbox failed.
    Failed {
        step: SandboxStep,
        errno: Errno,
        path: String,
    },
    /// The program could not be executed.
    Exec(Errno),
}

/// What the child reports before it executes the program, or instead.
#[derive(Debug, Serialize, Deserialize)]
enum Report {
    Ready {
        holds_signals: bool,
    },
    FailedStep {
        step: SandboxStep,
        errno: i32,
        path: String,
    },
    NotExecuted {
        errno: i32,
    },
}

/// A step that failed.
#[derive(Debug)]
struct FailedStep {
    step: SandboxStep,
    errno: Errno,
    path: String,
}

impl FailedStep {
    fn at(step: SandboxStep, path: &Path) -> impl Fn(Errno) -> FailedStep + '_ {
        move |errno| FailedStep {
            step,
            errno,
            path: path.display().to_string(),
        }
    }

    fn by(step: SandboxStep) -> impl Fn(Errno) -> FailedStep {
        move |errno| FailedStep {
            step,
            errno,
            path: String::new(),
        }
    }
}

/// The child's stack; its calls are not deeply nested.
const STACK: usize = 256 * 1024;

/// Starts `program` in `sandbox`, in a new process group; returns whether its signals are
/// restricted.
///
/// The child is an ordinary child of this process, so it is waited for, signaled and found like any
/// other.
pub(crate) fn start(
    program: &Program<'_>,
    sandbox: &Sandbox,
) -> Result<(Pid, bool), SandboxStartError> {
    let failed = |error: io::Error| SandboxStartError::Failed {
        step: SandboxStep::Namespaces,
        errno: errno_of(&error),
        path: String::new(),
    };
    let (report, report_end) = io::pipe().map_err(failed)?;
    let (go_end, go) = io::pipe().map_err(failed)?;
    let (go_number, report_number) = (go.as_raw_fd(), report.as_raw_fd());
    let is_root = nix::unistd::geteuid().is_root();
    // Read now, so that the child does not have to wait for it.
    let users = UserMapping::read(is_root).map_err(failed)?;
    let mut ends = Some((go_end, report_end));
    let mut stack = vec![0; STACK];
    let child = Box::new(|| {
        // Otherwise the pipe would stay open when the keeper dies.
        let _ = nix::unistd::close(go_number);
        let _ = nix::unistd::close(report_number);
        let Some((go, mut report_pipe)) = ends.take() else {
            return 127;
        };
        let report = become_program(go, &mut report_pipe, program, sandbox, &users);
        send_report(&mut report_pipe, &report);
        127
    });
    let flags = CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS;
    #[expect(
        unsafe_code,
        reason = "this process has one thread, and the child has its own copy of the memory"
    )]
    // SAFETY: without CLONE_VM the child works on a copy of this memory, in which no other thread
    // holds a lock.
    let pid = unsafe { nix::sched::clone(child, &mut stack, flags, Some(Signal::SIGCHLD as i32)) };
    drop(ends.take());
    let pid = pid.map_err(namespaces_refused)?;
    let outcome = admit(pid, go, report, &users);
    if outcome.is_err() {
        let _ = nix::sys::signal::kill(pid, Signal::SIGKILL);
        let _ = waitpid(pid, None);
    }
    outcome.map(|holds_signals| (pid, holds_signals))
}

/// Lets the child continue once its users are mapped, and waits until it has executed the program.
fn admit(
    pid: Pid,
    mut go: io::PipeWriter,
    mut report: PipeReader,
    users: &UserMapping,
) -> Result<bool, SandboxStartError> {
    if users.is_root() {
        users
            .map(&pid.to_string())
            .map_err(|error| refused(SandboxStep::Users, errno_of(&error)))?;
        go.write_all(&[1])
            .map_err(|error| refused(SandboxStep::Users, errno_of(&error)))?;
    }
    // Polls only for the other end to be closed: waking up for a report would cost this process a
    // second wakeup, and on a busy machine each one costs the child its time slice.
    let _ = poll(
        &mut [PollFd::new(report.as_fd(), PollFlags::empty())],
        PollTimeout::NONE,
    );
    let mut text = Vec::new();
    report
        .read_to_end(&mut text)
        .map_err(|error| refused(SandboxStep::Namespaces, errno_of(&error)))?;
    let mut ready = None;
    for report in serde_json::Deserializer::from_slice(&text).into_iter::<Report>() {
        match report {
            Ok(Report::Ready { holds_signals }) => ready = Some(holds_signals),
            Ok(Report::NotExecuted { errno }) => {
                return Err(SandboxStartError::Exec(Errno::from_raw(errno)));
            }
            Ok(Report::FailedStep { step, errno, path }) => {
                return Err(stopped(step, Errno::from_raw(errno), path));
            }
            Err(_) => break,
        }
    }
    // A child that was killed meanwhile reports nothing.
    ready.ok_or(SandboxStartError::Failed {
        step: SandboxStep::Namespaces,
        errno: Errno::ESRCH,
        path: String::new(),
    })
}

/// If the limit of namespaces is reached, the program must not run without a sandbox: a program
/// could exhaust them on purpose.
fn namespaces_refused(errno: Errno) -> SandboxStartError {
    let are_switched_off = || {
        std::fs::read_to_string("/proc/sys/user/max_user_namespaces")
            .is_ok_and(|most| most.trim() == "0")
    };
    match errno {
        Errno::ENOSPC if are_switched_off() => {
            SandboxStartError::Forbidden(SandboxStep::Namespaces, errno)
        }
        errno => refused(SandboxStep::Namespaces, errno),
    }
}

fn refused(step: SandboxStep, errno: Errno) -> SandboxStartError {
    match errno {
        Errno::EPERM | Errno::EACCES | Errno::ENOSYS | Errno::EINVAL => {
            SandboxStartError::Forbidden(step, errno)
        }
        errno => SandboxStartError::Failed {
            step,
            errno,
            path: String::new(),
        },
    }
}

/// A system that allows namespaces without privileges in them, as AppArmor can, refuses the first
/// mount.
fn stopped(step: SandboxStep, errno: Errno, path: String) -> SandboxStartError {
    match (step, errno) {
        (SandboxStep::Users, errno) => refused(step, errno),
        (SandboxStep::Hide, Errno::EPERM | Errno::EACCES) => {
            SandboxStartError::Forbidden(step, errno)
        }
        _ => SandboxStartError::Failed { step, errno, path },
    }
}

/// Returns only if the program could not be started.
fn become_program(
    mut go: PipeReader,
    pipe: &mut io::PipeWriter,
    program: &Program<'_>,
    sandbox: &Sandbox,
    users: &UserMapping,
) -> Report {
    match receive_user_mapping(&mut go, users)
        .and_then(|()| enter(program, sandbox, users.is_root()))
    {
        Ok(holds_signals) => send_report(pipe, &Report::Ready { holds_signals }),
        Err(FailedStep { step, errno, path }) => {
            return Report::FailedStep {
                step,
                errno: errno as i32,
                path,
            };
        }
    }
    let errno = match execute(program) {
        Ok(never) => match never {},
        Err(errno) => errno,
    };
    Report::NotExecuted {
        errno: errno as i32,
    }
}

/// Does everything that needs no users first, while the keeper maps them.
fn receive_user_mapping(go: &mut PipeReader, users: &UserMapping) -> Result<(), FailedStep> {
    privileges::drop_capabilities(users.is_root())
        .map_err(FailedStep::by(SandboxStep::Capabilities))?;
    privileges::reset_signals().map_err(FailedStep::by(SandboxStep::Signals))?;
    // Only root's mapping has to be written from outside.
    let mapped = if users.is_root() {
        go.read_exact(&mut [0])
    } else {
        users.map("self")
    };
    mapped.map_err(|error| FailedStep::by(SandboxStep::Users)(errno_of(&error)))
}

fn enter(program: &Program<'_>, sandbox: &Sandbox, is_root: bool) -> Result<bool, FailedStep> {
    confine::confine(sandbox, is_root)?;
    // By path: the current folder may be below the hidden one, where only the old content is
    // visible.
    nix::unistd::chdir(program.cwd).map_err(FailedStep::at(SandboxStep::Enter, program.cwd))?;
    privileges::restrict_signals(is_root).map_err(FailedStep::by(SandboxStep::Signals))
}

/// Does what `posix_spawn` does for a program without a sandbox.
fn execute(program: &Program<'_>) -> Result<std::convert::Infallible, Errno> {
    setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
    // In two steps: an end may have a number that is the target of another one.
    let [stdin, stdout, stderr] = program.ends.map(|end| end.try_clone_to_owned());
    let copies: [OwnedFd; 3] = [stdin, stdout, stderr]
        .map(|copy| copy.map_err(|error| errno_of(&error)))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?
        .try_into()
        .map_err(|_| Errno::EBADF)?;
    nix::unistd::dup2_stdin(&copies[0])?;
    nix::unistd::dup2_stdout(&copies[1])?;
    nix::unistd::dup2_stderr(&copies[2])?;
    let path =
        CString::new(program.path.as_os_str().as_encoded_bytes()).map_err(|_| Errno::EINVAL)?;
    let environment: Vec<&CStr> = program.environment.iter().map(CString::as_c_str).collect();
    execve(&path, program.arguments, &environment)
}

fn send_report(pipe: &mut io::PipeWriter, report: &Report) {
    if let Ok(text) = serde_json::to_vec(report) {
        drop(pipe.write_all(&text));
    }
}

fn errno_of(error: &io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::EIO, Errno::from_raw)
}
