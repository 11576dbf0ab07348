//! Operations on sessions and their timelines.
//!
//! A timeline is read from the session's files, of any size: an index of where its entries stand is built
//! once, follows the files while they grow, and only the entries that somebody looks at are read again. Of a very
//! long one the beginning is shown while the rest is being read.

mod clock;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::tool_name::command_of;
use baton_agents::{LogFormat, Stream, TimelineEntry, TimelineIndex};
use baton_keeper::{Exit, INPUT, Input, Launch, Liveness, STDERR, STDOUT, liveness, session_file};
use baton_model::arbiter::Choice;
use baton_model::command_prefix::choices_for;
use baton_model::{Attempt, NodeId, PlanId, RunId, SessionId};
use baton_store::SessionRow;

use self::clock::Clock;
use crate::ahead::{Ahead, Wanted};
use crate::wire::*;
use crate::{ApiError, App, Code, ahead, damage, plans, transcripts};

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

/// Lists sessions, the latest first.
pub(crate) fn list(app: &App, input: SessionsFilter) -> Result<Vec<SessionView>, ApiError> {
    let rows = app.store.sessions().list(input.run, input.limit)?.rows;
    let mut runs: HashMap<RunId, OfRun> = HashMap::new();
    let view = |row: SessionRow| {
        let run = match runs.entry(row.run) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(OfRun::read(app, row.run, None)?),
        };
        Ok(view(app, run, row))
    };
    rows.into_iter().map(view).collect()
}

/// Shows a session.
pub(crate) fn get(app: &App, input: SessionRef) -> Result<SessionView, ApiError> {
    let row = app.store.sessions().get(input.session)?;
    Ok(view(app, &OfRun::read(app, row.run, Some(row.node))?, row))
}

/// What is told of all sessions of a run.
struct OfRun {
    plan: PlanId,
    title: String,
    choices: HashMap<(NodeId, Attempt), Choice>,
}

impl OfRun {
    /// With the choices for one node, or for all.
    fn read(app: &App, run: RunId, node: Option<NodeId>) -> Result<Self, ApiError> {
        let events = app.store.run_events();
        let choices = match node {
            Some(node) => {
                let choices = damage::readable(events.choices(run, node))?.unwrap_or_default();
                choices
                    .into_iter()
                    .map(|(attempt, choice)| ((node, attempt), choice))
                    .collect()
            }
            None => damage::readable(events.choices_of_run(run))?.unwrap_or_default(),
        };
        let (plan, title) = damage::plan_of_run(app, run)?;
        Ok(Self {
            plan,
            title,
            choices,
        })
    }
}

fn view(app: &App, run: &OfRun, row: SessionRow) -> SessionView {
    let folder = app.store.data_dir().join(&row.folder);
    let launch = Launch::read(&folder).ok();
    let length = |name: &str| {
        folder
            .join(name)
            .symlink_metadata()
            .map_or(0, |meta| meta.len())
    };
    SessionView {
        plan: run.plan,
        plan_title: run.title.clone(),
        argv: launch
            .as_ref()
            .map(|launch| launch.argv.clone())
            .unwrap_or_default(),
        cwd: launch
            .map(|launch| launch.cwd.display().to_string())
            .unwrap_or_default(),
        live: row.ended_at.is_none() && liveness(&folder).is_ok_and(|liveness| liveness.may_run()),
        stdout_bytes: length(STDOUT),
        stderr_bytes: length(STDERR),
        usage: row
            .usage
            .and_then(|usage| serde_json::from_value(usage).ok())
            .unwrap_or_default(),
        folder: folder.display().to_string(),
        transcript: transcripts::id_of(row.agent.as_deref(), row.native_id.as_deref()),
        reason: run
            .choices
            .get(&(row.node, row.attempt))
            .map(ToString::to_string),
        id: row.id,
        run: row.run,
        node: row.node,
        title: row.title,
        attempt: row.attempt,
        agent: row.agent,
        native_id: row.native_id,
        started_at: row.started_at,
        ended_at: row.ended_at,
    }
}

