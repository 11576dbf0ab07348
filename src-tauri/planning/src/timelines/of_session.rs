//! Timelines of sessions that Baton ran, from their files: an index of where the entries stand is built once, follows
//! the files while they grow, and only the entries that somebody looks at are read again. Of a very long timeline the
//! beginning is shown while the rest is being read.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{LogFormat, Stream, TimelineEntry, TimelineIndex};
use baton_keeper::{Exit, INPUT, Input, Liveness, STDERR, STDOUT, liveness, session_file};
use baton_model::{RunId, SessionId};
use baton_store::SessionRow;

use super::ahead::{self, Ahead, Wanted};
use super::clock::Clock;
use super::{Range, TimelineHits, TimelinePage, TimelineReading};
use crate::contents::content;
use crate::context::Growth;
use crate::{Context, PlanningError, Reason};

/// How many timelines are kept ready; the one that was not looked at for longest goes first.
const KEPT: usize = 8;
/// How much of a file is read at once while it is indexed.
const CHUNK: usize = 1024 * 1024;
/// The most entries of one page.
const PAGE: u32 = 1000;

/// The timelines that are ready.
#[derive(Default)]
pub(crate) struct Timelines {
    ready: HashMap<SessionId, Arc<Mutex<Timeline>>>,
    order: VecDeque<SessionId>,
}

/// One session's log with the index of its entries.
struct Timeline {
    folder: PathBuf,
    index: TimelineIndex,
    clock: Clock,
    /// How much was read of what Baton wrote.
    said: u64,
    ended: bool,
    unread: Option<TimelineReading>,
    is_read_ahead: bool,
}

/// Shows a part of a session's timeline.
pub fn page(
    context: &Context,
    session: SessionId,
    range: Range,
) -> Result<TimelinePage, PlanningError> {
    with_timeline(context, session, Wanted::from(range.from), |timeline| {
        let total = timeline.index.len();
        let from = match u64::try_from(range.from) {
            Ok(from) => from.min(total),
            Err(_) => total.saturating_sub(range.from.unsigned_abs()),
        };
        let to = from
            .saturating_add(u64::from(range.limit.min(PAGE)))
            .min(total);
        let entries = match range.since {
            None => timeline.page(from..to)?,
            Some(since) => {
                let mut entries = Vec::new();
                for seq in timeline.index.touched_in(from..to, since) {
                    entries.extend(timeline.page(seq..seq + 1)?);
                }
                entries
            }
        };
        let (revision, ended, reading) =
            (timeline.index.revision(), timeline.ended, timeline.unread);
        Ok(TimelinePage {
            entries,
            total,
            revision,
            ended,
            reading,
        })
    })
}

/// Shows one entry of a timeline whole, up to 4 MiB of it.
pub fn entry(
    context: &Context,
    session: SessionId,
    seq: u64,
) -> Result<TimelineEntry, PlanningError> {
    with_timeline(context, session, Wanted::Entry(seq), |timeline| {
        let mut log = Log::new(&timeline.folder);
        let entry = timeline.index.entry_full(seq, &mut log)?;
        Ok(entry.map(|entry| timeline.dated(entry)))
    })?
    .ok_or_else(|| PlanningError::new(Reason::NotFound, format!("the timeline has no entry {seq}")))
}

/// The whole entry of a question that a session asks, whatever its length.
pub fn question(
    context: &Context,
    session: SessionId,
    request: &str,
) -> Result<TimelineEntry, PlanningError> {
    with_timeline(context, session, Wanted::All, |timeline| {
        // What is open was asked lately.
        let mut to = timeline.index.len();
        while to > 0 {
            let from = to.saturating_sub(100);
            for entry in timeline.page(from..to)?.iter().rev() {
                if asks(entry, request) {
                    return timeline
                        .index
                        .entry_whole(entry.seq, &mut Log::new(&timeline.folder));
                }
            }
            to = from;
        }
        Ok(None)
    })?
    .ok_or_else(|| {
        PlanningError::new(
            Reason::NotFound,
            format!("the session does not ask '{request}'"),
        )
    })
}

