//! Tells that a session grows which another process executes.
//!
//! The engine tells of the sessions of this process. For the others, this watches the folders of the sessions
//! that somebody looks at; the operating system says when they change, nothing is asked over and over.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use baton_keeper::{CLOCK, EXIT};
use baton_model::{RunId, SessionId};
use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::context::{Growth, Listener};

#[cfg(test)]
mod tests;

/// The session folders that are watched.
pub(crate) struct Watches {
    inner: Mutex<Option<RecommendedWatcher>>,
    looked_at: LookedAt,
    tell: Listener,
}

/// The sessions that somebody looks at, by their folders, which need not be there yet.
type LookedAt = Arc<Mutex<HashMap<PathBuf, (SessionId, RunId)>>>;

impl Watches {
    /// Watches nothing yet, and will call `tell`.
    pub(crate) fn new(tell: Listener) -> Self {
        Self {
            inner: Mutex::new(None),
            looked_at: Arc::default(),
            tell,
        }
    }

    /// Tells from now on when the session in `folder` grows, or when its folder appears. Watching twice is watching
    /// once. Whoever calls this before a look misses nothing.
    ///
    /// A system that cannot watch is no reason to refuse a look: the person sees what is there.
    pub(crate) fn watch(&self, folder: &Path, session: SessionId, run: RunId) {
        let known = lock(&self.looked_at).insert(folder.to_path_buf(), (session, run));
        if known.is_some() {
            return;
        }
        if let Err(error) = self.follow(folder) {
            tracing::warn!(folder = %folder.display(), %error, "a session cannot be watched");
        }
    }

    /// Watches the folder; one that is not there yet is waited for in the folder above it.
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
                // It may have appeared before the folder above it was watched.
                watch(folder).or_else(|error| if missing(&error) { Ok(()) } else { Err(error) })
            }
            (watching, _) => watching,
        }
    }

    /// The session in `folder` has ended.
    pub(crate) fn unwatch(&self, folder: &Path) {
        if lock(&self.looked_at).remove(folder).is_none() {
            return;
        }
        if let Some(watcher) = lock(&self.inner).as_mut() {
            // A folder that is gone is not watched any more anyway.
            drop(watcher.unwatch(folder));
        }
    }

    fn watcher(&self) -> notify::Result<RecommendedWatcher> {
        let (looked_at, listener) = (Arc::clone(&self.looked_at), Arc::clone(&self.tell));
        notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let tell =
                |&(session, run): &(SessionId, RunId)| listener(Growth::Session { session, run });
            match event {
                Ok(event) if event.need_rescan() => lock(&looked_at).values().for_each(tell),
                // Whoever is told reads, and would be told of that.
                Ok(event) if event.kind.is_access() => {}
                Ok(event) => event
                    .paths
                    .iter()
                    .filter_map(|path| meant(&looked_at, path))
                    .for_each(|it| tell(&it)),
                Err(error) => {
                    tracing::warn!(%error, "sessions of other processes are not watched as they should be")
                }
            }
        })
    }
}

/// The session that a change at `path` tells something of.
fn meant(looked_at: &LookedAt, path: &Path) -> Option<(SessionId, RunId)> {
    // The keeper notes in the clock at most 20 times a second that output has grown.
    if path
        .file_name()
        .is_some_and(|name| name == OsStr::new(CLOCK) || name == OsStr::new(EXIT))
    {
        return lock(looked_at).get(path.parent()?).copied();
    }
    // The folder itself appeared or went away: whoever looks next has it watched anew.
    lock(looked_at).remove(path)
}

fn lock<T>(inner: &Mutex<T>) -> MutexGuard<'_, T> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}
