//! The `git` program: how Baton calls it, and how it is kept from doing more than it is asked.
//!
//! Each call ends within its patience, asks nobody for a password, fetches nothing, and sees the repository of its folder alone,
//! whatever a hook or a terminal that started Baton put in the environment. No program runs that the repository itself names:
//! no hook, file watcher, filter, merge or diff driver (`repository_config`). Filters of the person's own configuration do run:
//! without them git would keep other bytes than it checks out. Nothing here knows what a call is for.

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

/// How long a call may take unless it is told otherwise: the first snapshot of a tree with gigabytes of new files takes minutes.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// How much of git's own words is kept, in bytes.
const MAX_ERROR_BYTES: usize = 2_000;

/// What would make git work elsewhere than in its folder (`git rev-parse --local-env-vars`), or read paths differently.
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

/// What no repository may decide: programs, and what starts some beside the work.
const FORCED_SETTINGS: [(&str, &str); 10] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.virtualFilesystem", ""),
    ("core.pager", "cat"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("log.showSignature", "false"),
    // The configuration of a submodule is not looked at.
    ("submodule.recurse", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

/// Calls that start no program whatever the configuration says: they read objects and lists, and look at no content of a file.
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

/// Calls that show differences, and what keeps them from showing them by programs.
const DIFF_COMMANDS: [&str; 3] = ["diff", "diff-tree", "log"];
const NO_EXTERNAL_DIFF: [&str; 2] = ["--no-ext-diff", "--no-textconv"];

/// Why a call of git gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no such program.
    #[error("git is not installed, or not in PATH. Install it, then try again")]
    Missing,
    /// It did not end in time and was stopped.
    #[error("`git {verb}` did not end within {} s and was stopped. Find what holds it up, then try again", patience.as_secs())]
    TimedOut {
        /// What git was asked for.
        verb: String,
        /// How long it was given.
        patience: Duration,
    },
    /// It said no.
    #[error("`git {verb}` failed: {said}")]
    Refused {
        /// What git was asked for.
        verb: String,
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// What it wrote on its standard error.
        said: String,
    },
    /// The operating system refused a process or a pipe.
    #[error("git does not answer")]
    Io(#[from] io::Error),
}

/// Calls of git in one folder.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    pub(crate) program: PathBuf,
    pub(crate) timeout: Duration,
    folder: PathBuf,
    environment: Vec<(&'static str, OsString)>,
    lock: Option<Arc<File>>,
}

impl Git {
    /// Calls in `folder`.
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

    /// The same calls as if `work_tree` were what the repository in `git_dir` has checked out.
    pub(crate) fn with_work_tree(&self, git_dir: &Path, work_tree: &Path) -> Self {
        let mut git = self
            .with("GIT_DIR", git_dir)
            .with("GIT_WORK_TREE", work_tree);
        git.folder = work_tree.to_path_buf();
        git
    }

    /// The same calls with Baton as author, so that nobody has to tell git who they are.
    pub(crate) fn with_baton_identity(&self) -> Self {
        self.with("GIT_AUTHOR_NAME", "Baton")
            .with("GIT_AUTHOR_EMAIL", "baton@localhost")
            .with("GIT_COMMITTER_NAME", "Baton")
            .with("GIT_COMMITTER_EMAIL", "baton@localhost")
    }

    /// The same calls, each with `lock` in its hands until it ends: when Baton dies in the middle, the next one waits for the git
    /// that is still at work. Such calls are fed nothing.
    pub(crate) fn holding_lock(&self, lock: File) -> Self {
        let mut git = self.clone();
        git.lock = Some(Arc::new(lock));
        git
    }

    /// The same calls with a variable set.
    pub(crate) fn with(&self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        let mut git = self.clone();
        git.environment.push((name, value.as_ref().to_owned()));
        git
    }

    /// What git prints when it is called with `arguments`.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run_with_input(arguments, Vec::new())
    }

    /// What git prints when it is called with `arguments` and reads `input`. Lists of files go this way: arguments have a limit.
    pub(crate) fn run_with_input(
        &self,
        arguments: &[&str],
        input: Vec<u8>,
    ) -> Result<Vec<u8>, GitError> {
        match self.finish(arguments, input)? {
            (Some(0), output, _) => Ok(output),
            (code, _, said) => Err(GitError::Refused {
                verb: verb_of(arguments),
                code,
                said,
            }),
        }
    }

    /// What git prints when it is called with `arguments`, and whether it says yes: an exit code of 1 is a no, not an error.
    pub(crate) fn run_predicate(&self, arguments: &[&str]) -> Result<(bool, Vec<u8>), GitError> {
        match self.finish(arguments, Vec::new())? {
            (Some(code @ (0 | 1)), output, _) => Ok((code == 0, output)),
            (code, _, said) => Err(GitError::Refused {
                verb: verb_of(arguments),
                code,
                said,
            }),
        }
    }

    /// The filters that the repository's own configuration defines. They do not run.
    pub(crate) fn blocked_filters(&self) -> Result<Vec<OsString>, GitError> {
        Ok(self.repository_config()?.blocked_filters())
    }

    /// Whether the repository leaves files elsewhere until they are needed. They are not fetched.
    pub(crate) fn is_partial(&self) -> Result<bool, GitError> {
        Ok(self.repository_config()?.is_partial())
    }

    fn repository_config(&self) -> Result<RepositoryConfig, GitError> {
        Ok(RepositoryConfig::read(
            &self.run(&RepositoryConfig::LIST_ARGUMENTS)?,
        ))
    }

    /// The exit code, what was printed, and what git said about it.
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
            // A lock belongs to the open file, and its standard input is the one file that a child always inherits.
            command.stdin(lock.try_clone()?);
        }
        // What git makes in the person's repository has the modes that their own git would give it.
        let mut child =
            umask::with_original(|| command.spawn()).map_err(|error| match error.kind() {
                // The folder is missing as well when the program is there.
                io::ErrorKind::NotFound if self.folder.is_dir() => GitError::Missing,
                _ => GitError::Io(error),
            })?;
        if let Some(mut stdin) = child.stdin.take() {
            // When git ends early it has said why; that the rest was not read is no news.
            thread::Builder::new().spawn(move || stdin.write_all(&input).is_ok())?;
        }
        let output = read(child.stdout.take())?;
        let words = read(child.stderr.take())?;
        let (Some(output), Some(words)) = (receive_by(until, &output), receive_by(until, &words))
        else {
            stop(&mut child);
            return Err(GitError::TimedOut {
                verb: verb_of(arguments),
                patience: self.timeout,
            });
        };
        let status = child.wait()?;
        let words = words?;
        let said = String::from_utf8_lossy(&words[..words.len().min(MAX_ERROR_BYTES)])
            .trim()
            .to_owned();
        Ok((status.code(), output?, said))
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
            // Neither a helper for a protocol nor a transfer of files that a partial clone left elsewhere.
            .env("GIT_ALLOW_PROTOCOL", "")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_EDITOR", ":")
            .env("GIT_PAGER", "cat")
            .env(
                "PATH",
                search_path(&self.folder, std::env::var_os("PATH").as_deref()),
            )
            // Baton reads a few of git's words, and people read the rest beside Baton's English.
            .env("LC_ALL", "C")
            .envs(settings(overrides))
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// Where programs are looked for: in `path`, but nowhere in the work tree of `folder`, to which a session may write.
fn search_path(folder: &Path, path: Option<&OsStr>) -> OsString {
    let here = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let tree = work_tree_above(&here).unwrap_or(&here);
    let path = path.unwrap_or(OsStr::new("/usr/bin:/bin"));
    let outside =
        std::env::split_paths(path).filter(|entry| entry.is_absolute() && !entry.starts_with(tree));
    // Entries of one path make one again.
    std::env::join_paths(outside).unwrap_or_else(|_| path.to_owned())
}

/// The settings of a call, as git takes them from the environment: there a name may hold any sign.
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

/// The arguments, and for calls that would otherwise show or judge by programs those that forbid it.
fn without_external_programs<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let verb = verb_index(arguments).map(|at| (at, arguments[at]));
    let (at, further): (usize, &[&str]) = match verb {
        Some((at, verb)) if DIFF_COMMANDS.contains(&verb) => (at, &NO_EXTERNAL_DIFF),
        // Git would look into each submodule, by its own configuration.
        Some((at, "status")) => (at, &["--ignore-submodules=all"]),
        _ => return arguments.to_vec(),
    };
    [&arguments[..=at], further, &arguments[at + 1..]].concat()
}

