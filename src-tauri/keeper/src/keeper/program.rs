//! Starts the program of a session.

use std::collections::BTreeMap;
use std::ffi::{CString, NulError};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{AccessFlags, Pid, access, chdir, fchdir};

use crate::exit::NotStarted;
use crate::launch::{Launch, MARK_VARIABLE};
use crate::sandbox::{Confinement, SandboxStep};
use crate::unix::namespace::{self, Program, SandboxStartError};

/// The program's ends of its three pipes.
pub(super) struct Ends<'fd> {
    pub(super) stdin: BorrowedFd<'fd>,
    pub(super) stdout: BorrowedFd<'fd>,
    pub(super) stderr: BorrowedFd<'fd>,
}

/// Why the program never ran.
#[derive(Debug, thiserror::Error)]
pub(super) enum StartError {
    #[error("argv is empty")]
    NoArguments,
    #[error("command not found: {0}")]
    CommandNotFound(String),
    #[error("permission denied: {0}")]
    PermissionDenied(String),
    #[error("not a directory: {}", .0.display())]
    NotADirectory(PathBuf),
    #[error("permission denied: {}", .0.display())]
    FolderDenied(PathBuf),
    #[error("an argument or an environment variable contains a NUL byte")]
    ZeroByte(#[from] NulError),
    #[error("the interpreter of {0} is missing")]
    NoInterpreter(String),
    #[error("not a program: {0} (a script needs a #! line)")]
    NotAProgram(String),
    #[error("couldn't {step}: {} {path}", .errno.desc())]
    NotConfined {
        step: SandboxStep,
        errno: Errno,
        path: String,
    },
    #[error("{0}")]
    System(#[from] Errno),
}

impl StartError {
    pub(super) fn reason(&self) -> NotStarted {
        match self {
            StartError::CommandNotFound(_) | StartError::NoInterpreter(_) => {
                NotStarted::CommandNotFound
            }
            StartError::PermissionDenied(_) | StartError::FolderDenied(_) => {
                NotStarted::PermissionDenied
            }
            StartError::NotADirectory(_) => NotStarted::CwdMissing,
            StartError::NotConfined { .. } => NotStarted::NotConfined,
            StartError::NoArguments
            | StartError::ZeroByte(_)
            | StartError::NotAProgram(_)
            | StartError::System(_) => NotStarted::Other,
        }
    }
}

/// Starts the program in a new process group. The keeper's working directory is `home` before and
/// after.
///
/// The program does not get PR_SET_PDEATHSIG, which would kill the program alone, not the tools
/// below it. A program whose keeper was killed gets end-of-file on stdin and broken output pipes,
/// and is found by its mark.
pub(super) fn start(
    launch: &Launch,
    ends: &Ends<'_>,
    home: &impl AsFd,
) -> Result<(Pid, Confinement), StartError> {
    enter(&launch.cwd)?;
    let started = start_here(launch, ends);
    fchdir(home)?;
    started
}

fn enter(cwd: &Path) -> Result<(), StartError> {
    chdir(cwd).map_err(|errno| match errno {
        Errno::ENOENT | Errno::ENOTDIR => StartError::NotADirectory(cwd.to_owned()),
        Errno::EACCES => StartError::FolderDenied(cwd.to_owned()),
        errno => StartError::System(errno),
    })
}

fn start_here(launch: &Launch, ends: &Ends<'_>) -> Result<(Pid, Confinement), StartError> {
    let name = launch.argv.first().ok_or(StartError::NoArguments)?;
    let program = find(
        name,
        launch
            .env
            .get("PATH")
            .map_or("/usr/local/bin:/usr/bin:/bin", String::as_str),
    )?;
    let arguments: Vec<CString> = launch
        .argv
        .iter()
        .map(|one| CString::new(one.as_str()))
        .collect::<Result<_, _>>()?;
    let environment = environment(&launch.env, &launch.mark)?;

    let not_executed = |errno| match errno {
        Errno::ENOENT => StartError::NoInterpreter(name.clone()),
        Errno::EACCES => StartError::PermissionDenied(name.clone()),
        Errno::ENOEXEC => StartError::NotAProgram(name.clone()),
        errno => StartError::System(errno),
    };
    let mut confinement = Confinement::NotAsked;
    if let Some(sandbox) = &launch.sandbox {
        let program = Program {
            path: &program,
            arguments: &arguments,
            environment: &environment,
            ends: [ends.stdin, ends.stdout, ends.stderr],
            cwd: &launch.cwd,
        };
        match namespace::start(&program, sandbox) {
            Ok((pid, holds_signals)) => return Ok((pid, Confinement::Held { holds_signals })),
            Err(SandboxStartError::Exec(errno)) => return Err(not_executed(errno)),
            Err(SandboxStartError::Failed { step, errno, path }) => {
                return Err(StartError::NotConfined { step, errno, path });
            }
            Err(SandboxStartError::Forbidden(step, errno)) => {
                confinement = Confinement::Forbidden {
                    step,
                    detail: errno.desc().to_owned(),
                };
            }
        }
    }
    let mut actions = PosixSpawnFileActions::init()?;
    for (end, number) in [(ends.stdin, 0), (ends.stdout, 1), (ends.stderr, 2)] {
        actions.add_dup2(end.as_raw_fd(), number)?;
    }
    let spawned = posix_spawn(
        program.as_path(),
        &actions,
        &attributes()?,
        &arguments,
        &environment,
    );
    Ok((spawned.map_err(not_executed)?, confinement))
}

/// The program must not inherit the signals that the keeper has blocked, or that the app's parent
/// has ignored.
fn attributes() -> Result<PosixSpawnAttr, Errno> {
    let mut attributes = PosixSpawnAttr::init()?;
    attributes.set_flags(
        PosixSpawnFlags::POSIX_SPAWN_SETPGROUP
            | PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK
            | PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF,
    )?;
    attributes.set_pgroup(Pid::from_raw(0))?;
    attributes.set_sigmask(&SigSet::empty())?;
    // List all signals: otherwise the C library queries the kernel for each missing one. These two
    // cannot be changed.
    let mut all = SigSet::all();
    all.remove(Signal::SIGKILL);
    all.remove(Signal::SIGSTOP);
    attributes.set_sigdefault(&all)?;
    Ok(attributes)
}

fn environment(env: &BTreeMap<String, String>, mark: &str) -> Result<Vec<CString>, NulError> {
    let others = env.iter().filter(|(name, _)| *name != MARK_VARIABLE);
    others
        .map(|(name, value)| format!("{name}={value}"))
        .chain([format!("{MARK_VARIABLE}={mark}")])
        .map(CString::new)
        .collect()
}

/// Finds a program as `execvp` would, from the current folder. A match that is not executable is
/// skipped, but remembered for the error.
fn find(name: &str, path: &str) -> Result<PathBuf, StartError> {
    if name.contains('/') {
        return match executable(Path::new(name)) {
            Ok(()) => Ok(PathBuf::from(name)),
            Err(io::ErrorKind::PermissionDenied) => {
                Err(StartError::PermissionDenied(name.to_owned()))
            }
            Err(_) => Err(StartError::CommandNotFound(name.to_owned())),
        };
    }
    let mut denied = false;
    for folder in path.split(':') {
        let candidate = Path::new(if folder.is_empty() { "." } else { folder }).join(name);
        match executable(&candidate) {
            Ok(()) if !name.is_empty() => return Ok(candidate),
            Err(io::ErrorKind::PermissionDenied) => denied = true,
            _ => {}
        }
    }
    Err(if denied {
        StartError::PermissionDenied(name.to_owned())
    } else {
        StartError::CommandNotFound(name.to_owned())
    })
}

fn executable(path: &Path) -> Result<(), io::ErrorKind> {
    access(path, AccessFlags::X_OK).map_err(|errno| io::Error::from(errno).kind())?;
    // A folder passes the check above, since the same bit means search permission for folders.
    if path.is_dir() {
        Err(io::ErrorKind::PermissionDenied)
    } else {
        Ok(())
    }
}

/// The text of an error for the exit record, which has space for one page only.
pub(super) fn detail(error: &StartError) -> String {
    let mut text = error.to_string().into_bytes();
    text.truncate(1000);
    std::ffi::OsString::from_vec(text)
        .to_string_lossy()
        .into_owned()
}
