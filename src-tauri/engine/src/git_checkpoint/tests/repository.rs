//! A temporary repository.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use tempfile::TempDir;

use crate::git::Git;
use crate::git_checkpoint::{ChangedFile, CheckpointError, FileChange, WorkTree};

/// An empty repository, and a folder for Baton's data beside it.
pub(super) struct Repository {
    folder: TempDir,
}

impl Repository {
    pub(super) fn new() -> Self {
        let repository = Self {
            folder: tempfile::tempdir().expect("temp dir"),
        };
        fs::create_dir(repository.root()).expect("create folder");
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// Adds the files and commits them.
    pub(super) fn committed(files: &[(&str, &str)]) -> Self {
        let repository = Self::new();
        for (path, content) in files {
            repository.write(path, content);
        }
        repository.commit();
        repository
    }

    pub(super) fn root(&self) -> std::path::PathBuf {
        fs::canonicalize(self.folder.path())
            .expect("exists")
            .join("tree")
    }

    pub(super) fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    pub(super) fn work_tree(&self) -> WorkTree {
        WorkTree::of(&self.root(), &self.data())
            .expect("git works")
            .expect("a repository")
    }

    /// The same with this personal configuration.
    pub(super) fn work_tree_of_person(&self, configuration: &str) -> WorkTree {
        let file = self.folder.path().join("gitconfig");
        fs::write(&file, configuration).expect("write file");
        let mut work_tree = self.work_tree();
        work_tree.git = work_tree.git.with("GIT_CONFIG_GLOBAL", file);
        work_tree
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        self.try_git(arguments).expect("git works")
    }

    pub(super) fn try_git(&self, arguments: &[&str]) -> Result<String, crate::git::GitError> {
        let output = Git::at(&self.root())
            .with_baton_identity()
            .with("GIT_ALLOW_PROTOCOL", "file")
            .run(arguments)?;
        Ok(String::from_utf8_lossy(&output).trim_end().to_owned())
    }

    pub(super) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "work"]);
    }

    pub(super) fn write(&self, path: &str, content: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("has a parent")).expect("create folder");
        fs::write(path, content).expect("write file");
    }

    pub(super) fn remove(&self, path: &str) {
        let path = self.root().join(path);
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        }
        .expect("exists");
    }

    pub(super) fn link(&self, path: &str, to: &str) {
        symlink(to, self.root().join(path)).expect("create link");
    }

    pub(super) fn make_executable(&self, path: &str) {
        fs::set_permissions(self.root().join(path), fs::Permissions::from_mode(0o755))
            .expect("set permissions");
    }

    /// Every file below the root except git's own, with its type and content.
    pub(super) fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        collect(&self.root(), "", &mut files);
        files
    }

    /// The person's git state: the index, `HEAD` with its branch, every branch, the stash.
    pub(super) fn user_git_state(&self) -> [String; 4] {
        let index = fs::read(self.root().join(".git/index"))
            .map_or(String::new(), |bytes| format!("{bytes:?}"));
        let head =
            fs::read_to_string(self.root().join(".git/HEAD")).expect("every repository has one");
        let refs = self.git(&["for-each-ref", "refs/heads", "refs/tags", "refs/remotes"]);
        [index, head, refs, self.git(&["stash", "list"])]
    }

    pub(super) fn snapshot(&self, name: &str) {
        self.work_tree().snapshot(name).expect("snapshot succeeds");
    }

    pub(super) fn restore(&self, name: &str) -> Vec<(String, FileChange)> {
        changes_by_path(
            self.work_tree()
                .restore(name, "undo")
                .expect("restore succeeds"),
        )
    }

    pub(super) fn refusal(&self, name: &str) -> CheckpointError {
        self.work_tree().restore(name, "undo").expect_err("refused")
    }
}

pub(super) fn changes_by_path(files: Vec<ChangedFile>) -> Vec<(String, FileChange)> {
    files
        .into_iter()
        .map(|file| (file.path, file.change))
        .collect()
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("readable") {
        let entry = entry.expect("readable");
        let path = format!("{prefix}{}", entry.file_name().display());
        let kind = entry.file_type().expect("readable");
        if kind.is_dir() && path != ".git" {
            collect(&entry.path(), &format!("{path}/"), files);
        } else if kind.is_symlink() {
            files.insert(
                path,
                format!(
                    "-> {}",
                    fs::read_link(entry.path()).expect("link").display()
                ),
            );
        } else if kind.is_file() {
            let mode = entry.metadata().expect("readable").permissions().mode() & 0o100;
            files.insert(
                path,
                format!(
                    "{mode:o} {}",
                    String::from_utf8_lossy(&fs::read(entry.path()).expect("readable"))
                ),
            );
        }
    }
}
