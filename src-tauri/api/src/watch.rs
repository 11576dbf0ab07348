//! Tells that a session grows which another process executes.
//!
//! The engine tells of the sessions of this process. For the others, this watches the folders of the sessions
//! that somebody looks at; the operating system says when they change, nothing is asked over and over.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use baton_keeper::{CLOCK, EXIT};
use baton_model::{RunId, SessionId};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::changes::Onlookers;
use crate::wire::Change;

/// The session folders that are watched.
pub(crate) struct Watches {
    inner: Mutex<Option<RecommendedWatcher>>,
    folders: Arc<Mutex<HashMap<PathBuf, (SessionId, RunId)>>>,
    onlookers: Onlookers,
}

impl Watches {
    /// Watches nothing yet, and will tell `onlookers`.
    pub(crate) fn new(onlookers: Onlookers) -> Self {
        Self { inner: Mutex::new(None), folders: Arc::default(), onlookers }
    }

    /// Tells from now on when the session in `folder` grows. Watching twice is watching once.
    ///
    /// A system that cannot watch is no reason to refuse a look: the person sees what is there.
    pub(crate) fn watch(&self, folder: &Path, session: SessionId, run: RunId) {
        let known = self.folders().insert(folder.to_path_buf(), (session, run));
        if known.is_some() {
            return;
        }
        let mut watcher = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let watching = match watcher.as_mut() {
            Some(watcher) => watcher.watch(folder, RecursiveMode::NonRecursive),
            None => self.watcher().and_then(|mut fresh| {
                fresh.watch(folder, RecursiveMode::NonRecursive)?;
                *watcher = Some(fresh);
                Ok(())
            }),
        };
        if let Err(error) = watching {
            tracing::warn!(folder = %folder.display(), %error, "a session cannot be watched");
        }
    }

    /// The session in `folder` has ended.
    pub(crate) fn unwatch(&self, folder: &Path) {
        if self.folders().remove(folder).is_none() {
            return;
        }
        if let Some(watcher) = self.inner.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            // A folder that is gone is not watched any more anyway.
            drop(watcher.unwatch(folder));
        }
    }

    fn watcher(&self) -> notify::Result<RecommendedWatcher> {
        let (folders, onlookers) = (Arc::clone(&self.folders), self.onlookers.clone());
        notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            for path in &event.paths {
                // The keeper notes in the clock at most 20 times a second that output has grown.
                let telling =
                    path.file_name().is_some_and(|name| name == OsStr::new(CLOCK) || name == OsStr::new(EXIT));
                let folder = path.parent().filter(|_| telling);
                let folders = folders.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(&(session, run)) = folder.and_then(|folder| folders.get(folder)) {
                    onlookers.tell(Change::Session { session, run });
                }
            }
        })
    }

    fn folders(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, (SessionId, RunId)>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
