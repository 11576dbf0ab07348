//! A directory outside of git, file by file, so that it can be compared with itself later.
//!
//! Bounded: whoever works in a home directory does not wait for Baton to read it. What is too large is unknown, and
//! says so. Folders that tools fill with what they can make again are passed over; a claim about a file in
//! one of them is looked into by itself.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use baton_model::evidence::{FileChanges, FileSource};
use serde::{Deserialize, Serialize};

/// Folders that are not looked into.
const PASSED_OVER: [&str; 14] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "target",
    ".venv",
    "venv",
    "__pycache__",
    ".cache",
    ".tox",
    ".gradle",
    ".next",
    ".turbo",
];
/// Files up to this size are told apart by their content: a new date alone is no change.
const READ_LIMIT: u64 = 64 * 1024;
/// How much is read of all files together.
const READ_TOTAL: u64 = 16 * 1024 * 1024;

/// How much of a directory is looked at before it counts as too large.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// The most files and folders.
    pub(crate) entries: usize,
    /// The longest time.
    pub(crate) time: Duration,
}

/// The files below a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Tree {
    files: BTreeMap<String, File>,
}

/// What tells one content of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct File {
    modified: i64,
    size: u64,
    /// Only of small files.
    content: Option<u64>,
}

/// Why a directory is not known.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TreeError {
    /// More than the bounds allow.
    #[error("the directory is too large to look at: more than {entries} files, or slow to read")]
    TooLarge {
        /// The bound.
        entries: usize,
    },
    /// The directory itself cannot be read.
    #[error("the directory cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl Tree {
    /// The files below `root` without those below `data_directory`, which are Baton's own.
    pub(crate) fn of(root: &Path, data_directory: &Path, bounds: Bounds) -> Result<Self, TreeError> {
        let mut walk = Walk {
            files: BTreeMap::new(),
            seen: 0,
            unread: READ_TOTAL,
            until: Instant::now() + bounds.time,
            data_directory,
            bounds,
        };
        let mut open = vec![(root.to_path_buf(), String::new())];
        while let Some((folder, name)) = open.pop() {
            match fs::read_dir(&folder) {
                Ok(entries) => walk.folder(entries, &name, &mut open)?,
                Err(error) if name.is_empty() => return Err(error.into()),
                // What cannot be read, or has gone meanwhile, is the same before and after.
                Err(_) => {}
            }
        }
        Ok(Self { files: walk.files })
    }

    /// What changed from here to `after`, relative to the root.
    pub(crate) fn changes(&self, after: &Self) -> FileChanges {
        let mut changes = FileChanges { source: FileSource::Directory, ..FileChanges::default() };
        for (path, file) in &after.files {
            match self.files.get(path) {
                None => changes.created.push(path.clone()),
                Some(before) if before.differs(file) => changes.changed.push(path.clone()),
                Some(_) => {}
            }
        }
        changes.deleted = self.files.keys().filter(|path| !after.files.contains_key(*path)).cloned().collect();
        changes
    }
}

impl File {
    fn differs(&self, after: &Self) -> bool {
        match (self.content, after.content) {
            (Some(before), Some(after)) => before != after,
            _ => (self.modified, self.size) != (after.modified, after.size),
        }
    }
}

/// When the file changed last, in nanoseconds since 1970: good until the year 2262.
pub(super) fn nanoseconds(meta: &Metadata) -> i64 {
    meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec())
}

/// Whether a path is in a folder that is not looked into.
pub(super) fn is_passed_over(path: &str) -> bool {
    path.split('/').any(|part| PASSED_OVER.contains(&part))
}

struct Walk<'a> {
    files: BTreeMap<String, File>,
    seen: usize,
    unread: u64,
    until: Instant,
    data_directory: &'a Path,
    bounds: Bounds,
}

impl Walk<'_> {
    fn folder(
        &mut self,
        entries: fs::ReadDir,
        name: &str,
        open: &mut Vec<(std::path::PathBuf, String)>,
    ) -> Result<(), TreeError> {
        for entry in entries.flatten() {
            self.seen += 1;
            if self.seen > self.bounds.entries || Instant::now() > self.until {
                return Err(TreeError::TooLarge { entries: self.bounds.entries });
            }
            let file_name = entry.file_name().to_string_lossy().into_owned();
            let path = if name.is_empty() { file_name.clone() } else { format!("{name}/{file_name}") };
            // A link is a file of its own: what it leads to may be anywhere.
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                let own = entry.path() == self.data_directory;
                if !own && !PASSED_OVER.contains(&file_name.as_str()) {
                    open.push((entry.path(), path));
                }
            } else {
                let file = self.file(&entry.path(), &meta);
                self.files.insert(path, file);
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, meta: &Metadata) -> File {
        let modified = nanoseconds(meta);
        let size = meta.len();
        let small = meta.is_file() && size <= READ_LIMIT && size <= self.unread;
        let content = small.then(|| fs::read(path).ok()).flatten().map(|bytes| {
            self.unread = self.unread.saturating_sub(size);
            let mut hasher = DefaultHasher::new();
            hasher.write(&bytes);
            hasher.finish()
        });
        File { modified, size, content }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { entries: 1000, time: Duration::from_secs(10) };

    #[test]
    fn what_changed_is_told_apart_and_a_new_date_is_no_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, data) = (folder.path(), folder.path().join("data"));
        for path in ["kept", "touched", "edited", "gone"] {
            fs::write(root.join(path), "1").expect("room");
        }
        fs::write(root.join("large"), vec![0; 100_000]).expect("room");
        let before = Tree::of(root, &data, BOUNDS).expect("a small directory");
        for own in ["node_modules", "data", "sub/.git"] {
            fs::create_dir_all(root.join(own)).expect("room");
            fs::write(root.join(own).join("x"), "passed over").expect("room");
        }
        fs::write(root.join("sub/new"), "1").expect("room");
        fs::write(root.join("edited"), "2").expect("room");
        let later = fs::File::options().append(true).open(root.join("touched")).expect("there");
        later.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a date");
        fs::write(root.join("large"), vec![1; 100_000]).expect("room");
        fs::remove_file(root.join("gone")).expect("there");
        std::os::unix::fs::symlink("/nowhere", root.join("link")).expect("room");
        let changes = before.changes(&Tree::of(root, &data, BOUNDS).expect("a small directory"));
        assert_eq!(changes.created, ["link", "sub/new"]);
        assert_eq!(changes.changed, ["edited", "large"]);
        assert_eq!(changes.deleted, ["gone"]);
    }

    #[test]
    fn what_is_too_large_or_missing_is_not_known() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..20 {
            fs::write(folder.path().join(number.to_string()), "1").expect("room");
        }
        let bounds = Bounds { entries: 10, ..BOUNDS };
        let error = Tree::of(folder.path(), Path::new("/data"), bounds).expect_err("20 files");
        assert_eq!(error.to_string(), "the directory is too large to look at: more than 10 files, or slow to read");
        let missing = Tree::of(&folder.path().join("none"), Path::new("/data"), BOUNDS);
        assert!(matches!(missing, Err(TreeError::Io(_))));
    }
}
