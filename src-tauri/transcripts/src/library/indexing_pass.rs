//! One pass of the indexer: first everything for the list, then the text.
//!
//! Two threads read and this one writes, because SQLite allows one writer, and writing takes
//! longer.

use std::collections::{HashMap, HashSet};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{IntoIter, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::index::sources::{self as stored, IndexedSource, ScannedSource, TextBacklog};
use crate::library::Progress;
use crate::library::source_scan::{self, ScanJob};
use crate::line_reader::LineBuffer;
use crate::source::{DiscoveredSources, Source, UnreadablePath};
use crate::{HistoryLocations, TranscriptsError, discovery};

const READER_THREADS: usize = 2;
/// How long a transaction stays open while there is more to write.
const MAX_TRANSACTION_TIME: Duration = Duration::from_millis(500);
/// The capacity of each reader's queue, in batches.
const MAX_QUEUED_BATCHES: usize = 4;
/// The maximum number of problems in [`Progress::trouble`].
const MAX_REPORTED_PROBLEMS: usize = 20;

/// The context of a pass.
pub(crate) struct IndexingPass<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) locations: &'a HistoryLocations,
    pub(crate) progress: &'a Mutex<Progress>,
    /// Called with the ids of changed transcripts.
    pub(crate) on_change: &'a dyn Fn(Vec<String>),
    /// Set to end the pass early.
    pub(crate) stop: &'a AtomicBool,
}

enum TextRead {
    Batch(i64, Vec<(u64, String)>),
    Finished(TextBacklog, std::io::Result<u64>),
}

impl TextRead {
    fn source(&self) -> i64 {
        match self {
            Self::Batch(id, _) => *id,
            Self::Finished(source, _) => source.id,
        }
    }
}

