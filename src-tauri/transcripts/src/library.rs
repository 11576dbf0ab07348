//! The histories of this machine behind one handle.

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

/// How far the index is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Files are being read for the list.
    pub listing: bool,
    /// Text is being read for the search.
    pub reading: bool,
    /// Bytes read so far in this round.
    pub bytes_done: u64,
    /// Bytes to read in this round.
    pub bytes_total: u64,
    /// What could not be read, as sentences.
    pub trouble: Vec<String>,
}

/// The agents' histories, and the index over them.
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

/// What wakes the indexer.
pub(crate) enum Wake {
    /// Something at this path changed.
    Path(PathBuf),
    /// What was at this path is gone from there.
    Removed(PathBuf),
    /// Nobody knows what changed.
    All,
    /// This process may write from now on; `None`: it never may.
    WriterLock(Option<File>),
    /// It is enough.
    Stop,
}

impl Library {
    /// The histories in `locations`, with the index in the data directory. Reads and writes nothing yet.
    #[must_use]
    pub fn new(data: &Path, locations: HistoryLocations) -> Self {
        // What is watched is told by its whole path.
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

    /// Where histories are looked for.
    #[must_use]
    pub fn locations(&self) -> &HistoryLocations {
        &self.inner.locations
    }

    /// Keeps the index from now on, on a thread of its own, and tells which transcripts look different: none named
    /// means any. While another process keeps it, this one tells what that one does, and takes over at its end.
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
            tracing::warn!(%error, "the index of transcripts is not kept");
        }
    }

    /// Keeps the index no longer.
    pub fn stop_indexing(&self) {
        self.inner.stop.store(true, Ordering::Relaxed);
        if let Some(wake) = self.wake().take() {
            // It has ended by itself.
            drop(wake.send(Wake::Stop));
        }
    }

    fn wake(&self) -> std::sync::MutexGuard<'_, Option<Sender<Wake>>> {
        self.inner
            .wake
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings the index up to date and returns when that is done; the words only when they are asked for. Does
    /// nothing while another process keeps it: then it is up to date.
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

    /// How far the index is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.inner
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Makes the index anew: by the process that keeps it, or here and now when none does.
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

    /// A part of the list.
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

    /// One transcript.
    pub fn get(&self, id: &str) -> Result<TranscriptRow, TranscriptsError> {
        let connection = self.inner.index.reader()?;
        let row = connection
            .map(|connection| list::get(&connection, id))
            .transpose()?
            .flatten();
        row.ok_or_else(|| TranscriptsError::Missing { id: id.to_owned() })
    }

    /// The working directories, the latest first.
    pub fn projects(&self) -> Result<Vec<ProjectRow>, TranscriptsError> {
        match self.inner.index.reader()? {
            Some(connection) => list::projects(&connection),
            None => Ok(Vec::new()),
        }
    }

    /// Transcripts in which words were said.
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
