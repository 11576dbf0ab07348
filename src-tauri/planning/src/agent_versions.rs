//! The versions of agent programs, which are started to print them.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use baton_agents::{Adapter, Probe};
use baton_engine::find_program;
use baton_keeper::umask;

/// How long a version counts as current without asking again. A program may be a script that starts
/// another one, so that its own file doesn't show an update.
const FRESHNESS: Duration = Duration::from_secs(60);

type Environment = BTreeMap<String, String>;

/// The versions that programs printed in this process.
#[derive(Debug, Default)]
pub struct AgentVersions {
    known: Mutex<BTreeMap<PathBuf, KnownVersion>>,
}

#[derive(Debug, Clone)]
struct KnownVersion {
    file: FileIdentity,
    at: Instant,
    version: String,
}

/// Changes when the file is replaced or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileIdentity([i64; 5]);

impl AgentVersions {
    /// The version of an agent's program, which is started unless it printed its version within the
    /// last minute. `None` if it is missing, or doesn't print one within `limit`.
    pub fn recent(
        &self,
        agent: &dyn Adapter,
        environment: &Environment,
        limit: Duration,
    ) -> Option<String> {
        let probe = agent.probe();
        let path = find_program(&probe.program, environment)?;
        let file = FileIdentity::of(&path)?;
        let known = self.lock().get(&path).cloned();
        match known.filter(|known| known.file == file && known.at.elapsed() < FRESHNESS) {
            Some(known) => Some(known.version),
            None => self.current(&path, &probe, environment, limit),
        }
    }

    /// The version of the program at `path`, which is always started.
    pub fn current(
        &self,
        path: &Path,
        probe: &Probe,
        environment: &Environment,
        limit: Duration,
    ) -> Option<String> {
        let file = FileIdentity::of(path)?;
        let version = ask(path, probe, environment, limit)?;
        let known = KnownVersion {
            file,
            at: Instant::now(),
            version: version.clone(),
        };
        self.lock().insert(path.to_path_buf(), known);
        Some(version)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, KnownVersion>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FileIdentity {
    fn of(path: &Path) -> Option<Self> {
        let meta = std::fs::metadata(path).ok()?;
        let [device, inode, length] = [meta.dev(), meta.ino(), meta.len()].map(u64::cast_signed);
        Some(Self([
            device,
            inode,
            length,
            meta.ctime(),
            meta.ctime_nsec(),
        ]))
    }
}

fn ask(path: &Path, probe: &Probe, environment: &Environment, limit: Duration) -> Option<String> {
    let until = Instant::now() + limit;
    let arguments = probe
        .version_argv
        .get(1..)
        .filter(|arguments| !arguments.is_empty())?;
    let mut command = Command::new(path);
    command
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = umask::with_original(|| command.spawn()).ok()?;
    // Some agents, such as pi, print their version to standard error.
    let printed = [
        read_pipe(child.stdout.take()?),
        read_pipe(child.stderr.take()?),
    ];
    let texts =
        printed.map(|text| text.recv_timeout(until.saturating_duration_since(Instant::now())));
    if texts.iter().any(Result::is_err) {
        // Fails if the process has just exited, which is fine.
        drop(child.kill());
    }
    drop(child.wait());
    texts
        .into_iter()
        .flatten()
        .find_map(|text| (probe.parse_version)(&text))
}

/// Reads a pipe to its end on a thread and sends the text when done.
fn read_pipe(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, text) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        if pipe.read_to_string(&mut text).is_ok() {
            // Fails if the receiver has timed out.
            drop(sender.send(text));
        }
    });
    text
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use baton_agents::pi::Pi;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    struct FakePi(tempfile::TempDir);

    impl FakePi {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("temp dir"))
        }

        /// Makes the program do this, and count how often it was started.
        fn install(&self, line: &str) {
            let program = self.0.path().join("pi");
            let script = format!("#!/bin/sh\necho >> \"${{0%/*}}/starts\"\n{line}\n");
            fs::write(&program, script).expect("write file");
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
                .expect("set permissions");
        }

        fn starts(&self) -> usize {
            fs::read_to_string(self.0.path().join("starts")).map_or(0, |text| text.len())
        }

        fn environment(&self) -> Environment {
            Environment::from([("PATH".to_owned(), self.0.path().display().to_string())])
        }

        fn recent(&self, versions: &AgentVersions) -> Option<String> {
            versions.recent(&Pi::default(), &self.environment(), LIMIT)
        }
    }

    #[test]
    fn version_is_read_from_stdout_or_stderr() {
        let pi = FakePi::new();
        for (says, found) in [
            ("echo 0.74.2", Some("0.74.2")),
            ("echo 0.74.2 >&2", Some("0.74.2")),
            ("echo a warning >&2; echo 0.74.2", Some("0.74.2")),
            ("echo no version here", None),
        ] {
            pi.install(says);
            let path = pi.0.path().join("pi");
            let probe = Pi::default().probe();
            let version = AgentVersions::default().current(&path, &probe, &pi.environment(), LIMIT);
            assert_eq!(version.as_deref(), found, "{says}");
        }
    }

    #[test]
    fn program_is_started_again_only_when_its_file_changed() {
        let (pi, versions) = (FakePi::new(), AgentVersions::default());
        assert_eq!(pi.recent(&versions), None, "it isn't installed");
        pi.install("echo 0.74.2");
        assert_eq!(pi.recent(&versions).as_deref(), Some("0.74.2"));
        assert_eq!(pi.recent(&versions).as_deref(), Some("0.74.2"));
        assert_eq!(pi.starts(), 1);
        pi.install("echo 0.75.10");
        assert_eq!(pi.recent(&versions).as_deref(), Some("0.75.10"));
        assert_eq!(pi.starts(), 2);
    }

    #[test]
    fn program_without_an_answer_is_stopped() {
        let (pi, versions) = (FakePi::new(), AgentVersions::default());
        pi.install("exec /bin/sleep 600");
        let limit = Duration::from_millis(50);
        assert_eq!(
            versions.recent(&Pi::default(), &pi.environment(), limit),
            None
        );
    }
}