fn asks(entry: &TimelineEntry, wanted: &str) -> bool {
    matches!(&entry.kind, TimelineKind::Permission { request: Some(request), .. } if request == wanted)
}

/// Finds a text in a session's timeline, in any case.
pub fn search(
    context: &Context,
    session: SessionId,
    text: &str,
    limit: u32,
) -> Result<TimelineHits, PlanningError> {
    let wanted = text.to_lowercase();
    if wanted.is_empty() {
        return Ok(TimelineHits::default());
    }
    with_timeline(context, session, Wanted::Entry(0), |timeline| {
        let mut entries = Vec::new();
        let total = timeline.index.len();
        let mut from = 0;
        while from < total {
            let to = (from + 200).min(total);
            for entry in timeline.page(from..to)? {
                let text = serde_json::to_string(&entry.kind).map_err(io::Error::other)?;
                if text.to_lowercase().contains(&wanted) {
                    if entries.len() >= limit as usize {
                        return Ok(TimelineHits {
                            entries,
                            more: true,
                            reading: timeline.unread,
                        });
                    }
                    entries.push(entry.seq);
                }
            }
            from = to;
        }
        Ok(TimelineHits {
            entries,
            more: false,
            reading: timeline.unread,
        })
    })
}

/// Calls `look` with the session's timeline, read as far as is wanted.
fn with_timeline<T>(
    context: &Context,
    session: SessionId,
    wanted: Wanted,
    look: impl FnOnce(&mut Timeline) -> io::Result<T>,
) -> Result<T, PlanningError> {
    let (shared, run) = ready(context, session)?;
    let listener = context.listener();
    let tell = move || listener(Growth::Session { session, run });
    let mut timeline = shared.lock().unwrap_or_else(PoisonError::into_inner);
    if !timeline.ended && !context.executes(run) {
        context.watches.watch(&timeline.folder, session, run);
    }
    let caught_up = ahead::read(&shared, &mut timeline, wanted, tell);
    if timeline.ended {
        context.watches.unwatch(&timeline.folder);
    }
    caught_up
        .and_then(|_| look(&mut timeline))
        .map_err(|error| {
            let message = format!(
                "the files of the session in {} can't be read: {error}",
                timeline.folder.display()
            );
            PlanningError::new(Reason::Unavailable, message)
        })
}

/// Whether no agent and no command of the person's, but `baton-tool` works in the session.
fn is_done_by_tools(context: &Context, row: &SessionRow) -> Result<bool, PlanningError> {
    let run = context.store.runs().get(row.run)?;
    let plan = content(context, run.plan, run.version)?;
    Ok(plan
        .node(row.node)
        .is_some_and(|node| node.kind.is_done_by_tools()))
}

fn ready(
    context: &Context,
    session: SessionId,
) -> Result<(Arc<Mutex<Timeline>>, RunId), PlanningError> {
    let row = context.store.sessions().get(session)?;
    let format = match &row.agent {
        None if is_done_by_tools(context, &row)? => LogFormat::ToolEvents,
        None => LogFormat::Plain,
        Some(agent) => context
            .engine
            .agents()
            .find(Some(agent))
            .map_or(LogFormat::Plain, |agent| agent.log_format()),
    };
    let folder = context.store.data_dir().join(&row.folder);
    let mut timelines = context
        .timelines
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    timelines.order.retain(|other| *other != session);
    timelines.order.push_back(session);
    while timelines.order.len() > KEPT {
        let oldest = timelines.order.pop_front();
        timelines
            .ready
            .retain(|session, _| Some(*session) != oldest);
    }
    let fresh = || Timeline::new(folder, format);
    let timeline = timelines
        .ready
        .entry(session)
        .or_insert_with(|| Arc::new(Mutex::new(fresh())));
    Ok((Arc::clone(timeline), row.run))
}

impl Ahead for Timeline {
    type Error = io::Error;

