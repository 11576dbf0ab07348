//! The `git` program: how Baton calls it, and how it is kept from doing more than requested.
//!
//! Each call has a timeout, never prompts for a password, fetches nothing, and sees only the
//! repository of its folder, regardless of what a hook or a terminal that started Baton put in the
//! environment. Programs that the repository itself configures do not run: no hook, file watcher,
//! filter, merge or diff driver (`repository_config`). Filters from the person's own configuration
//! do run: without them git would store other bytes than it checks out. This module does not know
//! the purpose of a call.

mod repository_config;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use baton_keeper::umask;

use crate::work_tree::work_tree_above;
use repository_config::RepositoryConfig;

/// The default timeout of a call: the first snapshot of a tree with gigabytes of new files takes
/// minutes.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// The maximum number of bytes kept of git's error output.
const MAX_ERROR_BYTES: usize = 2_000;

/// Variables that would make git work outside its folder (`git rev-parse --local-env-vars`), or
/// read paths differently.
const CLEARED_VARIABLES: [&str; 22] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_ATTR_SOURCE",
    "GIT_EXTERNAL_DIFF",
];

/// Settings that no repository may override: programs, and features that start background
/// processes.
const FORCED_SETTINGS: [(&str, &str); 10] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.virtualFilesystem", ""),
    ("core.pager", "cat"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("log.showSignature", "false"),
    // The configuration of submodules is not checked.
    ("submodule.recurse", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

/// Commands that start no program regardless of the configuration: they read objects and lists, and
/// no file content.
const SAFE_COMMANDS: [&str; 14] = [
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-ref-format",
    "commit-tree",
    "config",
    "for-each-ref",
    "ls-files",
    "ls-tree",
    "merge-base",
    "rev-list",
    "rev-parse",
    "version",
    "write-tree",
];

/// Commands that show differences, and the options that keep them from using external programs.
const DIFF_COMMANDS: [&str; 3] = ["diff", "diff-tree", "log"];
const NO_EXTERNAL_DIFF: [&str; 2] = ["--no-ext-diff", "--no-textconv"];

/// Why a git call failed.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no `git` on the `PATH`.
    #[error("git is not installed, or not in PATH. Install it, then try again")]
    Missing,
    /// The call did not end in time and was stopped.
    #[error("`git {verb}` timed out after {} s. Find out what blocks it, then try again", patience.as_secs())]
    TimedOut {
        /// The git command, for example `merge-tree`.
        verb: String,
        /// The timeout of the call.
        patience: Duration,
    },
    /// Git exited with an error.
    #[error("`git {verb}` failed: {stderr}")]
    Refused {
        /// The git command, for example `merge-tree`.
        verb: String,
        /// The exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// What git printed to standard error.
        stderr: String,
    },
    /// The operating system refused a process or a pipe.
    #[error("couldn't run git")]
    Io(#[from] io::Error),
}

/// Git calls in one folder.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    pub(crate) program: PathBuf,
    pub(crate) timeout: Duration,
    folder: PathBuf,
    environment: Vec<(&'static str, OsString)>,
    lock: Option<Arc<File>>,
}

impl Git {
    pub(crate) fn at(folder: &Path) -> Self {
        Self {
            program: PathBuf::from("git"),
            timeout: DEFAULT_TIMEOUT,
            folder: folder.to_path_buf(),
            environment: Vec::new(),
            lock: None,
        }
    }

    /// The same calls with another index than the person's.
    pub(crate) fn with_index(&self, index: &Path) -> Self {
        self.with("GIT_INDEX_FILE", index)
    }

    /// The same calls with `work_tree` as the work tree of the repository in `git_dir`.
    pub(crate) fn with_work_tree(&self, git_dir: &Path, work_tree: &Path) -> Self {
        let mut git = self
            .with("GIT_DIR", git_dir)
            .with("GIT_WORK_TREE", work_tree);
        git.folder = work_tree.to_path_buf();
        git
    }

    /// The same calls with Baton as author and committer, so that git needs no configured identity.
    pub(crate) fn with_baton_identity(&self) -> Self {
        self.with("GIT_AUTHOR_NAME", "Baton")
            .with("GIT_AUTHOR_EMAIL", "baton@localhost")
            .with("GIT_COMMITTER_NAME", "Baton")
            .with("GIT_COMMITTER_EMAIL", "baton@localhost")
    }

    /// The same calls, each of which holds `lock` until it ends: if Baton dies in the middle, the
    /// next call waits for the git process that still runs. Such calls get no input.
    pub(crate) fn holding_lock(&self, lock: File) -> Self {
        let mut git = self.clone();
        git.lock = Some(Arc::new(lock));
        git
    }

    /// The same calls with an environment variable set.
    pub(crate) fn with(&self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        let mut git = self.clone();
        git.environment.push((name, value.as_ref().to_owned()));
        git
    }

    /// Runs git with `arguments` and returns its standard output.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run_with_input(arguments, Vec::new())
    }

    /// Runs git with `arguments` and `input` on its standard input. Use it for lists of files: the
    /// length of arguments is limited.
    pub(crate) fn run_with_input(
        &self,
        arguments: &[&str],
        input: Vec<u8>,
    ) -> Result<Vec<u8>, GitError> {
        match self.finish(arguments, input)? {
            (Some(0), output, _) => Ok(output),
            (code, _, stderr) => Err(GitError::Refused {
                verb: verb_of(arguments),
                code,
                stderr,
            }),
        }
    }

    /// Runs git with `arguments` and returns its output and whether the answer is yes: exit code 1
    /// means no, not an error.
    pub(crate) fn run_predicate(&self, arguments: &[&str]) -> Result<(bool, Vec<u8>), GitError> {
        match self.finish(arguments, Vec::new())? {
            (Some(code @ (0 | 1)), output, _) => Ok((code == 0, output)),
            (code, _, stderr) => Err(GitError::Refused {
                verb: verb_of(arguments),
                code,
                stderr,
            }),
        }
    }

    /// The filters that the repository's own configuration defines. They do not run.
    pub(crate) fn blocked_filters(&self) -> Result<Vec<OsString>, GitError> {
        Ok(self.repository_config()?.blocked_filters())
    }

    /// Whether this is a partial clone, which downloads objects on demand. They are not downloaded
    /// here.
    pub(crate) fn is_partial(&self) -> Result<bool, GitError> {
        Ok(self.repository_config()?.is_partial())
    }

    fn repository_config(&self) -> Result<RepositoryConfig, GitError> {
        Ok(RepositoryConfig::read(
            &self.run(&RepositoryConfig::LIST_ARGUMENTS)?,
        ))
    }

    /// The exit code, the standard output and the standard error.
    fn finish(
        &self,
        arguments: &[&str],
        input: Vec<u8>,
    ) -> Result<(Option<i32>, Vec<u8>, String), GitError> {
        let until = Instant::now() + self.timeout;
        let verb = verb_of(arguments);
        let overrides = if SAFE_COMMANDS.contains(&&verb[..]) {
            Vec::new()
        } else {
            self.repository_config()?.overrides()
        };
        let mut command = self.command(&without_external_programs(arguments), overrides);
        if let Some(lock) = &self.lock {
            // A lock belongs to the open file, and standard input is the one file that a child
            // always inherits.
            command.stdin(lock.try_clone()?);
        }
        // Files that git creates in the person's repository get the modes that their own git would
        // give them.
        let mut child =
            umask::with_original(|| command.spawn()).map_err(|error| match error.kind() {
                // The error is the same for a missing folder.
                io::ErrorKind::NotFound if self.folder.is_dir() => GitError::Missing,
                _ => GitError::Io(error),
            })?;
        if let Some(mut stdin) = child.stdin.take() {
            // When git ends early, its standard error says why; the write error does not matter.
            thread::Builder::new().spawn(move || stdin.write_all(&input).is_ok())?;
        }
        let output = read(child.stdout.take())?;
        let error_output = read(child.stderr.take())?;
        let (Some(output), Some(error_output)) =
            (receive_by(until, &output), receive_by(until, &error_output))
        else {
            stop(&mut child);
            return Err(GitError::TimedOut {
                verb: verb_of(arguments),
                patience: self.timeout,
            });
        };
        let status = child.wait()?;
        let error_output = error_output?;
        let stderr =
            String::from_utf8_lossy(&error_output[..error_output.len().min(MAX_ERROR_BYTES)])
                .trim()
                .to_owned();
        Ok((status.code(), output?, stderr))
    }

    fn command(&self, arguments: &[&str], overrides: Vec<(OsString, OsString)>) -> Command {
        let mut command = Command::new(&self.program);
        for name in CLEARED_VARIABLES {
            command.env_remove(name);
        }
        command
            .current_dir(&self.folder)
            .args(arguments)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            // Neither protocol helpers nor downloads of objects that a partial clone is missing.
            .env("GIT_ALLOW_PROTOCOL", "")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_EDITOR", ":")
            .env("GIT_PAGER", "cat")
            .env(
                "PATH",
                search_path(&self.folder, std::env::var_os("PATH").as_deref()),
            )
            // Baton parses some of git's messages, and shows the rest beside its own English.
            .env("LC_ALL", "C")
            .envs(settings(overrides))
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// The directories of `path`, without any in the work tree of `folder`, to which a session may
/// write.
fn search_path(folder: &Path, path: Option<&OsStr>) -> OsString {
    let here = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let tree = work_tree_above(&here).unwrap_or(&here);
    let path = path.unwrap_or(OsStr::new("/usr/bin:/bin"));
    let outside =
        std::env::split_paths(path).filter(|entry| entry.is_absolute() && !entry.starts_with(tree));
    // Entries that came from one path can be joined again.
    std::env::join_paths(outside).unwrap_or_else(|_| path.to_owned())
}

/// The settings of a call, in the form that git reads from the environment, where a name may
/// contain any character.
fn settings(overrides: Vec<(OsString, OsString)>) -> Vec<(String, OsString)> {
    let fixed = FORCED_SETTINGS
        .iter()
        .map(|(key, value)| (OsString::from(key), OsString::from(value)));
    let mut variables = Vec::new();
    for (key, value) in fixed.chain(overrides) {
        let number = variables.len() / 2;
        variables.extend([
            (format!("GIT_CONFIG_KEY_{number}"), key),
            (format!("GIT_CONFIG_VALUE_{number}"), value),
        ]);
    }
    variables.push((
        "GIT_CONFIG_COUNT".to_owned(),
        (variables.len() / 2).to_string().into(),
    ));
    variables
}

/// The arguments, with options that forbid external programs for the commands that would use them.
fn without_external_programs<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let verb = verb_index(arguments).map(|at| (at, arguments[at]));
    let (at, further): (usize, &[&str]) = match verb {
        Some((at, verb)) if DIFF_COMMANDS.contains(&verb) => (at, &NO_EXTERNAL_DIFF),
        // Git would check each submodule with its own configuration.
        Some((at, "status")) => (at, &["--ignore-submodules=all"]),
        _ => return arguments.to_vec(),
    };
    [&arguments[..=at], further, &arguments[at + 1..]].concat()
}

/// The git command in the arguments.
fn verb_of(arguments: &[&str]) -> String {
    verb_index(arguments)
        .map(|at| arguments[at])
        .unwrap_or_default()
        .to_owned()
}

/// The index of the command after git's own options; `-c` takes a value.
fn verb_index(arguments: &[&str]) -> Option<usize> {
    let follows_option = |at: usize| at > 0 && arguments[at - 1] == "-c";
    (0..arguments.len()).find(|&at| !arguments[at].starts_with('-') && !follows_option(at))
}

/// Reads `pipe` to its end on another thread.
fn read(pipe: Option<impl Read + Send + 'static>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let result = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
        // After a timeout, there is no receiver.
        sender.send(result.map(|_| bytes)).is_ok()
    })?;
    Ok(receiver)
}

