//! The files of a directory as they were last seen, and which of them changed since.
//!
//! Directories are watched where watches work, so that a check costs only what changed. The rest is
//! compared file by file. Folders that tools can recreate get no watches.
//!
//! Not detected: a write through a hard link outside of the tree, and a write through a memory
//! mapping by a process that outlives its attempt, until it is unmapped.

mod bounds;
mod change;
mod events;
mod folder_kind;
mod refresh;
mod scan;
mod watch_mode;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::file_state::{FileState, TICK, Touch};
use super::git_rules::GitRules;
use super::inotify::TreeWatch;
use super::mounts::Mounts;
pub(crate) use bounds::Bounds;
pub(crate) use change::{Change, Known};
pub(super) use folder_kind::{SKIPPED_FOLDERS, is_skipped};
use scan::Scan;
pub(crate) use watch_mode::WatchMode;
use watch_mode::watch_of;

/// How many files have their metadata read when the tree is opened. For the others, later
/// timestamps decide.
const FACTS_AT_FIRST: usize = 10_000;
/// How many files are hashed when the tree is opened. Git's index has the content of unmodified
/// files.
const READS_AT_FIRST: usize = 2_000;
/// How many bytes are hashed in total.
const BYTES_AT_FIRST: u64 = 16 * 1024 * 1024;
/// How many files with several hard links are checked each time.
const LINKED_LIMIT: usize = 2_000;

/// Why the state of a directory is not known.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TreeError {
    /// It has more entries than the bounds allow.
    #[error("the directory is too large to scan: more than {entries} files, or slow to read")]
    TooLarge { entries: usize },
    /// The directory itself cannot be read.
    #[error("the directory can't be read: {0}")]
    Io(#[from] io::Error),
}

/// The files below a root.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    data_directory: PathBuf,
    git: Option<GitRules>,
    identity: (u64, u64),
    folders: BTreeMap<String, HashMap<Box<str>, FileState>>,
    watch: Option<TreeWatch>,
    /// The folders that are compared file by file; the root is the empty path.
    scanned: BTreeSet<String>,
    ignored: BTreeSet<String>,
    linked: BTreeSet<String>,
    /// Files that were only listed, and have not changed since this time, are unchanged.
    opened: i64,
    touched: HashMap<String, Touch>,
    left: Vec<String>,
    lost: bool,
    rules_changed: bool,
}

impl Tree {
    /// Opens the files below `root`, without those below `data_directory`, which are Baton's own.
    pub(crate) fn open(
        root: &Path,
        data_directory: &Path,
        git: Option<GitRules>,
        watch_mode: WatchMode,
        bounds: Bounds,
    ) -> Result<Self, TreeError> {
        let meta = fs::metadata(root)?;
        let mounts = Mounts::of(root);
        let clock = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let mut tree = Self {
            root: root.to_path_buf(),
            data_directory: data_directory.to_path_buf(),
            git,
            identity: (meta.dev(), meta.ino()),
            folders: BTreeMap::new(),
            watch: (!mounts.root_is_remote)
                .then(|| watch_of(root, watch_mode))
                .flatten(),
            scanned: mounts.remote_below.into_iter().collect(),
            ignored: BTreeSet::new(),
            linked: BTreeSet::new(),
            opened: i64::try_from(clock.saturating_sub(TICK).as_nanos()).unwrap_or(i64::MAX),
            touched: HashMap::new(),
            left: Vec::new(),
            lost: false,
            rules_changed: false,
        };
        let bounds = tree.bounds(bounds);
        let mut scan = Scan {
            facts_left: FACTS_AT_FIRST,
            watches: tree.watch.is_some(),
            ..Scan::new(bounds)
        };
        (scan.reads_left, scan.bytes_left) = (READS_AT_FIRST, BYTES_AT_FIRST);
        if tree.watch.is_none() {
            tree.scan_everything(&mut scan);
        }
        drop(fs::read_dir(root)?);
        tree.scan(String::new(), &mut scan)?;
        Ok(tree)
    }

    /// The tree as of `known`: later changes are among the next changes.
    pub(crate) fn resume(
        root: &Path,
        data_directory: &Path,
        git: Option<GitRules>,
        known: Known,
    ) -> Result<Self, TreeError> {
        let meta = fs::metadata(root)?;
        let mounts = Mounts::of(root);
        let mut tree = Self {
            root: root.to_path_buf(),
            data_directory: data_directory.to_path_buf(),
            git,
            identity: (meta.dev(), meta.ino()),
            folders: known.folders,
            watch: None,
            scanned: mounts.remote_below.into_iter().collect(),
            ignored: BTreeSet::new(),
            linked: BTreeSet::new(),
            opened: known.opened,
            touched: HashMap::new(),
            left: Vec::new(),
            lost: !mounts.root_is_remote,
            rules_changed: false,
        };
        if mounts.root_is_remote {
            tree.scanned = BTreeSet::from([String::new()]);
        }
        Ok(tree)
    }

    /// Everything known about the files.
    pub(crate) fn known(&self) -> (i64, &BTreeMap<String, HashMap<Box<str>, FileState>>) {
        (self.opened, &self.folders)
    }

    pub(crate) fn watch(&self) -> Option<&TreeWatch> {
        self.watch.as_ref()
    }

    /// Whether every check reads the whole tree.
    pub(crate) fn is_scanned(&self) -> bool {
        self.watch.is_none()
    }

    pub(crate) fn git(&mut self) -> Option<&mut GitRules> {
        self.git.as_mut()
    }

    /// Returns what changed since the last call.
    pub(crate) fn changes(&mut self, bounds: Bounds) -> Result<Vec<Change>, TreeError> {
        let bounds = self.bounds(bounds);
        if self.watch.is_some() {
            self.drain();
            let meta = fs::metadata(&self.root)?;
            self.lost |= self.identity != (meta.dev(), meta.ino());
        }
        if self.lost {
            self.watch_again(bounds)?;
            self.lost = false;
        }
        if std::mem::take(&mut self.rules_changed) {
            self.reconsider_ignored(bounds)?;
        }
        for path in std::mem::take(&mut self.left) {
            self.touch_known_below(&path, Touch::Written);
        }
        for path in self.scanned.clone() {
            let mut scan = Scan::comparing(bounds, false);
            self.scan(path.clone(), &mut scan)?;
            self.touch_known_below(&path, Touch::Scanned);
            self.touch_found(scan, Touch::Scanned);
        }
        for path in self
            .linked
            .iter()
            .take(LINKED_LIMIT)
            .cloned()
            .collect::<Vec<_>>()
        {
            self.touch(path, Touch::Scanned);
        }
        let touched = std::mem::take(&mut self.touched);
        Ok(touched
            .into_iter()
            .filter_map(|(path, touch)| self.refresh(path, touch))
            .collect())
    }
}
