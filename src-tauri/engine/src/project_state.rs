//! The state of a plan's git work tree for an approval, and how it differs later.
//!
//! Changes nothing. A person waits for it, so everything together has a time limit; what isn't
//! known by then stays unknown.

mod file_content;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::time::{Duration, Instant};

use baton_model::Timestamp;
use baton_model::project_changes::{
    ApprovedCommit, CommitSummary, CommitsSince, MAX_LISTED_COMMITS,
};
use baton_model::project_state::{FileContent, FileState, RepositoryState};

use crate::git::{Git, GitError};
use crate::git_checkpoint::{CheckpointError, WorkTree, line};
use file_content::FileReader;

/// The time limit of one look at a repository.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// How many uncommitted files an approval remembers.
const MAX_FILES: usize = 500;
/// How many characters of an author or subject are kept.
const MAX_TEXT: usize = 200;

/// The present state of a repository, seen from an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryNow {
    /// The present state, without the contents of files.
    pub state: RepositoryState,
    /// The present content of each file that was uncommitted at the approval.
    pub earlier_files: Vec<FileState>,
    /// The history since the approved commit; `None` if there was no commit.
    pub history: Option<CommitsSince>,
}

/// A look at the repository of a plan's directory.
#[derive(Debug)]
pub struct ProjectRepositoryView {
    tree: WorkTree,
    until: Instant,
}

impl ProjectRepositoryView {
    /// The repository that contains `directory`; `None` outside of any.
    ///
    /// # Errors
    ///
    /// When git is missing or refuses the repository.
    pub fn of(directory: &Path, data_directory: &Path) -> Result<Option<Self>, CheckpointError> {
        let tree = WorkTree::of(directory, data_directory)?;
        Ok(tree.map(|tree| Self {
            tree,
            until: Instant::now() + TIME_LIMIT,
        }))
    }