/// What git was asked for.
fn verb_of(arguments: &[&str]) -> String {
    verb_index(arguments)
        .map(|at| arguments[at])
        .unwrap_or_default()
        .to_owned()
}

/// Where the verb stands behind git's own options, of which `-c` takes a word.
fn verb_index(arguments: &[&str]) -> Option<usize> {
    let follows_option = |at: usize| at > 0 && arguments[at - 1] == "-c";
    (0..arguments.len()).find(|&at| !arguments[at].starts_with('-') && !follows_option(at))
}

/// Reads `pipe` to its end beside everything else.
fn read(pipe: Option<impl Read + Send + 'static>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let result = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
        // Nobody listens any more when the call timed out.
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
        tracing::warn!(%error, "git could not be stopped");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_error_message_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let refused = Git::at(folder.path())
            .run(&["rev-parse", "--show-toplevel"])
            .expect_err("there is no repository");
        assert!(
            matches!(&refused, GitError::Refused { code: Some(128), said, .. } if said.contains("not a git repository"))
        );
    }

    #[test]
    fn missing_program_and_missing_folder_are_different_errors() {
        let folder = tempfile::tempdir().expect("a folder");
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
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("deep")).expect("room");
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
        let folder = tempfile::tempdir().expect("a folder");
        let mut git = Git::at(folder.path());
        git.timeout = Duration::from_millis(200);
        let begun = Instant::now();
        let error = git
            .run(&["-c", "alias.hang=!sleep 20", "hang"])
            .expect_err("it never ends by itself");
        assert!(matches!(error, GitError::TimedOut { .. }), "{error}");
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "the caller goes on although a descendant holds the pipe"
        );
    }

    #[test]
    fn lock_is_held_until_the_git_process_exits() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("lock");
        let lock = File::create(&file).expect("room");
        lock.lock().expect("nobody has it");
        let mut git = Git::at(folder.path()).holding_lock(lock);
        git.timeout = Duration::from_secs(5);
        // Only git itself is stopped; what it started lives on, as git does when Baton is killed.
        let endless = "alias.wait=!touch begun; while ! test -e stop; do sleep 0.01; done";
        assert!(matches!(
            git.run(&["-c", endless, "wait"]),
            Err(GitError::TimedOut { .. })
        ));
        drop(git);
        assert!(
            folder.path().join("begun").exists(),
            "git had the time to start it"
        );
        let other = File::open(&file).expect("it is there");
        assert!(
            matches!(other.try_lock(), Err(std::fs::TryLockError::WouldBlock)),
            "it is still at work"
        );
        File::create(folder.path().join("stop")).expect("room");
        other.lock().expect("it ends");
    }

    #[test]
    fn input_and_output_larger_than_a_pipe_buffer() {
        let folder = tempfile::tempdir().expect("a folder");
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