    fn read_on(&mut self, enough: &dyn Fn(u64) -> bool) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        // Asked first: what a session prints after this look is read by the next call.
        let over = Exit::read(&self.folder)
            .map_err(io::Error::other)?
            .is_some()
            || matches!(liveness(&self.folder), Ok(Liveness::Lost));
        self.read_said()?;
        let whole = self.read(Stream::Stdout, STDOUT, enough)?
            && self.read(Stream::Stderr, STDERR, enough)?;
        self.clock.catch_up(&self.folder)?;
        self.unread = if whole { None } else { Some(self.how_far()) };
        if over && whole {
            self.index.finish();
            self.ended = true;
        }
        Ok(())
    }

    fn unread(&self) -> Option<TimelineReading> {
        self.unread
    }

    fn is_read_ahead(&mut self) -> &mut bool {
        &mut self.is_read_ahead
    }
}

impl Timeline {
    fn new(folder: PathBuf, format: LogFormat) -> Self {
        Self {
            folder,
            index: TimelineIndex::new(format),
            clock: Clock::default(),
            said: 0,
            ended: false,
            unread: None,
            is_read_ahead: false,
        }
    }

    /// Reads a file until its end, or until it is `enough`; whether that was the end.
    fn read(
        &mut self,
        stream: Stream,
        name: &str,
        enough: &dyn Fn(u64) -> bool,
    ) -> io::Result<bool> {
        let mut file = match session_file::open(&self.folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            opened => opened?,
        };
        let size = file.metadata()?.len();
        let mut offset = self.index.position(stream);
        file.seek(SeekFrom::Start(offset))?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = file.read(&mut chunk)?;
            if length == 0 {
                return Ok(true);
            }
            self.index
                .feed(stream, offset, &chunk[..length])
                .map_err(io::Error::other)?;
            offset += length as u64;
            if offset < size && enough(self.index.len()) {
                return Ok(false);
            }
        }
    }

    fn how_far(&self) -> TimelineReading {
        let length = |name: &str| {
            self.folder
                .join(name)
                .symlink_metadata()
                .map_or(0, |found| found.len())
        };
        TimelineReading {
            read: self.index.position(Stream::Stdout) + self.index.position(Stream::Stderr),
            size: length(STDOUT) + length(STDERR),
        }
    }

    /// Reads what Baton wrote to the session, as far as it stands there whole.
    fn read_said(&mut self) -> io::Result<()> {
        let mut file = match session_file::open(&self.folder.join(INPUT)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened?,
        };
        file.seek(SeekFrom::Start(self.said))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        for line in bytes
            .split_inclusive(|&byte| byte == b'\n')
            .filter(|line| line.ends_with(b"\n"))
        {
            self.said += line.len() as u64;
            if let Ok(Input::Text { text, .. }) = serde_json::from_slice(line) {
                self.index.hear(&text);
            }
        }
        Ok(())
    }

    fn page(&self, range: std::ops::Range<u64>) -> io::Result<Vec<TimelineEntry>> {
        let entries = self.index.page(range, &mut Log::new(&self.folder))?;
        Ok(entries.into_iter().map(|entry| self.dated(entry)).collect())
    }

    /// The entry with its times by the keeper's clock, where the agent gives none.
    fn dated(&self, mut entry: TimelineEntry) -> TimelineEntry {
        self.date(&mut entry.at);
        if let baton_agents::timeline::TimelineKind::ToolCall {
            ended: Some(ended), ..
        } = &mut entry.kind
        {
            self.date(ended);
        }
        entry
    }

    fn date(&self, position: &mut baton_agents::timeline::Position) {
        position.at_ms = position
            .at_ms
            .or_else(|| self.clock.reached(position.stream, position.offset));
    }
}

/// The files of a session, opened when they are first needed.
struct Log {
    folder: PathBuf,
    files: HashMap<Stream, File>,
}

impl Log {
    fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            files: HashMap::new(),
        }
    }
}

impl ReadAt for Log {
    fn read_at(&mut self, stream: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.files.contains_key(&stream) {
            let name = match stream {
                Stream::Stdout => STDOUT,
                Stream::Stderr => STDERR,
            };
            self.files
                .insert(stream, session_file::open(&self.folder.join(name))?);
        }
        self.files
            .get(&stream)
            .map_or(Ok(0), |file| file.read_at(buffer, offset))
    }
}
