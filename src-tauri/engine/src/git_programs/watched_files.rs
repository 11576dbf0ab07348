//! Finds the files that control git in the repositories around a directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use baton_model::evidence::GitFileRole;

use super::WatchedFile;
use super::file_state::FileState;
use super::settings::included_by;
use crate::work_tree::{GitFolders, git_folders, work_trees};

/// The maximum number of entries of a folder that are read.
const MAX_ENTRIES: usize = 300;
/// The maximum depth of hook folders, and of submodule names.
const MAX_DEPTH: usize = 4;

/// The hooks that git runs automatically. Their folder may contain any number of other files.
const HOOKS: [&str; 28] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// The files with their current state.
pub(super) fn collect_watched_files(directory: &Path) -> BTreeMap<String, WatchedFile> {
    let mut files = BTreeMap::new();
    for root in work_trees(directory) {
        if let Some(folders) = git_folders(root) {
            WatchedFiles {
                files: &mut files,
                root,
                folders: &folders,
            }
            .add_all();
        }
    }
    files
}

struct WatchedFiles<'a> {
    files: &'a mut BTreeMap<String, WatchedFile>,
    root: &'a Path,
    folders: &'a GitFolders,
}

impl WatchedFiles<'_> {
    fn add_all(&mut self) {
        let GitFolders { own, common } = self.folders.clone();
        self.add_repository(&common);
        self.add_configuration(own.join("config.worktree"));
        self.add_configuration(common.join("config.worktree"));
        for work_tree in entries(&common.join("worktrees")) {
            self.add_configuration(work_tree.join("config.worktree"));
        }
        self.add_modules(&common.join("modules"), 0);
    }

    /// The files of every repository, including a submodule's.
    fn add_repository(&mut self, folder: &Path) {
        self.add_configuration(folder.join("config"));
        self.add(&folder.join("info/attributes"), GitFileRole::Attributes);
        let hooks = folder.join("hooks");
        if hooks.is_symlink() {
            self.add(&hooks, GitFileRole::Hook);
        } else {
            self.add_hooks(&hooks, 0);
        }
    }

    fn add_hooks(&mut self, folder: &Path, depth: usize) {
        let mut found = entries(folder);
        // Git's own hooks are always included, however many other files there are.
        let known = HOOKS
            .iter()
            .map(|name| folder.join(name))
            .filter(|path| depth == 0 && path.symlink_metadata().is_ok());
        if found.len() >= MAX_ENTRIES {
            found.extend(known);
        }
        for path in found {
            let is_sample = path
                .extension()
                .is_some_and(|extension| extension == "sample");
            let is_folder = path.symlink_metadata().is_ok_and(|known| known.is_dir());
            match is_folder {
                true if depth < MAX_DEPTH => self.add_hooks(&path, depth + 1),
                false if !is_sample => self.add(&path, GitFileRole::Hook),
                _ => {}
            }
        }
    }

    /// Submodule names may contain slashes, and submodules may be nested.
    fn add_modules(&mut self, folder: &Path, depth: usize) {
        for path in entries(folder) {
            if path.join("HEAD").is_file() {
                self.add_repository(&path);
                self.add_modules_within(&path.join("modules"), depth);
            } else if path.is_dir() && !path.is_symlink() {
                self.add_modules_within(&path, depth);
            }
        }
    }

    fn add_modules_within(&mut self, folder: &Path, depth: usize) {
        if depth < MAX_DEPTH {
            self.add_modules(folder, depth + 1);
        }
    }

    /// A settings file, with those that it includes from within the repository.
    fn add_configuration(&mut self, path: PathBuf) {
        let mut left = vec![path];
        while let Some(path) = left.pop() {
            if self.files.contains_key(&name(&path)) || self.files.len() > 10 * MAX_ENTRIES {
                continue;
            }
            let state = FileState::read(&path);
            if let FileState::File { content, .. } = &state {
                let included = included_by(content, path.parent().unwrap_or(self.root));
                left.extend(
                    included
                        .into_iter()
                        .map(|path| plain(&path))
                        .filter(|path| self.is_within(path)),
                );
            }
            self.put(&path, GitFileRole::Configuration, state);
        }
    }

    fn add(&mut self, path: &Path, role: GitFileRole) {
        self.put(path, role, FileState::read(path));
    }

    fn put(&mut self, path: &Path, role: GitFileRole, state: FileState) {
        if state != FileState::Absent {
            self.files.insert(name(path), WatchedFile { role, state });
        }
    }

    fn is_within(&self, path: &Path) -> bool {
        let GitFolders { own, common } = self.folders;
        // Linked work trees use the configuration of the main one.
        let main = common.parent().filter(|_| common.ends_with(".git"));
        [self.root, own, common]
            .into_iter()
            .chain(main)
            .any(|folder| path.starts_with(folder))
    }
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .take(MAX_ENTRIES)
        .collect()
}

/// The path without `.` and `..`, which git resolves by name.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}
