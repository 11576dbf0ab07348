//! One round of the indexer: first all that the list shows, then the words.
//!
//! Two threads read, this one writes: SQLite takes one writer, and its part of the work is the longer one.

use std::collections::{HashMap, HashSet};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{IntoIter, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::index::keep::{self, Kept, Listed, Unsearched};
use crate::library::Progress;
use crate::library::examine::{self, Job};
use crate::lines::Room;
use crate::source::{self, Findings, Source, Trouble};
use crate::{Homes, TranscriptsError};

/// How many threads read.
const READERS: usize = 2;
/// How long a transaction is kept open while there is more to write.
const ROUND: Duration = Duration::from_millis(500);
/// What waits for the writer, in batches.
const WAITING: usize = 4;
/// How many troubles are told.
const TROUBLES: usize = 20;

/// What a round needs.
pub(crate) struct Pass<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) homes: &'a Homes,
    pub(crate) progress: &'a Mutex<Progress>,
    /// Told which transcripts look different.
    pub(crate) tell: &'a dyn Fn(Vec<String>),
    /// Set when the round shall end early.
    pub(crate) stop: &'a AtomicBool,
}

enum Read {
    Words(i64, Vec<(u64, String)>),
    Searched(Unsearched, std::io::Result<u64>),
}

impl Read {
    fn source(&self) -> i64 {
        match self {
            Self::Words(id, _) => *id,
            Self::Searched(source, _) => source.id,
        }
    }
}

