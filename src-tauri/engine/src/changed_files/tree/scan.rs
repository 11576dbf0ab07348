//! Walks the folders of a tree.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::time::Instant;

use super::super::file_state::{FileFacts, FileState, READ_LIMIT};
use super::super::inotify::{WatchError, join};
use super::folder_kind::Folder;
use super::{Bounds, Tree, TreeError};

/// One walk through folders.
pub(super) struct Scan {
    pub(super) left: usize,
    pub(super) until: Instant,
    pub(super) bounds: Bounds,
    pub(super) facts_left: usize,
    pub(super) reads_left: usize,
    pub(super) bytes_left: u64,
    /// Collects the files to compare; `None` takes them as unchanged.
    pub(super) found: Option<Vec<String>>,
    pub(super) watches: bool,
}

impl Scan {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self {
            left: bounds.entries,
            until: Instant::now() + bounds.time,
            bounds,
            facts_left: 0,
            reads_left: 0,
            bytes_left: 0,
            found: None,
            watches: false,
        }
    }

    pub(super) fn comparing(bounds: Bounds, watches: bool) -> Self {
        Self {
            found: Some(Vec::new()),
            watches,
            ..Self::new(bounds)
        }
    }

    fn count(&mut self, entries: usize) -> Result<(), TreeError> {
        self.left = self.left.checked_sub(entries).ok_or(TreeError::TooLarge {
            entries: self.bounds.entries,
        })?;
        match Instant::now() > self.until {
            true => Err(TreeError::TooLarge {
                entries: self.bounds.entries,
            }),
            false => Ok(()),
        }
    }
}

impl Tree {
    /// Walks the folder at `start` and those below.
    pub(super) fn scan(&mut self, start: String, scan: &mut Scan) -> Result<(), TreeError> {
        let mut open = vec![start];
        while !open.is_empty() {
            let mut unclear = Vec::new();
            while let Some(folder) = open.pop() {
                self.visit(folder, scan, &mut open, &mut unclear)?;
            }
            for (path, kind) in self.classify_folders(unclear) {
                self.add_by_kind(path, kind, scan, &mut open);
            }
        }
        Ok(())
    }

    fn visit(
        &mut self,
        folder: String,
        scan: &mut Scan,
        open: &mut Vec<String>,
        unclear: &mut Vec<String>,
    ) -> Result<(), TreeError> {
        match self
            .watch
            .as_mut()
            .filter(|_| scan.watches)
            .map(|watch| watch.add(&folder))
        {
            None | Some(Ok(())) => {}
            Some(Err(WatchError::Gone)) => return Ok(()),
            Some(Err(WatchError::Limit)) => self.scan_everything(scan),
            Some(Err(WatchError::Ambiguous)) => _ = self.scanned.insert(folder.clone()),
        }
        // Folders that are unreadable, or gone meanwhile, count as unchanged.
        let Ok(entries) = fs::read_dir(self.root.join(&folder)) else {
            return Ok(());
        };
        let mut files = HashMap::new();
        let mut count = 0;
        for entry in entries.flatten() {
            count += 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name == ".git" {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let path = join(&folder, &name);
                match self.folder(&path, &name) {
                    Folder::Unclear => unclear.push(path),
                    kind => self.add_by_kind(path, kind, scan, open),
                }
            } else if let Some(found) = &mut scan.found {
                found.push(join(&folder, &name));
            } else {
                let state = self.first_look(&entry, &folder, &name, scan);
                files.insert(name.into_boxed_str(), state);
            }
        }
        if !files.is_empty() {
            self.folders.insert(folder, files);
        }
        scan.count(count)
    }

    fn first_look(
        &mut self,
        entry: &fs::DirEntry,
        folder: &str,
        name: &str,
        scan: &mut Scan,
    ) -> FileState {
        if scan.facts_left == 0 {
            return FileState::Listed;
        }
        scan.facts_left -= 1;
        let Ok(meta) = entry.metadata() else {
            return FileState::Listed;
        };
        if meta.nlink() > 1 {
            self.linked.insert(join(folder, name));
        }
        let facts = FileFacts::of(&entry.path(), &meta, false);
        let size = meta.len().min(READ_LIMIT);
        let is_in_index = self
            .git
            .as_ref()
            .is_some_and(|git| git.is_clean(&join(folder, name), &facts));
        if is_in_index || scan.reads_left == 0 || size > scan.bytes_left {
            return FileState::Known(facts);
        }
        scan.reads_left -= 1;
        scan.bytes_left -= size;
        FileState::Known(FileFacts::of(&entry.path(), &meta, true))
    }

    pub(super) fn add_by_kind(
        &mut self,
        path: String,
        kind: Folder,
        scan: &mut Scan,
        open: &mut Vec<String>,
    ) {
        match kind {
            Folder::Open => open.push(path),
            Folder::Scanned => {
                // It is read now even without a watch, so that it can be compared later.
                let (watches, facts) = (scan.watches, scan.facts_left);
                (scan.watches, scan.facts_left) = (false, usize::MAX);
                if self.scan(path.clone(), scan).is_err() {
                    scan.left = 0;
                }
                (scan.watches, scan.facts_left) = (watches, facts);
                self.scanned.insert(path);
            }
            Folder::Skipped | Folder::Unclear => {}
        }
    }
}