/// Shows a part of a session's timeline.
pub(crate) fn timeline(app: &App, input: TimelineRange) -> Result<TimelinePage, ApiError> {
    with_timeline(app, input.session, Wanted::from(input.from), |timeline| {
        let total = timeline.index.len();
        let from = match u64::try_from(input.from) {
            Ok(from) => from.min(total),
            Err(_) => total.saturating_sub(input.from.unsigned_abs()),
        };
        let to = from
            .saturating_add(u64::from(input.limit.min(PAGE)))
            .min(total);
        let entries = match input.since {
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
pub(crate) fn entry(app: &App, input: TimelineEntryRef) -> Result<TimelineEntry, ApiError> {
    with_timeline(app, input.session, Wanted::Entry(input.seq), |timeline| {
        let mut log = Log::new(&timeline.folder);
        let entry = timeline.index.entry_full(input.seq, &mut log)?;
        Ok(entry.map(|entry| timeline.dated(entry)))
    })?
    .ok_or_else(|| {
        ApiError::new(
            Code::NotFound,
            format!("the timeline has no entry {}", input.seq),
        )
    })
}

/// Shows the whole call that a question of a session is about, whatever its length.
pub(crate) fn question(app: &App, input: SessionQuestion) -> Result<QuestionView, ApiError> {
    with_timeline(app, input.session, Wanted::All, |timeline| {
        // What is open was asked lately.
        let mut to = timeline.index.len();
        while to > 0 {
            let from = to.saturating_sub(100);
            for entry in timeline.page(from..to)?.iter().rev() {
                if asks(entry, &input.request) {
                    return timeline
                        .index
                        .entry_whole(entry.seq, &mut Log::new(&timeline.folder));
                }
            }
            to = from;
        }
        Ok(None)
    })?
    .and_then(|entry| match entry.kind {
        TimelineKind::Permission {
            tool,
            summary,
            input,
            ..
        } => {
            let begins = command_of(&tool, &input).map_or_else(Vec::new, |line| choices_for(&line));
            Some(QuestionView {
                tool,
                summary,
                input,
                begins,
            })
        }
        _ => None,
    })
    .ok_or_else(|| {
        ApiError::new(
            Code::NotFound,
            format!("the session does not ask '{}'", input.request),
        )
    })
}

fn asks(entry: &TimelineEntry, wanted: &str) -> bool {
    matches!(&entry.kind, TimelineKind::Permission { request: Some(request), .. } if request == wanted)
}

/// Finds a text in a session's timeline, in any case.
pub(crate) fn search(app: &App, input: TimelineSearch) -> Result<TimelineHits, ApiError> {
    let wanted = input.text.to_lowercase();
    if wanted.is_empty() {
        return Ok(TimelineHits {
            entries: Vec::new(),
            more: false,
            reading: None,
        });
    }
    with_timeline(app, input.session, Wanted::Entry(0), |timeline| {
        let mut entries = Vec::new();
        let total = timeline.index.len();
        let mut from = 0;
        while from < total {
            let to = (from + 200).min(total);
            for entry in timeline.page(from..to)? {
                let text = serde_json::to_string(&entry.kind).map_err(io::Error::other)?;
                if text.to_lowercase().contains(&wanted) {
                    if entries.len() >= input.limit as usize {
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
    app: &App,
    session: SessionId,
    wanted: Wanted,
    look: impl FnOnce(&mut Timeline) -> io::Result<T>,
) -> Result<T, ApiError> {
    let (shared, run) = ready(app, session)?;
    let onlookers = app.onlookers.clone();
    let tell = move || onlookers.tell(Change::Session { session, run });
    let mut timeline = shared.lock().unwrap_or_else(PoisonError::into_inner);
    if !timeline.ended && !app.executes(run) {
        app.watches.watch(&timeline.folder, session, run);
    }
    let caught_up = ahead::read(&shared, &mut timeline, wanted, tell);
    if timeline.ended {
        app.watches.unwatch(&timeline.folder);
    }
    caught_up
        .and_then(|_| look(&mut timeline))
        .map_err(|error| {
            let message = format!(
                "the files of the session in {} can't be read: {error}",
                timeline.folder.display()
            );
            ApiError::new(Code::Unavailable, message)
        })
}

/// Whether no agent and no command of the person's, but `baton-tool` works in the session.
fn is_done_by_tools(app: &App, row: &SessionRow) -> Result<bool, ApiError> {
    let run = app.store.runs().get(row.run)?;
    let plan = plans::content(app, run.plan, run.version)?;
    Ok(plan
        .node(row.node)
        .is_some_and(|node| node.kind.is_done_by_tools()))
}

fn ready(app: &App, session: SessionId) -> Result<(Arc<Mutex<Timeline>>, RunId), ApiError> {
    let row = app.store.sessions().get(session)?;
    let format = match &row.agent {
        None if is_done_by_tools(app, &row)? => LogFormat::ToolEvents,
        None => LogFormat::Plain,
        Some(agent) => app
            .engine
            .agents()
            .find(Some(agent))
            .map_or(LogFormat::Plain, |agent| agent.log_format()),
    };
    let folder = app.store.data_dir().join(&row.folder);
    let mut timelines = app.timelines.lock().unwrap_or_else(PoisonError::into_inner);
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
