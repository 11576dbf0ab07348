//! The environment of a session: the executor's own, adjusted for processes that were not started
//! from a shell.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read as _, stderr, stdin, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use baton_keeper::umask;
use baton_secrets::Secrets;

/// How long a login shell may take to report its `PATH`; a profile that asks a question must not
/// block a run.
const SHELL_TIMEOUT: Duration = Duration::from_secs(5);
const PATH_START_MARKER: &str = "__baton_path_begins__";
const PATH_END_MARKER: &str = "__baton_path_ends__";

/// How the login shell's `PATH` is combined with the one that this process was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginPath {
    /// Login shell first: the inherited `PATH` of a process that no shell started was not chosen by
    /// anyone.
    First,
    /// Login shell last: the shell that started the process may be set up for the work, so its
    /// `PATH` wins.
    Last,
}

impl LoginPath {
    /// The right choice for a process that was started from a shell or by a service manager.
    #[must_use]
    pub fn of_this_process() -> Self {
        Self::for_shell_parent(std::env::var_os("SHLVL").is_some())
    }

    fn for_shell_parent(is: bool) -> Self {
        if is { Self::Last } else { Self::First }
    }

    /// Both, without duplicate directories.
    fn joined(self, login: &str, own: &str) -> String {
        let (first, second) = match self {
            Self::First => (login, own),
            Self::Last => (own, login),
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in first
            .split(':')
            .chain(second.split(':'))
            .filter(|part| !part.is_empty())
        {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts.join(":")
    }
}

/// The environments for sessions. The login shell is asked once, on first use.
pub(crate) struct Environment {
    login_path: LoginPath,
    own: OnceLock<BTreeMap<String, String>>,
    whole: OnceLock<BTreeMap<String, String>>,
    secrets: OnceLock<Secrets>,
}

impl Environment {
    pub(crate) fn new(login_path: LoginPath) -> Self {
        Self {
            login_path,
            own: OnceLock::new(),
            whole: OnceLock::new(),
            secrets: OnceLock::new(),
        }
    }

    /// This process's variables, with the directories that a login shell adds to `PATH`.
    ///
    /// A process that was started from a desktop menu, by a service manager or over `ssh` inherits
    /// a `PATH` without the additions in the shell's profile, and finds no agent. If the shell does
    /// not answer in five seconds, the inherited `PATH` is used as it is.
    pub(crate) fn for_agents(&self) -> &BTreeMap<String, String> {
        self.whole.get_or_init(|| {
            let mut variables = self.own().clone();
            if let Some(login) = login_shell_path() {
                let own_path = variables.remove("PATH").unwrap_or_default();
                variables.insert("PATH".to_owned(), self.login_path.joined(&login, &own_path));
            }
            variables
        })
    }

    /// The environment of commands. If Baton was started from a shell, that shell's `PATH` is used
    /// and no other shell is asked.
    pub(crate) fn for_commands(&self) -> &BTreeMap<String, String> {
        match self.login_path {
            LoginPath::First => self.for_agents(),
            LoginPath::Last => self.own(),
        }
    }

    /// The secrets in this environment, to be masked in everything that sessions produce.
    pub(crate) fn secrets(&self) -> &Secrets {
        self.secrets.get_or_init(|| secrets_of(self.own()))
    }

    fn own(&self) -> &BTreeMap<String, String> {
        self.own.get_or_init(own)
    }
}

/// The secrets among `variables`, and values that look like one.
pub(crate) fn secrets_of<'a>(
    variables: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Secrets {
    Secrets::from_environment(
        variables
            .into_iter()
            .map(|(name, value)| (name.as_str(), value.as_str())),
    )
}

/// The variables of this process that are valid Unicode.
fn own() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| !name.starts_with("BATON_"))
        .collect()
}

fn login_shell_path() -> Option<String> {
    let shell = std::env::var("SHELL")
        .ok()
        .filter(|shell| shell.starts_with('/'))?;
    let mut command = detached_shell(&shell);
    command
        .arg(format!(
            "printf '%s%s%s' {PATH_START_MARKER} \"$PATH\" {PATH_END_MARKER}"
        ))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    // This runs the person's own start files.
    let mut child = umask::with_original(|| command.spawn()).ok()?;
    let mut stdout = child.stdout.take()?;
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        let read = stdout.read_to_string(&mut text);
        // The receiver may have timed out.
        let _ = read.map(|_| sender.send(text));
    });
    let text = answer.recv_timeout(SHELL_TIMEOUT).ok();
    if text.is_none() {
        tracing::warn!(
            "the login shell did not report its PATH within 5 s; using this process's own"
        );
        let _ = child.kill();
    }
    let _ = child.wait();
    let text = text?;
    let path = text
        .split_once(PATH_START_MARKER)?
        .1
        .split_once(PATH_END_MARKER)?
        .0;
    (!path.is_empty()).then(|| path.to_owned())
}

/// The shell as an interactive login shell, since many people extend `PATH` in the interactive
/// start files.
///
/// An interactive shell takes over the terminal, which would stop a `baton` in the foreground.
/// `setsid` gives it a session without a terminal; where `setsid` is missing, the shell is started
/// non-interactively.
fn detached_shell(shell: &str) -> Command {
    if let Some(setsid) = ["/usr/bin/setsid", "/bin/setsid"]
        .into_iter()
        .find(|path| Path::new(path).exists())
    {
        let mut command = Command::new(setsid);
        command.args([shell, "-lic"]);
        return command;
    }
    let streams: [&dyn IsTerminal; 3] = [&stdin(), &stdout(), &stderr()];
    let mut command = Command::new(shell);
    command.arg(if streams.iter().any(|stream| stream.is_terminal()) {
        "-lc"
    } else {
        "-lic"
    });
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_path_precedes_login_shell_path() {
        let (login, own) = (
            "/home/me/.local/bin:/usr/bin",
            "/work/venv/bin:/usr/bin:/bin",
        );
        assert_eq!(
            LoginPath::Last.joined(login, own),
            "/work/venv/bin:/usr/bin:/bin:/home/me/.local/bin"
        );
        assert_eq!(
            LoginPath::First.joined(login, own),
            "/home/me/.local/bin:/usr/bin:/work/venv/bin:/bin"
        );
        assert_eq!(LoginPath::Last.joined(login, ""), login);
        assert_eq!(LoginPath::for_shell_parent(true), LoginPath::Last);
        assert_eq!(
            LoginPath::for_shell_parent(false),
            LoginPath::First,
            "a service manager chose nothing"
        );
    }
}
