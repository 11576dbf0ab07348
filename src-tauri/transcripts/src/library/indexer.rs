//! The thread that keeps the index: one process at a time, the others wait for its end and tell what it tells.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::RecursiveMode;
use rusqlite::Connection;

use crate::library::databases::Databases;
use crate::library::pass::Pass;
use crate::library::watch::Watch;
use crate::library::{Inner, Wake};
use crate::{Homes, TranscriptsError, source};

#[cfg(test)]
mod tests;

/// What changes within this time is read in one go.
const GATHERED: Duration = Duration::from_millis(20);
/// The shortest time between two pieces of news.
const QUIET: Duration = Duration::from_millis(200);
/// How many transcripts are named in one piece of news.
const NAMED: usize = 50;

/// The files beside the index.
#[derive(Debug, Clone)]
pub(crate) struct Beside {
    /// Held by the process that writes.
    pub(crate) lock: PathBuf,
    /// Written to after each change.
    pub(crate) bell: PathBuf,
    /// There while somebody wants the index to be made anew.
    pub(crate) wanted: PathBuf,
}

impl Beside {
    pub(crate) fn of(index: &Path) -> Self {
        Self {
            lock: index.with_extension("lock"),
            bell: index.with_extension("changes"),
            wanted: index.with_extension("rebuild"),
        }
    }

    /// The writer's lock; `None` when another process has it.
    pub(crate) fn try_lock(&self) -> Result<Option<File>, TranscriptsError> {
        let file = File::create(&self.lock).map_err(TranscriptsError::at(&self.lock))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(TranscriptsError::at(&self.lock)(error)),
        }
    }

    pub(crate) fn ring(&self) {
        let rung = File::create(&self.bell).and_then(|mut bell| bell.write_all(b"!"));
        if let Err(error) = rung {
            tracing::warn!(%error, "other processes are not told of new transcripts");
        }
    }
}

/// Tells what changed, not too often.
pub(crate) struct Teller {
    tell: Box<dyn Fn(Vec<String>) + Send>,
    beside: Beside,
    waiting: std::cell::RefCell<BTreeSet<String>>,
    last: std::cell::Cell<Option<Instant>>,
}

impl Teller {
    pub(crate) fn new(tell: Box<dyn Fn(Vec<String>) + Send>, beside: Beside) -> Self {
        Self {
            tell,
            beside,
            waiting: Default::default(),
            last: Default::default(),
        }
    }

    fn add(&self, ids: Vec<String>) {
        self.waiting
            .borrow_mut()
            .extend(ids.into_iter().take(NAMED + 1));
        self.tell_what_is_due();
    }

    /// How long the news has to wait; `None` when there is none.
    fn due(&self) -> Option<Duration> {
        let rest = || {
            self.last
                .get()
                .map_or(Duration::ZERO, |last| QUIET.saturating_sub(last.elapsed()))
        };
        (!self.waiting.borrow().is_empty()).then(rest)
    }

    fn tell_what_is_due(&self) {
        if self.due() == Some(Duration::ZERO) {
            self.tell();
        }
    }

    fn tell(&self) {
        let waiting = self.waiting.take();
        if waiting.is_empty() {
            return;
        }
        self.last.set(Some(Instant::now()));
        (self.tell)(if waiting.len() > NAMED {
            Vec::new()
        } else {
            waiting.into_iter().collect()
        });
        self.beside.ring();
    }
}

/// Waits for its turn, then keeps the index until it is told to stop.
pub(crate) fn run(
    inner: &Arc<Inner>,
    woken: &Receiver<Wake>,
    wake: &Sender<Wake>,
    teller: &Teller,
) {
    let Ok(mut watch) = Watch::new(wake.clone()).inspect_err(|error| {
        tracing::warn!(%error, "new transcripts are seen when Baton is started again");
    }) else {
        return;
    };
    teller.beside.ring();
    watch.add(&teller.beside.bell, RecursiveMode::NonRecursive);
    let lock = wait_for_turn(inner, woken, wake, teller);
    let Some(_lock) = lock else { return };
    while !inner.stop.load(Ordering::Relaxed) {
        match keep(inner, woken, &mut watch, teller) {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, "the index of transcripts is made anew");
                if inner.index.delete().is_err()
                    || !matches!(woken.recv(), Ok(Wake::Path(_) | Wake::Lost(_) | Wake::All))
                {
                    return;
                }
            }
        }
    }
}

