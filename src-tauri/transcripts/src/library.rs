//! All histories of this machine behind one handle.

mod database_snapshots;
mod indexer;
pub(crate) mod indexing_pass;
mod root_watcher;
mod source_scan;

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::index::TranscriptIndex;
use crate::index::list::{self, Filter, Page, Pagination, ProjectRow, Sort, TranscriptRow};
use crate::index::search::{self, Hits};
use crate::library::indexer::{ChangeNotifier, IndexFiles};
use crate::library::indexing_pass::IndexingPass;
use crate::{HistoryLocations, TranscriptsError};

/// The progress of the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Files are being scanned for the list.
    pub listing: bool,
    /// Text is being indexed for search.
    pub reading: bool,
    /// Bytes read in this pass.
    pub bytes_done: u64,
    /// Bytes to read in this pass.
    pub bytes_total: u64,
    /// Sentences about what could not be read.
    pub trouble: Vec<String>,
}

/// The agents' histories and their index.
#[derive(Debug, Clone)]
pub struct Library {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    locations: HistoryLocations,
    index: TranscriptIndex,
    progress: Mutex<Progress>,
    stop: AtomicBool,
    wake: Mutex<Option<Sender<Wake>>>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library")
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

/// A message that wakes the indexer.
pub(crate) enum Wake {
    /// Something at this path changed.
    Path(PathBuf),
    /// This path no longer exists.
    Removed(PathBuf),
    /// Anything may have changed.
    All,
    /// This process now holds the writer's lock. `None`: it cannot get it.
    WriterLock(Option<File>),
    Stop,
}

impl Library {
    /// The histories in `locations`, with the index in the data directory. Does not access the
    /// disk.
    #[must_use]
    pub fn new(data: &Path, locations: HistoryLocations) -> Self {
        // The watcher reports absolute paths.
        let whole =
            |(agent, root): (_, PathBuf)| (agent, std::path::absolute(&root).unwrap_or(root));
        let inner = Inner {
            locations: HistoryLocations {
                roots: locations.roots.into_iter().map(whole).collect(),
            },
            index: TranscriptIndex::new(data),
            progress: Mutex::default(),
            stop: AtomicBool::new(false),
            wake: Mutex::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The folders that are searched for histories.
    #[must_use]
    pub fn locations(&self) -> &HistoryLocations {
        &self.inner.locations
    }

    /// Starts a thread that keeps the index up to date and reports the ids of changed
    /// transcripts. An empty list means that any may have changed. While another process keeps
    /// the index, the thread passes on its reports, and takes over when that process exits.
    pub fn start_indexing(&self, on_change: impl Fn(Vec<String>) + Send + 'static) {
        let (wake, woken) = channel();
        *self.wake() = Some(wake.clone());
        let inner = Arc::clone(&self.inner);
        let index_files = IndexFiles::new(self.inner.index.path());
        let thread = std::thread::Builder::new().name("baton-transcripts".to_owned());
        let run = move || {
            indexer::run(
                &inner,
                &woken,
                &wake,
                &ChangeNotifier::new(Box::new(on_change), index_files),
            )
        };
        if let Err(error) = thread.spawn(run) {
            tracing::warn!(%error, "couldn't start updating the transcript index");
        }
    }

    /// Makes the indexing thread stop soon. Does not wait for it.
    pub fn stop_indexing(&self) {
        self.inner.stop.store(true, Ordering::Relaxed);
        if let Some(wake) = self.wake().take() {
            // The thread may have stopped already.
            drop(wake.send(Wake::Stop));
        }
    }

    fn wake(&self) -> std::sync::MutexGuard<'_, Option<Sender<Wake>>> {
        self.inner
            .wake
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the list and, `with_text`, the search index, and returns when that is done. Does
    /// nothing while another process keeps the index up to date.
    pub fn refresh(&self, with_text: bool) -> Result<(), TranscriptsError> {
        let index_files = IndexFiles::new(self.inner.index.path());
        let Some(_lock) = index_files.try_lock()? else {
            return Ok(());
        };
        let connection = self.inner.index.writer()?;
        let ignore = |_| {};
        let Inner {
            locations,
            progress,
            stop,
            ..
        } = &*self.inner;
        let pass = IndexingPass {
            connection: &connection,
            locations,
            progress,
            on_change: &ignore,
            stop,
        };
        pass.scan_all()?;
        if with_text { pass.index_text() } else { Ok(()) }
    }

    /// The state of the indexer in this process.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.inner
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Rebuilds the index: in the process that keeps it, or right here when there is none.
    pub fn rebuild(&self) -> Result<(), TranscriptsError> {
        let index_files = IndexFiles::new(self.inner.index.path());
        if let Some(lock) = index_files.try_lock()? {
            self.inner.index.delete()?;
            drop(lock);
            return self.refresh(true);
        }
        File::create(&index_files.rebuild_request)
            .map_err(TranscriptsError::at(&index_files.rebuild_request))?;
        index_files.signal_change();
        Ok(())
    }

    /// The range of the list that `pagination` selects.
    pub fn page(
        &self,
        filter: &Filter,
        sort: Sort,
        pagination: Pagination,
    ) -> Result<Page, TranscriptsError> {
        match self.inner.index.reader()? {
            Some(connection) => list::page(&connection, filter, sort, pagination),
            None => Ok(Page::default()),
        }
    }

    /// The transcript with the id `<agent>:<native id>`.
    pub fn get(&self, id: &str) -> Result<TranscriptRow, TranscriptsError> {
        let connection = self.inner.index.reader()?;
        let row = connection
            .map(|connection| list::get(&connection, id))
            .transpose()?
            .flatten();
        row.ok_or_else(|| TranscriptsError::Missing { id: id.to_owned() })
    }

    /// The working directories, latest first.
    pub fn projects(&self) -> Result<Vec<ProjectRow>, TranscriptsError> {
        match self.inner.index.reader()? {
            Some(connection) => list::projects(&connection),
            None => Ok(Vec::new()),
        }
    }

    /// The transcripts that match a full-text query.
    pub fn search(
        &self,
        text: &str,
        filter: &Filter,
        pagination: Pagination,
    ) -> Result<Hits, TranscriptsError> {
        match self.inner.index.reader()? {
            Some(connection) => search::search(&connection, text, filter, pagination),
            None => Ok(Hits::default()),
        }
    }
}