fn receive_by<T>(until: Instant, receiver: &Receiver<T>) -> Option<T> {
    receiver
        .recv_timeout(until.saturating_duration_since(Instant::now()))
        .ok()
}

fn stop(child: &mut Child) {
    if let Err(error) = child.kill().and_then(|()| child.wait()) {
        tracing::warn!(%error, "couldn't stop git");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_error_message_is_reported() {
        let folder = tempfile::tempdir().expect("temp dir");
        let refused = Git::at(folder.path())
            .run(&["rev-parse", "--show-toplevel"])
            .expect_err("no repository");
        assert!(
            matches!(&refused, GitError::Refused { code: Some(128), stderr, .. } if stderr.contains("not a git repository"))
        );
    }

    #[test]
    fn missing_program_and_missing_folder_are_different_errors() {
        let folder = tempfile::tempdir().expect("temp dir");
        let mut git = Git::at(folder.path());
        git.program = PathBuf::from("/no/such/git");
        assert!(matches!(git.run(&["version"]), Err(GitError::Missing)));
        assert!(matches!(
            Git::at(Path::new("/no/such/folder")).run(&["version"]),
            Err(GitError::Io(_))
        ));
    }

    #[test]
    fn git_program_is_not_searched_in_the_work_tree() {
        let folder = tempfile::tempdir().expect("temp dir");
        std::fs::create_dir_all(folder.path().join("deep")).expect("create folder");
        Git::at(folder.path())
            .run(&["init", "--quiet"])
            .expect("git works");
        let path = format!(
            ".::node_modules/.bin:{}/bin:/usr/bin",
            folder.path().display()
        );
        assert_eq!(
            search_path(&folder.path().join("deep"), Some(OsStr::new(&path))),
            "/usr/bin"
        );
        assert_eq!(search_path(folder.path(), None), "/usr/bin:/bin");
    }

    #[test]
    fn subcommand_is_found_after_options() {
        let asked = [
            "-c",
            "core.safecrlf=false",
            "--literal-pathspecs",
            "diff",
            "--raw",
        ];
        assert_eq!(verb_of(&asked), "diff");
        assert_eq!(
            without_external_programs(&asked)[3..],
            ["diff", "--no-ext-diff", "--no-textconv", "--raw"]
        );
        assert_eq!(
            without_external_programs(&["rev-parse", "HEAD"]),
            ["rev-parse", "HEAD"]
        );
    }

    #[test]
    fn hanging_git_call_times_out() {
        let folder = tempfile::tempdir().expect("temp dir");
        let mut git = Git::at(folder.path());
        git.timeout = Duration::from_millis(200);
        let started = Instant::now();
        let error = git
            .run(&["-c", "alias.hang=!sleep 20", "hang"])
            .expect_err("times out");
        assert!(matches!(error, GitError::TimedOut { .. }), "{error}");
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "the call returns although a descendant holds the pipe"
        );
    }

    #[test]
    fn lock_is_held_until_the_git_process_exits() {
        let folder = tempfile::tempdir().expect("temp dir");
        let file = folder.path().join("lock");
        let lock = File::create(&file).expect("create file");
        lock.lock().expect("not locked");
        let mut git = Git::at(folder.path()).holding_lock(lock);
        git.timeout = Duration::from_secs(5);
        // Only git itself is stopped; its child processes keep running, just as git does when Baton
        // is killed.
        let endless = "alias.wait=!touch started; while ! test -e stop; do sleep 0.01; done";
        assert!(matches!(
            git.run(&["-c", endless, "wait"]),
            Err(GitError::TimedOut { .. })
        ));
        drop(git);
        assert!(folder.path().join("started").exists(), "git has started it");
        let other = File::open(&file).expect("exists");
        assert!(
            matches!(other.try_lock(), Err(std::fs::TryLockError::WouldBlock)),
            "git is still running"
        );
        File::create(folder.path().join("stop")).expect("create file");
        other.lock().expect("ends");
    }

    #[test]
    fn input_and_output_larger_than_a_pipe_buffer() {
        let folder = tempfile::tempdir().expect("temp dir");
        let git = Git::at(folder.path());
        git.run(&["init", "--quiet"]).expect("git works");
        let paths = "a/path/that/is/not/there\0".repeat(50_000).into_bytes();
        let ignored = git.run_with_input(
            &[
                "check-ignore",
                "-z",
                "--stdin",
                "--verbose",
                "--non-matching",
            ],
            paths,
        );
        assert!(
            matches!(ignored, Err(GitError::Refused { code: Some(1), .. })),
            "nothing is ignored, and nothing hung"
        );
    }
}