impl Pass<'_> {
    /// Looks at everything: what is new, what grew, what is gone.
    pub(crate) fn list_all(&self) -> Result<(), TranscriptsError> {
        self.note(|progress| progress.listing = true);
        let findings = source::find(self.homes);
        let known = keep::all(self.connection)?;
        let gone: Vec<i64> = gone(&known, &findings).collect();
        self.note(|progress| {
            progress.trouble = findings
                .trouble
                .iter()
                .take(TROUBLES)
                .map(Trouble::to_string)
                .collect();
        });
        let done = self.take_in(findings.sources, |path| Ok(known.get(path).copied()), &gone);
        self.note(|progress| progress.listing = false);
        done
    }

    /// Looks at paths that have changed.
    pub(crate) fn list(&self, paths: &[PathBuf]) -> Result<(), TranscriptsError> {
        let mut sources = Vec::new();
        let mut gone = Vec::new();
        for path in paths {
            let findings = source::find_at(self.homes, path);
            if findings.sources.is_empty() && !path.exists() {
                gone.extend(keep::at_or_below(self.connection, path)?);
            }
            sources.extend(findings.sources);
        }
        self.take_in(sources, |path| keep::one(self.connection, path), &gone)
    }

    fn take_in(
        &self,
        sources: Vec<Source>,
        known: impl Fn(&Path) -> Result<Option<Kept>, TranscriptsError>,
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
                    let figures = keep::figures(self.connection, kept.id)?.unwrap_or_default();
                    jobs.push(Job {
                        source,
                        id: kept.id,
                        known: Some((kept, figures)),
                    });
                }
                None => jobs.push(Job {
                    source,
                    id: 0,
                    known: None,
                }),
            }
        }
        // The latest are read first, and have the highest numbers: a search looks there first.
        jobs.sort_unstable_by_key(|job| job.source.stamp.modified);
        let free = keep::free_id(self.connection)?;
        for (job, id) in jobs
            .iter_mut()
            .filter(|job| job.known.is_none())
            .zip(free..)
        {
            job.id = id;
        }
        let mut round = Round::begin(self)?;
        for id in gone {
            round.touched.extend(keep::forget(self.connection, *id)?);
        }
        let jobs = Mutex::new(jobs);
        std::thread::scope(|scope| {
            let (sender, listed) = sync_channel::<Listed>(64);
            for _ in 0..READERS {
                let (jobs, stop, sender) = (&jobs, self.stop, sender.clone());
                scope.spawn(move || {
                    let mut room = Room::default();
                    while let Some(job) = next(jobs)
                        && !stop.load(Ordering::Relaxed)
                        && sender.send(examine::list(job, &mut room)).is_ok()
                    {}
                });
            }
            drop(sender);
            for listed in listed {
                keep::put(self.connection, &listed)?;
                round.touched.push(listed.key);
                round.turn()?;
            }
            round.end()
        })
    }

    /// Reads the words of everything whose words were not read.
    pub(crate) fn search_all(&self) -> Result<(), TranscriptsError> {
        let mut sources = keep::unsearched(self.connection)?;
        if sources.is_empty() {
            return Ok(());
        }
        let total = sources.iter().map(|source| source.to - source.from).sum();
        self.note(|progress| {
            (progress.reading, progress.bytes_done, progress.bytes_total) = (true, 0, total);
        });
        sources.reverse();
        let done = self.read_words(Mutex::new(sources));
        self.note(|progress| progress.reading = false);
        done
    }

    fn read_words(&self, sources: Mutex<Vec<Unsearched>>) -> Result<(), TranscriptsError> {
        let mut round = Round::begin(self)?;
        std::thread::scope(|scope| {
            let mut readers = Vec::new();
            for _ in 0..READERS {
                let (sender, news) = sync_channel::<Read>(WAITING);
                let (sources, stop) = (&sources, self.stop);
                scope.spawn(move || {
                    let mut room = Room::default();
                    while next(sources)
                        .is_some_and(|source| read_words(source, stop, &sender, &mut room))
                    {
                    }
                });
                readers.push(news.into_iter().peekable());
            }
            while let Some(read) = lowest(&mut readers) {
                match read {
                    Read::Words(id, records) => keep::add_words(self.connection, id, &records)?,
                    Read::Searched(source, to) => {
                        // A source that cannot be read is not tried again before it changes; the list says why.
                        keep::searched(self.connection, source.id, to.unwrap_or(source.to))?;
                        self.note(|progress| progress.bytes_done += source.to - source.from);
                        round.touched.push(source.key);
                        round.turn()?;
                    }
                }
            }
            round.end()
        })
    }

    fn note(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Reads the words of one source; whether there is reason to go on.
fn read_words(
    source: Unsearched,
    stop: &AtomicBool,
    sender: &SyncSender<Read>,
    room: &mut Room,
) -> bool {
    let stopped = || stop.load(Ordering::Relaxed);
    let to = examine::words(&source, room, |records| {
        !stopped() && sender.send(Read::Words(source.id, records)).is_ok()
    });
    !stopped() && sender.send(Read::Searched(source, to)).is_ok()
}

/// What comes next in the order of the sources' numbers. Each reader takes them in this order; one that is ahead waits.
fn lowest(readers: &mut [Peekable<IntoIter<Read>>]) -> Option<Read> {
    let heads = readers.iter_mut().filter_map(|reader| {
        reader
            .peek()
            .map(Read::source)
            .map(|source| (source, reader))
    });
    heads.min_by_key(|(source, _)| *source)?.1.next()
}

fn next<T>(from: &Mutex<Vec<T>>) -> Option<T> {
    from.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// The sources that are not there any more. Where a folder or database could not be looked into, nothing is gone.
fn gone(known: &HashMap<PathBuf, Kept>, findings: &Findings) -> impl Iterator<Item = i64> {
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

/// A transaction that is renewed now and then, so that what is there already can be seen.
struct Round<'a, 'b> {
    pass: &'a Pass<'b>,
    begun: Instant,
    touched: Vec<String>,
}

impl<'a, 'b> Round<'a, 'b> {
    fn begin(pass: &'a Pass<'b>) -> Result<Self, TranscriptsError> {
        pass.connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Self {
            pass,
            begun: Instant::now(),
            touched: Vec::new(),
        })
    }

    fn turn(&mut self) -> Result<(), TranscriptsError> {
        if self.begun.elapsed() > ROUND {
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
            (self.pass.tell)(std::mem::take(&mut self.touched));
        }
        Ok(())
    }
}

impl Drop for Round<'_, '_> {
    fn drop(&mut self) {
        // An error left the transaction open.
        if !self.pass.connection.is_autocommit() {
            drop(self.pass.connection.execute_batch("ROLLBACK"));
        }
    }
}
