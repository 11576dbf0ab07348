//! Says which paths changed. The operating system is asked to tell; nothing is looked at over and over.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::Homes;
use crate::library::Wake;

/// Watches the roots; where one is not there yet, the nearest folder above it.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
}

impl Watch {
    /// Watches nothing yet.
    pub(crate) fn new(wake: Sender<Wake>) -> notify::Result<Self> {
        let heard = move |event: notify::Result<Event>| {
            let woken = match event {
                Ok(event) if event.need_rescan() => wake.send(Wake::All),
                Ok(event) if event.kind.is_access() => return,
                Ok(event) => event.paths.into_iter().try_for_each(|path| wake.send(Wake::Path(path))),
                Err(_) => wake.send(Wake::All),
            };
            // Nobody listens any more: then the watch is about to end.
            drop(woken);
        };
        let watcher = RecommendedWatcher::new(heard, Config::default().with_follow_symlinks(false))?;
        Ok(Self { watcher, watched: BTreeSet::new() })
    }

    /// Watches every root that is there by now. Whether there is a new one among them.
    pub(crate) fn extend(&mut self, homes: &Homes) -> bool {
        let mut new = false;
        for (_, root) in &homes.roots {
            if root.is_dir() {
                new |= self.add(root, RecursiveMode::Recursive);
            } else if let Some(above) = root.ancestors().skip(1).find(|above| above.is_dir()) {
                self.add(above, RecursiveMode::NonRecursive);
            }
        }
        new
    }

    /// Watches one file.
    pub(crate) fn add(&mut self, path: &Path, mode: RecursiveMode) -> bool {
        if !self.watched.insert(path.to_path_buf()) {
            return false;
        }
        if let Err(error) = self.watcher.watch(path, mode) {
            tracing::warn!(path = %path.display(), %error, "histories are not watched here");
        }
        true
    }
}
