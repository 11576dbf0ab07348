//! The current files of a work tree in Baton's own index.
//!
//! It starts as a copy of the person's index, so that unchanged files need not be read again, and
//! so that files that are both ignored and tracked are known. It is deleted on drop; added objects
//! stay in the repository until git cleans up.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{BlockedFilter, CheckpointError, WorkTree, line};
use crate::git::{Git, GitError};

/// The mode of a nested repository.
pub(super) const GITLINK: &str = "160000";

/// How often to retry when a file cannot be read.
const TRIES: u32 = 3;

/// A path relative to the root, as git has it: it need not be valid Unicode.
pub(super) type GitPath = Vec<u8>;

/// The current files of a work tree in Baton's own index.
pub(super) struct ShadowIndex {
    pub(super) git: Git,
    folder: TempDir,
    /// Submodules, repositories and Baton's own data, relative to the root.
    foreign: Vec<GitPath>,
}

impl ShadowIndex {
    /// Adds the current files of `work_tree` to an index.
    pub(super) fn of(work_tree: &WorkTree) -> Result<Self, CheckpointError> {
        if let Some(BlockedFilter { filter, path }) = work_tree.blocked_filter()? {
            return Err(CheckpointError::Filter { filter, path });
        }
        let folder = tempfile::Builder::new().prefix("baton-git-").tempdir()?;
        let index = folder.path().join("index");
        copy_index(&work_tree.index, &index)?;
        let mut shadow = Self {
            git: work_tree.git.with_index(&index),
            folder,
            foreign: Vec::new(),
        };
        shadow.foreign.extend(
            work_tree
                .own
                .iter()
                .map(|own| own.clone().into_os_string().into_vec()),
        );
        shadow.learn_tracked()?;
        let others = shadow
            .git
            .run(&["ls-files", "-z", "--others", "--exclude-standard"])?;
        // Git lists a nested repository as a folder.
        shadow.foreign.extend(
            paths(&others)
                .filter_map(|path| path.strip_suffix(b"/"))
                .map(<[u8]>::to_vec),
        );
        shadow.add_all()?;
        Ok(shadow)
    }

    /// A temporary folder, deleted on drop.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn tree(&self) -> Result<String, CheckpointError> {
        // In a partial clone, objects that are not present need not be downloaded for this.
        Ok(line(&self.git.run(&["write-tree", "--missing-ok"])?))
    }

    /// Returns whether `path` is in a nested repository or in Baton's own data.
    pub(super) fn is_foreign(&self, path: &[u8]) -> bool {
        self.foreign.iter().any(|folder| {
            path.strip_prefix(&folder[..])
                .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        })
    }

    /// Adds `paths` too, although git ignores them.
    pub(super) fn add_ignored(
        &self,
        paths: impl IntoIterator<Item = GitPath>,
    ) -> Result<(), CheckpointError> {
        let listed = list(paths);
        if !listed.is_empty() {
            let arguments = [
                "--literal-pathspecs",
                "add",
                "--force",
                "--sparse",
                "--pathspec-from-file=-",
                "--pathspec-file-nul",
            ];
            self.git.run_with_input(&arguments, listed)?;
        }
        Ok(())
    }

    /// Records the submodules, and reads files again that the person marked as "assume unchanged".
    fn learn_tracked(&mut self) -> Result<(), CheckpointError> {
        let listed = self.git.run(&["ls-files", "-z", "-v", "--stage"])?;
        let mut assumed = Vec::new();
        // `<tag> <mode> <object> <stage>\t<path>`; the tag is lowercase for "assume unchanged".
        for (facts, path) in paths(&listed).filter_map(|entry| split_at(entry, b'\t')) {
            if facts.first().is_some_and(u8::is_ascii_lowercase) {
                assumed.push(path.to_vec());
            }
            if facts
                .get(2..)
                .is_some_and(|facts| facts.starts_with(GITLINK.as_bytes()))
            {
                self.foreign.push(path.to_vec());
            }
        }
        if !assumed.is_empty() {
            self.git.run_with_input(
                &["update-index", "-z", "--no-assume-unchanged", "--stdin"],
                list(assumed),
            )?;
        }
        Ok(())
    }

    fn add_all(&self) -> Result<(), CheckpointError> {
        let excluded = self
            .foreign
            .iter()
            .map(|path| [b":(top,exclude,literal)", &path[..]].concat());
        let specs = list([b":(top)".to_vec()].into_iter().chain(excluded));
        let arguments = [
            "-c",
            "core.safecrlf=false",
            "add",
            "--all",
            "--sparse",
            "--pathspec-from-file=-",
            "--pathspec-file-nul",
        ];
        for _ in 1..TRIES {
            match self.git.run_with_input(&arguments, specs.clone()) {
                // A running session removed a file after it was listed and before it was read.
                Err(GitError::Refused { .. }) => {}
                done => return Ok(done.map(drop)?),
            }
        }
        Ok(self.git.run_with_input(&arguments, specs).map(drop)?)
    }
}

/// Copies an index with its timestamp: git assumes that a file is unchanged when it is older than
/// the index.
fn copy_index(from: &Path, to: &Path) -> Result<(), CheckpointError> {
    if from.exists() {
        let written = fs::metadata(from)?.modified()?;
        fs::copy(from, to)?;
        File::options()
            .write(true)
            .open(to)?
            .set_modified(written)?;
    }
    Ok(())
}

/// The entries of a list that git printed with `-z`.
pub(super) fn paths(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
}

/// A list in the format that git reads with `-z`.
pub(super) fn list(paths: impl IntoIterator<Item = GitPath>) -> Vec<u8> {
    paths.into_iter().fold(Vec::new(), |mut list, path| {
        list.extend(path);
        list.push(0);
        list
    })
}

/// The parts before and after the first `separator`.
pub(super) fn split_at(entry: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = entry.iter().position(|byte| *byte == separator)?;
    Some((&entry[..at], &entry[at + 1..]))
}

/// The path on disk of a git path below `root`.
pub(super) fn on_disk(root: &Path, path: &[u8]) -> PathBuf {
    root.join(OsString::from_vec(path.to_vec()))
}
