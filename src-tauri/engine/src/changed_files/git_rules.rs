//! Determines the relevant files in git: tracked files, ignored files, and the current commit.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::file_state::FileFacts;
use super::git_index::GitIndex;
use crate::git::{Git, GitError};

/// The tracked and ignored files of a work tree, according to git.
#[derive(Debug)]
pub(crate) struct GitRules {
    root: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    index: GitIndex,
    head: Option<(String, Option<String>)>,
}

impl GitRules {
    /// Reads the index of the work tree at `root`.
    pub(crate) fn of(root: &Path) -> Self {
        let git_dir = git_dir(root);
        let common = fs::read_to_string(git_dir.join("commondir")).ok();
        let common_dir =
            common.map_or_else(|| git_dir.clone(), |path| git_dir.join(path.trim_end()));
        let index = GitIndex::read(root, &git_dir.join("index"));
        Self {
            root: root.to_path_buf(),
            git_dir,
            common_dir,
            index,
            head: None,
        }
    }

    /// Returns whether git tracks the file, a file below it, or a repository there.
    pub(crate) fn tracks_at_or_below(&self, path: &str) -> bool {
        self.index.tracks_below(path)
    }

    /// Returns whether the file at `path` has the content that the index records, judged by
    /// timestamp and size.
    pub(crate) fn is_clean(&self, path: &str, facts: &FileFacts) -> bool {
        self.index
            .entry(path)
            .is_some_and(|entry| entry.matches(facts))
    }

    /// The `paths` that git ignores. A file that is tracked now, or was when the index was read
    /// last, is not ignored.
    pub(crate) fn ignored(&mut self, paths: Vec<String>) -> HashSet<String> {
        let mut asked: Vec<String> = paths
            .into_iter()
            .filter(|path| !self.index.tracks(path))
            .collect();
        let file = self.git_dir.join("index");
        if !asked.is_empty() && self.index.is_outdated(&file) {
            self.index = GitIndex::read(&self.root, &file);
            asked.retain(|path| !self.index.tracks(path));
        }
        asked.retain(|path| !self.is_in_submodule(path));
        let mut ignored = HashSet::new();
        self.ask(&asked, &mut ignored);
        ignored
    }

    /// The `files`, of those written, whose content is the same as before according to the index.
    /// Each comes with its earlier facts.
    pub(crate) fn rewritten(&self, files: Vec<(String, FileFacts)>) -> HashSet<String> {
        let mut asked = Vec::new();
        let mut input = String::new();
        for (path, before) in files {
            let entry = self.index.entry(&path).filter(|_| !path.contains('\n'));
            if let Some(entry) = entry.filter(|entry| entry.matches(&before)) {
                input.extend([path.as_str(), "\n"]);
                asked.push((path, hex(&entry.object)));
            }
        }
        if asked.is_empty() {
            return HashSet::new();
        }
        let output = Git::at(&self.root)
            .run_with_input(&["hash-object", "--stdin-paths"], input.into_bytes())
            .unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        asked
            .into_iter()
            .zip(output.lines())
            .filter(|((_, was), is)| was == is)
            .map(|((path, _), _)| path)
            .collect()
    }

    /// The commit of `HEAD`; `None` if there is none.
    pub(crate) fn head(&mut self) -> Option<String> {
        let (stamp, commit) = self.read_head();
        if let Some(commit) = commit {
            return Some(commit);
        }
        if let Some((seen, commit)) = &self.head
            && *seen == stamp
        {
            return commit.clone();
        }
        let output = Git::at(&self.root)
            .run(&["rev-parse", "--verify", "--quiet", "HEAD"])
            .ok();
        let commit = output
            .map(|output| String::from_utf8_lossy(&output).trim().to_owned())
            .filter(|output| !output.is_empty());
        self.head = Some((stamp, commit.clone()));
        commit
    }

    /// The id of the tree without files, which git knows in every repository.
    pub(crate) fn empty_tree(&self) -> Option<String> {
        let output = Git::at(&self.root)
            .run(&["hash-object", "-t", "tree", "/dev/null"])
            .ok()?;
        Some(String::from_utf8_lossy(&output).trim().to_owned())
    }

    /// The files that differ between two commits, or between the empty tree and `after`.
    pub(crate) fn between(&self, before: Option<&str>, after: Option<&str>) -> Vec<String> {
        let Some(after) = after.filter(|after| Some(*after) != before) else {
            return Vec::new();
        };
        let git = Git::at(&self.root);
        let Some(from) = before.map(str::to_owned).or_else(|| self.empty_tree()) else {
            return Vec::new();
        };
        let output = git
            .run(&[
                "diff",
                "--name-only",
                "--no-renames",
                "-z",
                from.trim(),
                after,
            ])
            .unwrap_or_default();
        String::from_utf8_lossy(&output)
            .split_terminator('\0')
            .map(str::to_owned)
            .collect()
    }

    /// The content of the files that define `HEAD`: a text that changes with the commit, and the
    /// commit if the text contains it.
    fn read_head(&self) -> (String, Option<String>) {
        let head = fs::read_to_string(self.git_dir.join("HEAD")).unwrap_or_default();
        let Some(name) = head.trim_end().strip_prefix("ref: ") else {
            return (head.clone(), commit(&head));
        };
        for folder in [&self.git_dir, &self.common_dir] {
            if let Some(commit) = fs::read_to_string(folder.join(name))
                .ok()
                .as_deref()
                .and_then(commit)
            {
                return (head, Some(commit));
            }
        }
        let stamp = ["packed-refs", "reftable/tables.list"].map(|file| {
            let meta = fs::metadata(self.common_dir.join(file)).ok();
            meta.map(|meta| (meta.mtime(), meta.mtime_nsec(), meta.ino(), meta.len()))
        });
        (format!("{head}{stamp:?}"), None)
    }

    fn ask(&self, paths: &[String], ignored: &mut HashSet<String>) {
        if paths.is_empty() {
            return;
        }
        let input = paths
            .iter()
            .flat_map(|path| path.bytes().chain([0]))
            .collect();
        match Git::at(&self.root)
            .run_with_input(&["check-ignore", "--no-index", "-z", "--stdin"], input)
        {
            Ok(output) => {
                let output = String::from_utf8_lossy(&output);
                ignored.extend(output.split_terminator('\0').map(str::to_owned));
            }
            Err(GitError::Refused { code: Some(1), .. }) => {}
            // One path that git refuses, such as one behind a link, fails the whole call.
            Err(GitError::Refused { .. }) if paths.len() > 1 => {
                let (one, other) = paths.split_at(paths.len() / 2);
                self.ask(one, ignored);
                self.ask(other, ignored);
            }
            Err(_) => {}
        }
    }

    /// Returns whether the path is in a submodule.
    fn is_in_submodule(&self, path: &str) -> bool {
        path.match_indices('/')
            .any(|(at, _)| self.index.tracks(&path[..at]))
    }
}

/// The git folder of the work tree at `root`.
fn git_dir(root: &Path) -> PathBuf {
    let git = root.join(".git");
    match fs::read_to_string(&git) {
        Ok(text) => text
            .trim_end()
            .strip_prefix("gitdir: ")
            .map_or(git, |path| root.join(path)),
        Err(_) => git,
    }
}

fn commit(text: &str) -> Option<String> {
    let text = text.trim();
    (text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| text.to_owned())
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