impl IndexingPass<'_> {
    /// Scans everything for new, grown and removed sources.
    pub(crate) fn scan_all(&self) -> Result<(), TranscriptsError> {
        self.note(|progress| progress.listing = true);
        let findings = discovery::find(self.locations);
        let known = stored::all(self.connection)?;
        let gone: Vec<i64> = missing_sources(&known, &findings).collect();
        self.note(|progress| {
            progress.trouble = findings
                .trouble
                .iter()
                .take(MAX_REPORTED_PROBLEMS)
                .map(UnreadablePath::to_string)
                .collect();
        });
        let done = self.scan_sources(findings.sources, |path| Ok(known.get(path).copied()), &gone);
        self.note(|progress| progress.listing = false);
        done
    }

    /// Scans paths that have changed.
    pub(crate) fn scan_paths(&self, paths: &[PathBuf]) -> Result<(), TranscriptsError> {
        let mut sources = Vec::new();
        let mut gone = Vec::new();
        for path in paths {
            let findings = discovery::find_at(self.locations, path);
            if findings.sources.is_empty() && !path.exists() {
                gone.extend(stored::at_or_below(self.connection, path)?);
            }
            sources.extend(findings.sources);
        }
        self.scan_sources(sources, |path| stored::get(self.connection, path), &gone)
    }

    fn scan_sources(
        &self,
        sources: Vec<Source>,
        known: impl Fn(&Path) -> Result<Option<IndexedSource>, TranscriptsError>,
        gone: &[i64],
    ) -> Result<(), TranscriptsError> {
        let mut jobs = Vec::new();
        let mut seen = HashSet::new();
        for source in sources
            .into_iter()
            .filter(|source| seen.insert(source.path.clone()))
        {
            match known(&source.path)? {
                Some(kept) if kept.stamp == source.stamp => {}
                Some(kept) => {
                    let stats = stored::load_stats(self.connection, kept.id)?.unwrap_or_default();
                    jobs.push(ScanJob {
                        source,
                        id: kept.id,
                        known: Some((kept, stats)),
                    });
                }
                None => jobs.push(ScanJob {
                    source,
                    id: 0,
                    known: None,
                }),
            }
        }
        // The latest are read first and get the highest ids, where a search begins.
        jobs.sort_unstable_by_key(|job| job.source.stamp.modified);
        let free = stored::next_id(self.connection)?;
        for (job, id) in jobs
            .iter_mut()
            .filter(|job| job.known.is_none())
            .zip(free..)
        {
            job.id = id;
        }
        let mut transaction = BatchTransaction::begin(self)?;
        for id in gone {
            transaction
                .touched
                .extend(stored::remove(self.connection, *id)?);
        }
        let jobs = Mutex::new(jobs);
        std::thread::scope(|scope| {
            let (sender, listed) = sync_channel::<ScannedSource>(64);
            for _ in 0..READER_THREADS {
                let (jobs, stop, sender) = (&jobs, self.stop, sender.clone());
                scope.spawn(move || {
                    let mut buffer = LineBuffer::default();
                    while let Some(job) = next(jobs)
                        && !stop.load(Ordering::Relaxed)
                        && sender.send(source_scan::scan(job, &mut buffer)).is_ok()
                    {
                    }
                });
            }
            drop(sender);
            for listed in listed {
                stored::upsert(self.connection, &listed)?;
                transaction.touched.push(listed.key);
                transaction.commit_if_due()?;
            }
            transaction.end()
        })
    }

    /// Indexes the text of every source that has new text.
    pub(crate) fn index_text(&self) -> Result<(), TranscriptsError> {
        let mut sources = stored::text_backlog(self.connection)?;
        if sources.is_empty() {
            return Ok(());
        }
        let total = sources.iter().map(|source| source.to - source.from).sum();
        self.note(|progress| {
            (progress.reading, progress.bytes_done, progress.bytes_total) = (true, 0, total);
        });
        sources.reverse();
        let done = self.read_text(Mutex::new(sources));
        self.note(|progress| progress.reading = false);
        done
    }

    fn read_text(&self, sources: Mutex<Vec<TextBacklog>>) -> Result<(), TranscriptsError> {
        let mut transaction = BatchTransaction::begin(self)?;
        std::thread::scope(|scope| {
            let mut readers = Vec::new();
            for _ in 0..READER_THREADS {
                let (sender, changes) = sync_channel::<TextRead>(MAX_QUEUED_BATCHES);
                let (sources, stop) = (&sources, self.stop);
                scope.spawn(move || {
                    let mut buffer = LineBuffer::default();
                    while next(sources)
                        .is_some_and(|source| read_text(source, stop, &sender, &mut buffer))
                    {
                    }
                });
                readers.push(changes.into_iter().peekable());
            }
            while let Some(read) = next_in_order(&mut readers) {
                match read {
                    TextRead::Batch(id, records) => {
                        stored::insert_text(self.connection, id, &records)?
                    }
                    TextRead::Finished(source, to) => {
                        // An unreadable source is not retried before it changes; the list shows
                        // the reason.
                        stored::mark_text_indexed(
                            self.connection,
                            source.id,
                            to.unwrap_or(source.to),
                        )?;
                        self.note(|progress| progress.bytes_done += source.to - source.from);
                        transaction.touched.push(source.key);
                        transaction.commit_if_due()?;
                    }
                }
            }
            transaction.end()
        })
    }

    fn note(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Reads the text of one source. Returns whether to continue.
fn read_text(
    source: TextBacklog,
    stop: &AtomicBool,
    sender: &SyncSender<TextRead>,
    buffer: &mut LineBuffer,
) -> bool {
    let stopped = || stop.load(Ordering::Relaxed);
    let to = source_scan::read_text(&source, buffer, |records| {
        !stopped() && sender.send(TextRead::Batch(source.id, records)).is_ok()
    });
    !stopped() && sender.send(TextRead::Finished(source, to)).is_ok()
}

/// The next message in the order of source ids. Each reader follows this order, and one that is
/// ahead waits.
fn next_in_order(readers: &mut [Peekable<IntoIter<TextRead>>]) -> Option<TextRead> {
    let heads = readers.iter_mut().filter_map(|reader| {
        reader
            .peek()
            .map(TextRead::source)
            .map(|source| (source, reader))
    });
    heads.min_by_key(|(source, _)| *source)?.1.next()
}

fn next<T>(from: &Mutex<Vec<T>>) -> Option<T> {
    from.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// The indexed sources that no longer exist. Sources below an unreadable folder or database do
/// not count as gone.
fn missing_sources(
    known: &HashMap<PathBuf, IndexedSource>,
    findings: &DiscoveredSources,
) -> impl Iterator<Item = i64> {
    let found: HashSet<&Path> = findings
        .sources
        .iter()
        .map(|source| &*source.path)
        .collect();
    let missing = known
        .iter()
        .filter(move |(path, _)| !found.contains(&***path));
    missing
        .filter(|(path, _)| !findings.may_hide(path))
        .map(|(_, kept)| kept.id)
}

/// A transaction that is committed from time to time, so that readers see the progress.
struct BatchTransaction<'a, 'b> {
    pass: &'a IndexingPass<'b>,
    begun: Instant,
    touched: Vec<String>,
}

impl<'a, 'b> BatchTransaction<'a, 'b> {
    fn begin(pass: &'a IndexingPass<'b>) -> Result<Self, TranscriptsError> {
        pass.connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Self {
            pass,
            begun: Instant::now(),
            touched: Vec::new(),
        })
    }

    fn commit_if_due(&mut self) -> Result<(), TranscriptsError> {
        if self.begun.elapsed() > MAX_TRANSACTION_TIME {
            self.commit()?;
            self.pass.connection.execute_batch("BEGIN IMMEDIATE")?;
            self.begun = Instant::now();
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), TranscriptsError> {
        self.commit()
    }

    fn commit(&mut self) -> Result<(), TranscriptsError> {
        self.pass.connection.execute_batch("COMMIT")?;
        if !self.touched.is_empty() {
            (self.pass.on_change)(std::mem::take(&mut self.touched));
        }
        Ok(())
    }
}

impl Drop for BatchTransaction<'_, '_> {
    fn drop(&mut self) {
        // An error left the transaction open.
        if !self.pass.connection.is_autocommit() {
            drop(self.pass.connection.execute_batch("ROLLBACK"));
        }
    }
}