/// Until this process may write, it passes on what the other one tells.
fn wait_for_turn(
    inner: &Arc<Inner>,
    woken: &Receiver<Wake>,
    wake: &Sender<Wake>,
    teller: &Teller,
) -> Option<File> {
    match teller.beside.try_lock() {
        Ok(Some(lock)) => return Some(lock),
        Ok(None) => {}
        Err(error) => {
            tracing::warn!(%error, "the index of transcripts cannot be kept");
            return None;
        }
    }
    let file = File::create(&teller.beside.lock).ok()?;
    let turn = wake.clone();
    let waiting = std::thread::Builder::new().name("baton-transcripts-turn".to_owned());
    waiting
        .spawn(move || {
            let locked = file.lock().is_ok();
            drop(turn.send(Wake::Turn(locked.then_some(file))));
        })
        .ok()?;
    loop {
        match woken.recv() {
            Ok(Wake::Turn(lock)) => return lock,
            Ok(Wake::Stop) | Err(_) => return None,
            Ok(Wake::Path(path)) if path == teller.beside.bell => (teller.tell)(Vec::new()),
            Ok(Wake::Path(_) | Wake::Lost(_) | Wake::All) => {}
        }
        if inner.stop.load(Ordering::Relaxed) {
            return None;
        }
    }
}

fn keep(
    inner: &Inner,
    woken: &Receiver<Wake>,
    watch: &mut Watch,
    teller: &Teller,
) -> Result<(), TranscriptsError> {
    let mut connection = inner.index.writer()?;
    watch.extend(&inner.homes);
    let mut news = News {
        all: true,
        paths: BTreeSet::new(),
        ends: false,
    };
    let mut databases = Databases::default();
    while !news.ends && !inner.stop.load(Ordering::Relaxed) {
        if teller.beside.wanted.exists() {
            drop(fs::remove_file(&teller.beside.wanted));
            drop(connection);
            inner.index.delete()?;
            connection = inner.index.writer()?;
            news.all = true;
        }
        round(inner, &connection, &news, &mut databases, teller)?;
        news = gather(inner, woken, watch, &databases, teller);
    }
    teller.tell();
    Ok(())
}

fn round(
    inner: &Inner,
    connection: &Connection,
    news: &News,
    databases: &mut Databases,
    teller: &Teller,
) -> Result<(), TranscriptsError> {
    let tell = |ids| teller.add(ids);
    news.databases(&inner.homes)
        .into_iter()
        .for_each(|database| databases.note(database));
    let pass = Pass {
        connection,
        homes: &inner.homes,
        progress: &inner.progress,
        tell: &tell,
        stop: &inner.stop,
    };
    if news.all {
        pass.list_all()?;
    } else {
        let paths: Vec<PathBuf> = news.paths.iter().cloned().collect();
        pass.list(&paths)?;
    }
    pass.search_all()
}

/// What has changed.
struct News {
    all: bool,
    paths: BTreeSet<PathBuf>,
    ends: bool,
}

impl News {
    /// The databases that will be read because of it.
    fn databases(&self, homes: &Homes) -> BTreeSet<PathBuf> {
        let named = self
            .paths
            .iter()
            .filter_map(|path| source::database_at(homes, path));
        if self.all {
            named.chain(source::databases(homes)).collect()
        } else {
            named.collect()
        }
    }
}

/// What has to be looked at after an event at `path`: nothing where no history is, or where the event may come of our
/// own reading.
fn meant(homes: &Homes, databases: &Databases, path: PathBuf) -> Option<PathBuf> {
    let concerns = |root: &PathBuf| path.starts_with(root) || root.starts_with(&path);
    if !homes.roots.iter().any(|(_, root)| concerns(root)) {
        return None;
    }
    let Some(database) = source::database_at(homes, &path) else {
        return Some(path);
    };
    (!databases.are_as_noted(&database)).then_some(database)
}

/// Waits for something to change, and a little longer for what comes with it.
fn gather(
    inner: &Inner,
    woken: &Receiver<Wake>,
    watch: &mut Watch,
    databases: &Databases,
    teller: &Teller,
) -> News {
    let meant = |path| meant(&inner.homes, databases, path);
    let mut news = News {
        all: false,
        paths: BTreeSet::new(),
        ends: false,
    };
    let mut until = None::<Instant>;
    loop {
        let first = until.is_none();
        let gathered = until.map(|until| until.saturating_duration_since(Instant::now()));
        let wait = [gathered, teller.due()].into_iter().flatten().min();
        let heard = match wait {
            None => woken.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(time) => woken.recv_timeout(time),
        };
        match heard {
            Err(RecvTimeoutError::Timeout) => {
                teller.tell_what_is_due();
                if until.is_some_and(|until| until <= Instant::now()) {
                    break;
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) | Ok(Wake::Stop) => {
                news.ends = true;
                break;
            }
            Ok(Wake::All) => news.all = true,
            // Its own bell; what counts is whether somebody wants the index anew.
            Ok(Wake::Path(path)) if path == teller.beside.bell => {
                if !teller.beside.wanted.exists() {
                    continue;
                }
                news.all = true;
            }
            Ok(Wake::Lost(path)) => {
                watch.lose(&path);
                let Some(path) = meant(path) else { continue };
                news.paths.insert(path);
            }
            Ok(Wake::Path(path)) => {
                let Some(path) = meant(path) else { continue };
                news.paths.insert(path);
            }
            Ok(Wake::Turn(_)) => {}
        }
        if first {
            until = Some(Instant::now() + GATHERED);
        }
    }
    for path in &news.paths {
        watch.below(&inner.homes, path);
    }
    news.all |= watch.extend(&inner.homes);
    news
}
