//! Says which paths changed. The operating system is asked to tell; nothing is looked at over and over.
//!
//! Between a folder's appearance and the moment it is watched, nobody tells what is put into it. So everything here
//! keeps one order: first watch, then look.

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

/// Watches the roots; where one is not there yet, the nearest folder above it.
pub(crate) struct RootWatcher<W = RecommendedWatcher> {
    watcher: W,
    watched: BTreeMap<PathBuf, RecursiveMode>,
}

impl RootWatcher {
    /// Watches nothing yet.
    pub(crate) fn new(wake: Sender<Wake>) -> notify::Result<Self> {
        Self::with_handler(move |event| forward_event(event, &wake))
    }
}

impl<W: Watcher> RootWatcher<W> {
    fn with_handler(heard: impl EventHandler) -> notify::Result<Self> {
        let watcher = W::new(heard, Config::default().with_follow_symlinks(false))?;
        Ok(Self {
            watcher,
            watched: BTreeMap::new(),
        })
    }

    /// Watches every root that is there by now. Whether there is a new one among them: then what is in it has to be
    /// looked at, for nobody told of it.
    pub(crate) fn watch_roots(&mut self, locations: &HistoryLocations) -> bool {
        locations
            .roots
            .iter()
            .fold(false, |new, (_, root)| self.watch_nearest(root) || new)
    }

    /// Comes as near to a root as it can, and looks again after each step: what appeared before the folder above it
    /// was watched is told by nobody.
    fn watch_nearest(&mut self, root: &Path) -> bool {
        while let Some(nearest) = root.ancestors().find(|folder| folder.is_dir()) {
            let there = nearest == root;
            let mode = if there {
                RecursiveMode::Recursive
            } else {
                RecursiveMode::NonRecursive
            };
            let added = self.add(nearest, mode);
            // It is not watched when it went away again: then what is above it has to be.
            if self.watched.contains_key(nearest) && (there || !added) {
                return added;
            }
        }
        false
    }

    /// Watches one path, unless it is watched. Whether that is new. What the system refuses is not asked for again.
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

    /// Makes sure that a folder below a root is watched before somebody looks into it. Where the system watches only
    /// single folders, a new one is told of first and watched afterwards.
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

    /// What was at this path is there no more; what comes there next is something else, and has to be watched anew.
    pub(crate) fn forget(&mut self, path: &Path) {
        let lost: Vec<_> = self
            .watched
            .keys()
            .filter(|watched| watched.starts_with(path))
            .cloned()
            .collect();
        for path in lost {
            self.watched.remove(&path);
            // The system has forgotten it already, unless it was only renamed.
            drop(self.watcher.unwatch(&path));
        }
    }

    /// Whether the path was there to be watched.
    fn try_watch(&mut self, path: &Path, mode: RecursiveMode) -> bool {
        loop {
            match self.watcher.watch(path, mode) {
                Ok(()) => return true,
                // Something below it went away while it was walked; the walk has ended there.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) && path.exists() => {}
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => return false,
                Err(error) => {
                    tracing::warn!(path = %path.display(), %error, "histories are not watched here");
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
    // Nobody listens any more: then the watch is about to end.
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
