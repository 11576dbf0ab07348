//! Decides whether a tree is watched, and handles the loss of its watch.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::super::file_state::Touch;
use super::super::inotify::TreeWatch;
use super::scan::Scan;
use super::{Bounds, Tree, TreeError};

/// Whether the directories of a tree may be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WatchMode {
    /// Wherever a watch works.
    Allowed,
    #[cfg(test)]
    Never,
    /// With at most this many watches.
    #[cfg(test)]
    UpTo(usize),
}

pub(super) fn watch_of(root: &Path, watch_mode: WatchMode) -> Option<TreeWatch> {
    match watch_mode {
        #[cfg(test)]
        WatchMode::Never => None,
        #[cfg(test)]
        WatchMode::UpTo(limit) => {
            let mut watch = TreeWatch::new(root).ok()?;
            watch.set_limit(limit);
            Some(watch)
        }
        WatchMode::Allowed => TreeWatch::new(root).ok(),
    }
}

impl Tree {
    /// Stops watching: every check reads the whole tree from now on.
    pub(super) fn scan_everything(&mut self, scan: &mut Scan) {
        self.watch = None;
        self.scanned = BTreeSet::from([String::new()]);
        scan.watches = false;
        scan.facts_left = usize::MAX;
    }

    /// Events were lost, or the root was replaced: sets the watches again and compares the files.
    pub(super) fn watch_again(&mut self, bounds: Bounds) -> Result<(), TreeError> {
        let meta = fs::metadata(&self.root)?;
        self.identity = (meta.dev(), meta.ino());
        self.watch = watch_of(&self.root, WatchMode::Allowed);
        let mut scan = Scan::comparing(bounds, self.watch.is_some());
        if self.watch.is_none() {
            self.scan_everything(&mut scan);
        }
        self.scan(String::new(), &mut scan)?;
        self.touch_known_below("", Touch::Scanned);
        self.touch_found(scan, Touch::Scanned);
        Ok(())
    }

    /// Files that git no longer ignores are taken as unchanged: changing the ignore rules did not
    /// change them.
    pub(super) fn reconsider_ignored(&mut self, bounds: Bounds) -> Result<(), TreeError> {
        let folders = std::mem::take(&mut self.ignored).into_iter().collect();
        let mut scan = Scan {
            facts_left: usize::MAX,
            watches: self.watch.is_some(),
            ..Scan::new(bounds)
        };
        let mut open = Vec::new();
        for (path, kind) in self.classify_folders(folders) {
            self.add_by_kind(path, kind, &mut scan, &mut open);
        }
        open.into_iter()
            .try_for_each(|path| self.scan(path, &mut scan))
    }
}