    /// The place of `directory` in the work tree, with `/`; empty for the top folder.
    #[must_use]
    pub fn place_of(&self, directory: &Path) -> String {
        let real = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_path_buf());
        let inside = real.strip_prefix(self.tree.root()).unwrap_or(Path::new(""));
        inside.display().to_string()
    }

    /// The state that an approval remembers.
    ///
    /// # Errors
    ///
    /// When git fails or takes too long.
    pub fn state(&self) -> Result<RepositoryState, CheckpointError> {
        let mut paths = self.uncommitted()?;
        let left_out = paths.len().saturating_sub(MAX_FILES);
        paths.truncate(MAX_FILES);
        Ok(RepositoryState {
            commit: self.commit_of("HEAD")?,
            branch: self.branch()?,
            uncommitted: self.contents(paths),
            left_out: saturate(left_out),
        })
    }

    /// The present state, compared with the one at an approval.
    ///
    /// # Errors
    ///
    /// When git fails or takes too long.
    pub fn since(&self, then: &RepositoryState) -> Result<RepositoryNow, CheckpointError> {
        let uncommitted = self.uncommitted()?.into_iter().map(|path| FileState {
            path,
            content: FileContent::NotRead,
        });
        let state = RepositoryState {
            commit: self.commit_of("HEAD")?,
            branch: self.branch()?,
            uncommitted: uncommitted.collect(),
            left_out: 0,
        };
        let earlier = then.uncommitted.iter().map(|file| file.path.clone());
        Ok(RepositoryNow {
            earlier_files: self.contents(earlier.collect()),
            history: match (&then.commit, &state.commit) {
                (Some(approved), Some(head)) => Some(self.commits_since(approved, head)?),
                _ => None,
            },
            state,
        })
    }

    fn commits_since(&self, approved: &str, head: &str) -> Result<CommitsSince, CheckpointError> {
        let nothing = |approved| CommitsSince {
            approved,
            count: 0,
            newest: Vec::new(),
            files: Vec::new(),
        };
        if approved == head {
            return Ok(nothing(ApprovedCommit::CheckedOut));
        }
        // It was stored by Baton, but the file with it may have been edited.
        let is_hash = approved.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash || self.commit_of(approved)?.is_none() {
            return Ok(nothing(ApprovedCommit::Gone));
        }
        let range = format!("{approved}..{head}");
        let git = self.git();
        let (is_ancestor, _) =
            git.run_predicate(&["merge-base", "--is-ancestor", approved, head])?;
        let count = line(&self.git().run(&["rev-list", "--count", &range])?);
        let files = ["diff", "--name-only", "-z", "--no-renames", approved, head];
        Ok(CommitsSince {
            approved: match is_ancestor {
                true => ApprovedCommit::InHistory,
                false => ApprovedCommit::NotInHistory,
            },
            count: count.parse().unwrap_or(u32::MAX),
            newest: self.newest_commits(&range)?,
            files: texts(&self.git().run(&files)?).collect(),
        })
    }

    fn newest_commits(&self, range: &str) -> Result<Vec<CommitSummary>, CheckpointError> {
        let limit = format!("--max-count={MAX_LISTED_COMMITS}");
        // Author and subject can't contain a line end.
        let format = "--format=%H%n%at%n%an%n%s";
        let printed = self.git().run(&[
            "log",
            "-z",
            "--encoding=UTF-8",
            "--no-show-signature",
            "--no-color",
            &limit,
            format,
            range,
        ])?;
        Ok(texts(&printed).filter_map(|entry| commit(&entry)).collect())
    }

    fn uncommitted(&self) -> Result<Vec<String>, CheckpointError> {
        let printed = self.git().run(&[
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=all",
        ])?;
        // Two letters and a space precede each path.
        let mut paths: Vec<String> = texts(&printed)
            .filter_map(|entry| entry.get(3..).map(str::to_owned))
            .filter(|path| !self.tree.is_own(path))
            .collect();
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    fn contents(&self, paths: Vec<String>) -> Vec<FileState> {
        let mut reader = FileReader::new(self.tree.root(), self.until);
        let read = paths.into_iter().map(|path| FileState {
            content: reader.read(&path),
            path,
        });
        read.collect()
    }

    fn branch(&self) -> Result<Option<String>, CheckpointError> {
        let arguments = ["symbolic-ref", "--quiet", "--short", "HEAD"];
        let (is_branch, name) = self.git().run_predicate(&arguments)?;
        Ok(is_branch.then(|| line(&name)))
    }

    fn commit_of(&self, name: &str) -> Result<Option<String>, CheckpointError> {
        let commit = format!("{name}^{{commit}}");
        match self
            .git()
            .run(&["rev-parse", "--verify", "--quiet", &commit])
        {
            Ok(commit) => Ok(Some(line(&commit))),
            Err(GitError::Refused { code: Some(1), .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Git, with the time that is left.
    fn git(&self) -> Git {
        let mut git = self.tree.git().clone();
        git.timeout = self.until.saturating_duration_since(Instant::now());
        git
    }
}

/// The texts that git printed with a zero byte after each. Invalid Unicode is replaced.
fn texts(printed: &[u8]) -> impl Iterator<Item = String> {
    let entries = printed.split(|byte| *byte == 0);
    entries
        .filter(|entry| !entry.is_empty())
        .map(|entry| String::from_utf8_lossy(entry).into_owned())
}

fn commit(entry: &str) -> Option<CommitSummary> {
    let mut lines = entry.splitn(4, '\n');
    let commit = lines.next()?.to_owned();
    let seconds: i64 = lines.next()?.parse().ok()?;
    let mut text = || {
        lines
            .next()
            .map(|text| text.chars().take(MAX_TEXT).collect())
    };
    Some(CommitSummary {
        commit,
        at: Timestamp(seconds.saturating_mul(1_000)),
        author: text()?,
        subject: text()?,
    })
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
