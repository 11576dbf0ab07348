//! Notifies of output in sessions that another process executes.
//!
//! The engine notifies of sessions of this process. For others, this watches the folders of
//! sessions that are being viewed, by notifications of the operating system.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use baton_keeper::{CLOCK, EXIT};
use baton_model::{RunId, SessionId};
use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::log_update::{LogUpdate, LogUpdateListener};

#[cfg(test)]
mod tests;

/// The watched session folders.
pub(crate) struct SessionWatcher {
    inner: Mutex<Option<RecommendedWatcher>>,
    watched_folders: WatchedFolders,
    on_log_update: LogUpdateListener,
}

/// The sessions being viewed by their folders, which may not exist yet.
type WatchedFolders = Arc<Mutex<HashMap<PathBuf, (SessionId, RunId)>>>;

impl SessionWatcher {
    /// A watcher without folders that will call `on_log_update`.
    pub(crate) fn new(on_log_update: LogUpdateListener) -> Self {
        Self {
            inner: Mutex::new(None),
            watched_folders: Arc::default(),
            on_log_update,
        }
    }

    /// Notifies when the session in `folder` grows, or when its folder appears. Watching a folder
    /// twice has no effect. If this is called before reading, no update is missed.
    ///
    /// Errors are only logged: the view works without updates.
    pub(crate) fn watch(&self, folder: &Path, session: SessionId, run: RunId) {
        let known = lock(&self.watched_folders).insert(folder.to_path_buf(), (session, run));
        if known.is_some() {
            return;
        }
        if let Err(error) = self.follow(folder) {
            tracing::warn!(folder = %folder.display(), %error, "couldn't watch a session");
        }
    }

    /// Watches the folder. If it does not exist yet, its parent is watched until it appears.
    fn follow(&self, folder: &Path) -> notify::Result<()> {
        let mut watcher = lock(&self.inner);
        let watcher = match &mut *watcher {
            Some(watcher) => watcher,
            none => none.insert(self.watcher()?),
        };
        let mut watch = |folder: &Path| watcher.watch(folder, RecursiveMode::NonRecursive);
        let missing = |error: &notify::Error| matches!(error.kind, ErrorKind::PathNotFound);
        match (watch(folder), folder.parent()) {
            (Err(error), Some(above)) if missing(&error) => {
                watch(above)?;
                // It may have appeared before its parent was watched.
                watch(folder).or_else(|error| if missing(&error) { Ok(()) } else { Err(error) })
            }
            (watching, _) => watching,
        }
    }

    /// Stops watching the folder of a session that has ended.
    pub(crate) fn unwatch(&self, folder: &Path) {
        if lock(&self.watched_folders).remove(folder).is_none() {
            return;
        }
        if let Some(watcher) = lock(&self.inner).as_mut() {
            // This fails for deleted folders, which are no longer watched anyway.
            drop(watcher.unwatch(folder));
        }
    }

    fn watcher(&self) -> notify::Result<RecommendedWatcher> {
        let (watched_folders, listener) = (
            Arc::clone(&self.watched_folders),
            Arc::clone(&self.on_log_update),
        );
        notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let tell = |&(session, run): &(SessionId, RunId)| {
                listener(LogUpdate::Session { session, run })
            };
            match event {
                Ok(event) if event.need_rescan() => lock(&watched_folders).values().for_each(tell),
                // Readers of the timeline cause these events themselves.
                Ok(event) if event.kind.is_access() => {}
                Ok(event) => event
                    .paths
                    .iter()
                    .filter_map(|path| session_for_path(&watched_folders, path))
                    .for_each(|it| tell(&it)),
                Err(error) => {
                    tracing::warn!(%error, "couldn't watch sessions of other processes")
                }
            }
        })
    }
}

/// The session that a change at `path` belongs to.
fn session_for_path(watched_folders: &WatchedFolders, path: &Path) -> Option<(SessionId, RunId)> {
    // The keeper writes to the clock at most 20 times a second while output grows.
    if path
        .file_name()
        .is_some_and(|name| name == OsStr::new(CLOCK) || name == OsStr::new(EXIT))
    {
        return lock(watched_folders).get(path.parent()?).copied();
    }
    // The folder itself appeared or disappeared. The next request starts watching it again.
    lock(watched_folders).remove(path)
}

fn lock<T>(inner: &Mutex<T>) -> MutexGuard<'_, T> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}
