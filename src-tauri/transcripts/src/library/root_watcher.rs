//! Reports changed paths, from events of the operating system and without polling.
//!
//! Events in a new folder are lost until the folder is watched. Everything here therefore keeps
//! one order: first watch, then scan.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{
    Config, ErrorKind, Event, EventHandler, RecommendedWatcher, RecursiveMode, Watcher, WatcherKind,
};

use crate::HistoryLocations;
use crate::library::Wake;

#[cfg(test)]
mod tests;

/// Watches the roots, or the nearest existing folder above a missing root.
pub(crate) struct RootWatcher<W = RecommendedWatcher> {
    watcher: W,
    watched: BTreeMap<PathBuf, RecursiveMode>,
}

impl RootWatcher {
    /// A watcher without any paths.
    pub(crate) fn new(wake: Sender<Wake>) -> notify::Result<Self> {
        Self::with_handler(move |event| forward_event(event, &wake))
    }
}

impl<W: Watcher> RootWatcher<W> {
    fn with_handler(handler: impl EventHandler) -> notify::Result<Self> {
        let watcher = W::new(handler, Config::default().with_follow_symlinks(false))?;
        Ok(Self {
            watcher,
            watched: BTreeMap::new(),
        })
    }

    /// Watches every root that exists by now. Returns whether one of them is new: its content
    /// must then be scanned, because no event reported it.
    pub(crate) fn watch_roots(&mut self, locations: &HistoryLocations) -> bool {
        locations
            .roots
            .iter()
            .fold(false, |new, (_, root)| self.watch_nearest(root) || new)
    }

    /// Watches the nearest existing folder to a root, and checks again after each step: no event
    /// reports what appeared before the folder above it was watched.
    fn watch_nearest(&mut self, root: &Path) -> bool {
        while let Some(nearest) = root.ancestors().find(|folder| folder.is_dir()) {
            let there = nearest == root;
            let mode = if there {
                RecursiveMode::Recursive
            } else {
                RecursiveMode::NonRecursive
            };
            let added = self.add(nearest, mode);
            // A path that was removed again is not watched, so the folder above it must be.
            if self.watched.contains_key(nearest) && (there || !added) {
                return added;
            }
        }
        false
    }

    /// Watches one path. Returns whether that is new. A path that the system refused is not tried
    /// again.
    pub(crate) fn add(&mut self, path: &Path, mode: RecursiveMode) -> bool {
        let known = self.watched.get(path);
        if known.is_some_and(|known| *known == mode || *known == RecursiveMode::Recursive)
            || !self.try_watch(path, mode)
        {
            return false;
        }
        self.watched.insert(path.to_path_buf(), mode);
        true
    }

    /// Ensures that a folder below a root is watched before it is scanned. Where the system
    /// watches only single folders, a new one is reported before it is watched.
    pub(crate) fn watch_new_folder(&mut self, locations: &HistoryLocations, path: &Path) {
        let ours = locations
            .roots
            .iter()
            .any(|(_, root)| path.starts_with(root) && self.watched.contains_key(root));
        if W::kind() == WatcherKind::Inotify
            && ours
            && path.symlink_metadata().is_ok_and(|found| found.is_dir())
        {
            self.try_watch(path, RecursiveMode::Recursive);
        }
    }

    /// Forgets a path that no longer exists. If something appears there, it must be watched again.
    pub(crate) fn forget(&mut self, path: &Path) {
        let lost: Vec<_> = self
            .watched
            .keys()
            .filter(|watched| watched.starts_with(path))
            .cloned()
            .collect();
        for path in lost {
            self.watched.remove(&path);
            // The system has dropped it already, unless it was only renamed.
            drop(self.watcher.unwatch(&path));
        }
    }

    /// Returns whether the path could be watched.
    fn try_watch(&mut self, path: &Path, mode: RecursiveMode) -> bool {
        loop {
            match self.watcher.watch(path, mode) {
                Ok(()) => return true,
                // Something below it disappeared during the walk, which ended there.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) && path.exists() => {}
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => return false,
                Err(error) => {
                    tracing::warn!(path = %path.display(), %error, "couldn't watch a history folder");
                    return true;
                }
            }
        }
    }
}

fn forward_event(event: notify::Result<Event>, wake: &Sender<Wake>) {
    let woken = match event {
        Ok(event) if event.need_rescan() => wake.send(Wake::All),
        Ok(event) if event.kind.is_access() => return,
        Ok(event) if is_removal(event.kind) => send_each(event, wake, Wake::Removed),
        Ok(event) => send_each(event, wake, Wake::Path),
        Err(_) => wake.send(Wake::All),
    };
    // The receiver is gone, so the watcher is about to stop.
    drop(woken);
}

fn send_each(
    event: Event,
    wake: &Sender<Wake>,
    as_what: fn(PathBuf) -> Wake,
) -> Result<(), std::sync::mpsc::SendError<Wake>> {
    event
        .paths
        .into_iter()
        .try_for_each(|path| wake.send(as_what(path)))
}

fn is_removal(kind: EventKind) -> bool {
    kind.is_remove() || matches!(kind, EventKind::Modify(ModifyKind::Name(RenameMode::From)))
}
